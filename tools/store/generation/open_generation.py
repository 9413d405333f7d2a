"""A generation open for reading, wherever it is kept: what it offers, and what is loaded alike everywhere."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tools.closing import Closing
from tools.documents.types import Chunk, Document, Page
from tools.periods import Period
from tools.store.disk.home import MANIFEST, Entry, Manifest
from tools.store.disk.records import StoredRecord
from tools.store.disk.seal import GenerationSeal
from tools.store.disk.user_decisions import USED, digest_of, used_decisions
from tools.store.errors import StoreError
from tools.store.generation.generations import KNOWLEDGE, LINES, ONTOLOGY, line_item_code, read_lines
from tools.vector.embeddings import Embedder

if TYPE_CHECKING:
    from tools.knowledge.graph.decisions import Decision
    from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
    from tools.knowledge.graph.merge_lines import MergeLine
    from tools.ontology.annotated import AnnotatedConcepts
    from tools.vector.chunk_index import ChunkIndex
    from tools.vector.line_vectors import LineVectors


class Generation(Closing):
    """One generation, open for reading until `close`; a context manager. Threads may share it."""

    damaged: Callable[[str], StoreError]
    """The error, of why, that names this generation and the command that mends it. It does not hold the generation."""

    def __init__(
        self,
        number: int,
        seal: GenerationSeal,
        catalog: tuple[dict[str, Document], dict[str, tuple[Period, ...]]],
        embedder: Embedder,
    ) -> None:
        self.number = number
        self.seal = seal
        """Digests and counts."""
        self.documents, self.periods = catalog
        """Documents by id; company key -> periods of its facts and documents."""
        self.embedder = embedder

    @property
    def digest(self) -> str:
        """Of all content; equal for equal documents, whatever the order in which they came."""
        return self.seal.digest

    @property
    @abstractmethod
    def vectors(self) -> ChunkIndex:
        """The vector index, opened at first use and checked: its counts, and a sample of self-queries."""

    @abstractmethod
    def is_current(self) -> bool:
        """Whether this is still the generation in use: one small read."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what is open."""

    @abstractmethod
    def part(self, name: str) -> AbstractContextManager[Path]:
        """A folder that holds the file or folder `name` of the generation, if it has one, for as long as the context
        lasts."""

    @abstractmethod
    def record(self, document_id: str) -> StoredRecord:
        """All that was read from one document; where it is gone meanwhile, reading it raises RecordDamagedError."""

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """Where each document came from and what was read from it."""
        with self.part(MANIFEST) as folder:
            return Manifest.load(folder, (folder / MANIFEST).read_bytes()).entries

    def entry(self, document_id: str) -> Entry:
        """That of one document."""
        return next(entry for entry in self.entries if entry.document_id == document_id)

    @cached_property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph, opened at first use and read as it is asked. `damaged`."""
        from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
        from tools.knowledge.search.stored_line_items import use_line_items

        with self.part(KNOWLEDGE) as folder:
            try:
                graph = KnowledgeGraph.load(folder / KNOWLEDGE, self.damaged)
                use_line_items(graph, folder / KNOWLEDGE, line_item_code(), self.damaged)
                return graph
            except (OSError, ValueError) as error:
                raise self.damaged(str(error)) from error

    def merges(self) -> list[MergeLine]:
        """Which names of the graph were taken for one entity. `damaged`."""
        from tools.knowledge.graph.merge_lines import MERGES_FILE, load_merges

        with self.part(f"{KNOWLEDGE}/{MERGES_FILE}") as folder:
            try:
                return load_merges(folder / KNOWLEDGE)
            except (OSError, ValueError) as error:
                raise self.damaged(str(error)) from error

    def decided_by(self, decisions: Sequence[Decision]) -> bool:
        """Whether the graph was derived by these decisions of the user."""
        with self.part(USED) as folder:
            return used_decisions(folder) == digest_of(decisions)

    @cached_property
    def concepts(self) -> AnnotatedConcepts | None:
        """The concepts that documents are annotated with; None without an ontology. `damaged`."""
        from tools.ontology.annotated import AnnotatedConcepts

        with self.part(ONTOLOGY) as folder:
            if not (folder / ONTOLOGY).is_dir():
                return None
            try:
                return AnnotatedConcepts.load(folder / ONTOLOGY)
            except (OSError, ValueError, KeyError, TypeError) as error:
                raise self.damaged(str(error)) from error

    def lines(self) -> LineVectors | None:
        """Vectors of printed lines; None where they were not stored."""
        with self.part(LINES) as folder:
            return read_lines(folder)

    def pages(self, document_id: str) -> list[Page]:
        """The pages of one document. RecordDamagedError, also where a later run has deleted the record."""
        return self.record(document_id).pages()

    def chunks(self, document_id: str) -> list[Chunk]:
        """The chunks of one document, in reading order. RecordDamagedError as `pages`."""
        return self.record(document_id).chunks()
