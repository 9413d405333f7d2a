"""Judged scores for the rows of a run.

    judge = open_judge(settings, OUT / "judge", embedder)
    rows = judge_rows(items_by_id, rows, judge, sample=50, seed=0)
    judge.usage, judge.stopped

A judge's failure is no score: it is marked, counted apart, and asked again by the next run, which takes everything
else from the folder: replies and scores are on the disk before they are used.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from agent.endpoint.limits import Pace
from agent.endpoint.models import EndpointChat
from agent.settings import Settings, SettingsError
from evals.datasets.types import Item
from evals.judged.asking import Asker, key_of
from evals.judged.judged_metrics import TITLES, Ragas, given, load_ragas, score
from evals.metrics.types import not_applicable
from evals.rows import Row, Score
from graphs.contracts import StepUsage
from tools.model.cache import Journal, Source
from tools.model.turn import turn
from tools.model.types import ChatModel, ModelError
from tools.vector.embeddings import Embedder

DOWN_IN_A_ROW = 3
"""Scores lost to an endpoint that cannot be asked, after which no more is asked of it."""
FAILED_IN_A_ROW = 20
"""The same for a model whose replies cannot be used."""

OnProgress = Callable[[int, int], None]
"""Scores done, and of how many."""


class _InARow:
    """Failures in a row. A success forgives those counted before it was begun: of those that came while it was under
    way, which are newer, it says nothing."""

    def __init__(self) -> None:
        self.ever = self._forgiven = 0

    def count(self, began: int, *, failed: bool) -> int:
        """How many there are now; `began`: `ever` when what failed or did not was begun."""
        if failed:
            self.ever += 1
        else:
            self._forgiven = max(self._forgiven, began)
        return self.ever - self._forgiven


class Judge:
    """A model that judges, what it has judged already, and what it has cost. Safe to use from several threads."""

    def __init__(
        self,
        ragas: Ragas,
        model: ChatModel,
        embedder: Embedder,
        folder: Path,
        *,
        origin: str = "",
        at_once: int = 4,
    ) -> None:
        """`folder`: of its journal. `origin`: where the model is; the same name elsewhere is another model."""
        self._ragas, self._model, self._embedder = ragas, model, embedder
        self._kept = Journal(folder, Source("judge", "", ""))
        self._origin = origin
        self.at_once = at_once
        self._lock = threading.Lock()
        self._gates: dict[str, threading.Lock] = {}
        self._usage = StepUsage()
        self._down, self._failed = _InARow(), _InARow()
        self.stopped = ""
        """Why the judge is asked no more, and what to do; '' while it is."""

    @property
    def name(self) -> str:
        """'ragas 0.4.3, MODEL', for the results' configuration."""
        return f"ragas {self._ragas.version}, {self._model.id}"

    @property
    def usage(self) -> StepUsage:
        """Calls and tokens paid for; what came from the folder is free."""
        return self._usage

    def close(self) -> None:
        """Let go of the endpoint's connections."""
        if isinstance(self._model, EndpointChat):
            self._model.close()

    def score(self, name: str, item: Item, row: Row) -> Score:
        """One metric of one row. OSError where the folder cannot be written."""
        fields = given(name, item, row)
        if isinstance(fields, Score):
            return fields
        scope = [name, self._ragas.version, self._origin, self._model.id]
        key = key_of("score", *scope, self._embedder.id, fields)
        with self._lock:
            gate = self._gates.setdefault(key, threading.Lock())
        with gate:  # what two pipelines have in common is asked once
            kept = self._kept.get(key)
            if kept is not None:
                return Score.model_validate(kept)
            if self.stopped:
                return _lost(f"not asked: {self.stopped}")
            found = self._asked(name, fields, Asker(self._model, self._kept, scope))
            if not found.failed:
                self._kept.put(key, found.model_dump(mode="json"))
            return found

    def _asked(self, name: str, fields: Mapping[str, Any], asker: Asker) -> Score:
        with self._lock:
            began = self._down.ever, self._failed.ever
        with turn("judge") as spent:
            try:
                value = score(self._ragas, name, fields, asker, self._embedder)
            except ModelError as error:
                self._count(began, str(error), down=error.down)
                return _lost(str(error))
            finally:
                with self._lock:
                    self._usage = StepUsage(
                        calls=self._usage.calls + spent.calls,
                        input_tokens=self._usage.input_tokens + spent.input_tokens,
                        output_tokens=self._usage.output_tokens + spent.output_tokens,
                    )
        if math.isnan(value) and asker.empty:
            self._count(began, "")
            return not_applicable("the answer makes no statement")
        if not math.isfinite(value):
            self._count(began, "no score came of the replies")
            return _lost("no score came of the replies")
        self._count(began, "")
        return Score(value=min(1.0, max(0.0, value)), reason=f"by {self.name}")

    def _count(self, began: tuple[int, int], trouble: str, *, down: bool = False) -> None:
        with self._lock:
            downs = self._down.count(began[0], failed=down)
            many = self._failed.count(began[1], failed=bool(trouble))
            if not self.stopped and (downs >= DOWN_IN_A_ROW or many >= FAILED_IN_A_ROW):
                self.stopped = (
                    f"the judge failed {many} times in a row ({trouble}). "
                    "Run again to go on: what is judged is kept"
                )


def open_judge(settings: Settings, folder: Path, embedder: Embedder, pace: Pace | None = None) -> Judge:
    """The settings' judge. UsageError without ragas, SettingsError without an endpoint."""
    endpoint = settings.judge_endpoint
    if endpoint is None:
        raise SettingsError(
            "No judge is set. Set HYBRIDRAG_JUDGE_BASE_URL and HYBRIDRAG_JUDGE_MODEL, or a chat model's endpoint."
        )
    ragas = load_ragas()
    if settings.judge_base_url or settings.judge_model:
        settings = settings.model_copy(update={"llm_context": None})  # it is the chat model's
    model = EndpointChat(endpoint, settings, pace or Pace())
    return Judge(ragas, model, embedder, folder, origin=endpoint.origin, at_once=settings.llm_concurrency)


def judge_rows(
    items: Mapping[str, Item],
    rows: Sequence[Row],
    judge: Judge,
    sample: int | None = None,
    seed: int = 0,
    on_progress: OnProgress | None = None,
) -> list[Row]:
    """The rows, in order, with a score for each judged metric added to each.

    `sample`: questions that are judged, the same ones of every pipeline; a larger sample holds the smaller one.
    Where the endpoint dies, the rest is marked as failed and `judge.stopped` says why. OSError where the judge's
    folder cannot be written.
    """
    chosen = sampled({row.id for row in rows}, sample, seed)
    jobs = [
        (n, name)
        for n in sorted(
            range(len(rows)), key=lambda n: rows[n].id
        )  # all pipelines of a question before the next
        if rows[n].id in chosen
        for name in TITLES
    ]
    found: dict[tuple[int, str], Score] = {}
    pool = ThreadPoolExecutor(judge.at_once, thread_name_prefix="judge")
    try:
        asked = {pool.submit(judge.score, name, items[rows[n].id], rows[n]): (n, name) for n, name in jobs}
        for done, future in enumerate(as_completed(asked), start=1):
            found[asked[future]] = future.result()
            if on_progress is not None:
                on_progress(done, len(jobs))
    finally:
        pool.shutdown(cancel_futures=True)
    left_out = not_applicable("not in the judged sample")
    return [
        row.model_copy(
            update={"scores": {**row.scores, **{name: found.get((n, name), left_out) for name in TITLES}}}
        )
        for n, row in enumerate(rows)
    ]


def sampled(ids: Iterable[str], sample: int | None, seed: int) -> frozenset[str]:
    """`sample` of the ids, by a hash of each; all of them where it is None."""
    order = sorted(set(ids), key=lambda each: key_of(seed, each))
    return frozenset(order if sample is None else order[:sample])


def _lost(why: str) -> Score:
    return Score(value=None, reason=why, failed=True)
