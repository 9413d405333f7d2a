"""Question -> what it asks to be computed: the operation and its figures as learnt, companies and periods as read."""

from __future__ import annotations

import re
from dataclasses import replace

from graphs.contracts import PlannedCalculation, Reading
from graphs.local.question.asked_formulas import (
    ACROSS,
    SALES,
    averaged_in,
    formula_of,
    named_measure,
    part_of,
)
from graphs.local.question.asked_limits import asked_limit
from graphs.local.question.asked_over_time import (
    Whens,
    at_both_ends,
    by_parts_of_time,
    over_two_times,
    with_length,
)
from graphs.local.question.computed_companies import of_everybody, of_sellers
from graphs.local.question.computed_periods import is_since_opening, is_whole_year, target_of, whens_of
from graphs.local.question.limits import days_said, how_many, limit_of
from graphs.local.question.named_spans import SURE_CHANCE, is_of_times, listed_names, with_names
from graphs.local.question.period_phrases import find_asks
from tools.calculate.measures import measure_called
from tools.calculate.questions import AskedSum
from tools.calculate.resolving import WHOLE
from tools.calculate.types import OF_ACROSS, RANKED, Asked, Over, Pick
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.lexicon.asked_metrics import statement_named
from tools.knowledge.search.breakdown import dimensions_in
from tools.scope import Scope

MIN_CHANCE = 0.5
"""Probability of operation and use together from which a question is computed."""
MIN_SHARE = 0.08
"""Probability of a share from which two figures of a question are looked up for one."""
TWO = 2
"""Times that something changes between."""
SIDE_BY_SIDE = ("difference", "sum", "average", "period")
"""Operations that are not made of several companies' figures."""
PRINTED = ("none", "growth", "change", "period", "sum")
"""Operations whose results pages may print."""
_PICKS = re.compile(r"\b(?:which|who|where|rank\w*)\b", re.IGNORECASE)
_COMPARE = re.compile(r"\bcompare\b(?!\s+(?:to|with)\b)", re.IGNORECASE)
"""Asks to see figures side by side."""
_WHICH_OF = re.compile(r"\b(?:which|what)(?:\s+\w+){1,6}", re.IGNORECASE)
"""With what follows: 'which of the four geographic segments'."""
_ONE = re.compile(r"\w+\s+ones?\b", re.IGNORECASE)
_IN_HUNDREDTHS = re.compile(
    r"(?<!\d)(?<!\d\s)(?:%|\bper\s?cent(?:age)?\b)(?!\s+points?\b)|\bcents\b.*\bdollar\b", re.IGNORECASE
)
"""Says how a result is put; of '4.5% notes' it is a name."""
_SET_ASIDE = re.compile(r"\(\s*(?:not|without|excluding|leaving)\b[^()]*\)", re.IGNORECASE)


def calculation_asked(
    reading: Reading, catalog: Catalog, within: Scope, read: AskedSum
) -> PlannedCalculation | None:
    """The calculation that answers a question, which was `read` so; None where it asks for none that can be told."""
    if reading.unknown_companies:
        return None
    named = bool(reading.scope.companies)
    reading = of_sellers(read, reading, catalog) if named else of_everybody(read, reading, catalog)
    companies = reading.companies or reading.scope.companies
    if not companies:
        return None
    read, asked = _planned(read, reading)
    if asked is None:
        return None
    alone = read.operation == "period" and asked.formula == "a"
    target = target_of(reading) if alone else None
    if target is not None:  # no line about another period stands for it
        asked = asked.model_copy(update={"derived": False})
    whens: Whens = [(key, whens_of(reading, catalog, within, key, asked, target)) for key in companies]
    asked, whens = by_parts_of_time(asked, reading, whens)
    asked = _over_time(asked, read, reading, times=max(len(own) for _, own in whens))
    if alone and is_whole_year(target, reading):  # what of it is asked for was not read
        asked = unread(read, reading)
    whens = with_length(asked, reading, whens)
    asked = asked.model_copy(update={"of_all": not named, "since_opening": is_since_opening(reading)})
    return PlannedCalculation(asked=asked, companies=companies, periods=tuple(whens))


def _planned(read: AskedSum, reading: Reading) -> tuple[AskedSum, Asked | None]:
    """What is to be computed, and how the question was read for it."""
    read = _at_one_time(_unranked(read, reading), reading)
    perhaps = _is_perhaps_share(read, reading)
    read = _by_size(with_names(replace(read, operation="share") if perhaps else read, reading), reading)
    wanted = _is_asked(read, reading) and not perhaps
    asked = _asked(read, reading) if wanted else _derived(read, reading)
    beside = len(reading.companies) > 1 and read.chance < MIN_CHANCE  # their figures are told side by side
    if asked is None and wanted and not beside and not (read.use == "value" and read.operation in PRINTED):
        asked = unread(read, reading)
    return read, asked


def _unranked(read: AskedSum, reading: Reading) -> AskedSum:
    """A figure of 'the most recent quarter' is no highest one: nothing is named of which one is to be picked; nor are
    several of one company listed where none are named, surely."""
    unsure = read.operation == "none" and read.chance < SURE_CHANCE
    if read.use == "list" and unsure and not read.set_words and len(reading.companies) < TWO:
        return replace(read, use="value")
    latest = [ask.text for ask in find_asks(reading.question) if ask.kind == "latest"]
    ranked = bool(read.set_words) and not any(read.set_words in f"the {text}" for text in latest)
    picks = ranked or len(reading.companies) > 1 or _PICKS.search(reading.question)
    return read if picks or read.use not in RANKED else replace(read, use="value")


def _at_one_time(read: AskedSum, reading: Reading) -> AskedSum:
    """Figures are ranked, not their changes, where it is not sure that these are, and one time is spoken of."""
    changes = read.operation in ("change", "growth") and read.use in RANKED and read.chance < SURE_CHANCE
    years = {ask.year for ask in find_asks(reading.question) if ask.year}
    several = bool(reading.compared_periods) or len(years) > 1
    return replace(read, operation="none") if changes and not several else read


def _is_perhaps_share(read: AskedSum, reading: Reading) -> bool:
    """Whether two figures may be asked for as a share, though the question asks rather for what a page prints."""
    part = read.a or (read.b and reading.entities)
    of_two = bool(part) and bool(read.b or [each for each in reading.metrics if each not in read.a])
    return read.operation == "none" and read.use == "value" and read.share >= MIN_SHARE and of_two


def _by_size(read: AskedSum, reading: Reading) -> AskedSum:
    """The biggest segment, product or region is the one that sells most, where the question names no figure."""
    ranked = read.operation == "none" and read.use in RANKED and not (read.a or reading.metrics)
    return replace(read, a=SALES) if ranked and dimensions_in(read.set_words) else read


def _over_time(asked: Asked, read: AskedSum, reading: Reading, *, times: int) -> Asked:
    """One result for each of several periods of what is made of one; one figure of one period is no sum or mean. Parts
    are ranked between two times by what changed."""
    several = times > 1
    ranked = read.use in RANKED and asked.over == "part" and not (asked.across or asked.threshold)
    if times == TWO and ranked:
        title = f"{OF_ACROSS['change']} {asked.title}"
        return asked.model_copy(update={"across": "change", "title": title})
    if asked.across in ("sum", "average") and asked.formula == "a" and not several:
        if asked.across == "sum":  # of years to come, which a schedule has, or of one time alone
            return _derived(read, reading) or asked.model_copy(update={"derived": True})
        return at_both_ends(asked, reading) or unread(read, reading)
    if several and not (asked.across or asked.over) and read.operation in ("measure", "ratio", "share"):
        return asked.model_copy(update={"over": "period"})
    return asked


def unread(read: AskedSum, reading: Reading) -> Asked:
    """What was to be computed, where it can't be read of what."""
    what = {"none": "a ranking", "measure": "a ratio"}.get(read.operation, f"the {read.operation}")
    return Asked(
        title=f"{what} of {' and '.join(reading.metrics)}" if reading.metrics else what,
        across=ACROSS.get(read.operation, ""),
        apart=read.operation in ("difference", "ratio"),  # of two, which no page prints
        is_share=read.operation == "share",
        yes_no=read.use == "yesno",
        said=reading.question,
    )


def _is_asked(read: AskedSum, reading: Reading) -> bool:
    """Whether something is to be computed, surely enough, or a line item ranked. Figures of several companies or of a
    breakdown, side by side, are not added or taken from one another."""
    if _is_line_of_cash_flow(read, reading):
        return False
    sure = read.chance >= SURE_CHANCE
    beside = len(reading.parts) > 1 and not sure
    listed = len(reading.companies) > 1 or reading.spelled_out or beside
    apart = read.operation == "difference" and sure
    told = read.use == "value" or (read.use == "list" and not sure)
    if told and listed and read.operation in SIDE_BY_SIDE and not apart:
        return False
    if read.whether >= SURE_CHANCE or (read.use in RANKED and reading.metrics):
        return True
    if read.use == "list" and read.operation == "measure" and named_measure(reading.question):
        return True
    return read.chance >= MIN_CHANCE and _has_figures(read, reading)


def _is_line_of_cash_flow(read: AskedSum, reading: Reading) -> bool:
    """Whether a change is what the cash flow statement prints as a line of its own, as it does changes of balances."""
    return read.operation == "change" and not read.minus and statement_named(reading.question) == "cash_flow"


def _has_figures(read: AskedSum, reading: Reading) -> bool:
    """Whether there is something to compute, or a figure to hold against another."""
    of_figures = read.operation != "none" or (read.use != "value" and (reading.metrics or read.a))
    return bool(of_figures)


def _derived(read: AskedSum, reading: Reading) -> Asked | None:
    """A plain figure of one period, for the case that no page prints that period of it, or a measure that none prints
    at all; or a share that one may print."""
    if read.operation == "share":
        share = formula_of(read, reading)
        if share is not None and WHOLE not in share.formula:
            return share.model_copy(update={"derived": True, "said": reading.question})
    named = named_measure(reading.question)
    if named and read.use == "value" and len(reading.entities) < 2:
        measure, averaged = measure_called(named), averaged_in(reading.question)
        part = "".join(reading.entities) or (part_of(read.a, measure, reading) if measure else "")
        said = reading.question
        return Asked(title=named, measure=named, part=part, averaged=averaged, derived=True, said=said)
    if len(reading.metrics) != 1 or len(reading.companies) != 1 or reading.parts or not reading.months:
        return None
    name = " ".join((*reading.entities[:1], *reading.metrics))
    return Asked(title=name, formula="a", items=(("a", name),), derived=True)


def _asked(read: AskedSum, reading: Reading) -> Asked | None:
    """What is to be computed; None where the question names no figure for it, or it is unsure what is made of it."""
    base = _formula(read, reading)
    if base is None:
        return None
    if read.operation == "period" and read.use == "yesno":  # 'can you back it out of the year?'
        read = replace(read, use="value")
    is_named = bool(base.measure) and base.measure == named_measure(reading.question)
    if read.chance < MIN_CHANCE and not is_named:
        return None
    base, read = over_two_times(base, read, reading)
    read = _of_parts(read, reading)
    pick: Pick = read.use if read.use in RANKED else read.end if read.use == "list" else ""
    threshold, above = asked_limit(read, base, reading)
    over = base.over or _over(read, reading, ranked=bool(pick), across=bool(base.across))
    compared = " - b" in base.formula or read.operation == "difference"
    if read.use == "yesno" and not (threshold or over or compared):
        return None
    return base.model_copy(
        update={
            "pick": pick,
            "top": how_many(reading.question) if pick else 0,
            "threshold": threshold,
            "above": above,
            "yes_no": read.use == "yesno",
            "over": over,
            "parts": base.parts or (listed_names(read.set_words, reading) if over == "part" else ()),
            "set_words": read.set_words or _asked_which(over, reading),
            "said": _SET_ASIDE.sub(" ", reading.question),
            "derived": base.derived or _may_be_said(read, base, reading),
            "days": days_said(reading.question),
        }
    )


def _formula(read: AskedSum, reading: Reading) -> Asked | None:
    """Of figures, or of lines that are ranked by themselves, put as the question wants it."""
    base = formula_of(read, reading) or _of_named_lines(read, reading)
    return _in_percent(base, read, reading) if base else None


def _of_named_lines(read: AskedSum, reading: Reading) -> Asked | None:
    """Lines that are named one by one and ranked, where no figure is ('raw materials or finished goods, which grew
    fastest?'); None where they are not."""
    by_themselves = read.use in RANKED and read.operation in ("none", "growth", "change", "cagr")
    if not by_themselves or read.a or read.b or len(reading.companies) > 1:
        return None
    names = listed_names(read.set_words, reading)
    if len(names) < TWO:
        return None
    across = ACROSS.get(read.operation, "")
    title = f"{OF_ACROSS[across]} {' and '.join(names)}" if across else " and ".join(names)
    return Asked(formula="a", items=(("a", ""),), across=across, over="part", parts=names, title=title)


def _of_parts(read: AskedSum, reading: Reading) -> AskedSum:
    """Without a time for its set where it asks 'which location' of something else."""
    pieces = [each for each in read.set_words.split("; ") if dimensions_in(each) and not is_of_times(each)]
    if pieces:  # 'of the three segments, December quarter - which one?'
        return replace(read, set_words="; ".join(pieces))
    which = _WHICH_OF.search(reading.question) if read.use in RANKED and is_of_times(read.set_words) else None
    again = which is not None and _ONE.match(which[0]) is not None  # of what was named before
    timed = which is None or again or is_of_times(which[0]) or bool(find_asks(which[0]))
    return read if timed else replace(read, set_words="")


def _may_be_said(read: AskedSum, base: Asked, reading: Reading) -> bool:
    """Whether a line may say it where nothing is computed: 'how many of its stores were open on Sundays?', or figures
    of several companies side by side."""
    sure = base.apart and read.chance >= SURE_CHANCE and not _COMPARE.search(reading.question)
    beside = len(reading.companies) > 1 and read.operation in SIDE_BY_SIDE and not sure
    return read.use == "value" and (beside or read.chance < SURE_CHANCE)


def _in_percent(asked: Asked, read: AskedSum, reading: Reading) -> Asked:
    """A ratio that is asked for in percent, or held against a limit in percent, is put so."""
    limited = read.use in ("yesno", "list") and limit_of(reading.question)[0]
    said = limited or (read.use == "value" and _IN_HUNDREDTHS.search(reading.question))
    of_two = read.operation == "ratio" and said
    return asked.model_copy(update={"shown": asked.shown or "percent"}) if of_two else asked


def _asked_which(over: Over, reading: Reading) -> str:
    """What parts are called where no words of a set were told: 'which named country'."""
    which = _WHICH_OF.search(reading.question) if over == "part" else None
    return which[0] if which else ""


def _over(read: AskedSum, reading: Reading, *, ranked: bool, across: bool) -> Over:
    """Of what there is one result each."""
    if len(reading.companies) > 1:
        return "company"
    if ranked:
        years = {ask.year for ask in find_asks(reading.question) if ask.year}
        if len(years) > 1 and not (across or read.set_words):
            return "period"
        if dimensions_in(read.set_words):
            return "part"
        return "period" if is_of_times(read.set_words) else "part"
    return ""


def may_be_printed(asked: Asked) -> bool:
    """Whether running text is likely to give the result itself: a rate of the whole company."""
    measure = measure_called(asked.measure)
    plain = not (asked.part or asked.across or asked.pick or asked.yes_no)
    return plain and measure is not None and measure.shown == "percent"
