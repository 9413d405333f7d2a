"""Which of several printings of a figure leads, and which says the same again."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from builders import BALANCE, NINE_MONTHS, QUARTER, document, figure, parsed, table

from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.hits import Hit, prefer_statements, without_duplicates
from tools.knowledge.search.line_items import LineItem, company_facts
from tools.periods import Period

ORLA = document("ORLA", company="Orla Corporation")


def line(statement: str, label: str, unit: str = "USD", title: str = "Statement") -> LineItem:
    item = parsed(ORLA, table(statement, figure(label, "1", unit=unit), title=title))
    graph = KnowledgeGraph.build(table_triplets(item), {ORLA.id: ORLA})
    return company_facts(graph, "ORLA").items[0]


def hit(
    statement: str, amount: str, *, label: str = "Fulfillment", period: Period = QUARTER, match: float = 0.9
) -> Hit:
    return Hit(0, line(statement, label), match, period, 0, Decimal(amount))


def matches(*hits: Hit) -> list[float]:
    return [round(each.match, 2) for each in prefer_statements(list(hits))]


def test_a_note_that_contradicts_the_statement_is_lowered() -> None:
    assert matches(hit("income", "900"), hit("other", "70")) == [0.9, 0.72]


def test_a_note_that_agrees_or_is_of_another_period_stays() -> None:
    assert matches(hit("income", "900"), hit("other", "900")) == [0.9, 0.9]
    assert matches(hit("income", "900"), hit("other", "70", period=NINE_MONTHS)) == [0.9, 0.9]


def test_a_line_that_deducts_what_the_statement_prints_as_a_cost_is_not_the_one_that_is_meant() -> None:
    deducted = hit("segment", "-900", match=0.95)
    assert prefer_statements([deducted, hit("income", "900")]) == [hit("income", "900")]
    assert prefer_statements([deducted]) == [deducted]
    other = hit("segment", "-900", period=NINE_MONTHS)
    assert len(prefer_statements([other, hit("income", "900")])) == 2


def test_a_statement_that_hardly_fits_lowers_nothing() -> None:
    assert matches(hit("income", "900", match=0.7), hit("other", "70")) == [0.7, 0.9]


def kept(*hits: Hit) -> list[str]:
    return [f"{each.item.statement} {each.amount}" for each in without_duplicates(list(hits), 12)]


def test_the_same_amount_is_kept_once_the_better_first() -> None:
    assert kept(hit("income", "900"), hit("cash_flow", "900")) == ["income 900"]
    assert kept(hit("income", "900"), hit("cash_flow", "901")) == ["income 900", "cash_flow 901"]


def test_a_spoken_figure_equals_the_printed_one_to_the_precision_it_is_spoken_in() -> None:
    printed = hit("income", "81797E+6")
    assert kept(printed, replace(hit("prose", "81.8E+9"))) == ["income 8.1797E+10"]
    assert len(kept(printed, hit("prose", "81.9E+9"))) == 2
    assert len(kept(printed, hit("other", "81.8E+9"))) == 2


def test_other_periods_units_and_metrics_are_other_figures() -> None:
    one = hit("income", "900")
    assert len(kept(one, hit("income", "900", period=BALANCE))) == 2
    assert len(kept(one, replace(one, item=line("income", "Fulfillment", "percent")))) == 2
    assert len(kept(one, hit("income", "900", label="Marketing"))) == 2
