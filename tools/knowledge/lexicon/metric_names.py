"""Metric names: folded, made canonical, and found in text. Fast and free of spaCy: used at question time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from tools.knowledge.lexicon.vocabulary import NOT_METRICS, VOCABULARY

_ALTERNATIVES = re.compile(
    r"\s?/?\(\s*(?:loss(?:es)?|gains?|income|expenses?|charges?|benefits?|provision|used (?:in|for)|"
    r"(?:benefit|provided|provision) (?:from|by|for)|decrease|increase|deficit|accumulated deficit|"
    r"net of [^)]*|in (?:shares|millions|thousands|billions|dollars)[^)]*|unaudited|\$|\*+|[a-z0-9]|\d\d)\s*"
    r"\)|(?<=income)\s+or\s+(?:net\s+)?loss(?:es)?\b|(?<=earnings)\s+or\s+(?:net\s+)?loss(?:es)?\b|"
    r"(?<=profit)\s+or\s+(?:net\s+)?loss(?:es)?\b|"
    r"/(?:loss(?:es)?|expenses?|benefits?)\b",
    re.IGNORECASE,
)
"""Bracketed alternatives and footnote marks: 'Net income (loss)', 'Income/(loss)', 'Goodwill (1)'."""
_TOKEN = re.compile(
    r"(?-i:\bU\.S\.(?:A\.)?|\bUSA?\b|\bUnited States\b)|[a-z]+(?:&[a-z]+)+|[a-z0-9]+(?:'[a-z]+)?|%|(?<=\s)&(?=\s)",
    re.IGNORECASE,
)
_INVARIANT = frozenset(
    {"sales", "earnings", "proceeds", "less", "gross", "business", "process", "basis", "loss", "plus", "this"}
)
_SPELLINGS = {
    "centre": "center", "centres": "centers", "fulfilment": "fulfillment", "amortisation": "amortization",
    "programme": "program", "licence": "license", "labour": "labor", "ads": "ad",
}  # fmt: skip
"""British spellings, as the filings spell them."""
_COMPOUNDS = {"datacenter": ("data", "center"), "datacentre": ("data", "center")}
"""Words that companies print as one or two, compared as two."""
_UNITED_STATES = frozenset({"U.S.", "U.S.A.", "US", "USA", "United States"})
_MODIFIERS = {
    "adjusted": "adjusted",
    "core": "core",
    "organic": "organic",
    "normalized": "normalized",
    "underlying": "underlying",
    "forma": "pro forma",
    "gaap": "adjusted",
    "constant": "constant-currency",
}
"""Words before a metric that make it another one; 'gaap' only after 'non', 'forma' only after 'pro'."""
_PAIRED = {"gaap": "non", "forma": "pro"}
_EARNINGS_WORDS = frozenset({"earnings", "income", "loss", "eps"})


_TAIL = re.compile(
    r",?\s+(?:net of|less)[:,]?\s+(?:accumulated|allowance)\b.*|,?\s*\$[\d.,]+\s+par value.*|;.*",
    re.IGNORECASE | re.DOTALL,
)
"""Details of a balance-sheet label: 'Property and equipment, net of accumulated depreciation of $94,550'."""
ATTRIBUTABLE = " attributable"
"""Ends the canonical name of a share of a metric: 'Net income attributable to common shareholders'."""


@dataclass(frozen=True, slots=True)
class MetricMention:
    """A metric named in a text."""

    text: str
    """As written."""
    canonical: str
    start: int
    end: int
    """Character span in the text."""


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word and where it stood."""

    word: str
    start: int
    end: int


class _Node:
    __slots__ = ("canonical", "children")

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.canonical: str | None = None


@lru_cache(maxsize=32768)
def fold_word(word: str) -> str:
    """Lower case, possessive and plural removed: 'Revenues' -> 'revenue', \"Apple's\" -> 'apple'."""
    if word in _UNITED_STATES:
        return "usa"
    if word == "&":
        return "and"
    word = word.lower()
    if "'" in word:
        word = word.split("'")[0]
    word = _SPELLINGS.get(word, word)
    if len(word) < 4 or word in _INVARIANT or not word.endswith("s"):
        return word
    if word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1]


def tokenize(text: str) -> list[Token]:
    """Folded words of `text` with their spans; bracketed alternatives and footnote marks are left out."""
    return list(_tokens(text))


@lru_cache(maxsize=16384)
def _tokens(text: str) -> tuple[Token, ...]:
    """Told once of labels and headings, of which many things are asked."""
    plain = text.replace("\u2019", "'").replace("\u2018", "'")
    plain = _ALTERNATIVES.sub(lambda match: " " * len(match.group()), plain)
    tokens: list[Token] = []
    for match in _TOKEN.finditer(plain):
        word = fold_word(match.group())
        for part in _COMPOUNDS.get(word, (word,)):
            tokens.append(Token(part, match.start(), match.end()))
    return tuple(tokens)


@lru_cache(maxsize=65536)
def fold_label(label: str) -> str:
    """A printed row label reduced to its words: 'Total net sales (1)' -> 'net sales'; 'Total' stays."""
    words = [token.word for token in tokenize(label)]
    if len(words) > 1 and words[0] == "total":
        words = words[1:]
    if len(words) > 2 and words[-1] == "net" and words[0] != "other":
        words = words[:-1]
    return " ".join(words)


def _build(names: Iterable[tuple[str, str]], root: _Node) -> None:
    for name, canonical in names:
        node = root
        for token in tokenize(name):
            node = node.children.setdefault(token.word, _Node())
        if node.canonical is None:
            node.canonical = canonical


def _per_share_names() -> Iterator[tuple[str, str]]:
    """Every usual order of earnings, kind and share: 'net loss per diluted share', 'diluted loss a share'."""
    measures = (
        "earnings",
        "net earnings",
        "income",
        "net income",
        "loss",
        "net loss",
        "profit",
        "net profit",
    )
    for measure, per, share in product(measures, ("per", "a"), ("share", "common share", "ordinary share")):
        yield f"{measure} {per} {share}", "earnings per share"
        for kind in ("diluted", "basic"):
            name = f"{kind} earnings per share"
            yield f"{measure} {per} {kind} {share}", name
            yield f"{kind} {measure} {per} {share}", name
            yield f"fully {kind} {measure} {per} {share}", name
            yield f"{measure} {per} {share} {kind}", name
            yield f"{measure} {per} {share} assuming dilution", "diluted earnings per share"


def _part_names() -> Iterator[tuple[str, str]]:
    """Every usual wording of what products and services bring in and cost."""
    for part, plain in product(("product", "service", "service and other"), ("", "s")):
        kind = part if "other" in part else part + plain
        for sales in ("sales", "revenue", "top line", "turnover", "net sales"):
            for name in (
                f"{kind} {sales}",
                f"{sales} from {kind}",
                f"{sales} from selling {kind}",
                f"{sales} of {kind}",
            ):
                yield name, f"{part} revenue"
        for costs in ("cost of", "cost of providing", "cost of selling", "cost of delivering"):
            yield f"{costs} {kind}", f"{part} cost of revenue"


@lru_cache(maxsize=1)
def _trie() -> _Node:
    root = _Node()
    _build(((canonical, canonical) for canonical in VOCABULARY), root)
    _build(((name, canonical) for canonical, names in VOCABULARY.items() for name in names), root)
    _build(_per_share_names(), root)
    _build(_part_names(), root)
    _build(((name, "") for name in NOT_METRICS), root)
    return root


def _longest(words: Sequence[str], start: int) -> tuple[str, int] | None:
    """Canonical name and end index of the longest entry that begins at `start`; '' is no metric."""
    node, found = _trie(), None
    for index in range(start, len(words)):
        child = node.children.get(words[index])
        if child is None:
            break
        node = child
        if node.canonical is not None:
            found = (node.canonical, index + 1)
    return found


def _modifier(words: Sequence[str], start: int) -> tuple[str, int]:
    """(modifier, number of words it takes) directly before `start`; ('', 0) when there is none."""
    if start == 0:
        return "", 0
    last = words[start - 1]
    if last == "currency" and start > 1 and words[start - 2] == "constant":
        return "constant-currency", 2
    if last in _PAIRED:
        if start > 1 and words[start - 2] == _PAIRED[last]:
            return _MODIFIERS[last], 2
        return ("", 1) if last == "gaap" else ("", 0)
    return (_MODIFIERS[last], 1) if last in _MODIFIERS and last != "constant" else ("", 0)


def _suffix(words: Sequence[str], end: int) -> tuple[str, int]:
    """(suffix, number of words it takes) from `end`: growth, or a share of revenue."""
    if end < len(words) and words[end] == "growth":
        return " growth", 1
    if words[end - 1] in _EARNINGS_WORDS and words[end : end + 1] in (["to"], ["for"]):
        holders = [word for word in words[end + 1 : end + 3] if word not in {"common", "ordinary"}]
        if holders and holders[0] in {"shareholder", "stockholder"}:
            return ATTRIBUTABLE, 1 + list(words[end:]).index(holders[0])
    if end < len(words) and words[end] == "attributable":
        return ATTRIBUTABLE, 1 + (words[end + 1 : end + 2] == ["to"])
    rest = list(words[end : end + 7])
    if (
        rest[:2] == ["as", "a"]
        and len(rest) > 4
        and rest[2] in {"percentage", "percent", "%"}
        and rest[3] == "of"
    ):
        length = 4
        while length < len(rest) and rest[length] in {"total", "net"}:
            length += 1
        if length < len(rest) and rest[length] in {"revenue", "sales"}:
            return " as a percentage of revenue", length + 1
    return "", 0


def _joined(modifier: str, canonical: str, suffix: str) -> str:
    """The name of the whole; 'gross margin' as a percentage of revenue has one of its own."""
    if suffix == ATTRIBUTABLE and canonical.endswith("per share"):
        suffix = ""  # earnings per share are those of the common shareholders anyway
    words = [token.word for token in tokenize(canonical + suffix)]
    whole = _longest(words, 0) if suffix and suffix != ATTRIBUTABLE else None
    if whole and whole[0] and whole[1] == len(words):
        canonical, suffix = whole[0], ""
    return f"{modifier} {canonical}{suffix}".strip()


def _canonical(words: Sequence[str]) -> str | None:
    """The metric that the whole phrase names, with modifier and suffix, else None."""
    for start in range(min(3, len(words))):
        found = _longest(words, start)
        if found is None or not found[0]:
            continue
        canonical, end = found
        modifier, taken = _modifier(words, start)
        suffix, more = _suffix(words, end)
        rest = [] if suffix == ATTRIBUTABLE else words[end + more :]
        if start - taken == 0 and (not rest or list(rest) == ["non", "gaap"]):
            if list(rest) == ["non", "gaap"] and not modifier:
                modifier = "adjusted"
            return _joined(modifier, canonical, suffix)
    return None


def _per_share(words: Sequence[str]) -> str | None:
    """Wordy labels of per-share earnings and share counts, which no list can exhaust."""
    present = set(words)
    if "share" not in present or "price" in present:
        return None
    if "dividend" in present:
        declared = "per" in present and words[0] in {"dividend", "cash", "regular", "quarterly"}
        return "dividends per share" if declared else None
    if {"basic", "diluted"} <= present:
        kind = ""
    else:
        kind = "diluted " if "diluted" in present else "basic " if "basic" in present else ""
    if "weighted" in present or {"used", "computing"} <= present or {"used", "computation"} <= present:
        return f"{kind}weighted average shares"
    if (
        "per" in present
        and present & _EARNINGS_WORDS
        and not present & {"effect", "impact", "book", "adjustment"}
    ):
        adjusted = "adjusted " if "adjusted" in present or {"non", "gaap"} <= present else ""
        return f"{adjusted}{kind}earnings per share"
    return None


@lru_cache(maxsize=65536)
def canonical_metric(label: str, path: tuple[str, ...] = ()) -> str:
    """Canonical name of a printed row label or a phrase of a question, else the folded label.

    `path` is the label's headings, outermost first; it is used only for labels that say nothing alone
    ('Basic', 'Diluted', 'Total').
    """
    words = fold_label(_TAIL.sub("", label) or label).split()
    if path and words not in (["basic"], ["diluted"]):
        return canonical_metric(label)  # whatever its headings
    found = _canonical(words) if "attributable" not in words or "share" not in words else None
    if found is None and len(words) == 1 and words[0] in {"basic", "diluted"}:
        for heading in reversed(path):
            combined = [*fold_label(heading).split(), words[0]]
            found = _per_share(combined) or _canonical(combined)
            if found is not None:
                return found
    return found or _per_share(words) or " ".join(words)


def _is_bound(text: str, start: int, before: Sequence[MetricMention]) -> bool:
    """Whether a hyphen binds what begins at `start` to an ordinary word: not to a name, a number or a metric."""
    if not (start > 1 and text[start - 1] == "-" and text[start - 2].isalpha()):
        return False
    word = _LAST_WORD.search(text, max(0, start - 30), start - 1)
    return word is not None and word[0].islower() and not (before and before[-1].end == start - 1)


_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
"""Of what is searched."""


def find_metrics(text: str) -> list[MetricMention]:
    """Metrics named in `text`, longest match first, left to right, without overlap. A name that a hyphen binds to the
    word before it is part of another one: half-finished goods are no finished goods."""
    tokens = tokenize(text)
    words = [token.word for token in tokens]
    mentions: list[MetricMention] = []
    index, free = 0, 0
    while index < len(words):
        found = _longest(words, index)
        if found is None:
            index += 1
            continue
        canonical, end = found
        if canonical:
            modifier, taken = _modifier(words, index)
            if index - taken < free:
                modifier, taken = "", 0
            suffix, more = _suffix(words, end)
            end += more
            first = index - taken
            if first > free and words[first - 1] == "total":
                first -= 1
            start, stop = tokens[first].start, tokens[end - 1].end
            if not _is_bound(text, start, mentions):
                mentions.append(
                    MetricMention(text[start:stop], _joined(modifier, canonical, suffix), start, stop)
                )
        index = free = end
    return mentions
