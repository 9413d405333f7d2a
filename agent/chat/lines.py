"""Where a chat's lines come from: the contract, and standard input that is not a terminal."""

from __future__ import annotations

import io
from typing import Protocol, TextIO

from agent.errors import UsageError
from graphs.local.question.unreadable import MAX_QUESTION_CHARS

MAX_LINE = MAX_QUESTION_CHARS
"""Characters of a line; a longer one is refused."""
TOO_LONG = (
    f"That has more than {MAX_LINE:,} characters, which a question may have. To ask about a long text, index it: "
    "hybridrag index FILE"
)
_PIECE = 1 << 16


class Lines(Protocol):
    """What a chat reads from."""

    interactive: bool
    """Somebody sits there: they are greeted, prompted and asked before something is deleted."""

    def read(self, prompt: str) -> str:
        """The next line, without its end; several, where they were pasted. Raises EOFError at the end,
        KeyboardInterrupt, and UsageError for a line that is too long."""
        ...

    def confirm(self, question: str) -> bool:
        """Yes or no; yes where nobody can be asked."""
        ...


class PipedLines:
    """A pipe or a file: one line, one question."""

    interactive = False

    def __init__(self, stream: TextIO) -> None:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        self._stream = stream

    def read(self, prompt: str) -> str:
        """See `Lines`. Of a line that is too long no more than a piece is ever held."""
        line = self._stream.readline(MAX_LINE + 1)
        if not line:
            raise EOFError
        if len(line) <= MAX_LINE or line.endswith("\n"):
            return line.rstrip("\r\n")
        while (piece := self._stream.readline(_PIECE)) and not piece.endswith("\n"):
            pass
        raise UsageError(TOO_LONG)

    def confirm(self, question: str) -> bool:
        """See `Lines`."""
        return True
