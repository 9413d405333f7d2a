"""Calculations in words: a line with the result, then the formula with its figures, each with its source."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from tools.calculate.types import Calculation, Computed, Operand, Shown
from tools.periods import Period
from tools.quantities import SCALE_WORDS, group_digits, render_quantity, render_unit

Cite = Callable[[str], str]
"""Item id -> marker: '[3]'; '' where nothing is cited."""
MIN_DIGITS = 4
"""Significant digits that a result is shown with, at least; two decimals are the most but for small ones."""
MAX_IN_PERCENT = 5
"""Ratio below which it is put in percent, too."""
_FACTORS: Mapping[Shown, int] = {"percent": 100, "points": 100}
_NAME = re.compile(r"[A-Za-z_]\w*")
_AVERAGED = re.compile(r"average\(([^()]*)\)")
_HEADS = {"company": "Company", "period": "Period", "part": "Part"}


def shown_number(value: Decimal) -> str:
    """Two decimals, fewer above 1,000, more where four digits need them: '27.91', '0.9816', '5,370'."""
    places = 2 if abs(value) >= 1 else 4
    if value and abs(value) < Decimal("0.01"):
        places = MIN_DIGITS - value.adjusted()
    if abs(value) >= 1000 or value == value.to_integral_value():
        places = 0 if value == value.to_integral_value() else 1
    return group_digits(format(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), "f"))


def _short(text: str) -> str:
    """'24.90' as '24.9': an amount is not written more exactly than it is."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def shown_value(calculation: Calculation, result: Computed) -> str:
    """'27.91 %', '4.86 percentage points', '28.8 days', '3.52 times', '5,370 million USD'."""
    value = Decimal(result.value)
    if calculation.shown in _FACTORS:
        if result.unit != "percent":
            value *= _FACTORS[calculation.shown]
        return (
            f"{_short(shown_number(value))} {'%' if calculation.shown == 'percent' else 'percentage points'}"
        )
    if calculation.shown in ("days", "times"):
        return f"{_short(shown_number(value))} {calculation.shown}"
    if calculation.shown == "ratio" and not result.unit:
        return shown_number(value)
    scale = min((each.scale for each in result.operands), default=0)
    if result.unit.endswith("/share") or abs(value).adjusted() < scale - 1:
        scale = 0
    if not result.unit and scale == 0:
        return _short(shown_number(value))
    shown = _short(shown_number(value.scaleb(-scale)).replace(",", ""))
    return render_quantity(shown, result.unit, scale)


def compared_value(calculation: Calculation, result: Computed) -> Decimal:
    """The value in the unit that is shown, to be held against a threshold."""
    value = Decimal(result.value)
    return value * _FACTORS.get(calculation.shown, 1) if result.unit != "percent" else value


def in_order(calculation: Calculation) -> list[Computed]:
    """The results with a value: the picked end first, else as they were asked for."""
    done = [each for each in calculation.results if each.value]
    if calculation.asked.pick:
        done.sort(key=lambda each: Decimal(each.value), reverse=calculation.asked.pick == "highest")
    return done


def answer_text(calculation: Calculation, cite: Cite) -> str:
    """What is said of a calculation, in Markdown; '' where nothing of it could be computed or cited."""
    done = in_order(calculation)
    if not done:
        return "\n\n".join(_why_not(calculation, each, cite) for each in calculation.results if each.operands)
    lead = _lead(calculation, done, cite)
    if len(done) > 1:
        return f"{lead}\n\n{_results_table(calculation, done, cite)}"
    return f"{lead}\n\n{_shown_formula(calculation, done[0], cite)}"


def evidence_text(calculation: Calculation) -> str:
    """The same as one piece of evidence, with documents and pages in place of markers."""
    lines = []
    for each in in_order(calculation):
        places = dict.fromkeys(f"{operand.document}, p. {operand.page}" for operand in each.operands)
        lines.append(
            f"{subject(calculation, each)} {shown_value(calculation, each)} = {figures_in(each, labelled=True)} "
            f"({'; '.join(places)}){_in_percent(calculation, each)}"
        )
    lines += [
        f"{subject(calculation, each)} not computed: {each.fault}"
        for each in calculation.results
        if each.fault
    ]
    return "\n".join(lines)


def subject(calculation: Calculation, result: Computed) -> str:
    """'Orla Stores, Inc., Garden tools, growth of net sales, from ... to ...:'"""
    name = result.name if result.name != result.company else ""
    return ", ".join(filter(None, (result.company, name, calculation.title, result.when))) + ":"


def _lead(calculation: Calculation, done: Sequence[Computed], cite: Cite) -> str:
    """The line with the result."""
    asked, first = calculation.asked, done[0]
    sources = _sources(first.operands, cite)
    if asked.yes_no and len(done) > 1:
        return _one_above_another(calculation, cite)
    if asked.apart and len(done) == 2:
        return _lies_apart(calculation, cite)
    if asked.yes_no:
        return _yes_or_no(calculation, done, cite)
    if asked.threshold:
        return _beyond(calculation, done, cite)
    if asked.pick and len(done) > 1:
        many = [f"{_named(each)} ({shown_value(calculation, each)})" for each in done[: max(1, asked.top)]]
        if len(many) > 1:
            every = [operand for each in done[: len(many)] for operand in each.operands]
            return (
                f"{asked.pick.capitalize()} {calculation.title}: {', '.join(many)} {_sources(every, cite)}."
            )
        value = shown_value(calculation, first)
        at = f" {_at(first)}" if asked.over != "period" else ""
        whole = "" if len(done) == len(calculation.results) else "Of those found, "
        named = _named(first) if whole else _capital(_named(first))
        return f"{whole}{named} had the {asked.pick} {calculation.title}{at}: {value} {sources}."
    if len(done) == 2 and asked.over == "period" and not asked.pick:
        return _moved(calculation, done, cite)
    if len(done) > 1:
        return f"{_capital(calculation.title)}:"
    own = f"{_whose(first)} {calculation.title} {_at(first)} was"
    printed = calculation.printed
    if printed is not None:
        shown = f"{_value(printed)} as printed {cite(printed.item_id)}"
        return f"{own} {shown}, and {shown_value(calculation, first)} as computed {sources}."
    return f"{own} {shown_value(calculation, first)}{_in_percent(calculation, first)} {sources}."


def _in_percent(calculation: Calculation, changed: Computed) -> str:
    """' (+11.5 %)' of what one figure changed by, ' (46.25 %)' of a ratio of two of one unit, which nobody said how to
    put; '' for anything else, and where what it changed from was not above zero."""
    value = Decimal(changed.value)
    asked = calculation.asked
    if calculation.shown == "ratio" and not (asked.measure or asked.across or changed.unit):
        units = {each.unit for each in changed.operands}
        of_one_unit = len(changed.operands) > 1 and len(units) == 1 and "" not in units
        return (
            f" ({_short(shown_number(value * 100))} %)" if of_one_unit and 0 < value < MAX_IN_PERCENT else ""
        )
    if calculation.asked.across != "change" or not changed.unit or len(changed.operands) != 2:
        return ""
    before = min(changed.operands, key=lambda each: str(each.period.end))
    base = Decimal(before.value).scaleb(before.scale)
    if base <= 0 or changed.unit == "percent":
        return ""
    share = value / base * 100
    return f" ({'+' if share > 0 else ''}{_short(shown_number(share))} %)"


def _one_above_another(calculation: Calculation, cite: Cite) -> str:
    """Whether the first of two lies above the second, or below."""
    one, other = [each for each in calculation.results if each.value][:2]
    difference = Decimal(one.value) - Decimal(other.value)
    holds = difference > 0 if calculation.asked.above else difference < 0
    said = " and ".join(f"{_named(each)}: {shown_value(calculation, each)}" for each in (one, other))
    sources = _sources((*one.operands, *other.operands), cite)
    return f"{'Yes' if holds else 'No'}, {calculation.title}: {said} {sources}."


def _lies_apart(calculation: Calculation, cite: Cite) -> str:
    """How far the first of two lies above the second, or below."""
    one, other = [each for each in calculation.results if each.value]
    by = Decimal(one.value) - Decimal(other.value)
    moved = one.model_copy(update={"value": format(abs(by), "f")})
    shown = shown_value(_in_points(calculation), moved)
    values = f"{shown_value(calculation, one)} against {shown_value(calculation, other)}"
    return (
        f"{_capital(calculation.title)}: {_named(one)} lies {shown} {'above' if by > 0 else 'below'} {_named(other)}, "
        f"{values} {_sources((*one.operands, *other.operands), cite)}."
    )


def _in_points(calculation: Calculation) -> Calculation:
    """What lies between percentages is put in points."""
    return (
        calculation.model_copy(update={"shown": "points"}) if calculation.shown == "percent" else calculation
    )


def _yes_or_no(calculation: Calculation, done: Sequence[Computed], cite: Cite) -> str:
    asked, first = calculation.asked, done[0]
    limit = Decimal(asked.threshold or 0)
    value = compared_value(calculation, first)
    holds = value > limit if asked.above else value < limit
    than = f", {'above' if value > limit else 'not above'} {_limit(calculation)}" if asked.threshold else ""
    shown = shown_value(calculation, first)
    return (
        f"{'Yes' if holds else 'No'}: {_whose(first)} {calculation.title} {_at(first)} was {shown}{than} "
        f"{_sources(first.operands, cite)}."
    )


def _moved(calculation: Calculation, done: Sequence[Computed], cite: Cite) -> str:
    """From the earlier of two periods to the later."""
    earlier, later = sorted(done, key=lambda each: str(each.end))
    by = Decimal(later.value) - Decimal(earlier.value)
    moved = later.model_copy(update={"value": format(abs(by), "f")})
    points = _in_points(calculation)
    way = "rose" if by > 0 else "fell" if by < 0 else "did not change:"
    return (
        f"{_whose(later)} {calculation.title} {way} by {shown_value(points, moved)}, from "
        f"{shown_value(calculation, earlier)} ({earlier.when}) to {shown_value(calculation, later)} ({later.when}) "
        f"{_sources((*earlier.operands, *later.operands), cite)}."
    )


def _beyond(calculation: Calculation, done: Sequence[Computed], cite: Cite) -> str:
    """Those of several that lie above or below a threshold."""
    asked = calculation.asked
    limit = Decimal(asked.threshold)
    sign = 1 if asked.above else -1
    kept = [each for each in done if sign * (compared_value(calculation, each) - limit) > 0]
    word = "above" if asked.above else "below"
    if not kept:
        every = [operand for each in done for operand in each.operands]
        return f"None had a {calculation.title} {word} {_limit(calculation)} {_sources(every, cite)}."
    named = ", ".join(f"{_named(each)} ({shown_value(calculation, each)})" for each in kept)
    every = [operand for each in kept for operand in each.operands]
    return f"{_capital(calculation.title)} {word} {_limit(calculation)}: {named} {_sources(every, cite)}."


def _limit(calculation: Calculation) -> str:
    """The threshold as results are shown: '12.5 %', '500 million USD'."""
    limit = Decimal(calculation.asked.threshold)
    like = next((each for each in calculation.results if each.value), None)
    if calculation.shown != "amount" or like is None:
        return f"{_short(shown_number(limit))}{' %' if calculation.shown == 'percent' else ''}"
    return shown_value(calculation, like.model_copy(update={"value": format(limit, "f")}))


def _why_not(calculation: Calculation, result: Computed, cite: Cite) -> str:
    """Why figures that were found give no result, with what they are."""
    stated = ", ".join(
        f"{operand.label} {_when(operand.period)}: {_value(operand)} {cite(operand.item_id)}"
        for operand in result.operands
    )
    why = f"{_whose(result)} {calculation.title} can't be computed: {result.fault} {_sources(result.operands, cite)}."
    return f"{why} Figures: {stated}."


def _shown_formula(calculation: Calculation, result: Computed, cite: Cite) -> str:
    """The calculation with its figures, a table of them where they are more than two; of what is printed the figure."""
    value = shown_value(calculation, result)
    line = f"Calculation: {figures_in(result)} = {value} {_sources(result.operands, cite)}."
    if len(result.operands) <= 2:
        labelled = " and ".join(
            f"{operand.label} {_when(operand.period)}: {_value(operand)} {cite(operand.item_id)}"
            for operand in result.operands
        )
        is_printed = [each.name for each in result.operands] == [result.formula]
        return f"As printed: {labelled}." if is_printed else f"{line} Figures: {labelled}."
    rows = [
        f"| {operand.label} | {_when(operand.period)} | {_value(operand)} | {cite(operand.item_id)} |"
        for operand in result.operands
    ]
    return "\n".join([line, "", "| Figure | Period | Value | Source |", "| --- | --- | --- | --- |", *rows])


def _results_table(calculation: Calculation, done: Sequence[Computed], cite: Cite) -> str:
    """A row a result; without its figures where it is one of them, with its period where these differ."""
    computed = any(len(each.operands) > 1 for each in done)
    dated = calculation.asked.over != "period" and len({each.when for each in done}) > 1
    heads = [_HEADS.get(calculation.asked.over, "Company"), *(["Period"] if dated else [])]
    heads += [*(["Figures"] if computed else []), _capital(calculation.title), "Source"]
    rows = [heads, ["---"] * len(heads)]
    for each in done:
        cells = [_named(each), *([each.when] if dated else []), *([figures_in(each)] if computed else [])]
        rows.append([*cells, shown_value(calculation, each), _sources(each.operands, cite)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def figures_in(result: Computed, *, labelled: bool = False) -> str:
    """The formula with figures in place of names: '(11,258 + 917 + 1,803) / 29,441 (million USD)'; `labelled`: each
    with its unit and the line that it stands in."""
    alike = {(each.unit, each.scale) for each in result.operands}
    known = {each.name: each for each in result.operands}
    one = len(alike) == 1 and not labelled

    def written(match: re.Match[str]) -> str:
        operand = known.get(match[0])
        if operand is None:
            return match[0]
        if labelled:
            return f"{_value(operand)} ({operand.label}, {_when(operand.period)})"
        return _bracketed(operand.value) if one else _value(operand)

    text = _NAME.sub(written, _AVERAGED.sub(_mean, result.formula)).replace("**", "^").replace("*", "×")
    text = re.sub(r"\((\([-\d.,]+\)|[\d.,]+)\)(?!\d)", r"\1", text)
    unit = _unit(*next(iter(alike))) if one else ""
    return f"{text} ({unit})" if unit else text


def _mean(match: re.Match[str]) -> str:
    names = match[1].split(",")
    return f"(({' + '.join(name.strip() for name in names)}) / {len(names)})"


def _bracketed(value: str) -> str:
    text = group_digits(value)
    return f"({text})" if text.startswith("-") else text


def _unit(unit: str, scale: int) -> str:
    return " ".join(filter(None, (SCALE_WORDS.get(scale, ""), render_unit(unit))))


def _value(operand: Operand) -> str:
    return render_quantity(operand.value, operand.unit, operand.scale)


def _when(period: Period) -> str:
    return period.describe()


def _at(result: Computed) -> str:
    """'as of July 1, 2023', 'for the three months ended July 1, 2023', 'from ... to ...'."""
    when = result.when
    return when if when.startswith(("as of", "from")) or not when else f"for the {when}"


def _named(result: Computed) -> str:
    """A quarter is called one: 'fiscal Q3 2023 (quarter ended July 1, 2023)'."""
    if result.name or not result.when.startswith("three months ended"):
        return result.name or result.when
    when = result.when.replace("three months ended", "quarter ended")
    own = next((each.period for each in result.operands if each.period.end == result.end), Period())
    known = own.fiscal_year and own.fiscal_quarter
    return f"fiscal Q{own.fiscal_quarter} {own.fiscal_year} ({when})" if known else when


def _whose(result: Computed) -> str:
    owner = result.company + ("'" if result.company.endswith("s") else "'s")
    return f"{owner} {result.name}" if result.name and result.name != result.company else owner


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _sources(operands: Sequence[Operand], cite: Cite) -> str:
    return " ".join(dict.fromkeys(filter(None, (cite(each.item_id) for each in operands))))
