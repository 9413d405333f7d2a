"""condense: validate the turn, choose the index, make the question stand alone."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES

from graphs.contracts import Verdict
from graphs.engine import Engine
from graphs.index import Index, Shelf
from graphs.input_error import InputError
from graphs.protocols import Condenser
from graphs.state import Context, State
from graphs.steps.filters import scope_from_filters
from tools.documents.text.cleaning import clean
from tools.scope import Scope

MAX_KEPT_CHARS = 4000
"""Characters of a question that are kept and shown; a longer one is refused as a paste."""
MAX_TURNS = 8
"""Earlier turns handed to the condenser, however long the conversation is."""
UNDERSTOOD = "standalone_question"
"""Where an answer's message keeps the question that it answers, follow-ups resolved."""
SOURCES = "sources"
"""Where it keeps what it cites, a line each."""


def kept(question: str) -> str:
    """A question as it is stored, shown and handed to tools."""
    return question if len(question) <= MAX_KEPT_CHARS else f"{question[:MAX_KEPT_CHARS]} ..."


_CLEARED = {"drafts": 0, "plans": 0, "widened": False, "settled": False, "revised": False}
TURN_FIELDS = {*_CLEARED, "waiting", "passed", "answered"}
"""What every turn has once it began."""


def condense(
    state: State, context: Context, *, shelf: Shelf, engine: Engine, apart: bool = False
) -> dict[str, Any]:
    """Start a turn: the last user message becomes a standalone question; working state is cleared. `apart`: the
    questions that it asks wait, if they are several.

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
        **begun(question, messages[:-1], index, engine, context, apart=apart),
        **cleared(),
        "turn_start": turn_start,
    }


def begun(
    question: str,
    messages: Sequence[AnyMessage],
    index: Index,
    engine: Engine,
    context: Context,
    *,
    apart: bool,
) -> State:
    """What a turn is about: the question with what it leaves to the `messages` before it put in, and, with `apart`,
    those that it is made of where they are several. Each of these is put by itself at once where none of them leans on
    another: together they would be taken for one."""
    condenser = engine.condenser(index.catalog, index.known_names)
    before = history(messages)
    first, *others = condenser.apart(question) if apart else (question,)
    alone = bool(others and index.catalog.link(first)) and all(
        index.catalog.link(each) and condenser.condense(each, [(first, "")]) == each for each in others
    )
    first_asked = first if alone else question
    understood = condenser.condense(first_asked, before)
    if not before and understood == first_asked:
        understood = _about_filters(first_asked, condenser, index, context)
    elif understood != first_asked:
        understood = _within_filters(first_asked, understood, index, engine, context)
    return {
        "question": kept(question),
        "standalone_question": understood,
        "generation": index.number,
        "waiting": others if alone else [first, *others] if others else [],
        "passed": [(first, understood)] if alone else [],
        "answered": [],
    }


def _about_filters(question: str, condenser: Condenser, index: Index, context: Context) -> str:
    """A first question with the one company that the user's filters leave in place of its 'it'; as it is where it has
    none: the filters bind it all the same. Raises as `scope_from_filters` does."""
    scope = scope_from_filters(
        index.catalog, context.company, context.year, context.quarter, context.doc_type, context.document
    )
    for key in scope.companies[:1]:
        understood = condenser.condense(question, [(f"What does {index.catalog.name(key)} say?", "")])
        if not understood.startswith(question.rstrip(" ?.!")):
            return understood
    return question


def _within_filters(asked: str, understood: str, index: Index, engine: Engine, context: Context) -> str:
    """A follow-up with the company and the period that the user's filters leave in place of those that it took over
    from the questions before; what it names itself stays. Raises as `scope_from_filters` does."""
    scope = scope_from_filters(
        index.catalog, context.company, context.year, context.quarter, context.doc_type, context.document
    )
    if not (scope.companies or scope.periods):
        return understood
    condenser = engine.condenser(index.catalog, index.known_names)
    own = engine.reader.read(asked, index, Scope())
    taken = engine.reader.read(understood, index, Scope())
    if len(scope.companies) == 1 and not own.companies and {*taken.companies} - {*scope.companies}:
        name = index.catalog.name(scope.companies[0])
        understood = condenser.condense(f"What about {name}?", [(understood, "")])
    if len(scope.periods) == 1 and not own.scope.periods and taken.scope.periods:
        understood = condenser.condense(f"And in {scope.periods[0].describe()}?", [(understood, "")])
    return understood


def cleared() -> dict[str, Any]:
    """What is begun anew with each question."""
    return {
        "lookups": [RemoveMessage(id=REMOVE_ALL_MESSAGES)],
        "evidence": [],
        **_CLEARED,
        "gaps": [],
        "verdict": Verdict(statements=(), score=None),
    }


def _shortened(message: AnyMessage, question: str) -> list[AnyMessage]:
    return [HumanMessage(kept(question), id=message.id)] if len(_text(message)) > MAX_KEPT_CHARS else []


def _forgotten(messages: Sequence[AnyMessage], turns: int | None) -> list[RemoveMessage]:
    """Removals of what was said before the last `turns` questions, this one included."""
    starts = [i for i, message in enumerate(messages) if isinstance(message, HumanMessage)]
    if turns is None or len(starts) <= turns:
        return []
    return [RemoveMessage(id=str(message.id)) for message in messages[: starts[-turns]]]


def history(messages: Sequence[AnyMessage]) -> list[tuple[str, str]]:
    """The last turns, oldest first, each question as it was understood: what is further back is not looked at,
    since a follow-up of a follow-up stands alone by then."""
    turns: list[tuple[str, str]] = []
    answer: AIMessage | None = None
    for message in reversed(messages):
        if isinstance(message, AIMessage):
            answer = answer or message
        elif isinstance(message, HumanMessage):
            understood = answer.additional_kwargs.get(UNDERSTOOD) if answer is not None else None
            asked = understood if isinstance(understood, str) else _text(message)
            turns.append((asked[:MAX_KEPT_CHARS], _text(answer) if answer is not None else ""))
            answer = None
            if len(turns) == MAX_TURNS:
                break
    return turns[::-1]


def sources_before(messages: Sequence[AnyMessage]) -> list[str] | None:
    """What the answer before the last question cites, a line each; None where there is none."""
    last = next((m for m in reversed(messages) if isinstance(m, AIMessage)), None)
    if last is None or not isinstance(cited := last.additional_kwargs.get(SOURCES), list):
        return None
    return list(map(str, cited))


def cited_before(messages: Sequence[AnyMessage]) -> list[tuple[str, list[str]]]:
    """The last questions as they were understood, the latest first, each with what its answer cites."""
    answers = [message for message in reversed(messages) if isinstance(message, AIMessage)][:MAX_TURNS]
    return [
        (str(each.additional_kwargs.get(UNDERSTOOD, "")), sources_before([each]) or []) for each in answers
    ]


def _text(message: AnyMessage) -> str:
    return str(message.text)
