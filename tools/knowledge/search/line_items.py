"""Line items of a company, indexed for search: what each figure's label, headings and table title say."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from weakref import WeakKeyDictionary

from tools.documents.metadata.company_names import name_variants
from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.resolution import fold_company, fold_name, own_aliases
from tools.knowledge.lexicon.assertion_status import GUIDANCE
from tools.knowledge.lexicon.metric_names import ATTRIBUTABLE, canonical_metric, find_metrics, fold_label
from tools.knowledge.lexicon.short_names import acronyms_of, in_full
from tools.knowledge.lexicon.vocabulary import VOCABULARY
from tools.knowledge.lexicon.word_forms import kept_words_of

THREE_STATEMENTS = frozenset({"income", "balance", "cash_flow"})


@dataclass(frozen=True, slots=True)
class LineItem:
    """Figures that share label, headings, unit and table."""

    label: str
    path: tuple[str, ...]
    unit: str
    statement: str
    title: str
    canonical: str
    combined: str
    """Metric that heading and label name together ('Products' under 'Net sales': product revenue), else ''."""
    stands_for: str
    """Metric that its company prints no line for and that this line of a primary statement is, else ''."""
    label_words: frozenset[str]
    leader: frozenset[str]
    """Words of the first thing, if the label lists several."""
    path_canonicals: tuple[str, ...]
    """One for each heading."""
    path_words: tuple[frozenset[str], ...]
    title_canonicals: frozenset[str]
    """Metrics that the title names or that rows of the table add up to."""
    title_words: frozenset[str]
    rows: tuple[int, ...]
    """Positions in the graph of its figures that may answer."""
    unstated: tuple[int, ...] = ()
    """Of those without a unit or a period: they show where the line is printed, and are no answer."""


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    """All line items of one company."""

    items: Sequence[LineItem]
    by_canonical: Mapping[str, list[int]]
    """Canonical metric of label, heading or title -> items."""
    by_word: Mapping[str, list[int]]
    """Word of a label or heading -> items."""
    by_title_word: Mapping[str, list[int]]
    """Word of a table's title -> items."""
    by_unit: Mapping[str, list[int]]
    """Unit -> items."""
    by_whole: Mapping[str, list[int]]
    """Canonical metric of the label, of whomever it is a share -> items."""
    guided: frozenset[int]
    """Items that are guidance."""
    phrases: frozenset[str]
    """Folded labels and headings, for longest match in a question."""
    balances: frozenset[str]
    """Canonical metrics of the balance sheet's lines."""
    acronyms: Mapping[str, tuple[str, ...]]
    """Acronym of a printed name -> its words."""
    labels: frozenset[str]
    """Canonical metrics of the labels themselves."""


_INDEXES: WeakKeyDictionary[KnowledgeGraph, dict[str, CompanyFacts]] = WeakKeyDictionary()
_READERS: WeakKeyDictionary[KnowledgeGraph, Callable[[str], CompanyFacts]] = WeakKeyDictionary()


def company_facts(graph: KnowledgeGraph, company_key: str) -> CompanyFacts:
    """The line items of a company, had at the first question about it and kept as long as the graph: as they were saved
    with it, else told from it."""
    indexes = _INDEXES.setdefault(graph, {})
    if company_key not in indexes:
        read = _READERS.get(graph) if company_key in graph.rows_of_company else None
        indexes[company_key] = read(company_key) if read else told_from_graph(graph, company_key)
    return indexes[company_key]


def read_line_items(graph: KnowledgeGraph, reader: Callable[[str], CompanyFacts]) -> None:
    """Have `company_facts` read those of a graph's companies by `reader`, which does not hold the graph."""
    _READERS[graph] = reader


@lru_cache(maxsize=16384)
def _mentioned(text: str) -> frozenset[str]:
    return frozenset(mention.canonical for mention in find_metrics(text))


def own_names(graph: KnowledgeGraph, company_key: str) -> frozenset[str]:
    """Folded names by which a company may be called, the short forms that its catalog entry links included."""
    known = _OWN_NAMES.get(graph)
    if known is None:
        known = _OWN_NAMES[graph] = {}
    if company_key not in known:
        known[company_key] = frozenset(_spoken_names(graph, company_key))
    return known[company_key]


_OWN_NAMES: WeakKeyDictionary[KnowledgeGraph, dict[str, frozenset[str]]] = WeakKeyDictionary()


def companies_named(graph: KnowledgeGraph, question: str) -> list[str]:
    """Company keys whose name the question holds, or their ticker in capitals: Apple's 'Mac' is no company."""
    called = _CALLED.get(graph)
    if called is None:
        called = _CALLED[graph] = _called(graph)
    words = fold_name(question).split()
    found = {key for key in re.findall(r"\w+", question) if key in called.keys}
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + called.longest) + 1):
            found.update(called.by_name.get(" ".join(words[start:end]), ()))
    return sorted(found)


@dataclass(frozen=True, slots=True)
class _Called:
    """What companies are called in questions."""

    keys: frozenset[str]
    by_name: dict[str, list[str]]
    """Folded name of more than a letter -> company keys."""
    longest: int
    """Words of the longest name."""


_CALLED: WeakKeyDictionary[KnowledgeGraph, _Called] = WeakKeyDictionary()


def _called(graph: KnowledgeGraph) -> _Called:
    names: dict[str, set[str]] = {}
    for document in graph.tables.documents:
        own = names.setdefault(document.company_key, set())
        own.update(" ".join(variant) for variant in name_variants(document.company))
    by_name: dict[str, list[str]] = defaultdict(list)
    for key, own in names.items():
        for name in own_names(graph, key) - ({key.lower()} - own):
            if len(name) > 1:
                by_name[name].append(key)
    longest = max((len(name.split()) for name in by_name), default=0)
    return _Called(frozenset(names), dict(by_name), longest)


def _spoken_names(graph: KnowledgeGraph, company_key: str) -> Iterator[str]:
    yield company_key.lower()
    for number in graph.rows_of_company.documents_of(company_key):
        for name in own_aliases(graph.tables.documents[number]):
            yield fold_company(name)
            yield name.lower()
            yield from (" ".join(variant) for variant in name_variants(name))


def told_from_graph(graph: KnowledgeGraph, company_key: str) -> CompanyFacts:
    """The line items of a company, none for an unknown one."""
    grouped: dict[tuple[str, int], list[int]] = defaultdict(list)
    for position in graph.rows_of_company.get(company_key, ()):
        if graph.is_figure(position):
            row = graph.tables.rows[position]
            grouped[(row[r.HEAD], row[r.CONTEXT])].append(position)
    own = frozenset(word for name in own_names(graph, company_key) for word in name.split())
    totals = _totals(graph, grouped)
    acronyms = acronyms_of(
        name for label, context in grouped for name in (label, *graph.tables.contexts[context][5])
    )
    items = [
        _item(graph, label, context, positions, own, totals, acronyms)
        for (label, context), positions in grouped.items()
    ]
    items = _with_prefixes(_with_stand_ins(items))
    by_canonical: dict[str, list[int]] = defaultdict(list)
    by_word: dict[str, list[int]] = defaultdict(list)
    by_title_word: dict[str, list[int]] = defaultdict(list)
    by_unit: dict[str, list[int]] = defaultdict(list)
    by_whole: dict[str, list[int]] = defaultdict(list)
    phrases: set[str] = set()
    for index, item in enumerate(items):
        for canonical in {
            item.canonical,
            item.combined,
            item.stands_for,
            *item.path_canonicals,
            *item.title_canonicals,
        }:
            by_canonical[canonical].append(index)
        for word in item.label_words.union(*item.path_words):
            by_word[word].append(index)
        for word in item.title_words:
            by_title_word[word].append(index)
        by_unit[item.unit].append(index)
        by_whole[item.canonical.removesuffix(ATTRIBUTABLE)].append(index)
        folded = {fold_label(text) for text in (item.label, *item.path)}
        phrases |= folded | {" ".join(word for word in text.split() if word not in own) for text in folded}
    phrases.discard("")
    balances = frozenset(
        canonical
        for item in items
        if item.statement == "balance"
        for canonical in (item.canonical, item.stands_for)
        if canonical
    )
    return CompanyFacts(
        tuple(items),
        dict(by_canonical),
        dict(by_word),
        dict(by_title_word),
        dict(by_unit),
        dict(by_whole),
        frozenset(index for index, item in enumerate(items) if GUIDANCE in item.path),
        frozenset(phrases),
        balances,
        acronyms,
        frozenset(item.canonical for item in items),
    )


_STAND_INS = {
    "long-term debt": ("debt",),
    "short-term debt": ("current portion of long-term debt",),
    "short-term investments": ("current marketable securities", "marketable securities"),
    "current marketable securities": ("short-term investments",),
    "service revenue": ("service and other revenue",),
    "service cost of revenue": ("service and other cost of revenue",),
    "dividends": ("dividends paid",),
}
"""Metric -> lines of a primary statement that are it where no line has its name."""
_NEEDS = {"long-term debt": frozenset({"short-term debt", "current portion of long-term debt"})}
"""Lines that must stand beside: 'Debt' is all debt unless its short-term part is printed apart."""


def _with_stand_ins(items: list[LineItem]) -> list[LineItem]:
    primary = [item for item in items if item.statement in THREE_STATEMENTS]
    printed = {name for item in primary for name in (item.canonical, item.combined)}
    called: dict[str, str] = {}
    items = [
        replace(item, stands_for=f"{item.canonical} percentage")
        if item.canonical == "gross margin" and item.unit == "percent"
        else item
        for item in items
    ]
    for asked, lines in _STAND_INS.items():
        if asked not in printed and _NEEDS.get(asked, printed) & printed:
            called |= {line: asked for line in lines[:1] if line in printed} or dict.fromkeys(lines, asked)
    return [
        replace(item, stands_for=called.get(item.canonical, called.get(item.combined, "")))
        if item.statement in THREE_STATEMENTS and {item.canonical, item.combined} & called.keys()
        else item
        for item in items
    ]


_NUMBERED = re.compile(r"^(?:note|item)\s+\d+[a-z]?\s*[:.\u2013\u2014-]*\s*", re.IGNORECASE)
"""'Note 4 – Stock-Based Compensation' is about stock-based compensation."""


_OF_YEARS_TO_COME = re.compile(r"^(?:total\s+)?(?:(?:estimated|expected|gross)\s+)*future\s+", re.IGNORECASE)
"""'Estimated future amortization expense' is amortization of years to come, which the rows name."""
_CARRYING = re.compile(r"^changes\s+in\s+(?:the\s+)?carrying\s+(?:amounts?|values?)\s+of\s+", re.IGNORECASE)
"""Heads the balances themselves: 'Changes in the carrying amount of goodwill'."""


@lru_cache(maxsize=65536)
def _heading_metric(heading: str) -> str:
    """'Net sales by category' is about revenue: the metric a heading begins with, else its folded words."""
    heading = _OF_YEARS_TO_COME.sub("", _NUMBERED.sub("", heading))
    whole = canonical_metric(heading)
    if whole in VOCABULARY:
        return whole
    mentions = find_metrics(heading)
    return mentions[0].canonical if mentions and not heading[: mentions[0].start].strip() else whole


_TERM = re.compile(r"(non-?\s?)?current\s+(?:assets|liabilities)\b", re.IGNORECASE)
_TERMS = {True: ("non-current", "long-term"), False: ("current", "short-term")}
"""How a line under (non-)current assets or liabilities is called away from its heading."""


@lru_cache(maxsize=65536)
def _combined(label: str, path: tuple[str, ...]) -> str:
    own = canonical_metric(label, path)
    for heading in reversed(path):
        together = [canonical_metric(f"{label} {heading}")]
        term = _TERM.match(heading)
        if term:
            together += [canonical_metric(f"{word} {label}") for word in _TERMS[bool(term[1])]]
        for name in together:
            if name in VOCABULARY and name not in {own, canonical_metric(heading)}:
                return name
    return ""


_LISTS = re.compile(r"^([^,&]+?)(?:,|\s+and\s|\s*&\s)\s*\S", re.IGNORECASE)
_MORE_OF_IT = frozenset({"net", "other", "total", "loss", "expense", "income"})


@lru_cache(maxsize=65536)
def _leader(label: str) -> frozenset[str]:
    match = _LISTS.match(label)
    first = kept_words_of(match[1]) if match else frozenset()
    rest = kept_words_of(label[match.end(1) :]) if match else frozenset()
    return first if first and len(rest) <= 5 and not rest & _MORE_OF_IT and len(first) <= 3 else frozenset()


def _with_prefixes(items: list[LineItem]) -> list[LineItem]:
    """Items, a wordy line of a primary statement standing for the metric it begins with where nothing else does:
    'Depreciation and amortization of property and ... and other'."""
    printed = {
        name
        for item in items
        if item.statement in THREE_STATEMENTS
        for name in (item.canonical, item.combined)
    }
    found: dict[str, set[str]] = defaultdict(set)
    for item in items:
        match = _WORDY.match(item.label) if item.statement in THREE_STATEMENTS else None
        if match and (name := canonical_metric(match[1])) in VOCABULARY and name not in printed:
            found[name].add(item.canonical)
    called = {next(iter(lines)): name for name, lines in found.items() if len(lines) == 1}
    return [
        replace(item, stands_for=called[item.canonical])
        if item.statement in THREE_STATEMENTS and item.canonical in called and not item.stands_for
        else item
        for item in items
    ]


_WORDY = re.compile(r"(.+?)(?:,?\s+(?:of|including)\s).+", re.IGNORECASE)


def _totals(graph: KnowledgeGraph, grouped: Iterable[tuple[str, int]]) -> dict[str, set[str]]:
    """Table title -> metrics that its rows add up to: 'Raw materials' above 'Total inventories' are
    inventories. Primary statements total many things and are left out."""
    found: dict[str, set[str]] = defaultdict(set)
    for label, context in grouped:
        statement, title = graph.tables.contexts[context][6:8]
        if label.lower().startswith("total ") and title and statement not in THREE_STATEMENTS:
            found[title].add(canonical_metric(label))
    return found


def _item(
    graph: KnowledgeGraph,
    label: str,
    context: int,
    positions: list[int],
    own: frozenset[str],
    totals: dict[str, set[str]],
    acronyms: dict[str, tuple[str, ...]],
) -> LineItem:
    _, _, _, unit, _, path, statement, title, *_ = graph.tables.contexts[context]
    label = in_full(label, acronyms)
    path = tuple(in_full(_CARRYING.sub("", heading), acronyms) for heading in path)
    answers = [(at, graph.may_answer(at)) for at in positions]
    return LineItem(
        label=label,
        path=path,
        unit=unit,
        statement=statement,
        title=title,
        canonical=canonical_metric(label, path),
        combined=_combined(label, path),
        label_words=kept_words_of(label) - own or kept_words_of(label),
        leader=_leader(label),
        path_canonicals=tuple(_heading_metric(heading) for heading in path),
        path_words=tuple(kept_words_of(heading) - own for heading in path),
        stands_for="",
        title_canonicals=_mentioned(title) | totals.get(title, set()),
        title_words=kept_words_of(title) - own,
        rows=tuple(at for at, stated in answers if stated),
        unstated=tuple(at for at, stated in answers if not stated),
    )
