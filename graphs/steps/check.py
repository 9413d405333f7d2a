"""check: the draft's faithfulness, before anybody sees it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any, Literal

from graphs.contracts import Verdict
from graphs.engine import Engine
from graphs.state import Context, State
from graphs.steps.timing import overdue
from tools.periods import PeriodFilter
from tools.scope import Scope

MAX_DRAFTS = 3


def check(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """Statement by statement; a draft that abstains has nothing to check."""
    draft = state["draft"]
    if draft.abstained is not None:
        return {"verdict": Verdict(statements=(), score=None)}
    return {"verdict": engine.checker.check(state["reading"], draft, state["evidence"])}


def after_check(state: State, context: Context) -> Literal["answer", "revise", "widen"]:
    """Answer what is supported; send back once what is not; widen once when nothing holds."""
    draft, score = state["draft"], state["verdict"].score
    reading = state["reading"]
    late = overdue(state, context)
    may_widen = (
        context.widen
        and not (reading.out_of_scope or late or state["widened"])
        and state["drafts"] < MAX_DRAFTS
    )
    if draft.abstained is not None:
        return "widen" if may_widen and draft.abstained in ("no_evidence", "unsupported") else "answer"
    if late or (score is not None and score >= context.threshold):
        return "answer"
    if not state["revised"] and state["drafts"] < MAX_DRAFTS:
        return "revise"
    return "widen" if may_widen and not score else "answer"


def widen(state: State, context: Context) -> dict[str, Any]:
    """The paper's fallback: both tools, larger k. A period read from the question loosens to its year;
    a company, or any filter the user set, never does."""
    scope = state["scope"]
    if not state["user_scope"].periods:
        scope = replace(scope, periods=_by_year(scope))
    return {"widened": True, "scope": scope}


def _by_year(scope: Scope) -> tuple[PeriodFilter, ...]:
    years: dict[PeriodFilter, None] = {}
    for period in scope.periods:
        if isinstance(period.end, date):
            years[PeriodFilter(calendar_year=period.end.year)] = None
        elif period.fiscal_year is not None:
            years[PeriodFilter(fiscal_year=period.fiscal_year)] = None
        elif period.calendar_year is not None:
            years[PeriodFilter(calendar_year=period.calendar_year)] = None
        else:
            years[period] = None
    return tuple(years)
