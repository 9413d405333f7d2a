"""Turns on their way: each runs in a thread of its own, whatever becomes of the page that asked, and any number of
pages may follow it from its beginning."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Generator
from contextlib import closing, suppress

from starlette.concurrency import run_in_threadpool

from agent.chat.progress import BEGIN, WAIT, Progress, same_question
from agent.display.render import places_words
from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from agent.threads.sessions import Session, Sessions
from agent.threads.thread_records import Thread, TurnStoppedError
from agent.threads.turn_parts import Event, Step
from agent.web.line_channel import LineChannel
from agent.web.records import asked_back_record, turn_record
from graphs.contracts import Answer, Clarification

log = logging.getLogger(__name__)


class TurnUnderWayError(UsageError):
    """Another page has asked on this thread and has no answer yet."""

    def __init__(self) -> None:
        super().__init__("This thread is answering a question. Wait until it is done, or stop it.")


class Turn:
    """One question, from the moment it is asked; what it tells is kept for whoever follows later."""

    def __init__(self, session: Session, question: str) -> None:
        self.session, self.question = session, question
        self.channel = LineChannel()
        self.tell = self.channel.tell
        self.stopped = threading.Event()
        """Set to end it when the step in hand has ended."""
        self.leaving = False
        """True where the server ends: the question stays, to be gone on with."""


class Turns:
    """Those of one server, by the thread they are on."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._running: dict[str, Turn] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def any(self) -> bool:
        """Is a question being answered?"""
        return bool(self._running)

    def of(self, thread_id: str) -> Turn | None:
        """What is on its way on a thread."""
        return self._running.get(thread_id)

    def begin(
        self, thread: Thread, session: Session, question: str, ask: Callable[[], Generator[Event, None, None]]
    ) -> Turn:
        """Start a turn of `thread`, which `session` is on. Raises TurnUnderWayError where it has one."""
        if thread.id in self._running:
            raise TurnUnderWayError
        turn = self._running[thread.id] = Turn(session, question)
        turn.tell("begin", thread={"id": thread.id, "name": thread.name}, question=question, words=[BEGIN])
        task = asyncio.create_task(self._run(turn, thread.id, ask))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return turn

    async def leave(self) -> None:
        """Let every turn end after the step in hand; its question stays unfinished."""
        for turn in self._running.values():
            turn.leaving = True
            turn.stopped.set()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run(self, turn: Turn, thread_id: str, ask: Callable[[], Generator[Event, None, None]]) -> None:
        try:
            await run_in_threadpool(self._answer, turn, ask)
        finally:
            del self._running[thread_id]
            turn.channel.end()

    def _answer(self, turn: Turn, ask: Callable[[], Generator[Event, None, None]]) -> None:
        try:
            if self._sessions.is_busy(turn.session.thread):
                turn.tell("step", words=[WAIT])
            self._tell_all(turn, ask)
        except TurnStoppedError:
            turn.tell("stopped")
        except USER_MISTAKES as error:
            turn.tell("error", text=str(error), mistake=True)
        except OUR_FAILURES as error:
            log.exception("a question failed")
            turn.tell("error", text=str(error), mistake=False)
            with suppress(*USER_MISTAKES):  # the question then stays, to be gone on with
                self._give_up(turn)
        except (
            Exception
        ):  # whatever it is, it is raised on; the page must hear that it is over, and the thread be free
            turn.tell("error", text="The question failed; the server's terminal says why.", mistake=False)
            with suppress(*USER_MISTAKES):
                self._give_up(turn)
            raise

    def _tell_all(self, turn: Turn, ask: Callable[[], Generator[Event, None, None]]) -> None:
        doing, question, stopped = Progress(places_words), turn.question, False
        with closing(ask()) as events:
            for event in events:
                if isinstance(event, Answer):
                    self._tell_answer(turn)
                elif isinstance(event, Clarification):
                    turn.tell("asked_back", **asked_back_record(event))
                elif turn.stopped.is_set():  # an answer that is there already is told all the same
                    stopped = True
                    break
                else:
                    question = _tell_step(turn, event, question, doing)
        if stopped and not turn.leaving:
            self._give_up(turn)
            turn.tell("stopped")

    def _tell_answer(self, turn: Turn) -> None:
        last = turn.session.last()
        assert last is not None
        turn.tell("answer", turn=turn_record(last))

    def _give_up(self, turn: Turn) -> None:
        """This server's turn; not the one of another process that it was waiting for."""
        if not self._sessions.is_busy(turn.session.thread):
            turn.session.drop()


def _tell_step(turn: Turn, step: Step, known: str, doing: Progress) -> str:
    """Tells what a step came to; returns how the question is understood now."""
    understood = str(step.fields.get("standalone_question", known))
    if not same_question(understood, known):
        turn.tell("understood", question=understood)
    if words := doing.after(step):
        turn.tell("step", words=list(words))
    return understood
