"""What a question is read as, against the line items that a company prints."""

from __future__ import annotations

import pytest
from builders import document, figure, parsed, table

from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.line_items import company_facts, own_names
from tools.knowledge.search.linking import Request, link_question
from tools.knowledge.search.question_terms import Term, without_examples, without_glosses

KESTREL = document("KEST", company="Kestrel Inc.", aliases=())
PARSED = parsed(
    KESTREL,
    table(
        "income",
        figure("Net sales", "900"),
        figure("Harbor Club", "300", path=("Net sales",)),
        figure("Operating income", "90"),
        figure("Expected credit losses", "4"),
    ),
    table("balance", figure("Inventories", "70"), figure("Property, plant and equipment", "400")),
)
GRAPH = KnowledgeGraph.build(table_triplets(PARSED), {KESTREL.id: KESTREL})
FACTS = company_facts(GRAPH, "KEST")


def requests(question: str) -> list[Request]:
    return link_question(question, FACTS, own_names(GRAPH, "KEST"))


def asked(question: str) -> list[str]:
    return [term.canonical for term in requests(question)[0].terms]


@pytest.mark.parametrize(
    ("question", "canonicals"),
    [
        ("What were Kestrel's net sales in the third quarter of 2023?", ["revenue"]),
        ("How did the Harbor Club's net sales develop?", ["harbor club", "revenue"]),
        ("How much did Kestrel spend on property, plant and equipment?", ["capital expenditures"]),
        ("What was property, plant and equipment?", ["property, plant and equipment"]),
        ("What did Kestrel earn?", ["net income"]),
        ("How much money did Kestrel bring in?", ["revenue"]),
        ("How much stock did Kestrel buy back?", ["share repurchases"]),
        ("What was EBIT of the Harbor Club?", ["operating income", "harbor club"]),
        ("What was Kestrel's inventory position?", ["inventories"]),
    ],
)
def test_a_question_is_read_as_what_it_names_and_what_narrows_it(
    question: str, canonicals: list[str]
) -> None:
    assert asked(question) == canonicals


def test_a_question_of_names_and_dates_alone_asks_for_no_figure() -> None:
    assert requests("Kestrel in the third quarter of 2023?") == []


def test_change_percent_and_guidance_are_how_a_figure_is_asked_for() -> None:
    def manner(question: str) -> tuple[bool, bool, bool]:
        request = requests(question)[0]
        return request.percent, request.change, request.guidance

    assert manner("What were net sales?") == (False, False, False)
    assert manner("By what percentage did net sales grow?") == (True, True, False)
    assert manner("What net sales does Kestrel forecast?") == (False, False, True)
    assert manner("What were the losses on credit that are expected?") == (False, False, False)


def test_an_enumeration_is_also_one_request_for_each_metric() -> None:
    terms = [
        [term.canonical for term in each.terms] for each in requests("What were net sales and inventories?")
    ]
    assert terms == [["revenue", "inventories"], ["revenue"], ["inventories"]]
    assert len(requests("What were net sales of the Harbor Club?")) == 1


def test_where_the_figure_stands_and_how_long_it_lasts_are_kept() -> None:
    request = requests(
        "What were net sales on the income statement for the three months ended July 1, 2023?"
    )[0]
    assert (request.statement, request.lasting, request.dates) == (
        "income",
        True,
        frozenset({"three", "month", "july", "1", "2023"}),
    )


def term(question: str, text: str, *, metric: bool = True) -> Term:
    start = question.index(text)
    return Term((text.lower(),), text.lower(), metric, start, start + len(text))


def test_of_two_names_for_one_figure_the_one_that_is_reported_stays() -> None:
    question = "EBITDA (operating income) of Kestrel"
    both = [term(question, "EBITDA"), term(question, "operating income")]
    assert without_glosses(question, both, FACTS) == both[1:]
    turned = "operating income (EBITDA) of Kestrel"
    both = [term(turned, "operating income"), term(turned, "EBITDA")]
    assert without_glosses(turned, both, FACTS) == both[:1]
    part = "Harbor Club (operating income) of Kestrel"
    both = [term(part, "Harbor Club"), term(part, "operating income")]
    assert without_glosses(part, both, FACTS) == both


def test_examples_before_their_kind_are_blanked_and_the_span_stays() -> None:
    question = "What did Kestrel make from teapots and other kitchenware?"
    blanked = without_examples(question, FACTS)
    assert blanked.split() == ["What", "did", "Kestrel", "make", "from", "kitchenware?"]
    assert len(blanked) == len(question)
