"""Claims that repeat a sentence of the evidence almost word for word: what was changed in it, and whether
that matters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz.distance import Indel

from graphs.drafts.words import STOP, content
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.passages import CitedEvidence
from graphs.local.text.polarity import direction_of
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.period_words import MONTH_COUNTS, MONTHS, ORDINALS

_NEGATION_WORDS = """
not no never none neither nor without unable nothing hardly
"""

MIN_COPIED_SHARE = 0.7
"""Of a claim's words that stand in one sentence in the same order, from which it counts as that
sentence."""
_NOT_SAID = " is not in the cited evidence"
_NEGATIONS = frozenset(_NEGATION_WORDS.split())
_PERIOD_WORDS = frozenset({*MONTHS, *ORDINALS, *MONTH_COUNTS, "q1", "q2", "q3", "q4"})
_RIVALS = tuple(
    frozenset(group.split())
    for group in (
        "more less fewer",
        "above below",
        "over under",
        "positive negative",
        "gain loss",
        "gains losses",
        "profit loss",
        "profits losses",
        "before after",
        "best worst",
        "better worse",
        "highest lowest",
        "largest smallest",
        "most least",
        "all none some",
        "short long",
        "domestic foreign",
        "basic diluted",
        "gross net",
        "favorable unfavorable",
        "favorably unfavorably",
        "this next last",
        "this next prior",
        "this next previous",
        "buy sell",
        "bought sold",
        "asset liability",
        "assets liabilities",
        "minimum maximum",
        "executive financial operating technology marketing accounting legal",
        "monday tuesday wednesday thursday friday",
    )
)
"""Words of which one in another's place turns a sentence round."""


def near_copy_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """What a claim changes in the sentence it repeats so that it says something else; '' if nothing, or if
    it repeats none."""
    source = _copied(claim.said.tokens, cited)
    if source is None:
        return ""
    fault = _fault(source, claim.said.tokens)
    if fault.endswith(_NOT_SAID) and _denied_elsewhere(claim, source, cited):
        return ""
    return fault


def _copied(claim: tuple[str, ...], cited: CitedEvidence) -> tuple[str, ...] | None:
    """The sentence, as tokens, that has most of a claim's in the same order; None if none has enough."""
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    for sentence in cited.texts:
        source = sentence.tokens
        if len(set(claim) & set(source)) < MIN_COPIED_SHARE * len(set(claim)):
            continue
        share = (len(claim) + len(source) - Indel.distance(claim, source)) / 2 / max(1, len(claim))
        if share > best[0]:
            best = (share, source)
    return best[1] if best[0] >= MIN_COPIED_SHARE else None


def _denied_elsewhere(claim: ClaimText, source: tuple[str, ...], cited: CitedEvidence) -> bool:
    """Does another sentence than `source` deny the same words as each denial of the claim?"""
    theirs = [other for said in cited.texts if said.tokens != source for other in said.denials]
    return all(
        any(len({*sign.after[:3]} & {*o.after[:3]}) > 1 for o in theirs) for sign in claim.said.denials
    )


def _fault(source: tuple[str, ...], claim: tuple[str, ...]) -> str:
    blocks = [b for b in Indel.opcodes(source, claim).as_matching_blocks() if b.size]
    for k, block in enumerate(blocks[:-1]):
        after = blocks[k + 1]
        lost = source[block.a + block.size : after.a]
        new = claim[block.b + block.size : after.b]
        before, after_it = (
            claim[max(0, block.b + block.size - 2) : block.b + block.size],
            claim[after.b :][:2],
        )
        theirs = source[max(0, block.a + block.size - 2) : block.a + block.size], source[after.a :][:2]
        if _is_one_metric((*before, *new, *after_it), (*theirs[0], *lost, *theirs[1])):
            new, lost = (), ()
        if fault := _gap_fault(lost, new) or _moved_figure(lost, new, source):
            return fault
    if not blocks:
        return ""
    first, last = blocks[0], blocks[-1]
    ends = [
        (source[max(0, first.a - max(2, first.b)) : first.a], claim[: first.b]),
        (source[last.a + last.size :][:3], claim[last.b + last.size :]),
    ]
    for lost, new in ends:
        if new and (fault := _gap_fault(lost, new)):
            return fault
    return ""


def _is_one_metric(new: Sequence[str], lost: Sequence[str]) -> bool:
    """Do both name one metric and no other ('operating profit', 'operating income')?"""
    ours, theirs = ({m.canonical for m in find_metrics(" ".join(w))} for w in (new, lost))
    return bool(ours) and ours == theirs and not any(w[0].isdigit() for w in (*new, *lost))


def _gap_fault(lost: Sequence[str], new: Sequence[str]) -> str:
    """What stands in the claim instead of some words of the sentence."""
    denied = [w for w in new if w in _NEGATIONS]
    dropped = [w for w in lost if w in _NEGATIONS]
    if len(denied) > len(dropped):
        return f"'{denied[0]}'{_NOT_SAID}"
    if len(dropped) > len(denied) and len(lost) <= 6:
        return f"the evidence says '{dropped[0]}', the statement does not"
    if not lost:
        return ""
    if {"months", "ended"} & set(new) and lost[0] == "as":
        return "a span where the evidence says 'as of'"
    for ours, theirs in ((_periods(new), _periods(lost)), (_ways(new), _ways(lost))):
        if ours and theirs and not ours <= theirs:
            return (
                f"'{', '.join(sorted(ours - theirs))}' where the evidence says '{', '.join(sorted(theirs))}'"
            )
    for group in _RIVALS:
        mine, theirs_said = group.intersection(new), group.intersection(lost)
        if mine and theirs_said and not mine & theirs_said:
            return f"'{min(mine)}' where the evidence says '{min(theirs_said)}'"
    return _metric_fault(lost, new)


def _moved_figure(lost: Sequence[str], new: Sequence[str], source: Sequence[str]) -> str:
    """A figure of the sentence that stands in the claim in the place of another one."""
    mine, theirs = ({w for w in words if w[0].isdigit()} for words in (new, lost))
    moved = (mine - theirs) & set(source)
    if moved and theirs - mine:
        return f"{min(moved)} where the evidence says {min(theirs - mine)}"
    return ""


def _periods(words: Sequence[str]) -> set[str]:
    return {w for w in words if w in _PERIOD_WORDS or re.fullmatch(r"(?:19|20)\d\d|[1-3]?\d", w)}


def _ways(words: Sequence[str]) -> set[str]:
    return {way for word in words if (way := direction_of(word))}


def _metric_fault(lost: Sequence[str], new: Sequence[str]) -> str:
    named = find_metrics(" ".join(new))
    before = set(content(" ".join(w for w in lost if w not in STOP)))
    if not named or not before:
        return ""
    theirs = {m.canonical for m in find_metrics(" ".join(lost))}
    for mention in named:
        if mention.canonical not in theirs and not set(content(mention.text)) <= before:
            return f"'{mention.text}' where the evidence says '{' '.join(lost)}'"
    return ""
