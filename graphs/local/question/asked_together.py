"""Several figures asked for at once: one lookup each, with the words that qualify them all."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from graphs.contracts import Lookup
from graphs.local.text.spans import overlaps
from tools.documents.metadata.catalog import CompanyMention
from tools.documents.text.ordinary_words import ORDINARY
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.asked_metrics import find_asked
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics

_WORDS = r"\b(?:and|plus|vs\.?|versus|as\s+well\s+as|compared\s+to|(?:compared\s+)?with|against|than)\b"
_ENDED = r"(?<=\w\w)[.?!](?=\s+(?-i:[A-Z]))"
_JOINT = re.compile(rf"[,;&]|{_ENDED}|{_WORDS}", re.IGNORECASE)
_JOINED = re.compile(rf"[;&]|{_ENDED}|{_WORDS}|^\s*,\s*(?:\w+[ -]){{0,2}}$", re.IGNORECASE)
"""A comma joins what stands close by: 'of inventories at year end, how much was raw materials' asks for one figure."""
_PURE = re.compile(rf"(?:\s|[,;&]|{_WORDS}|\b(?:also|its|the|their|both|total)\b)*", re.IGNORECASE)
_NAME_RUN = r"[a-z]?[A-Z][\w&’'-]*(?: (?:of (?=[A-Z]))?[a-z]?[A-Z][\w&’'-]*)*"
_NAMES = re.compile(
    rf"(?<![\w&])(?P<names>{_NAME_RUN}(?:\s*,\s*{_NAME_RUN})*)\s*,?\s+(?:and|or|&|vs\.?|versus)\s+(?P<last>(?:{_NAME_RUN})?)\s*$"
)
_FRAME = re.compile(
    r"^\s*(?:set|put|place|stack|line\s+up|rank|sort|order)\b|\b(?:which|who)\s+(?:\w+\s+){0,2}?(?:had|has|have|made|earned|reported|posted|showed)"
    r"\s+(?:the\s+)?(?:high|larg|bigg|great|low|small)(?:e?st|e?r)\b|\b(?:beside|alongside|next\s+to|side\s+by\s+side|respectively)\b"
    r"|\b(?:those|that)\s+(?:of|in|for)\b",
    re.IGNORECASE,
)
"""Words that only say how to show an answer: no label of a figure holds them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One of several figures that a question asks for."""

    lookup: Lookup
    """The question with this figure alone and what qualifies it: 'Valves revenue and operating income' asks for the
    operating income of Valves."""
    companies: frozenset[str]
    """Keys of the companies named with it; empty where none is."""


def lookups_for(company: str, asked: Sequence[Asked]) -> tuple[Lookup, ...]:
    """What is asked of one company: its own figures where each is named with a company of its own."""
    bound = all(each.companies for each in asked)
    own = [each for each in asked if not bound or company in each.companies] or asked
    return tuple(dict.fromkeys(each.lookup for each in own))


def asked_together(
    question: str,
    companies: Sequence[CompanyMention],
    taken: Sequence[tuple[int, int]] = (),
    known_names: Container[str] = (),
) -> list[Asked]:
    """`question` taken apart, one entry for each figure of an enumeration; the whole of it where nothing is enumerated.

    Figures that only 'and' or a comma stands between share what is said before the first and after the last. `taken`
    are stretches that are no names of products or segments (periods); `companies` aren't, either. `known_names` are
    folded names of which one may hold an 'and' itself.
    """
    spans = [(m.start, m.end) for m in companies]
    mentions = [m for m in find_asked(question) if not overlaps((m.start, m.end), spans)]
    items = _items(question, mentions)
    if not items:
        return [Asked(Lookup(name="", question=question), frozenset())]
    found: list[Asked] = []
    for start, group, end in _sharing(question, items):
        named = frozenset(m.key for m in companies if start <= m.start and m.end <= end)
        head, tail = question[start : group[0][0].start], question[group[-1][-1].end : end]
        for lead, names in _qualified(start, head, group[0][0], [*spans, *taken], known_names):
            for item in group:
                text = question[item[0].start : item[-1].end]
                own = _bare(text) if names is not None and item is group[0] else text
                figure = f"{lead} {own}".strip()
                asked = f"{head[:names]} {figure}{tail}"
                name = figure if lead else f"{_qualifier(start, head, [*spans, *taken])} {figure}".strip()
                bare = "" if item is group[0] else _framed(f"{figure}{tail}")
                found.append(Asked(Lookup(name=name, question=_framed(asked), bare=bare), named))
    if len(found) == 1:
        name = found[0].lookup.name
        return [Asked(Lookup(name=name, question=_framed(question)), found[0].companies)]
    return found


def _framed(question: str) -> str:
    return " ".join(_FRAME.sub(" ", question).split())


Item = list[MetricMention]


def _items(question: str, mentions: Sequence[MetricMention]) -> list[Item]:
    """Mentions with something that joins them in between; those without are one figure ('R&D share of revenue')."""
    items: list[Item] = []
    for mention in mentions:
        if items and not _JOINED.search(question[items[-1][-1].end : mention.start]):
            items[-1].append(mention)
        else:
            items.append([mention])
    return items


def _sharing(question: str, items: Sequence[Item]) -> list[tuple[int, list[Item], int]]:
    """Items that share their qualifiers, with the stretch of the question that is theirs."""
    groups: list[tuple[int, list[Item], int]] = [(0, [items[0]], len(question))]
    for item in items[1:]:
        start, own, _ = groups[-1]
        before = own[-1][-1].end
        gap = question[before : item[0].start]
        if _PURE.fullmatch(gap):
            own.append(item)
            continue
        joints = list(_JOINT.finditer(gap))
        joint = next((each for each in joints if each.group() == ";"), joints[-1])
        groups[-1] = (start, own, before + joint.start())
        groups.append((before + joint.end(), [item], len(question)))
    return groups


def _qualified(
    start: int,
    head: str,
    first: MetricMention,
    taken: Sequence[tuple[int, int]],
    known_names: Container[str],
) -> list[tuple[str, int | None]]:
    """Names listed before a figure, which is asked for of each ('iPad and Mac net sales'), with where the list begins
    in `head`; one entry without a list where there is none."""
    none: list[tuple[str, int | None]] = [("", None)]
    match = _NAMES.search(head)
    if match is None or overlaps((start + match.start(), start + match.end()), taken):
        return none
    begins, opening = _opened(start + match.start(), match.start(), match["names"])
    names = [name.strip() for name in opening.split(",")]
    last = match["last"] or first.text.removesuffix(_bare(first.text)).strip()
    if fold_name(f"{names[-1]} and {last}") in known_names:
        return none
    listed = [name for name in (*names, last) if name]
    return [(name, begins) for name in listed] if len(listed) > 1 else none


def _opened(at: int, begins: int, names: str) -> tuple[int, str]:
    """Names without the verb that opens a question ('Compare iPad'), and where they begin."""
    opening, _, rest = names.partition(" ")
    return (begins + len(opening), rest) if at == 0 and opening.lower() in ORDINARY else (begins, names)


def _qualifier(start: int, head: str, taken: Sequence[tuple[int, int]]) -> str:
    """The name before a figure ('Valves'), for words about it; '' where there is none."""
    match = re.search(rf"(?<![\w&])(?:{_NAME_RUN})\s*$", head)
    if match is None or overlaps((start + match.start(), start + match.end()), taken):
        return ""
    return _opened(start + match.start(), 0, match.group().strip())[1]


def _bare(text: str) -> str:
    """'Services net sales' without the name that opens it: the shortest end of it that is a metric by itself."""
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        rest = " ".join(words[at:])
        whole = any(m.start == 0 and m.end == len(rest) for m in find_metrics(rest))
        if whole and all(word[:1].isupper() for word in words[:at]):
            return rest
    return text
