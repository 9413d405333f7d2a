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
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any


def _die_with_parent(parent: int) -> None:
    """Ask Linux for SIGKILL when the parent ends; elsewhere the time limit alone bounds an orphan."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
        if os.getppid() != parent:
            sys.exit(1)  # the parent ended before the request was in force


def _limit(limits: Mapping[str, Any], pages: int | None) -> None:
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


def _emit(record: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(record) + "\n")
    sys.stdout.flush()


def _read(path: Path, limits: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The records of one file; PDFium's own error passes through with the page set by the caller."""
    import pypdfium2

    from tools.documents.read.layout import holds_table
    from tools.documents.read.pdf import page_texts

    with pypdfium2.PdfDocument(path) as document:
        count = len(document)
        if count == 0 or count > limits["pages"]:
            yield {"error": "pages", "detail": f"{count:,}"} if count else {"error": "no_pages"}
            return
        _limit(limits, count)
        yield {"pages": count}
        characters = 0
        for number in range(1, count + 1):
            page = document[number - 1]
            text, layout = page_texts(page)
            page.close()
            layout = layout if holds_table(text) else ""
            characters += len(text) + len(layout)
            if characters > limits["characters"]:
                yield {"error": "characters", "detail": f"{characters:,}"}
                return
            yield {"number": number, "text": text, "layout": layout}


def main(arguments: list[str]) -> None:
    """Print one file's records; what PDFium cannot follow is reported as `damaged`."""
    from pypdfium2 import PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDF_ERR_SUCCESS

    path, limits = Path(arguments[0]), json.loads(arguments[1])
    _die_with_parent(int(arguments[2]))
    _limit(limits, None)
    page = 0
    try:
        for record in _read(path, limits):
            _emit(record)
            page = record.get("number", page)
    except MemoryError:
        _emit({"error": "memory"})
    except PdfiumError as error:
        # A document that PDFium loads without complaint, yet not at all, is one without pages.
        kind = {FPDF_ERR_PASSWORD: "encrypted", FPDF_ERR_SUCCESS: "no_pages"}.get(error.err_code, "damaged")
        _emit({"error": kind, "detail": str(error)[:300], "page": page + bool(page)})


if __name__ == "__main__":
    main(sys.argv[1:])
