"""Overviews of results: when one is asked for, its table of figures, and the sentences beside it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.question.overviews import asks_overview, tool_questions, with_year_before
from tests.filings import filing
from tests.unit.graphs.local.answer.checked import checked_draft
from tests.unit.graphs.local.answer.test_answerer import NOW, THEN
from tools.documents.metadata.catalog import Catalog
from tools.evidence import AnswerLine, Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]


def reading(question: str, **fields: object) -> Reading:
    known: dict[str, object] = {
        "companies": ("ORLA",),
        "company_names": ("Orla",),
        "scope": Scope(companies=("ORLA",), periods=(PeriodFilter(end=NOW),)),
        "compared_periods": (PeriodFilter(end=THEN),),
    }
    return Reading(question=question, **{**known, **fields})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        "How did Orla do in the quarter ended June 29, 2024?",
        "Summarize Orla's results for the second quarter of 2024.",
        "Give me an overview of Orla's Q2 2024 results",
        "How has Orla performed?",
        "Orla Q2 2024 results",
    ],
)
def test_a_question_about_results_as_a_whole_asks_for_an_overview(question: str) -> None:
    assert asks_overview(reading(question))


@pytest.mark.parametrize(
    "question",
    [
        "Summarize Orla's risk factors",
        "How did Orla deal with tariffs?",
        "How did the sensor segment of Orla do?",
        "What is Orla's outlook?",
        "Summarize Orla's dependence on foundries",
    ],
)
def test_a_question_about_one_subject_asks_for_none(question: str) -> None:
    assert not asks_overview(reading(question))


def test_a_named_metric_asks_for_none() -> None:
    assert not asks_overview(reading("How did Orla's revenue do?", metrics=("revenue",)))


def test_the_graph_is_asked_for_the_headline_figures() -> None:
    asked = dict(tool_questions(reading("How did Orla do?")))
    assert "Orla" in asked["kg_search"] and "diluted earnings per share" in asked["kg_search"]
    assert asked["vector_search"].startswith("How did Orla do?")


def test_headline_figures_are_a_table_with_the_year_before_and_the_change(fact: Make) -> None:
    evidence = [
        fact(1, "Net income", "310"),
        fact(2, "Net income", "350", end=THEN),
        fact(3, "Total net revenue", "4812"),
        fact(4, "Total net revenue", "4390", end=THEN),
        fact(5, "Total net revenue", "9100", months=6),
        fact(6, "Sensors revenue", "1200", match=0.5),
    ]
    text = checked_draft(reading("How did Orla do in the quarter?"), evidence).text
    rows = [line for line in text.split("\n") if line.endswith("] |")]
    assert rows == [
        "| Total net revenue | 4,812 million USD | 4,390 million USD | +9.6 % | [3] [4] |",
        "| Net income | 310 million USD | 350 million USD | -11.4 % | [1] [2] |",
    ]
    assert text.startswith(
        "Orla Devices, Inc., three months ended June 29, 2024, compared with the three months"
    )


def test_a_few_figures_of_its_last_quarter_do_not_stand_for_an_annual_report(fact: Make) -> None:
    evidence = [
        fact(1, "Net income", "310"),
        fact(2, "Operating income", "400"),
        fact(3, "Net income", "1350", months=12),
        fact(4, "Operating income", "1600", months=12),
        fact(5, "Total net revenue", "18000", months=12),
    ]
    text = checked_draft(reading("How is Orla doing?"), evidence).text
    assert text.startswith("Orla Devices, Inc., twelve months ended") and "310" not in text


def test_a_change_from_a_loss_has_no_percentage(fact: Make) -> None:
    evidence = [fact(1, "Net income (loss)", "310"), fact(2, "Net income (loss)", "-90", end=THEN)]
    assert (
        "| 310 million USD | -90 million USD |  | [1] [2] |"
        in checked_draft(reading("How did Orla do?"), evidence).text
    )


def test_a_figure_of_two_years_before_is_not_the_year_before(fact: Make) -> None:
    evidence = [fact(1, "Net income", "310"), fact(2, "Net income", "90", end=date(2022, 7, 2))]
    text = checked_draft(reading("How did Orla do?"), evidence).text
    assert "| Net income | 310 million USD | [1] |" in text and "90 million" not in text


def likely(item: Evidence) -> Evidence:
    """As if a learned fit had found its sentence likely."""
    line = AnswerLine(text=item.text, share=0.5, chance=0.9, shown=True, likely=True)
    return item.model_copy(update={"lines": (line,)})


def test_likely_sentences_stand_beside_the_table_but_for_a_segments_bare_figure(
    fact: Make, chunk: Make
) -> None:
    evidence = [
        fact(1, "Operating income", "500"),
        fact(2, "Operating income", "400", end=THEN),
        likely(chunk(3, "Operating income increased 25% driven by growth of sensor sales in all regions.")),
        likely(chunk(4, "Operating income increased 60% driven by growth of the smallest of the segments.")),
    ]
    text = LocalAnswerer().draft(reading("How did Orla do?"), evidence).text
    assert text.index("| Operating income |") < text.index("increased 25% driven by")
    assert "60%" not in text


def test_results_of_nobody_in_particular_are_asked_back_where_there_are_several(chunk: Make) -> None:
    evidence = [
        chunk(1, "Revenue rose by 5% due to strong demand for sensors in the quarter."),
        chunk(
            2,
            "Revenue fell by 5% due to weak demand for coats in the quarter.",
            company="Kestrel",
            key="KEST",
        ),
    ]
    asked = reading("Summarize the quarter's results", companies=(), company_names=(), scope=Scope())
    made = checked_draft(asked, evidence)
    assert made.abstained == "ambiguous" and "Kestrel" in made.detail


def test_of_no_period_the_latest_report_among_the_documents_that_are_left_is_told_of() -> None:
    year = filing("Orla Devices, Inc.", date(2023, 12, 31), 2023, 4, "10-K")
    catalog = Catalog([filing("Orla Devices, Inc.", NOW, 2024, 2), year])
    for types, end in ((), NOW), (("10-K",), date(2023, 12, 31)):
        asked = reading("How is Orla doing?", scope=Scope(("ORLA",), doc_types=types), compared_periods=())
        found = with_year_before(asked, catalog)
        assert [each.end for each in found.scope.periods] == [end]
