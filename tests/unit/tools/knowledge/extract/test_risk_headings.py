"""The headings of risk factors: paragraphs of one sentence before one of several."""

from __future__ import annotations

from builders import document

from tools.documents.types import Chunk, Page, ParsedDocument
from tools.knowledge.extract.risk_headings import MIN_HEADINGS, risk_triplets

HEADINGS = [f"If we lose supplier number {n}, our business could suffer." for n in range(1, 7)]
BODY = "We buy many parts from few suppliers that we cannot replace soon. Any of them may fail. That would cost us."


def named(
    *paragraphs: str, section: str = "Part I, Item 1A - Risk Factors"
) -> list[tuple[str, tuple[str, ...]]]:
    own, text = document(doc_type="10-K"), "\n".join(paragraphs)
    chunk = Chunk("c1", own.id, text, text, (3,), section, "prose")
    read = ParsedDocument(own, (Page(3, text),), (), (chunk,))
    return [(each.quote, each.path) for each in risk_triplets(read)]


def printed(headings: list[str]) -> list[str]:
    return [paragraph for heading in headings for paragraph in (heading, BODY)]


def test_each_heading_is_named_with_its_place_among_them() -> None:
    found = named("Please read this section with care. It matters to all holders.", *printed(HEADINGS))
    assert found == [(heading, (f"{n} of 6",)) for n, heading in enumerate(HEADINGS, 1)]


def test_paragraphs_that_go_on_and_lines_within_one_are_no_headings() -> None:
    more = ["For example, a strike of pilots could harm our business.", BODY]
    assert [quote for quote, _ in named(*printed(HEADINGS), *more)] == HEADINGS
    long = f"{HEADINGS[0]} {BODY}"
    assert HEADINGS[0] not in [quote for quote, _ in named(long, BODY, *printed(HEADINGS[1:]))]


def test_few_headings_are_none_and_other_parts_have_none() -> None:
    assert named(*printed(HEADINGS[: MIN_HEADINGS - 1])) == []
    assert named(*printed(HEADINGS), section="Part II, Item 7") == []
