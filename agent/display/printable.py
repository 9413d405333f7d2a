"""Text that any terminal and any JSON can carry."""

from __future__ import annotations

import re

_ACTIVE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but line ends and tabs, and those that turn the direction of writing."""


def printable(text: str) -> str:
    """`text` with what is not Unicode text (bytes of a file name or an argument) as backslash escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(text: str) -> str:
    """`printable`, and nothing in it can move a terminal's cursor, colour it or hide what is written: control sequences
    are left out, other such characters are escaped."""
    from tools.documents.text.control_sequences import without_sequences  # help and usage need none

    told = without_sequences(printable(text))
    return _ACTIVE.sub(lambda found: found[0].encode("unicode_escape").decode(), told)
