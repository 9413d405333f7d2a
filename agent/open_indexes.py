"""One generation of an index, open for questions: its parts are loaded when they are first asked."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Container, Sequence
from datetime import date
from functools import cached_property

from graphs.contracts import PlannedCalculation
from graphs.index import Place
from tools.calculate.compute import compute
from tools.calculate.operands import Figures
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.report_title import title_words
from tools.documents.structure.cell_places import figure_place, folded, quotation_place
from tools.documents.types import Chunk, Document, Page
from tools.evidence import ONTOLOGY, QUOTED, Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.search.breakdown import Dimension, part_names
from tools.knowledge.search.excerpts import excerpt
from tools.knowledge.search.kg_search import figures_of, kg_search
from tools.knowledge.search.nearest_figures import nearest_figures, with_doubts
from tools.knowledge.search.profile import profile_lines
from tools.knowledge.search.table_search import tables_about
from tools.ontology.annotated import AnnotatedConcepts
from tools.ontology.navigate import walk
from tools.ontology.ontology_search import ontology_search
from tools.scope import Scope
from tools.store.errors import StoreError
from tools.store.generation.open_generation import Generation
from tools.vector.by_id import chunks_by_id
from tools.vector.chunk_index import ChunkIndex
from tools.vector.line_item_encoder import LineItemEncoder
from tools.vector.passages_about import passages_about
from tools.vector.vector_search import vector_search

SOUGHT_CHARS = 60
"""Letters and digits of a quotation by which its page is found."""
CHUNK_PAGES = 6
"""Pages that a chunk may span."""
LINE_ITEMS = LineItemEncoder()
"""One for all indexes: it holds a model."""


class _InAny:
    """What any of several holds."""

    def __init__(self, held: Sequence[Container[object]]) -> None:
        self._held = held

    def __contains__(self, name: object) -> bool:
        return any(name in each for each in self._held)


class OpenIndex:
    """One generation; its vectors and its graph are loaded when first asked."""

    notice = ""

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self._lock = threading.Lock()
        self._pages: dict[str, list[Page]] = {}
        self._chunks: dict[str, list[Chunk]] = {}
        LINE_ITEMS.recall(generation.lines())

    @property
    def number(self) -> int:
        """The generation's number."""
        return self.generation.number

    @cached_property
    def catalog(self) -> Catalog:
        """Companies and periods that are indexed."""
        return Catalog(list(self.generation.documents.values()), self.generation.periods)

    @property
    def graph(self) -> KnowledgeGraph:
        """The knowledge graph."""
        with self._lock:
            return self.generation.graph

    @property
    def vectors(self) -> ChunkIndex:
        """The vector and keyword index."""
        with self._lock:
            return self.generation.vectors

    @cached_property
    def known_names(self) -> Container[str]:
        """Folded names of the knowledge graph's entities, line items such as 'iPhone' included, and telling words of
        the titles of plain documents."""
        titled = (
            fold_name(word) for each in self.generation.documents.values() for word in title_words(each)
        )
        return _InAny((self.graph.names, self.graph.line_items, frozenset(titled)))

    def place_of(self, item: Evidence, quote: str) -> Place:
        """The page on which `quote` begins; the chunk's first page where its text is not found on the next ones,
        as when an old generation outlives its document. Of a sheet, its cells by name, too."""
        if item.document_id == ONTOLOGY:
            return Place(item.page, item.section or "a definition")
        pages = self._pages_of(item.document_id)
        number = item.page
        if item.kind in QUOTED:
            sought = folded(quote.removesuffix("..."))[:SOUGHT_CHARS]
            following = range(number, min(number + CHUNK_PAGES, len(pages) + 1))
            number = next((n for n in following if sought in folded(pages[n - 1].text)), number)
        page = pages[number - 1] if number <= len(pages) else Page(number, "")
        if item.fact is not None and item.kind == "fact":
            fact = item.fact
            return Place(number, figure_place(page, fact.metric, fact.printed, fact.period))
        return Place(number, quotation_place(page, quote))

    def _pages_of(self, document_id: str) -> list[Page]:
        if document_id not in self._pages:
            try:
                self._pages[document_id] = self.generation.pages(document_id)
            except StoreError:
                self._pages[document_id] = []
        return self._pages[document_id]

    def kg_search(
        self, question: str, scope: Scope, k: int, depth: int, months: int | None
    ) -> list[Evidence]:
        """See `tools.knowledge.search.kg_search.kg_search`."""
        found = kg_search(self.graph, question, scope, k=k, depth=depth, months=months)
        return self._named_apart(found)

    def vector_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, spoken: bool = False
    ) -> list[Evidence]:
        """See `tools.vector.vector_search.vector_search`."""
        found = vector_search(self.vectors, question, scope, k=k, dense_weight=dense_weight, spoken=spoken)
        return self._named_apart(found)

    def passages_about(self, question: str, scope: Scope, k: int) -> list[Evidence]:
        """See `tools.vector.passages_about.passages_about`."""
        return self._named_apart(passages_about(self.vectors, question, scope, k))

    def ontology_search(
        self, question: str, scope: Scope, k: int, dense_weight: float, concept_weight: float
    ) -> list[Evidence]:
        """See `graphs.index.Index.ontology_search`."""
        if self.concepts is None:
            return self.vector_search(question, scope, k, dense_weight)
        found = ontology_search(
            self.vectors,
            self.concepts,
            question,
            scope,
            k,
            dense_weight=dense_weight,
            concept_weight=concept_weight,
        )
        return self._named_apart(found)

    def concepts_of(self, question: str) -> tuple[str, ...]:
        """See `graphs.index.Index.concepts_of`."""
        if self.concepts is None or not question.strip():
            return ()
        walked = walk(self.concepts, question, self.vectors.embedder.embed_query(question))
        return tuple(self.concepts.concepts[at].label for at in walked.starts) if walked else ()

    @property
    def concepts(self) -> AnnotatedConcepts | None:
        """The concepts that documents are annotated with; None without an ontology."""
        with self._lock:
            return self.generation.concepts

    def tables(self, question: str, scope: Scope, k: int, *, whole: bool = False) -> list[Evidence]:
        """See `tools.knowledge.search.table_search.tables_about`; their text is that of their chunks, unless `whole`
        the rows nearest to the question of a long one."""
        ids = tables_about(self.graph, question, scope, k)
        found = self._named_apart(chunks_by_id(self.vectors, ids)) if ids else []
        if whole:
            return found
        return [item.model_copy(update={"text": excerpt(item.text, question)}) for item in found]

    def figures_of(self, chunks: Sequence[str], scope: Scope) -> list[Evidence]:
        """See `tools.knowledge.search.kg_search.figures_of`."""
        return self._named_apart(figures_of(self.graph, chunks, scope))

    def with_doubts(
        self, question: str, scope: Scope, months: int | None, found: Sequence[Evidence]
    ) -> list[Evidence]:
        """See `graphs.index.Index.with_doubts`."""
        return with_doubts(self.graph, question, scope, months, found, LINE_ITEMS)

    def profile_lines(self, kind: str, question: str, scope: Scope) -> list[Evidence]:
        """See `graphs.index.Index.profile_lines`."""
        return self._named_apart(profile_lines(self.graph, kind, question, scope))

    def nearest_figures(self, question: str, scope: Scope, months: int | None, k: int) -> list[Evidence]:
        """See `graphs.index.Index.nearest_figures`."""
        return self._named_apart(nearest_figures(self.graph, question, scope, months, k, LINE_ITEMS))

    def continued(self, found: Sequence[Evidence], most: int) -> list[Evidence]:
        """See `graphs.index.Index.continued`; a document whose record is gone continues nothing."""
        own = {item.item_id for item in found}
        return [
            item.model_copy(update={"text": f"{item.text}\n{following.text}"})
            if at < most and (following := self._following(item)) is not None and following.id not in own
            else item
            for at, item in enumerate(found)
        ]

    def _following(self, item: Evidence) -> Chunk | None:
        """The next prose of the section that a passage stands in."""
        chunks = self._chunks_of(item.document_id) if item.kind == "prose" else []
        at = next((n for n, chunk in enumerate(chunks) if chunk.id == item.item_id), len(chunks))
        following = chunks[at + 1] if at + 1 < len(chunks) else None
        fits = following is not None and following.kind == "prose" and following.section == item.section
        return following if fits else None

    def _chunks_of(self, document_id: str) -> list[Chunk]:
        if document_id not in self._chunks:
            try:
                self._chunks[document_id] = self.generation.chunks(document_id)
            except StoreError:
                self._chunks[document_id] = []
        return self._chunks[document_id]

    def calculate(self, planned: PlannedCalculation, within: Scope) -> tuple[list[Evidence], tuple[str, ...]]:
        """See `graphs.index.Index.calculate`."""
        companies = [key for key in planned.companies if not within.companies or key in within.companies]
        figures = Figures(self.graph, within, LINE_ITEMS)
        found, missing = compute(planned.asked, figures, self.catalog, companies, dict(planned.periods))
        return self._named_apart(found), missing

    def part_names(self, company: str, metric: str, by: Dimension, ends: Sequence[date]) -> tuple[str, ...]:
        """See `tools.knowledge.search.breakdown.part_names`."""
        return part_names(self.graph, company, metric, by, ends)

    @cached_property
    def _paths(self) -> dict[str, str]:
        """Document id -> path, of documents whose file name another one bears, too."""
        documents = self.generation.documents
        names = Counter(document.name for document in documents.values())
        return {key: document.path for key, document in documents.items() if names[document.name] > 1}

    def called(self, document: Document) -> str:
        """A document's file name; its path where another document bears the same name."""
        return self._paths.get(document.id, document.name)

    def _named_apart(self, found: list[Evidence]) -> list[Evidence]:
        """Evidence that cites a file by its path where its name alone would not say which file it is."""
        paths = self._paths
        return [
            item.model_copy(update={"document": paths[item.document_id]})
            if item.document_id in paths
            else item
            for item in found
        ]
