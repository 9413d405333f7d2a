"""Files to pages, within limits: PDFs in a child process, text files in place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO

from tools.documents import errors
from tools.documents.read.child import DEFAULT_LIMITS, Limits, OnPage, damaged, over, read_in_child
from tools.documents.read.layout import holds_table
from tools.documents.text.cleaning import clean
from tools.documents.types import Page

PDF_SUFFIXES = frozenset({".pdf"})
TEXT_SUFFIXES = frozenset({".txt", ".md"})
HTML_SUFFIXES = frozenset({".htm", ".html"})
SUFFIXES = PDF_SUFFIXES | TEXT_SUFFIXES | HTML_SUFFIXES
KINDS = ".pdf, .htm, .html, .txt or .md"
"""`SUFFIXES` in words."""

_MIN_TEXT_PAGE = 3_000


def read_pages(
    path: Path, *, limits: Limits = DEFAULT_LIMITS, on_page: OnPage | None = None
) -> tuple[Page, ...]:
    """The pages of a .pdf, .htm, .html, .txt or .md file, cleaned by `text.clean`.

    A page's `layout` is filled where the page seems to hold a table. A text file's pages end at form feeds
    or, where it has none, at the first paragraph end after about 3,000 characters. `on_page`: told of each page of
    a file that a child process reads.

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
            raise over(path.name, "file size", f"{size:,} bytes", f"{limits.file_bytes:,} bytes")
        if path.suffix.lower() in PDF_SUFFIXES:
            with path.open("rb") as file:
                _check_frame(path.name, file, size)
            pages = read_in_child("tools.documents.read.pdf_process", "PDF", path, limits, on_page)
        elif path.suffix.lower() in HTML_SUFFIXES:
            pages = read_in_child("tools.documents.read.html_process", "page", path, limits, on_page)
        else:
            pages = _read_text(path)
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


def _check_frame(name: str, file: IO[bytes], size: int) -> None:
    """Head and tail of a PDF: PDFium repairs a truncated file to fewer pages, without a word."""
    head = file.read(1024)
    if b"%PDF-" not in head:
        raise errors.NotPdfError(
            name,
            "it is named .pdf, but its content is not a PDF.",
            "Rename it to what it is, or leave it out.",
        )
    file.seek(max(0, size - 16_384))
    if b"%%EOF" not in file.read():
        raise damaged(name, "PDF", "its end is missing: truncated")


def _read_text(path: Path) -> tuple[Page, ...]:
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.NotTextError(
            path.name, f"it is not UTF-8 text (byte {error.start}).", "Convert it to UTF-8."
        ) from error
    if "\0" in text:
        raise errors.NotTextError(path.name, "it holds NUL bytes, so it is not text.", "Leave it out.")
    pages = []
    for number, page in enumerate(_text_pages(text), 1):
        page = clean(page)
        pages.append(Page(number, page, page if holds_table(page) else ""))
    return tuple(pages)


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
