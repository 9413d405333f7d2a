"""What the index holds, for reading questions: companies by every name, and each one's periods."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise, takewhile
from pathlib import Path

from tools.documents.metadata.company_names import NameToken, lower_name, name_tokens, name_variants
from tools.documents.metadata.near_names import MAX_SPAN, NearNames
from tools.documents.metadata.paths import read_path
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, ORDINARY, PLACES
from tools.documents.types import Document
from tools.periods import DAYS_A_QUARTER, Period
from tools.scope import Scope

_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,5}([.-][A-Z]{1,2})?$")
MIN_ID_DIGITS = 4
"""Of a document's id that stand for it."""
_CALENDAR_SLACK_DAYS = 10
"""Days by which quarters counted in weeks end apart from calendar ones."""
_DURATION = re.compile(r"(3|6|9|12)m$")
"""'9M ended ...' is a duration, whatever company is called so."""


_BEHIND_NAME = re.compile(
    r"\s*[:,]|\s+(?:(?:fy|[qh]\s?)?\d|(?:first|second|third|fourth|full)[\s-](?:half|quarter|year)\b)",
    re.IGNORECASE,
)
"""What stands behind the name of a company that opens a text, and seldom behind another word: a colon, a period."""
_NO_WORD = re.compile(r"[\W_]+")
MIN_LETTERS = 2
"""Of a word that a file is called by; of one that a number is glued to one more: 'FY2023' is none."""


@dataclass(frozen=True, slots=True)
class Company:
    """A company of the index."""

    key: str
    """`Document.company_key`."""
    name: str
    ticker: str | None
    aliases: tuple[str, ...]
    """As the documents give them, the display name excluded."""
    doc_types: frozenset[str]


@dataclass(frozen=True, slots=True)
class CompanyMention:
    """A company named in a text."""

    key: str
    text: str
    start: int
    end: int
    """Character span, without a possessive ending."""
    possessive: bool = False
    exact: bool = True
    """False for a name taken as misspelt."""


class Catalog:
    """Companies and periods of the indexed documents."""

    def __init__(
        self,
        documents: Sequence[Document],
        periods_by_company: Mapping[str, Collection[Period]] | None = None,
    ) -> None:
        """`periods_by_company` holds the periods of each company's facts; None: only the documents' own."""
        grouped: dict[str, list[Document]] = defaultdict(list)
        for document in documents:
            grouped[document.company_key].append(document)
        self.companies: Mapping[str, Company] = {
            key: _company(key, group) for key, group in sorted(grouped.items())
        }
        self._grouped = {
            key: tuple(
                sorted(group, key=lambda each: (str(each.period_end or each.fiscal_year or ""), each.name))
            )
            for key, group in grouped.items()
        }
        facts = periods_by_company or {}
        self._facts: dict[str, frozenset[Period]] = {key: frozenset(facts.get(key, ())) for key in grouped}
        self._documents: dict[str, tuple[Period, ...]] = {}
        self._filed_as: dict[str, dict[tuple[int, int], list[Period]]] = {}
        self._ends: dict[str, tuple[date, ...]] = {}
        self._set_periods(self._grouped)
        self._titled = {
            key for key, group in grouped.items() if not any(document.is_of_company for document in group)
        }
        self._names: dict[tuple[str, ...], str] = {}
        self._tickers: dict[str, str] = {}
        self._filed: dict[str, set[str]] = defaultdict(set)
        self._longest = 1
        self._index_names()
        self._near = NearNames(
            (name, key)
            for key, company in self.companies.items()
            for name in (company.name, *company.aliases)
            if name.upper() != (company.ticker or "").upper()
        )

    def _set_periods(self, grouped: Mapping[str, Sequence[Document]]) -> None:
        """Those that these documents of companies report on; of other companies they stay."""
        own = {key: _in_order({each.period for each in _reporting(group)}) for key, group in grouped.items()}
        self._documents = {**self._documents, **own}
        self._filed_as = {**self._filed_as, **{key: _filed_as(group) for key, group in grouped.items()}}
        self._ends = {**self._ends, **{key: _period_ends(own[key], self._facts[key]) for key in grouped}}

    def within(self, scope: Scope) -> Catalog:
        """The same companies, each with its documents of the scope's types and documents, and with the periods that
        these report on: what 'the latest quarter' means to them. A company that has none keeps its own."""
        held = {
            key: [each for each in group if scope.holds(each.doc_type, each.id)]
            for key, group in self._grouped.items()
        }
        fewer = {key: kept for key, kept in held.items() if 0 < len(kept) < len(self._grouped[key])}
        if not fewer:
            return self
        narrowed = copy(self)
        narrowed._grouped = {**self._grouped, **{key: tuple(kept) for key, kept in fewer.items()}}
        narrowed._set_periods(fewer)
        return narrowed

    def holding(self, scope: Scope) -> list[str]:
        """Keys of the scope's companies that have a document of its types and documents."""
        return [
            key
            for key in scope.companies or self.companies
            if any(scope.holds(each.doc_type, each.id) for each in self.documents_of(key))
        ]

    # Companies

    def name(self, key: str) -> str:
        """Display name of a company key; the key itself if it is not in the index."""
        company = self.companies.get(key)
        return company.name if company is not None else key

    def find(self, name: str) -> str | None:
        """Company key of a whole name, ticker or key in any case; None if there is no such company."""
        if name.upper() in self._tickers:
            return self._tickers[name.upper()]
        for variant in name_variants(name):
            if variant in self._names:
                return self._names[variant]
        return next((key for key in self.companies if key.lower() == name.lower()), None)

    def filed_under(self, name: str) -> str | None:
        """Key of the one company whose files are called by this name, before any number in their names: 'Orla' of
        ORLA_2023_10K.pdf; None where there is none, or there are several."""
        letters = "".join(filter(str.isalpha, name)).casefold()
        keys = self._filed.get(letters, set()) if letters else set()
        return next(iter(keys)) if len(keys) == 1 else None

    def nearest(self, name: str) -> tuple[str, ...]:
        """Keys of the companies that a name which is none of theirs may have meant, nearest ones alone."""
        return self._near.nearest(name)

    def link(self, text: str) -> list[CompanyMention]:
        """Companies named in `text`, left to right: longest name first, then tickers, then what stands for a name
        (see `NearNames`)."""
        tokens = name_tokens(text)
        letters = [character for character in text if character.isalpha()]
        shouting = len(letters) > 8 and sum(map(str.isupper, letters)) > 0.9 * len(letters)
        quiet = not any(token.raw[0].isupper() for token in tokens[1:])
        mentions: list[CompanyMention] = []
        index = 0
        while index < len(tokens):
            found = self._longest_name(tokens, index, shouting=shouting)
            exact = True
            if found is None:
                key = self._ticker(tokens[index], shouting=shouting)
                # 'apple's mac' is a thing of Apple's, whoever's ticker that is
                owned = bool(mentions) and mentions[-1].possessive and tokens[index].raw.islower()
                owned = owned and not text[mentions[-1].end : tokens[index].start].lower().strip("s’' ")
                found = (key, 1) if key is not None and not owned else None
            if found is None:
                found, exact = self._near_name(text, tokens, index, quiet=quiet or shouting)
            if found is None:
                index += 1
                continue
            key, length = found
            first, last = tokens[index], tokens[index + length - 1]
            mentions.append(
                CompanyMention(
                    key, text[first.start : last.end], first.start, last.end, last.possessive, exact
                )
            )
            index += length
        return mentions or self._opening_name(text, tokens, shouting=shouting)

    def _opening_name(
        self, text: str, tokens: Sequence[NameToken], *, shouting: bool
    ) -> list[CompanyMention]:
        """The company by whose name a text opens that names no other, though it be an ordinary word:
        'Anchor: sales?'."""
        first = tokens[0] if tokens else None
        key = self._names.get((first.word,)) if first and not shouting and first.raw[0].isupper() else None
        if first is None or key is None or not _BEHIND_NAME.match(text, first.end):
            return []
        return [CompanyMention(key, first.raw, first.start, first.end)]

    def without_names(self, text: str) -> str:
        """`text` with 'the company' in the place of every company that it names."""
        for each in reversed(self.link(text)):
            text = f"{text[: each.start]}the company{text[each.end :]}"
        return text

    def documents_of(self, company: str) -> tuple[Document, ...]:
        """Its documents, by the end of what they report on."""
        return self._grouped.get(company, ())

    def called(self, name: str) -> list[Document]:
        """The documents of this path, else of this file name in any case, or of an id that begins so."""
        documents = [each for key in self.companies for each in self._grouped[key]]
        path, folded = name.replace("\\", "/"), name.casefold()
        return [each for each in documents if each.path == path] or [
            each
            for each in documents
            if each.name.casefold() == folded or (len(name) >= MIN_ID_DIGITS and each.id.startswith(folded))
        ]

    # Periods

    def document_periods(self, company: str) -> tuple[Period, ...]:
        """Periods that the company's documents report on, oldest first, those without a date by label."""
        return self._documents.get(company, ())

    def filed_as(self, company: str, year: int, quarter: int) -> tuple[Period, ...]:
        """Periods of the company's documents that are called by this label: '2023 Q3' in the file's name, whatever
        quarter the document itself says it is of."""
        return _in_order(set(self._filed_as.get(company, {}).get((year, quarter), ())))

    def fact_periods(self, company: str) -> frozenset[Period]:
        """Periods of the company's facts; empty when none were given."""
        return self._facts.get(company, frozenset())

    def ends(self, company: str) -> tuple[date, ...]:
        """Every end of a reporting period known of the company, of documents and of facts, oldest first; a day on which
        shares were counted or a deal was closed is none."""
        return self._ends.get(company, ())

    def latest(self, company: str) -> Period | None:
        """The most recent period that a document of the company reports on; None without date or label."""
        periods = [p for p in self.document_periods(company) if p.end or p.fiscal_year]
        return periods[-1] if periods else None

    # Building

    def _index_names(self) -> None:
        short: dict[tuple[str, ...], set[str]] = defaultdict(set)
        full: dict[tuple[str, ...], str] = {}
        for key, company in self.companies.items():
            for document in self._grouped[key]:
                self._filed[_called(document.name)].add(key)
            if company.ticker:
                self._tickers[company.ticker.upper()] = key
            for name in (company.name, *company.aliases):
                if company.ticker and name.upper() == company.ticker.upper():
                    continue
                variants = [v for v in name_variants(name) if len(v) > 1 or key not in self._titled]
                for variant in variants[:1]:
                    full.setdefault(variant, key)
                for variant in variants[1:]:
                    short[variant].add(key)
        # A short form that two companies share names neither of them; a title of one word is any word.
        self._names = {words: next(iter(keys)) for words, keys in short.items() if len(keys) == 1} | full
        self._longest = max(map(len, self._names), default=1)

    def _longest_name(
        self, tokens: Sequence[NameToken], index: int, *, shouting: bool
    ) -> tuple[str, int] | None:
        for length in range(min(self._longest, len(tokens) - index), 0, -1):
            span = tokens[index : index + length]
            words = tuple(part for token in span for part in token.word.split("&") if part)
            if "and" in (words[0], words[-1]):
                continue
            key = self._names.get(words)
            plural = words[-1][:-1] if words and words[-1].endswith("s") else ""
            if key is None and len(plural) >= 4:
                key = self._names.get((*words[:-1], plural))
            if key is None and "and" in words[1:-1]:
                key = self._names.get(tuple(word for word in words if word != "and"))
            if key is not None and not self._is_ordinary_use(tokens, index, length, shouting=shouting):
                return key, length
        return None

    def _is_ordinary_use(
        self, tokens: Sequence[NameToken], index: int, length: int, *, shouting: bool
    ) -> bool:
        """A one-word name that is also an ordinary word counts only with a capital inside a sentence."""
        if length > 1:
            return False
        token = tokens[index]
        if _DURATION.match(token.word) and index + 1 < len(tokens) and tokens[index + 1].word == "ended":
            return True
        if token.word not in ORDINARY and token.word not in PLACES:
            return False
        return shouting or not token.raw[0].isupper() or (index == 0 and not token.possessive)

    def _ticker(self, token: NameToken, *, shouting: bool) -> str | None:
        key = self._tickers.get(token.raw.upper())
        if key is None:
            return None
        common = token.word in ORDINARY or token.word in ACRONYMS or token.word in FIRST_NAMES
        if token.raw.isupper():
            return key if not (shouting and common) else None
        # In lower case only a ticker that can be nothing else: 'aapl', not 'now' or 'gl'.
        return key if token.raw.islower() and len(token.word) >= 3 and not common else None

    def _near_name(
        self, text: str, tokens: Sequence[NameToken], index: int, *, quiet: bool
    ) -> tuple[tuple[str, int] | None, bool]:
        """Key and length of the longest span from here that stands for a name, and whether it is rightly spelt."""
        for length in range(min(MAX_SPAN, len(tokens) - index), 0, -1):
            span = tokens[index : index + length]
            gaps = [text[one.end : other.start] for one, other in pairwise(span)]
            apart = any(not re.fullmatch(r"[.]?\s|[-–/&]|\s&\s", gap) for gap in gaps)
            if apart or self._is_first_name(span):
                continue
            if (near := self._near.match(span, quiet=quiet)) is not None:
                return (near[0], length), near[1]
        return None, True

    def _is_first_name(self, span: Sequence[NameToken]) -> bool:
        return len(span) == 1 and (span[0].word in FIRST_NAMES or span[0].word in PLACES)


def _called(file_name: str) -> str:
    """The letters of a file's name before any number behind them, but for the suffix: 'orla' of 2023_Orla_FY22.pdf."""
    named = ""
    for word in _NO_WORD.split(Path(file_name).stem):
        letters, numbered = "".join(takewhile(str.isalpha, word)), any(map(str.isdigit, word))
        if named and numbered:
            break
        if len(letters) >= MIN_LETTERS + numbered:
            named += letters
            if numbered:
                break
    return named.casefold()


def _company(key: str, documents: Sequence[Document]) -> Company:
    last = _in_order({document.period for document in documents})[-1]
    newest = next(document for document in documents if document.period == last)
    names: Iterable[str] = (alias for each in documents for alias in (*each.aliases, each.company))
    ticker = next((document.ticker for document in documents if document.ticker), None)
    if ticker is None and _TICKER.match(key):
        ticker = key
    aliases = {lower_name(alias): alias for alias in sorted(names) if alias != newest.company}
    return Company(
        key=key,
        name=newest.company,
        ticker=ticker,
        aliases=tuple(sorted(aliases.values())),
        doc_types=frozenset(document.doc_type for document in documents),
    )


def _reporting(documents: Sequence[Document]) -> Sequence[Document]:
    """The documents that report on a period: an 8-K on an event does not, unless there is nothing else."""
    return [each for each in documents if each.doc_type != "8-K" or each.period_end] or documents


def _period_ends(documents: Iterable[Period], facts: Iterable[Period]) -> tuple[date, ...]:
    """The ends of documents' periods, and those of facts that lie whole quarters from one of them."""
    own = {period.end for period in documents if period.end is not None}
    found = {period.end for period in facts if period.end is not None}
    return tuple(
        sorted(own | {day for day in found if not own or any(_is_quarters_from(day, end) for end in own)})
    )


def _is_quarters_from(day: date, end: date) -> bool:
    quarters = abs((day - end).days) / DAYS_A_QUARTER
    return abs(quarters - round(quarters)) * DAYS_A_QUARTER <= _CALENDAR_SLACK_DAYS


def _in_order(periods: Collection[Period]) -> tuple[Period, ...]:
    """Oldest first. A period known by its label alone is placed by the dated ones, else as a calendar
    quarter; beside a dated one of the same label it comes first, so that the last has a date if it can.
    """
    dated = sorted((p.end, p.fiscal_year, p.fiscal_quarter) for p in periods if _is_placed(p) and p.end)

    def place(period: Period) -> tuple[date, bool, int, int]:
        year, quarter = period.fiscal_year or 0, period.fiscal_quarter or 4
        if period.end is not None:
            return period.end, True, year, quarter
        if not year:
            return date.min, False, 0, 0
        if dated:
            end, known_year, known_quarter = dated[-1]
            quarters = 4 * (year - (known_year or year)) + quarter - (known_quarter or quarter)
            return end + timedelta(days=91 * quarters + (quarters // 4)), False, year, quarter
        return date(year, 3 * quarter, 28), False, year, quarter

    return tuple(sorted(periods, key=place))


def _is_placed(period: Period) -> bool:
    return period.end is not None and period.fiscal_year is not None and period.fiscal_quarter is not None


def _filed_as(documents: Iterable[Document]) -> dict[tuple[int, int], list[Period]]:
    found: dict[tuple[int, int], list[Period]] = defaultdict(list)
    for document in documents:
        label = read_path(document.path)
        if label.year is not None and label.quarter is not None:
            found[(label.year, label.quarter)].append(document.period)
    return found
