"""A formula's names put to printed figures: lines by their usual labels, what is not printed by what stands for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from tools.calculate.breakdowns import BUT_FOR
from tools.calculate.choosing import canonical_of
from tools.calculate.expressions import ExpressionError, names_in
from tools.calculate.joined_spans import END_SLACK, months_before
from tools.calculate.likely_lines import Kind, Wished, same_amount
from tools.calculate.listed_items import is_sum, listed, parted, plus_as_and, whole_pieces
from tools.calculate.measures import Item, catalogue, is_divisor, item_called, known_in, measure_called
from tools.calculate.operands import Figures, Found
from tools.calculate.parts import Ranked
from tools.calculate.shares import Share, part_labels
from tools.calculate.types import Asked, When
from tools.documents.metadata.catalog import Catalog
from tools.documents.text.ordinary_words import FUNCTION_WORDS, PLACES
from tools.evidence import Evidence, fact_of
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of
from tools.periods import Period, PeriodFilter

PART, OF_WHOLE, WHOLE = "a", "b", "whole"
"""In a formula of a share: the part, the whole, and the whole that nobody names: the total of the part's table."""
DAYS = "days"
"""In a formula: the days of its period."""
STEM = 5
"""Letters by which a place and what is of it agree."""
DAYS_OF = {3: 91, 6: 182, 9: 273, 12: 365}
YEAR, QUARTER = 12, 3
"""Months."""
_NAME = r"(?<![\w.])%s(?!\w)"
COUNTED = Item(labels=("number",), counted=True)
_AVERAGE = re.compile(r"average\((\w+)\)")
_ALL_BUT = re.compile(
    r"^(?P<whole>.+?)\s+(?:(?:from|in|made|earned|generated)\s+)?outside\s+(?:of\s+)?(?:the\s+)?(?P<part>.+)$|^non-(?P<non>\w+)\s+(?P<of>.+)$",
    re.IGNORECASE,
)
NEGATED = frozenset(("non", "outside"))


class MissingError(LookupError):
    """A line item that no document prints for the company and period; says which, in words."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A formula, and the figures that its names stand for."""

    formula: str
    found: Mapping[str, Found] = field(default_factory=dict)
    unruled: bool = False
    """Whether figures are of other lines than those that go by the question's words."""
    apart: bool = False
    """Whether what was asked for as a share is of two lines neither of which need be a part of the other."""

    @property
    def end(self) -> date | None:
        """Last day of the latest figure."""
        return max((each.end for each in self.found.values() if each.end), default=None)

    @property
    def lengths(self) -> frozenset[int]:
        """Months of the spans that the figures are of."""
        return frozenset(each.months for each in self.found.values() if each.months)

    @property
    def when(self) -> str:
        """The period in words: 'three months ended July 1, 2023'."""
        spans = [each for each in self.found.values() if each.months] or list(self.found.values())
        latest = max(spans, key=lambda each: each.end or date.min, default=None)
        if latest is None:
            return ""
        own = latest.first.period
        return own.describe() if len(latest.parts) == 1 else Period(latest.end, latest.months).describe()

    def renamed(self, tail: str) -> Resolved:
        """The same with another name for every figure: 'a' as 'a_before'."""
        return Resolved(
            self.replaced({name: f"{name}{tail}" for name in self.found}),
            {f"{name}{tail}": figure for name, figure in self.found.items()},
        )

    def replaced(self, written: Mapping[str, str]) -> str:
        """The formula with other texts for names."""
        if not written:
            return self.formula
        pattern = "|".join(map(re.escape, sorted(written, key=len, reverse=True)))
        return re.sub(_NAME % f"(?:{pattern})", lambda match: written[match[0]], self.formula)


class Resolver:
    """Finds what a formula's names stand for."""

    def __init__(self, asked: Asked, figures: Figures, catalog: Catalog) -> None:
        self._asked, self._figures, self._catalog = asked, figures, catalog

    def asking(self, asked: Asked) -> Resolver:
        """The same for something else."""
        return Resolver(asked, self._figures, self._catalog)

    def name(self, company: str) -> str:
        """Display name of a company key."""
        return self._catalog.name(company)

    def has_reported(self, company: str, periods: Sequence[PeriodFilter]) -> bool:
        """Whether a document of a company is on one of the periods."""
        own = self._catalog.document_periods(company)
        return any(each.admits(period) for each in periods for period in own)

    def resolved(self, formula: str, company: str, when: When, part: str) -> Resolved:
        """The formula over printed figures: as rules have it, or over those that it is likelier of. Raises
        MissingError, ExpressionError, and ModelFileError on missing, altered or damaged files."""
        ruled = self._ruled(formula, company, when, part)
        return self._likelier(formula, company, when, part, ruled) or ruled

    def _ruled(self, formula: str, company: str, when: When, part: str) -> Resolved:
        """As `resolved`, by rules alone; a share of what is no part of anything as a ratio."""
        try:
            return self._by_rules(formula, company, when, part)
        except (MissingError, ExpressionError):
            apart = self._of_no_part() or self._of_printed_lines(company, when, part)
            if apart is None:
                raise
        return replace(apart._by_rules(formula, company, when, part), apart=True)

    def _of_printed_lines(self, company: str, when: When, part: str) -> Resolver | None:
        """For a share of two line items that are both printed by all words of their names, several each: one may be a
        part of anything; None for any other."""
        items = {name: words.rpartition("|")[2] for name, words in self._asked.items}
        if not self._asked.is_share or not items.keys() >= {PART, OF_WHOLE}:
            return None
        two = {name: items[name] for name in (PART, OF_WHOLE)}
        one, other = map(words_of, two.values())
        if one <= other or other <= one:
            return None
        named = all(len(words_of(words) - FUNCTION_WORDS) > 1 or known_in(words) for words in two.values())
        by_usual = is_divisor(items[OF_WHOLE])
        if not named or not all(
            (name == OF_WHOLE and by_usual) or self._printed(words, company, when, part, named=not by_usual)
            for name, words in two.items()
        ):
            return None
        asked = self._asked.model_copy(update={"is_share": False, "items": tuple(items.items())})
        return Resolver(asked, self._figures, self._catalog)

    @property
    def is_of_no_part(self) -> bool:
        """See `_of_no_part`: such a share may be more than all of it."""
        return self._of_no_part() is not None

    def _of_no_part(self) -> Resolver | None:
        """For a share of two line items neither of which is a part of the other: dividends in percent of net income;
        None for any other."""
        items = {name: words.rpartition("|")[2] for name, words in self._asked.items}
        of_two = self._asked.is_share and items.keys() == {PART, OF_WHOLE}
        known = {name: known_in(words) for name, words in items.items()}
        if not (of_two and all(known.values()) and known[PART] != known[OF_WHOLE]):
            return None
        asked = self._asked.model_copy(update={"is_share": False, "items": tuple(items.items())})
        return Resolver(asked, self._figures, self._catalog)

    def _likelier(
        self, formula: str, company: str, when: When, part: str, ruled: Resolved
    ) -> Resolved | None:
        """The formula over other figures than rules find, where it surely is of these; None else, and where rules
        decide: of measures, of parts side by side, of sums and spans that are made of several figures."""
        asked, names = self._asked, tuple(dict.fromkeys(names_in(formula)))
        worded = names in ((PART,), (PART, OF_WHOLE)) and all(map(dict(asked.items).get, names))
        if not (worded and asked.said) or asked.over == "part" or asked.of_all:
            return None
        places = tuple(self._wordings(each, part) for each in names)
        if any(words_of(each) & BUT_FOR or is_sum(each) for own in places for each in own):
            return None
        if ruled.found.keys() != set(names) or any(len(each.parts) > 1 for each in ruled.found.values()):
            return None
        own = [ruled.found[name].first for name in names]
        if len(own) > 1 and same_amount(*own):  # nothing is found for one of them
            return None
        chosen = self._figures.likely(Wished(asked.said, self._kind(formula), places), company, when, own)
        if all(map(same_amount, own, (each.first for each in chosen))):
            return None
        if any(_counts(one) != _counts(each.first) for one, each in zip(own, chosen, strict=False)):
            return None  # a number of things is no amount of money, however alike their lines are called
        return Resolved(formula, dict(zip(names, chosen, strict=True)), unruled=True)

    def _kind(self, formula: str) -> Kind:
        if OF_WHOLE not in names_in(formula):
            return "one"
        return "share" if self._asked.is_share else "ratio" if "/" in formula else "difference"

    def _wordings(self, name: str, part: str) -> tuple[str, ...]:
        """What the line item of a name may be called; the part of a whole by its own words."""
        words = dict(self._asked.items)[name].split("|")
        if self._asked.is_share and name == PART and OF_WHOLE in dict(self._asked.items):
            words = words[-1:]
        return tuple(f"{part} {each}".strip() for each in words)

    def _by_rules(self, formula: str, company: str, when: When, part: str) -> Resolved:
        """As `resolved`, by labels, tags and breakdowns."""
        found: dict[str, Found] = {}
        written: dict[str, str] = {}
        for name in names_in(formula):
            if name == DAYS or name in found:
                continue
            if self._is_unnamed_whole(name) and PART not in found:
                raise MissingError(f"the total that {dict(self._asked.items).get(PART, '')} are parts of")
            when = _of_one_day(when, found)
            text, own = self._stands_for(name, company, when, part, found)
            found |= own
            if text != name:
                written[name] = text
        other = _of_another_part(part, found)
        if other:
            raise MissingError(
                f"{self.name(company)}'s {self._item(other, part).labels[0]} {when.describe()}".strip()
            )
        ends = [figure.end for figure in found.values() if figure.end]
        if ends and max(ends) - min(ends) > END_SLACK:
            raise ExpressionError("the figures found are not of one day")
        whole = Resolved(Resolved(formula, found).replaced(written), found)
        whole = self._averaged(whole, when.months or YEAR)
        months = max(whole.lengths, default=YEAR)
        days = str(self._asked.days or DAYS_OF.get(months, round(months * 365.25 / YEAR)))
        return Resolved(_without_zeros(whole.replaced({DAYS: days})), whole.found)

    def _stands_for(
        self, name: str, company: str, when: When, part: str, found: Mapping[str, Found]
    ) -> tuple[str, Mapping[str, Found]]:
        """What stands in a formula for a name, itself or others, and their figures, beside those `found`. Raises
        MissingError."""
        item = self._item(name, part)
        words, own = self._said(name, part)
        rest = self._all_but(name, words or "", company, when) if not own else {}
        terms = rest or self._terms(name, words or "", company, when, own, found)
        figure = None if terms else self._figure(name, item, company, when, own, found)
        if figure is not None and not (part and item.instead and _is_of_no(part, name, figure)):
            return name, {name: figure}
        if item.instead:
            inner = self.resolved(item.instead, company, when, part)
            return f"({inner.formula})", inner.found
        if item.optional:
            return "0", {}
        if terms:
            return f"({(' - ' if rest else ' + ').join(terms)})", terms
        raise MissingError(f"{self.name(company)}'s {item.labels[0]} {when.describe()}".strip())

    def _is_unnamed_whole(self, name: str) -> bool:
        """Whether a name is of the total of a part's table; a plan may call a figure of its own so."""
        return name == WHOLE and name not in dict(self._asked.items)

    def _said(self, name: str, part: str) -> tuple[str | None, str]:
        """The words for a name, None where it is the catalogue's, and the part that it is of; of an item without words
        the part is the line item itself."""
        words = dict(self._asked.items).get(name)
        return (part, "") if words == "" else (words, part)

    def _terms(
        self, name: str, words: str, company: str, when: When, part: str, found: Mapping[str, Found]
    ) -> dict[str, Found]:
        """The figures of line items that words list together, each by a name of its own: 'goodwill and other
        intangibles'; {} unless all are found, or where a line is printed under the very words of a list. What is
        said to be added is added wherever a line has all of it; raises MissingError where neither can be: one of the
        figures will not do."""
        words = words.rpartition("|")[2]
        added = is_sum(words)
        if len(listed(words)) < 2:
            return {}
        if not added and (item_called(words) or self._printed(words, company, when, part)):
            return {}
        taken = [each.item_id for figure in found.values() for _, each in figure.parts]
        share = self._share(company, when, part) if name == PART else None
        terms = self._added(words, company, when, part, taken, share)
        if added and not terms:
            terms = [self._together(words, company, when, part)]
        return {f"{name}_{number}": figure for number, figure in enumerate(terms, start=1)}

    def _all_but(self, name: str, words: str, company: str, when: When) -> dict[str, Found]:
        """The whole and the part of it that words leave out, where no line is called so: 'sales outside Canada',
        'non-US revenue'; {} for other words, or where both are not found."""
        said = _ALL_BUT.search(words.rpartition("|")[2])
        if said is None or self._asked.is_share:
            return {}
        part, whole = said["part"] or said["non"], said["whole"] or said["of"]
        if not words_of(part) <= PLACES:
            return {}
        line = self._figures.find(
            company, Item(labels=(words,)), when.periods, when.months or None, named=True
        )
        if line is not None and _printed_words(line) & NEGATED:
            return {}
        share = self._share_in(item_called(whole) or Item(labels=(whole,)), (part, whole), company, when)
        found = share.part(Item(labels=part_labels(part, whole)), (), part)
        of = share.whole(found) if found else None
        return {f"{name}_whole": of, f"{name}_part": found} if of and found else {}

    def _together(self, words: str, company: str, when: When, part: str) -> Found:
        """The figure of a line that is called by all that is to be added. Raises MissingError where none is."""
        whole = plus_as_and(words)
        item = Item(labels=(f"{part} {whole}".strip(),))
        found = self._figures.find(company, item, when.periods, when.months or None, named=True)
        if found is None or not _is_called(found, whole, listed(words)):
            raise MissingError(f"{self.name(company)}'s {words} {when.describe()}".strip())
        return found

    def _printed(self, words: str, company: str, when: When, part: str, *, named: bool = True) -> bool:
        """Whether a line goes by these words, by all of them, each as often as it is said: 'Short-term debt' is not
        'short-term debt and debt'; `named`: as for `Figures.find`."""
        item = Item(labels=(f"{part} {words}".strip(),))
        found = self._figures.find(company, item, when.periods, when.months or None, named=named)
        if found is None or not _is_called(found, words):
            return False
        pieces = whole_pieces(listed(words))
        by_itself = words_of(words) - FUNCTION_WORDS <= words_of(fact_of(found.first).metric)
        if len(pieces) > 1 and all(map(item_called, pieces)) and not by_itself:  # but by what stands above it
            return False
        return item_called(words) is not None or _says_each(found, words)

    def _added(
        self, words: str, company: str, when: When, part: str, taken: list[str], share: Share | None
    ) -> list[Found]:
        """The figures that words list together, of a `share` each one a part of its whole; [] unless all are found, or
        where two names find one line. `taken` grows by them."""
        pieces = listed(words)
        found: list[Found] = []
        for piece in whole_pieces(pieces) if len(pieces) > 1 else ():
            item = item_called(piece) if not (part or share) else None
            own = item.called(piece) if item else Item(labels=(f"{part} {piece}".strip(),))
            figure = (
                share.part(Item(labels=part_labels(own.labels[0], share.of.labels[0])), taken, piece)
                if share
                else self._figures.find(company, own, when.periods, when.months or None, taken)
            )
            added = (
                [figure]
                if figure is not None and (share or _says_all_or_none(figure, own))
                else self._added(piece, company, when, part, taken, share)
            )
            if not added or any(_is_again(one, other) for one in found for other in added):
                return []
            found += added
            taken += [each.item_id for figure in added for _, each in figure.parts]
        return found

    def _figure(
        self, name: str, item: Item, company: str, when: When, part: str, found: Mapping[str, Found]
    ) -> Found | None:
        """The figure of one name, beside those of others. Raises MissingError for a total that no table has."""
        own = found.get(PART) if name != PART else None
        if self._is_unnamed_whole(name) and own is not None:
            return self._total(own)
        share = self._share(company, when, part)
        if share is not None and name in (PART, OF_WHOLE) and (own is not None or name == PART):
            return self._of_share(share, item, part, own)
        taken = _taken(found)
        alike = self._of_another_part(name, company, when, own, taken) if own and not part else None
        figure = alike or self._by_label(name, item, company, when, part, found, taken)
        return figure or self._part_of_whole(name, company, when, part, taken)

    def _by_label(
        self,
        name: str,
        item: Item,
        company: str,
        when: When,
        part: str,
        found: Mapping[str, Found],
        taken: Collection[str],
    ) -> Found | None:
        """The figure of the line that is called so, of a part also under the heading of a figure found before; of two
        parts of one table those under the same heads."""
        own = found.get(PART) if name != PART else None
        beside = own.first if self._asked.is_share and own is not None else None
        figure = self._figures.find(company, item, when.periods, when.months or None, taken, beside)
        figure = _of_item(figure, item, part)
        for heading in _headings(found.values()) if part and figure is None else ():
            under = self._item(name, heading)
            figure = self._figures.find(company, under, when.periods, when.months or None, taken, named=True)
        if own is None or figure is None or part or beside:
            return figure
        return self._figures.under_head_of(figure, own, item.labels[0]) or figure

    def _of_share(self, share: Share, item: Item, part: str, own: Found | None) -> Found | None:
        """The part of a share, or the whole beside its part."""
        if own is not None:
            return share.whole(own)
        return _of_item(share.part(item, (), dict(self._asked.items)[PART].rpartition("|")[2]), item, part)

    def _total(self, part: Found) -> Found:
        """The total of the table that a part stands in. Raises MissingError where it has none."""
        total = self._figures.whole_of(part)
        if total is None:
            raise MissingError(f"the total that {fact_of(part.first).metric} is a part of")
        return total

    def _of_another_part(
        self, name: str, company: str, when: When, own: Found, taken: Collection[str]
    ) -> Found | None:
        """The line item of the figure before, under a heading of these words: what is compared is of one kind."""
        words = dict(self._asked.items).get(name, "")
        if name != OF_WHOLE or not words or self._asked.is_share or "-" not in self._asked.formula:
            return None
        item = Item(labels=(f"{words} {fact_of(own.first).metric}",))
        found = self._figures.find(company, item, when.periods, when.months or None, taken, named=True)
        if found is None or canonical_of(found.first) != canonical_of(own.first):
            return None
        headed = words_of(words) - FUNCTION_WORDS <= words_of(" ".join(fact_of(found.first).path))
        return found if headed else None

    def _part_of_whole(
        self, name: str, company: str, when: When, part: str, taken: Collection[str]
    ) -> Found | None:
        """The figure of a part that no line is called by, from a table that breaks down the line item beside it: of
        'brick-and-mortar revenue' the part 'brick-and-mortar' of revenue."""
        words = dict(self._asked.items).get(name, "").rpartition("|")[2]
        item, own = (self._item(name, ""), part) if part else parted(words)
        if item is None or not own:
            return None
        whole = self._figures.find(company, item, when.periods, when.months or None, named=True)
        return self._figures.part_of(whole, own, taken) if whole else None

    def _share(self, company: str, when: When, part: str) -> Share | None:
        """Of a share whose whole is named."""
        if not self._asked.is_share or OF_WHOLE not in dict(self._asked.items):
            return None
        return self._share_in(self._item(OF_WHOLE, part), dict(self._asked.items).values(), company, when)

    def _share_in(self, whole: Item, words: Iterable[str], company: str, when: When) -> Share:
        """Of a whole; `words` are those of part and whole."""
        known = frozenset(word for text in (self.name(company), *words) for word in words_of(text))
        said = words_of(self._asked.said) - known
        names = words_of(" ".join(re.findall(r"(?<=\s)[A-Z]\w+", self._asked.said))) & said
        return Share(self._figures, company, when, whole, said, names)

    def line(self, company: str, labels: Sequence[str], unit: str | None, when: When) -> Found | None:
        """The printed figure of a line that has all words of one of these labels, in this unit (None: in any); None
        where none is."""
        for label in labels:
            item = Item(labels=(label,))
            found = self._figures.find(company, item, when.periods, when.months, named=True)
            if found is None or len(found.parts) > 1 or not _is_called(found, label):
                continue
            if unit in (None, fact_of(found.first).unit):
                return found
        return None

    def parts(self, formula: str, company: str, whens: Sequence[When]) -> tuple[str, ...]:
        """Names of the parts that the company's tables break the formula's figures down into."""
        figures = []
        for item in (self._item(name, "") for name in names_in(formula) if name != DAYS):
            wholes = (self._figures.find(company, item, when.periods, when.months) for when in whens[:1])
            whole = next(filter(None, wholes), None)
            figures.append(Ranked(item.labels, whole.first if whole else None))
        periods = tuple(each for when in whens for each in when.periods)
        return self._figures.parts(company, figures, self._asked.set_words, periods)

    def for_another_time(self, now: Resolved, when: When) -> Resolved:
        """The same figures of another period, from lines that print these under another name. Raises MissingError."""
        found = {}
        for name, figure in now.found.items():
            other = self._figures.under_another_name(figure, when.periods)
            if other is None:
                raise MissingError(
                    f"{figure.first.company}'s {fact_of(figure.first).metric} {when.describe()}"
                )
            found[name] = other
        return Resolved(now.formula, found)

    def of_same_lines(self, now: Resolved, when: When) -> Resolved | None:
        """The figures of the same lines for another period; None where one of them has none."""
        found = {name: self._figures.of_line(each, when.periods) for name, each in now.found.items()}
        there = {name: each for name, each in found.items() if each is not None}
        return Resolved(now.formula, there) if len(there) == len(found) else None

    def before(self, now: Resolved, months: int) -> Resolved:
        """The same figures of so many months before. Raises MissingError."""
        return Resolved(now.formula, {name: self._before(each, months) for name, each in now.found.items()})

    def _averaged(self, whole: Resolved, months: int) -> Resolved:
        """Opening balances beside closing ones: 'average(x)' as 'average(x, x_opening)'; `months`: from the one to the
        other where nothing else tells."""
        months = max(whole.lengths, default=months)
        named = [whole.found[name] for name in _AVERAGE.findall(whole.formula) if name in whole.found]
        if any(each.months for each in named):
            raise ExpressionError("only a balance has an average of opening and closing")
        openings = {
            name: self._before(whole.found[name], months)
            for name in _AVERAGE.findall(whole.formula)
            if name in whole.found
        }
        written = {name: f"{name}, {name}_opening" for name in openings}
        formula = _AVERAGE.sub(lambda m: f"average({written.get(m[1], m[1])})", whole.formula)
        return Resolved(formula, {**whole.found, **{f"{n}_opening": each for n, each in openings.items()}})

    def _before(self, figure: Found, months: int) -> Found:
        """The figure of the same line item so many months before. Raises MissingError."""
        own = figure.first
        before = (
            self._figures.at(own, months_before(figure.end, months), own.period.months)
            if figure.end and len(figure.parts) == 1
            else None
        )
        if before is None:
            raise MissingError(f"{own.company}'s {fact_of(own).metric} {months} months earlier")
        return Found(((1, before),), before.period.end, before.period.months)

    def _item(self, name: str, part: str) -> Item:
        """The line item that a name stands for."""
        words, part = self._said(name, part)
        if words is not None:
            labels = words.split("|")
            if not part:
                usual = item_called(labels[0]) if len(labels) == 1 and not self._asked.is_share else None
                measure = measure_called(labels[0])
                instead = measure.formula if measure else ""
                return usual.called(labels[0]) if usual else Item(labels=tuple(labels), instead=instead)
            return Item(
                labels=(*(each for label in labels for each in (f"{part} {label}", f"{label} {part}")), part)
            )
        item = catalogue().items.get(name) or Item(labels=(name.replace("_", " "),))
        if not part:
            return item
        of_part = tuple(f"{part} {each}" for each in item.labels)
        return Item(labels=of_part, size=item.size, instead=item.instead)


def _taken(found: Mapping[str, Found]) -> set[str]:
    """Ids of figures that stand for other lines; a whole and what is left out of it may stand once more."""
    own = (figure for name, figure in found.items() if not name.endswith(("_whole", "_part")))
    return {each.item_id for figure in own for _, each in figure.parts}


def _counts(figure: Evidence) -> bool:
    return COUNTED.takes(fact_of(figure).unit)


def _is_again(one: Found, other: Found) -> bool:
    """Whether two figures are one, which two pages print under like names."""
    alike = words_of(fact_of(one.first).metric) & words_of(fact_of(other.first).metric) - FUNCTION_WORDS
    return bool(alike) and same_amount(one.first, other.first)


def _says_each(found: Found, words: str) -> bool:
    """Whether a line says each of the words that are said more than once as often."""
    fact = fact_of(found.first)
    said, printed = (
        Counter(re.findall(r"\w+", text.lower())) for text in (words, " ".join((*fact.path, fact.metric)))
    )
    return all(printed[word] >= times for word, times in said.items() if times > 1)


def _of_one_day(when: When, found: Mapping[str, Found]) -> When:
    """The time of the figures found so far, where none is asked for: the newest figure of each line may be of a day of
    its own."""
    end = next((figure.end for figure in found.values() if figure.end), None)
    return When((PeriodFilter(end=end),), when.months) if end and not when.periods else when


def _of_another_part(part: str, found: Mapping[str, Found]) -> str:
    """The name of a figure whose line has no word of the part that another one's has: the margin of all products is
    none of one's sales; '' where there is none."""
    words = words_of(part)
    has = {name: _shares_a_word(words, _printed_words(each)) for name, each in found.items()}
    return next((name for name, own in has.items() if not own), "") if any(has.values()) else ""


def _shares_a_word(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether they have a word in common, or one of a common stem: 'Canada' and 'Canadian'."""
    stems = {word[:STEM] for word in others if len(word) >= STEM}
    return bool(words & others) or any(len(word) > STEM and word[:STEM] in stems for word in words)


def _of_item(found: Found | None, item: Item, part: str) -> Found | None:
    """A figure, but none of a line that is called by nothing but a part and stands under no words of the line item, nor
    under those that are usual for it: 'United States' alone may be of anything."""
    own = words_of(part)
    if found is None or not part or words_of(fact_of(found.first).metric) - own:
        return found
    labels = [" ".join(word for word in label.split() if not words_of(word) <= own) for label in item.labels]
    usual = [text for label in labels if (line := item_called(label)) for text in line.labels]
    said = [words_of(label) - own - FUNCTION_WORDS for label in (*labels, *usual)]
    headed = any(words and words <= _printed_words(found) for words in said)
    return found if headed or not any(said) else None


def _printed_words(found: Found) -> frozenset[str]:
    """Of a line, its headings and its table."""
    fact = fact_of(found.first)
    return words_of(" ".join((*fact.path, fact.metric, found.first.section)))


def _is_called(found: Found, words: str, names: Sequence[str] = ()) -> bool:
    """Whether a line has all these words, or they are another name for it; of several names also what tells one from
    the others: 'long' of short- and long-term debt."""
    printed = _printed_words(found)
    own = [words_of(name) for name in names]
    told = all(each - frozenset.intersection(*own) <= printed for each in own)
    said = told and words_of(words) - FUNCTION_WORDS <= printed
    return said or canonical_metric(words) == canonical_of(found.first)


def _says_all_or_none(found: Found, item: Item) -> bool:
    """Whether a line has all words of a label, or none where it was found by its meaning: 'U.S.' is not U.S. health."""
    printed = _printed_words(found)
    asked = [words_of(label) - FUNCTION_WORDS for label in item.labels]
    return any(words <= printed for words in asked) or not any(words & printed for words in asked)


def _is_of_no(part: str, name: str, figure: Found) -> bool:
    """Whether a line has no word of a part, or is known as what an item of the catalogue is made of, and not as the
    item: the cost of leases is no gross profit of theirs."""
    item = catalogue().items.get(name)
    fact = fact_of(figure.first)
    known = known_in(fact.metric).union(*map(known_in, fact.path))
    if item is None or item.labels[0] in known:
        return not _shares_a_word(words_of(part), _printed_words(figure))
    said = words_of(" ".join((fact.metric, *fact.path)))
    pieces = [catalogue().items[each] for each in names_in(item.instead)]
    return any(piece.labels[0] in known or said & _usual_words(piece) for piece in pieces)


def _usual_words(item: Item) -> frozenset[str]:
    """Words of most labels of an item: 'cost' of the cost of sales."""
    said = Counter(word for label in item.labels for word in words_of(label) - FUNCTION_WORDS)
    return frozenset(word for word, times in said.items() if 2 * times > len(item.labels))


def _headings(found: Collection[Found]) -> list[str]:
    """Under which figures of a part stand: what it is called in print."""
    return [path[0] for each in found if (path := fact_of(each.first).path)][:1]


def is_size(name: str) -> bool:
    """Whether a line item of the catalogue counts without its sign, by its name in a formula."""
    items = catalogue().items
    while name not in items and "_" in name:
        name = name.rpartition("_")[0]
    return name in items and items[name].size


def _without_zeros(formula: str) -> str:
    """'(a + 0 + 0) / b' as '(a) / b'."""
    return re.sub(r"(?<=\()0 [+] | [+-] 0(?![\w.])", "", formula)
