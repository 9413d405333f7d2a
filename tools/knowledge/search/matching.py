"""How well a line item and its period fit what was asked: the calibrated `Fact.match`.

Factors multiply. At or above 0.8 metric, qualifiers and period all fit; a missing qualifier halves the match, an
unasked one lowers it below 0.8 only where it changes what is measured (a segment's revenue is not revenue).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from tools.knowledge.lexicon.assertion_status import GUIDANCE
from tools.knowledge.lexicon.metric_names import ATTRIBUTABLE
from tools.knowledge.lexicon.stopwords import CHANGE_WORDS, GENERIC_LABEL, GUIDANCE_WORDS
from tools.knowledge.lexicon.vocabulary import BALANCE, VOCABULARY
from tools.knowledge.search.line_items import THREE_STATEMENTS, LineItem
from tools.knowledge.search.linking import Request
from tools.knowledge.search.question_terms import Term

MISSING_WORD_FACTOR = 0.45
"""A word of the question that the fact does not have."""
MISSING_METRIC_FACTOR = 0.4
"""A metric of the question that the fact does not have."""
OTHER_ITEM_FACTOR = 0.5
"""A label that says more, or something else, than was asked."""
UNASKED_PART_FACTOR = 0.78
"""An unasked heading over a common metric: a segment, region or adjustment."""
TITLE_ONLY_FACTOR = 0.82
"""What was asked stands in the table's title alone."""
UNASKED_DETAIL_FACTOR = 0.93
"""An unasked heading over a line item that is specific anyway."""
GUIDANCE_MISMATCH_FACTOR = 0.5
"""A guided figure where a reported one is asked for, or the other way round."""
PLANNED_WORDS = frozenset({"future", "estimated", "expected"})
"""Words over a table of what is to come: who asks for what is expected means it."""
CASH_FLOW_CHANGE_FACTOR = 0.9
"""A cash-flow line ('Changes in ...: inventories') where the balances themselves answer as well."""
PRINTED_CHANGE_FACTOR = 0.79
"""A printed growth rate where the figures it is taken from answer as well."""
TABLE_TOTAL_FACTOR = 0.92
"""The same for the table's total."""
EQUITY_SHARES_FACTOR = 0.75
"""Shares bought, as a statement of equity prints them: less of what is outstanding."""
FIRST_OF_LIST_FACTOR = 0.85
"""The first of several things that a label lists: 'wearables' of 'Wearables, Home and Accessories'."""
OTHER_STATEMENT_FACTOR = 0.8
"""Where the question says in which statement the figure stands."""
FLOW_MONTHS = frozenset({6, 9, 12})
"""Durations that ask for a flow; 'in the quarter' may well mean the balance at its end."""
STATEMENT_FACTORS = {"income": 1.0, "balance": 1.0, "cash_flow": 0.99, "comprehensive_income": 0.97, "equity": 0.95,
              "segment": 0.97, "other": 0.96, "prose": 0.93}  # fmt: skip

_RATE = re.compile(
    r"(?<!gross )\bmargin$|\b(?:rate|ratio|percentage|growth|yield|occupancy|persistency)$|\breturn on \w+|"
    r"\bas a percentage of|\bcomparable sales$|\bsame-store (?:noi|revenue)$"
)
"""Metrics that are rates by name; a gross margin may be an amount."""
_BALANCE_IN_FLOWS = re.compile(
    r"\b(?:end|beginning) of (?:period|year|quarter)$|^cash, cash equivalents and restricted cash$"
)
"""Balances that a cash-flow statement prints under the duration of its column."""
BASIC_OR_DILUTED = frozenset({"earnings per share", "weighted average shares"})
"""Metrics that are printed as basic and as diluted ones; who asks for neither may mean both."""
_PART_LABEL_WORDS = frozenset({"service", "group", "segment", "business", "unit", "division"})
"""What a part's label may say beyond its name: 'Advertising services'."""
_PART_OF_WHOLE = frozenset({"long-term debt"})
"""What stands for these is not all that its label says: 'Debt' beside short-term debt is the rest of it."""
_DATE_JOINS = frozenset({"to", "through", "and", "from"})
_HARMLESS_HEADING_WORDS = (
    frozenset(
        {
            "total",
            "consolidated",
            "amount",
            "actual",
            "as",
            "reported",
            "carrying",
            "value",
            GUIDANCE,
            "fiscal",
            "year",
        }
    )
    | GENERIC_LABEL
)


def item_match(request: Request, item: LineItem, months: int | None = None) -> float:
    """Fit of label, headings and unit, 0 to 1; `months` is the duration asked for."""
    score, explained, named = _coverage(request, item)
    if score < 0.2:
        return 0.0
    if item.label_words and item.label_words - _DATE_JOINS <= request.dates:
        explained |= item.label_words
        named = True
    score *= _guidance_factor(request, item)
    score *= _label_factor(item, explained, named) * _path_factor(request, item, explained, months)
    score *= _place_factor(request, item, named)
    if request.statement and request.statement != item.statement:
        score *= OTHER_STATEMENT_FACTOR
    return score * _unit_factor(request, item) * STATEMENT_FACTORS.get(item.statement, 0.95)


def _coverage(request: Request, item: LineItem) -> tuple[float, set[str], bool]:
    """(how much of the request the item has, the item's words that the request accounts for, whether the label says
    any of it)."""
    explained: set[str] = set()
    named = False
    score = loosest = 1.0
    names = {_without_share(item.canonical), *_other_names(item)}
    for term in request.terms:
        quality, by_label = _covers(term, item)
        if quality == 0.0:
            score *= (
                MISSING_METRIC_FACTOR
                if term.is_metric and term.canonical in VOCABULARY
                else MISSING_WORD_FACTOR
            )
            continue
        score *= quality if term.is_metric else 1.0
        loosest = loosest if term.is_metric else min(loosest, quality)
        explained.update(term.words)
        named = named or by_label
        if _without_share(term.canonical) in names or _is_either(term, item):
            explained |= item.label_words
        if term.canonical in _other_names(item):
            explained = explained.union(*item.path_words)
    return score * loosest, explained, named


def _guidance_factor(request: Request, item: LineItem) -> float:
    """Lower where one of request and item is of what is expected and the other of what was reported."""
    planned = request.guidance and bool(item.title_words.union(*item.path_words) & PLANNED_WORDS)
    return 1.0 if planned or request.guidance == (GUIDANCE in item.path) else GUIDANCE_MISMATCH_FACTOR


def _place_factor(request: Request, item: LineItem, named: bool) -> float:
    """Lower where neither label nor heading, but the table's title alone, names what is asked for."""
    if named or any(term.canonical in item.path_canonicals for term in request.terms):
        return 1.0
    is_total = not item.label_words - GENERIC_LABEL
    summed = is_total and any(term.canonical in item.title_canonicals for term in request.terms)
    return TABLE_TOTAL_FACTOR if summed else TITLE_ONLY_FACTOR


def _covers(term: Term, item: LineItem) -> tuple[float, bool]:
    """(quality, whether the label itself says it); quality 0.0 when the fact does not have it."""
    words = telling_words(term.words)
    as_metric = _covers_as_metric(term, item, words)
    return _covers_by_words(term, item, words) if as_metric is None else as_metric


@lru_cache(maxsize=4096)
def telling_words(words: tuple[str, ...]) -> frozenset[str]:
    """Of the words of a term those by which line items differ, or all where none is such."""
    return frozenset(words) - GENERIC_LABEL or frozenset(words)


def _covers_as_metric(term: Term, item: LineItem, words: frozenset[str]) -> tuple[float, bool] | None:
    """`_covers` where the term is a metric that the item or one of its headings is, else None."""
    if term.is_metric and term.canonical == item.canonical:
        if item.stands_for in _PART_OF_WHOLE and "total" in term.words:
            return 0.66, True
        return (1.0 if words - GENERIC_LABEL == item.label_words - GENERIC_LABEL else 0.985), True
    called = term.canonical in _other_names(item)
    if called or (GUIDANCE in item.path and words <= GUIDANCE_WORDS):
        return 0.985, called
    if _is_either(term, item):
        return 0.985, True
    if term.is_metric and _without_share(term.canonical) == _without_share(item.canonical):
        return 0.85, True
    return (1.0, False) if term.canonical in item.path_canonicals else None


def _covers_by_words(term: Term, item: LineItem, words: frozenset[str]) -> tuple[float, bool]:
    """`_covers` by the words of label, headings and title."""
    other = 0.6 if term.is_metric and term.canonical in VOCABULARY else 1.0
    label = item.label_words
    if words <= label:
        # a metric's name inside a longer label is another line item: 'revenue' in 'unearned revenue'
        return other, True
    if words <= label.union(*item.path_words):
        return 0.97 * other, bool(words & label)
    if "share" in words and item.unit == "shares" and len(words) == 1:
        return 1.0, False
    headed = any(canonical in VOCABULARY for canonical in item.path_canonicals)
    if term.is_metric and term.canonical in item.title_canonicals and not headed:
        return 0.95, False
    if not term.is_metric and (
        words <= item.title_words or {w.removeprefix("re") for w in words} <= item.title_words
    ):
        return 0.95, False
    return 0.0, False


def _other_names(item: LineItem) -> set[str]:
    """Metrics that the item is besides the one its label names."""
    return {item.combined, item.stands_for} - {""}


def _is_either(term: Term, item: LineItem) -> bool:
    return item.canonical in kinds_of(term.canonical)


@lru_cache(maxsize=16384)
def kinds_of(canonical: str) -> tuple[str, ...]:
    """The basic and the diluted kind of a per-share measure that names neither."""
    plain = canonical.removeprefix("adjusted ")
    lead = canonical[: len(canonical) - len(plain)]
    return (
        tuple(f"{lead}{kind} {plain}" for kind in ("basic", "diluted")) if plain in BASIC_OR_DILUTED else ()
    )


def _without_share(canonical: str) -> str:
    return canonical.removesuffix(ATTRIBUTABLE)


def _label_factor(item: LineItem, explained: set[str], named: bool) -> float:
    extra = item.label_words - explained - GENERIC_LABEL
    if not extra:
        return 1.0 if named else 0.97
    if named and extra <= _PART_LABEL_WORDS and item.canonical not in VOCABULARY and not item.combined:
        return 0.9
    if named and item.canonical not in VOCABULARY and item.leader and item.leader <= explained:
        return FIRST_OF_LIST_FACTOR
    share = len(extra) / max(1, len(item.label_words - GENERIC_LABEL))
    if not named:
        return OTHER_ITEM_FACTOR
    return 0.78 if share <= 0.34 else 0.65 if share <= 0.5 else OTHER_ITEM_FACTOR


FLOWS_OF_EQUITY = frozenset({"comprehensive_income", "equity"})


def _path_factor(request: Request, item: LineItem, explained: set[str], months: int | None) -> float:
    asked = {term.canonical for term in request.terms}
    score = 1.0
    for canonical, words in zip(item.path_canonicals, item.path_words, strict=True):
        extra = words - explained - _HARMLESS_HEADING_WORDS
        if not item.label_words - GENERIC_LABEL and extra <= item.title_words:
            continue  # the total of a table whose lead-in stands for its title and its heading alike
        if extra and canonical not in asked:
            score *= _heading_factor(request, item, extra, explained, months)
    return score


def _heading_factor(
    request: Request, item: LineItem, extra: frozenset[str], explained: set[str], months: int | None
) -> float:
    """Fit of an item under a heading that says more (`extra`) than was asked."""
    flow = (
        item.statement == "cash_flow"
        and item.canonical in BALANCE
        and not extra.isdisjoint({"change", "operating"})
    )
    if flow:
        return 1.0 if request.change or request.lasting or months in FLOW_MONTHS else 0.6
    # A line of comprehensive income whose whole label is asked for stands under 'Changes in ...' anyway.
    whole = item.statement in FLOWS_OF_EQUITY and item.label_words <= explained
    of_change = not extra.isdisjoint(CHANGE_WORDS)
    if of_change and item.statement != "cash_flow" and not whole and not request.change:
        return 0.6
    if item.statement in THREE_STATEMENTS:
        return 0.99
    if request.change and of_change:
        return 1.0
    return UNASKED_PART_FACTOR if item.canonical in VOCABULARY else UNASKED_DETAIL_FACTOR


def _unit_factor(request: Request, item: LineItem) -> float:
    asked = {word for term in request.terms for word in term.words}
    if item.unit == "shares" and "share" not in asked and "share" not in item.canonical:
        return 0.5
    if any(term.canonical == "shares repurchased" for term in request.terms):
        if item.unit != "shares":
            return 0.4
        if item.statement == "equity":
            return EQUITY_SHARES_FACTOR
    rate = item.unit in {"percent", "basis points", "percentage points"}
    if request.change:
        return _change_factor(request, item, rate)
    if request.percent:
        return 1.0 if rate else 0.4
    if _asks_for_rate(request):
        return 1.0 if rate or item.unit in {"", "USD/share"} else 0.6
    return _unasked_rate_factor(item, asked) if rate else 1.0


def _asks_for_rate(request: Request) -> bool:
    return any(_RATE.search(term.canonical) for term in request.terms if term.is_metric)


def _unasked_rate_factor(item: LineItem, asked: set[str]) -> float:
    """Fit of a rate where none is asked for: good only where label or headings are rates by name."""
    if item.canonical == "gross margin" and "margin" in item.label_words & asked:
        return 0.95
    if _RATE.search(item.canonical):
        return 1.0
    # a heading's words in one order, whatever the hash seed is: `_RATE` looks at the last
    named = " ".join(
        (item.canonical, *item.path_canonicals, *(" ".join(sorted(words)) for words in item.path_words))
    )
    return 0.75 if _RATE.search(named) else 0.5


def _change_factor(request: Request, item: LineItem, rate: bool) -> float:
    """Fit of an item where a change is asked for: the figures it is taken from come first, since a printed
    change has changes of its own; it leads where the question says more of it than that it is one."""
    heading = item.label_words.union(*item.path_words)
    if not heading & CHANGE_WORDS:
        return 1.0 if _asks_for_rate(request) or not rate or _RATE.search(item.canonical) else 0.75
    asked = {term.canonical for term in request.terms if term.is_metric}
    if not rate and item.canonical in BALANCE:
        return 1.0 if asked & set(item.path_canonicals) else CASH_FLOW_CHANGE_FACTOR
    said = {word for term in request.terms if not term.is_metric for word in term.words}
    return 1.0 if said & heading - item.label_words else PRINTED_CHANGE_FACTOR


def duration_match(
    months: int | None,
    asked: int | None,
    available: Collection[int | None],
    canonical: str,
    *,
    annual: bool = False,
) -> float:
    """Fit of a duration, given those that the same line item has for the same end date; `annual`: in a report on a
    year.

    Without a wish what the report is on is preferred where it is there: the year, else the quarter. A balance fits a
    question about a quarter.
    """
    known = {m for m in available if m is not None}
    if asked == 0 and _BALANCE_IN_FLOWS.search(canonical):
        return 0.99
    if asked is None:
        return _unasked_duration_match(months, known, 12 if annual else 3)
    if months is None:
        return 0.85
    if months == asked:
        return 1.0
    if months == 0 and asked in FLOW_MONTHS and asked in known:
        return 0.6
    if months == 0:
        return 0.99 if canonical in BALANCE or asked not in known else 0.6
    return 0.4


def _unasked_duration_match(months: int | None, known: set[int], own: int) -> float:
    if months == 0:
        return 1.0
    wanted = next((each for each in (own, 3) if each in known), min((m for m in known if m), default=None))
    if wanted is None or months is None:
        return 0.97
    return 1.0 if months == wanted else 0.75
