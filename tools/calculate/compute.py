"""calculate: what is asked to be computed, from printed figures; each result with its formula and its operands."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from hashlib import sha256
from math import ceil

from tools.calculate.amounts import PRINTED, amounts_of, misfit, operand_of, with_parts
from tools.calculate.expressions import ExpressionError, divisors_in, evaluate, names_in
from tools.calculate.left_out import names_left_out, set_aside, words_beside
from tools.calculate.likely_lines import amount_of
from tools.calculate.measures import Measure, known_in, measure_called
from tools.calculate.operands import Figures, Found
from tools.calculate.resolving import YEAR, MissingError, Resolved, Resolver
from tools.calculate.shares import share_title
from tools.calculate.types import OF_ACROSS, Asked, Calculation, Computed, Operand, Shown, When
from tools.calculate.wording import evidence_text
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence, Fact, fact_of
from tools.knowledge.lexicon.metric_names import fold_label
from tools.knowledge.lexicon.word_forms import words_of
from tools.periods import PeriodFilter

MIN_RANKED = 0.6
"""Share of a set that must have a result, else nothing is said of which is the highest; of all companies that there are
two will do, those left out are named."""
MIN_BASE = Decimal("0.005")
"""Share of all parts that one has at least to be compared with them by what it is divided by."""
MAX_RESULTS = 30
"""Companies, periods or parts of one calculation."""
CHANGED: Mapping[str, str] = {
    "growth": "({now}) / ({before}) - 1",
    "change": "({now}) - ({before})",
    "times": "({now}) / ({before})",
    "cagr": "(({now}) / ({before})) ** (1 / {years}) - 1",
}
RATES = ("growth", "cagr", "times")
"""Changes that a balance and a span's figure may be compared by: 'inventories grew faster than sales'."""
LINES = (("a", ""),)
"""Items of a formula over lines that the parts themselves are."""
_KINDS = words_of("segment division region product")
_TWICE = re.compile(r"\(\(([^()]*)\)\)")
"""Brackets within brackets: '((a + b))'."""
NO_BASE = "from a loss or from nothing a growth has no percentage"
DAYS_A_YEAR = 365.25
MAX_ODD_YEARS = 0.1
"""By how much of a year the time between two periods may differ from whole years."""
MAX_HEADING = 4
"""Words of a heading that a line is called by, too."""
MAX_TIMES = 2
"""By which an amount may be printed larger or smaller than it comes out: companies define measures as they like."""
_PRINTED_IN: Mapping[str | None, str] = {"percent": "percent", "amount": "USD", "ratio": "", "times": ""}
"""How a measure is shown -> the unit that a page prints it in."""
LeftOut = Callable[[str, frozenset[str], frozenset[str]], tuple[str, ...]]
Periods = Mapping[str, Sequence[When]]
"""Company key -> its periods."""


def compute(
    asked: Asked, figures: Figures, catalog: Catalog, companies: Sequence[str], periods: Periods
) -> tuple[list[Evidence], tuple[str, ...]]:
    """What comes out as one piece of evidence, then the figures that it was computed from, each once, none of them
    where nothing was found to compute with; and what was not found, in words.

    Does not raise for what does not fit: a result with a fault says what is wrong. ModelFileError on missing, altered
    or damaged files.
    """
    measure = measure_called(asked.measure) if asked.measure else None
    formula = measure.formula_with(averaged=asked.averaged) if measure else asked.formula
    if not formula:
        return [], ()
    maker = _Maker(asked, formula, Resolver(asked, figures, catalog), figures)
    if measure and maker.is_printed(measure, companies, periods):
        return [], ()
    results = maker.results(companies, periods)
    if asked.over in ("", "company") and not asked.of_all:  # whoever asks of everybody names nobody's part
        results = [
            maker.of_named_part(each, company, companies, periods)
            for company, each in zip(companies, results, strict=False)
        ]
    printed = (
        maker.printed(measure, companies, periods, results[0]) if measure and len(results) == 1 else None
    )
    why = _why_missing(asked, measure)
    calculation = Calculation(
        asked=asked,
        printed=printed,
        title=(maker.title if len(results) == 1 else "")
        or asked.title
        or (measure.name if measure else formula),
        shown=_shown(asked, measure, results),
        results=tuple(results),
        missing=tuple(dict.fromkeys(f"{each}{why}" for each in maker.missing)),
    )
    used = list(maker.used.values())
    if printed is not None and not any(each.value for each in results):
        return [maker.used[printed.item_id]], ()
    if not _is_of_use(calculation):
        used = []
    found = [_evidence(calculation, used), *map(_unmatched, used)] if used else []
    return found, () if asked.derived else _not_said(calculation, why, shown=bool(found))


def _not_said(calculation: Calculation, why: str, *, shown: bool) -> tuple[str, ...]:
    """What was not found, without what the faults of results say where they are shown."""
    faults = " ".join(each.fault for each in calculation.results) if shown else ""
    return tuple(each for each in calculation.missing if each.removesuffix(why) not in faults)


def _why_missing(asked: Asked, measure: Measure | None) -> str:
    """Of which companies a measure can't be made, in brackets; parts of a company are another matter."""
    of_part = asked.part or asked.over == "part"
    return f" ({measure.not_for})" if measure and measure.not_for and not of_part else ""


def _is_of_use(calculation: Calculation) -> bool:
    """Whether it says what was asked: a ranking of most of its set, a figure that had to be derived."""
    asked, every = calculation.asked, calculation.results
    done = [each for each in every if each.value]
    if asked.derived and not asked.measure and all(len(each.operands) < 2 for each in done):
        return False
    if not (asked.pick or asked.apart or (asked.yes_no and asked.over)):
        return True
    lengths = {each.months for each in done if not (asked.across in RATES and each.months is None)}
    alike = len({each.unit for each in done}) == 1 and len(lengths) <= 1
    return alike and len(done) >= (2 if asked.of_all else max(2, ceil(MIN_RANKED * len(every))))


def _unmatched(item: Evidence) -> Evidence:
    """An operand is what its line item's words mean, and no answer to the question itself."""
    return item.model_copy(update={"score": 0.0, "fact": fact_of(item).model_copy(update={"match": 0.0})})


def _evidence(calculation: Calculation, used: Sequence[Evidence]) -> Evidence:
    """A calculation as evidence: it stands where its first operand does."""
    text = evidence_text(calculation)
    return used[0].model_copy(
        update={
            "item_id": sha256(f"calculation {text}".encode()).hexdigest()[:16],
            "kind": "calculation",
            "text": text,
            "fact": None,
            "section": "",
            "calculation": calculation,
        }
    )


def _shown(asked: Asked, measure: Measure | None, results: Sequence[Computed]) -> Shown:
    """How the result is put; of a formula that nobody said it of, by its unit."""
    own = measure.shown if measure else asked.shown
    units = {each.unit for each in results if each.value}
    if (
        units
        and units != {""}
        and own in ("ratio", "times", "percent", "points", "days")
        and units != {"percent"}
    ):
        own = "days" if measure and own == "days" else None  # an amount is no rate
    if asked.across in ("growth", "cagr"):
        return "percent"
    if asked.across == "times":
        return "times"
    if asked.across == "change" and own in ("percent", "points"):
        return "points"
    if own is not None:
        return own
    if units == {"percent"}:
        return "points" if asked.across == "change" or " - " in asked.formula else "percent"
    return "ratio" if units == {""} and "/" in asked.formula else "amount"


class _Maker:
    """Evaluates; remembers what was used and what was not found."""

    def __init__(self, asked: Asked, formula: str, resolver: Resolver, figures: Figures) -> None:
        self._asked, self._formula, self._resolver, self._figures = asked, formula, resolver, figures
        self.used: dict[str, Evidence] = {}
        self.title = ""
        """What the last result is called, where its lines are not called as the question has them."""
        self.missing: list[str] = []

    def results(self, companies: Sequence[str], periods: Periods) -> list[Computed]:
        """One for each company, period or part, or one alone."""
        asked = self._asked
        found: list[Computed] = []
        for company in companies:
            whens = tuple(periods.get(company, ())) or (When(),)
            if asked.over == "part":
                own = self._parts(company, companies, whens)
                found += own if asked.parts else _without_slight(own)
            elif asked.over == "period":
                found += [self._one(company, (when,), asked.part, "") for when in whens[:MAX_RESULTS]]
            else:
                name = self._resolver.name(company) if len(companies) > 1 else asked.part
                found.append(self._one(company, whens, asked.part, name))
            if len(found) >= MAX_RESULTS:
                self.missing += [
                    self._resolver.name(each) for each in companies[companies.index(company) + 1 :]
                ]
                break
        return found

    def _parts(self, company: str, companies: Sequence[str], whens: Sequence[When]) -> list[Computed]:
        """One for each part; of parts that are named and have no figures called as asked, such as 'cost', each of the
        line that is called as the part is, where all have one."""
        parts = self._own_parts(company, companies) or self._resolver.parts(self._formula, company, whens)
        aside = words_of(" ".join(set_aside(self._asked.said, (), frozenset())))
        parts = tuple(part for part in parts if not (aside and words_of(part) <= aside))
        told = list(self.missing)
        own = [self._one(company, whens, part, part) for part in parts[:MAX_RESULTS]]
        unknown = [name for name, words in self._asked.items if words and not known_in(words)] == ["a"]
        if self._asked.parts and unknown and not all(each.value for each in own):
            asked = self._asked.model_copy(update={"items": LINES})
            lines = _Maker(asked, self._formula, self._resolver.asking(asked), self._figures)
            found = [each if each.value else lines._one(company, whens, each.name, each.name) for each in own]
            used = {**self.used, **lines.used}
            places = {_table_of(used[o.item_id]) for each in found for o in each.operands}
            if all(each.value for each in found) and len(places) == 1:
                self.used = used
                self.missing[:] = told
                own = found
        return own if tuple(whens) != (When(),) else self._of_one_time(own, company)

    def _keep(self, kept: Computed, dropped: Computed) -> None:
        """Forget the figures of a result in whose place another one is told."""
        own = {each.item_id for each in kept.operands}
        others = {each.item_id for each in dropped.operands} - own
        self.used = {item_id: item for item_id, item in self.used.items() if item_id not in others}

    def _own_parts(self, company: str, companies: Sequence[str]) -> tuple[str, ...]:
        """The parts that are named; of those of several companies the company's own, where its tables tell them."""
        parts = self._asked.parts
        if len(companies) < 2 or not parts:
            return parts
        known = {each: words_of(" ".join(self._figures.phrases(each))) for each in companies}
        own = {part: words_of(part) - _KINDS for part in parts}
        whose = {part: [each for each in companies if words <= known[each]] for part, words in own.items()}
        sole = {each: [part for part in parts if whose[part] == [each]] for each in companies}
        told = all(sole.values()) and sum(map(len, sole.values())) == len(parts)
        return tuple(sole[company]) if told else parts

    def of_named_part(
        self, result: Computed, company: str, companies: Sequence[str], periods: Periods
    ) -> Computed:
        """A company's result, of the part that the question names where no figure of it is of that: computed for that
        part, or without a value."""
        left = self._left_out(names_left_out, result, company, companies)
        if not result.value:
            return result
        if not left and self._asked.measure:  # a quick ratio has no inventories in it: nothing is set aside
            return self._of_words_beside(result, company, companies, periods)
        if not left:
            aside = self._left_out(set_aside, result, company, companies)
            if not aside:
                return result
            self.missing.append(f"a figure without {aside[0]}")
            fault = f"{aside[0]} is in the figure found"
            return result.model_copy(update={"value": "", "operands": (), "fault": fault})
        if not self._asked.part:
            told = list(self.missing)
            whens = tuple(periods.get(company, ())) or (When(),)
            of_part = self._one(company, whens, left[0], left[0])
            self.missing[:] = told  # what is not found for it is not told
            if of_part.value and not self._left_out(names_left_out, of_part, company, companies):
                self._keep(of_part, result)
                return of_part
        self.missing.append(f"a figure of {left[0]}")
        return result.model_copy(
            update={"value": "", "operands": (), "fault": f"no figure found is of {left[0]}"}
        )

    def _of_words_beside(
        self, result: Computed, company: str, companies: Sequence[str], periods: Periods
    ) -> Computed:
        """The same of the part that the words beside a line item name, where there is one with figures of its own."""
        if self._asked.part:
            return result
        told, used = list(self.missing), dict(self.used)
        whens = tuple(periods.get(company, ())) or (When(),)
        for part in self._left_out(words_beside, result, company, companies):
            of_part = self._one(company, whens, part, part)
            if of_part.value and not self._left_out(words_beside, of_part, company, companies):
                self._keep(of_part, result)
                return of_part
        self.missing[:], self.used = told, used
        return result

    def _left_out(
        self, names: LeftOut, result: Computed, company: str, companies: Sequence[str]
    ) -> tuple[str, ...]:
        """Parts of a company that the question names and none of its figures is of; those that are parts of it
        alone."""
        asked = self._asked
        measure = measure_called(asked.measure) if asked.measure else None
        words = (result.company, asked.part, *companies, *map(self._resolver.name, companies))
        if not self.title:  # what is called otherwise may be what the question says
            words += (asked.title, *map(_common_words, dict(asked.items).values()))
        used = [self.used[each.item_id] for each in result.operands]
        words += tuple(text for e in used for text in (e.text, e.section, e.company))
        words += (measure.name, *measure.names) if measure else ()
        left = names(asked.said, self._figures.phrases(company), words_of(" ".join(words)))
        others = [self._figures.phrases(each) for each in companies if each != company] if left else []
        return tuple(name for name in left if not any(fold_label(name) in each for each in others))

    def _of_one_time(self, parts: Sequence[Computed], company: str) -> list[Computed]:
        """The parts as of the time that most of them are of, the latest of several; what has no figure then is said to
        be missing: this year's of one is not held against last year's of another."""
        ends = Counter(each.end for each in parts if each.value and each.end is not None)
        if len(ends) < 2:
            return list(parts)
        end = max(ends, key=lambda each: (ends[each], each))
        months = next(each.months for each in parts if each.value and each.end == end)
        then = (When((PeriodFilter(end=end),), months),)
        taken = {operand.item_id for each in parts if each.end == end for operand in each.operands}
        found = []
        for each in parts:
            if each.value and each.end != end:
                each = self._one(company, then, each.name, each.name)
                if each.value and taken.issuperset(operand.item_id for operand in each.operands):
                    fault = f"a figure of {each.name} at that time was not found"
                    each = each.model_copy(update={"value": "", "operands": (), "fault": fault})
            found.append(each)
        return found

    def printed(
        self, measure: Measure, companies: Sequence[str], periods: Periods, result: Computed
    ) -> Operand | None:
        """The measure itself as a page gives it for the one company and period, in the unit that it is shown in; no
        amount so far from the `result` that it is of a part, or its scale is not known."""
        if self._asked.across or measure.shown == "days":
            return None
        when = next(iter(periods.get(companies[0], ())), When())
        unit = _PRINTED_IN.get(measure.shown, "")
        part = result.name if len(companies) == 1 else self._asked.part
        names = tuple(f"{part} {name}".strip() for name in (measure.name, *measure.names))
        found = self._resolver.line(companies[0], names, unit, when)
        if found is None:
            return None
        printed = operand_of(PRINTED, found.first, size=False)
        own, made = abs(Decimal(printed.value).scaleb(printed.scale)), abs(Decimal(result.value or 0))
        if measure.shown == "amount" and made and not made / MAX_TIMES <= own <= made * MAX_TIMES:
            return None
        self.used[found.first.item_id] = found.first
        return printed

    def is_printed(self, measure: Measure, companies: Sequence[str], periods: Periods) -> bool:
        """Whether what was only to be derived, a measure of the whole company, is on a page for a period asked for."""
        if not self._asked.derived or self._asked.part:
            return False
        names = (measure.name, *measure.names)
        unit = _PRINTED_IN.get(measure.shown)
        whens = ((company, when) for company in companies for when in periods.get(company, ()))
        return any(self._resolver.line(company, names, unit, when) is not None for company, when in whens)

    def _one(self, company: str, whens: Sequence[When], part: str, name: str) -> Computed:
        """The value of one company, part and time; of a part that no table calls so, of the one that is meant."""
        told, used = list(self.missing), dict(self.used)
        result = self._of_part(company, whens, part, name)
        if result.value or not part or self._asked.over == "part" or not self._asked.measure:
            return result
        names = self._resolver.parts(self._formula, company, whens)
        meant = self._figures.nearest_name(part, names) if part not in names else ""
        meant = meant if words_of(part) & words_of(meant) else ""  # Europe is not the United Kingdom
        found = self._of_part(company, whens, meant, name) if meant else result
        if found.value:
            self.missing[:] = told
            return found
        self.used = used
        return result

    def _of_part(self, company: str, whens: Sequence[When], part: str, name: str) -> Computed:
        """As `_one`, of what is called by the part's very words."""
        blank = Computed(name=name, company=self._resolver.name(company), formula=self._formula)
        try:
            due = self._due(company, whens) if not part else None
            if due is not None:
                return self._computed(blank, due)
            if self._asked.across in CHANGED:
                printed = self._of_printed_amounts(company, whens) if not part else None
                return (printed or self)._changed(blank, company, whens, part)
            if self._asked.across:
                return self._summed(blank, company, whens, part)
            return self._computed(blank, self._resolver.resolved(self._formula, company, whens[0], part))
        except MissingError as error:
            self.missing.append(str(error))
            return blank.model_copy(update={"fault": f"{error} was not found"})
        except ExpressionError as error:
            return blank.model_copy(update={"fault": str(error)})

    def _of_printed_amounts(self, company: str, whens: Sequence[When]) -> _Maker | None:
        """For a measure in money that pages print for each of the periods, by its name, what makes it of these; None
        for any other."""
        measure = measure_called(self._asked.measure) if self._asked.measure else None
        if measure is None or measure.shown != "amount":
            return None
        names = (measure.name, *measure.names)
        lines = [self._resolver.line(company, names, "USD", when) for when in whens]
        if not all(
            line and self._is_of_size(line, company, when) for line, when in zip(lines, whens, strict=True)
        ):
            return None
        asked = self._asked.model_copy(update={"measure": "", "items": (("a", "|".join(names)),)})
        maker = _Maker(asked, "a", self._resolver.asking(asked), self._figures)
        maker.used, maker.missing = self.used, self.missing
        return maker

    def _is_of_size(self, line: Found, company: str, when: When) -> bool:
        """Whether a line is about as much as the formula comes to: of a segment it is less."""
        try:
            made = self._resolver.resolved(self._formula, company, when, "")
            value = abs(evaluate(made.formula, amounts_of(made.found)).value)
        except (MissingError, ExpressionError):
            return False
        return value / MAX_TIMES <= amount_of(line.first) <= value * MAX_TIMES

    def _due(self, company: str, whens: Sequence[When]) -> Resolved | None:
        """What falls due in years to come, or its share in all that does; None where something else is asked for."""
        asked = self._asked
        across = asked.across in ("", "sum", "average") and not (asked.measure or asked.over)
        of_all = asked.is_share and asked.formula.startswith("a /")
        if not (across and asked.said and (of_all or asked.formula == "a")):
            return None
        whole = dict(asked.items).get("b", "") if of_all else ""
        periods = [each for when in whens for each in when.periods]
        due = self._figures.due(company, asked.said, whole, periods)
        if due is None:
            return None
        dated = any(each.admits(due.asked[0].period) for each in periods)
        if not dated and self._resolver.has_reported(company, periods):
            return None  # 'fiscal 2025' was to come for an older report alone
        rows = due.every if asked.is_share else due.asked
        names = {item.item_id: f"a_{n}" for n, item in enumerate(rows, start=1)}
        total = " + ".join(names[item.item_id] for item in due.asked)
        formula = f"({total}) / ({' + '.join(names.values())})" if asked.is_share else total
        formula = f"({total}) / {len(due.asked)}" if asked.across == "average" else formula
        found = {
            names[item.item_id]: Found(((1, item),), item.period.end, item.period.months) for item in rows
        }
        return Resolved(formula, found)

    def _changed(self, blank: Computed, company: str, whens: Sequence[When], part: str) -> Computed:
        """From the earlier to the later of two periods; of one given, from a year before. Raises ExpressionError."""
        now, before = self._of_two(company, whens, part)
        if before.end and now.end and before.end > now.end:
            now, before = before, now
        if now.end == before.end:
            raise ExpressionError("both figures are of one period")
        apart = (now.end - before.end).days / DAYS_A_YEAR if now.end and before.end else 1.0
        years = round(apart)
        if self._asked.across == "cagr" and (years < 1 or abs(apart - years) > MAX_ODD_YEARS):
            raise ExpressionError("the two periods do not lie whole years apart")
        if now.lengths != before.lengths:
            raise ExpressionError("the two periods are not of one length")
        if now.found.keys() != before.found.keys():
            raise MissingError(f"{blank.company}'s figures of the same lines for both periods")
        old = before.renamed("_before")
        if self._asked.across != "change" and evaluate(old.formula, amounts_of(old.found)).value <= 0:
            self._use(now, old)
            both = Resolved(now.formula, {**old.found, **now.found})
            return blank.model_copy(update={"fault": NO_BASE, "operands": with_parts(both)[1]})
        formula = CHANGED[self._asked.across].format(now=now.formula, before=old.formula, years=max(1, years))
        formula = _TWICE.sub(r"(\1)", formula)
        both = Resolved(formula, {**now.found, **old.found}, now.unruled)
        return self._computed(blank, both, when=_from_to(before.when, now.when))

    def _of_two(self, company: str, whens: Sequence[When], part: str) -> tuple[Resolved, Resolved]:
        """The formula's figures of both periods; where they are found for one alone, those of its lines for the other.
        Raises MissingError."""
        if len(whens) < 2:
            (when,) = whens or (When(),)
            now = self._resolver.resolved(self._formula, company, when, part)
            opened = self._asked.since_opening and not now.lengths
            return now, self._resolver.before(now, (when.months if opened else None) or YEAR)
        found: list[Resolved | None] = []
        for when in (whens[0], whens[-1]):
            try:
                found.append(self._resolver.resolved(self._formula, company, when, part))
            except MissingError as error:
                missing = error
                found.append(None)
        one, other = found
        if one is not None and other is not None:
            ordered = one.end is None or other.end is None or one.end >= other.end
            now, before = (one, other) if ordered else (other, one)
            same = self._resolver.of_same_lines(now, whens[-1] if ordered else whens[0])
            return now, same or before
        if one is not None:
            return one, self._resolver.for_another_time(one, whens[-1])
        if other is not None:
            return self._resolver.for_another_time(other, whens[0]), other
        raise missing

    def _summed(self, blank: Computed, company: str, whens: Sequence[When], part: str) -> Computed:
        """Over all periods, or their average, of the lines that give the last one where they give the others, too.
        Raises ExpressionError for figures of different lengths."""
        last = self._resolver.resolved(self._formula, company, whens[-1], part)
        found = [
            self._resolver.of_same_lines(last, when)
            or self._resolver.resolved(self._formula, company, when, part)
            for when in whens[:-1]
        ]
        terms = [each.renamed(f"_{n}") for n, each in enumerate((*found, last), start=1)]
        if len({each.lengths for each in terms}) > 1:
            raise ExpressionError("the figures found are not all of spans of one length")
        formula = " + ".join(f"({each.formula})" if " " in each.formula else each.formula for each in terms)
        if self._asked.across == "average":
            formula = f"({formula}) / {len(terms)}"
        figures = {name: figure for each in terms for name, figure in each.found.items()}
        when = terms[0].when if len(terms) == 1 else f"{terms[0].when} to {terms[-1].when}"
        return self._computed(blank, Resolved(formula, figures, last.unruled), when=when)

    def _computed(self, blank: Computed, resolved: Resolved, *, when: str = "") -> Computed:
        fault = misfit(resolved.found)
        self._use(resolved)
        if fault:
            raise ExpressionError(fault)
        resolved = self._of_losses(resolved)
        value = evaluate(resolved.formula, amounts_of(resolved.found))
        flows = all(each.months for each in resolved.found.values())
        apart = flows and (resolved.apart or self._resolver.is_of_no_part)
        if self._asked.is_share and abs(value.value) >= 1 and not apart:
            raise ExpressionError("the part found is no less than the whole")
        formula, used = with_parts(resolved)
        self.title = self._printed_title(resolved) if resolved.unruled else ""
        return blank.model_copy(
            update={
                "when": when or resolved.when,
                "end": resolved.end,
                "months": max(resolved.lengths, default=None),
                "formula": formula,
                "operands": used,
                "value": format(value.value, "f"),
                "unit": value.unit,
            }
        )

    def _of_losses(self, resolved: Resolved) -> Resolved:
        """A quotient of two losses or two charges by their sizes; of a measure, or a balance, it says nothing."""
        if not all(each.months for each in resolved.found.values()):
            return resolved
        names = dict.fromkeys(names_in(resolved.formula))
        amounts = amounts_of(resolved.found)
        below = not self._asked.measure and len(names) == 2 and "/" in resolved.formula
        if not (below and resolved.formula == " / ".join(names) and all(amounts[n].value < 0 for n in names)):
            return resolved
        return replace(resolved, formula=resolved.replaced({name: f"abs({name})" for name in names}))

    def _printed_title(self, resolved: Resolved) -> str:
        """What is made of lines as these are printed: 'Valves less Pumps'."""
        names = list(dict.fromkeys(_printed_name(fact_of(each.first)) for each in resolved.found.values()))
        if self._asked.is_share and len(names) > 1:
            return share_title(names[0], names[1])
        joint = " less " if "-" in self._formula else " to "
        across = self._asked.across
        return f"{OF_ACROSS[across]} {joint.join(names)}" if across else joint.join(names)

    def _use(self, *resolved: Resolved) -> None:
        for figure in (figure for each in resolved for figure in each.found.values()):
            self.used |= {item.item_id: item for _, item in figure.parts}


def _table_of(figure: Evidence) -> tuple[str, int, str]:
    return figure.document_id, figure.page, figure.section


def _printed_name(fact: Fact) -> str:
    """A line as it is called in print: 'Net sales (Canada)'; without full stops, which would end a sentence."""
    heading = next(iter(fact.path[-1:]), "")
    name = f"{fact.metric} ({heading})" if 0 < len(heading.split()) <= MAX_HEADING else fact.metric
    return re.sub(r"\.(?=\s)", "", name)


def _without_slight(parts: Sequence[Computed]) -> list[Computed]:
    """Quotients without those by next to nothing beside the others': a cost centre with sales of its own says little by
    its margin or its growth."""
    bases = [_base(each) for each in parts]
    least = MIN_BASE * sum(base for base in bases if base is not None)
    return [
        each
        if base is None or base >= least
        else each.model_copy(
            update={"value": "", "operands": (), "fault": f"{each.name} is too small to be compared"}
        )
        for each, base in zip(parts, bases, strict=True)
    ]


def _base(result: Computed) -> Decimal | None:
    """The size of what a result is divided by; None where it is not."""
    names = divisors_in(result.formula) if result.value else ()
    own = [abs(Decimal(each.value).scaleb(each.scale)) for each in result.operands if each.name in names]
    return sum(own, Decimal(0)) if own else None


def _common_words(names: str) -> str:
    """What all names of a line item say: of another name for it a figure need not be."""
    every = [name.split() for name in names.split("|")]
    return " ".join(word for word in every[0] if all(word in other for other in every))


def periods_of(filters: Sequence[PeriodFilter], months: int | None) -> tuple[When, ...]:
    """Filters as periods, those that mean the same year as one: 'fiscal 2021' and 'calendar 2021'."""
    grouped: dict[tuple[int | None, int | None, date | None], list[PeriodFilter]] = {}
    for each in filters:
        year, quarter = each.fiscal_year or each.calendar_year, each.fiscal_quarter or each.calendar_quarter
        grouped.setdefault((year, quarter, each.end), []).append(each)
    return tuple(
        When(tuple(own), own[0].months if own[0].months is not None else months) for own in grouped.values()
    )


def _from_to(before: str, now: str) -> str:
    """'from December 31, 2022 to December 31, 2023', of balances; a span keeps its length."""
    return f"from {before.removeprefix('as of ')} to {now.removeprefix('as of ')}"
