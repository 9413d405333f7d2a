"""Lines typed at a terminal, with editing, history and completion by prompt_toolkit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.completion import Completer
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import Output, create_output

from agent.chat.lines import MAX_LINE, TOO_LONG
from agent.errors import UsageError
from tools.private_files import make_folder, open_private

HISTORY = "chat-history"
"""File of the lines typed, in the home folder."""
_END = 16
"""Characters in which the mark of a paste's end may have begun."""


class Editor:
    """`Lines` of a terminal. Ctrl-C raises KeyboardInterrupt, Ctrl-D on an empty line EOFError."""

    interactive = True

    def __init__(
        self,
        home: Path,
        completer: Completer,
        say: Callable[[str], None],
        *,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        """`say` prints a line; input and output are standard input and the terminal, unless others are given."""
        self._say = say
        input = input or create_input()
        if isinstance(input, Vt100Input):
            input.vt100_parser = _Parser(input.vt100_parser.feed_key_callback)
        output = output or create_output(always_prefer_tty=True)  # stderr, where answers go to a file
        self._input, self._output = input, output
        self._session: PromptSession[str] = PromptSession(
            history=_history(home),
            completer=completer,
            complete_while_typing=Condition(lambda: get_app().current_buffer.text.startswith("/")),
            key_bindings=self._keys(),
            prompt_continuation="  ",
            reserve_space_for_menu=5,
            enable_suspend=True,
            input=input,
            output=output,
        )

    def read(self, prompt: str) -> str:
        """See `Lines`."""
        text = self._session.prompt(FormattedText([("bold", prompt)]))
        if len(text) > MAX_LINE:  # a dumb terminal's, which knows no pasting
            raise UsageError(TOO_LONG)
        return text

    def confirm(self, question: str) -> bool:
        """See `Lines`; anything but yes is no."""
        asked: PromptSession[str] = PromptSession(input=self._input, output=self._output)
        try:
            return asked.prompt(f"{question} [y/N] ").strip().lower() in ("y", "yes")
        except (EOFError, KeyboardInterrupt):
            return False

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            text = event.data.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
            if len(text) + len(event.current_buffer.text) <= MAX_LINE:
                event.current_buffer.insert_text(text)
            else:
                run_in_terminal(lambda: self._say(TOO_LONG))

        @keys.add(Keys.Any, filter=Condition(lambda: len(get_app().current_buffer.text) > MAX_LINE))
        def _(event: KeyPressEvent) -> None:
            """A line that is full takes no more: a paste that the terminal does not announce."""

        @keys.add("escape", "enter")
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        return keys


class _Parser(Vt100Parser):
    """Of a paste that is too long to be taken only the beginning and the end are kept: what comes is searched as a
    whole at every piece of a kilobyte, which takes 45 s for 10 MB."""

    def feed(self, data: str) -> None:
        """See prompt_toolkit."""
        if self._in_bracketed_paste and len(self._paste_buffer) > 2 * MAX_LINE:
            self._paste_buffer = self._paste_buffer[: MAX_LINE + 1] + self._paste_buffer[-_END:]
        super().feed(data)


def _history(home: Path) -> History:
    """The file in the home, for its owner alone; lines of this chat alone where it can't be written."""
    path = home / HISTORY
    try:
        make_folder(home)
        open_private(path, "ab").close()
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)
