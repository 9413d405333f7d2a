"""Files to pages, within limits: PDFs, web pages and office files in a child process, text files in place."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from tools.documents import errors
from tools.documents.read.child import DEFAULT_LIMITS, Limits, OnPage, damaged, over, read_in_child
from tools.documents.read.office_frame import KINDS as OFFICE_KINDS
from tools.documents.read.office_frame import check_office
from tools.documents.read.text_files import TEXT_SUFFIXES, read_text
from tools.documents.types import Page

PDF_SUFFIXES = frozenset({".pdf"})
HTML_SUFFIXES = frozenset({".htm", ".html"})
SUFFIXES = PDF_SUFFIXES | HTML_SUFFIXES | OFFICE_KINDS.keys() | TEXT_SUFFIXES
KINDS = ", ".join(sorted(SUFFIXES))
"""`SUFFIXES` in words."""


def read_pages(
    path: Path, *, limits: Limits = DEFAULT_LIMITS, on_page: OnPage | None = None
) -> tuple[Page, ...]:
    """The pages of a file of one of `SUFFIXES`, cleaned by `text.clean`.

    A page's `layout` is filled where the page seems to hold a table. See `read_text`, `html.read_html`,
    `docx.read_docx` and `xlsx.read_xlsx` for where the pages of other files than PDFs end. `on_page` is told of each
    page.

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
        elif path.suffix.lower() in OFFICE_KINDS:
            check_office(path)
            kind = OFFICE_KINDS[path.suffix.lower()]
            pages = read_in_child("tools.documents.read.office_process", kind, path, limits, on_page)
        else:
            pages = read_text(path, limits)
            if on_page is not None:
                for page in pages:
                    on_page(page, len(pages))
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
