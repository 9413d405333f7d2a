"""Where a citation is printed: the row or the sentence, or nothing where that is in doubt."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from agent.web.marked_lines import Printed, Reading, printed_of
from graphs.contracts import Statement
from tools.documents.types import Page, Table, TableFact
from tools.evidence import Evidence, EvidenceKind, Fact
from tools.periods import Period

PERIOD = Period(date(2024, 3, 30), 3)
TEXT = """Net sales:
Products 60 50
Services 21 19
Products 60 50
Total net sales 81 69
Sales grew because more people bought
services in every region. Costs fell."""


def cell(line: int, metric: str = "Products", printed: str = "60", path: tuple[str, ...] = ()) -> TableFact:
    return TableFact(metric, path, PERIOD, printed, "USD", 6, printed, 1, line, 1, line=line)


def table(*facts: TableFact, markdown: str = "") -> Table:
    return Table("Sales", "income", "in millions", 1, 0, 5, markdown, (), facts)


def found(
    item: Evidence, quote: str, *tables: Table, told: str = "", text: str = TEXT, after: str = ""
) -> list[Printed]:
    statements = [Statement(text=told, supported=True, evidence=(1,))]
    return printed_of(item, [quote], statements, Reading([Page(1, text), Page(2, after)], tables, ()))


def evidence(kind: EvidenceKind, text: str, fact: Fact | None = None) -> Evidence:
    more: dict[str, Any] = {"rank": 1, "source": "graph" if fact else "vector", "document": "a.pdf"}
    more |= {
        "document_id": "0" * 16,
        "page": 1,
        "score": 1.0,
        "item_id": "t",
        "company_key": "A",
        "company": "A",
    }
    return Evidence(kind=kind, text=text, fact=fact, doc_type="10-Q", period=PERIOD, **more)


def figure(metric: str, printed: str, path: tuple[str, ...] = ()) -> Evidence:
    fact = Fact(
        metric=metric,
        path=path,
        value=printed,
        unit="USD",
        scale=6,
        printed=printed,
        period=PERIOD,
        statement="income",
    )
    return evidence("fact", f"A, {metric}: {printed} million USD", fact)


def test_a_figure_is_marked_on_the_row_it_was_read_from() -> None:
    (place,) = found(
        figure("Total net sales", "81"), "made sentence", table(cell(4, "Total net sales", "81"))
    )
    assert (place.page, place.first, place.last, place.words) == (1, 4, 5, "Total net sales 81 69")


def test_of_equal_rows_the_one_under_the_facts_own_heading_is_marked() -> None:
    both = table(cell(1, path=("Americas",)), cell(3, path=("Europe",)))
    (place,) = found(figure("Products", "60", ("Europe",)), "q", both)
    assert place.first == 3


def test_a_figure_that_stands_on_two_rows_alike_is_not_marked() -> None:
    assert found(figure("Products", "60"), "q", table(cell(1), cell(3))) == []


def test_a_figure_of_no_table_that_was_read_is_not_marked() -> None:
    assert found(figure("Products", "61"), "q", table(cell(1))) == []


def test_a_quoted_sentence_is_marked_over_its_line_ends() -> None:
    quote = "Sales grew because more people bought services in every region."
    (place,) = found(evidence("prose", quote + " Costs fell."), quote, told=f"A: “{quote}”")
    assert (place.first, place.last, place.words) == (5, 7, quote)


@pytest.mark.parametrize("quote", ["words that stand nowhere on this page", "Costs fell."])
def test_words_that_stand_nowhere_or_are_too_few_are_not_marked(quote: str) -> None:
    assert found(evidence("prose", quote), quote) == []


def test_words_that_stand_twice_on_a_page_are_not_marked() -> None:
    twice = "Sales grew because more people bought\nSales grew because more people bought"
    assert found(evidence("prose", twice), "Sales grew because more people bought", text=twice) == []


GREW = "Sales grew because more people bought."


def test_of_equal_sentences_of_a_page_the_one_within_the_cited_passage_is_marked() -> None:
    passage = f"So it was in Europe last year. {GREW}"
    text = f"So it was in Asia last year. {GREW}\n{passage}\nCosts fell."
    (place,) = found(evidence("prose", passage), GREW, text=text)
    assert place.first == 1


def test_a_sentence_that_a_passage_has_on_its_second_page_is_not_marked_on_the_first() -> None:
    passage = f"Costs fell in every single region. {GREW}"
    (place,) = found(evidence("prose", passage), GREW, text=f"Of Asia:\n{GREW}\nOf Europe:", after=passage)
    assert (place.page, place.first) == (2, 0)


def test_a_sentence_over_the_end_of_a_page_is_marked_on_both() -> None:
    text, after = "Costs fell.\nSales grew because\n17", "Alder Corporation\nmore people bought.\nCash rose."
    first, second = found(evidence("prose", GREW), GREW, text=text, after=after)
    assert (first.page, first.first, first.last, first.words) == (1, 1, 2, "Sales grew because")
    assert (second.page, second.first, second.last, second.words) == (2, 1, 2, "more people bought.")


RUNNING = ["Costs fell.", "Cash rose.", "Debt fell.", "Staff grew.", "Rents rose."]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        (["Sales grew because", *RUNNING], ["more people bought."]),
        (["Sales grew because"], [*RUNNING, "more people bought."]),
    ],
)
def test_a_beginning_or_an_end_in_running_text_is_no_sentence_over_the_end_of_a_page(
    text: list[str], after: list[str]
) -> None:
    assert found(evidence("prose", GREW), GREW, text="\n".join(text), after="\n".join(after)) == []
    whole = "\n".join(text[:5]), "\n".join(after[-5:])  # what stands beyond them can be a foot and a head
    assert len(found(evidence("prose", GREW), GREW, text=whole[0], after=whole[1])) == 2


def test_the_end_of_a_sentence_that_stands_on_no_page_leaves_its_beginning_unmarked() -> None:
    assert found(evidence("prose", GREW), GREW, text="Sales grew because", after="fewer people bought.") == []


def test_a_row_is_marked_with_the_lines_above_on_which_its_label_begins() -> None:
    text = "Net\nSales of products in the\nAmericas and in Europe, net 60 50\nServices 21 19"
    label = "Sales of products in the Americas and in Europe, net"
    places = found(figure(label, "60"), "q", table(cell(2, label)), text=text)
    assert [place.first for place in places] == [1, 2]
    assert [
        place.first
        for place in found(figure("Services", "21"), "q", table(cell(3, "Services", "21")), text=text)
    ] == [3]


def test_of_a_cited_table_the_rows_that_the_answer_states_are_marked() -> None:
    whole = table(cell(2, "Services", "21"), cell(4, "Total net sales", "81"), markdown="| Services | 21 |")
    item = evidence("table", "| Services | 21 |\n| Total net sales | 81 |")
    assert [place.first for place in found(item, "q", whole, told="Services were 21 million USD.")] == [2]
    assert found(item, "q", whole, told="Services were 210 million USD.") == []
