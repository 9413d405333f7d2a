"""Files to pages, within limits: PDFs in a child process, text files in place."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import orjson

from tools.documents import errors
from tools.documents.read.layout import holds_table
from tools.documents.text.cleaning import clean
from tools.documents.types import Page

PDF_SUFFIXES = frozenset({".pdf"})
TEXT_SUFFIXES = frozenset({".txt", ".md"})
SUFFIXES = PDF_SUFFIXES | TEXT_SUFFIXES

_PACKAGE_ROOT = str(Path(__file__).resolve().parents[3])
_MIN_TEXT_PAGE = 3_000
_MAX_TEXT_PAGE = 20_000
"""Characters of a text file's page, which no printed page has: what reads a page may cost the square of its lines."""
_WALL_FACTOR = 4


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading one file may cost: its PDF library, and again all that is done with its pages."""

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


def read_pages(path: Path, *, limits: Limits = DEFAULT_LIMITS) -> tuple[Page, ...]:
    """The pages of a .pdf, .txt or .md file, cleaned by `text.clean`.

    A page's `layout` is filled where the page seems to hold a table. A text file's pages end at form feeds
    or, where it has none, at the first paragraph end after about 3,000 characters; a longer page than any that is
    printed is cut at a line's end.

    Raises a `DocumentError` subclass for a file that is missing, unreadable, empty, encrypted, damaged,
    scanned, not what its name says, or over one of `limits`.
    """
    try:
        if not path.is_file():
            raise errors.MissingPathError(path.name, "there is no such file.", "Check the path.")
        size = path.stat().st_size
        if size == 0:
            raise errors.EmptyFileError(
                path.name, "the file is empty (0 bytes).", "Replace it, or leave it out."
            )
        if size > limits.file_bytes:
            raise _over(path.name, "file size", f"{size:,} bytes", f"{limits.file_bytes:,} bytes")
        if path.suffix.lower() in PDF_SUFFIXES:
            with path.open("rb") as file:
                _check_frame(path.name, file, size)
            pages = _read_pdf(path, limits)
        else:
            pages = _read_text(path, limits)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise errors.UnreadableError(
            path.name, f"the file cannot be read ({reason}).", "Check its permissions."
        ) from error
    if not any(page.text.strip() for page in pages):
        if path.suffix.lower() in PDF_SUFFIXES:
            raise errors.ScannedError(
                path.name,
                f"none of its {len(pages)} pages holds text; it seems to be scanned.",
                "Run it through OCR first.",
            )
        raise errors.EmptyFileError(path.name, "the file holds only blanks.", "Replace it, or leave it out.")
    return pages


def _over(name: str, which: str, found: str, limit: str) -> errors.OverLimitError:
    return errors.OverLimitError(
        name, f"its {which} ({found}) is over the limit of {limit}.", "Split it, or leave it out."
    )


def _damaged(name: str, why: str) -> errors.DamagedError:
    return errors.DamagedError(name, f"the PDF is damaged ({why}).", "Download it again, or leave it out.")


def _check_frame(name: str, file: IO[bytes], size: int) -> None:
    """Head and tail of a PDF: pypdf repairs a truncated file to fewer pages, without a word."""
    head = file.read(1024)
    if b"%PDF-" not in head:
        raise errors.NotPdfError(
            name,
            "it is named .pdf, but its content is not a PDF.",
            "Rename it to what it is, or leave it out.",
        )
    file.seek(max(0, size - 16_384))
    if b"%%EOF" not in file.read():
        raise _damaged(name, "its end is missing: truncated")


def _read_text(path: Path, limits: Limits) -> tuple[Page, ...]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.NotTextError(
            path.name, f"it is not UTF-8 text (byte {error.start}).", "Convert it to UTF-8."
        ) from error
    if "\0" in text:
        raise errors.NotTextError(path.name, "it holds NUL bytes, so it is not text.", "Leave it out.")
    if len(text) > limits.characters:
        raise _over(path.name, "amount of text", f"{len(text):,} characters", f"{limits.characters:,}")
    pages = [part for page in _text_pages(text) for part in _short_pages(clean(page))]
    return tuple(
        Page(number, page, page if holds_table(page) else "") for number, page in enumerate(pages, 1)
    )


def _text_pages(text: str) -> list[str]:
    if "\f" in text:
        return text.split("\f")
    pages, start = [], 0
    for match in re.finditer(r"\n[ \t]*\r?\n", text):
        if match.end() - start >= _MIN_TEXT_PAGE:
            pages.append(text[start : match.end()])
            start = match.end()
    if text[start:].strip() or not pages:
        pages.append(text[start:])
    return pages


def _short_pages(page: str) -> Iterator[str]:
    """The cleaned page cut at ends of lines into parts of at most about `_MAX_TEXT_PAGE` characters."""
    start = end = 0
    for line in page.split("\n") if len(page) > _MAX_TEXT_PAGE else ():
        if end - start + len(line) > _MAX_TEXT_PAGE and end > start:
            yield page[start:end]
            start = end
        end += len(line) + 1
    yield page[start:]


def _read_pdf(path: Path, limits: Limits) -> tuple[Page, ...]:
    # -P keeps the current folder out of the child's import path, so that no `tools` lying there is run.
    command = [sys.executable, "-P", "-m", "tools.documents.read.pdf_process"]
    command += [str(path.resolve()), json.dumps(asdict(limits)), str(os.getpid())]
    paths = [_PACKAGE_ROOT, *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1"}
    with tempfile.TemporaryFile() as complaints:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=complaints, env=environment
        ) as child:
            pages, failure, timed_out = _collect(child, limits)
        complaints.seek(0)
        last_words = complaints.read()[-4_000:].decode("utf-8", "replace").strip()
    if failure is not None:
        raise _failure(path.name, failure, limits)
    if timed_out or (child.returncode < 0 and -child.returncode in _time_signals()):
        raise _failure(path.name, {"error": "timeout"}, limits)
    if child.returncode != 0:
        if "MemoryError" in last_words or child.returncode < 0:
            raise _failure(path.name, {"error": "memory"}, limits)
        raise _damaged(path.name, last_words.splitlines()[-1][:200] if last_words else "the reader stopped")
    return tuple(pages)


def _time_signals() -> frozenset[int]:
    import signal

    return frozenset({int(getattr(signal, "SIGXCPU", -1))})


def _collect(
    child: subprocess.Popen[bytes], limits: Limits
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
    failure: dict[str, object] | None = None
    assert child.stdout is not None
    try:
        for line in child.stdout:
            record = orjson.loads(line) if line.endswith(b"\n") else {}
            if "pages" in record:
                timer.cancel()
                allowed = (limits.seconds + limits.seconds_per_page * int(record["pages"])) * _WALL_FACTOR
                timer = threading.Timer(max(0.0, allowed - (time.monotonic() - started)), stop)
                timer.daemon = True
                timer.start()
            elif "error" in record:
                failure = record
            elif record:
                pages.append(Page(record["number"], record["text"], record["layout"]))
        child.wait()
    finally:
        timer.cancel()
        if child.poll() is None:
            child.kill()
    return pages, failure, timed_out.is_set()


def _failure(name: str, report: dict[str, object], limits: Limits) -> errors.DocumentError:
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
        case "pages":
            return _over(name, "number of pages", detail, f"{limits.pages:,}")
        case "characters":
            return _over(name, "amount of text", f"more than {detail} characters", f"{limits.characters:,}")
        case "guard":
            return errors.OverLimitError(
                name,
                f"it exceeds one of the PDF library's guards{where} ({detail}).",
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
            return _damaged(name, f"{detail}{where}")
