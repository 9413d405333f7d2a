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

_PEOPLE = r"(?:employees|people|persons|associates|colleagues|workers|professionals|partners|team\s+members)"
_HEADS = (
    r"(?P<said>(?:(?:about|approximately|roughly|around|nearly|over|more\s+than)\s+)?"
    r"(?P<count>\d{1,3}(?:,\d{3})+|\d{2,3}|\d[\d.]*(?=\s+million))(?P<million>\s+million)?"
    rf"\s+(?:(?!and\b|of\b|in\b|to\b)[\w-]+(?:\s+and\s+part-time)?\s+){{0,4}}?{_PEOPLE}\b)"
)
_UP_TO_THEM = r"(?:(?![\d;])[^.])"
_EMPLOYED = (
    re.compile(rf"\b(?:employs?|employed)\s+{_UP_TO_THEM}{{0,30}}?{_HEADS}", re.IGNORECASE),
    re.compile(
        rf"\b(?:we|company|corporation|subsidiaries|firm|group)\s+(?:had|have|has)\s+{_UP_TO_THEM}{{0,60}}?{_HEADS}",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:each|all)\s+of\s+our\s+{_HEADS}", re.IGNORECASE),
    re.compile(rf"\b{_HEADS}\s+(?:are\s+|were\s+)?employed\s+(?:worldwide|globally|around)\b", re.IGNORECASE),
)
_FEW = re.compile(r"\b(?:fewer|less)\s+than\b|\b(?:may|would|could|if|who)\b")
"""Between the verb and the number, or before it: no count of those who work there."""


def work_force_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`employs` of the filer of an annual report, by the sentence that counts most: the others count a part."""
    document = parsed.document
    if document.doc_type not in ("10-K", "annual") or not document.is_of_company:
        return
    counted = [each for passage in passages(parsed) for each in _counts(passage)]
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


def _counts(passage: Passage) -> Iterator[tuple[Decimal, str, Passage]]:
    """(heads, as it is said, the sentence)."""
    for pattern in _EMPLOYED:
        for found in pattern.finditer(passage.text):
            if not _FEW.search(passage.text[: found.start("count")]):
                heads = Decimal(found["count"].replace(",", "").rstrip("."))
                yield heads * (1_000_000 if found["million"] else 1), " ".join(found["said"].split()), passage
