"""Control sequences (ECMA-48): what colours, moves, titles and links text on a terminal."""

from __future__ import annotations

import re

_STRING_END = r"(?:\x07|\x1b\\|\x9c)"
_ESCAPED = re.compile(
    r"\x1b+(?:\[[0-?]*[ -/]*[@-~]"  # a movement, a colour
    rf"|[\]PX^_][^\x07\x1b\x9c\n]*{_STRING_END}?"  # a title, a link, a device's own; without an end, the line
    r"|[ -/]*[0-~])?"
)
_ONE_CHARACTER = re.compile(rf"\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*{_STRING_END}")


def without_escapes(text: str) -> str:
    """`text` without sequences that begin with ESC, each removed whole."""
    return _ESCAPED.sub("", text) if "\x1b" in text else text


def without_sequences(text: str) -> str:
    """The same without those that begin with a character above 127. Not for documents: in a wrongly decoded one these
    are quotation marks and letters."""
    return without_escapes(_ONE_CHARACTER.sub("", text))
