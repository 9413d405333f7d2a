from __future__ import annotations

import pytest

from evals.routes import load_catalog, macro_f1, run
from graphs.contracts import Reading
from graphs.local.question.reading import read_question
from graphs.local.question.router import LocalRouter
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.graph.resolution import fold_name


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog()


def kind(catalog: Catalog, question: str) -> str:
    return LocalRouter().route(read_question(question, catalog)).kind


@pytest.mark.parametrize(
    "question",
    [
        "How much did Amazon spend on content?",
        "msft eps q2 fy23",
        "Who is the chief executive of Dover?",
        "When does the credit facility of Intel mature?",
        "Is Intel profitable?",
        "Compare the revenue of Apple and Amazon",
        "Please list the segments of Microsoft.",
        "Did Apple's revenue grow in Q3 2023?",
        "By how much did gross margin increase at NVIDIA?",
        "What was the impact of currency on Amazon's net sales in dollars?",
    ],
)
def test_a_fact_of_something_named_goes_to_the_graph(catalog: Catalog, question: str) -> None:
    assert kind(catalog, question) == "extractive"


@pytest.mark.parametrize(
    "label",
    [
        "effect of foreign exchange rates on cash and cash equivalents",
        "provision for (benefit from) taxes",
        "partner contributions",
    ],
)
def test_words_inside_a_printed_label_ask_for_no_prose(catalog: Catalog, label: str) -> None:
    question = f"What was Intel's {label} in the quarter ended July 1, 2023?"
    reading = read_question(question, catalog, known_names=frozenset({fold_name(label)}))
    assert reading.metrics == (label,)
    assert LocalRouter().route(reading).kind == "extractive"


def test_a_name_with_capitals_is_no_label(catalog: Catalog) -> None:
    question = "What was Intel's revenue in united States in the quarter ended July 1, 2023?"
    reading = read_question(question, catalog, known_names=frozenset({"united states"}))
    assert reading.metrics == ("revenue",)


@pytest.mark.parametrize(
    "question",
    [
        "Why did Mac sales fall?",
        "What drove the growth of AWS?",
        "Summarise the Humana call",
        "how does aflac see the japanese market",
        "What is Apple's stance on the DOJ case?",
        "Compare the strategies of Intel and NVIDIA",
        "key risks, Western Alliance",
        "What were the main reasons for the change in gross margin?",
    ],
)
def test_what_only_prose_answers_goes_to_the_passages(catalog: Catalog, question: str) -> None:
    assert kind(catalog, question) == "abstractive"


@pytest.mark.parametrize(
    "question",
    [
        "How did gross margin change at Intel and why?",
        "Tell me about iPhone",
        "Apple?",
        "How is Microsoft doing?",
        "Did Graco mention tariffs?",
        "Who is the CEO of FMC and what is the strategy?",
        "details please",
        "Was the decline at Intel caused by weaker demand?",
    ],
)
def test_the_mixed_and_the_unclear_go_to_both(catalog: Catalog, question: str) -> None:
    assert kind(catalog, question) == "uncertain"


def test_the_tools_follow_from_the_kind_and_passages_come_first(catalog: Catalog) -> None:
    router = LocalRouter()
    tools = [
        router.route(read_question(question, catalog)).tools
        for question in ("What was Intel's revenue?", "Why did Intel cut costs?", "Intel")
    ]
    assert tools == [("kg_search",), ("vector_search",), ("vector_search", "kg_search")]


def test_the_reason_names_what_was_found(catalog: Catalog) -> None:
    route = LocalRouter().route(read_question("What were Apple's total net sales?", catalog))
    assert route.reason == "asks for a figure; names Apple, total net sales"
    assert 0.5 < route.confidence <= 1


def test_a_question_without_any_name_is_uncertain() -> None:
    route = LocalRouter().route(Reading(question="What was it?"))
    assert route.kind == "uncertain"


def test_the_questions_to_tune_on_are_routed_well(catalog: Catalog) -> None:
    cases = run("tune", catalog)
    assert len(cases) > 200
    assert macro_f1([(case.expected, case.got) for case in cases]) >= 0.95


def test_macro_f1_counts_every_kind_alike() -> None:
    pairs = [("extractive", "extractive")] * 8 + [("abstractive", "uncertain"), ("uncertain", "uncertain")]
    # F1: extractive 1, abstractive 0, uncertain 2/3.
    assert macro_f1(pairs) == pytest.approx((1 + 0 + 2 / 3) / 3)
