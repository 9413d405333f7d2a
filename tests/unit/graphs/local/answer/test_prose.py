"""Answers in prose: which sentences are quoted, and what is quoted with them."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Reading
from graphs.drafts.sentences import split
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.text.synonyms import concepts
from tests.unit.graphs.local.answer.checked import checked_draft
from tests.unit.graphs.local.answer.test_answerer import NOW
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]


def told(question: str, evidence: list[Evidence], *, dated: bool = False) -> str:
    """The answer, after it has passed the checker."""
    periods = (PeriodFilter(end=NOW),) if dated else ()
    companies = tuple(dict.fromkeys(item.company_key for item in evidence))
    asked = Reading(question=question, companies=companies, scope=Scope(companies=companies, periods=periods))
    made = checked_draft(asked, evidence)
    assert made.abstained is None
    return made.text


def test_words_of_finance_stand_for_one_another() -> None:
    assert concepts("fulfillment expenses") == concepts("fulfillment costs")
    assert concepts("sales fell") == concepts("revenue declined")
    assert concepts("revenue") != concepts("profit")


def test_a_why_question_is_answered_by_the_sentence_whose_effect_it_asks_about(chunk: Make) -> None:
    text = (
        "Operating income rose due to higher sales, partly offset by increased fulfillment costs. "
        "The increase in fulfillment costs is primarily due to higher unit volumes in all of our regions."
    )
    first = told("Why did Orla's fulfillment expenses go up?", [chunk(1, text)]).split("\n")[0]
    assert "The increase in fulfillment costs" in first


def test_a_sentence_about_another_duration_is_not_the_first_choice(chunk: Make) -> None:
    text = (
        "Laptop sales increased during the first nine months of 2024 due primarily to lower prices of components. "
        "Laptop sales decreased during the three months ended June 29, 2024 due primarily to weak demand in schools."
    )
    answer = told("Why did Orla's laptop sales change in the quarter?", [chunk(1, text)], dated=True)
    assert "weak demand in schools" in answer.split("\n")[0]


def test_the_answer_may_stand_behind_the_sentence_that_names_the_subject(chunk: Make) -> None:
    text = (
        "Orla returned to profit in the second quarter of 2024. "
        "Net income was $31 million, compared with a net loss of $9 million in the second quarter of 2023. "
        "Three things made the difference: sensors grew, we sold fewer old chips, and write-downs did not recur."
    )
    assert "Three things made the difference" in told("Why did Orla return to profit?", [chunk(1, text)])


def test_a_sentence_that_cannot_stand_alone_comes_with_the_one_before(chunk: Make) -> None:
    text = (
        "Gross profit as a percentage of net sales was 29.7% in the quarter. "
        "The increase was driven by fewer markdowns of gross stock and by lower freight rates for sales abroad."
    )
    answer = told("What drove the gross profit of Orla?", [chunk(1, text)])
    assert "29.7% in the quarter. The increase was driven by" in answer


def test_an_outlook_is_what_is_expected_not_what_was(chunk: Make) -> None:
    text = (
        "Our previous guidance for sales was in the range of $440 million to $460 million for the year. "
        "We are now updating our guidance for sales to be in the range of $480 million to $500 million."
    )
    first = told("What is Orla's outlook for sales?", [chunk(1, text)]).split("\n")[0]
    assert "$480 million to $500 million" in first


def test_talk_about_the_call_is_no_answer(chunk: Make) -> None:
    section = "Prepared Remarks > Marta Lindqvist"
    evidence = [
        chunk(
            1,
            "So now let me start to talk about our sensor sales in Japan in the second quarter.",
            section=section,
        ),
        chunk(
            2, "Sensor sales in Japan improved by 38% from last year as stores opened again.", section=section
        ),
    ]
    assert (
        "improved by 38%"
        in told("What does management say about sensor sales in Japan?", evidence).split("\n")[0]
    )


def test_a_segments_bare_sentence_is_told_with_its_heading(chunk: Make) -> None:
    text = "Gross margin increased $920 million or 13% driven by growth in Gaming."
    item = chunk(1, text, section="Part I, Item 2 - MD&A > Home Devices")
    assert told("Why did Orla's gross margin increase?", [item]).startswith(
        "Orla Devices, Inc., Home Devices: “Gross"
    )


def test_a_list_is_quoted_with_the_line_that_introduces_it(chunk: Make) -> None:
    text = "R&D decreased by $320 million, driven by the following:\n- Effects of cost-cutting measures\n- Fewer tests"
    sentences = [s.text for s in split(chunk(1, text))]
    assert sentences == [text.replace("\n", " ")]
    assert "cost-cutting measures - Fewer tests" in told("What led to lower R&D at Orla?", [chunk(1, text)])


def test_a_sentence_is_quoted_once(chunk: Make) -> None:
    text = (
        "Regarding costs of freight, we expect them to grow by 3% this year because of longer routes. "
        "And regarding costs of labor, we expect them to grow by 2% because of new wages."
    )
    answer = told("What does Orla expect for costs of freight and labor?", [chunk(1, text)])
    assert answer.count("regarding costs of labor") == 1


def test_a_speaker_with_an_apostrophe_is_who_says_it(chunk: Make) -> None:
    section = "Prepared Remarks > Kieran O'Sullivan"
    item = chunk(
        1, "Demand for sensors remains strong because factories are being retooled.", section=section
    )
    assert told("Why is demand for sensors strong at Orla?", [item]).startswith("Kieran O'Sullivan (Orla")


def test_a_mere_topic_is_not_answered_by_what_only_stands_behind_it(chunk: Make) -> None:
    text = (
        "Dunlin radar is now in production with four makers of cars in Europe. "
        "Last week, we announced an agreement to acquire a maker of light sources in Oregon."
    )
    answer = told("Dunlin radar", [chunk(1, text)])
    assert "four makers of cars" in answer and "light sources" not in answer


def test_earnings_a_share_or_a_benefit_to_earnings_are_no_net_income(chunk: Make) -> None:
    text = (
        "Second-quarter earnings per share were $2.59, against a prior range of $2.20 to $2.40. "
        "This includes a $0.06 earnings benefit from lower other expenses."
    )
    asked = Reading(question="What was Orla's net income?", companies=("ORLA",), metrics=("net income",))
    assert LocalAnswerer().draft(asked, [chunk(1, text)]).abstained == "no_evidence"
