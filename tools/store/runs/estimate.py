"""What an indexing run would ask of model endpoints, without asking and without touching the home."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.model.cache import Journal, replies
from tools.model.tokens import estimate_messages, estimate_tokens
from tools.model.types import Message, Reply
from tools.store.disk.home import Home
from tools.store.reading.broker_threads import BrokerThreads, task_source_of
from tools.store.reading.model_broker import ModelBroker, Models, Spent
from tools.store.reading.plan import make_plan
from tools.store.reading.pool import run_tasks
from tools.store.reading.recipe import Recipe
from tools.store.reading.tasks import reading_task
from tools.vector.embeddings import Embedder

ABSTRACT_TOKENS = 100
"""Tokens of an abstract, as long as no journal of the model says more."""
TRIPLET_REPLY_TOKENS = {1: 420, 2: 170}
"""Tokens of a reply with triplets, with quotations in one pass and without in two, likewise."""
MAX_ABSTRACT_SHARE = 0.6
"""An abstract's tokens over its text's, at most."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would do. Tokens of replies are a guess, of prompts an estimate."""

    files: int
    """To be read."""
    unchanged: int
    spent: Spent
    """`cached`: calls whose replies are kept from earlier runs."""
    failures: tuple[tuple[str, str], ...] = ()
    """(file, reason) of files that cannot be read."""
    extractor: str | None = None
    """The chat model that would read the prose; None: the local rules would."""
    gone: tuple[str, ...] = ()
    """Files of earlier runs that are no longer there."""


class DryBroker(ModelBroker):
    """Answers from the journals, and where they are silent with something of the usual length. Writes nothing."""

    def __init__(self, folder: Path, models: Models, on_spent: Callable[[Spent], None] | None = None) -> None:
        super().__init__(folder, models, on_spent)
        self._usual = _Usual(replies(folder), models)

    def _look(self, journal: Journal, key: str) -> dict[str, Any] | None:
        return journal.peek(key)

    def _ask(
        self,
        journal: Journal,
        key: str,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        max_tokens: int | None,
    ) -> Reply:
        reply = self._usual.reply(messages, schema, max_tokens)
        self._count(1, reply.input_tokens, reply.output_tokens)
        return reply

    def _vectors(
        self, journal: Journal, embedder: Embedder, missing: dict[str, str], tokens: int
    ) -> dict[str, dict[str, Any]]:
        self._count(1, tokens, 0)
        return {key: {"vector": ""} for key in missing}


class _Usual:
    """What a model's replies were like so far."""

    def __init__(self, kept: Iterable[dict[str, Any]], models: Models) -> None:
        model = models.chat.id if models.chat is not None else ""
        mine = [reply for reply in kept if reply.get("model") == model]
        self._plain = _mean([r["output_tokens"] for r in mine if not r["structured"]], ABSTRACT_TOKENS)
        usual = TRIPLET_REPLY_TOKENS[models.passes]
        self._structured = _mean([r["output_tokens"] for r in mine if r["structured"]], usual)
        expected = sum(reply["expected"] for reply in mine)
        self._factor = sum(reply["input_tokens"] for reply in mine) / expected if expected else 1.0

    def reply(
        self, messages: tuple[Message, ...], schema: dict[str, Any] | None, max_tokens: int | None
    ) -> Reply:
        """A reply of the usual length: words of the prompt, or the smallest object of the schema."""
        asked = round(estimate_messages(messages) * self._factor)
        if schema is not None:
            return Reply(
                _smallest(schema), "stop", asked, min(self._structured, max_tokens or self._structured)
            )
        size = min(self._plain / self._factor, estimate_tokens(messages[-1].text) * MAX_ABSTRACT_SHARE)
        words: list[str] = []
        while estimate_tokens(" ".join(words)) < size:
            words += messages[-1].text.split()[len(words) : len(words) + 8] or ["and so on"]
        return Reply(" ".join(words), "stop", asked, round(size * self._factor))


def _mean(numbers: Sequence[int], otherwise: int) -> int:
    return round(sum(numbers) / len(numbers)) if numbers else otherwise


def _smallest(schema: dict[str, Any]) -> str:
    import orjson

    def value(node: dict[str, Any]) -> Any:
        empty: dict[str, Any] = {"array": [], "string": "", "number": 0, "integer": 0, "boolean": False}
        if node.get("type") == "object":
            return {name: value(child) for name, child in node.get("properties", {}).items()}
        return empty.get(node.get("type", ""))

    return orjson.dumps(value(schema)).decode()


def estimate_paths(
    home: Path,
    paths: Sequence[Path],
    recipe: Recipe,
    *,
    workers: int = 2,
    on_progress: Callable[[int, int, Spent], None] | None = None,
) -> Estimate:
    """Read what a run would read, in processes, and count. Calls after a first reply depend on what it says: they
    are counted as if it were usable. `on_progress`: (files read, files, so far).

    MissingPathError, EmptyFolderError, FormatVersionError, WorkerError.
    """
    place = Home(home)
    plan = make_plan(place, place.manifest(), paths, recipe.key())
    missing = [wanted for wanted in plan.wanted if wanted.seal is None]
    models = recipe.models
    extractor = models.chat.id if models.chat is not None else None
    gone = tuple(entry.source for entry in plan.gone)
    if not missing or (models.chat is None and models.embedder is None):
        return Estimate(len(missing), len(plan.wanted) - len(missing), Spent(), (), extractor, gone)
    report = on_progress or (lambda done, total, spent: None)
    done = 0
    broker = DryBroker(place.cache, models, lambda spent: report(done, len(missing), spent))
    broker_threads = BrokerThreads(broker, [task_source_of(wanted) for wanted in missing])
    tasks = [{**reading_task(place, wanted), "dry": True} for wanted in missing]
    failures: list[tuple[str, str]] = []
    answers = run_tasks(recipe.start(home), tasks, workers, broker_threads)
    try:
        for position, answer in answers:
            done += 1
            report(done, len(missing), broker.spent)
            why = answer.get("failed") or answer.get("incomplete") or answer.get("refused")
            if why:
                failures.append((str(missing[position].file), why))
    finally:
        answers.close()
        broker_threads.stop()
    unread = len(plan.wanted) - len(missing)
    return Estimate(len(missing) - len(failures), unread, broker.spent, tuple(failures), extractor, gone)
