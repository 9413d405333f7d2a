"""Records on disk that no manifest names: what a killed run finished, and what nothing needs any more."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from tools.model.cache import forget, journals
from tools.store.disk.home import CURRENT, MANIFEST, REMOVAL, Home, Manifest, delete_tree, writing
from tools.store.disk.records import DRAFT, StoredRecord
from tools.store.errors import RecordDamagedError
from tools.store.reading.plan import RecipeKey


def pending(home: Home) -> list[str]:
    """Folders of all whole records."""
    if not home.documents.is_dir():
        return []
    return sorted(path.name for path in home.documents.iterdir() if not path.name.startswith("."))


def drafts(home: Home) -> list[Path]:
    """What a kill left half written or half deleted: records, and the home's own small files."""
    small = [path for name in (MANIFEST, CURRENT, REMOVAL) for path in home.root.glob(f".{name}.*")]
    return sorted([*small, *home.documents.glob(f"{DRAFT}*"), *home.documents.glob(".doomed-*")])


def delete_drafts(home: Home) -> None:
    """The caller holds the writer's lock: nobody is at work on any. HomeWriteError."""
    with writing(home.root):
        for path in drafts(home):
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def delete_leftovers(home: Home, manifest: Manifest, key: RecipeKey) -> None:
    """Delete unfinished records, and records that no manifest will name again.

    What a killed run finished is kept for its rerun: records of files that are not in the manifest, made as
    this run would make them. HomeWriteError.
    """
    named = {entry.record for entry in manifest.entries}
    sources = {path for entry in manifest.entries for path in (entry.source, *entry.same_as)}
    delete_drafts(home)
    with writing(home.root):
        for folder in pending(home):
            if folder not in named and not _may_be_used(home, folder, sources, key):
                delete_tree(home.documents / folder)


def _may_be_used(home: Home, folder: str, sources: set[str], key: RecipeKey) -> bool:
    try:
        seal = StoredRecord(home.root, folder).seal()
    except RecordDamagedError:
        return False
    made_by = (seal.key.code, seal.key.extractor, seal.key.embedder)
    return seal.source not in sources and made_by == (key.code, key.extractor, key.embedder)


def forget_replaced(home: Home, before: Manifest, manifest: Manifest, read: Mapping[str, str]) -> None:
    """Delete the kept replies for content that the index no longer holds: of documents that left the manifest, and
    of former contents of files of this run (`read`: source -> document id) that are in it now. HomeWriteError.

    Those of a document that was never finished stay for its rerun.
    """
    with writing(home.root):
        found = journals(home.cache)
        if not found:
            return
        ids = {entry.document_id for entry in manifest.entries}
        left = {entry.document_id for entry in before.entries} - ids
        settled = {source for source, document_id in read.items() if document_id in ids}
        forget(
            home.cache,
            [
                s.document_id
                for s in found
                if s.document_id in left or (s.document_id not in ids and s.source in settled)
            ],
        )
