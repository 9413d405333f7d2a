"""What an office file is by its first bytes, before anything opens it."""

from __future__ import annotations

from pathlib import Path

from tools.documents import errors

_PACKAGE = b"PK\x03\x04"
_COMPOUND = bytes.fromhex("d0cf11e0a1b11ae1")
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
KINDS = {".docx": "Word document", ".xlsx": "workbook"}
"""Ending -> what such a file is called."""
OLD_FORMATS = {
    ".doc": "an old Word format; save it as .docx",
    ".xls": "an old Excel format; save it as .xlsx",
}
"""Why a file of the formats before 2007 is not read, and what to do."""


def check_office(path: Path) -> None:
    """Raise what keeps a .docx or .xlsx from being opened: a password, an old format, other content."""
    with path.open("rb") as file:
        head = file.read(8)
        is_encrypted = head == _COMPOUND and _ENCRYPTED in head + file.read()
    suffix = path.suffix.lower()
    if is_encrypted:
        raise errors.EncryptedError(
            path.name, "the file is encrypted and needs a password.", "Save a copy without a password."
        )
    if head == _COMPOUND:
        raise errors.OldFormatError(
            path.name,
            f"it is named {suffix}, but its content is of the format before 2007.",
            f"Open it and save it as {suffix}.",
        )
    if not head.startswith(_PACKAGE):
        raise wrong_content(path.name)


def wrong_content(name: str) -> errors.WrongContentError:
    """The file is no document of the kind its name says."""
    suffix = Path(name).suffix.lower()
    return errors.WrongContentError(
        name,
        f"it is named {suffix}, but its content is not a {KINDS[suffix]}.",
        "Rename it to what it is, or leave it out.",
    )
