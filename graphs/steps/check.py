"""check: the draft's faithfulness, before anybody sees it."""

from __future__ import annotations

from typing import Any, Literal

from graphs.contracts import Verdict
from graphs.engine import Engine
from graphs.state import Context, State
from graphs.steps.timing import overdue

MAX_DRAFTS = 3
MAX_PLANS = 3


def check(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """Statement by statement; a draft that abstains has nothing to check, one for which more is looked up first will
    be written anew."""
    draft = state["draft"]
    if draft.abstained is not None or leaves_open(state, context):
        return {"verdict": Verdict(statements=(), score=None)}
    before = state["verdict"] if state["revised"] else None
    return {"verdict": engine.checker.check(state["reading"], draft, state["evidence"], before)}


def leaves_open(state: State, context: Context) -> bool:
    """Whether a draft says what it lacks, and that may still be looked up."""
    return bool(
        state["draft"].missing
        and state["plan"].calls
        and context.widen
        and state["plans"] < MAX_PLANS
        and state["drafts"] < MAX_DRAFTS
        and not (state["settled"] or state["revised"] or overdue(state, context))
    )


def after_check(state: State, context: Context) -> Literal["answer", "revise", "plan"]:
    """Answer what is supported; send back once what is not; look further for what a draft lacks, and once with both
    tools when nothing holds; after a description that was found first for the question as it was asked, too."""
    if leaves_open(state, context):
        return "plan"
    draft, score = state["draft"], state["verdict"].score
    reading = state["reading"]
    late = overdue(state, context)
    may_widen = (
        context.widen
        and not (reading.out_of_scope or reading.of_companies or late or state["plan"].calls)
        and (not state["widened"] or reading.hops)
        and state["drafts"] < MAX_DRAFTS
    )
    if draft.abstained is not None:
        return "plan" if may_widen and draft.abstained in ("no_evidence", "unsupported") else "answer"
    if late or (score is not None and score >= context.threshold):
        return "answer"
    if not state["revised"] and state["drafts"] < MAX_DRAFTS:
        return "revise"
    return "plan" if may_widen and not score else "answer"
