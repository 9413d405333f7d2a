"""A turn of a few words: the question before, with the parts that the turn names in place of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from graphs.local.followup.carried_periods import NEXT, as_flow, carried, moved_to, spoken
from graphs.local.followup.completion import appended
from graphs.local.followup.pointers import ROLE
from graphs.local.followup.slots import DURATION, PREPOSITION, Slots
from graphs.local.question.topic_words import DOMAIN
from graphs.local.text.spans import Span
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, FUNCTION_WORDS, ORDINARY, PLACES

LEAD = re.compile(
    r"^\W*(?:(?:and|but|or|also|then|so|ok(?:ay)?|now|thanks|great)\W+)*(?:(?:what|how)\s+about"
    r"|(?:what|how\s+much)\s+(?:was|were|is|are)\s+(?:that|it|this|those|they)"
    r"|same\s+(?:question\s+)?(?:for|with)|ditto(?:\s+for)?|"
    r"and|but|or|also|then|compared?\s+(?:to|with|that|it))\b",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"\babout\s+", re.IGNORECASE)
_ASKS_CHANGE = re.compile(r"\bchange\b.*\bfrom\b", re.IGNORECASE)


Change = tuple[Span | None, str, str]
"""What of the question before is replaced (None: it has nothing of the kind), by what, and what is appended instead."""


def substituted(
    now: Slots, earlier: Slots, catalog: Catalog | None, like: Callable[[str], Span | None]
) -> str:
    """The question before, with the parts that `now` names in place of its own; '' where it has none that could be.
    `like`: what of it is nearest in meaning to a phrase."""
    if plain := _plain(now, earlier, catalog):
        return plain
    if now.names and not (earlier.names or now.companies or now.metrics or now.asks):
        return _about(now.text[slice(*now.names[0])], earlier, like)
    changes = [*_named(now, earlier), *_dated(now, earlier, catalog)]
    return _applied(changes, earlier.text) if changes else _unnamed(now, earlier, like)


def _named(now: Slots, earlier: Slots) -> list[Change]:
    """Companies, figures and names of other things."""
    changes: list[Change] = []
    if who := " and ".join(now.text[slice(*span)] for span in now.companies) or _stranger(now):
        span = (earlier.companies[0][0], earlier.companies[-1][1]) if earlier.companies else None
        changes.append((span, who, f" at {who}"))
    if now.metrics:
        changes.append((earlier.metrics[0] if earlier.metrics else None, now.metric, f" and {now.metric}"))
    if now.names:
        name = now.text[slice(*now.names[0])]
        changes.append((earlier.names[0] if earlier.names else None, name, f", about {name}"))
    return changes


def _dated(now: Slots, earlier: Slots, catalog: Catalog | None) -> list[Change]:
    """The period that `now` names; else the one of before as the company or the figure named now has it."""
    if period := carried(now, earlier, catalog):
        return [_period_change(period, now, earlier)]
    if len(now.indexed) == 1 and (period := moved_to(now.indexed[0], earlier, catalog)):
        return [(earlier.period_span, f" {period}", "")]
    if now.metrics and earlier.asks and as_flow(earlier) != earlier.period:
        return [(earlier.period_span, f" {as_flow(earlier)}", "")]
    return []


def _applied(changes: Sequence[Change], text: str) -> str:
    extra = "".join(added for span, _, added in changes if span is None)
    placed = [(span, new) for span, new, _ in changes if span is not None]
    for (start, end), new in sorted(placed, key=lambda each: each[0], reverse=True):
        text = text[:start] + new + text[end:]
    return appended(re.sub(r"\s{2,}", " ", text), extra).strip()


def _unnamed(now: Slots, earlier: Slots, like: Callable[[str], Span | None]) -> str:
    """The question before about another officer or another topic, which `now` says in words that nothing knows."""
    text = earlier.text
    if (role := ROLE.search(now.text)) and (held := ROLE.search(text)):
        return f"{text[: held.start()]}{role.group()}{text[held.end() :]}"
    topic = re.sub(r"^(?:about|on)\s+", "", LEAD.sub("", now.text).strip(" ?.!,"))
    meaningful = any(token.word not in FUNCTION_WORDS for token in name_tokens(topic))
    return _about(topic, earlier, like) if meaningful else now.text


def _about(topic: str, earlier: Slots, like: Callable[[str], Span | None]) -> str:
    """The question before about another topic: in place of what it was about, or of what is most like it."""
    about = _ABOUT.search(earlier.text)
    if about is None:
        part = like(PREPOSITION.sub("", topic))
        return (
            f"{earlier.text[: part[0]]}{PREPOSITION.sub('', topic)}{earlier.text[part[1] :]}" if part else ""
        )
    ends = [start for start, _ in (*earlier.companies, earlier.period_span or (0, 0)) if start > about.end()]
    rest = earlier.text[min(ends) :] if ends else ""
    between = re.search(r"\s+(?:on|at|in|for|during|of)\s+$", earlier.text[: min(ends)]) if ends else None
    tail = f"{between.group() if between else ' '}{rest}" if rest else ""
    return appended(f"{earlier.text[: about.end()]}{topic}{tail}", "")


def _plain(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """A plain question for the figure, where the question before has no place for what `now` names: a figure after an
    overview, a product after a company's total, a period after two that were compared; '' where it has."""
    company = now.text[slice(*now.companies[0])] if now.companies else earlier.company
    figure = now.figure or earlier.figure
    if now.names and earlier.metrics and not earlier.names and not now.metrics:
        figure = f"{now.text[slice(*now.names[0])]} {earlier.metric}"
    elif (not now.metrics or earlier.metrics) and not (now.asks and _ASKS_CHANGE.search(earlier.text)):
        return ""
    period = carried(now, earlier, catalog) or as_flow(earlier)
    verb = "were" if re.search(r"(?:[^s]s)$", figure) and not figure.lower().endswith("eps") else "was"
    return f"What {verb} {company}'s {figure}{' ' if period else ''}{period}?" if company and figure else ""


def _stranger(now: Slots) -> str:
    """A name in lower case that belongs to nothing known ('what about tesla?'); '' if there is none."""
    if now.companies or now.metrics or now.names or now.asks or not LEAD.match(now.text):
        return ""
    known = ORDINARY | FUNCTION_WORDS | DOMAIN | PLACES | ACRONYMS | FIRST_NAMES
    words = [token for token in name_tokens(LEAD.sub("", now.text)) if token.word not in FUNCTION_WORDS]
    strange = len(words) == 1 and words[0].word not in known and not DURATION.search(now.text)
    return (
        words[0].raw.capitalize()
        if strange and not ROLE.search(now.text) and not NEXT.search(now.text)
        else ""
    )


def _period_change(period: str, now: Slots, earlier: Slots) -> Change:
    """Where a new period goes. A mere duration replaces the old one's, where no date is known to go with it."""
    duration = DURATION.search(now.text)
    if duration is not None and not now.asks and " ended " not in period:
        old = DURATION.search(earlier.text) or re.search(
            r"\bquarter(?=\s+end(?:ed|ing))", earlier.text, re.IGNORECASE
        )
        return (old.span() if old else None), spoken(duration), f" {period}"
    return earlier.period_span, f"{' ' if earlier.period_span else ''}{period}", f" {period}"
