"""How a step asks the model and what it does where no usable reply comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from prompts.loading import load
from tools.model.turn import current_turn
from tools.model.types import Message, ModelError

Result = TypeVar("Result")


def with_local_fallback(step: str, ask: Callable[[], Result], local: Callable[[], Result]) -> Result:
    """What `ask` gives, else what the local engine gives, with a note that says why.

    An endpoint found down is not asked again for this question.
    """
    turn = current_turn()
    if turn.down:
        return local()
    try:
        return ask()
    except ModelError as error:
        why = str(error).strip().rstrip(".") or type(error).__name__
        if error.down:
            turn.down = why
        turn.note(f"{step}: {why}; the local engine's was used" + (" from here on" if error.down else ""))
        return local()


def prompt(name: str, **values: str) -> tuple[Message, ...]:
    """The messages of a prompt, filled in."""
    return tuple(Message(role, text) for role, text in load(name).messages(**values))
