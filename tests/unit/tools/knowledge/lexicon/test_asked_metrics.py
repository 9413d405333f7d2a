"""Questions in a reader's own words: names, what has none, and asides, against small statements."""

from __future__ import annotations

import pytest
from builders import BALANCE, END, document, figure, parsed, table

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.asked_metrics import find_asked, readable
from tools.knowledge.lexicon.short_names import acronyms_of
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.search.nearest_figures import nearest_figures
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.line_item_encoder import LineItemEncoder


def build(item: ParsedDocument) -> KnowledgeGraph:
    return KnowledgeGraph.build(LocalExtractor().extract(item), {item.document.id: item.document})


def sure(graph: KnowledgeGraph, question: str) -> list[str]:
    scope = Scope(("ACME",), (PeriodFilter(end=END),))
    return [e.fact.value for e in kg_search(graph, question, scope) if e.fact and e.fact.match >= 0.8]


def _statements() -> KnowledgeGraph:
    assets, liabilities = ("Current assets",), ("Current liabilities",)
    return build(
        parsed(
            document(),
            table(
                "income",
                figure("Total net sales", "81797"),
                figure("Operating income", "22998"),
                figure("Interest expense", "-998"),
                figure("Provision for income taxes", "2852"),
                figure("Net income", "19881"),
                figure("Diluted", "15775021", path=("Weighted average shares",), unit="shares", scale=3),
                figure("Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0),
            ),
            table(
                "balance",
                figure("Accounts payable", "46699", BALANCE, liabilities),
                figure("Short-term debt", "7216", BALANCE, liabilities),
                figure("Accounts receivable, net", "19549", BALANCE, assets),
                figure("Debt", "46335", BALANCE),
                figure("Identified intangible assets, net", "5173", BALANCE),
                figure("Retained earnings", "1408", BALANCE, ("Shareholders' equity",)),
            ),
            table(
                "cash_flow",
                figure("Net cash from operations", "26380"),
                figure("Additions to property and equipment", "-2093"),
                figure("Proceeds from issuance of term debt, net", "5228"),
                figure("Repayments of term debt", "-7500"),
                figure("Depreciation and amortization of property and other assets", "3052"),
                figure("Cash paid for income taxes, net", "7020"),
            ),
            table(
                "segment",
                figure("Data Center and AI", "4004", path=("Net revenue",)),
                figure("Wearables, Home and Accessories", "8284", path=("Net revenue",)),
                figure("iPad", "5791", path=("Net revenue",)),
                figure("Advertising services", "10683", path=("Net revenue",)),
                title="Net revenue by part",
            ),
        )
    )


STATEMENTS = _statements()


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Bills Acme still had to pay its suppliers", "46699"),
        ("What was Acme owed by its customers?", "19549"),
        ("How much did Acme set aside for taxes?", "2852"),
        ("Taxes Acme actually paid in cash", "7020"),
        ("How much did Acme's debt cost it in interest?", "-998"),
        ("How much did Acme raise from issuing long-term debt?", "5228"),
        ("How much debt did Acme pay off?", "-7500"),
        ("How much cash did Acme's operations throw off?", "26380"),
        ("Profits Acme had accumulated and kept in the business", "1408"),
    ],
)
def test_the_line_that_a_question_describes_without_its_name_comes_nearest(question: str, value: str) -> None:
    first = nearest_figures(STATEMENTS, question, Scope(("ACME",)), None, 1, LineItemEncoder())
    assert [item.fact.value for item in first if item.fact] == [value]


def test_a_line_item_is_found_by_its_usual_other_names() -> None:
    assert sure(STATEMENTS, "What was Acme's money owed to suppliers?") == ["46699"]
    assert sure(STATEMENTS, "Acme's profit after tax") == ["19881"]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Acme EBIT (operating income)", "22998"),
        ("Acme EBIT, i.e. operating profit", "22998"),
        ("Acme's cost of servicing debt (interest expense)", "-998"),
        ("Acme PP&E (additions)", "-2093"),
        ("Acme's diluted EPS (GAAP)", "1.26"),
        ("Acme diluted shares for EPS", "15775021"),
        ("Acme's D&A add-back on the cash flow statement", "3052"),
        ("Acme intangibles excluding goodwill", "5173"),
        ("Acme tablet (iPad) revenue", "5791"),
        ("How much did Acme's iPad tablets bring in?", "5791"),
        ("Watches, earphones and other wearables: Acme revenue", "8284"),
    ],
)
def test_glosses_purposes_places_sorts_and_examples_ask_for_nothing_more(question: str, value: str) -> None:
    assert sure(STATEMENTS, question) == [value]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Acme DCAI revenue", ["4004"]),
        ("Acme datacenter and AI revenue", ["4004"]),
        ("Acme ad revenue", ["10683"]),
        ("Acme XYZ revenue", []),
    ],
)
def test_a_short_form_stands_for_the_printed_name_that_it_abbreviates(
    question: str, values: list[str]
) -> None:
    assert sure(STATEMENTS, question) == values


def test_debt_beside_short_term_debt_is_the_long_term_part_and_not_the_total() -> None:
    assert sure(STATEMENTS, "What long-term debt did Acme carry?") == ["46335"]
    assert sure(STATEMENTS, "What was Acme's total debt?") == []
    alone = build(parsed(document(), table("balance", figure("Debt", "46335", BALANCE))))
    assert sure(alone, "What long-term debt did Acme carry?") == []


def test_a_bracket_that_tells_how_something_is_measured_does_not_take_its_place() -> None:
    fair = table(
        "other",
        figure("Total", "190516", BALANCE, ("Fair value",)),
        figure("Corporate debt", "84858", BALANCE, ("Fair value",)),
        title="Fair value of securities",
    )
    assert sure(build(parsed(document(), fair)), "What were Acme's municipal bonds worth (fair value)?") == []


def test_the_total_of_a_titled_table_is_what_the_title_names() -> None:
    lead = "Our statements include stock-based compensation expense"
    notes = table(
        "other",
        figure("Cost of revenue", "31", path=(lead,)),
        figure("Total", "842", path=(lead,)),
        title=f"{lead}, net of amounts allocated to inventory",
    )
    assert sure(build(parsed(document(), notes)), "Acme stock comp") == ["842"]


@pytest.mark.parametrize(
    ("question", "canonical"),
    [
        ("How many shares can employees purchase?", ["headcount"]),
        ("free cash flow (adjusted)", ["adjusted free cash flow"]),
        ("revenue less cost of revenue", ["revenue", "cost of revenue"]),
    ],
)
def test_what_is_asked_for_by_name(question: str, canonical: list[str]) -> None:
    assert [m.canonical for m in find_asked(question)] == canonical


@pytest.mark.parametrize(
    "question",
    ["revenue excluding cloud", "non-GAAP operating income", "shares used in computing earnings per share"],
)
def test_words_that_change_what_is_asked_are_never_blanked(question: str) -> None:
    assert readable(question) == question


def test_an_acronym_stands_for_one_printed_name_only() -> None:
    names = [
        "Data Center and AI",
        "Compute & Networking",
        "Client Networking",
        "Net sales",
        "Cost of Revenue",
    ]
    found = acronyms_of(names)
    assert found["dcai"] == ("data", "center", "and", "ai")
    assert found["c&n"] == ("compute", "and", "networking")
    assert "cn" not in found
    assert "ns" not in found and "cr" not in found
