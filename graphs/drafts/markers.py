"""Citation markers: `[n]` points at the evidence of rank n; `[1, 2]` is read as both."""

from __future__ import annotations

import re

MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")


def cited_markers(text: str) -> tuple[int, ...]:
    """The numbers of all markers of a text, each once, in order of first use."""
    return tuple(dict.fromkeys(int(n) for found in MARKER.findall(text) for n in re.findall(r"\d+", found)))
