"""Operands: the printed figure that a line item means, of a company and a period; what is not printed is derived from
what is: a quarter from the year and nine months, a half year from its quarters."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from tools.calculate.breakdowns import BUT_FOR, breakdowns_of, part_called, rows_alike
from tools.calculate.choosing import (
    STATEMENTS,
    canonical_of,
    chosen,
    home_of,
    line_key,
    on_page_of,
    undated,
)
from tools.calculate.concept_rows import tagged_rows
from tools.calculate.joined_spans import END_SLACK, Span, around, ends, month_of, way
from tools.calculate.likely_lines import Field, Wished, amount_of, choose, same_amount
from tools.calculate.meant_lines import MIN_NEARNESS, MeantLines
from tools.calculate.measures import Item, concepts_of_items, item_called
from tools.calculate.parts import Ranked, parts_of
from tools.calculate.schedules import Due, what_is_due
from tools.calculate.types import When
from tools.documents.tables.note_names import outside_entity
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.evidence import Evidence, fact_of
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.lexicon.word_forms import words_of
from tools.knowledge.search.kg_search import fact_evidence, kg_search
from tools.knowledge.search.line_items import company_facts, own_names
from tools.knowledge.search.nearest_figures import Encoder
from tools.model_files import ModelFileError
from tools.periods import MONTHS_IN_WORDS, PeriodFilter
from tools.scope import Scope

MIN_MATCH = 0.7
"""`Fact.match` from which a figure is what a line item's words mean."""
MAX_GAP, MAX_GAP_OF_SPANS = 0.05, 0.1
"""How much less than the best a figure may match; one of another span of the same line, which other documents may print
under other headings."""
NOT_ADDED = frozenset(("percent", "percentage points", "basis points", "shares"))
"""Units of figures that do not add up over time."""
MIN_IN_STATEMENT = 0.57
"""Nearness from which a line of a statement is the item that it is asked for: of the items' nearest lines on the
statements of 22 companies 6 of the 29 from 0.50 up to it were another's, total assets for current assets say."""
MIN_WORDS, NEARLY = 3, 0.8
"""A line of a primary statement that says at least so many words, and one more, matches so well: 'payments for
acquisition of property, plant and equipment'."""
MAX_HITS = 40
_ABBREVIATED = re.compile(r"(?<![\w&])[A-Z](?:[A-Z&]{1,4})[A-Z](?![\w&])")
_LETTERS = re.compile(r"(?<![\w&])[A-Z]{3,5}(?![\w&])")


Chooser = Callable[[Field], Sequence[Evidence]]


@dataclass(frozen=True, slots=True)
class Found:
    """A figure for one place of a formula: one printed figure, or several with their signs."""

    parts: tuple[tuple[int, Evidence], ...]
    """(1 or -1, figure): 'nine months less six months'."""
    end: date | None
    months: int | None

    @property
    def first(self) -> Evidence:
        """The figure that is added first."""
        return self.parts[0][1]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is looked for, see `Figures.find`; the periods without lengths."""

    company: str
    item: Item
    wished: tuple[PeriodFilter, ...]
    months: int | None
    taken: Collection[str]
    beside: Evidence | None


class Figures:
    """The printed figures of a graph within the user's own filters."""

    def __init__(
        self,
        graph: KnowledgeGraph,
        within: Scope,
        encoder: Encoder | None = None,
        choose: Chooser = choose,
    ) -> None:
        """`encoder`: tells the line that words mean where no label says them; None: none is. `choose`: as
        `tools.calculate.likely_lines.choose`; asked with an encoder alone."""
        self._graph, self._within = graph, within
        self._encoder, self._choose = encoder, choose
        self._meant = MeantLines(encoder) if encoder else None
        self._known: dict[tuple[str, str, tuple[PeriodFilter, ...], int | None], list[Evidence]] = {}
        self._spelled: dict[tuple[str, str], str] = {}
        self._numbers = {document.id: number for number, document in enumerate(graph.tables.documents)}
        self._filed = {document.id: document.period_end or date.min for document in graph.tables.documents}

    def due(self, company: str, said: str, whole: str, periods: Collection[PeriodFilter]) -> Due | None:
        """See `tools.calculate.schedules.what_is_due`."""
        return what_is_due(self._graph, company, said, whole, periods, self._may_see)

    def phrases(self, company: str) -> frozenset[str]:
        """Labels and headings of a company's tables, folded."""
        return company_facts(self._graph, company).phrases

    def _is_at_home(self, item: Evidence) -> bool:
        """Whether a figure stands in the primary statement itself, and not in a note that is like it."""
        fact = fact_of(item)
        home = home_of(self._graph, self._numbers[item.document_id], fact.statement)
        return home is not None and abs(item.page - home) <= 1

    def find(
        self,
        company: str,
        item: Item,
        periods: Sequence[PeriodFilter],
        months: int | None,
        taken: Collection[str] = (),
        beside: Evidence | None = None,
        *,
        named: bool = False,
    ) -> Found | None:
        """The figure of a line item for a period, derived where it is not printed; None where neither can be.

        `months` counts for what is of a span of time: None takes the longest that the period's documents print.
        `taken`: ids of figures that stand for another line already; `beside`: the part of a whole, on whose page the
        whole is looked for first; `named`: only what is printed under one of the item's labels. A line of a statement
        is looked for by label in the statement itself, then in notes like it, by its tag, by its meaning, and by label
        in any table, but for what a company need not have: some table always has a line like it.
        ModelFileError on missing, altered or damaged files, where a line is looked for by its meaning.
        """
        wished = tuple(replace(each, months=None) for each in periods)
        item = self._spelled_out(company, item)
        if not item.statement and any(self._is_balance(company, label, wished) for label in item.labels):
            item = item.model_copy(update={"statement": "balance"})
        asked = _Asked(company, item, wished, months, taken, beside)
        if not item.statement:
            return self._labelled(asked, ("anywhere", "text")) or (None if named else self._nearest(asked))
        found = self._labelled(asked, ("home", "statement")) or self._tagged(asked)
        if found is None and not (named or item.instead):  # what stands for it is no guess
            found = self._nearest(asked)
        return found or (None if item.optional else self._labelled(asked, ("anywhere",)))

    def _spelled_out(self, company: str, item: Item) -> Item:
        """The item with abbreviations as what they stand for in the company's tables, where these say so: 'RD&E' as
        'research, development and engineering', 'UCAN' as 'United States and Canada (UCAN)', too."""
        labels = tuple(
            _ABBREVIATED.sub(lambda match: self._words_of(company, match[0]), label) for label in item.labels
        )
        if labels == item.labels:
            return item
        said = {word for each in self.phrases(company) for word in each.split()}
        kept = (each for each in item.labels if said.issuperset(map(str.lower, _ABBREVIATED.findall(each))))
        return item.model_copy(update={"labels": tuple(dict.fromkeys((*labels, *kept)))})

    def _words_of(self, company: str, short: str) -> str:
        """What an abbreviation stands for in the company's tables, looked for once; itself where they have it so."""
        key = company, short
        if key not in self._spelled:
            phrases, letters = self.phrases(company), short.lower()
            own = [each for each in phrases if letters in each.split()]
            unknown = letters in canonical_metric(short).split() and not own
            found = (_words_for(letters.replace("&", ""), each) for each in phrases) if unknown else ()
            named = (  # 'united states and canada ucan': an abbreviation behind what it stands for
                each for each in own if each.split()[-1] == letters and len(each.split()) > len(letters) // 2
            )
            self._spelled[key] = min(filter(None, (*found, *named)), key=len, default=short)
        return self._spelled[key]

    def _labelled(self, asked: _Asked, places: Sequence[str]) -> Found | None:
        """By the first of the item's labels that a line goes by, in the first place that has one."""
        company, item, months = asked.company, asked.item, asked.months
        for place in places:
            for label in self._called_first(company, item, asked.wished, months):
                hits = self._hits(company, label, asked.wished, 0 if item.is_balance else months)
                fitting = [e for e in self._of_item(hits, item, place) if e.item_id not in asked.taken]
                right = [e for e in fitting if months is None or e.period.months in (0, None, months)]
                right = on_page_of(asked.beside, [e for e in right if not _is_empty_column(e, right)])
                if right:
                    best = chosen(right, months, (label, *item.labels), self._own_words(company))
                    return Found(((1, best),), best.period.end, best.period.months)
            if months and not item.is_balance:
                made = self._derived(company, item, asked.wished, months, place)
                if made is not None and not any(each.item_id in asked.taken for _, each in made.parts):
                    return made
        return None

    def _called_first(
        self, company: str, item: Item, wished: tuple[PeriodFilter, ...], months: int | None
    ) -> Sequence[str]:
        """The item's labels, that by which a line of its statement is called with the company's name before the
        others: 'Total equity' beside 'Total Orla shareholders' equity' has what is others', too."""
        own = self._own_words(company)

        def is_called(label: str, own: frozenset[str] = own) -> bool:
            hits = self._hits(company, label, wished, 0 if item.is_balance else months)
            lines = (
                words_of(fact_of(each).metric) for each in hits if fact_of(each).statement == item.statement
            )
            return any((not own or words & own) and words - own == words_of(label) for words in lines)

        if not item.is_balance or (item.worded and is_called(item.labels[0], frozenset())):
            return item.labels
        return sorted(item.labels, key=is_called, reverse=True)

    def _nearest(self, asked: _Asked) -> Found | None:
        """The figure of the line that the item's words mean as learnt; None where that is not sure, or they say what it
        is not."""
        item, months = asked.item, asked.months
        if self._meant is None or words_of(item.labels[0]) & BUT_FOR:
            return None
        lengths = (0, None) if item.is_balance else (0, None, months)
        every = self._figures_of(asked.company, asked.wished)
        taken = [each for each in every if each.item_id in asked.taken]
        figures = [
            each
            for each in every
            if not any(same_amount(each, other) for other in taken)
            and (months is None or each.period.months in lengths)
            and (not item.statement or fact_of(each).statement == item.statement)
            and item.takes(fact_of(each).unit)
            and _says_letters(each, item.labels[0])
        ]
        least = MIN_IN_STATEMENT if item.statement else MIN_NEARNESS
        right = on_page_of(asked.beside, self._meant.meant(item.labels[0], figures, least))
        if not right:
            return None
        best = chosen(right, months, item.labels[:1], self._own_words(asked.company))
        return Found(((1, best),), best.period.end, best.period.months)

    def likely(
        self, wished: Wished, company: str, when: When, ruled: Sequence[Evidence]
    ) -> tuple[Found, ...]:
        """The figures that a formula is likelier of than of those `ruled`, one for each place; () where that is not
        sure, and where it can't be told: what rules find stands then."""
        if self._encoder is None:
            return ()
        periods = tuple(replace(each, months=None) for each in when.periods)
        figures = [
            each
            for each in self._figures_of(company, periods)
            if (not when.months or each.period.months in (0, None, when.months))
            and any(_says_letters(each, words) for own in wished.places for words in own)
        ]
        at_home = frozenset(each.item_id for each in figures if self._is_at_home(each))
        wished = wished._replace(own_words=self._own_words(company))
        chosen: Sequence[Evidence] = ()
        with suppress(ModelFileError):  # the ranker says that its files are not there
            chosen = self._choose(Field(wished, figures, ruled, at_home, self._encoder))
        return tuple(Found(((1, each),), each.period.end, each.period.months) for each in chosen)

    def _figures_of(self, company: str, periods: Sequence[PeriodFilter]) -> list[Evidence]:
        """All figures of a company for some periods that may answer, none from running text."""
        found = (
            fact_evidence(self._graph.triplet(row), 1.0)
            for row in self._graph.rows_of_company.get(company, ())
            if self._graph.may_answer(row)
            and r.row_amount(self._graph.tables, self._graph.tables.rows[row]) is not None
            and (
                not periods
                or any(
                    p.admits(self._graph.tables.periods[self._graph.tables.rows[row][r.PERIOD]])
                    for p in periods
                )
            )
        )
        return [each for each in found if self._may_see(each) and fact_of(each).statement != "prose"]

    def _tagged(self, asked: _Asked) -> Found | None:
        """The figure of the item's statement that its filer tagged with the item's concept, whatever its label says."""
        item, months, wished = asked.item, asked.months, asked.wished
        rows = tagged_rows(self._graph, asked.company, item.statement, item.concepts)
        lengths = (0, None) if item.is_balance else (months,)
        tagged = [
            each
            for each in (fact_evidence(self._graph.triplet(row), 1.0) for row in rows)
            if self._may_see(each)
            and each.item_id not in asked.taken
            and (each.period.months in lengths or (months is None and not item.is_balance))
            and (not wished or any(period.admits(each.period) for period in wished))
        ]
        if not tagged:
            return None
        best = chosen(tagged, months, item.labels[:1], self._own_words(asked.company))
        return Found(((1, best),), best.period.end, best.period.months)

    def _is_balance(self, company: str, label: str, periods: tuple[PeriodFilter, ...]) -> bool:
        """Whether a label is that of a line of the balance sheet: cash flows print its changes under the same name."""
        hits = [hit for months in (0, None) for hit in self._hits(company, label, periods, months)]
        best = max((hit.score for hit in hits), default=0.0)
        good = {
            fact_of(hit).statement for hit in hits if hit.score >= best - MAX_GAP and fact_of(hit).may_answer
        }
        return "balance" in good and good <= {"balance", "cash_flow", "prose", "other"}

    def at(self, item: Evidence, end: date, months: int | None) -> Evidence | None:
        """The figure of the same line item at another time; the one of the same document first, else of the newest."""
        same = [
            each
            for each in self._line(item)
            if each.period.months == months and each.period.end and abs(each.period.end - end) <= END_SLACK
        ]
        titled = [each for each in same if each.section == item.section] or same
        return max(
            titled,
            key=lambda e: (
                e.document_id == item.document_id,
                self._filed[e.document_id],
                -abs(e.page - item.page),
            ),
            default=None,
        )

    def of_line(self, figure: Found, periods: Sequence[PeriodFilter]) -> Found | None:
        """The figure of the same line for other periods: of its table before another place; None where it has none, or
        the figure is made of several."""
        own = figure.first
        if len(figure.parts) > 1:
            return None
        alike = [
            each
            for each in self._called_alike(own)
            if each.period.months == own.period.months and any(p.admits(each.period) for p in periods)
        ]
        place = own.document_id, own.page, own.section
        beside = [each for each in alike if (each.document_id, each.page, each.section) == place]
        key = line_key(fact_of(own))
        exact = [[each for each in some if line_key(fact_of(each)) == key] for some in (beside, alike)]
        found = next(filter(None, (exact[0], beside if len(beside) == 1 else [], exact[1])), [])
        best = max(found, key=lambda each: each.document_id == own.document_id, default=None)
        return Found(((1, best),), best.period.end, best.period.months) if best else None

    def under_head_of(self, figure: Found, other: Found, words: str) -> Found | None:
        """The figure of the same row under the headings that another row's figure has in its table: all revenue of two
        states, not all of one and that from water of the other. None where there is none, or the words that it was
        looked for by say its own headings."""
        if len(figure.parts) > 1 or len(other.parts) > 1:
            return None
        own, beside = figure.first, other.first
        place = beside.document_id, beside.page, beside.section
        heads, others = (words_of(" ".join(fact_of(each).path)) for each in (own, beside))
        of_one_row = fact_of(own).metric == fact_of(beside).metric
        if (
            place != (own.document_id, own.page, own.section)
            or of_one_row
            or (heads - others) & words_of(words)
        ):
            return None
        alike = (
            each
            for each in self._called_alike(own)
            if (each.document_id, each.page, each.section) == place
            and each.period == beside.period
            and fact_of(each).path == fact_of(beside).path
        )
        best = next(alike, None)
        return Found(((1, best),), best.period.end, best.period.months) if best else None

    def parts(
        self,
        company: str,
        figures: Sequence[Ranked],
        set_words: str,
        periods: tuple[PeriodFilter, ...],
    ) -> tuple[str, ...]:
        """See `tools.calculate.parts.parts_of`; of parts with a figure in these periods."""
        wished = replace(
            self._within,
            companies=(company,),
            periods=tuple(replace(each, months=None) for each in periods),
        )
        return parts_of(self._graph, company, figures, set_words, wished)

    def under_another_name(self, figure: Found, periods: Sequence[PeriodFilter]) -> Found | None:
        """The figure for other periods of a line that prints the same amount for the same time, and shares the words of
        the label: tables of several years call a line by another name. None where there is none."""
        own = figure.first
        if len(figure.parts) > 1:
            return None
        for row in rows_alike(self._graph, own):
            line = fact_evidence(self._graph.triplet(row), own.score)
            if not words_of(fact_of(own).metric) <= words_of(fact_of(line).metric):
                continue
            for each in self._line(line):
                if each.period.months == own.period.months and any(p.admits(each.period) for p in periods):
                    return Found(((1, each),), each.period.end, each.period.months)
        return None

    def nearest_name(self, words: str, names: Sequence[str]) -> str:
        """See `MeantLines.nearest_name`; '' without an encoder."""
        return self._meant.nearest_name(words, names) if self._meant else ""

    def part_of(self, whole: Found, words: str, taken: Collection[str] = ()) -> Found | None:
        """The part of a figure that these words name or, as learnt, mean, in a table whose parts add up to it; None
        where none has one that is not `taken`. ModelFileError on missing, altered or damaged files."""
        if len(whole.parts) > 1:
            return None
        own = words_of(fact_of(whole.first).metric)
        words = " ".join(each for each in words.split() if not words_of(each) & own)
        if not words:  # it is called as the whole is
            return None
        tables = list(breakdowns_of(self._graph, whole.first))
        named = (self._seen(part_called(table, words), whole, taken) for table in tables)
        part = next(filter(None, named), None)
        if part is None and self._meant is not None and not words_of(words) & BUT_FOR:
            rows = [each for table in reversed(tables) for each in table.rows.items()]
            company = frozenset(" ".join(own_names(self._graph, whole.first.company_key)).split())
            seen = {name: each for name, row in rows if (each := self._seen(row, whole, taken))}
            # what a company is called says nothing of a part: 'Walmart U.S.' is not its groceries
            names = {bare: each for name, each in seen.items() if (bare := _without(name, company))}
            part = names.get(self._meant.nearest_name(words, tuple(names)))
        return Found(((1, part),), whole.end, whole.months) if part else None

    def _seen(self, row: int | None, whole: Found, taken: Collection[str]) -> Evidence | None:
        """A row of a table beside a figure, where the user's filters admit it and it stands for nothing else."""
        if row is None:
            return None
        item = fact_evidence(self._graph.triplet(row), whole.first.score)
        return item if self._may_see(item) and item.item_id not in taken else None

    def is_part(self, part: Found, whole: Found) -> bool:
        """Whether a table prints a figure among those that add up to another."""
        return len(whole.parts) == 1 and any(
            _id(self._graph, row) == part.first.item_id
            for table in breakdowns_of(self._graph, whole.first)
            for row in table.rows.values()
        )

    def whole_of(self, part: Found) -> Found | None:
        """The total of the table that a figure stands in, for the same period; None where it has none."""
        own = part.first
        rows = [
            n
            for n in self._graph.rows_of_company.get(own.company_key, ())
            if _id(self._graph, n) == own.item_id
        ]
        chunk = self._graph.tables.rows[rows[0]][r.CHUNK] if rows else ""
        beside = (self._graph.triplet(row) for row in self._graph.rows_of_chunk.get(chunk, ()))
        totals = [
            fact_evidence(each, own.score)
            for each in beside
            if each.head.lower().startswith("total")
            and (each.period, each.unit) == (own.period, fact_of(own).unit)
            and set(each.path) <= set(fact_of(own).path)
        ]
        totals = [each for each in totals if self._may_see(each)]
        item = item_called(fact_of(own).metric)
        if (
            item and fact_of(own).statement == "segment"
        ):  # operating income of a segment is no part of its revenue
            totals = [each for each in totals if item_called(fact_of(each).metric) in (None, item)]
        return Found(((1, totals[0]),), part.end, part.months) if totals else None

    def _hits(
        self, company: str, label: str, periods: tuple[PeriodFilter, ...], months: int | None
    ) -> list[Evidence]:
        """Printed figures that a label means, the best first."""
        key = (company, label, periods, months)
        if key not in self._known:
            within = replace(self._within, companies=(company,), periods=periods)
            found = kg_search(self._graph, label, within, MAX_HITS, 1, months)
            facts = [each for each in found if each.fact is not None and each.fact.may_answer]
            facts = [self._as_called(each, label) for each in facts]
            self._known[key] = [each for each in facts if each.score >= MIN_MATCH and self._may_see(each)]
        return self._known[key]

    def _as_called(self, hit: Evidence, label: str) -> Evidence:
        """A line of a primary statement that says the label and its company's name, or one that says it together with
        its headings, is what the label means: 'Total Orla shareholders' equity', 'Europe' under 'Sales'. One that says
        the same in another order, or a word more, nearly is: 'Receivables, net' of net receivables."""
        fact, asked, own = fact_of(hit), words_of(label), self._own_words(hit.company_key)
        words, above = words_of(undated(fact.metric)), [words_of(each) - own for each in fact.path]
        of_a_day = words == asked and words != words_of(fact.metric)  # 'Balance at December 31, 2023'
        headings = frozenset().union(*(each for each in above if each <= asked))
        named = words & own and words - own == asked and fact.statement in STATEMENTS
        headed = words < asked <= words | headings
        if named or headed or of_a_day:
            return hit.model_copy(update={"score": 1.0})
        more = words - asked - FUNCTION_WORDS
        one_more = len(asked - FUNCTION_WORDS) >= MIN_WORDS and asked < words and len(more) == 1
        longer = len(asked - FUNCTION_WORDS) >= MIN_WORDS and fact.metric.lower().startswith(
            f"{label.lower()} "
        )
        alike = fact.statement in STATEMENTS and (words == asked or one_more or longer)
        return hit.model_copy(update={"score": max(hit.score, NEARLY)}) if alike else hit

    def _of_item(
        self, hits: Sequence[Evidence], item: Item, place: str, gap: float = MAX_GAP
    ) -> list[Evidence]:
        """Those of the line item's statement, at home or in its notes, or of any table; tagged with its concept where
        some are."""
        fitting = [each for each in hits if (fact_of(each).statement == "prose") == (place == "text")]
        if place in ("home", "statement"):
            fitting = [each for each in fitting if fact_of(each).statement == item.statement]
        if place == "home":
            fitting = [each for each in fitting if self._is_at_home(each)]
        elif item.statement and item.instead:  # a heading makes it a part's, or an investee's
            fitting = [each for each in fitting if not fact_of(each).path]
        if item.is_balance:
            fitting = [each for each in fitting if not each.period.months]
        fitting = [
            each
            for each in fitting
            if item.takes(fact_of(each).unit)
            and not _is_of_another_item(each, item)
            and not _is_anothers(each, item)
        ]
        best = max((each.score for each in fitting), default=0.0)
        fitting = [each for each in fitting if each.score >= best - gap]
        exact = [each for each in fitting if fact_of(each).concept.rpartition(":")[2] in item.concepts]
        return exact or fitting

    def _own_words(self, company: str) -> frozenset[str]:
        return frozenset(word for name in own_names(self._graph, company) for word in name.split())

    def _may_see(self, item: Evidence) -> bool:
        return item.is_within(self._within)

    def _line(self, item: Evidence) -> list[Evidence]:
        """All printed figures of the line item that a figure is of."""
        wanted = line_key(fact_of(item))
        return [each for each in self._called_alike(item) if line_key(fact_of(each)) == wanted]

    def _called_alike(self, item: Evidence) -> list[Evidence]:
        """All printed figures of the name, unit and statement of a figure, under whatever headings: those under its
        very label, and those under one of another day, or of the other end of the period, that say the same where
        both speak of one time."""
        label, _, unit, statement = line_key(fact_of(item))
        found: dict[str, list[Evidence]] = {fact_of(item).metric.lower(): []}
        for line in company_facts(self._graph, item.company_key).items:
            if (label, unit, statement) == (undated(line.label), line.unit, line.statement):
                rows = (fact_evidence(self._graph.triplet(row), item.score) for row in line.rows)
                found.setdefault(line.label.lower(), []).extend(each for each in rows if self._may_see(each))
        own, *others = found.values()
        return [*own, *(each for some in others if _agree(own, some) for each in some)]

    def _derived(
        self, company: str, item: Item, wished: Sequence[PeriodFilter], months: int, place: str
    ) -> Found | None:
        """A span that is not printed, from printed ones of one line that begin and end where it does."""
        for label in item.labels:
            hits = [
                hit
                for length in (None, *sorted(MONTHS_IN_WORDS))
                for hit in self._hits(company, label, around(wished), length)
            ]
            spans = self._spans(self._of_item(hits, item, place, MAX_GAP_OF_SPANS))
            known = {each.figure.period for each in spans}
            for end in (end for wanted in wished for end in ends(wanted, known)):
                path = way(spans, month_of(end) - months, month_of(end))
                if path is not None:
                    return Found(path, end, months)
        return None

    def _spans(self, hits: Sequence[Evidence]) -> list[Span]:
        """The spans of time of which the best hit's line is printed, under whatever headings."""
        if not hits:
            return []
        name, unit = canonical_of(hits[0]), fact_of(hits[0]).unit
        if "/" in unit or unit in NOT_ADDED:
            return []
        alike = [each for each in hits if canonical_of(each) == name and fact_of(each).unit == unit]
        lines = {line_key(fact_of(each)): each for each in alike}
        printed = {each.item_id: each for line in lines.values() for each in self._line(line)}
        return [
            Span(month_of(each.period.end) - each.period.months, month_of(each.period.end), each)
            for each in printed.values()
            if each.period.end and each.period.months
        ]


def _is_nothing(figure: Evidence) -> bool:
    return not (fact_of(figure).value and amount_of(figure))


def _is_empty_column(figure: Evidence, others: Sequence[Evidence]) -> bool:
    """Whether a figure is nothing, in a column of a kind of shares say, where another column of its line has one."""
    return _is_nothing(figure) and any(
        not _is_nothing(each)
        and (each.document_id, each.page, each.period) == (figure.document_id, figure.page, figure.period)
        and fact_of(each).metric == fact_of(figure).metric
        for each in others
    )


def _agree(one: Sequence[Evidence], other: Sequence[Evidence]) -> bool:
    """Whether rows under the same headings say the same of the times that both have."""
    amounts: dict[object, set[Decimal]] = {}
    for each in (*one, *other):
        fact = fact_of(each)
        if fact.value:
            key = tuple(map(undated, fact.path)), each.period, each.document_id
            amounts.setdefault(key, set()).add(amount_of(each))
    return all(len(some) == 1 for some in amounts.values())


def _is_of_another_item(figure: Evidence, item: Item) -> bool:
    """Whether a line's filer tagged it with what another item of the catalogue is."""
    concept = fact_of(figure).concept.rpartition(":")[2]
    return bool(item.concepts) and concept not in item.concepts and concept in concepts_of_items()


def _words_for(letters: str, phrase: str) -> str:
    """The first words of a label, where they begin with these letters, but for those that only join; else ''."""
    words = list(re.finditer(r"\w+", phrase))
    content = [word for word in words if word[0] not in FUNCTION_WORDS][: len(letters)]
    spelled = "".join(word[0][0] for word in content) == letters
    return phrase[: content[-1].end()] if spelled else ""


def _says_letters(figure: Evidence, label: str) -> bool:
    """Whether a line has the abbreviations of a label, or words that begin with their letters: ARR is no revenue,
    whatever cloud it is of."""
    fact = fact_of(figure)
    words = re.findall(r"\w+", " ".join((*fact.path, fact.metric, figure.section)).lower())
    initials = "".join(word[0] for word in words if word not in FUNCTION_WORDS)
    short = [each for each in _LETTERS.findall(label) if item_called(each) is None]
    meant = canonical_metric(label).split()
    return all(each.lower() in words or each.lower() in initials for each in short if each.lower() in meant)


def _is_anothers(figure: Evidence, item: Item) -> bool:
    """Whether a figure stands in a table of another company, an investee say, that the item does not name."""
    outsider = outside_entity(figure.text) if fact_of(figure).path else ""
    if outsider not in fact_of(figure).path:
        return False
    return not words_of(outsider.split()[0]) & words_of(" ".join(item.labels))


def _id(graph: KnowledgeGraph, row: int) -> str:
    return str(graph.tables.rows[row][r.ID])


# Derived spans


def _without(name: str, words: frozenset[str]) -> str:
    return " ".join(each for each in name.split() if not words_of(each) <= words)
