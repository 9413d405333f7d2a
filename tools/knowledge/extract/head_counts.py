"""How many people: 'reduce our workforce by about 240 employees', 'we had 1,520 employees'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.quantities import render_quantity

REDUCTION = "workforce reduction"
HEAD_COUNTS_TITLE = "Head counts"
"""Title of what is read here."""
_ABOUT = r"(?:(?:about|approximately|roughly|around|some|nearly|up to)\s+)?"
_HEADS = r"(?P<count>\d{1,3}(?:,\d{3})+|\d{2,3})"
_KIND = r"(?P<kind>employees|jobs|positions|roles|people)"
_REDUCED = re.compile(
    rf"\breduc(?:e|ed|es|ing|tion\s+(?:of|in))\s+(?:our|the|its)\s+(?:\w+\s+)?(?:workforce|headcount)\s+by\s+{_ABOUT}{_HEADS}\s+{_KIND}\b",
    re.IGNORECASE,
)
_EMPLOYED = re.compile(
    rf"\b(?:we|the company)\s+(?:had|have|employed|employ)\s+{_ABOUT}{_HEADS}\s+(?:(?:full|part)-time\s+)?"
    r"(?P<kind>employees)"
    r"(?=\s*(?:\.|,|$|worldwide|globally|as of|at))(?!\s+as of (?!\w+ \d))",
    re.IGNORECASE,
)


def head_count_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`employees --was--> value` on the document's last day; `workforce reduction --affects--> value` without a
    period: it is announced on a day of its own, before or after the quarter's end."""
    for passage in passages(parsed):
        if passage.asked or not any(c.isdigit() for c in passage.text):
            continue
        yield from _counts(parsed.document, passage)


def _counts(document: Document, passage: Passage) -> Iterator[Triplet]:
    own = document.period
    at_end = Period(own.end, 0, own.fiscal_year, own.fiscal_quarter)
    for pattern, name, relation, period in (
        (_REDUCED, REDUCTION, "affects", Period()),
        (_EMPLOYED, "employees", "was", at_end),
    ):
        found = list(pattern.finditer(passage.text))
        if len(found) != 1:
            continue
        value = found[0]["count"].replace(",", "")
        yield make_triplet(
            document,
            (name, "metric"),
            relation,
            (render_quantity(value, found[0]["kind"].lower(), 0), "value"),
            page=passage.page,
            quote=passage.text,
            chunk_id=passage.chunk_id,
            period=period,
            value=value,
            unit=found[0]["kind"].lower(),
            printed=found[0]["count"],
            statement="prose",
            title=HEAD_COUNTS_TITLE,
        )
