"""The message by which a reading process is given one document."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tools.store.disk.home import Home
from tools.store.reading.plan import Wanted, donors


def reading_task(home: Home, wanted: Wanted) -> dict[str, Any]:
    """The message for one document that is to be read."""
    return {
        "file": str(wanted.file.absolute()),
        "root": str(wanted.root.absolute()),
        "source": wanted.source,
        "key": asdict(wanted.key),
        "donors": donors(home, wanted),
    }
