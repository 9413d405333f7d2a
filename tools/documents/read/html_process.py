"""The process that parses one web page and prints its pages as JSON lines.

Run as `python -m tools.documents.read.html_process FILE LIMITS PARENT`: a path, `Limits` as JSON, the parent's process
id. A hostile file can only exhaust this process. Protocol on stdout, one JSON object a line: a page as
`serial.dump_record` writes it, or `{"error", "detail"}` and nothing after.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.documents.read.limited import bind_limits, die_with_parent, emit


def _print_pages(path: Path, limits: Mapping[str, Any]) -> None:
    from tools.documents.read.html import read_html
    from tools.documents.serial import dump_record

    characters = 0
    for page in read_html(path.read_bytes()):
        characters += len(page.text) + len(page.layout)
        if page.number > limits["pages"]:
            emit({"error": "pages", "detail": f"more than {limits['pages']:,}"})
            return
        if characters > limits["characters"]:
            emit({"error": "characters", "detail": f"{characters:,}"})
            return
        sys.stdout.buffer.write(dump_record(page))
    sys.stdout.flush()


def main(arguments: list[str]) -> None:
    """Print one file's pages, or what is wrong with it."""
    from lxml.etree import LxmlError

    from tools.documents.read.html_source import NotHtmlError

    path, limits = Path(arguments[0]), json.loads(arguments[1])
    die_with_parent(int(arguments[2]))
    bind_limits(limits, None)
    try:
        _print_pages(path, limits)
    except NotHtmlError as error:
        emit({"error": "not_html", "detail": str(error)})
    except LxmlError as error:
        known = "unknown error" not in str(error)  # what libxml2 says when it gets no memory
        emit({"error": "guard", "detail": str(error)[:300]} if known else {"error": "memory"})
    except MemoryError:
        emit({"error": "memory"})


if __name__ == "__main__":
    main(sys.argv[1:])
