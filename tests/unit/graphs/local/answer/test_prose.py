"""Answers in prose: which sentences are quoted, and what is quoted with them."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Reading
from graphs.drafts.sentences import split
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


def test_a_sentence_that_cannot_stand_alone_comes_with_the_one_before(chunk: Make) -> None:
    text = (
        "Gross profit as a percentage of net sales was 29.7% in the quarter. "
        "The increase was driven by fewer markdowns of gross stock and by lower freight rates for sales abroad."
    )
    answer = told("What drove the gross profit of Orla?", [chunk(1, text)])
    assert "29.7% in the quarter. The increase was driven by" in answer


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
