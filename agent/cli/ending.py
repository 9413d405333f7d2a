"""SIGTERM and SIGHUP end a command as Ctrl-C does: what is half done is cleared away, and a word is said."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

SIGNALS = (signal.SIGTERM, signal.SIGHUP)
ENDED = 128
"""To which a signal's number is added for the exit code, as shells do."""


class EndedError(KeyboardInterrupt):
    """A signal asked the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Within it these signals raise EndedError; one that was ignored before (nohup) stays ignored."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is signal.SIG_DFL:
            signal.signal(number, _end)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def exit_code(error: KeyboardInterrupt) -> int:
    """130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP."""
    return ENDED + (error.number if isinstance(error, EndedError) else signal.SIGINT)


def _end(number: int, frame: FrameType | None) -> NoReturn:
    raise EndedError(number)
