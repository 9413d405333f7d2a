"""Assistant: open a home, index paths, ask questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from agent.settings import Settings, load_settings
from tools.closing import Closing

if TYPE_CHECKING:
    from agent.endpoint.limits import Shares
    from agent.home_shelf import HomeShelf
    from agent.indexing import Extractor
    from agent.open_indexes import OpenIndex
    from graphs.compiling import Compiled
    from graphs.contracts import Answer, Suggestion
    from graphs.engine import Engine
    from graphs.protocols import Suggester, Turns
    from graphs.state import Context
    from tools.documents.metadata.document_metadata import Overrides
    from tools.knowledge.graph.decisions import Decision
    from tools.scope import Scope
    from tools.store.disk.home import Entry
    from tools.store.disk.ontologies import StoredOntology
    from tools.store.jobs.desk_worker import DeskWorker
    from tools.store.jobs.queue_status import OnNobody, QueueStatus
    from tools.store.jobs.submitting import Submission
    from tools.store.postgres.database import Database
    from tools.store.reading.model_broker import Spent
    from tools.store.reading.recipe import Recipe
    from tools.store.reading.report import IndexReport, RemovalReport
    from tools.store.runs.course import OnProgress
    from tools.store.runs.estimate import Estimate
    from tools.store.runs.ontology_run import OnStep

Found = TypeVar("Found")
PIPELINES = ("agent", "vector", "graph", "hybrid", "ontology")


class Assistant(Closing):
    """One home folder and one engine. Nothing heavy is loaded before it is needed."""

    def __init__(self, settings: Settings, engine: Engine | None = None) -> None:
        """`engine`: the language steps; None: those that the settings name."""
        self.settings = settings
        self._engine = engine
        self._graphs: dict[str, Compiled] = {}

    @classmethod
    def open(cls, home: Path | str | None = None, settings: Settings | None = None) -> Assistant:
        """An assistant over `home` (default: the settings' one, or the database that they name). The folder need not
        exist yet.

        Raises SettingsError. A context manager: it lets go of the index at the end.
        """
        settings = settings or load_settings()
        if home is not None:
            settings = settings.of_folder(Path(home))
        return cls(settings)

    @property
    def home(self) -> Path:
        """The home folder."""
        return self.settings.home

    @cached_property
    def shelf(self) -> HomeShelf:
        """The open generations."""
        from agent.engines import embedder_of
        from agent.home_shelf import HomeShelf

        return HomeShelf(self.home, embedder_of(self.settings), store=self.settings.store_address)

    def _only_a_folder(self) -> None:
        """What is to be written would not be seen where questions are answered from a database. StoreSetError."""
        from tools.store.postgres.errors import StoreSetError

        if self.settings.store_address is not None:
            raise StoreSetError(self.settings.store_address)

    def index(
        self,
        paths: Sequence[Path | str],
        overrides: Overrides | None = None,
        on_progress: OnProgress | None = None,
        *,
        extractor: Extractor | None = None,
        max_tokens: int | None = None,
        forget_flags: bool = False,
        prune: bool = False,
        on_line: Callable[[str], None] = lambda line: None,
        on_nobody: OnNobody | None = None,
    ) -> IndexReport:
        """Read files and folders into the index; see `tools.store.runs.index_run.index_paths` for errors. Where
        a database is set, its workers read them: see `submission`.

        `extractor`: who reads triplets from prose, if not who the settings say; `max_tokens`: what the run may
        spend on model endpoints. What `overrides` say of a file holds for later runs; `forget_flags` drops what was
        said before. `prune`: documents whose files are gone from the folders are taken out. `on_line`, `on_nobody`: see
        `submission`. Raises SettingsError, and SetWhereWorkersRunError where `extractor` is given and a database is
        set.
        """
        from tools.store.runs.index_run import index_paths

        if self.settings.store_address is not None:
            with self.submission(
                paths,
                overrides,
                on_progress,
                extractor=extractor,
                max_tokens=max_tokens,
                forget_flags=forget_flags,
                prune=prune,
                on_line=on_line,
                on_nobody=on_nobody,
            ) as run:
                run.plan()
                run.submit()
                return run.wait()
        setup = self._setup(overrides, extractor, max_tokens, forget_flags)
        return index_paths(
            self.home,
            [Path(path) for path in paths],
            overrides=setup.overrides,
            forget_flags=setup.forget_flags,
            splitter=setup.splitter,
            models=setup.models,
            workers=self.settings.workers,
            on_progress=on_progress,
            prune=prune,
        )

    def submission(
        self,
        paths: Sequence[Path | str],
        overrides: Overrides | None = None,
        on_progress: OnProgress | None = None,
        *,
        extractor: Extractor | None = None,
        max_tokens: int | None = None,
        forget_flags: bool = False,
        prune: bool = False,
        on_line: Callable[[str], None] = lambda line: None,
        on_nobody: OnNobody | None = None,
    ) -> Submission:
        """A run of the database's workers over files and folders: see `tools.store.jobs.submitting.Submission`;
        `on_nobody`: None for NobodyWorksError. SetWhereWorkersRunError where `extractor` is given; StoreUnsetError."""
        from tools.store.jobs.queue_status import refuse_nobody
        from tools.store.jobs.submitting import Submission

        if extractor is not None:
            raise self._set_where_workers_run()
        return Submission(
            self._database(),
            [Path(path) for path in paths],
            self._setup(overrides, None, max_tokens, forget_flags),
            prune=prune,
            on_progress=on_progress,
            on_line=on_line,
            on_nobody=on_nobody or refuse_nobody,
        )

    def worker(self, folder: Path | None, on_line: Callable[[str], None]) -> DeskWorker:
        """A worker of the database, with this folder or one below the home; see
        `tools.store.jobs.desk_worker.DeskWorker`. StoreUnsetError, HomeLockedError, NoCacheError."""
        from tools.store.jobs.desk_worker import DeskWorker
        from tools.store.jobs.endpoint_share import shares_of
        from tools.store.jobs.worker_cache import WorkerCache

        database = self._database()
        recipe = self._setup(None, None, None, False, shares_of(database))
        if folder is None:
            return DeskWorker(database, WorkerCache.below(self.home, database.address), recipe, on_line)
        return DeskWorker(database, WorkerCache(folder, database.address), recipe, on_line)

    def queue(self) -> QueueStatus:
        """What waits for the database's workers. StoreUnsetError, DatabaseError."""
        from tools.store.jobs.queue_status import queue_status

        with closing(self._database()) as database:
            return queue_status(database)

    def _database(self) -> Database:
        from tools.store.postgres.database import Database
        from tools.store.postgres.errors import StoreUnsetError

        if self.settings.store_address is None:
            raise StoreUnsetError
        return Database(self.settings.store_address)

    def estimate(
        self,
        paths: Sequence[Path | str],
        overrides: Overrides | None = None,
        on_progress: Callable[[int, int, Spent], None] | None = None,
        *,
        extractor: Extractor | None = None,
        forget_flags: bool = False,
    ) -> Estimate:
        """What `index` would ask of model endpoints; nothing is asked, and the home stays as it is or unmade.
        SetWhereWorkersRunError where a database is set."""
        from tools.store.runs.estimate import estimate_paths

        if self.settings.store_address is not None:
            raise self._set_where_workers_run()
        files = [Path(path) for path in paths]
        setup = self._setup(overrides, extractor, None, forget_flags)
        return estimate_paths(self.home, files, setup, workers=self.settings.workers, on_progress=on_progress)

    @staticmethod
    def _set_where_workers_run() -> Exception:
        from tools.store.postgres.errors import SetWhereWorkersRunError

        return SetWhereWorkersRunError()

    def _setup(
        self,
        overrides: Overrides | None,
        extractor: Extractor | None,
        max_tokens: int | None,
        forget_flags: bool,
        shares: Shares | None = None,
    ) -> Recipe:
        from agent.indexing import make_models
        from tools.documents.metadata.document_metadata import NO_OVERRIDES
        from tools.store.reading.recipe import Recipe

        return Recipe(
            overrides=overrides or NO_OVERRIDES,
            forget_flags=forget_flags,
            splitter=self.settings.splitter,
            models=make_models(self.settings, extractor, max_tokens, shares),
        )

    def remove(
        self,
        selector: str,
        approve: Callable[[Sequence[Entry]], bool] = lambda chosen: True,
        **more: Any,
    ) -> RemovalReport:
        """Take documents out, without a trace; see `tools.store.runs.removal.remove` for selectors and errors, of a
        database `tools.store.jobs.taking_out.take_out_published`, also for `more`.

        `approve` is shown what is meant before any of it goes.
        """
        from tools.store.runs.removal import remove

        if self.settings.store_address is not None:
            from tools.store.jobs.taking_out import take_out_published

            with closing(self._database()) as database:
                return take_out_published(database, selector, approve, **more)
        return remove(self.home, selector, approve)

    def decisions(self) -> list[Decision]:
        """What the user has decided about names. DecisionsError names a line that is no decision."""
        from tools.store.disk.home import Home
        from tools.store.disk.user_decisions import decisions_of

        return decisions_of(Home(self.home))

    def decide(self, decision: Decision) -> None:
        """Write a decision and derive the graph by it; see `tools.store.runs.deciding.decide` for errors."""
        from tools.store.runs.deciding import decide

        self._only_a_folder()
        decide(self.home, decision)

    def ontologies(self) -> list[StoredOntology]:
        """The ontologies that documents are annotated with, damaged ones among them. HomeReadError."""
        from tools.store.disk.home import Home
        from tools.store.disk.ontologies import ontologies_of

        return ontologies_of(Home(self.home))

    def add_ontology(
        self, path: Path | str, on_step: OnStep = lambda step, done, total: None
    ) -> StoredOntology:
        """Read an ontology and annotate the documents with it; see `tools.store.runs.ontology_run.add_ontology` for
        errors."""
        from tools.store.runs.ontology_run import add_ontology

        self._only_a_folder()
        return add_ontology(self.home, Path(path), self.shelf.embedder, on_step)

    def remove_ontology(self, selector: str) -> StoredOntology:
        """Take an ontology out; see `tools.store.runs.ontology_run.remove_ontology` for errors."""
        from tools.store.runs.ontology_run import remove_ontology

        self._only_a_folder()
        return remove_ontology(self.home, selector)

    def current(self) -> OpenIndex:
        """The generation in use. Raises IndexMissingError and the store's other errors."""
        from agent.open_indexes import OpenIndex

        index = self.shelf.current()
        assert isinstance(index, OpenIndex)
        return index

    def ask(
        self,
        question: str,
        *,
        company: str | None = None,
        year: int | None = None,
        quarter: int | None = None,
        doc_type: str | None = None,
        document: str | None = None,
        pipeline: str = "agent",
        id: str | int | None = None,
    ) -> Answer:
        """One question, one checked answer.

        Raises IndexMissingError without an index, UnknownCompanyError, UncoveredPeriodError or UnknownDocumentError for
        a filter that names nothing indexed, InputError for a quarter outside 1 to 4.
        """
        from langchain_core.messages import HumanMessage

        graph = self._graph(pipeline)
        state: Any = {"messages": [HumanMessage(content=question)]}
        result = graph.invoke(state, context=self.context(company, year, quarter, doc_type, document))
        answer: Answer = result["answer"]
        return answer.model_copy(update={"id": id})

    def suggest(self, answer: Answer, asked: Sequence[str] = (), **filters: Any) -> tuple[str, ...]:
        """The questions of `next_questions`, without a conversation before."""
        return tuple(each.question for each in self.next_questions(answer, asked, **filters))

    def next_questions(
        self,
        answer: Answer,
        asked: Sequence[str] = (),
        turns: Turns = tuple,
        *,
        company: str | None = None,
        year: int | None = None,
        quarter: int | None = None,
        doc_type: str | None = None,
        document: str | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[Suggestion, ...]:
        """At most three next questions that the index answers, within the filters and none of them in `asked`.
        `turns`: see `graphs.protocols.Suggester.suggest`.

        None where the index can't be searched: the next question says why. Filters raise as in `ask`. `stopped` is
        asked between the questions that are tried, and ends them.
        """

        def found(suggester: Suggester, index: OpenIndex, within: Scope) -> tuple[Suggestion, ...]:
            return suggester.suggest(answer, index, within, asked, turns, stopped)

        return self._rehearsed(found, company, year, quarter, doc_type, document)

    def examples(
        self,
        *,
        company: str | None = None,
        year: int | None = None,
        quarter: int | None = None,
        doc_type: str | None = None,
        document: str | None = None,
        stopped: Callable[[], bool] = lambda: False,
    ) -> tuple[str, ...]:
        """At most four questions to begin with that the index answers within the filters; none where it can't be
        searched. Filters raise as in `ask`; `stopped` as in `suggest`."""

        def first_questions(suggester: Suggester, index: OpenIndex, within: Scope) -> tuple[str, ...]:
            return suggester.examples(index, within, stopped)

        return self._rehearsed(first_questions, company, year, quarter, doc_type, document)

    def _rehearsed(
        self, find: Callable[[Suggester, OpenIndex, Scope], tuple[Found, ...]], *filters: Any
    ) -> tuple[Found, ...]:
        """What `find` finds within the filters; nothing where the index can't be searched."""
        from graphs.index import SEARCH_FAILURES
        from graphs.steps.filters import scope_from_filters

        try:
            index = self.current()
            return find(self.engine.suggester, index, scope_from_filters(index.catalog, *filters))
        except SEARCH_FAILURES:
            return ()

    def stream(
        self,
        question: str,
        *,
        company: str | None = None,
        year: int | None = None,
        quarter: int | None = None,
        doc_type: str | None = None,
        document: str | None = None,
        pipeline: str = "agent",
    ) -> Iterator[tuple[str, Any]]:
        """As `ask`, step by step: (step, its visible update) as each ends; the last update holds the answer.

        The draft is not among the updates.
        """
        from langchain_core.messages import HumanMessage

        graph = self._graph(pipeline)
        state: Any = {"messages": [HumanMessage(content=question)]}
        updates = graph.stream(
            state,
            context=self.context(company, year, quarter, doc_type, document),
            stream_mode="updates",
            output_keys=graph.output_channels,
        )
        for update in updates:
            for step, fields in update.items():
                yield step, fields or {}

    def close(self) -> None:
        """Let go of what is open; what is asked later opens it again."""
        if "shelf" in self.__dict__:
            self.shelf.close()

    def _graph(self, pipeline: str) -> Compiled:
        if pipeline not in self._graphs:
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(1) as meanwhile:
                # Hashing a large index takes as long as importing what answers, and leaves the interpreter to it. What
                # is raised here is raised again where the index is asked for.
                meanwhile.submit(self.shelf.current)
                self._graphs[pipeline] = self.build(pipeline)
        return self._graphs[pipeline]

    def build(self, pipeline: str, checkpointer: Any = None) -> Compiled:
        """A pipeline's graph over this home and engine; with a checkpointer it remembers threads. SettingsError."""
        from graphs.baselines import build_baseline
        from graphs.routed import build_routed

        if self.settings.traces_url:
            from agent.tracing import start_tracing

            start_tracing(self.settings.traces_url, self.settings.traces_content)
        if pipeline == "agent":
            return build_routed(self.shelf, self.engine, checkpointer)
        return build_baseline(pipeline, self.shelf, self.engine, checkpointer)

    @property
    def engine(self) -> Engine:
        """The language steps, made when they are first needed. Raises SettingsError."""
        from agent.engines import engine_of

        self._engine = self._engine or engine_of(self.settings)
        return self._engine

    def context(
        self,
        company: str | None = None,
        year: int | None = None,
        quarter: int | None = None,
        doc_type: str | None = None,
        document: str | None = None,
        *,
        clarify: bool = False,
        kept_turns: int | None = None,
    ) -> Context:
        """The knobs of a run as the settings have them, and these."""
        from graphs.state import Context

        s = self.settings
        return Context(
            company=company,
            year=year,
            quarter=quarter,
            doc_type=doc_type,
            document=document,
            top_k=s.top_k,
            graph_k=s.graph_k,
            depth=s.depth,
            dense_weight=s.dense_weight,
            concept_weight=s.concept_weight,
            context_chars=s.context_chars,
            threshold=s.threshold,
            deadline=s.deadline,
            clarify=clarify,
            kept_turns=kept_turns,
        )
