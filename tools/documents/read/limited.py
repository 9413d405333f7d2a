"""The child's side of reading a file under limits: bound to its parent, its memory and its processor time."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any


def die_with_parent(parent: int) -> None:
    """Ask Linux for SIGKILL when the parent ends; elsewhere the time limit alone bounds an orphan."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)  # the parent ended before the request was in force


def bind_limits(limits: Mapping[str, Any], pages: int | None) -> None:
    """Bind memory, and processor time for this many pages (None while their number is unknown)."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock is the only limit
        return

    def bind(which: int, amount: int) -> None:
        _, hard = resource.getrlimit(which)
        try:
            resource.setrlimit(which, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))
        except (ValueError, OSError):  # macOS does not bind address space
            return

    if pages is None:
        bind(resource.RLIMIT_AS, int(limits["memory_bytes"]))
        bind(resource.RLIMIT_CORE, 0)
    seconds = float(limits["seconds"]) + float(limits["seconds_per_page"]) * (pages or 0)
    bind(resource.RLIMIT_CPU, max(1, round(seconds)))


def emit(record: Mapping[str, Any]) -> None:
    """Print one record for the parent."""
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()
