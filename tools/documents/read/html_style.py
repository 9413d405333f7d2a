"""What an element's style says of its text: whether it shows, where a page ends, how far it is set in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_BREAK_BEFORE = re.compile(r"(?:page-)?break-before:(?:always|page|left|right)")
_BREAK_AFTER = re.compile(r"(?:page-)?break-after:(?:always|page|left|right)")
_HIDDEN = re.compile(r"(?:^|;)(?:display:none|visibility:hidden)")
_INLINE = re.compile(r"(?:^|;)display:inline(?:;|$)")
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?)(pt|px|em)?")
_POINTS_A_BLANK = 4.5


@dataclass(frozen=True, slots=True)
class Style:
    """What a style says of the place of its text."""

    hidden: bool = False
    inline: bool = False
    break_before: bool = False
    break_after: bool = False
    indent: int = 0
    """How far from the left edge of its box it sets its text, in blanks."""


_PLAIN = Style()


def style_of(element: Any) -> Style:
    """The style that an element itself carries."""
    style = element.get("style")
    return _read_style(style[:2_000]) if style else _PLAIN


@lru_cache(maxsize=4096)
def _read_style(text: str) -> Style:
    text = re.sub(r"\s*([:;])\s*", r"\1", text.strip()).lower()
    return Style(
        _HIDDEN.search(text) is not None,
        _INLINE.search(text) is not None,
        _BREAK_BEFORE.search(text) is not None,
        _BREAK_AFTER.search(text) is not None,
        _indent(text),
    )


def _indent(style: str) -> int:
    points = 0.0
    for name, value in re.findall(r"(?:^|;)(padding|padding-left|margin-left|text-indent):([^;]+)", style):
        lengths = [float(m[1]) * {"px": 0.75, "em": 10.0}.get(m[2], 1.0) for m in _LENGTH.finditer(value)]
        if lengths:
            points += lengths[-1 if len(lengths) in (1, 4) else 1] if name == "padding" else lengths[0]
    return min(max(round(points / _POINTS_A_BLANK), 0), 20)
