"""Control sequences (ECMA-48): what colours, moves, titles and links text on a terminal."""

from __future__ import annotations

import re

_STRING_END = r"(?:\x07|\x1b\\|\x9c)"
_ESCAPED = re.compile(
    r"\x1b+(?:\[[0-?]*[ -/]*[@-~]"  # a movement, a colour
    rf"|[\]PX^_][^\x07\x1b\x9c\n]*{_STRING_END}?"  # a title, a link, a device's own; without an end, the line
    r"|[()*+]0(?![\d.,)])|[()*+]?[@-Z\\^_c](?![a-z.)])|[=>])?"  # a short one, unless it begins a word or a figure
)
_ONE_CHARACTER = re.compile(rf"\x9b[0-?]*[ -/]*[@-~]|[\x90\x98\x9d-\x9f][^\x07\x1b\x9c\n]*{_STRING_END}")


_IN_JSON = re.compile(r"\\u00(07|1b|9[0-9a-f])", re.IGNORECASE)
"""How JSON may write a character of a sequence."""


def without_escapes(text: str) -> str:
    """`text` without sequences that begin with ESC, each removed whole."""
    return _ESCAPED.sub("", text) if "\x1b" in text else text


def without_sequences(text: str) -> str:
    """The same without those that begin with a character above 127. Not for documents: in a wrongly decoded one these
    are quotation marks and letters."""
    return without_escapes(_ONE_CHARACTER.sub("", text))


def without_sequences_in_json(text: str) -> str:
    """`without_sequences` of what may be JSON, which writes the characters of a sequence otherwise. No bell stays
    behind, which JSON can't hold."""
    return without_sequences(_IN_JSON.sub(lambda found: chr(int(found[1], 16)), text)).replace("\x07", "")
