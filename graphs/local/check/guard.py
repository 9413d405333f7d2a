"""The local check of a sentence that a model wrote: an instruction in a document supports nothing, nor does prose
where a parsed figure says otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from graphs.drafts.claims import Claim, read_claims
from graphs.drafts.draft_guard import Finding
from graphs.drafts.figures import MIN_FACT_MATCH
from graphs.drafts.sentences import Sentence, split
from graphs.drafts.words import content, verbatim
from graphs.local.check.checker import LocalChecker, is_long_quote, without_file_names
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.clause_checks import is_instruction, states_something
from graphs.local.check.figure_match import is_timed
from graphs.local.check.hard_facts import HardFacts, quotation_fault, row_claims
from graphs.local.check.name_facts import without_digit_names
from graphs.local.check.nearest import nearest_line
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, whole
from graphs.local.check.plain_claims import is_plain
from graphs.local.check.printed_figures import Figure
from graphs.local.check.unheard import clause_fault, meaning, strange_fault, strange_label, unheard_fault
from tools.evidence import QUOTED, Evidence
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.values import Quantity, same_amount

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
    rf"|(?<!question )\b(?:and|then|but)\s+(?:say|answer|reply|respond|cite|pretend|ignore|disregard|obey)\b"
    rf"|\byou\s+(?:(?:now|must|shall|always|are\s+to)\s+)*(?:say|answer|reply|respond|write|tell|state)\b"
    rf"|\b(?:whoever|everyone\s+who|anyone\s+who|when(?:ever)?|if)\s+(?:you\s+are\s+|someone\s+)?ask(?:s|ed)?\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\b[a-z]{2,}\b")
_ANSWER_WORDS = frozenset(content("answer result reply response number correct true right final say told"))


class ModelDraftGuard:
    """A `graphs.drafts.draft_guard.DraftGuard`: `LocalChecker` with what only a model's words can get wrong."""

    def __init__(self) -> None:
        self._whole = LocalChecker()

    def claims(self, text: str) -> list[Claim]:
        """See `DraftGuard.claims`."""
        return [each for each in read_claims(text, heads=True) if not _is_label(each)]

    def label_fault(self, head: Claim, by_rank: Mapping[int, Evidence], question: str) -> str:
        """See `DraftGuard.label_fault`."""
        if not _is_label(head):
            return ""
        bare = _bare(head, by_rank)
        cited = CitedEvidence(_cited(head, by_rank) or tuple(by_rank.values()))
        said = ClaimText(bare.text)
        fault = quotation_fault(bare, cited.items, question) or _address_fault(bare, by_rank, question)
        return (
            fault
            or HardFacts(said, cited.items, by_rank, question).fault()
            or strange_label(said, cited, question)
        )

    def find(
        self,
        claim: Claim,
        by_rank: Mapping[int, Evidence],
        *,
        question: str = "",
        beside: Sequence[Claim] = (),
    ) -> Finding:
        """See `DraftGuard.find`."""
        unknown = [marker for marker in claim.markers if marker not in by_rank]
        if unknown:
            return Finding(f"marker [{unknown[0]}] points at no evidence")
        if not claim.markers:
            return Finding("no evidence is cited")
        cited = CitedEvidence(tuple(by_rank[marker] for marker in claim.markers))
        evidence = tuple(by_rank.values())
        bare = _bare(claim, by_rank)
        others = [_bare(each, by_rank) for each in _around(claim, beside)]
        around = tuple(HardFacts(s, _cited(c, by_rank), by_rank) for c in others for s in row_claims(c))
        facts = [HardFacts(each, cited.items, by_rank, question, around) for each in row_claims(bare)]
        fault = quotation_fault(bare, cited.items, question)
        fault = fault or next(filter(None, (each.fault() for each in facts)), "")
        said = ClaimText(bare.text, bare.context)
        meant = meaning(bare, said, cited)
        fault = (
            fault
            or _instruction_fault(bare)
            or _address_fault(claim, by_rank, question)
            or unheard_fault(bare, cited, any(same for each in facts for _, same in each.matches))
            or (strange_fault(said, cited, meant, least=1) if _orders(evidence) else "")
            or _prose_figure_fault(said, cited, meant, evidence)
            or _order_fault(cited, meant)
        )
        if fault:
            return Finding(fault, evidence=claim.markers, nearest=nearest_line(said, cited))
        doubt = next(filter(None, (each.doubt() for each in facts)), "")
        plain = not doubt and (_is_copy(said, cited) or all(map(is_plain, facts)))
        if not plain:
            doubt = doubt or self._whole.judge(bare, by_rank).reason or strange_fault(said, cited, meant)
            doubt = doubt or clause_fault(bare, cited)
        return Finding("", doubt, plain, evidence=claim.markers, nearest=nearest_line(said, cited))


MAX_AROUND = 12
"""Claims before and behind one from whose figures it may compute: of a thousand each must not look at all others."""


def _around(claim: Claim, beside: Sequence[Claim]) -> list[Claim]:
    at = next((n for n, each in enumerate(beside) if each is claim), None)
    if at is None:
        return []
    return [each for each in beside[max(0, at - MAX_AROUND) : at + MAX_AROUND + 1] if each is not claim]


def _cited(claim: Claim, by_rank: Mapping[int, Evidence]) -> tuple[Evidence, ...]:
    return tuple(by_rank[marker] for marker in claim.markers if marker in by_rank)


def _bare(claim: Claim, by_rank: Mapping[int, Evidence]) -> Claim:
    """A claim without names that have digits: of files and of companies."""
    text = without_file_names(claim.text, _cited(claim, by_rank))
    return replace(claim, text=without_digit_names(text, tuple(by_rank.values())))


def _is_copy(claim: ClaimText, cited: CitedEvidence) -> bool:
    """Is a claim of some length a whole sentence of running text that it cites?"""
    if not is_long_quote(claim.text):
        return False
    prose = (item for item in cited.items if not _is_parsed(item))
    return verbatim(claim.text) in {verbatim(sentence.text) for item in prose for sentence in split(item)}


def _orders(evidence: Sequence[Evidence]) -> bool:
    """Does any of the evidence tell its reader what to say?"""
    return any(is_order(s.text) for item in evidence if not _is_parsed(item) for s in split(item))


def is_order(sentence: str) -> bool:
    """Is a sentence an instruction to its reader, and no statement? By its form: an imperative of
    speaking at the start of a clause, or 'if you are asked'."""
    return bool(_ORDER.search(sentence))


def _instruction_fault(claim: Claim) -> str:
    """No filing speaks to the reader of an answer."""
    parts = [cell for _, cell in claim.cells] if claim.kind == "row" else [claim.text]
    return "it tells a reader what to do" if any(map(is_instruction, parts)) else ""


def _is_label(claim: Claim) -> bool:
    """Does a head name what stands under it, and state nothing?"""
    return claim.kind == "head" and not _figures(ClaimText(claim.text)) and not states_something(claim.text)


_SITE = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}\b(?:/[^\s\])]*)?|[\w.+-]+@[\w.-]+")


def _address_fault(claim: Claim, by_rank: Mapping[int, Evidence], question: str) -> str:
    """A site, a file or a mailbox that neither evidence nor question has."""
    known = " ".join(
        [question, *(f"{i.text} {i.document} {i.company} {i.section}" for i in by_rank.values())]
    )
    strange = (
        site for site in _SITE.findall(claim.text) if len(site) > 4 and site.lower() not in known.lower()
    )
    return next((f"'{site}' is not in the evidence" for site in strange), "")


def _figures(claim: ClaimText) -> list[Quantity]:
    """Figures of a claim that are no part of a period."""
    spans = [(m.start, m.end) for m in claim.said.periods]
    return [q for q in claim.said.quantities if not any(a <= q.start < b for a, b in spans)]


def _prose_figure_fault(
    claim: ClaimText, cited: CitedEvidence, meant: frozenset[str], evidence: Sequence[Evidence]
) -> str:
    """A figure that stands in running text alone: it must be said there, of something, and parsed figures of the
    same line item must not say otherwise."""
    figures = [f for item in evidence if _is_parsed(item) for f in whole(item).figures]
    for quantity in _figures(claim):
        if any(
            abs(f.quantity.amount) == abs(quantity.amount) or same_amount(quantity, f.quantity)
            for f in figures
        ):
            continue
        if meant <= _ANSWER_WORDS and (_says_answer(claim.text) or not _WORD.search(claim.text)):
            return f"{quantity.text} is not said to be the figure of anything"
        holders = _holders(quantity, cited)
        if not holders:
            continue  # printed otherwise, or computed: checked with the figures
        named = [s.text for s in holders if _holds(s.text.replace(s.item.company, " "), quantity)]
        if all(map(is_order, named)):  # a company's name states nothing
            return f"{quantity.text} stands only in words that tell a reader what to say"
        if other := _otherwise(claim, cited, meant, quantity, evidence):
            return f"{quantity.text} is not what '{other}' says"
    return ""


def _says_answer(text: str) -> bool:
    """'The answer is 42.' of nothing else."""
    return not _ANSWER_WORDS.isdisjoint(content(text))


def _is_parsed(item: Evidence) -> bool:
    return item.kind == "table" or (item.fact is not None and item.fact.statement != "prose")


def _holders(quantity: Quantity, cited: CitedEvidence) -> list[Sentence]:
    """The sentences cited that print a number."""
    prose = (item for item in cited.items if not _is_parsed(item))
    return [s for item in prose for s in split(item) if _holds(s.text, quantity)]


def _holds(text: str, quantity: Quantity) -> bool:
    return any(abs(q.value) == abs(quantity.value) for q in parsed(text).quantities)


def _otherwise(
    claim: ClaimText,
    cited: CitedEvidence,
    meant: frozenset[str],
    quantity: Quantity,
    evidence: Sequence[Evidence],
) -> str:
    """The line item whose parsed figures contradict a claim that is about it, its company and a period alone."""
    metric_words = {word for m in claim.said.metrics for word in content(m.text)}
    period_words = {word for m in claim.said.periods for word in content(claim.text[m.start : m.end])}
    if not claim.said.metrics or meant - metric_words - period_words or quantity.unit == "percent":
        return ""
    companies = {item.company_key for item in cited.items}
    for item in evidence:
        if not _is_parsed(item) or item.company_key not in companies:
            continue
        if item.fact and item.fact.match < MIN_FACT_MATCH:
            continue
        for figure in whole(item).figures:
            named = _metrics_of(item, figure) & claim.said.metric_names
            alike = named and figure.quantity.unit in (quantity.unit, "USD", "")
            if alike and is_timed(claim.whole.periods, figure):
                return figure.label
    return ""


def _metrics_of(item: Evidence, figure: Figure) -> set[str]:
    """Canonical names of a parsed figure's line item, with and without its headings."""
    found = {canonical_metric(figure.label)}
    return found | {canonical_metric(item.fact.metric, item.fact.path)} if item.fact else found


def _order_fault(cited: CitedEvidence, meant: frozenset[str]) -> str:
    """A claim whose nearest sentence in the evidence is an order."""
    prose = [item for item in cited.items if not _is_parsed(item) and item.kind in QUOTED]
    if not meant or len(prose) < len(cited.items):
        return ""
    near = dict.fromkeys((True, False), 0)
    for item in prose:
        for sentence in split(item):
            order = is_order(sentence.text)
            near[order] = max(near[order], len(meant & parsed(sentence.text).words))
    if near[True] > near[False] and near[True] * 2 >= len(meant):
        return "the cited evidence only tells a reader to say this"
    return ""
