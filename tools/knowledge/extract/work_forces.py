"""How many people work for a company, as its report says of all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class WorkForce:
    """How many people a document says work for its company."""

    heads: Decimal
    printed: str
    """The number: '2.2 million'."""
    said: str
    """With whom it counts: 'approximately 2.2 million associates'."""
    passage: Passage


def work_force(parsed: ParsedDocument) -> WorkForce | None:
    """By the sentence that counts most: the others count a part. None where none does."""
    end = parsed.document.period.end
    said = (each for each in passages(parsed) if not each.asked and any(c.isdigit() for c in each.text))
    own = (each for each in said if not _is_of_before(each.text, end.year if end else None))
    return max(filter(None, map(_counted, own)), key=lambda each: each.heads, default=None)


def work_force_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`employs` of the filer of an annual report."""
    document = parsed.document
    annual = document.doc_type in ("10-K", "annual") and document.is_of_company
    found = work_force(parsed) if annual else None
    if found is not None:
        yield make_triplet(
            document,
            (document.company, "company"),
            EMPLOYS,
            (found.said, "value"),
            page=found.passage.page,
            quote=found.passage.text,
            chunk_id=found.passage.chunk_id,
            title=PROFILE_TITLE,
        )


def _is_of_before(text: str, year: int | None) -> bool:
    """Whether a sentence names years, all of them before that of the report."""
    years = [int(each) for each in _YEAR.findall(text)]
    return bool(years) and year is not None and max(years) < year


def _counted(passage: Passage) -> WorkForce | None:
    """None where a sentence counts nobody, or twice: 'and 900 a year before'."""
    every = {m.start("count"): m for pattern in _EMPLOYED for m in pattern.finditer(passage.text)}
    if len(every) != 1:
        return None
    ((start, found),) = every.items()
    if _FEW.search(passage.text[:start]):
        return None
    heads = Decimal(found["count"].replace(",", "")) * (1_000_000 if found["million"] else 1)
    printed = found["count"] + (found["million"] or "")
    return WorkForce(heads, printed, " ".join(found["said"].split()), passage)
