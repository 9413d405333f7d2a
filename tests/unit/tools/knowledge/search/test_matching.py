"""How well one line item and its period fit one question."""

from __future__ import annotations

import pytest
from builders import NINE_MONTHS, QUARTER, document, figure, parsed, table

from tools.documents.types import Table
from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.line_items import company_facts, own_names
from tools.knowledge.search.linking import link_question
from tools.knowledge.search.matching import duration_match, item_match, kinds_of

ORLA = document("ORLA", company="Orla Corporation", aliases=())


def match(question: str, *tables: Table, months: int | None = None) -> dict[str, float]:
    """Line item ('heading / label') -> its fit."""
    graph = KnowledgeGraph.build(table_triplets(parsed(ORLA, *tables)), {ORLA.id: ORLA})
    facts = company_facts(graph, "ORLA")
    request = link_question(question, facts, own_names(graph, "ORLA"))[0]
    return {" / ".join((*item.path, item.label)): item_match(request, item, months) for item in facts.items}


INCOME = table(
    "income",
    figure("Net sales", "900"),
    figure("Operating income", "90"),
    figure("Operating margin", "10", unit="percent", scale=0),
)


def test_the_line_asked_for_by_its_name_fits_wholly() -> None:
    fits = match("What were Orla's net sales?", INCOME)
    assert fits["Net sales"] == 1.0
    assert max(fits["Operating income"], fits["Operating margin"]) < 0.5


def test_a_word_of_the_question_that_the_line_does_not_have_halves_the_fit() -> None:
    assert match("What were Orla's lemonade net sales?", INCOME)["Net sales"] < 0.5


@pytest.mark.parametrize(
    ("path", "statement", "low", "high"),
    [
        ((), "segment", 0.95, 1.0),
        (("Northlands",), "segment", 0.7, 0.8),  # a region that was not asked for
        (("Net sales",), "segment", 0.95, 1.0),
        (("Change",), "segment", 0.5, 0.6),
    ],
)
def test_a_heading_that_says_more_than_was_asked_lowers_the_fit(
    path: tuple[str, ...], statement: str, low: float, high: float
) -> None:
    fits = match("What were Orla's net sales?", table(statement, figure("Net sales", "900", path=path)))
    assert low <= next(iter(fits.values())) <= high


def test_a_heading_that_is_asked_for_is_needed() -> None:
    parts = table("segment", figure("Net sales", "500", path=("Northlands",)), figure("Net sales", "900"))
    fits = match("What were Orla's net sales in the Northlands?", parts)
    assert fits["Northlands / Net sales"] > 0.9 > 0.5 > fits["Net sales"]


def test_a_rate_answers_for_a_rate_and_an_amount_for_an_amount() -> None:
    both = table(
        "income",
        figure("Gross margin", "400"),
        figure("Gross margin percentage", "44", unit="percent", scale=0),
    )
    rate = match("What was Orla's gross margin percentage?", both)
    assert rate["Gross margin percentage"] > 0.9 > rate["Gross margin"]


def test_another_statement_than_the_question_names_is_lowered() -> None:
    flows = table("cash_flow", figure("Depreciation", "12"))
    named = match("What was Orla's depreciation on the income statement?", flows)["Depreciation"]
    assert named == pytest.approx(0.8 * match("What was Orla's depreciation?", flows)["Depreciation"])


def test_what_is_expected_is_not_what_was_reported() -> None:
    guided = table("other", figure("Net sales", "950", path=("guidance",)))
    assert match("What were Orla's net sales?", guided)["guidance / Net sales"] < 0.5
    assert match("What is Orla's guidance for net sales?", guided)["guidance / Net sales"] > 0.8


def test_a_change_of_a_balance_is_a_cash_flow_only_for_long_periods_or_where_a_change_is_asked_for() -> None:
    path = ("Changes in operating assets and liabilities",)
    flows = table("cash_flow", figure("Inventories", "-12", NINE_MONTHS, path))

    def fit(question: str, months: int) -> float:
        return next(iter(match(question, flows, months=months).values()))

    assert fit("What were Orla's inventories?", 3) < 0.7
    assert fit("What were Orla's inventories?", 9) > 0.9
    assert fit("How did Orla's inventories change?", 3) > 0.8


@pytest.mark.parametrize(
    ("months", "asked", "available", "fit"),
    [
        (3, 3, (3, 9), 1.0),
        (9, 3, (3, 9), 0.4),
        (None, 3, (None,), 0.85),
        (0, 3, (0,), 0.99),
        (0, 9, (0, 9), 0.6),
        (3, None, (3, 9), 1.0),
        (9, None, (3, 9), 0.75),
        (9, None, (9, 12), 1.0),
        (0, None, (0, 3), 1.0),
        (None, None, (), 0.97),
    ],
)
def test_the_duration_asked_for_fits_and_without_one_a_quarter(
    months: int | None, asked: int | None, available: tuple[int | None, ...], fit: float
) -> None:
    assert duration_match(months, asked, available, "net income") == fit


def test_without_a_wish_a_report_on_a_year_is_asked_for_the_year() -> None:
    assert duration_match(12, None, (3, 12), "net income", annual=True) == 1.0
    assert duration_match(3, None, (3, 12), "net income", annual=True) == 0.75
    assert duration_match(3, None, (3,), "net income", annual=True) == 1.0


def test_nine_months_of_a_balance_are_its_flow_where_there_is_one() -> None:
    assert duration_match(0, 9, (0, 9), "inventories") == 0.6
    assert duration_match(0, 9, (0,), "inventories") == duration_match(0, 3, (0, 3), "inventories") == 0.99


def test_cash_at_the_end_of_a_period_fits_a_date_whatever_its_column_lasts() -> None:
    assert duration_match(9, 0, (9,), "cash, cash equivalents and restricted cash") == 0.99
    assert duration_match(9, 0, (9,), "net income") == 0.4


def test_earnings_per_share_may_be_basic_or_diluted_and_net_income_neither() -> None:
    assert kinds_of("adjusted earnings per share") == (
        "adjusted basic earnings per share",
        "adjusted diluted earnings per share",
    )
    assert kinds_of("net income") == ()
    eps = table("income", figure("Diluted", "1.2", QUARTER, ("Earnings per share",), "USD/share", 0))
    assert match("What was Orla's EPS?", eps)["Earnings per share / Diluted"] > 0.9
