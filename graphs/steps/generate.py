"""generate and revise: drafts from the evidence alone."""

from __future__ import annotations

from typing import Any

from graphs.engine import Engine
from graphs.state import Context, State
from tools.model.turn import current_turn


def generate(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """A first draft, or one from the widened evidence. After a draft and its revision of which nothing was supported,
    it is the fallback's, if there is one: a third in the same words would fail the same way."""
    answerer = engine.answerer
    if state["revised"] and engine.fallback is not None:
        answerer = engine.fallback
        current_turn().note("generate: nothing of two drafts was supported; the local engine's was used")
    draft = answerer.draft(state["reading"], state["evidence"])
    return {"draft": draft, "drafts": state["drafts"] + 1}


def revise(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """A draft with the unsupported statements mended or left out."""
    draft = engine.answerer.revise(state["reading"], state["evidence"], state["draft"], state["verdict"])
    return {"draft": draft, "drafts": state["drafts"] + 1, "revised": True}
