"""The process that parses one PDF and prints its pages as JSON lines.

Run as `python -m tools.documents.read.pdf_process FILE LIMITS PARENT`: a path, `reader.Limits` as JSON, the parent's
process id.

A hostile or broken PDF can only exhaust this process. Protocol on stdout, one JSON object a line:
`{"pages": n}` first, then `{"number", "text", "layout"}` a page, or `{"error", "detail", "page"}` and nothing
after.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import signal
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

# Real filings (a Microsoft 10-Q of 2022) exceed the default of 100,000; time and memory limits still hold.
_MAX_ELEMENTS = 2_000_000


def die_with_parent(parent: int) -> None:
    """Ask Linux for SIGKILL when the parent ends; elsewhere the time limit alone bounds an orphan."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)  # the parent ended before the request was in force


def limit(limits: Mapping[str, Any], pages: int | None) -> None:
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
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def _read(path: Path, limits: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The records of one file; pypdf's own exceptions pass through with the page set by the caller."""
    import pypdf
    from pypdf import PasswordType, PdfReader

    from tools.documents.read.layout import holds_table
    from tools.documents.read.pdf import layout_text
    from tools.documents.text.cleaning import clean

    with pypdf.apply_configuration(
        array_maximum_element_count=_MAX_ELEMENTS, dictionary_maximum_element_count=_MAX_ELEMENTS
    ):
        reader = PdfReader(path, strict=False)
        if reader.is_encrypted and reader.decrypt("") == PasswordType.NOT_DECRYPTED:
            yield {"error": "encrypted"}
            return
        count = len(reader.pages)
        if count == 0 or count > limits["pages"]:
            yield {"error": "pages", "detail": f"{count:,}"} if count else {"error": "no_pages"}
            return
        limit(limits, count)
        yield {"pages": count}
        characters = 0
        for number, page in enumerate(reader.pages, 1):
            text = clean(page.extract_text())
            layout = clean(layout_text(page, text)) if holds_table(text) else ""
            characters += len(text) + len(layout)
            if characters > limits["characters"]:
                yield {"error": "characters", "detail": f"{characters:,}"}
                return
            yield {"number": number, "text": text, "layout": layout}


def main(arguments: list[str]) -> None:
    """Print one file's records; what pypdf cannot follow is reported as `damaged`, its guards as `guard`."""
    from pypdf.errors import LimitReachedError, PyPdfError

    path, limits = Path(arguments[0]), json.loads(arguments[1])
    die_with_parent(int(arguments[2]))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    limit(limits, None)
    page = 0
    try:
        for record in _read(path, limits):
            emit(record)
            page = record.get("number", page)
    except LimitReachedError as error:
        emit({"error": "guard", "detail": str(error)[:300], "page": page + 1})
    except MemoryError:
        emit({"error": "memory"})
    except (
        PyPdfError,
        ArithmeticError,
        AssertionError,
        AttributeError,
        LookupError,
        NotImplementedError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:  # what pypdf raises on broken files; anything else ends the process, and the parent says so
        emit({"error": "damaged", "detail": f"{type(error).__name__}: {error}"[:300], "page": page + 1})


if __name__ == "__main__":
    main(sys.argv[1:])
