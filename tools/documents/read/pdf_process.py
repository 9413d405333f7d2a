"""The process that parses one PDF and prints its pages as JSON lines.

Run as `python -m tools.documents.read.pdf_process FILE LIMITS PARENT`: a path, `child.Limits` as JSON, the parent's
process id.

A hostile or broken PDF can only exhaust this process. Protocol on stdout, one JSON object a line:
`{"pages": n}` first, then `{"number", "text", "layout"}` a page, or `{"error", "detail", "page"}` and nothing
after.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tools.documents.read.limited import bind_limits, die_with_parent, emit


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
        bind_limits(limits, count)
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
    die_with_parent(int(arguments[2]))
    bind_limits(limits, None)
    page = 0
    try:
        for record in _read(path, limits):
            emit(record)
            page = record.get("number", page)
    except MemoryError:
        emit({"error": "memory"})
    except PdfiumError as error:
        # A document that PDFium loads without complaint, yet not at all, is one without pages.
        kind = {FPDF_ERR_PASSWORD: "encrypted", FPDF_ERR_SUCCESS: "no_pages"}.get(error.err_code, "damaged")
        emit({"error": kind, "detail": str(error)[:300], "page": page + bool(page)})


if __name__ == "__main__":
    main(sys.argv[1:])
