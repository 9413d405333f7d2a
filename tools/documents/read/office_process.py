"""The process that reads one .docx or .xlsx and prints its pages as JSON lines.

Run as `python -m tools.documents.read.office_process FILE LIMITS PARENT`, with the protocol of `html_process`.
Nothing in the file is run: no macro, no formula, no link; entities are not resolved.
"""

from __future__ import annotations

import json
import logging
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from tools.documents.read.limited import bind_limits, die_with_parent, emit
from tools.documents.serial import dump_record
from tools.documents.types import Page

UNPACKED_SHARE = 4
"""Bytes of markup allowed for a character of text."""


def _read(path: Path) -> Iterator[Page]:
    if path.suffix.lower() == ".docx":
        from tools.documents.read.docx import read_docx

        return read_docx(path)
    from tools.documents.read.xlsx import read_xlsx

    return read_xlsx(path)


def _records(path: Path, limits: Mapping[str, Any]) -> Iterator[dict[str, Any] | Page]:
    with ZipFile(path) as archive:
        names = set(archive.namelist())
        unpacked = sum(entry.file_size for entry in archive.infolist())
    part = "word/" if path.suffix.lower() == ".docx" else "xl/"
    if not any(name.startswith(part) for name in names):
        yield {"error": "wrong_content"}
        return
    if unpacked > UNPACKED_SHARE * limits["characters"]:
        yield {"error": "unpacked", "detail": f"{unpacked:,} bytes"}
        return
    characters = 0
    for page in _read(path):
        characters += len(page.text) + len(page.layout)
        if characters > limits["characters"]:
            yield {"error": "characters", "detail": f"{characters:,}"}
            return
        if page.number > limits["pages"]:
            yield {"error": "pages", "detail": f"more than {limits['pages']:,}"}
            return
        yield page


def main(arguments: list[str]) -> None:
    """Print one file's records; what the library cannot follow is reported as `damaged`."""
    path, limits = Path(arguments[0]), json.loads(arguments[1])
    die_with_parent(int(arguments[2]))
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    bind_limits(limits, None)
    try:
        for record in _records(path, limits):
            if isinstance(record, Page):
                sys.stdout.buffer.write(dump_record(record))
            else:
                emit(record)
        sys.stdout.flush()
    except MemoryError:
        emit({"error": "memory"})
    except (
        ArithmeticError,
        AttributeError,
        BadZipFile,
        EOFError,
        LookupError,
        NotImplementedError,
        RecursionError,
        RuntimeError,
        SyntaxError,
        TypeError,
        ValueError,
    ) as error:  # what the libraries raise on broken files; anything else ends the process, and the parent says so
        cause = error.__cause__ or error  # openpyxl wraps it in words of its own, with the file's whole path
        words = str(cause).split("\n")[0]
        emit({"error": "damaged", "detail": f"{type(cause).__name__}: {words}"[:300]})


if __name__ == "__main__":
    main(sys.argv[1:])
