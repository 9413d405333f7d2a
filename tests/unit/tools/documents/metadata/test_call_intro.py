from __future__ import annotations

from datetime import date

from tools.documents.metadata.call_intro import read_intro
from tools.documents.types import Page

LIST = """
Participants:
Nora Fenwick -- Head of Investor Relations
Tomas Reyes -- Chief Executive Officer
Ines Vogel -- Banholt Securities -- Analyst
"""


def call(title: str, operator: str, officer: str) -> list[Page]:
    return [Page(1, f"{title}\n{LIST}\nOperator\n{operator}\n\nNora Fenwick\n{officer}\n")]


def test_a_titled_call_gives_company_ticker_and_quarter() -> None:
    pages = call(
        "Kestrel Airworks, Inc. (KAW) Q2 2023 Earnings Call Transcript",
        "Good day, and welcome to the Kestrel Airworks second quarter call.",
        "Thank you. Our quarter, the second fiscal quarter ended July 1, 2023, was good.",
    )
    intro = read_intro(pages, None)
    assert intro is not None
    assert (intro.company, intro.ticker) == ("Kestrel Airworks, Inc.", "KAW")
    assert (intro.fiscal_year, intro.fiscal_quarter, intro.titled) == (2023, 2, True)
    assert intro.period_end == date(2023, 7, 1)
    assert intro.aliases == ("Kestrel Airworks",)


def test_without_a_title_the_opening_names_the_caller() -> None:
    pages = call(
        "",
        "Welcome to the Harrowmere conference call. Please go ahead, Nora.",
        "Welcome to Harrowmere's first quarter 2024 call.",
    )
    intro = read_intro(pages, None)
    assert intro is not None
    assert (intro.company, intro.fiscal_year, intro.fiscal_quarter) == ("Harrowmere", 2024, 1)
    assert not intro.titled


def test_a_name_of_the_calls_own_people_is_no_companys() -> None:
    pages = call(
        "",
        "Good day, and thank you for joining the conference call.",
        "Harrowmere's first quarter was good. Nora's financial slides and Nora's website show Nora's actual results.",
    )
    intro = read_intro(pages, None)
    assert intro is not None
    assert intro.company == "Harrowmere"


def test_a_quarter_that_an_earlier_form_reported_is_not_the_calls() -> None:
    pages = call(
        "Orlavix Q2 2023 Earnings Call",
        "Welcome to the Orlavix call.",
        "See our Form 10-Q for the quarter ended April 1, 2023. For the quarter ended July 1, 2023, we grew.",
    )
    intro = read_intro(pages, None)
    assert intro is not None
    assert intro.period_end == date(2023, 7, 1)


def test_a_page_without_participants_and_operator_is_no_call() -> None:
    assert read_intro([Page(1, "Orlavix Q2 2023 Earnings Call\nWe thank you for the call.")], None) is None
    assert read_intro([Page(1, f"{LIST}\nA meeting was held.")], None) is None
    assert read_intro([], None) is None


def test_where_a_call_is_made_from_is_not_whose_it_is() -> None:
    pages = call(
        "HRM Q2 2023 Earnings Call",
        "Good day, and welcome to Alderton, Michigan, for the call.",
        "Harrowmere's first half was good, and Harrowmere's results show it.",
    )
    intro = read_intro(pages, "HRM")
    assert intro is not None
    assert intro.company == "Harrowmere"


def test_the_quarter_it_is_compared_with_is_not_an_untitled_calls() -> None:
    pages = call(
        "",
        "Welcome to the Harrowmere second quarter call.",
        "Sales grew on the second quarter of 2022 in the second quarter of 2023, before the third quarter of 2023.",
    )
    intro = read_intro(pages, None)
    assert intro is not None
    assert (intro.fiscal_year, intro.fiscal_quarter) == (2023, 2)
