"""What an indexing run has to do: files found, hashed, compared with the manifest and with the records on
disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tools.documents.read.parse import Splitter, find_documents, relative_path
from tools.store.disk.home import Entry, Home, Manifest
from tools.store.disk.records import RecordKey, RecordSeal, StoredRecord
from tools.store.errors import RecordDamagedError
from tools.store.reading.flags import said_now
from tools.store.reading.report import FileOutcome, FileState

NO_LONGER_THERE = "the file is no longer there"


@dataclass(frozen=True, slots=True)
class RecipeKey:
    """All but the file that a record depends on."""

    overrides: str
    """As given in this run."""
    splitter: Splitter
    code: str
    extractor: str
    embedder: str
    forget_flags: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """A document that is to be in the index."""

    key: RecordKey
    file: Path
    """As found."""
    root: Path
    same_as: tuple[str, ...]
    before: Entry | None
    """What the manifest has of this file or content."""
    seal: RecordSeal | None
    """Of its record, where that is on disk and sound."""
    size: int

    @property
    def source(self) -> str:
        return str(self.file.resolve())


@dataclass(slots=True)
class Plan:
    """What to do; nothing is changed by making it."""

    wanted: list[Wanted] = field(default_factory=list)
    outcomes: dict[str, FileOutcome] = field(default_factory=dict)
    """Of files that are not to be read, by path as found."""
    order: list[str] = field(default_factory=list)
    """All files and skipped paths, as found, in the order of the report."""
    retained: list[Entry] = field(default_factory=list)
    """Documents of the manifest that this run does not touch."""
    gone: list[Entry] = field(default_factory=list)
    """Those of them whose files lay below a folder of this run and are not there any more."""

    def prune(self) -> None:
        """Let go of the documents that are gone."""
        for entry in self.gone:
            self.retained.remove(entry)
            self.outcomes[entry.source] = FileOutcome(entry.source, "removed", NO_LONGER_THERE, entry)


def make_plan(home: Home, manifest: Manifest, paths: Iterable[Path], recipe_key: RecipeKey) -> Plan:
    """Find and hash the files. Raises MissingPathError, EmptyFolderError of `tools.documents.errors`."""
    paths = list(paths)
    files, skipped = find_documents(paths)
    plan = Plan(order=[str(file) for file, _ in files] + [str(path) for path, _ in skipped])
    for path, reason in skipped:
        plan.outcomes[str(path)] = FileOutcome(str(path), "skipped", reason)
    sources = {str(file.resolve()) for file, _ in files}
    by_source = {entry.source: entry for entry in manifest.entries}
    by_document = {entry.document_id: entry for entry in manifest.entries}
    groups: dict[str, list[tuple[Path, Path]]] = {}
    for file, root in files:
        try:
            groups.setdefault(_hash(file), []).append((file, root))
        except OSError as error:
            reason = f"{file.name}: it cannot be read: {error.strerror or error}."
            plan.outcomes[str(file)] = failure(file, reason, by_source)
    claimed: set[str] = set()
    for sha256, members in groups.items():
        members.sort(key=lambda member: (relative_path(*member), str(member[0])))
        before = by_document.get(sha256[:16])
        if before is not None and before.source not in sources and Path(before.source).is_file():
            kept, others = before, members
            claimed.add(before.document_id)
            others_paths = tuple(str(file.resolve()) for file, _ in members)
            kept = replace(before, same_as=_merged(before.same_as, others_paths))
            plan.retained.append(kept)
        else:
            (file, root), *others = members
            wanted = _want(home, sha256, file, root, others, before, by_source, sources, recipe_key)
            plan.wanted.append(wanted)
            claimed.add(wanted.key.document_id)
            kept = None
        first = kept.source if kept is not None else str(members[0][0])
        for file, _ in others:
            plan.outcomes[str(file)] = FileOutcome(str(file), "same", first)
    plan.retained += _retained(manifest, sources, claimed, plan.outcomes)
    plan.gone = list(_gone(plan.retained, paths))
    for entry in plan.gone:
        plan.order.append(entry.source)
        reason = f"{NO_LONGER_THERE}; what was indexed of it is kept"
        plan.outcomes[entry.source] = FileOutcome(entry.source, "gone", reason, entry)
    return plan


def failure(file: Path, reason: str, by_source: dict[str, Entry]) -> FileOutcome:
    """A file that could not be read; what was indexed of it before stays."""
    before = by_source.get(str(file.resolve()))
    stays = " What was indexed of it before is kept." if before is not None else ""
    return FileOutcome(str(file), "failed", reason + stays, before)


def incomplete(file: Path, reason: str, again: str, by_source: dict[str, Entry]) -> FileOutcome:
    """A file of which a model's endpoint left something open; what was indexed of it before stays."""
    before = by_source.get(str(file.resolve()))
    stays = " What was indexed of it before is kept." if before is not None else ""
    why = f"{reason.rstrip('.')}. Replies paid for are kept; to go on, run again: {again}.{stays}"
    return FileOutcome(str(file), "incomplete", why, before)


def donors(home: Home, wanted: Wanted) -> list[str]:
    """Folders of records that may hold the same texts: of the same content, or of the same file before."""
    names = {path.name for path in home.documents.glob(f"{wanted.key.document_id}-*")}
    if wanted.before is not None and (home.documents / wanted.before.record).is_dir():
        names.add(wanted.before.record)
    return sorted(names - {wanted.key.folder})


def what_became(wanted: Wanted, entry: Entry) -> tuple[FileState, str]:
    """What became of a document that is in the index now."""
    before = wanted.before
    if before is None:
        return "indexed", "read by an earlier run that did not end" if wanted.seal is not None else ""
    if before.record == entry.record and before.source == entry.source:
        return "unchanged", "its stored copy was damaged and read again" if wanted.seal is None else ""
    if before.document_id != entry.document_id:
        return "replaced", "the file has changed"
    if before.source != entry.source:
        return "replaced", f"moved here from {before.source}"
    return "replaced", "same file, read by other settings or by another version of the program"


def _want(
    home: Home,
    sha256: str,
    file: Path,
    root: Path,
    others: list[tuple[Path, Path]],
    before: Entry | None,
    by_source: dict[str, Entry],
    sources: set[str],
    recipe_key: RecipeKey,
) -> Wanted:
    mine = by_source.get(str(file.resolve()))
    known = mine or before
    key = RecordKey(
        sha256=sha256,
        path=relative_path(file, root),
        overrides=said_now(
            recipe_key.overrides, known.flags if known else "", forget=recipe_key.forget_flags
        ),
        splitter=recipe_key.splitter,
        code=recipe_key.code,
        extractor=recipe_key.extractor,
        embedder=recipe_key.embedder,
    )
    same_as = [str(other.resolve()) for other, _ in others]
    if before is not None:
        outside = [path for path in (before.source, *before.same_as) if path not in sources]
        same_as += [path for path in outside if Path(path).is_file()]
    record = StoredRecord(home.root, key.folder, file.name)
    expected = next((e.record_sha256 for e in (before, mine) if e is not None and e.record == key.folder), "")
    seal: RecordSeal | None = None
    if record.exists():
        try:
            seal = record.check(expected)
        except RecordDamagedError:
            seal = None  # read again
    return Wanted(key, file, root, _merged(same_as, ()), known, seal, file.stat().st_size)


def _retained(
    manifest: Manifest, sources: set[str], claimed: set[str], outcomes: dict[str, FileOutcome]
) -> list[Entry]:
    """Documents of files that this run does not cover or could not hash; of a replaced one, its other
    copies.
    """
    kept = []
    for entry in manifest.entries:
        if entry.document_id in claimed:
            continue
        if entry.source not in sources:
            kept.append(entry)
            continue
        if any(o.entry is entry for o in outcomes.values() if o.state in ("failed", "incomplete")):
            kept.append(entry)
            continue
        copies = [path for path in entry.same_as if path not in sources and Path(path).is_file()]
        if copies:
            kept.append(replace(entry, source=copies[0], same_as=tuple(copies[1:])))
    return kept


def _gone(retained: Iterable[Entry], paths: Iterable[Path]) -> Iterator[Entry]:
    """Documents below a given folder of whose files none is there. One that the system can't look at may be there."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    for entry in retained:
        if any(Path(entry.source).is_relative_to(folder) for folder in folders) and all(
            map(_is_missing, (entry.source, *entry.same_as))
        ):
            yield entry


def _is_missing(path: str) -> bool:
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def _merged(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({*first, *second}))


def _hash(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
