from __future__ import annotations

import json

import numpy as np
import pytest
from builders import BALANCE, END, figure, parsed, table
from builders import document as make_document

from tools.evidence import Evidence
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.search.ranker.candidates import find_candidates, without_frame
from tools.knowledge.search.ranker.concepts import TOPIC_NAMES, TOPICS, TURNS
from tools.knowledge.search.ranker.features import feature_names, unit_asked
from tools.knowledge.search.ranker.line_item_model import WEIGHTS_FILE, best_figure, dump_ranker, load_ranker
from tools.knowledge.search.ranker.second_look import choices, second_look
from tools.periods import PeriodFilter
from tools.scope import Scope

SCOPE = Scope(("ACME",), (PeriodFilter(end=END),))


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
        figure("Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0),
        title="STATEMENTS OF OPERATIONS",
    )
    document = parsed(make_document(), income, balance)
    triplets = LocalExtractor().extract(document)
    return KnowledgeGraph.build(triplets, {document.document.id: document.document})


def looked_up(
    graph: KnowledgeGraph, question: str, months: int | None, scope: Scope = SCOPE
) -> list[Evidence]:
    return second_look(graph, question, scope, months, kg_search(graph, question, scope, months=months))


def sure(found: list[Evidence]) -> list[str]:
    return [item.fact.value for item in found if item.fact and item.fact.match >= 0.8]


@pytest.mark.parametrize(
    ("question", "months", "value"),
    [
        ("Trade creditors and supplier invoices unpaid at Acme on July 1, 2023", 0, "4699"),
        ("Customers' unpaid bills at Acme on July 1, 2023", 0, "2200"),
        ("Unsold stock on hand at Acme on July 1, 2023", 0, "7351"),
    ],
)
def test_a_line_item_put_in_other_words_is_found(
    graph: KnowledgeGraph, question: str, months: int, value: str
) -> None:
    assert sure(looked_up(graph, question, months))[:1] == [value]


@pytest.mark.parametrize(
    "question",
    [
        "How many parking spaces did Acme own on July 1, 2023?",
        "Acme's passenger traffic on July 1, 2023",
        "What was Acme's net promoter score on July 1, 2023?",
    ],
)
def test_what_the_filing_does_not_hold_is_not_guessed(graph: KnowledgeGraph, question: str) -> None:
    assert not sure(looked_up(graph, question, 0))


def test_what_the_search_found_for_sure_stays_as_it_is(graph: KnowledgeGraph) -> None:
    question = "What were Acme's total net sales in the quarter ended July 1, 2023?"
    found = kg_search(graph, question, SCOPE, months=3)
    assert second_look(graph, question, SCOPE, 3, found) == found


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("Why did supplier invoices unpaid at Acme grow by July 1, 2023?", SCOPE),
        ("Unpaid supplier invoices at Acme", Scope(("ACME",))),
        ("Unpaid supplier invoices on July 1, 2023", Scope((), SCOPE.periods)),
    ],
)
def test_only_one_figure_of_one_company_and_period_is_looked_for(
    graph: KnowledgeGraph, question: str, scope: Scope
) -> None:
    assert second_look(graph, question, scope, 0, []) == []


def test_the_figures_stay_within_the_scope(graph: KnowledgeGraph) -> None:
    from tools.knowledge.search.line_items import company_facts

    found = find_candidates(graph, company_facts(graph, "ACME"), SCOPE, 0)
    assert {candidate.item.label for candidate in found} >= {"Inventories", "Accounts payable"}
    assert not {candidate.period.months for candidate in found} & {3, 6, 9, 12}


def test_the_probabilities_of_all_rows_and_of_none_add_up_to_one(graph: KnowledgeGraph) -> None:
    choice = choices(graph, "Unpaid supplier invoices at Acme on July 1, 2023", SCOPE, 0)
    assert choice is not None and choice.table.shape == (len(choice.candidates), len(feature_names()))
    shares, none = load_ranker().scores(choice.table)
    assert float(shares.sum()) + none == pytest.approx(1.0)
    best, share = best_figure(choice.candidates, shares)
    assert (best.item.label, share) == ("Accounts payable", pytest.approx(shares.max()))


def test_a_figure_that_two_rows_print_is_as_probable_as_both_together(graph: KnowledgeGraph) -> None:
    choice = choices(graph, "Unpaid supplier invoices at Acme on July 1, 2023", SCOPE, 0)
    assert choice is not None
    one, other = choice.candidates[:2]
    assert best_figure((one, other, one), np.array([0.3, 0.4, 0.3])) == (one, pytest.approx(0.6))


def test_the_weights_name_features_that_exist_and_survive_being_written() -> None:
    stored = json.loads(WEIGHTS_FILE.read_text(encoding="utf-8"))
    assert set(stored["rows"]) <= set(feature_names())
    assert dump_ranker(load_ranker()) == WEIGHTS_FILE.read_text(encoding="utf-8")


def test_feature_names_are_unique() -> None:
    assert len(set(feature_names())) == len(feature_names())
    assert len(TOPIC_NAMES) == len(TOPICS) and np.all([len(sides) == 2 for sides in (*TOPICS, *TURNS)])


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What dividend was declared on each share?", "per share"),
        ("How many of its own shares were bought?", "shares"),
        ("What percentage of sales was kept?", "percent"),
        ("What was spent on buying shares?", "amount"),
    ],
)
def test_the_kind_of_figure_is_read_from_the_wording(question: str, kind: str) -> None:
    assert unit_asked(question) == kind


def test_the_frame_of_a_question_is_left_out() -> None:
    core = without_frame("What did Acme owe its suppliers as of July 1, 2023?", ["acme"])
    assert core.split()[:5] == ["What", "did", "owe", "its", "suppliers"]
    assert "2023" not in core and "Acme" not in core
