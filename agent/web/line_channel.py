"""From a thread that works to pages that listen: JSON lines, kept from the first for whoever comes later."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import orjson


def line_of(kind: str, **fields: Any) -> bytes:
    """A line as pages read it."""
    return orjson.dumps({"kind": kind, **fields}) + b"\n"


class LineChannel:
    """Made and followed in the event loop; told by any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: list[bytes] = []
        self._news = asyncio.Event()
        self._over = False

    def tell(self, kind: str, **fields: Any) -> None:
        """A line for all who follow."""
        self._loop.call_soon_threadsafe(self._add, line_of(kind, **fields))

    def end(self) -> None:
        """Nothing more will be told."""
        self._loop.call_soon_threadsafe(self._add, None)

    def _add(self, line: bytes | None) -> None:
        if line is None:
            self._over = True
        else:
            self._lines.append(line)
        self._news.set()
        self._news = asyncio.Event()

    async def follow(self) -> AsyncIterator[bytes]:
        """All lines, from the first to the end."""
        at = 0
        while True:
            news = self._news
            while at < len(self._lines):
                yield self._lines[at]
                at += 1
            if self._over:
                return
            await news.wait()
