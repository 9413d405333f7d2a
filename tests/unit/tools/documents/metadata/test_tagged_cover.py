from __future__ import annotations

from datetime import date

import pytest

from tools.documents.metadata.tagged_cover import read_tagged_cover
from tools.documents.types import Page


def cover(printed: str | None = None, text: str = "", **stated: str) -> dict[str, object]:
    named = tuple((f"dei:{concept}", value) for concept, value in stated.items())
    return read_tagged_cover([Page(1, "x", named=named), Page(2, "y")], printed, text)


def test_tags_give_company_ticker_form_and_period() -> None:
    assert cover(
        EntityRegistrantName="ORLA DESKS, INC.",
        TradingSymbol="orla",
        DocumentType="10-Q/A",
        DocumentPeriodEndDate="June 29, 2024",
        DocumentFiscalYearFocus="2024",
        DocumentFiscalPeriodFocus="Q3",
    ) == {
        "company": "Orla Desks, Inc.",
        "ticker": "ORLA",
        "doc_type": "10-Q",
        "period_end": date(2024, 6, 29),
        "fiscal_year": 2024,
        "fiscal_quarter": 3,
    }


def test_an_untagged_document_states_nothing() -> None:
    assert set(cover().values()) == {None}
    assert set(read_tagged_cover([], None, "").values()) == {None}


@pytest.mark.parametrize("symbol", ["None", "N/A", "—", "see below"])
def test_a_word_for_no_symbol_is_no_ticker(symbol: str) -> None:
    assert cover(TradingSymbol=symbol)["ticker"] is None


def test_the_first_of_several_securities_gives_the_ticker() -> None:
    page = Page(1, "x", named=(("dei:TradingSymbol", "KO"), ("dei:TradingSymbol", "KO26")))
    assert read_tagged_cover([page], None, "")["ticker"] == "KO"


def test_the_fiscal_year_is_named_by_the_year_in_which_it_ends() -> None:
    year = {"DocumentType": "10-K", "DocumentFiscalPeriodFocus": "FY", "DocumentFiscalYearFocus": "2024"}
    assert cover(**year, DocumentPeriodEndDate="2025-02-01")["fiscal_year"] == 2025
    assert cover(**year, DocumentPeriodEndDate="2025-01-03")["fiscal_year"] == 2024
    assert cover(**year)["fiscal_year"] == 2024
    assert cover(**year)["fiscal_quarter"] is None


def test_the_day_of_an_event_is_no_reporting_period() -> None:
    event = cover(DocumentType="8-K", DocumentPeriodEndDate="2024-06-12")
    assert (event["doc_type"], event["period_end"]) == ("8-K", None)
    assert cover(DocumentType="20-F", DocumentPeriodEndDate="2024-06-30")["doc_type"] == "annual"


def test_a_name_that_the_cover_prints_in_full_is_left_to_stand() -> None:
    assert cover("ORLA CORPORATION", EntityRegistrantName="ORLA CORP")["company"] is None
    assert cover("Delaware", EntityRegistrantName="ORLA CORP")["company"] == "Orla Corp"
    assert cover("THE ORLA COMPANY", EntityRegistrantName="Orla Co")["company"] is None
