"""What can go wrong with a document, as types; each message says what, why and what to do."""

from __future__ import annotations


class DocumentError(Exception):
    """A document, or the list of documents, cannot be read. `str()` is a sentence for the user."""

    kind = "document"
    """A short stable word for logs and JSON output."""

    def __init__(self, what: str, why: str, remedy: str) -> None:
        self.what, self.why, self.remedy = what, why, remedy
        super().__init__(f"{what}: {why} {remedy}")

    def __reduce__(self) -> tuple[type[DocumentError], tuple[str, str, str]]:
        """Survives the trip back from a worker process."""
        return (type(self), (self.what, self.why, self.remedy))


class EncryptedError(DocumentError):
    """The PDF asks for a password."""

    kind = "encrypted"


class DamagedError(DocumentError):
    """The PDF is truncated or its structure cannot be followed."""

    kind = "damaged"


class EmptyFileError(DocumentError):
    """The file has no bytes, or nothing but blanks."""

    kind = "empty"


class NoPagesError(DocumentError):
    """The PDF is well formed and holds no page."""

    kind = "no_pages"


class ScannedError(DocumentError):
    """No page holds text: pictures of pages."""

    kind = "scanned"


class NotPdfError(DocumentError):
    """Named .pdf, but its bytes are something else."""

    kind = "not_pdf"


class NotHtmlError(DocumentError):
    """Named .htm or .html, but its bytes are something else."""

    kind = "not_html"


class WrongContentError(DocumentError):
    """Named .docx or .xlsx, but its bytes are something else."""

    kind = "wrong_content"


class OldFormatError(DocumentError):
    """A .doc or .xls file, whatever its name: the binary formats before 2007."""

    kind = "old_format"


class NotTextError(DocumentError):
    """Named .txt or .md, but its bytes are not UTF-8 text."""

    kind = "not_text"


class OverLimitError(DocumentError):
    """A guard against oversized or hostile files was hit; the message names which."""

    kind = "over_limit"


class TimeLimitError(OverLimitError):
    """Reading took longer than the time allowed for the number of pages."""

    kind = "timeout"


class MemoryLimitError(OverLimitError):
    """Reading needed more memory than allowed."""

    kind = "memory"


class UnreadableError(DocumentError):
    """The operating system refuses the file (permissions, a device error)."""

    kind = "unreadable"


class MissingPathError(DocumentError):
    """A path given by the user does not exist."""

    kind = "missing"


class EmptyFolderError(DocumentError):
    """The paths given hold no document of a known kind."""

    kind = "empty_folder"
