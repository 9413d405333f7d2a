from __future__ import annotations

from graphs.local.question.spoken_reading import read_spoken
from tests.filings import CATALOG
from tools.scope import Scope

ASKED = (
    "Good morning, Ann. Could you give us some color on how you think about {}'s margins next year, and maybe what "
    "drives the second half? Thanks."
)


def test_a_spoken_question_asks_the_company_it_names_and_next_year_is_no_filter() -> None:
    reading = read_spoken(ASKED.format("Orla"), CATALOG, Scope())
    assert reading is not None
    assert reading.spoken
    assert reading.scope == Scope(companies=("ORLA",))
    assert reading.company_names == ("Orla",)


def test_a_company_beside_the_one_that_the_filter_sets_is_spoken_of_and_not_asked() -> None:
    reading = read_spoken(ASKED.format("Orla"), CATALOG, Scope(companies=("TILB",)))
    assert reading is not None
    assert reading.scope.companies == ("TILB",)
    assert reading.companies == ()


def test_a_spoken_question_that_names_a_period_is_put_for_it() -> None:
    reading = read_spoken(
        ASKED.format("Orla") + " How was the quarter ended April 1, 2023?", CATALOG, Scope()
    )
    assert reading is not None
    assert [str(each.end) for each in reading.scope.periods] == ["2023-04-01"]


def test_written_questions_open_companies_and_advice_are_read_otherwise() -> None:
    assert read_spoken("What was Orla's revenue?", CATALOG, Scope()) is None
    assert read_spoken(ASKED.format("their"), CATALOG, Scope()) is None
    assert read_spoken(ASKED.format("Orla") + " Should I buy it for my portfolio?", CATALOG, Scope()) is None
