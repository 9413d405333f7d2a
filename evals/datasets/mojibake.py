"""UTF-8 that was read as Windows-1252 and written again, made whole."""

from __future__ import annotations

import re

_REST = "".join(bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xC0))
"""The bytes that continue a character, as Windows-1252 shows them."""
_BROKEN = re.compile(f"[\u00c2-\u00f4][{_REST}]{{1,3}}")


def mend(text: str) -> str:
    """`text` with such sequences ('â€™' for a closing quotation mark) as the characters meant; anything else stays as
    it is."""
    return _BROKEN.sub(lambda match: _mended(match.group()), text)


def _mended(run: str) -> str:
    for end in range(len(run), 1, -1):
        try:
            return b"".join(map(_byte, run[:end])).decode("utf-8") + run[end:]
        except UnicodeDecodeError:
            continue
    return run


def _byte(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1")
