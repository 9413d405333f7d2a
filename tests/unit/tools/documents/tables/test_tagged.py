from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tools.documents.tables import find_tables
from tools.documents.tables.tagged import member_names, words_of
from tools.documents.types import Document, Page, TableFact, Tag
from tools.periods import Period

LAYOUT = """CONSOLIDATED STATEMENTS OF CASH FLOWS
                          2023     2022
Sales                   $1,000     $900
  Desks                    600      500
Payments for mills        (20)     (10)"""
SPAN = Period(date(2023, 7, 1), 9)


def tag(line: int, printed: str, concept: str, value: str, **changes: object) -> Tag:
    start = LAYOUT.split("\n")[line].index(printed)
    made = Tag(line, start, start + len(printed), concept, SPAN, value, "USD", 3, printed)
    return replace(made, **changes)  # type: ignore[arg-type]


def facts_of(filing: Document, *tags: Tag) -> dict[str, TableFact]:
    tables = find_tables([Page(1, LAYOUT, LAYOUT, tags)], filing)
    return {fact.printed: fact for table in tables for fact in table.facts}


def test_a_tagged_cell_states_what_its_tag_says_and_keeps_its_printed_label(filing: Document) -> None:
    fact = facts_of(filing, tag(4, "20", "us-gaap:PaymentsForMills", "20"))["(20)"]
    assert (fact.metric, fact.value, fact.unit, fact.scale) == ("Payments for mills", "20", "USD", 3)
    assert (fact.concept, fact.period) == ("us-gaap:PaymentsForMills", Period(date(2023, 7, 1), 9, 2023, 3))
    assert (fact.line, fact.start) == (4, LAYOUT.split("\n")[4].index("(20)"))


def test_the_tag_of_one_cell_says_nothing_of_the_next(filing: Document) -> None:
    facts = facts_of(filing, tag(2, "1,000", "us-gaap:Revenues", "1000"))
    assert facts["$1,000"].concept == "us-gaap:Revenues"
    assert "$900" not in facts or facts["$900"].concept == ""


def test_a_table_whose_figures_are_tagged_needs_no_unit_note(filing: Document) -> None:
    bare = LAYOUT.replace("$", " ")
    tagged = tag(3, "600", "us-gaap:Revenues", "600")
    assert [t for t in find_tables([Page(1, bare, bare)], filing) if t.facts] == []
    (table,) = find_tables([Page(1, bare, bare, (tagged,))], filing)
    assert "us-gaap:Revenues" in {fact.concept for fact in table.facts}


def test_a_member_that_the_headings_do_not_name_qualifies_the_figure(filing: Document) -> None:
    member = (("us-gaap:ProductAxis", "orla:OakDesksMember"),)
    fact = facts_of(filing, tag(3, "600", "us-gaap:Revenues", "600", dimensions=member))["600"]
    assert fact.path[-1:] == ("Oak Desks",)


@pytest.mark.parametrize(
    ("member", "given", "names"),
    [
        ("orla:AmericasSegmentMember", ("Americas",), ()),
        ("orla:AmericasSegmentMember", ("Net sales",), ("Americas Segment",)),
        ("us-gaap:CommonStockMember", ("Common stocks",), ()),
        ("country:US", ("Net sales",), ("US",)),
        ("orla:OrlaUSMember", ("Orla U.S.",), ()),
        ("us-gaap:OperatingSegmentsMember", ("Net sales",), ("Operating Segments",)),
        ("us-gaap:IntersegmentEliminationMember", ("Net sales",), ("Intersegment Elimination",)),
    ],
)
def test_members_are_named_once(member: str, given: tuple[str, ...], names: tuple[str, ...]) -> None:
    made = Tag(0, 0, 1, "c", SPAN, "1", "USD", 0, "1", (("axis", member),))
    assert member_names(made, given) == names


def test_a_segment_is_not_called_one_of_the_segments() -> None:
    members = (("axis", "us-gaap:OperatingSegmentsMember"), ("other", "orla:LampsMember"))
    made = Tag(0, 0, 1, "c", SPAN, "1", "USD", 0, "1", members)
    assert member_names(made, ("Net sales",)) == ("Lamps",)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("us-gaap:USTreasurySecuritiesMember", "US Treasury Securities"),
        ("aapl:A0.875NotesDue2025Member", "A 0.875 Notes Due 2025"),
        ("orla:EMEADomain", "EMEA"),
    ],
)
def test_a_qualified_name_reads_as_words(name: str, words: str) -> None:
    assert words_of(name) == words
