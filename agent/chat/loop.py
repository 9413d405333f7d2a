"""The chat itself: a line is a question, a reply, the number of a suggestion, or a slash command."""

from __future__ import annotations

import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from rich.text import Text

from agent.chat import progress, slash_commands, views
from agent.display.render import plain_turn
from agent.display.terminal import turn_view
from agent.errors import OUR_FAILURES, USER_MISTAKES
from agent.threads.sessions import KEPT_TURNS, Session, Sessions, ThreadBusyError
from agent.threads.thread_records import UnknownThreadError, understood
from agent.threads.turn_parts import Event, Filters, Step
from graphs.contracts import Answer, Clarification
from tools.documents.text.cleaning import clean, squeeze
from tools.documents.text.control_sequences import without_sequences
from tools.store.errors import DEFAULT_HOME

if TYPE_CHECKING:
    from agent.assistant import Assistant
    from agent.chat.lines import Lines
    from agent.display.screen import Screen


class Chat:
    """A person, or a pipe, talking to one home."""

    def __init__(
        self,
        assistant: Assistant,
        sessions: Sessions,
        lines: Lines,
        screen: Screen,
        *,
        thread: str | None = None,
        filters: Filters | None = None,
        pipeline: str = "agent",
        suggests: bool = True,
    ) -> None:
        """Opens the thread, or begins a new one. Raises what `Sessions.open` raises."""
        self.assistant, self.sessions, self.lines, self.screen = assistant, sessions, lines, screen
        self.filters = filters or Filters()
        self.pipeline = pipeline
        self.left = False
        """True when no further line is to be read."""
        self.session: Session = sessions.open(thread)
        self._named = thread is not None
        self._suggests = suggests
        self._suggested: tuple[str, ...] = ()
        self._waits: Clarification | None = None
        """What was asked back: the next line is the reply."""
        self._asked: list[str] = []
        """Here and now; a suggestion repeats none."""
        self._mistakes = self._failures = 0
        self._answering = self._stopped = False

    def run(self) -> int:
        """Until the lines end. Exit code: at a terminal 0; else 1 after a failure of ours, 2 after a mistake."""
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            self._guarded(self._welcome)
            while not self.left:
                self._guarded(self._line)
            self._guarded(lambda: self._leave_thread(for_good=True))
        finally:
            signal.signal(signal.SIGINT, before)
        if self.lines.interactive:
            return 0
        return 1 if self._failures else 2 if self._mistakes else 0

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-C stops an answer: at once where a model or another chat is waited for, else when the step in hand
        has ended. Anywhere else, in a transaction say, it would leave something half done."""
        if self._answering:
            self._stopped = True
        elif not self.lines.interactive:
            raise KeyboardInterrupt
        if self._answering and _waits(frame):
            raise KeyboardInterrupt

    @contextmanager
    def _stoppable(self) -> Iterator[None]:
        self._answering, self._stopped = True, False
        try:
            yield
        finally:
            self._answering = False

    def say(self, *lines: Text) -> None:
        """Show lines."""
        self.screen.show(lambda: views.block(lines), lambda: "\n".join(line.plain for line in lines))

    def enter(self, name: str | None) -> None:
        """Go to another thread; None: a new one. Raises what `Sessions.open` raises."""
        opened = self.sessions.open(name)
        self._leave_thread(for_good=False)
        self.session, self._named = opened, name is not None
        self._suggested, self._waits = (), None
        self._open_thread()

    def _guarded(self, act: Callable[[], None]) -> None:
        """What goes wrong is said, and the chat goes on."""
        try:
            act()
        except EOFError:
            self.left = True
        except KeyboardInterrupt:
            if not self.lines.interactive:
                raise
            self.screen.line()
        except USER_MISTAKES as error:
            self._mistakes += 1
            self._complain(error)
        except OUR_FAILURES as error:
            if isinstance(error, BrokenPipeError):
                raise
            self._failures += 1
            self._complain(error)

    def _complain(self, error: Exception) -> None:
        if self.lines.interactive:
            self.say(Text(str(error), style="red"))
        else:
            self.screen.note(f"hybridrag: {error}")

    def _welcome(self) -> None:
        """The keys, the thread, and whether there is an index."""
        if self.lines.interactive:
            self.say(views.dim(views.KEYS))
        try:
            self._open_thread()
        finally:
            if self.lines.interactive:
                self.assistant.current()

    def _open_thread(self) -> None:
        """Say which it is; ask again, or go on with, what was left in the middle."""
        if self.lines.interactive:
            self.say(*views.greeting(self.session.thread, self.session.last()))
        self._waits = self.session.pending()
        unfinished = self.session.unfinished()
        if self._waits is not None:
            self.say(*views.asked_back(self._waits))
        elif unfinished is not None:
            self.say(views.dim(f"Going on with the question that was cut off: {squeeze(clean(unfinished))}"))
            self._turn(self.session.resume(), unfinished)

    def _leave_thread(self, *, for_good: bool) -> None:
        """A new thread in which nothing was asked is not kept."""
        thread = self.session.thread
        if not self._named and not thread.turns and self.session.pending() is None:
            try:
                self.sessions.delete(thread.name)
            except (UnknownThreadError, ThreadBusyError):
                return
        elif for_good and self.lines.interactive:
            settings = self.assistant.settings
            self.say(views.parting(thread, Path(DEFAULT_HOME) if settings.store else settings.home))

    def _prompt(self) -> str:
        own = self.filters
        pinned = (own.company, slash_commands.period_words(self), own.doc_type, own.document)
        asked = self.pipeline if self.pipeline != "agent" else ""
        return " ".join(filter(None, (asked, *pinned, "> " if self._waits is None else "reply > ")))

    def _line(self) -> None:
        text = _typed(self.lines.read(self._prompt()))
        slash = slash_commands.parse(text)
        if slash is not None:
            slash_commands.run(self, *slash)
        elif self._waits is not None and not text:
            self.session.drop()
            self._waits = None
            self.say(views.dim("The question is dropped."))
        elif self._waits is not None:
            reply = slash_commands.question_of(text)
            self._turn(self.session.reply(reply), reply)
        elif text:
            question = self._chosen(text) or slash_commands.question_of(text)
            self._turn(self.session.ask(question, self.filters, self.pipeline), question)

    def _chosen(self, text: str) -> str:
        """The suggestion of this number, said again; '' if there is none of that number."""
        chosen = dict(enumerate(self._suggested, 1)).get(int(text) if text.isdecimal() else 0, "")
        if chosen:
            self.say(Text(f"> {chosen}"))
        return chosen

    def _turn(self, events: Generator[Event, None, None], typed: str) -> None:
        """Show what comes: progress, the standalone question, and the answer or what is asked back."""
        self._suggested = ()
        try:
            outcome = self._followed(events, typed)
        except USER_MISTAKES:
            self._waits = self.session.pending()
            raise
        except OUR_FAILURES:
            self._give_up()
            raise
        except KeyboardInterrupt:
            self._give_up()
            if not self.lines.interactive:
                raise
            self.say(views.dim("Stopped. The question is dropped; the thread goes on."))
            return
        self._waits = outcome if isinstance(outcome, Clarification) else None
        if isinstance(outcome, Clarification):
            self.say(*views.asked_back(outcome))
        elif outcome is not None:
            self.screen.show(lambda: turn_view(outcome), lambda: plain_turn(outcome))
            self._suggest(outcome)

    def _give_up(self) -> None:
        """This chat's turn; not the one of another process that it was waiting for."""
        self._waits = None
        if not self.sessions.is_busy(self.session.thread):
            self.session.drop()

    def _followed(self, events: Generator[Event, None, None], typed: str) -> Answer | Clarification | None:
        told, doing = typed, progress.Progress()
        outcome: Answer | Clarification | None = None
        with (
            self._stoppable(),
            self.screen.working() as tell,
            closing(events),
        ):  # Ctrl-C may come while a step is shown
            tell(progress.WAIT if self.sessions.is_busy(self.session.thread) else progress.BEGIN)
            for event in events:
                if not isinstance(event, Step):
                    outcome = event
                    continue
                if self._stopped:
                    raise KeyboardInterrupt
                question = event.fields.get("standalone_question", told)
                if not progress.same_question(question, told):
                    self.say(views.understood(question))
                    told = question
                for words in doing.after(event):
                    tell(words)
        return outcome

    def _suggest(self, answer: Answer) -> None:
        self._asked += [answer.question, answer.standalone_question]
        if not self._suggests:
            return
        with self._stoppable(), self.screen.working() as tell:
            tell("looking for next questions")
            named = self.assistant.next_questions(
                answer,
                self._asked,
                lambda: understood(self.session.turns(KEPT_TURNS)[:-1]),
                **asdict(self.filters),
            )
        self._suggested = tuple(each.question for each in named)
        if self._stopped:
            self._suggested = ()
        if self._suggested:
            self.say(*views.suggested(named))


def _waits(frame: FrameType | None) -> bool:
    """Is what runs a call to a model, or the wait for a thread that is busy?"""
    if frame is not None and frame.f_code.co_name == "held":
        return True
    while frame is not None:
        if frame.f_globals.get("__name__") == "agent.endpoint.calling":
            return True
        frame = frame.f_back
    return False


def _typed(line: str) -> str:
    """A line without what only a terminal understands."""
    return clean(without_sequences(line)).strip()
