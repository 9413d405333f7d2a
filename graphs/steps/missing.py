"""What of a comparison its answer lacks, said in a last sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from graphs.contracts import Lookup, Missing, Part, Reading
from graphs.drafts.claims import cited_in
from graphs.drafts.figures import WHOLE_MATCH, fact_match
from graphs.drafts.words import content
from tools.evidence import Evidence
from tools.periods import MONTHS_IN_WORDS

Status = Literal["answered", "partial", "abstained"]

_WHY = {
    "whole": "Stated for the whole company, since nothing was found as asked",
    "not_found": "Nothing found for",
    "not_indexed": "Not in the indexed documents",
    "filtered": "Outside the filter that is set",
    "left_out": "Left out, since a comparison has at most four parts",
}


PARTS = (3, 6, 9)
"""Months of which a year has several."""
LEFT_OPEN = "part of what was asked was not found"
"""Why an answer is partial where what it lacks is not said in words that were checked."""


def with_missing(
    text: str, status: Status, reading: Reading, evidence: Sequence[Evidence], missing: str = ""
) -> tuple[str, Status, str]:
    """Text and status with what a comparison lacks, or what its writer says to be `missing`, said in a last sentence;
    that sentence, or why the answer is partial; '' if it lacks nothing."""
    compared = _companies_computed(text, evidence)  # by the quarters of each that lie nearest
    lacking = [each for each in reading.missing if each.what not in compared]
    if missing and status != "abstained":
        if not _in_known_words(missing, reading, evidence):
            return text, "partial", LEFT_OPEN
        lacking.append(Missing(what=missing.rstrip("."), why="not_found"))
    told = {item.profile for item in cited_in(text, evidence)} & set(reading.profile)
    if told:
        lacking += [
            Missing(what=_in_words(kind), why="not_found") for kind in reading.profile if kind not in told
        ]
    if status != "abstained":
        lacking += _uncovered(text, reading, evidence)
        dated = reading.scope.periods or any(part.periods for part in reading.parts)
        unlike = "" if reading.of_companies or dated else _unlike_spans(text, evidence)
        text = "\n\n".join(filter(None, (text, unlike)))
    parts = (item for item in cited_in(text, evidence) if item.fact and item.fact.period.months in PARTS)
    if status == "abstained" or any(parts):
        lacking += [Missing(what=each, why="not_indexed") for each in reading.years_in_parts]
    if not lacking:
        return text, status, ""
    sentence = " ".join(
        f"{opening}: {'; '.join(names).removesuffix('.')}."
        for why, opening in _WHY.items()
        if (names := list(dict.fromkeys(each.what for each in lacking if each.why == why)))
    )
    return f"{text}\n\n{sentence}".strip(), "abstained" if status == "abstained" else "partial", sentence


def _in_words(kind: str) -> str:
    return kind.replace("_", " ")


def _unlike_spans(text: str, evidence: Sequence[Evidence]) -> str:
    """That figures of several companies are of spans of unlike length, and so no comparison; '' where one length is
    cited of all."""
    spans: dict[str, set[int]] = {}
    for item in cited_in(text, evidence):
        if item.fact and item.fact.period.months:
            spans.setdefault(item.company, set()).add(item.fact.period.months)
    if len(spans) < 2 or set.intersection(*spans.values()):
        return ""
    told = "; ".join(
        f"{company}: {' and '.join(MONTHS_IN_WORDS.get(each, f'{each} months') for each in sorted(months))}"
        for company, months in spans.items()
    )
    return f"These are periods of unlike length ({told}): name a period to compare like with like."


def _in_known_words(missing: str, reading: Reading, evidence: Sequence[Evidence]) -> bool:
    """Whether nothing but words of the question and the evidence say what a writer misses: these are words that nobody
    has checked."""
    known = set(content(" ".join((reading.question, *(item.text for item in evidence)))))
    return known.issuperset(content(missing))


def _companies_computed(text: str, evidence: Sequence[Evidence]) -> set[str]:
    """Names of the companies whose results an answer states, by their cited figures."""
    results = [
        each for item in evidence if item.calculation for each in item.calculation.results if each.value
    ]
    cited = {item.item_id for item in cited_in(text, evidence)}
    return {
        each.company for each in results if cited.issuperset(operand.item_id for operand in each.operands)
    }


def _uncovered(text: str, reading: Reading, evidence: Sequence[Evidence]) -> list[Missing]:
    """Parts of which the answer cites nothing, and figures that it states for other parts alone; none of an answer that
    states a calculation alone: that tells itself what it lacks."""
    cited = cited_in(text, evidence)
    computed = {each.item_id for item in evidence if item.calculation for each in item.calculation.operands}
    if not cited or computed.issuperset(item.item_id for item in cited):
        return []
    return [each for part in reading.parts for each in _lacking(part, cited, evidence)]


def _lacking(part: Part, cited: Sequence[Evidence], evidence: Sequence[Evidence]) -> list[Missing]:
    own = _of(part, cited)
    if not own:
        # a change or a range is stated by its ends: what lies between was found, too
        between = any(item.company_key == part.company for item in cited)
        fitting = [item for item in evidence if item.fact and fact_match(item) >= WHOLE_MATCH]
        return [] if between and _of(part, fitting) else [Missing(what=part.describe(), why="not_found")]
    if not all(item.fact and item.lookup for item in own):
        return []
    found = {item.lookup for item in own}
    lacking: list[Missing] = []
    for each in part.lookups:
        whole = each.bare in found
        if each.name and each.question not in found and (whole or not _is_named_by(each, own)):
            what = f"{each.name} of {part.describe()}"
            lacking.append(Missing(what=what, why="whole" if whole else "not_found"))
    return lacking


def _is_named_by(lookup: Lookup, cited: Sequence[Evidence]) -> bool:
    """Whether another figure's line names this one, too: 'interest and dividend income'."""
    words = set(content(lookup.bare or lookup.name))
    return any(
        words & set(content(" ".join((*item.fact.path, item.fact.metric)))) for item in cited if item.fact
    )


def _of(part: Part, cited: Sequence[Evidence]) -> list[Evidence]:
    """Cited evidence of the part's company and period; running text may speak of any period."""
    own = [item for item in cited if item.company_key == part.company]
    if not part.periods or any(item.fact is None for item in own):
        return own
    return [item for item in own if any(period.admits(item.period) for period in part.periods)]
