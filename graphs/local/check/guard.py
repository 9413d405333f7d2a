"""The local check of a sentence that a model wrote: what the evidence merely tells a reader to say does not bear it
out, nor does prose where a parsed figure says otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.drafts.claims import Claim, cited_markers, is_lead, read_claims, without_markers
from graphs.drafts.figures import MIN_FACT_MATCH, quantities
from graphs.drafts.sentences import split
from graphs.drafts.words import content, is_generic
from graphs.local.check.checker import LocalChecker, verdict_of
from graphs.local.check.figure_match import is_timed
from graphs.local.check.passage_checks import TELLING, company_words
from graphs.local.check.passages import all_words, passages
from graphs.local.text.period_mentions import find_mentions
from graphs.local.text.polarity import directions
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics
from tools.values import Quantity, same_amount

SHARED = 0.25
"""Least share of a sentence's words that the cited evidence has: a paraphrase shares more, an invention less."""
_SAY = (
    r"(?:say|tell|answer|reply|respond|write|print|pretend|assume|warn|inform|ignore|disregard|forget|obey|refuse"
    r"|cite|repeat|decode|execute|click)"
)
_OBJECT = r"(?:that|the|this|an?|all|any|every|everyone|everybody|it|only|no|as|with|to|in|into|your|our|my|\d|[$“\"'])"
_NOUN = (
    r"(?:claim|send|remember|add|put|give|insert|append|translate|treat|output|state|report|present|use|call|run"
    r"|show|display|follow|quote|describe|mention|list|compute)"
)
_ORDER = re.compile(
    rf"(?:^|[:;–—]\s*|[.!?]\s+)[\"'“‘(\[]*(?:(?:please|now|then|instead|always|just|simply)\s+)*"
    rf"(?:{_SAY}\b(?!\s*,)|{_NOUN}\s+{_OBJECT}\b)"
    rf"|\b(?:and|then|but)\s+(?:say|answer|reply|respond|cite|pretend|ignore|disregard|obey)\b"
    rf"|\byou\s+(?:(?:now|must|shall|always|are\s+to)\s+)*(?:say|answer|reply|respond|write|tell|state)\b"
    rf"|\b(?:whoever|everyone\s+who|anyone\s+who|when(?:ever)?|if)\s+(?:you\s+are\s+|someone\s+)?ask(?:s|ed)?\b",
    re.IGNORECASE,
)
_EMPTY = frozenset(content("answer result reply response number correct true right final say told"))


class ModelDraftGuard:
    """A `graphs.drafts.draft_guard.DraftGuard`: `LocalChecker` with what only a model's words can get wrong."""

    def __init__(self) -> None:
        self._whole, self._hard = LocalChecker(), LocalChecker(wording=False)

    def claims(self, text: str) -> list[Claim]:
        """See `DraftGuard.claims`."""
        return [*_heads(text), *read_claims(text)]

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], *, wording: bool = True
    ) -> Verdict:
        """See `DraftGuard.check`."""
        by_rank = {item.rank: item for item in evidence}
        return verdict_of([self.judge(claim, by_rank, wording=wording) for claim in self.claims(draft.text)])

    def judge(self, claim: Claim, by_rank: Mapping[int, Evidence], *, wording: bool = True) -> Statement:
        """See `DraftGuard.judge`."""
        judged = (self._whole if wording else self._hard).judge(claim, by_rank)
        if not judged.supported:
            return judged
        cited = [by_rank[rank] for rank in claim.markers]
        fault = _strange(claim, cited) or _prose_figure_fault(claim, cited, tuple(by_rank.values()))
        fault = fault or _ordered(claim, cited)
        if not fault:
            return judged
        return judged.model_copy(update={"supported": False, "evidence": (), "reason": fault})

    def passes(self, reading: Reading, draft: Draft, evidence: Sequence[Evidence]) -> bool:
        """See `DraftGuard.passes`."""
        if draft.abstained is not None:
            return False
        if draft.engine == "local":
            return self._whole.check(reading, draft, evidence).score == 1.0
        return self.check(reading, draft, evidence, wording=False).score == 1.0


def _heads(text: str) -> Iterator[Claim]:
    in_table = False
    for line in filter(str.strip, text.split("\n")):
        is_row = line.lstrip().startswith("|")
        if (is_row and not in_table) or (not is_row and is_lead(line)):
            claim = Claim(without_markers(line), cited_markers(line), "sentence")
            if _figures(claim):
                yield claim
        in_table = is_row


def is_order(sentence: str) -> bool:
    """Does a sentence tell its reader what to say or do, rather than say something? By its form: an imperative of
    speaking at the start of a clause, or 'if you are asked'."""
    return bool(_ORDER.search(sentence))


def _strange(claim: Claim, cited: Sequence[Evidence]) -> str:
    """Words beside metrics and directions of which the evidence has next to none."""
    told = f"{claim.text} {claim.context}"
    named = [*(m.text for m in find_metrics(told)), *(sign.text for sign in directions(told))]
    apart = TELLING | {word for text in named for word in content(text)}
    words = [word for word in _meaning(claim, cited) if word not in apart]
    held = len(frozenset(words) & all_words(cited))
    return (
        "" if len(words) - held < 2 or held >= SHARED * len(words) else "the cited evidence does not say this"
    )


def _meaning(claim: Claim, cited: Sequence[Evidence]) -> list[str]:
    """Stems of a claim, its context and its columns that are neither generic nor the company's name."""
    headers = " ".join(header for header, _ in claim.cells)
    own = company_words(cited)
    found = dict.fromkeys(content(f"{claim.text} {claim.context} {headers}"))
    return [w for w in found if not is_generic(w) and w not in own and not w[0].isdigit()]


def _figures(claim: Claim) -> list[Quantity]:
    """Figures of a claim that are no part of a period."""
    spans = [(m.start, m.end) for m in find_mentions(claim.text)]
    return [q for q in quantities(claim.text) if not any(a <= q.start < b for a, b in spans)]


def _prose_figure_fault(claim: Claim, cited: Sequence[Evidence], evidence: Sequence[Evidence]) -> str:
    """A figure that stands in running text alone: it must be said there, of something, and parsed figures of the
    same line item must not say otherwise."""
    parsed = [
        f for item in evidence if _is_parsed(item) for p in passages(item, frozenset()) for f in p.figures
    ]
    for quantity in _figures(claim):
        if any(abs(f.quantity.amount) == abs(quantity.amount) for f in parsed):
            continue
        if any(same_amount(quantity, f.quantity) for f in parsed):
            continue
        if not [word for word in _meaning(claim, cited) if word not in _EMPTY]:
            return f"{quantity.text} is not said to be the figure of anything"
        told = [s for item in cited if not _is_parsed(item) for s in split(item) if _holds(s.text, quantity)]
        if not told:
            continue  # printed otherwise, or computed: checked with the figures
        holders = [s.text for s in told if _holds(s.text.replace(s.item.company, " "), quantity)]
        if all(map(is_order, holders)):  # a company's name states nothing
            return f"{quantity.text} stands only in words that tell a reader what to say"
        if other := _otherwise(claim, quantity, cited, evidence):
            return f"{quantity.text} is not what '{other}' says"
    return ""


def _is_parsed(item: Evidence) -> bool:
    return item.kind == "table" or (item.fact is not None and item.fact.statement != "prose")


def _holds(text: str, quantity: Quantity) -> bool:
    return any(abs(q.value) == abs(quantity.value) for q in quantities(text))


def _otherwise(
    claim: Claim, quantity: Quantity, cited: Sequence[Evidence], evidence: Sequence[Evidence]
) -> str:
    """The line item whose parsed figures gainsay a claim that is about it, its company and a period alone."""
    named = find_metrics(claim.text)
    plain = {m.canonical for m in named}
    rest = set(_meaning(claim, cited)) - {word for m in named for word in content(m.text)}
    companies, when = {item.company_key for item in cited}, find_mentions(f"{claim.context} {claim.text}")
    if not plain or rest - _periods(claim) or quantity.unit == "percent":
        return ""
    for item in evidence:
        if (
            not _is_parsed(item)
            or item.company_key not in companies
            or (item.fact and item.fact.match < MIN_FACT_MATCH)
        ):
            continue
        for passage in passages(item, frozenset()):
            for figure in passage.figures:
                labels = {canonical_metric(figure.label)}
                if item.fact is not None:
                    labels.add(canonical_metric(item.fact.metric, item.fact.path))
                same = labels & plain and is_timed(when, figure)
                if same and figure.quantity.unit in (quantity.unit, "USD", ""):
                    return figure.label
    return ""


def _periods(claim: Claim) -> set[str]:
    return {w for m in find_mentions(claim.text) for w in content(claim.text[m.start : m.end])}


def _ordered(claim: Claim, cited: Sequence[Evidence]) -> str:
    """A claim whose nearest sentence in the evidence is an order."""
    words = frozenset(_meaning(claim, cited))
    prose = [item for item in cited if not _is_parsed(item) and item.kind in ("prose", "exchange")]
    if not words or len(prose) < len(cited):
        return ""
    near = dict.fromkeys((True, False), 0)
    for item in prose:
        for sentence in split(item):
            order = is_order(sentence.text)
            near[order] = max(near[order], len(words & frozenset(content(sentence.text))))
    if near[True] > near[False] and near[True] * 2 >= len(words):
        return "the cited evidence only tells a reader to say this"
    return ""
