from __future__ import annotations

from datetime import date

from tools.documents.metadata.cover import read_cover
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
