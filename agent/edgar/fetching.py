"""Filings in a folder: each file whole or not there, and beside it what it is and where it came from.

FOLDER/AAPL/AAPL 10-Q 20230701 0000320193-23-000077.htm   the primary document as filed
FOLDER/.edgar/0000320193-23-000077.json                   its address, accession number, SHA-256: written last

A fetch that was stopped goes on when it is asked for again: what the JSON file vouches for is not asked for twice.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Literal

import orjson

from agent.edgar.edgar_client import EdgarClient, EdgarError, EdgarMissingError
from agent.edgar.filing_list import Filing
from agent.errors import UsageError
from tools.documents.read.page_reader import KINDS, SUFFIXES
from tools.store.disk.home import replace_file

RECORDS = ".edgar"
"""Hidden: indexing leaves such folders alone."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What became of a filing."""

    filing: Filing
    state: Literal["fetched", "kept", "skipped"]
    """`kept`: by an earlier fetch."""
    path: Path | None
    """The document; None where it was skipped."""
    reason: str = ""
    """Why it was skipped."""


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Lets one process fetch into `folder`, which is made. EdgarError where another does; UsageError where the system
    refuses."""
    try:
        (folder / RECORDS).mkdir(parents=True, exist_ok=True)
        held = (folder / RECORDS / "lock").open("w")
    except OSError as error:
        raise UsageError(f"Can't fetch into '{folder}': {error.strerror or error}.") from error
    with held as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EdgarError(f"Another process is fetching into '{folder}'. Wait until it ends.") from error
        yield


def fetch(client: EdgarClient, filing: Filing, folder: Path, called: str) -> Fetched:
    """The filing's primary document, in `folder`, by the name that the company is `called` there.

    The caller holds `one_at_a_time`. One that EDGAR does not have, or of a kind that is not read, is skipped with the
    reason. EdgarError, OSError.
    """
    suffix = PurePosixPath(filing.url).suffix.lower()
    if not filing.url:
        return Fetched(filing, "skipped", None, "an old filing that names no document of its own")
    if suffix not in SUFFIXES:
        return Fetched(filing, "skipped", None, f"not a kind of file that is read ({KINDS})")
    parts = (called, filing.form, filing.report_date or filing.filed, filing.accession)
    plain = [_plain(part) for part in parts]
    plain[2] = plain[2].replace("-", "")  # a date; a year of four digits would be read as a label
    path = folder / plain[0] / f"{' '.join(plain)}{suffix}"
    if (there := _kept(folder, filing)) is not None:
        return Fetched(filing, "kept", there)
    try:
        body = client.get(filing.url)
    except EdgarMissingError as error:
        return Fetched(filing, "skipped", None, str(error))
    if not body.strip():
        raise EdgarError(f"EDGAR sent an empty document for {filing.url}.")
    for half in path.parent.glob(f".{path.name}.*"):
        half.unlink()  # of a fetch that was killed
    replace_file(path, body)
    record = {
        **asdict(filing),
        "document": path.relative_to(folder).as_posix(),
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
        "fetched": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    replace_file(_record(folder, filing), orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")
    return Fetched(filing, "fetched", path)


def _kept(folder: Path, filing: Filing) -> Path | None:
    """The document, where it is there as it was fetched, whatever the company was called then."""
    with suppress(FileNotFoundError, orjson.JSONDecodeError, KeyError, TypeError):
        record = orjson.loads(_record(folder, filing).read_bytes())
        path = folder / record["document"]
        with path.open("rb") as stream:
            sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
        return path if (record["sha256"], record["url"]) == (sha256, filing.url) else None
    return None


def _record(folder: Path, filing: Filing) -> Path:
    return folder / RECORDS / f"{filing.accession}.json"


def _plain(part: str) -> str:
    """As a part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", part).strip(".-")
