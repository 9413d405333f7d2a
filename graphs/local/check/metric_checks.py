"""Whether the line items that a claim names are those of its passage, by name or in usual other words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.words import content
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.parsed_text import ParsedText, parsed
from graphs.local.check.passages import Passage, fact_label
from tools.knowledge.lexicon.metric_names import MetricMention


def metric_fault(claim: ClaimText, passage: Passage) -> str:
    """A metric that the claim names and the passage does not."""
    missing = _missing(claim, passage)
    return f"'{missing}' is not what the cited evidence is about" if missing else ""


def _missing(claim: ClaimText, passage: Passage) -> str:
    """The first metric of a claim that its passage is not about; '' if there is none."""
    subject = _subject(passage)
    theirs = passage.metric_names | subject.metric_names
    titled = _titled(claim, passage)
    for mention in claim.whole.metrics:
        if mention.canonical in titled or _is_per_share(mention.canonical, passage.text):
            continue
        if _is_unit(mention, claim.whole.text, theirs) or _is_kind(mention, passage, theirs):
            continue
        special = any(name.endswith(f" {mention.canonical}") for name in theirs)  # 'EPS' of diluted EPS
        if special and mention.canonical in _WIDE:
            continue
        if mention.canonical not in theirs and not _holds_words(subject, content(mention.text), passage):
            return mention.text
    return ""


def _titled(claim: ClaimText, passage: Passage) -> frozenset[str]:
    """Metrics of a table's title, of which a claim may list the parts: 'Inventory consisted of ...'."""
    listed = len({f.label for f in passage.figures}) > 1 and len(claim.said.quantities) > 1
    if not listed or not passage.structured:
        return frozenset()
    return parsed(" ; ".join(item.section for item in passage.items)).metric_names


def _holds_words(subject: ParsedText, stems: Sequence[str], passage: Passage) -> bool:
    """Does what the passage is about have the words of a metric: of parsed figures side by side?"""
    if passage.structured:
        return f" {' '.join(stems)} " in f" {' '.join(subject.stems)} "
    return set(stems) <= subject.words


def _is_unit(mention: MetricMention, text: str, theirs: frozenset[str]) -> bool:
    """Is 'diluted share' of '1.91 per diluted share' the unit of the passage's earnings per share?"""
    if not mention.canonical.endswith("weighted average shares") or not _PER.search(text[: mention.start]):
        return False
    kind = mention.canonical.removesuffix("weighted average shares").strip()
    return any(kind in name and name.endswith("per share") for name in theirs)


def _is_kind(mention: MetricMention, passage: Passage, theirs: frozenset[str]) -> bool:
    """Is 'debt' said of notes or loans, or an 'operating margin' of operating income and revenue?"""
    if mention.canonical in _OTHER_WORDS:
        return bool(_OTHER_WORDS[mention.canonical].search(passage.text))
    if mention.canonical == "effective tax rate":
        return any("tax" in name for name in theirs)
    kind, _, rest = mention.canonical.rpartition(" ")
    return (
        rest == "margin"
        and bool(kind)
        and any(name.startswith(kind) for name in theirs)
        and bool(_SALES & theirs)
    )


_OTHER_WORDS = {
    name: re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for name, words in (
        ("debt", r"notes|borrowings|loans?|mortgages?|bonds|advances|debentures|credit\s+facilit\w+"),
        ("headcount", r"people|workers?|staff|jobs?|workforce|personnel|colleagues|team\s+members"),
        ("cash and cash equivalents", r"money|liquidity|proceeds"),
        ("occupancy", r"leased|occupied|vacan\w+"),
        ("backlog", r"orders?|bookings|remaining\s+performance\s+obligations"),
        ("inventory", r"stocks?"),
        ("inventories", r"stocks?"),
        ("dividends paid", r"dividends?"),
        ("dividends", r"dividends?"),
    )
}
"""By the metric a claim names: words of running text that say the same."""
_SALES = frozenset({"revenue", "net sales", "sales", "total revenue"})
_PER = re.compile(r"\b(?:per|an?|each)\s+$", re.IGNORECASE)


def _is_per_share(metric: str, text: str) -> bool:
    """Are earnings per share given as '0.79 per diluted share'?"""
    kind = metric.removesuffix("earnings per share").strip()
    if not metric.endswith("earnings per share") or kind not in ("", "diluted", "basic"):
        return False
    return (
        bool(re.search(rf"\bper\s+(?:common\s+)?{kind}\s*share\b", text, re.IGNORECASE))
        and "net" in text.lower()
    )


_WIDE = frozenset({"earnings per share"})
"""Metrics by which a writer means the kind of them that the passage gives."""


def _subject(passage: Passage) -> ParsedText:
    """What a passage is about: for facts the labels, and the table's title where no label names a metric;
    else its text."""
    parts: list[str] = []
    for item in passage.items:
        if item.fact is None or item.fact.statement == "prose":
            return passage.said
        label = fact_label(item.fact)
        parts.append(label if parsed(label).metrics else f"{label} ; {item.section}")
    return parsed(" ; ".join(parts))
