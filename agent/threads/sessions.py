"""Chat sessions: threads that can be left, resumed and shared by processes.

A turn is noted before it begins, checkpointed after every step, and acknowledged (its `Answer` handed out) only when
it is on disk. A process killed in between leaves a thread that goes on where it was.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import Command, Interrupt, StateSnapshot

from agent.errors import USER_MISTAKES, UsageError
from agent.threads.thread_places import threads_of
from agent.threads.thread_records import (
    Begun,
    Standing,
    Thread,
    ThreadExistsError,
    ThreadsUnusableError,
    Turn,
    TurnStoppedError,
)
from agent.threads.turn_parts import PROGRESS, Event, Filters, Step
from graphs.contracts import Answer, Clarification
from graphs.steps.condense import TURN_FIELDS, kept
from tools.closing import Closing
from tools.documents.text.cleaning import clean
from tools.store.errors import UserStoreError
from tools.store.postgres.errors import DatabaseError

if TYPE_CHECKING:
    from agent.assistant import Assistant
    from graphs.compiling import Compiled

KEPT_TURNS = 12
"""Turns of a conversation that a step carries along; all of them are kept apart."""
POLL_SECONDS = 0.1


class ThreadBusyError(UserStoreError):
    """Another process is in the middle of a turn on this thread."""

    def __init__(self, name: str, holder: str = "") -> None:
        """`holder`: the process, where that can be told."""
        who = f"Another process ({holder})" if holder else "Another process"
        super().__init__(
            f"{who} is answering on the thread '{name}'. Wait until it is done, or use another thread."
        )


class Sessions(Closing):
    """The conversations of one assistant: of its home, or of the database that it asks. A context manager."""

    def __init__(self, assistant: Assistant) -> None:
        self.assistant = assistant
        self.store = threads_of(assistant.settings)
        self._graphs: dict[tuple[str, int], Compiled] = {}
        self._building = threading.Lock()
        """Chats of one process begin at once; LangChain's tools are not made in two threads."""

    def threads(self) -> list[Thread]:
        """All threads, the one used last first. Raises ThreadsUnusableError."""
        return self.store.threads()

    def open(self, name: str | None = None) -> Session:
        """The thread of that name, made if there is none; None: a new one with a free name, made at its first
        question. Raises ThreadNameError, ThreadsUnusableError."""
        if name is None:
            return Session(self, self.store.make())
        try:
            return Session(self, self.store.find(name) or self.store.make(name))
        except ThreadExistsError:  # another process made it meanwhile
            return Session(self, self.store.named(name))

    def rename(self, name: str, new: str) -> None:
        """Raises UnknownThreadError, ThreadNameError, ThreadExistsError."""
        self.store.rename(self.store.named(name).id, new)

    def delete(self, name: str) -> None:
        """Its turns and checkpoints. Raises UnknownThreadError, and ThreadBusyError while it is answering."""
        thread = self.store.named(name)
        with self.held(thread, seconds=0):
            self.store.delete(thread.id)

    def close(self) -> None:
        """Let go of what keeps the threads; the assistant stays open."""
        self._graphs.clear()
        self.store.close()

    def graph(self, pipeline: str) -> Compiled:
        """The pipeline's graph over this home's checkpoints."""
        saver = self.store.saver
        key = (pipeline, id(saver))
        with self._building:
            if key not in self._graphs:
                self._graphs = {kept: graph for kept, graph in self._graphs.items() if kept[1] == id(saver)}
                self._graphs[key] = self.assistant.build(pipeline, saver)
            return self._graphs[key]

    @contextmanager
    def held(self, thread: Thread, seconds: float) -> Iterator[None]:
        """The thread's lock, waited for. Raises ThreadBusyError."""
        end = time.monotonic() + seconds
        while (lock := self.store.try_hold(thread.id)) is None:
            if time.monotonic() >= end:
                raise ThreadBusyError(thread.name, self.store.holder(thread.id) or "")
            time.sleep(POLL_SECONDS)
        try:
            yield
        finally:
            lock.release()

    def is_busy(self, thread: Thread) -> bool:
        """Is a turn on its way, here or in another process?"""
        return self.store.holder(thread.id) is not None


class Session:
    """One conversation. Turns of several processes on one thread follow one another."""

    def __init__(self, sessions: Sessions, thread: Thread) -> None:
        self._sessions, self._thread = sessions, thread
        self._store = sessions.store

    @property
    def thread(self) -> Thread:
        """As it is now."""
        self._thread = self._store.get(self._thread.id) or self._thread
        return self._thread

    def turns(self, last: int | None = None) -> list[Turn]:
        """Acknowledged turns, oldest first; `last`: only so many of the newest."""
        return self._store.turns(self._thread.id, last)

    def last(self) -> Turn | None:
        """The newest acknowledged turn."""
        return next(iter(self._store.turns(self._thread.id, last=1)), None)

    def unfinished(self) -> str | None:
        """The question whose answer was cut off by a kill; None if there is none, or if it is being answered."""
        return self.standing().unfinished

    def standing(self, *, running: bool = False) -> Standing:
        """How the turn stands that has no answer yet; `running`: that it is being answered is known already."""
        begun = self.begun()
        if begun is None:
            return Standing(None, running, None)
        running = running or self._sessions.is_busy(self._thread)
        return Standing(begun, running, None if running else self._pending(begun))

    def begun(self) -> Begun | None:
        """The turn that has no answer yet."""
        return self._store.begun(self._thread.id)

    def is_answered_elsewhere(self) -> bool:
        """Whether a turn is on its way, as other processes and other objects than this one see it."""
        return self._store.begun(self._thread.id) is not None and self._sessions.is_busy(self._thread)

    def stop_elsewhere(self) -> bool:
        """Have that turn end after the step in hand; whether there is one."""
        return self._sessions.is_busy(self._thread) and self._store.ask_to_stop(self._thread.id)

    def pending(self) -> Clarification | None:
        """What the thread has asked back and waits for."""
        begun = self.begun()
        return None if begun is None else self._pending(begun)

    def _pending(self, begun: Begun) -> Clarification | None:
        state = self._sessions.graph(begun.pipeline).get_state(self._config)
        return _asked_back(tuple(interrupt for task in state.tasks for interrupt in task.interrupts))

    def ask(
        self, question: str, filters: Filters | None = None, pipeline: str = "agent", clarify: bool = True
    ) -> Generator[Event, None, None]:
        """One turn. A turn left unfinished before is given up.

        Raises the errors of `Assistant.ask`, ThreadBusyError and ThreadsUnusableError; the session stays usable.
        """
        filters = filters or Filters()
        begun = Begun(
            message_id=str(uuid.uuid4()),
            question=question,
            asked_at=datetime.now(UTC).isoformat(),
            pipeline=pipeline,
            clarify=clarify,
            **asdict(filters),
        )
        self._sessions.assistant.shelf.current()  # without an index nothing is begun
        with self._held():
            self._store.restore(self._thread)
            self._store.begin(self._thread.id, begun)
            yield from self._run(begun, _message(begun))

    def reply(self, text: str) -> Generator[Event, None, None]:
        """Answer what the thread has asked back, with the filters the question had; another question takes the place
        of the one that was open. Raises as `ask`, and UsageError when nothing was asked back."""
        with self._held():
            if self.pending() is None:
                raise UsageError("Nothing was asked back: ask a question.")
            begun = self._store.begun(self._thread.id)
            assert begun is not None
            yield from self._run(begun, Command(resume=text))

    def resume(self) -> Generator[Event, None, None]:
        """Go on with a turn that a kill cut off: at most one step is done twice; one that a version with other steps
        began is begun again. Raises as `ask`, and UsageError when there is none."""
        with self._held():
            begun = self._store.begun(self._thread.id)
            if begun is None:
                raise UsageError("There is no unfinished question: ask one.")
            state = self._sessions.graph(begun.pipeline).get_state(self._config)
            messages = state.values.get("messages", [])
            at = next((i for i, m in enumerate(messages) if m.id == begun.message_id), None)
            if at is not None and not (state.next or state.tasks) and isinstance(messages[-1], AIMessage):
                yield self._finished(begun, state.values["answer"])
            elif at is not None and _can_go_on(state):
                yield from self._run(begun, None)
            else:  # killed before the first checkpoint, or by a version with other steps
                yield from self._run(begun, _message(begun))

    def drop(self) -> None:
        """Give up the turn that is unfinished or waits for a reply."""
        self._store.drop(self._thread.id)

    @property
    def _config(self) -> Any:
        return {"configurable": {"thread_id": self._thread.id}}

    def _held(self) -> Any:
        return self._sessions.held(self._thread, self._sessions.assistant.settings.deadline)

    def _run(self, begun: Begun, given: Any) -> Generator[Event, None, None]:
        if begun.stop:  # it was asked for after the last step that heeds it; whoever goes on wants an answer
            begun = replace(begun, stop=False)
            self._store.begin(self._thread.id, begun)
        assistant = self._sessions.assistant
        graph = self._sessions.graph(begun.pipeline)
        context = assistant.context(
            begun.company,
            begun.year,
            begun.quarter,
            begun.doc_type,
            begun.document,
            clarify=begun.clarify,
            kept_turns=KEPT_TURNS,
        )
        updates = graph.stream(
            given,
            config=self._config,
            context=context,
            stream_mode="updates",
            output_keys=[*graph.output_channels, *PROGRESS],
            durability="sync",
        )
        answer: Answer | None = None
        try:
            for update in updates:
                for step, fields in update.items():
                    if step == "__interrupt__":
                        asked = _asked_back(fields)
                        assert asked is not None
                        yield asked
                        return
                    answer = (fields or {}).get("answer", answer)
                    yield Step(step, fields or {})
                if answer is None:
                    self._check_wanted(begun)
        except self._store.failures as error:
            raise self._store.unusable(str(error)) from error
        except (ThreadsUnusableError, DatabaseError):  # what is kept is there again in a moment
            raise
        except USER_MISTAKES:
            self.drop()
            raise
        assert answer is not None
        yield self._finished(begun, answer)

    def _check_wanted(self, begun: Begun) -> None:
        """Raises TurnStoppedError."""
        now = self._store.begun(self._thread.id)
        if now is None or now.stop or now.message_id != begun.message_id:
            raise TurnStoppedError

    def _finished(self, begun: Begun, answer: Answer) -> Answer:
        if kept(clean(begun.question).strip()) != answer.question:  # asked in place of a reply
            begun = replace(begun, question=answer.question)
        self._store.end(self._thread.id, begun, answer)
        self._store.prune(self._thread.id)
        return answer


def _message(begun: Begun) -> dict[str, Any]:
    return {"messages": [HumanMessage(content=begun.question, id=begun.message_id)]}


def _can_go_on(state: StateSnapshot) -> bool:
    """Can this version go on from a checkpoint: does it stand before the first step, or hold all that this sets?"""
    return "condense" in state.next or (
        bool(state.next or state.tasks) and state.values.keys() >= TURN_FIELDS
    )


def _asked_back(interrupts: tuple[Interrupt, ...]) -> Clarification | None:
    return Clarification.model_validate(interrupts[0].value) if interrupts else None
