"""generate and revise: drafts from the evidence alone."""

from __future__ import annotations

from typing import Any

from graphs.engine import Engine
from graphs.state import Context, State


def generate(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """A first draft, or one from what was found besides."""
    draft = engine.answerer.draft(state["reading"], state["evidence"])
    return {"draft": draft, "drafts": state["drafts"] + 1}


def revise(state: State, context: Context, *, engine: Engine) -> dict[str, Any]:
    """A draft with the unsupported statements mended or left out."""
    draft = engine.answerer.revise(state["reading"], state["evidence"], state["draft"], state["verdict"])
    return {"draft": draft, "drafts": state["drafts"] + 1, "revised": True}
