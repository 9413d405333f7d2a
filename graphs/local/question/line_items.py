"""Line items of the index that a question names by their whole printed label."""

from __future__ import annotations

from collections.abc import Container, Sequence

from tools.documents.metadata.company_names import NameToken, name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.lexicon.metric_names import MetricMention, canonical_metric

MAX_LABEL_WORDS = 14
"""Words of the longest label looked for."""
MIN_LABEL_WORDS = 2


def with_line_items(
    question: str,
    metrics: Sequence[MetricMention],
    taken: Sequence[tuple[int, int]],
    names: Container[str],
    dated: Sequence[tuple[int, int]] = (),
) -> list[MetricMention]:
    """`metrics`, the ones inside a longer label of `names` replaced by it: 'effect of exchange rates on cash and
    cash equivalents' is one line item, and neither 'cash and cash equivalents' nor a question for effects.

    `names` are folded by `fold_name`. A label is in lower case inside a question, unlike a
    product's, person's or place's name; `taken` are spans of company names, `dated` of periods: a row called
    'Fiscal 2021' is no line item.
    """
    found: list[MetricMention] = []
    tokens = name_tokens(question)
    start = 0
    while start < len(tokens):
        size = _label_at(question, tokens, start, names) if tokens[start].raw[0].islower() else 0
        if size:
            first, last = tokens[start].start, tokens[start + size - 1].end
            text = question[first:last]
            if all(last <= begin or end <= first for begin, end in taken):
                found.append(MetricMention(text, canonical_metric(text), first, last))
        start += max(1, size)
    found = [item for item in found if not any(_holds(metric, item) for metric in metrics)]
    found = [
        item for item in found if not any(begin <= item.start and item.end <= end for begin, end in dated)
    ]
    rest = [m for m in metrics if all(m.end <= item.start or item.end <= m.start for item in found)]
    return sorted([*found, *rest], key=lambda mention: mention.start)


def _holds(outer: MetricMention, inner: MetricMention) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _label_at(question: str, tokens: Sequence[NameToken], start: int, names: Container[str]) -> int:
    """Words of the longest label that begins at token `start`; 0 for none."""
    for size in range(min(MAX_LABEL_WORDS, len(tokens) - start), MIN_LABEL_WORDS - 1, -1):
        inside = tokens[start : start + size]
        ends = {inside[0].word, inside[-1].word}
        if any(token.raw[0].isupper() and not token.raw.isupper() for token in inside):
            continue
        if ends & FUNCTION_WORDS or any(token.possessive for token in inside[:-1]):
            continue
        if fold_name(question[inside[0].start : inside[-1].end]) in names:
            return size
    return 0
