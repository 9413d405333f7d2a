"""Reading the question within the user's own filters."""

from __future__ import annotations

from graphs.contracts import Reading
from graphs.engine import Engine
from graphs.index import Index
from graphs.state import Context
from graphs.steps.condense import kept
from graphs.steps.filters import scope_from_filters
from tools.scope import Scope


def read_within(question: str, context: Context, index: Index, engine: Engine) -> tuple[Reading, Scope]:
    """The question read against the index, and the user's filters; a paste is shortened to what is kept."""
    user_scope = scope_from_filters(
        index.catalog, context.company, context.year, context.quarter, context.doc_type, context.document
    )
    reading = engine.reader.read(question, index, user_scope)
    shown = {"question": kept(reading.question)}
    return reading.model_copy(update=shown), user_scope
