"""Figures whose lines come nearest to a question, in whatever words it is put."""

from __future__ import annotations

import pytest
from builders import BALANCE, END, figure, parsed, table
from builders import document as make_document

from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.figure_candidates import find_candidates, without_frame
from tools.knowledge.search.line_items import company_facts
from tools.knowledge.search.nearest_figures import nearest_figures
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.line_item_encoder import LineItemEncoder

SCOPE = Scope(("ACME",), (PeriodFilter(end=END),))
ENCODER = LineItemEncoder()


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    balance = table(
        "balance",
        figure("Cash and cash equivalents", "3100", BALANCE, ("Current assets",)),
        figure("Accounts receivable, net", "2200", BALANCE, ("Current assets",)),
        figure("Inventories", "7351", BALANCE, ("Current assets",)),
        figure("Total assets", "335038", BALANCE),
        figure("Accounts payable", "4699", BALANCE, ("Current liabilities",)),
        figure("Long-term debt", "9800", BALANCE, ("Non-current liabilities",)),
        title="BALANCE SHEETS",
    )
    income = table(
        "income",
        figure("Total net sales", "81797"),
        figure("Research and development", "7442", path=("Operating expenses",)),
        title="STATEMENTS OF OPERATIONS",
    )
    document = parsed(make_document(), income, balance)
    triplets = LocalExtractor().extract(document)
    return KnowledgeGraph.build(triplets, {document.document.id: document.document})


@pytest.mark.parametrize(
    ("question", "months", "value"),
    [
        ("Trade creditors and supplier invoices unpaid at Acme on July 1, 2023", 0, "4699"),
        ("Customers' unpaid bills at Acme on July 1, 2023", 0, "2200"),
        ("Unsold stock on hand at Acme on July 1, 2023", 0, "7351"),
        ("What did Acme's engineers and labs cost in the quarter?", 3, "7442"),
    ],
)
def test_a_line_put_in_other_words_is_nearest(
    graph: KnowledgeGraph, question: str, months: int, value: str
) -> None:
    found = nearest_figures(graph, question, SCOPE, months, 2, ENCODER)
    assert len(found) == 2 and found[0].fact is not None
    assert (found[0].fact.value, found[0].fact.match, found[0].score) == (value, 0.0, 0.0)


def test_of_what_falls_due_in_years_to_come_the_year_asked_for_is_near_and_no_other() -> None:
    title = "Maturities of lease liabilities"
    due = table(
        "other",
        *(
            figure(year, value, BALANCE, (title,))
            for year, value in (("2025", "40"), ("2026", "35"), ("Thereafter", "9"))
        ),
        title=title,
    )
    document = parsed(make_document(), due)
    graph = KnowledgeGraph.build(
        LocalExtractor().extract(document), {document.document.id: document.document}
    )
    for question, values in (
        ("Lease payments that Acme has to make in 2026", ["35", "9"]),
        ("Lease payments that Acme has to make", ["40", "35", "9"]),
    ):
        found = nearest_figures(graph, question, Scope(("ACME",)), None, 5, ENCODER)
        assert sorted(values) == sorted(each.fact.value for each in found if each.fact)


@pytest.mark.parametrize(
    "scope", [Scope(), Scope(("NOONE",)), Scope(("ACME",), (PeriodFilter(fiscal_year=1999),))]
)
def test_without_a_company_or_in_a_period_of_which_nothing_is_printed_nothing_is_near(
    graph: KnowledgeGraph, scope: Scope
) -> None:
    assert nearest_figures(graph, "Unpaid supplier invoices", scope, 0, 5, ENCODER) == []


def test_the_figures_stay_within_the_scope(graph: KnowledgeGraph) -> None:
    found = find_candidates(graph, company_facts(graph, "ACME"), SCOPE, 0)
    assert {candidate.item.label for candidate in found} >= {"Inventories", "Accounts payable"}
    assert not {candidate.period.months for candidate in found} & {3, 6, 9, 12}


def test_the_frame_of_a_question_is_left_out() -> None:
    asked = without_frame("Acme's unpaid supplier invoices in the quarter ended July 1, 2023", ["acme"])
    assert asked == "unpaid supplier invoices in the"
