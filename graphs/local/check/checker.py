"""The local faithfulness checker: every statement of a draft against the evidence it cites."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.drafts.claims import QUOTE, Claim, read_claims
from graphs.drafts.figures import quantities
from graphs.drafts.sentences import split
from graphs.drafts.words import content, verbatim
from graphs.local.answer.doing_well import judgement_fault
from graphs.local.check import passage_checks
from graphs.local.check.claim_text import Told, without_labels
from graphs.local.check.degree_checks import degree_fault
from graphs.local.check.denials import denial_fault
from graphs.local.check.figure_checks import number_fault
from graphs.local.check.metric_checks import metric_fault
from graphs.local.check.near_copies import edit_fault, speaker_fault
from graphs.local.check.passages import Passage, all_words, marks, passages, pool, whole
from graphs.local.check.plans import plan_fault
from graphs.local.check.qualifiers import qualifier_fault
from graphs.local.check.swapped_figures import pair_fault, role_fault
from graphs.local.text.period_mentions import find_mentions
from tools.evidence import Evidence
from tools.knowledge.lexicon.metric_names import find_metrics

SHORT_QUOTE = 4
"""Words in quotation marks up to this many name something rather than quote somebody."""


class LocalChecker:
    """Numbers with unit and scale, periods, names, directions and denials, then wording: no model is
    asked."""

    def __init__(self, *, wording: bool = True) -> None:
        """Without `wording`, a claim may say in other words what its evidence says: somebody else judges that."""
        self._wording = wording

    def check(self, reading: Reading, draft: Draft, evidence: Sequence[Evidence]) -> Verdict:
        """A verdict over every sentence, list item and table row; a score of None if there is none."""
        by_rank = {item.rank: item for item in evidence}
        return verdict_of([self.judge(claim, by_rank) for claim in read_claims(draft.text)])

    def judge(self, claim: Claim, by_rank: Mapping[int, Evidence]) -> Statement:
        """One claim against the evidence it cites."""
        unknown = [marker for marker in claim.markers if marker not in by_rank]
        if unknown:
            return Statement(
                text=claim.text, supported=False, reason=f"marker [{unknown[0]}] points at no evidence"
            )
        if not claim.markers:
            return Statement(text=claim.text, supported=False, reason="no evidence is cited")
        cited = [by_rank[marker] for marker in claim.markers]
        fault = _fault(replace(claim, text=_without_file_names(claim.text, cited)), cited, self._wording)
        ranks = tuple(item.rank for item in cited) if not fault else ()
        return Statement(text=claim.text, supported=not fault, evidence=ranks, reason=fault)


def verdict_of(statements: Sequence[Statement]) -> Verdict:
    """The statements with F = |supported| / |statements|; None where there is none."""
    held = sum(statement.supported for statement in statements)
    return Verdict(statements=tuple(statements), score=held / len(statements) if statements else None)


def _without_file_names(text: str, cited: Sequence[Evidence]) -> str:
    """A cited file's name says where a figure stands: the period in '2022 Q3 ACME.pdf' is none of the figure."""
    for name in sorted({item.document for item in cited if item.document}, key=len, reverse=True):
        text = text.replace(f" ({name})", "")
    for name in {item.company for item in cited if re.search(r"\d", item.company)}:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?=\W|$)", "the company", text)  # '3M' is no amount
    return text


def _fault(claim: Claim, cited: Sequence[Evidence], wording: bool) -> str:
    """Why the cited evidence does not support the claim; '' if it does."""
    if claim.kind == "row":
        return _row_fault(claim, cited, wording)
    if (judged := judgement_fault(claim.text, cited)) is not None:
        return judged
    long = [quote for quote in claim.quotes if len(verbatim(quote).split()) > SHORT_QUOTE]
    if long:
        return _quotation_fault(claim, long, cited, wording)
    return _prose_fault(Told(claim.text, claim.context), cited, wording)


def _row_fault(claim: Claim, cited: Sequence[Evidence], wording: bool) -> str:
    """A row whose cells name what its figures are is one claim; one whose columns do, by period or line item, is
    one for each figure."""
    figures = [n for n, (_, cell) in enumerate(claim.cells) if quantities(cell)]
    figures = [n for n in figures if n] or figures  # a figure in the first column is part of a label
    named = any(find_metrics(claim.cells[n][0]) for n in figures)
    headed = [n for n in figures if find_mentions(claim.cells[n][0])]
    if not named and (not headed or len(figures) < 2):
        text = ", ".join(_cell(header, cell) for header, cell in claim.cells)
        return _prose_fault(Told(text, claim.context), cited, wording)
    labels = " ".join(cell for n, (_, cell) in enumerate(claim.cells) if n not in figures)
    for n in figures:
        header, cell = claim.cells[n]
        header = header.lower() if find_metrics(header) and not find_mentions(header) else header
        shown = _cell(f"{header} {labels} {claim.context}", cell)
        fault = _prose_fault(Told(f"{labels}, {header}: {shown}", claim.context), cited, wording)
        if fault:
            return fault
    return ""


_HEADER_UNIT = re.compile(r"\b(thousand|million|billion)s?\b", re.IGNORECASE)


def _cell(header: str, cell: str) -> str:
    """A bare number takes the unit and scale that its column's header states."""
    found = quantities(cell)
    if len(found) != 1 or found[0].scale or found[0].unit not in {"", "USD"}:
        return cell
    scale = _HEADER_UNIT.search(header)
    dollars = re.search(r"\bUSD\b|\$|dollars", header) and not found[0].unit
    return " ".join(filter(None, [cell, scale[1].lower() if scale else "", "USD" if dollars else ""]))


def _quotation_fault(claim: Claim, quotes: Sequence[str], cited: Sequence[Evidence], wording: bool) -> str:
    """Each quotation must stand word for word in a cited source; what is said around it is checked against
    that."""
    found: list[Passage] = []
    for quote in quotes:
        holders = [passage for item in cited if (passage := _quoted_passage(quote, item)) is not None]
        if not holders:
            return "the quoted words are not in the cited evidence"
        found.append(holders[0])
    rest = QUOTE.sub(
        lambda m: " " if len(verbatim(m.group()).split()) > SHORT_QUOTE else m.group(), claim.text
    )
    told = Told(re.sub(r"\s+", " ", rest).strip(" :,."), claim.context)
    if not re.search(r"\w", told.whole):
        return ""
    passage = pool(found)
    everything = all_words(passage.items)
    return _first_fault(told, passage, everything, wording, attribution=True)[1]


def _quoted_passage(quote: str, item: Evidence) -> Passage | None:
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
    if item.kind not in ("prose", "exchange") or not full.speakers:
        return full
    return _spoken(quote, parts, item, full)


def _spoken(quote: str, parts: Sequence[str], item: Evidence, full: Passage) -> Passage:
    speakers = []
    for sentence in split(item):
        said = verbatim(sentence.text)
        if any(said in part or part in said for part in parts) and sentence.speaker not in speakers:
            speakers.append(sentence.speaker)
    return replace(full, text=quote, speakers=tuple(speakers)) if speakers else full


def _prose_fault(told: Told, cited: Sequence[Evidence], wording: bool) -> str:
    """The fault that the cited passages leave: any passage without one supports the claim."""
    told = Told(_spelled_out(told.text, cited), _spelled_out(told.context, cited))
    if fault := edit_fault(told.text, cited):
        return fault
    wanted = marks(told.whole)
    everything = all_words(cited)
    tried: list[list[Passage]] = [passages(item, wanted) for item in cited]
    candidates = [passage for found in tried for passage in found]
    if len(cited) > 1:
        candidates.insert(0, pool([found[0] for found in tried]))
        candidates.append(pool([found[-1] for found in tried]))
    furthest = (-1, "")
    for passage in _near(candidates, wanted):
        stage, fault = _first_fault(told, passage, everything, wording)
        if not fault:
            return _whole_fault(told.whole, cited)
        furthest = max(furthest, (stage, fault), key=lambda pair: pair[0])
    return furthest[1]


def _whole_fault(text: str, cited: Sequence[Evidence]) -> str:
    """What everything cited says against a claim that one passage bears out."""
    for check in (speaker_fault, denial_fault, plan_fault, qualifier_fault):
        if fault := check(text, cited):
            return fault
    return ""


NEAR = 0.75
"""Share of the words that the nearest passage has of a claim, from which another one may bear it out."""


def _near(candidates: Sequence[Passage], wanted: frozenset[str]) -> list[Passage]:
    """Without passages about something else, which gainsay nothing because they say nothing of it."""
    held = [len(wanted & (passage.words | marks(passage.text))) for passage in candidates]
    return [p for p, n in zip(candidates, held, strict=True) if p.structured or n >= NEAR * max(held)]


_SHORT = (
    (re.compile(r"\b(?:U\.S\.A?\.?|US|USA)(?=[\s,;.]|['’]s|$)(?!\s?\$)"), ("United States",)),
    (re.compile(r"\b(?:U\.K\.|UK)(?=[\s,;.]|['’]s|$)"), ("United Kingdom",)),
    (
        re.compile(r"\bcapex\b|\bcapital\s+(?:spending|expenditure|outlays?)\b", re.IGNORECASE),
        ("capital expenditures",),
    ),
    (
        re.compile(
            r"\b(?:buy-?backs?|b(?:ought|uys?|uying)\s+back|repurchas(?:es?|ed|ing))\b", re.IGNORECASE
        ),
        ("repurchases", "buyback", "buying back", "bought back", "buy back"),
    ),
)


def _spelled_out(text: str, cited: Sequence[Evidence]) -> str:
    """Short forms, and other names of one thing, in the form that the evidence has."""
    for short, forms in _SHORT:
        if short.search(text):
            held = [
                form for form in forms if any(_holds_word(item, form.removesuffix("s")) for item in cited)
            ]
            text = short.sub(held[0], text) if held else text
    for match in _INITIALS.finditer(text):
        if long := _long_form(match.group(), cited):
            text = re.sub(rf"\b{match.group()}\b", long, text)
    return text


_INITIALS = re.compile(r"\b[A-Z]{2,5}\d?\b")


def _long_form(initials: str, cited: Sequence[Evidence]) -> str:
    """'Funds from operations' for 'FFO' where the evidence has only the words; '' if it has the initials, or none."""
    words = r"\s+".join(letter if letter.isdigit() else rf"{letter}[a-z]+" for letter in initials)
    for item in cited:
        if initials in item.text:
            return ""
    found = (re.search(rf"\b{words}\b", item.text, re.IGNORECASE) for item in cited)
    return next((match.group() for match in found if match), "")


def _holds_word(item: Evidence, words: str) -> bool:
    return words.lower() in f"{item.text} {item.section}".lower()


def _first_fault(
    told: Told, passage: Passage, everything: frozenset[str], wording: bool, *, attribution: bool = False
) -> tuple[int, str]:
    """(number of checks passed, the fault that the next one finds or '')."""
    own = passage_checks.company_words(passage.items)
    bare = without_labels(told, passage)
    stages: tuple[Callable[[], str], ...] = (
        lambda: number_fault(bare, told, passage),
        lambda: passage_checks.period_fault(bare, passage),
        lambda: _name_fault(told, passage, everything, attribution),
        lambda: "" if attribution else _metric_fault(told, passage, wording),
        lambda: pair_fault(bare.text, passage) or role_fault(bare.text, passage),
        lambda: degree_fault(told, passage),
        lambda: passage_checks.label_fault(told, passage),
        lambda: passage_checks.movement_fault(bare, passage),
        lambda: passage_checks.wording_fault(told, passage, own) if wording else "",
    )
    for stage, check in enumerate(stages):
        if fault := check():
            return stage, fault
    return len(stages), ""


def _metric_fault(told: Told, passage: Passage, wording: bool) -> str:
    """In other words, and without figures, a claim about the passage's metric may bring in another ('a larger share
    of revenue' for 'a larger share of products')."""
    fault = metric_fault(told, passage)
    if not fault or wording or passage.structured or quantities(told.text):
        return fault
    own = [m for m in find_metrics(told.whole) if not metric_fault(Told(m.text, ""), passage)]
    return "" if own else fault


def _name_fault(told: Told, passage: Passage, everything: frozenset[str], attribution: bool) -> str:
    """Around a quotation, a person named before it must be who says it."""
    fault = passage_checks.name_fault(told, passage, everything)
    if fault or not attribution or not passage.speakers:
        return fault
    spoken = {word for name in passage.speakers for word in content(name)}
    known = spoken | passage_checks.company_words(passage.items)
    for name, _ in passage_checks.names(told.text):
        if name not in known and name not in content(passage.text):
            return f"'{name}' is not who says this"
    return ""
