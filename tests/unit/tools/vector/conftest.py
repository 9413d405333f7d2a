"""Small real inputs for the vector side: an embedder of words, documents, chunks, an index of them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.postgres_here import PostgresHere
from tools.documents.structure import chunking
from tools.documents.types import Chunk, DocType, Document, Page
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.chunk_table import ChunkTable
from tools.store.postgres.database import Database
from tools.store.postgres.home_contents import new_chunks, parts_of
from tools.store.postgres.publishing import write_chunks
from tools.store.postgres.schema import bring_forward
from tools.store.postgres.stored_rows import GenerationKey
from tools.vector.chunk_index import ChunkIndex
from tools.vector.index import VectorIndex
from tools.vector.index_record import IndexRecord
from tools.vector.passages import PassageIndex, passages_of


class WordEmbedder:
    """An Embedder that needs no model: words hashed into a vector."""

    id = "words-64"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.full((len(texts), self.dimension), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[zlib.crc32(word.encode()) % self.dimension] += 1
        unit: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return unit.astype(np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        row: NDArray[np.float32] = self.embed([text])[0]
        return row


def make_document(
    name: str,
    company_key: str,
    doc_type: DocType = "10-Q",
    period_end: date | None = None,
    fiscal_year: int | None = None,
    fiscal_quarter: int | None = None,
) -> Document:
    return Document(
        id=hashlib.sha256(name.encode()).hexdigest()[:16],
        name=name,
        path=name,
        title=name,
        company=f"{company_key.title()} Inc.",
        company_key=company_key,
        ticker=company_key,
        aliases=(company_key,),
        doc_type=doc_type,
        fiscal_year=fiscal_year,
        fiscal_quarter=fiscal_quarter,
        period_end=period_end,
        pages=9,
    )


def make_chunks(document: Document, *texts: str) -> list[Chunk]:
    return [
        Chunk(
            id=hashlib.sha256(f"{document.id} {number} {text}".encode()).hexdigest()[:16],
            document_id=document.id,
            text=text,
            embed_text=f"{document.company_key} {text}",
            pages=(number, number + 1),
            section=f"Item {number}",
            kind="prose",
        )
        for number, text in enumerate(texts, start=1)
    ]


@dataclass
class Corpus:
    """Documents with their chunks, and how to index them."""

    documents: dict[str, Document]
    chunks: list[Chunk]

    def without(self, *names: str) -> Corpus:
        gone = {document.id for document in self.documents.values() if document.name in names}
        return Corpus(
            {key: document for key, document in self.documents.items() if key not in gone},
            [chunk for chunk in self.chunks if chunk.document_id not in gone],
        )

    def __add__(self, other: Corpus) -> Corpus:
        return Corpus(self.documents | other.documents, self.chunks + other.chunks)

    def ids(self) -> list[str]:
        return [chunk.id for chunk in self.chunks]

    def said(self) -> list[str]:
        """The texts of all passages, chunk by chunk."""
        return [
            passage.text
            for chunk in self.chunks
            for passage in passages_of(chunk, self.documents[chunk.document_id])
        ]

    def build(self, folder: Path) -> None:
        embedder = WordEmbedder()
        vectors = embedder.embed([chunk.embed_text for chunk in self.chunks])
        said = embedder.embed(self.said())
        VectorIndex.build(folder, self.chunks, self.documents, vectors, embedder.id, said)


def corpus_of(texts: Mapping[str, tuple[Document, Sequence[str]]]) -> Corpus:
    return Corpus(
        {document.id: document for document, _ in texts.values()},
        [chunk for document, lines in texts.values() for chunk in make_chunks(document, *lines)],
    )


def call_of(document: Document, remarks: str, *exchanges: tuple[str, str, str, str]) -> Corpus:
    """A call as it is read: Marta Lindqvist's remarks, then (asker, question, answerer, answer)."""
    asked = "\n".join(
        f"Operator\n{asker} is next.\n{asker}\n{question}\n{answerer}\n{answer}"
        for asker, question, answerer, answer in exchanges
    )
    askers = "\n".join(f"{asker}--Harbor Bank -- Analyst" for asker in dict.fromkeys(e[0] for e in exchanges))
    text = (
        f"{document.company} Earnings Call Transcript\nCall participants\n"
        "Marta Lindqvist--Chief Executive Officer\nTom Birch--Chief Financial Officer\n"
        f"{askers}\nPrepared Remarks\nMarta Lindqvist\n{remarks}\nQuestions and Answers\n{asked}\n"
    )
    return Corpus({document.id: document}, list(chunking.chunk(document, [Page(1, text)], []).chunks))


@pytest.fixture
def corpus() -> Corpus:
    """Two companies, three filings and a call, one of them with nothing but its year known."""
    boiler = "Forward-looking statements involve risks."
    return corpus_of(
        {
            "apex1": (
                make_document("apex-q1.pdf", "APEX", "10-Q", date(2023, 3, 31), 2023, 1),
                ["Chip sales rose on data center demand.", "Inventory fell.", boiler, boiler.upper() + " "],
            ),
            "apex2": (
                make_document("apex-q2.pdf", "APEX", "10-Q", date(2023, 6, 30), 2023, 2),
                ["Chip sales fell on weak phone demand.", "Inventory rose.", boiler],
            ),
            "bolt": (
                make_document("bolt-q2.pdf", "BOLT", "10-Q", date(2023, 7, 29), 2023, 2),
                ["Store traffic fell and shrink rose.", "Inventory fell.", boiler],
            ),
            "boltcall": (
                make_document("bolt-call.pdf", "BOLT", "call", None, 2023, None),
                ["We opened four stores.", "Chip cards failed at our registers."],
            ),
        }
    )


@pytest.fixture
def in_folder(corpus: Corpus, tmp_path: Path) -> Iterator[VectorIndex]:
    corpus.build(tmp_path / "alone")
    index = VectorIndex.open(tmp_path / "alone", WordEmbedder())
    yield index
    index.close()


Kept = Callable[[Corpus, Path], AbstractContextManager[ChunkIndex]]


@pytest.fixture(params=["folder", "postgres"])
def kept(request: pytest.FixtureRequest) -> Kept:
    """Opens an index of a corpus, built in a folder and kept there or in a database."""
    if request.param == "folder":
        return kept_in_folder
    return partial(kept_in_database, request.getfixturevalue("postgres"))


@contextmanager
def kept_in_folder(corpus: Corpus, folder: Path) -> Iterator[ChunkIndex]:
    corpus.build(folder)
    index = VectorIndex.open(folder, WordEmbedder())
    yield index
    index.close()


@contextmanager
def kept_in_database(postgres: PostgresHere, corpus: Corpus, folder: Path) -> Iterator[ChunkIndex]:
    """Published as a folder's index is, without the rest of a home."""
    corpus.build(folder)
    record, embedder = IndexRecord.load(folder / "vectors.json"), WordEmbedder()
    vectors = embedder.embed([chunk.embed_text for chunk in corpus.chunks])
    database = Database(address := StoreAddress.of(postgres.emptied()))
    with database.writing() as connection:
        bring_forward(connection, address)
        write_chunks(connection, 1, new_chunks(corpus.chunks, corpus.documents, vectors), print)
        ((published,),) = connection.execute("SELECT published FROM hybridrag.generations").fetchall()
    passages = PassageIndex.load(folder / "passages") if (folder / "passages").is_dir() else None
    key = GenerationKey(1, published)
    table = ChunkTable(database, key, corpus.documents, parts_of(record), record.digest, passages, embedder)
    yield table
    table.close()


@pytest.fixture
def opened(corpus: Corpus, kept: Kept, tmp_path: Path) -> Iterator[ChunkIndex]:
    """The corpus in each of the stores: what holds of an index of chunks holds of both."""
    with kept(corpus, tmp_path / "generation") as index:
        yield index


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def make() -> Callable[[Mapping[str, tuple[Document, Sequence[str]]]], Corpus]:
    return corpus_of


@pytest.fixture
def document() -> Callable[..., Document]:
    return make_document


@pytest.fixture
def call() -> Callable[..., Corpus]:
    return call_of
