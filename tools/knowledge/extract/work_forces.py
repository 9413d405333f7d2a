"""How many people work for a company, as its report says of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import EMPLOYS, PROFILE_TITLE
from tools.knowledge.types import Triplet

_STAFF = r"(?:employees|associates|colleagues|team\s+members)"
_PEOPLE = rf"(?:{_STAFF}|people|persons|workers|professionals|partners)"


def _heads(kind: str) -> str:
    return (
        r"(?P<said>(?:(?:about|approximately|roughly|around|nearly|over|more\s+than|a\s+total\s+of)\s+)?"
        r"(?P<count>\d{1,3}(?:,\d{3})+|\d{2,4}|\d+(?:\.\d+)?(?=\s+million))(?P<million>\s+million)?"
        r"\s+(?:(?!(?:and|of|in|to|retired|former)\b)[\w-]+(?:\s+and\s+part-time)?\s+){0,4}?"
        rf"{kind}\b)"
    )


_MADE_UP = r"(?:an?\s+(?:[\w-]+\s+){0,4}(?:work\s?force|team|staff)\s+(?:[\w-]+\s+){0,2}of\s+)?"
_EMPLOYED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:employs?|employed)\s+{_heads(_PEOPLE)}",
        rf"\b(?:we|company|corporation|subsidiaries|firm|group)\s+(?:had|have|has)\s+{_MADE_UP}{_heads(_STAFF)}",
        rf"\bthere\s+were\s+{_heads(_STAFF)}",
        rf"\b(?:work\s?force|headcount)\s+(?:consisted\s+of|was|totaled|of)\s+{_heads(_PEOPLE)}",
        rf"\b(?:each|all)\s+of\s+our\s+{_heads(_STAFF)}",
        rf"\b{_heads(_PEOPLE)}\s+(?:are\s+|were\s+)?employed\s+(?:worldwide|globally|around)\b",
    )
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FEW = re.compile(r"\b(?:fewer|less)\s+than\b|\b(?:may|would|could|if|who)\b")
"""Between the verb and the number, or before it: no count of those who work there."""


def work_force_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`employs` of the filer of an annual report, by the sentence that counts most: the others count a part."""
    document = parsed.document
    if document.doc_type not in ("10-K", "annual") or not document.is_of_company:
        return
    year = document.period.end.year if document.period.end else None
    own = (each for each in passages(parsed) if not _is_of_before(each.text, year))
    counted = [each for passage in own for each in _counts(passage)]
    if not counted:
        return
    _, said, passage = max(counted, key=lambda each: each[0])
    yield make_triplet(
        document,
        (document.company, "company"),
        EMPLOYS,
        (said, "value"),
        page=passage.page,
        quote=passage.text,
        chunk_id=passage.chunk_id,
        title=PROFILE_TITLE,
    )


def _is_of_before(text: str, year: int | None) -> bool:
    """Whether a sentence names years, all of them before that of the report."""
    years = [int(each) for each in _YEAR.findall(text)]
    return bool(years) and year is not None and max(years) < year


def _counts(passage: Passage) -> Iterator[tuple[Decimal, str, Passage]]:
    """(heads, as it is said, the sentence)."""
    for pattern in _EMPLOYED:
        for found in pattern.finditer(passage.text):
            if not _FEW.search(passage.text[: found.start("count")]):
                heads = Decimal(found["count"].replace(",", ""))
                yield heads * (1_000_000 if found["million"] else 1), " ".join(found["said"].split()), passage
