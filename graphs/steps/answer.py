"""answer: show what is supported, cite it, or abstain."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from langchain_core.messages import AIMessage, HumanMessage

from graphs.contracts import Answer, Citation, ReasonCode, Verdict
from graphs.drafts.claims import MARKER, cited_markers, keep_lines, read_claims, without_markers
from graphs.drafts.links import unlinked
from graphs.drafts.refusals import asked_back
from graphs.engine import Engine
from graphs.index import SEARCH_FAILURES, Place, Shelf
from graphs.state import Context, State
from graphs.steps.condense import SOURCES, UNDERSTOOD, sources_before
from graphs.steps.filters import limits_in_words
from graphs.steps.missing import Status, with_missing
from graphs.steps.several import asked_now, next_question, together
from graphs.steps.telling import tell
from graphs.steps.timing import notes_of, seconds_by_step, usage_by_step
from graphs.steps.tool_results import UNCOMPUTED
from tools.documents.text.cleaning import clean, sentences
from tools.evidence import Evidence

MAX_QUOTE_CHARS = 300
MIN_CHANCE_OF_USE = 0.1
"""Probability that one of the lines ranked first answers, from which they are named on abstaining."""


def answer(state: State, context: Context, *, shelf: Shelf, engine: Engine, pipeline: str) -> dict[str, Any]:
    """The turn's `Answer`, and the assistant's message in the conversation."""
    text, status, settled = _settle(state, checked=pipeline == "agent")
    reason: str | None = settled
    lacking = ""
    index = shelf.get(state["generation"])
    notice = index.notice
    if notice:
        text, status, reason = notice, "abstained", "no_evidence"
    elif settled == "ambiguous" and (asked := engine.clarifier.options(state["reading"], index)):
        text = asked_back(state["reading"], asked)
    elif status == "abstained":
        text = " ".join((text, *_hindered(state["gaps"])))
    if not notice:
        text, status, lacking = with_missing(
            text, status, state["reading"], state["evidence"], state["draft"].missing
        )
    status = _as_computed(status, state["evidence"])
    text = with_operands(unlinked(clean(text)), state["evidence"])
    citations, unknown = cite(text, state["evidence"], state["verdict"], index.place_of)
    for marker in unknown:
        text = re.sub(rf" ?\[{marker}\]", "", text)
    gaps = [
        *dict.fromkeys(state["gaps"]),
        *notes_of(state["spans"]),
        *(f"marker [{n}] points at no evidence" for n in unknown),
        *_loosened(state, {citation.marker for citation in citations}),
    ]
    if reason is None and (lacking or gaps):
        reason = "; ".join(filter(None, (lacking, *gaps)))
    usage = usage_by_step(state["spans"], engine.prices)
    result = Answer(
        question=asked_now(state),
        standalone_question=state["standalone_question"],
        status=status,
        reason=reason,
        answer=text,
        route=state["route"],
        citations=citations if status != "abstained" else (),
        nearest=nearest(state["evidence"], index.place_of) if status == "abstained" and not notice else (),
        evidence=tuple(state["evidence"]),
        calculations=tuple(each.calculation for each in state["evidence"] if each.calculation),
        faithfulness=state["verdict"],
        gaps=tuple(gaps),
        pipeline=pipeline,
        engine=state["draft"].engine,
        usage=usage,
        seconds=seconds_by_step(state["spans"], state["turn_start"]),
        limits=limits_in_words(
            index.catalog, state["user_scope"], context.year, context.quarter, context.company
        ),
    )
    answered = [*state.get("answered", ()), result]
    following, left = next_question(state, context, answered, index, engine)
    if following:
        return {"answered": answered, **following}
    result = together(answered, state["question"], left)
    _say(result.answer)
    if context.suggest:
        result = _with_suggestions(result, state, shelf, engine)
    if (
        state["reading"].told and len(answered) == 1
    ):  # a second question about an answer is about the same one
        sources = sources_before(state["messages"]) or []
    else:
        sources = [f"{each.document}, {each.where}: “{each.quote}”" for each in result.citations]
    known = {UNDERSTOOD: result.standalone_question} | ({SOURCES: sources} if pipeline == "agent" else {})
    message = AIMessage(content=result.answer, additional_kwargs=known)
    return {"answer": result, "usage": usage, "messages": [message], "waiting": [], "answered": []}


def after_answer(state: State) -> Literal["plan", "end"]:
    """The turn's next question is put by itself."""
    return "plan" if state["answered"] else "end"


def _hindered(gaps: Sequence[str]) -> list[str]:
    """What kept an answer from being found, in sentences."""
    failed = any(" failed: " in gap for gap in gaps)
    told = ["A search failed on the way, so not everything was looked through."] if failed else []
    return told + [f"{gap[:1].upper()}{gap[1:]}." for gap in gaps if UNCOMPUTED in gap]


def _as_computed(status: Status, evidence: Sequence[Evidence]) -> Status:
    """An answer of which a figure could not be computed is partial."""
    lacks = any(each.calculation is not None and each.calculation.missing for each in evidence)
    return "partial" if status == "answered" and lacks else status


def with_operands(text: str, evidence: Sequence[Evidence]) -> str:
    """A text that cites what a calculation was made from where it cites the calculation: these are on pages."""
    ranks = {item.item_id: item.rank for item in evidence}
    operands = {
        item.rank: [ranks[each.item_id] for each in item.calculation.operands if each.item_id in ranks]
        for item in evidence
        if item.calculation
    }

    def cited(match: re.Match[str]) -> str:
        return " ".join(f"[{n}]" for n in _expanded(match[0], operands))

    return MARKER.sub(cited, text) if operands else text


def _expanded(marker: str, operands: Mapping[int, Sequence[int]]) -> list[int]:
    found = [n for rank in cited_markers(marker) for n in operands.get(rank, (rank,))]
    return list(dict.fromkeys(found))


def _say(text: str) -> None:
    """Tells whoever streams the turn the checked answer, a sentence or row at a time."""
    for line in text.split("\n"):
        for part in (line,) if line.lstrip().startswith("|") else sentences(line):
            tell(said=part)


def nearest(evidence: Sequence[Evidence], place_of: Callable[[Evidence, str], Place]) -> tuple[Citation, ...]:
    """The lines that a learned fit ranked first, where it thinks them likely enough to be of use."""
    lines = [(line, item) for item in evidence for line in item.lines if line.shown]
    lines = [each for each in lines if each[0].chance >= MIN_CHANCE_OF_USE]
    return tuple(
        _citation(item, line.text[:MAX_QUOTE_CHARS], place_of)
        for line, item in sorted(lines, key=lambda each: -each[0].share)
    )


def _citation(item: Evidence, quote: str, place_of: Callable[[Evidence, str], Place]) -> Citation:
    page, place = place_of(item, quote)
    return Citation(
        marker=item.rank, source=item.source, document=item.document, page=page, place=place, quote=quote
    )


def _loosened(state: State, cited: set[int]) -> list[str]:
    """What a reader must know of an answer whose every citation is of another period than the one asked for."""
    asked = state["reading"].scope
    used = [item for item in state["evidence"] if item.rank in cited]
    if not (used and asked.periods and state["widened"]) or state["scope"].periods == asked.periods:
        return []
    if any(item.is_within(asked) for item in used):
        return []
    period = next(filter(None, (period.describe() for period in asked.periods)), "the period asked for")
    return [f"nothing was found for the {period}: what is cited is of other periods of its year"]


def _with_suggestions(result: Answer, state: State, shelf: Shelf, engine: Engine) -> Answer:
    """The answer with next questions; an index that can't be searched for them costs them alone, and is a gap."""
    before = [str(message.text) for message in state["messages"] if isinstance(message, HumanMessage)]
    found: dict[str, Any] = {}
    try:
        index = shelf.get(state["generation"])
        suggest, turns = engine.suggester.suggest, partial(_turns, state)
        named = suggest(result, index, state["user_scope"], before, turns, lambda: False)
        found["suggestions"] = tuple(each.question for each in named)
        if any(each.why for each in named):
            found["why_suggested"] = tuple(each.why for each in named)
    except SEARCH_FAILURES as error:
        found["gaps"] = (*result.gaps, f"no next questions: {type(error).__name__}: {error}")
    return result.model_copy(
        update={**found, "seconds": seconds_by_step(state["spans"], state["turn_start"])}
    )


def _turns(state: State) -> list[tuple[str, float]]:
    """The turns before this one as they were understood; a conversation does not keep their times, so that all are of
    now."""
    now = time.time()
    known = (message.additional_kwargs.get(UNDERSTOOD) for message in state["messages"])
    return [(str(question), now) for question in known if question]


def _settle(state: State, *, checked: bool) -> tuple[str, Status, ReasonCode | None]:
    draft, verdict = state["draft"], state["verdict"]
    if draft.abstained == "about_index":
        return draft.detail, "answered", None
    if draft.abstained is not None and state["reading"].told_otherwise:
        return state["reading"].told_otherwise, "answered", None
    if draft.abstained is not None:
        return draft.detail[:1].upper() + draft.detail[1:], "abstained", draft.abstained
    if not draft.text.strip() or (checked and not verdict.statements):
        return _refusal(state), "abstained", "unsupported"
    bad = list(dict.fromkeys(s.text for s in verdict.statements if not s.supported))
    if not bad:
        return draft.text, "answered", None
    text = trim(draft.text, bad)
    if text is None or not any(s.supported for s in verdict.statements):
        return _refusal(state), "abstained", "unsupported"
    return text, "partial", None


def trim(text: str, unsupported: list[str]) -> str | None:
    """`text` without the unsupported statements, wherever and however often they stand; None if one can't be located
    or nothing citable is left."""
    bad = {_words(statement) for statement in unsupported}
    if not bad <= {_words(claim.text) for claim in read_claims(text, heads=True)}:
        return None
    text = keep_lines(text, lambda claim: _words(claim.text) not in bad)
    return text if MARKER.search(text) else None


def _words(statement: str) -> str:
    return without_markers(statement).strip(" .|")


def _refusal(state: State) -> str:
    looked = (
        ", ".join((*state["reading"].metrics, *state["reading"].entities)) or state["standalone_question"]
    )
    return f"The documents do not support an answer. Looked for: {looked}."


def cite(
    text: str, evidence: list[Evidence], verdict: Verdict, place_of: Callable[[Evidence, str], Place]
) -> tuple[tuple[Citation, ...], tuple[int, ...]]:
    """Markers of `text` resolved to places, in order of first use, and those that point at nothing.

    `place_of` says where a quotation from a piece of evidence begins.
    """
    by_rank = {item.rank: item for item in evidence}
    used = cited_markers(text)
    known = [_citation(by_rank[n], _quote(by_rank[n], n, verdict), place_of) for n in used if n in by_rank]
    return tuple(known), tuple(n for n in used if n not in by_rank)


def _quote(item: Evidence, rank: int, verdict: Verdict) -> str:
    """The whole text of a short piece; of a long one, the part that the statement quotes."""
    if len(item.text) <= MAX_QUOTE_CHARS:
        return item.text
    for statement in verdict.statements:
        if rank in statement.evidence:
            for quoted in re.findall(r"[\"“]([^\"”]{20,})[\"”]", statement.text):
                at = item.text.find(quoted[:40])
                if at >= 0:
                    end = at + (len(quoted) if item.text.startswith(quoted, at) else MAX_QUOTE_CHARS)
                    return item.text[at:end]
    return item.text[:MAX_QUOTE_CHARS].rsplit(" ", 1)[0] + " ..."
