from __future__ import annotations

from datetime import date

from tools.documents.tables import find_tables
from tools.documents.types import Chunk, Document, Page, ParsedDocument, Tag
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.extract.tag_triplets import tag_triplets
from tools.knowledge.types import Triplet
from tools.periods import Period

DOCUMENT = Document(
    "d" * 16, "orla.htm", "orla.htm", "Orla 10-K", "Orla Inc.", "ORLA", "ORLA", (), "10-K", 2024, None,
    date(2024, 12, 31), 1,
)  # fmt: skip
YEAR = Period(date(2024, 12, 31), 12)
PROSE = "We make desks. Sales to Bexley were $7.7 billion in 2024. Demand rose."


def tag(text: str, line: int, printed: str, concept: str, value: str, **more: object) -> Tag:
    start = text.split("\n")[line].index(printed) if line >= 0 else 0
    return Tag(line, start, start + len(printed), concept, YEAR, value, "USD", 9, printed, **more)  # type: ignore[arg-type]


def parsed(text: str, *tags: Tag, layout: str = "") -> ParsedDocument:
    pages = (Page(1, text, layout, tags),)
    chunk = Chunk("c" * 16, DOCUMENT.id, text, text, (1,), "", "prose")
    return ParsedDocument(DOCUMENT, pages, tuple(find_tables(pages, DOCUMENT)), (chunk,))


def figures(triplets: object) -> list[Triplet]:
    return [t for t in triplets if t.value is not None]  # type: ignore[attr-defined]


def test_a_tagged_figure_in_a_sentence_is_a_triplet_with_the_sentence_as_its_quote() -> None:
    member = (("srt:MajorCustomersAxis", "orla:BexleyMember"),)
    made = tag(PROSE, 0, "7.7", "orla:SalesToCustomers", "7.7", dimensions=member)
    (found,) = figures(tag_triplets(parsed(PROSE, made)))
    assert (found.head, found.tail, found.path) == ("Sales to customers", "7.7 billion USD", ("Bexley",))
    assert found.quote == "Sales to Bexley were $7.7 billion in 2024."
    assert (found.value, found.unit, found.scale, found.concept) == ("7.7", "USD", 9, "orla:SalesToCustomers")
    assert found.period == Period(date(2024, 12, 31), 12, 2024, 4)
    assert (found.statement, found.chunk_id) == ("prose", "c" * 16)


def test_a_row_of_a_table_that_was_left_out_gives_its_label() -> None:
    layout = "Sales of desks:      7.7"
    (found,) = figures(
        tag_triplets(
            parsed("Sales of desks: 7.7", tag(layout, 0, "7.7", "us-gaap:Revenues", "7.7"), layout=layout)
        )
    )
    assert (found.head, found.quote, found.statement) == ("Sales of desks", "Sales of desks: 7.7", "other")


def test_a_figure_within_a_label_is_named_by_its_concept() -> None:
    layout = "Common stock, 5 shares      7.7"
    (found,) = figures(
        tag_triplets(parsed(layout, tag(layout, 0, "5", "orla:SharesIssued", "5"), layout=layout))
    )
    assert (found.head, found.quote) == ("Shares issued", "Common stock, 5 shares 7.7")


def test_a_figure_that_is_printed_nowhere_is_a_triplet_too() -> None:
    (found,) = figures(tag_triplets(parsed("Words.", tag("", -1, "12", "orla:MillsOwned", "12"))))
    assert (found.head, found.value, found.page, found.quote) == ("Mills owned", "12", 1, "Mills owned: 12")


def test_every_tag_is_one_triplet_whether_or_not_a_table_states_it() -> None:
    rows = (
        "Sales                          $5       $4\nOf 9 mills\nCosts                           3        2"
    )
    layout = f"Year ended December 31,      2024     2023\n\n{rows}"
    tags = [tag(layout, 2, "5", "us-gaap:Revenues", "5"), tag(layout, 2, "4", "us-gaap:Revenues", "4"),
            tag(layout, 3, "9", "orla:Mills", "9"), tag(layout, 4, "3", "us-gaap:Costs", "3")]  # fmt: skip
    twice = tag(layout, 2, "5", "orla:OtherName", "5")
    found = [t for t in figures(printed_triplets(parsed(layout, *tags, twice, layout=layout))) if t.concept]
    assert sorted((t.concept, t.value) for t in found) == [
        ("orla:Mills", "9"), ("orla:OtherName", "5"), ("us-gaap:Costs", "3"), ("us-gaap:Revenues", "4"),
        ("us-gaap:Revenues", "5"),
    ]  # fmt: skip


def test_contradicting_tags_are_both_kept() -> None:
    text = "Sales were 7.7. Sales were 8.8."
    tags = [tag(text, 0, printed, "us-gaap:Revenues", printed) for printed in ("7.7", "8.8")]
    assert [t.value for t in figures(tag_triplets(parsed(text, *tags)))] == ["7.7", "8.8"]


def test_a_metric_is_reported_once() -> None:
    text = "Sales were 7.7. Sales were 8.8."
    tags = [tag(text, 0, printed, "orla:DeskSales", printed) for printed in ("7.7", "8.8")]
    assert [t.tail for t in tag_triplets(parsed(text, *tags)) if t.relation == "reports"] == ["Desk sales"]
