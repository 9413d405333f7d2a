"""What reading one document may cost its process, all passes together: processor time and memory, held by the system.

A pattern that runs away inside a library's C code never comes back to Python: only the system can end it. Where it
sets no such limits (Windows), the parent's clock is the only one.
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

from tools.documents.read.child import Limits
from tools.documents.read.text_files import PAGE_CHARACTERS, TEXT_SUFFIXES
from tools.documents.types import Page

if sys.platform != "win32":
    import resource

SECONDS_PER_TEXT = 2.0
"""Processor time for the vector of a text, whose length is bounded: what a slow machine needs several times over."""


class Allowance:
    """The account of one process: opened anew for each document, raised as more of it is known."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._start = self._seconds = self._until = 0.0

    def limit_memory(self) -> None:
        """Bound what this process may take beyond what it holds now, its models loaded, for good."""
        held = _held_bytes()
        if sys.platform != "win32" and held:
            _bind(resource.RLIMIT_DATA, held + self._limits.memory_bytes)
            _bind(resource.RLIMIT_CORE, 0)

    def open(self, file: Path | None) -> None:
        """A document begins. Until its pages are known, a text file may cost what its size allows."""
        text = file is not None and file.suffix.lower() in TEXT_SUFFIXES
        pages = file.stat().st_size / PAGE_CHARACTERS if file is not None and text else 0.0
        self._start = _used_seconds()
        self._until = 0.0
        self._seconds = self._limits.seconds
        self._bind_time(pages * self._limits.seconds_per_page)

    def read(self, page: Page) -> None:
        """A page is known: its text decides what finding tables, cutting and reading the prose may cost."""
        self._seconds += max(1.0, len(page.text) / PAGE_CHARACTERS) * self._limits.seconds_per_page
        self._bind_time()

    def embed(self, texts: int) -> None:
        """So many texts are to be embedded: their number is bounded by the pages, so their cost is granted."""
        self._seconds += texts * SECONDS_PER_TEXT
        self._bind_time()

    def _bind_time(self, more: float = 0.0) -> None:
        self._until = max(self._until, self._start + self._seconds + more)
        if sys.platform != "win32":
            _bind(resource.RLIMIT_CPU, math.ceil(self._until))


def exceeded(killer: str, error: str, limits: Limits) -> str:
    """What a process that ended by this signal, or with this last line of its errors, had exceeded; '' if nothing."""
    if killer == "SIGXCPU":
        allowed = f"{limits.seconds:g} s and {limits.seconds_per_page:g} s a page of processor time"
        return f"reading it took longer than {allowed}. Split it, or leave it out."
    if "MemoryError" in error or "bad_alloc" in error:
        return f"reading it needs more than {limits.memory_bytes >> 20:,} MiB of memory. Split it, or leave it out."
    return ""


def _used_seconds() -> float:
    if sys.platform == "win32":
        return 0.0
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _held_bytes() -> int:
    """Of the kind that the limit counts; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmData:")), 0)


if sys.platform != "win32":

    def _bind(which: int, amount: int) -> None:
        """Set the soft limit, as far as the hard one lets it; a process that is started from here may raise it."""
        _, hard = resource.getrlimit(which)
        try:
            resource.setrlimit(which, (amount if hard == resource.RLIM_INFINITY else min(amount, hard), hard))
        except (ValueError, OSError):  # not every system binds every resource
            return
