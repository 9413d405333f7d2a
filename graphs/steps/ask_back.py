"""Asking back, once, before anything is searched: LangGraph's interrupt."""

from __future__ import annotations

from langchain_core.messages import HumanMessage
from langgraph.types import interrupt

from graphs.contracts import Reading
from graphs.engine import Engine
from graphs.index import Index, Shelf
from graphs.state import Context, State
from graphs.steps.read import read_within
from tools.documents.text.cleaning import clean, squeeze
from tools.scope import Scope


def asked_back(
    reading: Reading,
    user_scope: Scope,
    state: State,
    context: Context,
    shelf: Shelf,
    index: Index,
    engine: Engine,
) -> tuple[Reading, Scope, Index, str]:
    """The question as the user means it, asked back where several companies fit or a label means two quarters; the
    same where the reply does not settle it. And the index to answer from, which another process may have replaced
    meanwhile; and the reply where it is a question of its own, which is then to be asked instead ('' where it is none).

    Its node runs again from the start when the reply is there: nothing before it is paid for.
    """
    turns = [str(each.text) for each in state["messages"][:-1] if isinstance(each, HumanMessage)]
    left_open = engine.clarifier.left_open(
        reading, index, turns, lambda question: read_within(question, context, index, engine)[0]
    )
    if left_open is None:
        return reading, user_scope, index, ""
    reply = squeeze(clean(str(interrupt(left_open.asked.model_dump())))).strip()
    index = shelf.current()
    settled = left_open.settled(reply, index.catalog)
    if settled and settled == reply:
        return reading, user_scope, index, reply
    return *read_within(settled or reading.question, context, index, engine), index, ""
