"""What a filing's own tags say of it (the 'dei' facts of inline XBRL): company, ticker, form and period."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from tools.documents.metadata.registrant_names import display_name
from tools.documents.text.printed_dates import first_date
from tools.documents.types import Page
from tools.periods import DAYS_A_QUARTER

_QUARTERS = {"Q1": 1, "Q2": 2, "Q3": 3, "Q4": 4, "FY": 4}
_LATE = timedelta(days=10)
"""Years of 52 or 53 weeks that end in the first days of January belong to the year before."""


def read_tagged_cover(pages: Sequence[Page], printed: str | None, text: str) -> dict[str, object]:
    """Fields of `Document` as the tags state them, None for what they do not; `text` is the document's, for the
    spelling of the name.

    Where the cover prints the same name (`printed`), in full ('NVIDIA Corporation' for 'NVIDIA CORP'), that is left to
    stand. The fiscal year is named by the calendar year in which it ends, which is not what every filer's tag says. An
    8-K's period is the day of its event, and no reporting period.
    """
    stated: dict[str, str] = {}
    for concept, value in pages[0].named if pages else ():
        stated.setdefault(concept.removeprefix("dei:"), value)
    form = re.match(r"(10-Q|10-K|8-K)|[24]0-F", stated.get("DocumentType", ""))
    doc_type = (form[1] or "annual") if form else None
    symbol = stated.get("TradingSymbol", "").upper()
    name = stated.get("EntityRegistrantName")
    end = _day(stated.get("DocumentPeriodEndDate", "")) if doc_type != "8-K" else None
    quarter = _QUARTERS.get(stated.get("DocumentFiscalPeriodFocus", ""))
    return {
        "company": display_name(name, text) if name and _first(name) != _first(printed or "") else None,
        "ticker": symbol if re.fullmatch(r"(?!NONE$|N/?A$)[A-Z]{1,5}(?:[.-][A-Z]{1,2})?", symbol) else None,
        "doc_type": doc_type,
        "period_end": end,
        "fiscal_year": _fiscal_year(end, quarter, stated.get("DocumentFiscalYearFocus", "")),
        "fiscal_quarter": quarter if doc_type == "10-Q" else None,
    }


def _first(name: str) -> str:
    """The first word of a name, 'the' aside."""
    words = re.findall(r"\w+", name.lower())
    return next((word for word in words if word != "the"), "")


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return first_date(text)


def _fiscal_year(end: date | None, quarter: int | None, focus: str) -> int | None:
    if end is not None and quarter is not None:
        return (end + timedelta(days=round((4 - quarter) * DAYS_A_QUARTER)) - _LATE).year
    return int(focus) if re.fullmatch(r"(?:19|20)\d\d", focus) else None
