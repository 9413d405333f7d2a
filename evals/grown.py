"""Homes and databases of any size: the documents of an indexed home, stored again and again under invented companies'
names, as if each had been read from a file of its own. Vectors are turned by a little seeded noise, so that no two are
alike."""

from __future__ import annotations

import hashlib
import json
import random
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from evals.records import DATA
from tools.documents.types import Document, ParsedDocument
from tools.knowledge.types import Triplet
from tools.store.disk.home import Entry, Home, Manifest
from tools.store.disk.lock import WriterLock
from tools.store.disk.records import StoredRecord, write_record
from tools.store.generation.vector_builder import build_generation
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.chunk_rows import write_chunks
from tools.store.postgres.chunk_table import ChunkTable
from tools.store.postgres.database import Database
from tools.store.postgres.home_contents import NewChunk, new_chunks
from tools.store.postgres.published import current_of
from tools.store.postgres.schema import bring_forward
from tools.store.postgres.stored_rows import IndexParts
from tools.vector.embeddings import LocalEmbeddings, Vectors

SAMPLES = DATA / "sample.jsonl"
SHORT_NAMES = 3_000
"""Companies whose names have three syllables: there are 3,360 such names."""
NOISE = 0.3
"""Length of what is added to a vector of length 1: copies of a chunk have a cosine of about 0.92."""
T = TypeVar("T")
_SYLLABLES = (
    "bal",
    "cor",
    "den",
    "fen",
    "gar",
    "hol",
    "kel",
    "lin",
    "mor",
    "nor",
    "pel",
    "quar",
    "ros",
    "sten",
    "tal",
    "ver",
)
_KINDS = ("Foundry", "Holdings", "Instruments", "Logistics", "Materials", "Partners", "Systems", "Works")


@dataclass(frozen=True, slots=True)
class Invented:
    """A company that is none."""

    name: str
    ticker: str


def invented(seed: int) -> Iterator[Invented]:
    """Companies without end, no two of one name; the same seed gives the same."""
    chance = random.Random(seed)
    taken: set[str] = set()
    while True:
        stem = "".join(chance.sample(_SYLLABLES, 3 if len(taken) < SHORT_NAMES else 4)).capitalize()
        if stem not in taken:
            taken.add(stem)
            yield Invented(f"{stem} {chance.choice(_KINDS)}", f"Z{len(taken):05d}")


class Renaming:
    """What a base company is called, and what a copy of it is called instead."""

    def __init__(self, documents: Sequence[Document], to: Invented) -> None:
        """`documents`: all of one company."""
        self._to = to
        names = {name for each in documents for name in (each.company, *each.aliases, each.ticker or "")}
        names |= {name.split(",")[0].split()[0] for name in names if name}
        ordered = sorted(filter(None, names), key=len, reverse=True)
        self._called = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in ordered))
        self._tickers = {each.ticker for each in documents}

    def __call__(self, text: str) -> str:
        return self._called.sub(self._other, text)

    def taken_out(self, text: str) -> str:
        """The text without the company's names."""
        return " ".join(re.sub(rf"(?:{self._called.pattern})(?:['\u2019]s)?", "", text).split())

    def document(self, document: Document) -> Document:
        """The copy's, with an id of its own."""
        path = f"{self._to.ticker}/{document.name}"
        identity = hashlib.sha256(f"{document.id} {self._to.name}".encode()).hexdigest()[:16]
        return replace(
            document, id=identity, path=path, title=self(document.title), company=self._to.name,
            company_key=self._to.ticker, ticker=self._to.ticker, aliases=(self._to.name.split()[0],),
        )  # fmt: skip

    def _other(self, match: re.Match[str]) -> str:
        if match[0] in self._tickers:
            return self._to.ticker
        return self._to.name if " " in match[0] else self._to.name.split()[0]


def grow(base: Path, target: Path, chunks: int, seed: int, density: float | None = None) -> list[Invented]:
    """A home at `target`, which must not exist, of at least so many chunks: copies of all documents of the home
    `base`, by turns, with about `density` triplets a chunk (None: all). Returns whom they are of. Raises the store's
    errors."""
    by_company = _originals(base)
    if density is not None:
        _thin([original for originals in by_company.values() for original in originals], density)
    noise = np.random.default_rng(seed)
    companies: list[Invented] = []
    entries: list[Entry] = []
    with WriterLock.take(target):
        for to, rename, originals in _copies(by_company, chunks, seed):
            entries += (original.stored_again(target, rename, noise) for original in originals)
            companies.append(to)
        place = Home(target)
        embedder = Home(base).manifest().embedder
        whole = Manifest(embedder, tuple(sorted(entries, key=lambda each: each.document_id)))
        place.set_manifest(whole)
        build_generation(place, whole)
    return companies


def grow_rows(
    base: Path, address: StoreAddress, chunks: int, seed: int, on_step: Callable[[str], None]
) -> None:
    """An empty database with the chunks of so many copies, and nothing else of an index. DatabaseError, and the store's
    errors."""
    by_company = _originals(base)
    noise = np.random.default_rng(seed)

    def copied() -> Iterator[list[NewChunk]]:
        for _, rename, originals in _copies(by_company, chunks, seed):
            for original in originals:
                parsed, vectors = original.copied(rename, noise)
                yield from new_chunks(parsed.chunks, {parsed.document.id: parsed.document}, vectors)

    with Database(address).writing() as connection:
        bring_forward(connection, address)
        write_chunks(connection, 1, copied(), on_step)
        embedder = Home(base).manifest().embedder
        connection.execute("UPDATE hybridrag.store SET current = 1, embedder = %s", (embedder,))


def searchable_rows(base: Path, address: StoreAddress, seed: int) -> tuple[ChunkTable, list[Invented]]:
    """What `grow_rows` wrote, to be searched, and whom it is of. DatabaseError."""
    database = Database(address)
    with database.reading() as connection:
        rows = connection.execute(
            "SELECT document_id, count(*) FROM hybridrag.embeddings GROUP BY document_id"
        ).fetchall()
        key, _ = current_of(connection)
    counts = dict(rows)
    assert key is not None
    documents: dict[str, Document] = {}
    companies = []
    for to, rename, originals in _copies(_originals(base), sys.maxsize, seed):
        copies = [rename.document(original.parsed.document) for original in originals]
        if not any(copy.id in counts for copy in copies):
            break
        documents |= {copy.id: copy for copy in copies if copy.id in counts}
        companies.append(to)
    parts = IndexParts(0, counts, {})
    return ChunkTable(database, key, documents, parts, "", None, LocalEmbeddings(threads=2)), companies


def _originals(base: Path) -> dict[str, list[_Original]]:
    """By company."""
    by_company: dict[str, list[_Original]] = {}
    for entry in Home(base).manifest().entries:
        original = _Original.of(StoredRecord(base, entry.record, entry.name))
        by_company.setdefault(original.parsed.document.company_key, []).append(original)
    return by_company


def _copies(
    by_company: Mapping[str, Sequence[_Original]], chunks: int, seed: int
) -> Iterator[tuple[Invented, Renaming, Sequence[_Original]]]:
    """Whom to copy which documents for, until there are so many chunks."""
    stored = 0
    for number, to in enumerate(invented(seed)):
        originals = by_company[sorted(by_company)[number % len(by_company)]]
        yield to, Renaming([each.parsed.document for each in originals], to), originals
        stored += sum(len(each.parsed.chunks) for each in originals)
        if stored >= chunks:
            return


@dataclass(frozen=True, slots=True)
class _Original:
    record: StoredRecord
    parsed: ParsedDocument
    triplets: list[Triplet]

    @classmethod
    def of(cls, record: StoredRecord) -> _Original:
        return cls(record, record.parsed(), record.triplets())

    def copied(self, rename: Renaming, noise: np.random.Generator) -> tuple[ParsedDocument, Vectors]:
        """Of another company: what was read, and the turned vectors of all that was embedded."""
        document = rename.document(self.parsed.document)
        ids = {each.id: _other_id(each.id, document) for each in self.parsed.chunks}
        parsed = replace(
            self.parsed,
            document=document,
            pages=tuple(replace(page, text=rename(page.text)) for page in self.parsed.pages),
            chunks=tuple(
                replace(
                    each, id=ids[each.id], document_id=document.id, text=rename(each.text),
                    embed_text=rename(each.embed_text), section=rename(each.section),
                )
                for each in self.parsed.chunks
            ),
        )  # fmt: skip
        vectors = self.record.embeddings()
        turned = vectors + NOISE * _unit(noise.standard_normal(vectors.shape))
        return parsed, _unit(turned).astype(np.float32)

    def stored_again(self, home: Path, rename: Renaming, noise: np.random.Generator) -> Entry:
        """Of another company, as a record of `home`."""
        parsed, vectors = self.copied(rename, noise)
        document = parsed.document
        ids = {each.id: _other_id(each.id, document) for each in self.parsed.chunks}
        triplets = [
            replace(
                each, id=_other_id(each.id, document), document_id=document.id, document=document.name,
                company=document.company, company_key=document.company_key, head=rename(each.head),
                tail=rename(each.tail), quote=rename(each.quote), chunk_id=ids.get(each.chunk_id, ""),
            )
            for each in self.triplets
        ]  # fmt: skip
        seal = self.record.seal()
        file = hashlib.sha256(document.id.encode()).hexdigest()
        key = replace(seal.key, sha256=document.id + file[16:], path=document.path)
        source = home / document.path
        folder = write_record(Home(home).documents, key, source, parsed, triplets, vectors, None)
        return StoredRecord(home, folder, document.name).entry()


def _thin(originals: Sequence[_Original], density: float) -> None:
    """Leave each document the share of its triplets with which all together have `density` a chunk."""
    chunks = sum(len(original.parsed.chunks) for original in originals)
    share = min(1.0, density * chunks / max(1, sum(len(original.triplets) for original in originals)))
    for original in originals:
        original.triplets[:] = evenly(original.triplets, share)


def evenly(items: Sequence[T], share: float) -> list[T]:
    """So much of them, spread over all."""
    places = np.linspace(0, len(items) - 1, round(share * len(items))).round().astype(int)
    return [items[place] for place in places.tolist()]


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _other_id(known: str, document: Document) -> str:
    return hashlib.sha256(f"{known} {document.id}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Asked:
    """A sample question, put about an invented company."""

    company: str
    """Key."""
    named: str
    bare: str
    """The same without a company's name."""


def known(home: Path, seed: int) -> list[Invented]:
    """Whose documents a home holds that `grow` made. The store's errors."""
    entries = Home(home).manifest().entries
    tickers = {StoredRecord(home, entry.record, entry.name).document().company_key for entry in entries}
    return [each for each, _ in zip(invented(seed), tickers, strict=False)]


def asked_of(base: Path, companies: Sequence[Invented], questions: Path = SAMPLES) -> list[Asked]:
    """The questions of a file, of companies of the home `base`, each about the first copy of its company."""
    originals: dict[str, list[Document]] = {}
    for entry in Home(base).manifest().entries:
        document = StoredRecord(base, entry.record, entry.name).document()
        originals.setdefault(document.company_key, []).append(document)
    first = dict(zip(sorted(originals), companies, strict=False))
    renames = {key: Renaming(originals[key], to) for key, to in first.items()}
    found = []
    for line in questions.read_text(encoding="utf-8").splitlines():
        fields = json.loads(line)
        if rename := renames.get(fields.get("company")):
            question = fields["question"]
            found.append(Asked(first[fields["company"]].ticker, rename(question), rename.taken_out(question)))
    return found
