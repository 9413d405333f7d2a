"""Periods as drafts and evidence mention them, and whether one fits another or a figure's own period."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from tools.documents.text.dates import DateMention, find_dates, month_number
from tools.period_words import ALL_ORDINALS, ANY_ORDINAL, LENGTHS, MONTH_LENGTH, MONTHS, WEEK_LENGTH
from tools.periods import Period

LEAD = 40
_MONTHS_OF = LENGTHS | {"one": 1, "two": 2, "four": 4, "five": 5}
_SPAN = (
    rf"(?:{MONTH_LENGTH})(?=[\s-]+months?\b)|(?:\d{{1,2}}|one|two|four|five)(?=\s+months?\s+ended)|"
    rf"(?:{WEEK_LENGTH})(?=[\s-]+weeks?\b)"
)
_YEAR = (
    r"(?:(?P<fy>fiscal(?:\s+year)?|fy|financial\s+year)[\s'’]*)?(?P<year>(?:19|20)\d\d|"
    r"(?<=[fF][yY])\d\d|(?<=['’])\d\d)"
)
_QUARTER = re.compile(
    r"(?<![\w-])(?:(?P<before>(?:19|20)\d\d)[\s-]+)?(?:(?:fiscal|calendar)\s+)?"
    rf"(?:q(?P<q>[1-4])|(?P<q2>[1-4])q(?P<glued>\d\d)?|(?P<o>{ANY_ORDINAL})[\s-]+(?:fiscal\s+)?quarter)"
    rf"(?![\w])(?:[\s,'’-]*(?:of\s+|in\s+|for\s+)?(?:the\s+)?(?:calendar\s+)?{_YEAR}(?!\w))?",
    re.IGNORECASE,
)
_DURATION = re.compile(
    rf"(?<![\w-])(?:(?P<ytd>first\s+)?(?P<n>{_SPAN})[\s-]+(?:months?|weeks?)\b|(?P<half>(?:first|"
    rf"second)\s+half|half[\s-]year)\b"
    r"|(?P<year>full[\s-]year|fiscal\s+year|year|twelve\s+months)(?=\s+end(?:ed|ing))|"
    r"(?P<quarter>quarter(?=\s+end(?:ed|ing))))",
    re.IGNORECASE,
)
_YEARS = re.compile(
    rf"(?<![\w$€£.,/-]){_YEAR}(?![\d,]*\d)(?!\s*(?:million|billion|thousand|%|percent|shares|units|"
    rf"employees))",
    re.I,
)
_ANY_DATE = re.compile(rf"\b({'|'.join(MONTHS)})\s+(\d{{1,2}}),?\s+((?:19|20)\d\d)\b", re.IGNORECASE)
_ENDED = re.compile(r"\s*(?:then\s+)?end(?:ed|ing)\s+(?:on\s+)?$", re.IGNORECASE)
_AS_OF = re.compile(r"\b(?:as\s+(?:of|at)|balance\s+at|at)\s+$", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:a|one)\s+year\s+(?:ago|earlier|before)\b|\byear[\s-](?:ago|earlier)\b|\bthe\s+year\s+before\b|"
    r"\b(?:the\s+)?(?:prior|previous|last|preceding)(?:[\s-]+year(?:['’]s)?)?\s+(?:quarter|period)\b|"
    r"\b(?:prior|previous)\s+year\b|"
    r"\bthe\s+(?:same|comparable|corresponding|year-ago)\s+(?:quarter|period)(?:\s+(?:of\s+)?(?:last|"
    r"the\s+(?:prior|previous))\s+year)?",
    re.IGNORECASE,
)
_BASE = re.compile(
    r"(?:\b(?:compared|relative)\s+(?:to|with)|\bversus|\bvs\.?|\bthan|\bfrom|\bagainst|\bover|\bup on|"
    r"\bdown on|\bby comparison)"
    r"[^;.]{0,60}$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """One period phrase; what it does not say is None."""

    text: str
    start: int
    end: int
    day: date | None = None
    month: int | None = None
    """Of 'June 2023' and 'June 25' alike."""
    number: int | None = None
    """Day of the month."""
    year: int | None = None
    fiscal: bool = False
    quarter: int | None = None
    months: int | None = None
    """Duration said: 3, 6, 9, 12, or 0 for 'as of'."""
    base: bool = False
    """True for what something is compared with: 'than in 2022'."""


@lru_cache(maxsize=4096)
def find_mentions(text: str) -> tuple[Mention, ...]:
    """Period phrases of `text` in order, a duration joined with the date it ended on."""
    found = [_dated(text, d) for d in find_dates(text)]
    for match in _ANY_DATE.finditer(text):
        if not _overlaps(match.span(), found):  # 'February 30, 2024' is no date, but is said like one
            number = month_number(match[1])
            found.append(
                Mention(match[0], *match.span(), month=number, number=int(match[2]), year=int(match[3]))
            )
    for match in _QUARTER.finditer(text):
        if not _overlaps(match.span(), found):
            found.append(_quarter_mention(match))
    for match in _DURATION.finditer(text):
        months = _months(match)
        joined = [m for m in found if m.day and _ENDED.fullmatch(text[match.end() : m.start])]
        if joined:
            found[found.index(joined[0])] = replace(joined[0], start=match.start(), months=months)
        elif not match["year"] and not _overlaps(match.span(), found):
            found.append(Mention(match.group(), *match.span(), months=months))
    for match in _YEARS.finditer(text):
        if not _overlaps(match.span(), found):
            found.append(
                Mention(match.group(), *match.span(), year=_year(match["year"]), fiscal=bool(match["fy"]))
            )
    for match in _RELATIVE.finditer(text):  # says no period of its own, but stands for one
        if not _overlaps(match.span(), found):
            found.append(Mention(match.group(), *match.span()))
    found.sort(key=lambda m: m.start)
    return tuple(replace(m, base=bool(_BASE.search(text[max(0, m.start - 80) : m.start]))) for m in found)


def without_periods(text: str, lead: re.Pattern[str] | None = None) -> str:
    """`text` with a blank for each period that it mentions, and for what `lead` matches among the `LEAD` characters
    before it."""
    for mention in reversed(find_mentions(text)):
        at = max(0, mention.start - LEAD)
        before = lead.sub("", text[at : mention.start]) if lead else text[at : mention.start]
        text = f"{text[:at]}{before} {text[mention.end :]}"
    return text


def _dated(text: str, d: DateMention) -> Mention:
    as_of = d.day is not None and _AS_OF.search(text[max(0, d.start - 14) : d.start])
    return Mention(
        d.text, d.start, d.end, d.date, d.month, d.day, d.year, months=0 if as_of and d.date else None
    )


def _quarter_mention(match: re.Match[str]) -> Mention:
    number = int(match["q"] or match["q2"] or 0) or ALL_ORDINALS[match["o"].lower()]
    year = match["year"] or match["before"] or match["glued"]
    fiscal = bool(match["fy"]) or "fiscal" in match.group().lower()
    return Mention(
        match.group(),
        *match.span(),
        year=_year(year) if year else None,
        fiscal=fiscal,
        quarter=number,
        months=3,
    )


def _months(match: re.Match[str]) -> int:
    if match["n"]:
        said = match["n"].lower()
        return _MONTHS_OF[said] if said in _MONTHS_OF else int(said)
    return 6 if match["half"] else 3 if match["quarter"] else 12


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


def _overlaps(span: tuple[int, int], found: Iterable[Mention]) -> bool:
    return any(span[0] < m.end and m.start < span[1] for m in found)


def fits_period(mention: Mention, period: Period) -> bool:
    """True if `period` may be called so: every condition that the phrase sets and the period can be asked
    holds."""
    if _is_impossible(mention) or not (_ends_on(mention, period) and _lasts(mention, period)):
        return False
    if mention.quarter is not None:
        return _fits_quarter(mention, period)
    if mention.month is not None and mention.day is None:
        return _fits_month(mention, period)
    if mention.year is not None and mention.day is None:
        return _fits_year(mention, period)
    return True


def _ends_on(mention: Mention, period: Period) -> bool:
    """A day, with a year or without, is the period's last one."""
    if mention.day is not None and mention.day != period.end:
        return False
    last = (period.end.month, period.end.day) if period.end else None
    return not mention.number or last is None or (mention.month, mention.number) == last


def _lasts(mention: Mention, period: Period) -> bool:
    """A duration is the period's; a balance at the end of a quarter may be called by the quarter."""
    if mention.months is None or period.months is None or mention.months == period.months:
        return True
    return period.months == 0 and mention.quarter is not None


def _fits_month(mention: Mention, period: Period) -> bool:
    if period.end is None or mention.month not in _months_near(period.end):
        return False
    return mention.year is None or abs(period.end.year - mention.year) <= (period.end.month in (1, 12))


def _fits_year(mention: Mention, period: Period) -> bool:
    ends = period.end.year if period.end else None
    return mention.year == period.fiscal_year or (
        mention.year == ends and not _is_other_fiscal(mention, period)
    )


def _is_other_fiscal(mention: Mention, period: Period) -> bool:
    return mention.fiscal and period.fiscal_year is not None and period.fiscal_year != mention.year


def _is_impossible(mention: Mention) -> bool:
    """'February 30, 2024' is no day."""
    return mention.day is None and mention.number is not None and mention.year is not None


def _months_near(end: date) -> set[int]:
    """A quarter that ends on October 1 is called the September quarter too."""
    return {end.month, (end - timedelta(days=7)).month}


def _fits_quarter(mention: Mention, period: Period) -> bool:
    fiscal = period.fiscal_quarter == mention.quarter and mention.year in (None, period.fiscal_year)
    if fiscal or period.end is None or mention.fiscal:
        return fiscal
    middle = period.end - timedelta(days=7)
    return (middle.month - 1) // 3 + 1 == mention.quarter and mention.year in (
        None,
        middle.year,
        period.end.year,
    )


def _lies_between(mention: Mention, others: Sequence[Mention]) -> bool:
    """'over six months', where the passage names two days so far apart."""
    days = sorted({o.day for o in others if o.day})
    wanted = (mention.months or 0) * 30.4
    return any(abs((b - a).days - wanted) < 8 for a in days for b in days if a < b)


def fits_mentions(mention: Mention, others: Sequence[Mention], period: Period) -> bool:
    """True if a passage that mentions `others`, in a document about `period`, supports `mention`.

    What the passage itself says of a kind (day, year, quarter, duration) decides; the document's period decides
    only on what the passage leaves open.
    """
    others = _on_same_side(mention, others)
    if (
        _is_impossible(mention)
        or not _is_day_named(mention, others, period)
        or _is_other_year(mention, others)
    ):
        return False
    undated = not (mention.year or mention.quarter or mention.day)
    if mention.months and undated and _lies_between(mention, others):
        return True
    return (
        _is_duration_named(mention, others)
        and _is_quarter_named(mention, others, period)
        and (mention.day is not None or _is_month_named(mention, others, period))
        and (mention.day is not None or _is_year_named(mention, others, period))
    )


def _on_same_side(mention: Mention, others: Sequence[Mention]) -> Sequence[Mention]:
    """Without what the passage compares with, unless `mention` is compared with, too, or nothing else is named."""
    own = [o for o in others if not o.base]
    return own if own and not mention.base else others


def _is_day_named(mention: Mention, others: Sequence[Mention], period: Period) -> bool:
    if mention.day is not None:
        days = {o.day for o in others if o.day}
        return mention.day in days or (not days and mention.day == period.end)
    if mention.number:
        said = {(o.month, o.number) for o in others if o.number}
        last = {(period.end.month, period.end.day)} if period.end else set()
        return (mention.month, mention.number) in (said or last)
    return True


def _is_other_year(mention: Mention, others: Sequence[Mention]) -> bool:
    """'In March 2022' where the passage has March 2023, and 2022 elsewhere."""
    dated = [o for o in others if o.year and mention.year and mention.day is None]
    same_month = [o for o in dated if mention.month and o.month == mention.month]
    same_quarter = [o for o in dated if mention.quarter and o.quarter == mention.quarter]
    return any(alike and all(o.year != mention.year for o in alike) for alike in (same_month, same_quarter))


def _is_duration_named(mention: Mention, others: Sequence[Mention]) -> bool:
    """A passage without a duration is of a quarter, or of the day that ends it."""
    said = {o.months for o in others if o.months is not None}
    return mention.months is None or mention.months in (said or {3, 0})


def _is_quarter_named(mention: Mention, others: Sequence[Mention], period: Period) -> bool:
    said = {o.quarter for o in others if o.quarter}
    if mention.quarter is None or mention.quarter in said:
        return True
    return not said and _fits_quarter(mention, period)


def _is_month_named(mention: Mention, others: Sequence[Mention], period: Period) -> bool:
    said = {o.month for o in others if o.month}
    if mention.month is None or mention.month in said:
        return True
    return not said and period.end is not None and mention.month in _months_near(period.end)


def _is_year_named(mention: Mention, others: Sequence[Mention], period: Period) -> bool:
    said = {o.year for o in others if o.year}
    own = {period.fiscal_year, period.end.year if period.end else None}
    return mention.year is None or mention.year in (said or own)
