"""A file read by a child process: started under limits, its pages collected, its failure put into words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from tools.documents import errors
from tools.documents.read.office_frame import wrong_content
from tools.documents.serial import load_page
from tools.documents.types import Page

OnPage = Callable[[Page, int], None]
"""A page as it is read, and the number of all; 0 while that is unknown."""

_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])
_WALL_FACTOR = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost: its library, and again all that is done with its pages."""

    seconds: float = 60.0
    """Processor time for a file of no pages. Wall time may be four times that: the same file must pass or
    fail alike on a busy machine."""
    seconds_per_page: float = 0.5
    """Added for each page once their number is known."""
    memory_bytes: int = 1 << 30
    """Of what reads its pages; what reads them on holds its models besides."""
    pages: int = 2_000
    file_bytes: int = 200 << 20
    characters: int = 50_000_000
    """Of text in the whole file, both modes together."""


DEFAULT_LIMITS = Limits()


def over(name: str, which: str, found: str, limit: str) -> errors.OverLimitError:
    """A file that is larger than a limit allows."""
    return errors.OverLimitError(
        name, f"its {which} ({found}) is over the limit of {limit}.", "Split it, or leave it out."
    )


def damaged(name: str, kind: str, why: str) -> errors.DamagedError:
    """A file that cannot be followed."""
    return errors.DamagedError(name, f"the {kind} is damaged ({why}).", "Download it again, or leave it out.")


def read_in_child(
    module: str, kind: str, path: Path, limits: Limits, on_page: OnPage | None = None
) -> tuple[Page, ...]:
    """The pages that `python -m module` prints for a file, as JSON lines; `kind` is the word for such a file.
    `on_page` is told of each as it comes.

    Raises the `DocumentError` that the child's report, its end or its silence means.
    """
    # -P keeps the current folder out of the child's import path, so that no `tools` lying there is run.
    command = [sys.executable, "-P", "-m", module]
    command += [str(path.resolve()), json.dumps(asdict(limits)), str(os.getpid())]
    paths = [_PACKAGE_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints, env=environment
        ) as child:
            pages, failure, timed_out = _collect(child, limits, on_page or (lambda page, total: None))
        complaints.seek(0)
        last_words = complaints.read()[-4_000:].decode("utf-8", "replace").strip()
    if failure is not None:
        raise _failure(path.name, kind, failure, limits)
    if timed_out or (child.returncode < 0 and -child.returncode in _time_signals()):
        raise _failure(path.name, kind, {"error": "timeout"}, limits)
    if child.returncode != 0:
        if "MemoryError" in last_words or child.returncode < 0:
            raise _failure(path.name, kind, {"error": "memory"}, limits)
        raise damaged(
            path.name, kind, last_words.splitlines()[-1][:200] if last_words else "the reader stopped"
        )
    return tuple(pages)


def _time_signals() -> frozenset[int]:
    import signal

    return frozenset({int(getattr(signal, "SIGXCPU", -1))})


def _collect(
    child: subprocess.Popen[bytes], limits: Limits, on_page: OnPage
) -> tuple[list[Page], dict[str, object] | None, bool]:
    """Read the child's lines until it ends or its time is up: pages, its own report of failure, timed out."""
    started = time.monotonic()
    timed_out = threading.Event()

    def stop() -> None:
        timed_out.set()
        child.kill()

    timer = threading.Timer(limits.seconds * _WALL_FACTOR, stop)
    timer.daemon = True
    timer.start()
    pages: list[Page] = []
    total = 0
    failure: dict[str, object] | None = None
    assert child.stdout is not None
    try:
        for line in child.stdout:
            record = orjson.loads(line) if line.endswith(b"\n") else {}
            if "pages" in record:
                timer.cancel()
                total = int(record["pages"])
                allowed = (limits.seconds + limits.seconds_per_page * total) * _WALL_FACTOR
                timer = threading.Timer(max(0.0, allowed - (time.monotonic() - started)), stop)
                timer.daemon = True
                timer.start()
            elif "error" in record:
                failure = record
            elif record:
                pages.append(load_page(line))
                on_page(pages[-1], total)
        child.wait()
    finally:
        timer.cancel()
        if child.poll() is None:
            child.kill()
    return pages, failure, timed_out.is_set()


def _failure(name: str, kind: str, report: dict[str, object], limits: Limits) -> errors.DocumentError:
    """The child's report as the error it means."""
    detail = str(report.get("detail", ""))
    where = f" on page {report['page']}" if report.get("page") else ""
    match report["error"]:
        case "encrypted":
            return errors.EncryptedError(
                name, "the PDF is encrypted and needs a password.", "Save a copy without a password."
            )
        case "no_pages":
            return errors.NoPagesError(name, "the PDF has no pages.", "Replace it, or leave it out.")
        case "not_html":
            return errors.NotHtmlError(
                name,
                f"it is named like a web page, but its content is none ({detail}).",
                "Rename it to what it is, or leave it out.",
            )
        case "wrong_content":
            return wrong_content(name)
        case "unpacked":
            return over(name, "unpacked size", detail, "what a document of words needs")
        case "pages":
            return over(name, "number of pages", detail, f"{limits.pages:,}")
        case "characters":
            return over(name, "amount of text", f"more than {detail} characters", f"{limits.characters:,}")
        case "guard":
            return errors.OverLimitError(
                name,
                f"it exceeds one of the {kind} library's guards{where} ({detail}).",
                "It may be hostile; leave it out.",
            )
        case "timeout":
            return errors.TimeLimitError(
                name,
                f"reading took longer than {limits.seconds:g} s and {limits.seconds_per_page:g} s a page.",
                "Split it, or leave it out.",
            )
        case "memory":
            return errors.MemoryLimitError(
                name,
                f"reading it needs more than {limits.memory_bytes >> 20:,} MiB of memory.",
                "Split it, or leave it out.",
            )
        case _:
            return damaged(name, kind, f"{detail}{where}")
