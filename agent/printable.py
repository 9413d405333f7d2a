"""Text that any terminal and any JSON can carry."""

from __future__ import annotations


def printable(text: str) -> str:
    """`text` with what is no Unicode text (bytes of a file name or an argument) as backslash escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
