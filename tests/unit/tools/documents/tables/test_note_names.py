from __future__ import annotations

from tools.documents.tables.cells import split_line
from tools.documents.tables.note_names import name_apart, note_heading, outside_entity, short_title
from tools.documents.tables.table_parts import Block
from tools.documents.types import TableFact
from tools.periods import Period


def figure(value: str) -> TableFact:
    return TableFact("Revenue", (), Period(fiscal_year=2023), value, "USD", 6, value, 1, 0, 0)


def block(statement: str, title: str = "", entity: str = "") -> Block:
    return Block(1, [], statement=statement, title=title, entity=entity)


def paths(*read: tuple[Block, list[TableFact]]) -> list[tuple[str, ...]]:
    return [fact.path for _, facts in name_apart(read) for fact in facts]


def test_figures_of_one_name_carry_their_tables_title_where_they_differ() -> None:
    notes = block("other", "By region"), block("other", "By product")
    assert paths((notes[0], [figure("5")]), (notes[1], [figure("5")])) == [(), ()]
    assert paths((notes[0], [figure("5")]), (notes[1], [figure("6")])) == [("By region",), ("By product",)]


def test_a_primary_statements_figures_keep_their_names() -> None:
    read = (
        (block("income", "Income statement"), [figure("5")]),
        (block("other", "Desks alone"), [figure("2")]),
    )
    assert paths(*read) == [(), ("Desks alone",)]


def test_another_companys_figures_carry_its_name() -> None:
    entity = outside_entity("The table gives summarized financial information of Kestrel Airworks, Inc.:")
    assert entity == "Kestrel Airworks, Inc"
    assert paths((block("other", entity=entity), [figure("5")])) == [(entity,)]


def test_a_title_loses_the_words_that_introduce_it_and_its_length() -> None:
    assert short_title("The following table shows desks by region:") == "desks by region"
    assert short_title("Desks by region are as follows (in millions):") == "Desks by region"
    assert short_title("As of May 31, 2022, the rents of desks were as follows") == "rents of desks"
    assert len(short_title("desk " * 40)) <= 80


def test_the_last_note_heading_is_in_force_and_a_sentence_is_none() -> None:
    lines = [
        split_line(text, k) for k, text in enumerate(["Note 1 – Desks", "Note 2 – Lamps", "Note 3 says so."])
    ]
    assert note_heading(lines) == "Note 2 – Lamps"
    assert note_heading(lines[2:]) == ""
