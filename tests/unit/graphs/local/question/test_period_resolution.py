from __future__ import annotations

from datetime import date

import pytest

from graphs.local.question.period_phrases import find_asks
from graphs.local.question.period_resolution import Resolved, resolve_periods
from tests.filings import WITH_CALL
from tools.periods import PeriodFilter

JULY, APRIL, DECEMBER, YEAR_AGO = date(2023, 7, 1), date(2023, 4, 1), date(2022, 12, 31), date(2022, 7, 2)


def resolved(question: str, *companies: str, named: bool = True) -> Resolved:
    return resolve_periods(question, find_asks(question), WITH_CALL, companies or ("ORLA",), named=named)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Orla's revenue in Q3 2023", [JULY]),
        ("Orla's revenue in the quarter before Q3 2023", [APRIL]),  # what it counts from is not asked for
        ("Orla's revenue in Q3 2023 compared with the quarter before", [JULY, APRIL]),
        ("Orla's revenue in Q3 2023 and in the same quarter a year earlier", [JULY, YEAR_AGO]),
        ("How much did Orla take in Q3 2023, and how much a year before?", [JULY, YEAR_AGO]),
        ("How did Orla's revenue change from a year ago?", [JULY, YEAR_AGO]),
        ("Orla's revenue, Q3 2023 against Q3 2022, year-on-year growth", [JULY, YEAR_AGO]),
        ("Orla's revenue in the same quarter a year before the latest quarter", [YEAR_AGO]),
        ("Orla's revenue from Q1 2023 to Q3 2023", [DECEMBER, APRIL, JULY]),
        ("Inventory on July 1, 2023 and at the end of the previous year in December 2022", [JULY, DECEMBER]),
        ("Orla's sequential revenue growth from Q2 2023 to Q3 2023", [APRIL, JULY]),
        ("Orla's revenue since Q1 2023", [DECEMBER, JULY]),
        ("Orla's revenue in Q3 last year", [YEAR_AGO]),
        ("How did Orla's revenue change in Q3 2023?", [JULY, YEAR_AGO]),
        ("Why did Orla's revenue change in Q3 2023?", [JULY]),
    ],
)
def test_phrases_together_mean_the_periods_asked_for(question: str, expected: list[date]) -> None:
    assert [each.end for each in resolved(question).filters] == expected


def test_the_year_before_a_change_is_known_as_compared_with_though_only_figures_are_read_there() -> None:
    assert resolved("Why did Orla's revenue change in Q3 2023?").compared == (PeriodFilter(end=YEAR_AGO),)
    assert resolved("What was Orla's revenue in Q3 2023?").compared == ()


def test_a_period_that_no_company_has_is_unknown_and_the_nearest_are_offered() -> None:
    found = resolved("Orla's revenue in Q1 2019")
    assert found.unknown == ("Q1 2019",)
    assert found.filters == ()
    assert found.options[0] == "Orla Devices, Inc.: quarter ended July 2, 2022"
    assert resolved("revenue in Q1 2019", named=False).options == ()


def test_a_period_that_one_of_two_named_companies_lacks_is_a_note() -> None:
    found = resolved("revenue of Orla and Kestrel in Q2 2023", "ORLA", "KEST")
    assert found.unknown == ()
    assert [company for company, _ in found.by_company] == ["ORLA"]
    assert "Kestrel Energy, Inc. has no period Q2 2023" in found.notes
    assert "has no period" not in str(resolved("revenue in Q2 2023", "ORLA", "KEST", named=False).notes)


def test_a_comparison_with_a_year_ago_that_is_not_indexed_leaves_the_named_period() -> None:
    found = resolved("Orla's revenue in Q1 2023 compared with a year ago")
    assert [each.end for each in found.filters] == [DECEMBER]
    assert found.unknown == ()
    assert resolved("Orla's revenue a year before Q1 2023").unknown == ("a year before",)


def test_a_label_that_means_another_calendar_quarter_is_said() -> None:
    (note,) = resolved("Orla's revenue in Q3 2023").notes
    assert note == "Q3 2023 is read as Orla Devices, Inc.'s fiscal quarter ended July 1, 2023"
    assert resolved("Tilbrook's revenue in Q3 2023", "TILB").notes == ()
    assert resolved("Orla's revenue in fiscal Q3 2023").notes == ()
