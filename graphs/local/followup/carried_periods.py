"""Periods carried from turn to turn: counted on from the period before, and turned into another company's."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.local.followup.slots import DURATION, PREPOSITION, Slots
from graphs.local.question.company_periods import CompanyPeriods, day_in_words
from graphs.local.question.period_asks import AskKind, PeriodAsk
from graphs.local.question.period_resolution import resolve_periods
from tools.documents.metadata.catalog import Catalog
from tools.periods import MONTHS_IN_WORDS, PeriodFilter

MAX_DAYS_SAME_QUARTER = 46
"""Days by which the quarters of two companies that are compared may end apart: half a quarter."""
MIN_DAYS_OTHER_YEAR = 200
"""Days from which one label is of different years to two companies ('Q3 2023' where one's fiscal year runs ahead)."""
_AT_DAY = re.compile(r"\b(?:at|as\s+of|on|by)\s+(?:the\s+)?$", re.IGNORECASE)
_TO_DATE = re.compile(r"to[\s-]date|ytd", re.IGNORECASE)
_LAST_QUARTER = re.compile(r"^(?:the\s+)?(?:last|past)\s+(?:quarter|qtr)$", re.IGNORECASE)
NEXT = re.compile(
    r"\b(?:the\s+)?(?:next|following|subsequent)\s+(?:quarter|qtr|one)\b(?:\s+after\s+(?:that|it))?"
    r"|\b(?:the\s+)?(?:quarter|one)\s+after(?:\s+(?:that|it))?\b",
    re.IGNORECASE,
)
"""The quarter after the one that was spoken of; no index knows a later one than its own."""
_SAME_PERIOD = re.compile(
    r",?\s*\b(?:(?:in|for|during|at)\s+)?(?:the\s+same|that(?:\s+same)?|this\s+same)\s+(?:quarter|period|time)\b"
    r"(?!\s+(?:a|one|last|of|in|the|prior|previous|year|was|is|did|that)\b)",
    re.IGNORECASE,
)
_SAME_OF_YEAR = re.compile(
    r"\b(?:the\s+)?same\s+(?:quarter|period)\s+(?:in|of)\s+(?:fiscal\s+)?(?P<year>20\d\d)\b", re.IGNORECASE
)
_ONE_BEFORE = re.compile(
    r"\b(?:the\s+)?(?:one|period)\s+before(?:\s+(?:that|it))?\b|\b(?:the\s+)?(?:previous|prior|preceding)\s+one\b"
    r"|\bbefore\s+that\W*$",
    re.IGNORECASE,
)


NUMBERS = ("one", "two", "three", "four", "five")
_YEARS_BACK = re.compile(
    rf"\b(?P<number>{'|'.join(NUMBERS)}|[1-9])\s+years?\s+(?:earlier|before|ago|prior)\b", re.IGNORECASE
)


def spelled(question: str) -> str:
    """The question with 'the one before' as the quarter that it means, and without 'in the same quarter', which a
    follow-up means anyway."""
    counted = _ONE_BEFORE.sub("the quarter before", question)
    shorter = _SAME_PERIOD.sub("", counted)
    return shorter if re.search(r"\w", shorter) else counted


def carried(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """The period that `now` asks for with a preposition; a relative one is counted from `earlier`'s, '' if `now`
    asks for no period. Dates are named where the catalog knows them."""
    following = NEXT.search(now.text)
    duration = DURATION.search(now.text)
    if year := _year_counted(now, earlier):
        return year
    if not now.asks and not following and not duration:
        return ""
    origin = _origin(earlier, catalog)
    if origin is not None:
        in_dates = _in_dates(now, earlier, *origin)
        if in_dates:
            return in_dates
    if now.asks:
        return _worded(now, earlier)
    if following is not None:
        return f"in {following.group()}"
    return f"for the {spoken(duration)}" if duration is not None else ""


def _year_counted(now: Slots, earlier: Slots) -> str:
    """The year that 'the year before' or 'two years earlier' means after one that is named: 'in fiscal 2021'."""
    back = _YEARS_BACK.search(now.text)
    one = len(now.asks) == 1 and now.asks[0].kind in ("year_ago", "last_year")
    if (
        not (back or one)
        or [ask.kind for ask in earlier.asks] != ["year"]
        or not (year := earlier.asks[0].year)
    ):
        return ""
    number = back["number"].lower() if back else "one"
    counted = year - (int(number) if number.isdigit() else NUMBERS.index(number) + 1)
    return earlier.period.replace(str(year), str(counted))


def spoken(duration: re.Match[str]) -> str:
    """'nine months' as it is said; 'just the quarter' as three months."""
    text = duration.group()
    return text if text[0].isdigit() or "month" in text.lower() else "three months"


def moved_to(key: str, earlier: Slots, catalog: Catalog | None) -> str:
    """The period of `earlier` as company `key` has it, with a preposition; '' where the words mean the same to both."""
    origin = _origin(earlier, catalog)
    if origin is None or catalog is None or len(earlier.asks) != 1:
        return ""
    ask, base = earlier.asks[0], origin[0]
    fixed = ask.kind == "date" or ask.basis == "fiscal"
    view = CompanyPeriods(catalog, key)
    if base.end is None or not (fixed or ask.kind == "quarter"):
        return ""
    found = [each.end for each in view.resolve(ask, ())]
    if found and (
        ask.kind == "date"
        or any(end is None or abs((end - base.end).days) < MIN_DAYS_OTHER_YEAR for end in found)
    ):
        return ""
    for ends in (view.document_ends, view.ends):
        near = [end for end in ends if abs((end - base.end).days) <= MAX_DAYS_SAME_QUARTER]
        if near:
            end = min(near, key=lambda day: abs((day - base.end).days) if base.end else 0)
            return _phrase(PeriodFilter(end=end), earlier, _duration(earlier, base))
    return ""


def as_flow(earlier: Slots) -> str:
    """The period of `earlier` for any figure: a balance is found by its quarter, too, but no flow by a day."""
    day = earlier.asks[0].day if earlier.asks else None
    if len(earlier.asks) == 1 and day is not None and _is_balance(earlier):
        return f"in the quarter ended {day_in_words(day)}"
    return earlier.period


def balance_before(earlier: Slots, catalog: Catalog | None) -> str:
    """The last day before that of a balance at which there are balances: 'September 30, 2023'; '' if there is none."""
    origin = _origin(earlier, catalog) if _is_balance(earlier) else None
    if origin is None or origin[0].end is None:
        return ""
    last = origin[0].end
    days = sorted({p.end for p in origin[1].facts if p.months == 0 and p.end is not None and p.end < last})
    return day_in_words(days[-1]) if days else ""


def _is_balance(earlier: Slots) -> bool:
    dated = bool(earlier.asks) and earlier.asks[0].kind == "date"
    return dated and bool(_AT_DAY.search(earlier.text[: earlier.asks[0].start]))


def _origin(earlier: Slots, catalog: Catalog | None) -> tuple[PeriodFilter, CompanyPeriods] | None:
    """The one period that `earlier` is about, and its company's periods; None where they are not known."""
    if catalog is None or len(earlier.indexed) != 1:
        return None
    view = CompanyPeriods(catalog, earlier.indexed[0])
    if not earlier.asks:
        return (view.as_filter(view.latest), view) if view.latest is not None else None
    resolved = resolve_periods(earlier.text, earlier.asks, catalog, earlier.indexed, named=True)
    found = sorted(resolved.filters, key=lambda each: each.end is None)
    first = earlier.asks[0]
    if found:
        return found[0], view
    if first.kind == "quarter" and first.year is not None:
        return PeriodFilter(fiscal_year=first.year, fiscal_quarter=first.quarter), view
    return None


def _in_dates(now: Slots, earlier: Slots, origin: PeriodFilter, view: CompanyPeriods) -> str:
    """The period in dates; '' where `now` names it outright, or where nothing can be counted."""
    if NEXT.search(now.text):
        return _phrase(_stepped(1, origin, view), earlier, 3)
    if not now.asks:
        duration = DURATION.search(now.text)
        length = spoken(duration) if duration is not None else ""
        return f"for the {length} ended {day_in_words(origin.end)}" if origin.end and length else ""
    if (same := _SAME_OF_YEAR.search(now.text)) and (label := _label(origin, view)):
        quarters = 4 * (int(same["year"]) - label[0])
        return _phrase(_stepped(quarters, origin, view), earlier, _duration(earlier, origin))
    return _counted(now, earlier, origin, view) if len(now.asks) == 1 else ""


def _counted(now: Slots, earlier: Slots, origin: PeriodFilter, view: CompanyPeriods) -> str:
    """The one period phrase of `now`, counted from `origin`; '' where it is not a relative one."""
    ask = now.asks[0]
    if ask.kind == "previous" or (ask.kind == "latest" and _LAST_QUARTER.match(ask.text)):
        return _phrase(_stepped(-1, origin, view), earlier, 3)
    if ask.kind == "this_year" and _TO_DATE.search(ask.text):
        label = _label(origin, view)
        return _phrase(origin, earlier, 3 * label[1]) if label and origin.end else ""
    if ask.kind in ("year_ago", "last_year"):
        return _phrase(_stepped(-4, origin, view), earlier, _duration(earlier, origin))
    if ask.kind == "quarter" and ask.year is None and ask.months == 3:
        label = _label(origin, view)
        return f"{now.period} {label[0]}" if label else ""
    return ""


def _stepped(quarters: int, origin: PeriodFilter, view: CompanyPeriods) -> PeriodFilter | None:
    """The period so many quarters on; by its label where the index has no such period."""
    kinds: dict[int, AskKind] = {-1: "previous", -4: "year_ago"}
    if (
        origin.end
        and quarters in kinds
        and (found := view.resolve(PeriodAsk(kinds[quarters], "", 0, 0), [origin]))
    ):
        return found[0]
    label = _label(origin, view)
    if label is None:
        return None
    year, quarter = divmod(4 * label[0] + label[1] - 1 + quarters, 4)
    ask = PeriodAsk("quarter", "", 0, 0, quarter=quarter + 1, year=year, basis="fiscal")
    found = view.resolve(ask, ())
    return found[0] if found else PeriodFilter(fiscal_year=year, fiscal_quarter=quarter + 1)


def _label(period: PeriodFilter, view: CompanyPeriods) -> tuple[int, int] | None:
    """Fiscal year and quarter of a period."""
    if period.end is None:
        known = period.fiscal_year is not None and period.fiscal_quarter is not None
        return (period.fiscal_year or 0, period.fiscal_quarter or 0) if known else None
    labels = {
        (p.fiscal_year, p.fiscal_quarter)
        for p in (*view.documents, *view.facts)
        if p.end == period.end and p.fiscal_year and p.fiscal_quarter
    }
    return min((year, quarter) for year, quarter in labels if year and quarter) if labels else None


def _duration(earlier: Slots, origin: PeriodFilter) -> int | None:
    """How long the period of `earlier` is; 0 for a balance, None where it does not say."""
    if _is_balance(earlier):
        return 0
    if origin.months:
        return origin.months
    duration = DURATION.search(earlier.text)
    words = {name: months for months, name in MONTHS_IN_WORDS.items()}
    length = spoken(duration).lower().replace("-", " ") if duration is not None else ""
    return words.get(length) or (int(length.split()[0]) if length[:1].isdigit() else None)


def _phrase(period: PeriodFilter | None, earlier: Slots, months: int | None) -> str:
    """'in the quarter ended April 1, 2023', 'at April 1, 2023', 'in fiscal Q2 2021'; '' for no period."""
    if period is None:
        return ""
    if period.end is None:
        label = replace(period, months=None).describe()
        return f"in {label}" if label else ""
    day = day_in_words(period.end)
    if months == 0:
        return f"at {day}"
    span = MONTHS_IN_WORDS.get(months or 3, f"{months} months")
    return f"in the quarter ended {day}" if span == "three months" else f"for the {span} ended {day}"


def _worded(now: Slots, earlier: Slots) -> str:
    """The period in the words of both questions: 'in the quarter before the quarter ended July 1, 2023'."""
    period, first = now.period, now.asks[0]
    if len(now.asks) == 1 and first.kind in ("previous", "year_ago") and earlier.asks:
        period = re.sub(r"\s+(?:that|this|it)$", "", period)
        if first.kind == "year_ago":
            period = "in the same period a year before"
        return f"{period} {PREPOSITION.sub('', earlier.period)}"
    years = [ask.year for ask in earlier.asks if ask.year]
    if first.kind == "quarter" and first.year is None and years and not earlier.asks[-1].day:
        basis = "fiscal " if earlier.asks[-1].basis == "fiscal" else ""
        return f"{period} {'of ' if basis else ''}{basis}{years[-1]}"
    return period
