"""condense: validate the turn, choose the index, make the question stand alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from graphs.contracts import Verdict
from graphs.resources import Engine, Shelf
from graphs.state import Context, InputError, State
from tools.documents.text import clean

MAX_KEPT = 4000
"""Characters of a question that are kept and shown; a longer one is refused as a paste."""


def kept(question: str) -> str:
    """A question as it is stored, shown and handed to tools."""
    return question if len(question) <= MAX_KEPT else f"{question[:MAX_KEPT]} ..."


def condense(state: State, context: Context, *, shelf: Shelf, engine: Engine) -> dict[str, Any]:
    """Start a turn: the last user message becomes a standalone question; working state is cleared.

    A long paste stays in the conversation as it is kept, and turns beyond `context.kept_turns` leave it.
    Raises InputError if the last message is not the user's or says nothing, and the store's errors.
    """
    turn_start = time.monotonic()
    messages = state.get("messages") or []
    if not messages or not isinstance(messages[-1], HumanMessage):
        raise InputError('No question. Give {"messages": [{"role": "user", "content": "..."}]}.')
    question = clean(_text(messages[-1])).strip()
    if not question:
        raise InputError("The question is empty. Ask, for instance: What was net income?")
    index = shelf.current()
    changed = [*_shortened(messages[-1], question), *_forgotten(messages, context.kept_turns)]
    return {
        **({"messages": changed} if changed else {}),
        "question": kept(question),
        "standalone_question": engine.condenser(index.catalog).condense(question, _history(messages[:-1])),
        "generation": index.number,
        "lookups": [RemoveMessage(id=REMOVE_ALL_MESSAGES)],
        "evidence": [],
        "drafts": 0,
        "widened": False,
        "revised": False,
        "gaps": [],
        "verdict": Verdict(statements=(), score=None),
        "turn_start": turn_start,
    }


def _shortened(message: AnyMessage, question: str) -> list[AnyMessage]:
    return [HumanMessage(kept(question), id=message.id)] if len(_text(message)) > MAX_KEPT else []


def _forgotten(messages: Sequence[AnyMessage], turns: int | None) -> list[RemoveMessage]:
    """Removals of what was said before the last `turns` questions, this one included."""
    starts = [i for i, message in enumerate(messages) if isinstance(message, HumanMessage)]
    if turns is None or len(starts) <= turns:
        return []
    return [RemoveMessage(id=str(message.id)) for message in messages[: starts[-turns]]]


def _history(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    turns: list[tuple[str, str]] = []
    for message in messages:
        if isinstance(message, HumanMessage):
            turns.append((_text(message)[:MAX_KEPT], ""))
        elif isinstance(message, AIMessage) and turns:
            turns[-1] = (turns[-1][0], _text(message))
    return turns


def _text(message: AnyMessage) -> str:
    return str(message.text)
