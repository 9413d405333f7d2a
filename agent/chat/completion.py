"""What Tab offers: slash commands, their arguments, and company names within a question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

Names = Callable[[], Sequence[str]]
MIN_COMPLETED_LETTERS = 2
"""Letters of a word from which a company is offered."""


class ChatCompleter(Completer):
    """Completions for the line as typed so far."""

    def __init__(self, commands: Mapping[str, str], arguments: Mapping[str, Names], companies: Names) -> None:
        """`commands`: name -> what it does; `arguments`: what may follow a command."""
        self._commands = commands
        self._arguments = arguments
        self._companies = companies

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """See prompt_toolkit."""
        text = document.text_before_cursor
        if not text.startswith("/"):
            word = document.get_word_before_cursor(WORD=True)
            if len(word) >= MIN_COMPLETED_LETTERS and complete_event.completion_requested:
                yield from _matching(word, self._companies())
            return
        name, blank, argument = text[1:].partition(" ")
        if not blank:
            for command, does in self._commands.items():
                if command.startswith(name.lower()):
                    yield Completion(f"/{command}", -len(text), display_meta=does)
        elif name.lower() in self._arguments:
            yield from _matching(argument.lstrip(), self._arguments[name.lower()]())


def _matching(start: str, names: Iterable[str]) -> Iterable[Completion]:
    return (Completion(name, -len(start)) for name in names if name.lower().startswith(start.lower()))
