"""Claims that repeat a sentence of the evidence almost word for word: what was changed in it, and whether
that matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from rapidfuzz.distance import Indel

from graphs.drafts.sentences import split
from graphs.drafts.words import STOP, content
from graphs.local.text.polarity import direction_of, negations
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.period_words import MONTH_COUNTS, MONTHS, ORDINALS

_NEGATION_WORDS = """
not no never none neither nor without unable nothing hardly
"""

ALIKE = 0.7
"""Share of a claim's words that stand in one sentence in the same order, from which it counts as that
sentence."""
_NOT_SAID = " is not in the cited evidence"
_TOKEN = re.compile(r"[A-Za-z]+(?=n['’]t\b)|n['’]t\b|[A-Za-z]+(?:['’&][A-Za-z]+)*|\d+(?:[.,]\d+)*|[%$€£¥]")
_QUARTER = re.compile(r"\bQ([1-4])\b")
_ORDINALS = tuple(ORDINALS)
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


@lru_cache(maxsize=8192)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words and figures; 'cannot' and \"can't\" are 'can', 'not'."""
    text = _QUARTER.sub(lambda m: f"{_ORDINALS[int(m[1]) - 1]} quarter", text)
    text = re.sub(r"\bcannot\b", "can not", re.sub(r"\b([Cc]a|[Ww]o)n['’]t\b", r"\1n not", text))
    return tuple(re.sub(r"^n['’]t$", "not", t.lower().replace("’", "'")) for t in _TOKEN.findall(text))


def edit_fault(text: str, cited: Sequence[Evidence]) -> str:
    """What a claim changes in the sentence it repeats so that it says something else; '' if nothing, or if
    it repeats none."""
    claim = tokens(text)
    best: tuple[float, tuple[str, ...]] = (0.0, ())
    for sentence in _sentences(cited):
        source = tokens(sentence)
        if len(set(claim) & set(source)) < ALIKE * len(set(claim)):
            continue
        share = (len(claim) + len(source) - Indel.distance(claim, source)) / 2 / max(1, len(claim))
        if share > best[0]:
            best = (share, source)
    if best[0] < ALIKE:
        return ""
    fault = _fault(best[1], claim)
    if fault.endswith(_NOT_SAID) and _denied_elsewhere(text, best[1], cited):
        return ""
    return fault


def _denied_elsewhere(text: str, source: tuple[str, ...], cited: Sequence[Evidence]) -> bool:
    """Does another sentence than `source` deny the same words as each denial of the claim?"""
    theirs = [o for s in _sentences(cited) if tokens(s) != source for o in negations(s)]
    return all(any(len({*sign.after[:3]} & {*o.after[:3]}) > 1 for o in theirs) for sign in negations(text))


def _sentences(cited: Sequence[Evidence]) -> Iterator[str]:
    for item in cited:
        if item.fact is not None or item.kind == "table":
            continue
        parts = split(item)
        for sentence in parts:
            yield sentence.text
        if not parts:
            yield item.text


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
    told, theirs = ({m.canonical for m in find_metrics(" ".join(w))} for w in (new, lost))
    return bool(told) and told == theirs and not any(w[0].isdigit() for w in (*new, *lost))


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
    for told, theirs in ((_periods(new), _periods(lost)), (_ways(new), _ways(lost))):
        if told and theirs and not told <= theirs:
            return (
                f"'{', '.join(sorted(told - theirs))}' where the evidence says '{', '.join(sorted(theirs))}'"
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
    told = find_metrics(" ".join(new))
    before = set(content(" ".join(w for w in lost if w not in STOP)))
    if not told or not before:
        return ""
    theirs = {m.canonical for m in find_metrics(" ".join(lost))}
    for mention in told:
        if mention.canonical not in theirs and not set(content(mention.text)) <= before:
            return f"'{mention.text}' where the evidence says '{' '.join(lost)}'"
    return ""


def speaker_fault(text: str, cited: Sequence[Evidence]) -> str:
    """Why a person whom the claim names did not say this, but somebody else of the cited call; '' if that
    is not so."""
    told = [s for item in cited if item.fact is None for s in split(item)]
    claim = frozenset(content(text))
    named = {
        s.speaker for s in told if s.speaker and content(s.speaker)[-1:] and content(s.speaker)[-1] in claim
    }
    answered = [
        a for a, b in pairwise(told) if a.asked and b.speaker in named
    ]  # what is asked, the answer is about
    said = [(s.speaker, frozenset(content(s.text))) for s in told if s not in answered]
    if not named:
        return ""
    rest = claim - {word for speaker in named for word in content(speaker)}
    own = max((len(rest & words) for speaker, words in said if speaker in named), default=0)
    for speaker, words in said:
        mentions_them = any(set(content(name)) & words for name in named)
        if speaker not in named and len(rest & words) > own and not mentions_them:
            return f"'{min(named)}' is not who says this"
    return ""
