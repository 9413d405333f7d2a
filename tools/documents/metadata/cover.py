"""A filing's cover page and fiscal calendar."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from tools.documents.text.cleaning import squeeze
from tools.documents.text.printed_dates import DATE, first_date, read_dates, read_quarters
from tools.documents.types import Page

_COVER_PAGES = 3
_FORM = re.compile(r"^[\s#*]*FORM\s+10\s?-\s?([QK])(?:/A)?\b", re.IGNORECASE | re.MULTILINE)
_PERIOD = re.compile(
    rf"(?:quarterly\s+period|fiscal\s+year|fiscal\s+quarter|quarter|year|annual\s+period)\s+ended\s*:?\s*({DATE})",
    re.IGNORECASE,
)
_REGISTRANT = re.compile(r"\(\s*exact\s+name\s+of\s+(?:the\s+)?(?:registrant|issuer)", re.IGNORECASE)
_COMMISSION = re.compile(r"commission\s+file\s+(?:number|no)", re.IGNORECASE)
_SYMBOL_HEADER = re.compile(r"trading\s+symbol", re.IGNORECASE)
_EXCHANGE = r"(?:The\s+)?(?:Nasdaq|NASDAQ|New\s+York|NYSE|Cboe|CBOE|OTC|Chicago|Long[- ]Term)"
_SYMBOL = re.compile(rf"(?<![\w$.])([A-Z]{{1,5}}(?:[.-][A-Z])?)\s+{_EXCHANGE}")


@dataclass(frozen=True, slots=True)
class Cover:
    """What the first pages of a filing say; None where they do not."""

    doc_type: Literal["10-Q", "10-K"] | None
    registrant: str | None
    ticker: str | None
    period_end: date | None


def read_cover(pages: Sequence[Page]) -> Cover:
    """The cover of a Form 10-Q or 10-K; all None for other documents."""
    head = "\n".join(page.text for page in pages[:_COVER_PAGES])
    form = _FORM.search(head)
    if form is None:
        return Cover(None, None, None, None)
    doc_type: Literal["10-Q", "10-K"] = "10-Q" if form[1].upper() == "Q" else "10-K"
    period = _PERIOD.search(squeeze(head))
    end = first_date(period[1]) if period else None
    return Cover(doc_type, _registrant(head.split("\n")), _ticker(head), end)


def _registrant(lines: Sequence[str]) -> str | None:
    """The line above '(Exact name of registrant ...', or below the commission's file number."""
    for i, line in enumerate(lines):
        if match := _REGISTRANT.search(line):
            candidates = [line[: match.start()], *reversed(lines[max(0, i - 6) : i])]
            return next((name for c in candidates if (name := _name(c))), None)
    for i, line in enumerate(lines):
        if _COMMISSION.search(line):
            return next((name for c in lines[i + 1 : i + 8] if (name := _name(c))), None)
    return None


def _name(line: str) -> str | None:
    name = squeeze(line).strip("_ -–—*")
    if _COMMISSION.search(name) or not re.search(r"[A-Za-z]{2}", name) or len(name) > 100:
        return None
    return name


def _ticker(head: str) -> str | None:
    header = _SYMBOL_HEADER.search(head)
    if header is None:
        return None
    after = head[header.end() : header.end() + 4_000]
    if match := _SYMBOL.search(after):
        return match[1]
    alone = re.search(r"^\s*([A-Z]{1,5}(?:\.[A-Z])?)\s*$", after[:1_500], re.MULTILINE)
    return alone[1] if alone else None


_BALANCE = re.compile(
    r"^.{0,60}(?:balance\s+sheets?|statements?\s+of\s+financial\s+(?:condition|position))\b", re.I
)
_FISCAL_YEAR_ENDED = re.compile(rf"(?:fiscal\s+)?year\s+ended\s+({DATE})", re.IGNORECASE)
_MONTHS_ENDED = re.compile(r"\b(three|six|nine)\s+(?:and\s+(six|nine)\s+)?months\s+ended", re.IGNORECASE)
_WEEKS_ENDED = re.compile(
    r"\b(1[234]|2[567]|39|40|thirteen|twenty-six|thirty-nine)\s+weeks\s+ended", re.IGNORECASE
)
_QUARTERS = {"three": 1, "six": 2, "nine": 3}
_WEEKS = {"thirteen": 1, "twenty-six": 2, "thirty-nine": 3}


def fiscal_position(pages: Sequence[Page], end: date | None, doc_type: str) -> tuple[int, int | None] | None:
    """Fiscal year (named by the calendar year in which it ends) and quarter of the period that ends at `end`.

    For a 10-K the year ends at `end`. For a 10-Q the last year's end, which the balance sheet shows beside
    the period's and the text names ('fiscal year ended September 24, 2022'), says how many quarters ago it
    was; where neither is found, the longest span to date that the statements show ('nine months ended'); else
    what the filing calls itself ('Q3 2023 Form 10-Q'). None if nothing says.
    """
    if end is None:
        return _stated(pages)
    if doc_type == "10-K":
        return _year_name(end), None
    last_year_end = _last_year_end(pages, end)
    if last_year_end is not None:
        quarter = round((end - last_year_end).days / 91.3)
        return _year_name(last_year_end + timedelta(days=365)), quarter
    quarter_by_span = _quarter_by_span(pages)
    if quarter_by_span is not None:
        return _year_name(end + timedelta(days=round((4 - quarter_by_span) * 91.3))), quarter_by_span
    return _stated(pages)


def _year_name(year_end: date) -> int:
    """52/53-week years that end in the first days of January belong to the year before."""
    return (year_end - timedelta(days=7)).year


def _last_year_end(pages: Sequence[Page], end: date) -> date | None:
    votes: Counter[date] = Counter()
    for page in pages:
        lines = page.text.split("\n")
        if any(_BALANCE.match(line) for line in lines[:15]):
            votes.update({day: 3 for _, day in read_dates(page.text[:1_500])})
        votes.update(d for m in _FISCAL_YEAR_ENDED.finditer(squeeze(page.text)) if (d := first_date(m[1])))
    possible = {day: n for day, n in votes.items() if 60 <= (end - day).days <= 305}
    return max(sorted(possible), key=lambda day: possible[day]) if possible else None


def _quarter_by_span(pages: Sequence[Page]) -> int | None:
    spans: Counter[int] = Counter()
    for page in pages[:15]:
        for first, second in _MONTHS_ENDED.findall(squeeze(page.text)):
            spans[_QUARTERS[(second or first).lower()]] += 1
        for weeks in _WEEKS_ENDED.findall(squeeze(page.text)):
            spans[_WEEKS.get(weeks.lower()) or round(int(weeks) / 13)] += 1
    return max(spans) if spans else None


def _stated(pages: Sequence[Page]) -> tuple[int, int | None] | None:
    labels = Counter(
        label for page in pages for line in page.text.split("\n") if re.search(r"form\s+10-[qk]", line, re.I)
        for label in read_quarters(line)
    )  # fmt: skip
    return max(sorted(labels), key=lambda label: labels[label]) if labels else None
