"""How many people: 'reduce our workforce by about 240 employees', 'we had 1,520 employees'."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.extract.work_forces import work_force
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


def head_count_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`employees --was--> value` on the document's last day; `workforce reduction --affects--> value` without a
    period: it is announced on a day of its own, before or after the quarter's end."""
    own = parsed.document.period
    if (all_of_them := work_force(parsed)) is not None:
        at_end = Period(own.end, 0, own.fiscal_year, own.fiscal_quarter)
        heads, printed, passage = all_of_them.heads, all_of_them.printed, all_of_them.passage
        value = format(heads.normalize(), "f")
        yield _counted(parsed.document, ("employees", "was"), value, printed, passage, at_end)
    for passage in passages(parsed):
        found = [] if passage.asked else list(_REDUCED.finditer(passage.text))
        if len(found) == 1:
            count, kind = found[0]["count"], found[0]["kind"].lower()
            said = (REDUCTION, "affects")
            yield _counted(parsed.document, said, count.replace(",", ""), count, passage, Period(), kind)


def _counted(
    document: Document,
    said: tuple[str, str],
    value: str,
    printed: str,
    passage: Passage,
    period: Period,
    kind: str = "employees",
) -> Triplet:
    metric, relation = said
    return make_triplet(
        document,
        (metric, "metric"),
        relation,
        (render_quantity(value, kind, 0), "value"),
        page=passage.page,
        quote=passage.text,
        chunk_id=passage.chunk_id,
        period=period,
        value=value,
        unit=kind,
        printed=printed,
        statement="prose",
        title=HEAD_COUNTS_TITLE,
    )
