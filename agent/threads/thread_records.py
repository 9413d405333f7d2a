"""Chat threads as everything but the disk knows them: records, names and what can be wrong with them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graphs.contracts import Answer, Clarification
from tools.store.errors import UserStoreError

NAME_CHARS = 100


class ThreadsUnusableError(UserStoreError):
    """What keeps the threads can't be read or written. A question that is under way stays, to be gone on with."""

    def __init__(self, place: str, why: str, mended: str, code: str = "") -> None:
        """`place`: as a message has it; `code`: a database's own for the reason."""
        self.code = code
        super().__init__(f"The chat threads {place} can't be used: {why}. {mended}")


class ThreadDamagedError(UserStoreError):
    """A thread's record can't be read; the other threads can."""

    def __init__(self, name: str, what: str) -> None:
        """`what` of it: 'turn 3'."""
        super().__init__(
            f"The thread '{name}' is damaged: {what} can't be read. The other threads are not touched by this. "
            f"Use another thread, or run: hybridrag threads delete '{name}'"
        )


class TurnStoppedError(UserStoreError):
    """Another page or process has had the question stopped."""

    def __init__(self) -> None:
        super().__init__("The question was stopped from elsewhere and is dropped; the thread goes on.")


class UnknownThreadError(UserStoreError):
    """No thread has this name."""

    def __init__(self, name: str, known: list[str]) -> None:
        listed = ", ".join(f"'{other}'" for other in known[:8]) or "none yet"
        super().__init__(f"No thread '{name}'. Threads: {listed}.")


class ThreadNameError(UserStoreError):
    """A name that no thread can have."""


class ThreadExistsError(UserStoreError):
    """Another thread has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is a thread '{name}' already. Choose another name, or delete it first.")


@dataclass(frozen=True, slots=True)
class Thread:
    """A conversation."""

    id: str
    """A UUID."""
    name: str
    """Unique among the threads of one home or database."""
    created: datetime
    used: datetime
    """When its last turn began or ended."""
    turns: int
    """Finished ones."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer."""

    number: int
    """From 1."""
    asked_at: datetime
    question: str
    """As typed."""
    answer: Answer


def understood(turns: Sequence[Turn]) -> list[tuple[str, float]]:
    """The questions of turns as they were understood, with their times in Unix seconds."""
    return [(turn.answer.standalone_question, turn.asked_at.timestamp()) for turn in turns]


@dataclass(frozen=True, slots=True)
class Begun:
    """A turn that has no answer yet."""

    message_id: str
    """Of the user's message in the conversation."""
    question: str
    asked_at: str
    pipeline: str
    company: str | None
    year: int | None
    quarter: int | None
    clarify: bool
    doc_type: str | None = None
    document: str | None = None
    stop: bool = False
    """Somebody wants it ended after the step in hand."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What has become of a turn that has no answer yet, read at one time."""

    begun: Begun | None
    running: bool
    """It is being answered, here or in another process."""
    pending: Clarification | None
    """What was asked back and waits for a reply."""

    @property
    def unfinished(self) -> str | None:
        """The question whose answer was cut off by a kill."""
        cut_off = self.begun is not None and not self.running and self.pending is None
        return self.begun.question if self.begun is not None and cut_off else None


def checked_name(name: str) -> str:
    """A thread's name without surrounding blanks. Raises ThreadNameError."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name:
        raise ThreadNameError("A thread's name can't be empty.")
    if len(name) > NAME_CHARS:
        raise ThreadNameError(
            f"A thread's name has at most {NAME_CHARS} characters; this one has {len(name):,}."
        )
    if not name.isprintable():
        raise ThreadNameError("A thread's name can't hold control characters or line breaks.")
    return name
