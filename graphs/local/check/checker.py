"""The local faithfulness checker: every statement of a draft against the evidence it cites.

Each check gives a reason, or '' where it finds no fault. All of them, in the order in which they run, stand in
`_prose_fault` (against all that is cited) and `_passage_fault` (against one passage of it).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.drafts.calculations import computed_claims, judged_sum, states_measure
from graphs.drafts.claims import QUOTE, Claim, read_claims
from graphs.drafts.sentences import split
from graphs.drafts.words import verbatim
from graphs.local.check.claim_text import ClaimText, spelled_out, without_labels
from graphs.local.check.degree_checks import degree_fault
from graphs.local.check.denials import denial_fault
from graphs.local.check.direction_checks import movement_fault
from graphs.local.check.figure_checks import number_fault
from graphs.local.check.metric_checks import metric_fault
from graphs.local.check.name_checks import attribution_fault, name_fault, speaker_fault
from graphs.local.check.near_copies import near_copy_fault
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, Passage, passages, pool, whole
from graphs.local.check.period_checks import period_fault
from graphs.local.check.plans import plan_fault
from graphs.local.check.quarter_rule import judgement_fault
from graphs.local.check.swapped_figures import swapped_change_fault, swapped_figure_fault
from graphs.local.check.wording_checks import label_fault, qualifier_fault, wording_fault
from tools.evidence import QUOTED, Evidence

MAX_NAME_QUOTE_WORDS = 4
"""Words in quotation marks up to this many name something rather than quote somebody."""


class LocalChecker:
    """Numbers with unit and scale, periods, names, directions and denials, then wording: no model is
    asked."""

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], before: Verdict | None = None
    ) -> Verdict:
        """A verdict over every sentence, list item and table row; a score of None if there are none."""
        by_rank = {item.rank: item for item in evidence}
        computed = computed_claims(() if states_measure(evidence) else evidence)
        return verdict_of(
            [judged_sum(claim, computed) or self.judge(claim, by_rank) for claim in read_claims(draft.text)]
        )

    def judge(self, claim: Claim, by_rank: Mapping[int, Evidence]) -> Statement:
        """One claim against the evidence it cites."""
        unknown = [marker for marker in claim.markers if marker not in by_rank]
        if unknown:
            return Statement(
                text=claim.text, supported=False, reason=f"marker [{unknown[0]}] points at no evidence"
            )
        if not claim.markers:
            return Statement(text=claim.text, supported=False, reason="no evidence is cited")
        cited = CitedEvidence(tuple(by_rank[marker] for marker in claim.markers))
        text = without_file_names(claim.text, cited.items)
        fault = _fault(replace(claim, text=text), cited)
        ranks = tuple(item.rank for item in cited.items) if not fault else ()
        return Statement(text=claim.text, supported=not fault, evidence=ranks, reason=fault)


def verdict_of(statements: Sequence[Statement]) -> Verdict:
    """The statements with F = |supported| / |statements|; None where there is none."""
    held = sum(statement.supported for statement in statements)
    return Verdict(statements=tuple(statements), score=held / len(statements) if statements else None)


def without_file_names(text: str, cited: Sequence[Evidence]) -> str:
    """A cited file's name says where a figure stands: the period in '2022 Q3 ACME.pdf' is not the figure's."""
    for name in sorted({item.document for item in cited if item.document}, key=len, reverse=True):
        text = text.replace(f" ({name})", "")
    for name in {item.company for item in cited if re.search(r"\d", item.company)}:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?=\W|$)", "the company", text)  # '3M' is no amount
    return text


def _fault(claim: Claim, cited: CitedEvidence) -> str:
    """Why the cited evidence does not support the claim; '' if it does."""
    if claim.kind == "row":
        return _row_fault(claim, cited)
    if (judged := judgement_fault(claim.text, cited.items)) is not None:
        return judged
    if long := [quote for quote in claim.quotes if is_long_quote(quote)]:
        return _quotation_fault(claim, long, cited)
    return _prose_fault(ClaimText(claim.text, claim.context), cited)


def _prose_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """The fault that the cited passages leave: any passage without one supports the claim."""
    claim = spelled_out(claim, cited.items)
    return (
        near_copy_fault(claim, cited)
        or _nearest_passage_fault(claim, cited)
        or speaker_fault(claim, cited)
        or denial_fault(claim, cited)
        or plan_fault(claim, cited)
        or qualifier_fault(claim, cited)
    )


def _nearest_passage_fault(claim: ClaimText, cited: CitedEvidence) -> str:
    """The fault of the passage that passes most checks; '' if one passes all."""
    furthest = (-1, "")
    for passage in _candidates(claim, cited):
        stage, fault = _passage_fault(claim, passage, cited.words)
        if not fault:
            return ""
        furthest = max(furthest, (stage, fault), key=lambda found: found[0])
    return furthest[1]


def _passage_fault(
    claim: ClaimText,
    passage: Passage,
    everything: frozenset[str],
    *,
    beside_quote: bool = False,
) -> tuple[int, str]:
    """(number of checks passed, the fault that the next one finds or '').

    `everything`: stems of all that is cited; `beside_quote`: the claim is what is said around a quotation.
    """
    bare = without_labels(claim, passage)
    checks: tuple[Callable[[], str], ...] = (
        lambda: number_fault(bare, passage, claim),
        lambda: period_fault(bare, passage),
        lambda: name_fault(claim, passage, everything),
        lambda: attribution_fault(claim, passage) if beside_quote else "",
        lambda: "" if beside_quote else metric_fault(claim, passage),
        lambda: swapped_change_fault(bare, passage) or swapped_figure_fault(bare, passage),
        lambda: degree_fault(claim, passage),
        lambda: label_fault(claim, passage),
        lambda: movement_fault(bare, passage),
        lambda: wording_fault(claim, passage),
    )
    for stage, check in enumerate(checks):
        if fault := check():
            return stage, fault
    return len(checks), ""


MIN_NEAREST_SHARE = 0.75
"""Of the words that the nearest passage has of a claim, from which another one may support it."""


def _candidates(claim: ClaimText, cited: CitedEvidence) -> list[Passage]:
    """The passages that the claim may rest on; one about something else says nothing for or against it."""
    wanted = claim.whole.marks
    found = [passages(item, wanted) for item in cited.items]
    candidates = [passage for of_item in found for passage in of_item]
    if len(found) > 1:
        candidates.insert(0, pool([of_item[0] for of_item in found]))
        candidates.append(pool([of_item[-1] for of_item in found]))
    held = [len(wanted & (passage.words | passage.said.marks)) for passage in candidates]
    least = MIN_NEAREST_SHARE * max(held, default=0)
    return [p for p, n in zip(candidates, held, strict=True) if p.structured or n >= least]


def _row_fault(claim: Claim, cited: CitedEvidence) -> str:
    """A row whose cells name what its figures are is one claim; one whose columns do, by period or line item, is
    one for each figure."""
    faults = (_prose_fault(ClaimText(text, claim.context), cited) for text in cell_claims(claim))
    return next(filter(None, faults), "")


def cell_claims(claim: Claim) -> list[str]:
    """What a row says in sentences: one as a whole, or one for each figure where the columns name what it is."""
    figures = [n for n, (_, cell) in enumerate(claim.cells) if parsed(cell).quantities]
    figures = [n for n in figures if n] or figures  # a figure in the first column is part of a label
    if not _is_by_column([claim.cells[n][0] for n in figures]):
        return [", ".join(_with_unit_of(header, cell) for header, cell in claim.cells)]
    labels = " ".join(cell for n, (_, cell) in enumerate(claim.cells) if n not in figures)
    found = []
    for n in figures:
        header, cell = claim.cells[n]
        header = header.lower() if parsed(header).metrics and not parsed(header).periods else header
        shown = _with_unit_of(f"{header} {labels} {claim.context}", cell)
        found.append(f"{labels}, {header}: {shown}")
    return found


def _is_by_column(headers: Sequence[str]) -> bool:
    """Do the headers of a row's figures name a line item, or, of more than one, a period?"""
    if any(parsed(header).metrics for header in headers):
        return True
    return len(headers) > 1 and any(parsed(header).periods for header in headers)


_HEADER_UNIT = re.compile(r"\b(thousand|million|billion)s?\b", re.IGNORECASE)


def _with_unit_of(header: str, cell: str) -> str:
    """A bare number takes the unit and scale that its column's header states."""
    found = parsed(cell).quantities
    if len(found) != 1 or found[0].scale or found[0].unit not in {"", "USD"}:
        return cell
    scale = _HEADER_UNIT.search(header)
    dollars = re.search(r"\bUSD\b|\$|dollars", header) and not found[0].unit
    return " ".join(filter(None, [cell, scale[1].lower() if scale else "", "USD" if dollars else ""]))


def is_long_quote(quote: str) -> bool:
    """Does it quote somebody?"""
    return len(verbatim(quote).split()) > MAX_NAME_QUOTE_WORDS


def _quotation_fault(claim: Claim, quotes: Sequence[str], cited: CitedEvidence) -> str:
    """Each quotation must stand word for word in a cited source; what is said around it is checked against
    that."""
    found: list[Passage] = []
    for quote in quotes:
        holders = [p for item in cited.items if (p := quoted_passage(quote, item)) is not None]
        if not holders:
            return "the quoted words are not in the cited evidence"
        found.append(holders[0])
    rest = QUOTE.sub(lambda m: " " if is_long_quote(m.group()) else m.group(), claim.text)
    around = ClaimText(re.sub(r"\s+", " ", rest).strip(" :,."), claim.context)
    if not re.search(r"\w", around.whole.text):
        return ""
    passage = pool(found)
    everything = CitedEvidence(passage.items).words
    return _passage_fault(around, passage, everything, beside_quote=True)[1]


def quoted_passage(quote: str, item: Evidence) -> Passage | None:
    """The part of `item` that holds the quotation, gaps marked '...' allowed, with who says it."""
    parts = [verbatim(part) for part in re.split(r"\s*(?:\.\.\.|…)\s*", quote) if re.search(r"\w", part)]
    text = verbatim(item.text)
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return None
        at += len(part) - 1
    full = whole(item)
    if item.kind not in QUOTED or not full.speakers:
        return full
    return _spoken(quote, parts, item, full)


def _spoken(quote: str, parts: Sequence[str], item: Evidence, full: Passage) -> Passage:
    speakers = []
    for sentence in split(item):
        said = verbatim(sentence.text)
        if any(said in part or part in said for part in parts) and sentence.speaker not in speakers:
            speakers.append(sentence.speaker)
    return replace(full, text=quote, speakers=tuple(speakers)) if speakers else full
