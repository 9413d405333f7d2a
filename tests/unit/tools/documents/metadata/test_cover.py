from __future__ import annotations

from datetime import date

import pytest

from tools.documents.metadata.cover import Cover, read_cover
from tools.documents.types import Page

COVER = """
FORM 10-Q
For the quarterly period ended July 1, 2023
KESTREL AIRWORKS, INC.
(Exact name of registrant as specified in its charter)
Title of each class   Trading Symbol(s)   Name of each exchange
Common Stock   KAW   The Nasdaq Stock Market LLC
"""


def test_a_cover_gives_form_name_ticker_and_period() -> None:
    cover = read_cover([Page(1, COVER)])
    assert (cover.doc_type, cover.registrant, cover.ticker, cover.period_end) == (
        "10-Q",
        "KESTREL AIRWORKS, INC.",
        "KAW",
        date(2023, 7, 1),
    )


def test_a_document_without_a_form_has_no_cover() -> None:
    cover = read_cover([Page(1, COVER.replace("FORM 10-Q", "A letter"))])
    assert (cover.doc_type, cover.registrant, cover.ticker, cover.period_end) == (None, None, None, None)


@pytest.mark.parametrize(
    ("form", "kind"),
    [("FORM 10-K/A", "10-K"), ("FORM 10-KT", "10-K"), ("Form 20-F", "annual"), ("FORM 8-K", "8-K")],
)
def test_the_forms_line_says_the_type(form: str, kind: str) -> None:
    assert read_cover([Page(1, COVER.replace("FORM 10-Q", form))]).doc_type == kind


def test_a_text_that_cites_a_form_has_no_cover() -> None:
    text = "We refer to our\nForm 10-K for the year ended December 31, 2020\nfiled with the SEC."
    assert read_cover([Page(1, text)]) == Cover()


def test_an_8_k_is_of_the_day_it_reports_and_of_no_period() -> None:
    text = (
        COVER.replace("FORM 10-Q", "FORM 8-K")
        + "Date of Report (Date of earliest event reported): May 26, 2023"
    )
    cover = read_cover([Page(1, text)])
    assert (cover.registrant, cover.period_end, cover.reported) == (
        "KESTREL AIRWORKS, INC.",
        None,
        date(2023, 5, 26),
    )


def test_a_symbol_may_stand_above_its_heading_and_none_is_no_symbol() -> None:
    text = (
        COVER[: COVER.index("Title")]
        + "Common Stock\nKAW New York Stock Exchange\n(Trading symbol)\nRegistered:\nNONE\n"
    )
    assert read_cover([Page(1, text)]).ticker == "KAW"
    assert read_cover([Page(1, text.replace("KAW New", "New"))]).ticker is None


@pytest.mark.parametrize("day", ["31 December 2022", "December 31 2022", "12/31/2022", "(December 31, 2022)"])
def test_a_covers_day_is_read_in_any_notation(day: str) -> None:
    assert read_cover([Page(1, COVER.replace("July 1, 2023", day))]).period_end == date(2022, 12, 31)


@pytest.mark.parametrize(
    ("line", "former"),
    [("Orlavix Corporation", "Orlavix Corporation"), ("Not Applicable", None), ("12 Elm Road", None)],
)
def test_a_former_name_is_read_and_an_address_is_none(line: str, former: str | None) -> None:
    text = f"{COVER}{line}\n(Former name or former address, if changed since last report)"
    assert read_cover([Page(1, text)]).former == former
