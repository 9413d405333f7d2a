"""The parent's side of what reading processes ask of a model: one client, one budget, one journal a document.

What was answered before is answered from the journal and costs nothing. An endpoint that fails again and again is
not asked any more in this run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tools.model.cache import Journal, Source, reply_key
from tools.model.tokens import estimate_messages, estimate_tokens, factor
from tools.model.turn import turn
from tools.model.types import BudgetSpentError, ChatModel, Message, ModelDownError, ModelError, Reply
from tools.store.errors import StoreError
from tools.store.reading.token_budget import OwnBudget, TokenBudget
from tools.store.reading.worker_pipe import error_to_json, vector_to_text
from tools.vector.embeddings import Embedder

MAX_FAILURES_IN_A_ROW = 3
"""Calls in a row that fail for good before the endpoint is taken for dead."""
RESERVED_OVER_UNMEASURED = 1.5
"""Reserved tokens of a prompt over estimated ones as long as the endpoint has not reported any, ..."""
RESERVED_OVER_MEASURED = 1.1
"""... and after it has."""
_ENDED = "the run was ended"


@dataclass(frozen=True, slots=True)
class Models:
    """The endpoints of an indexing run."""

    chat: ChatModel | None = None
    """Reads triplets from prose; None: the local extractor does."""
    embedder: Embedder | None = None
    """At an endpoint; None: the one that reading processes load themselves."""
    reply_tokens: int = 1024
    """Most tokens of a reply."""
    passes: int = 1
    """Over a chunk: 1 reads relations with quotations, 2 is the paper's chain of refining and extracting."""
    at_once: int = 4
    """Calls at once; the client may allow fewer."""
    max_tokens: int | None = None
    """Hard limit of the run's tokens, prompts and replies together."""
    prices: tuple[float, float] | None = None
    """USD per million input and output tokens."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has asked for."""

    calls: int = 0
    """Logical calls that went to an endpoint."""
    cached: int = 0
    """Calls answered by a journal: free."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None
    """In USD, where prices are set."""

    @property
    def tokens(self) -> int:
        """Both ways."""
        return self.input_tokens + self.output_tokens


@dataclass(slots=True)
class _Call:
    """A logical call that has room in the budget."""

    tokens: int = 0
    """That it used."""


def message_key(
    model: str, messages: tuple[Message, ...], schema: dict[str, Any] | None, limit: int | None
) -> str:
    """The key of a chat model's reply."""
    return reply_key(model, [(m.role, m.text) for m in messages], schema, limit)


class ModelBroker:
    """Answers questions for documents. Safe to use from several threads."""

    def __init__(
        self,
        folder: Path,
        models: Models,
        on_spent: Callable[[Spent], None] | None = None,
        budget: TokenBudget | None = None,
    ) -> None:
        """`budget`: None for one of this process, of the models' `max_tokens`."""
        self.models = models
        self._budget = budget or OwnBudget(models.max_tokens)
        self._folder = folder
        self._on_spent = on_spent or (lambda spent: None)
        self._change = threading.Condition()
        self._journals: dict[str, Journal] = {}
        self._spent = Spent()
        self._failures = 0
        self._closed = ""
        self.overspent = ""
        """Why the budget allows no further call; '' as long as it does."""
        self._ended = False
        self.broken: OSError | None = None
        """The operating system's refusal to keep a reply."""

    @property
    def spent(self) -> Spent:
        """So far."""
        prices, spent = self.models.prices, self._spent
        if prices is None:
            return spent
        cost = (spent.input_tokens * prices[0] + spent.output_tokens * prices[1]) / 1_000_000
        return replace(spent, cost=cost)

    @property
    def closed(self) -> str:
        """Why no further document is begun in this run; '' as long as the endpoint answers and the budget lasts."""
        return self._closed or self.overspent

    def knows(self, document_id: str) -> bool:
        """Whether replies for this document are there."""
        return (self._folder / f"{document_id}.jsonl").exists()

    def answer(self, source: Source, donors: Sequence[str], question: dict[str, Any]) -> dict[str, Any]:
        """The answer to one question of a reading process, an error included."""
        try:
            journal = self._journal(source, donors)
            if "embed" in question:
                return {"vectors": self._embed(journal, question["embed"])}
            messages = tuple(Message(**message) for message in question["chat"])
            return {
                "reply": asdict(self._chat(journal, messages, question["schema"], question["max_tokens"]))
            }
        except ModelError as error:
            return {"error": error_to_json(error)}
        except StoreError as error:
            return {
                "error": error_to_json(ModelDownError(f"what workers may ask a model can't be told: {error}"))
            }
        except OSError as error:
            self.broken = error
            self._close(f"a reply could not be kept: {error.strerror or error}")
            return {"error": error_to_json(ModelDownError(self._closed))}

    def stop(self) -> None:
        """Ask and keep nothing more: the lock on the home is about to be released."""
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _close(self, why: str) -> None:
        with self._change:
            self._closed = self._closed or why
            self._change.notify_all()

    def _journal(self, source: Source, donors: Iterable[str]) -> Journal:
        with self._change:
            if source.document_id not in self._journals:
                self._journals[source.document_id] = Journal(self._folder, source, donors)
            return self._journals[source.document_id]

    def _chat(
        self,
        journal: Journal,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        max_tokens: int | None,
    ) -> Reply:
        chat = self.models.chat
        assert chat is not None
        key = message_key(chat.id, messages, schema, max_tokens)
        known = self._known(journal, key)
        if known is not None:
            return Reply(**{name: known[name] for name in Reply.__dataclass_fields__ if name in known})
        return self._ask(journal, key, messages, schema, max_tokens)

    def _ask(
        self,
        journal: Journal,
        key: str,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        max_tokens: int | None,
    ) -> Reply:
        """Ask the endpoint and keep its reply. ModelError, OSError."""
        chat = self.models.chat
        assert chat is not None
        expected = estimate_messages(messages, chat.id)
        with self._room(expected, max_tokens or 0, chat.id) as call:
            reply = self._call(call, chat, messages, schema, max_tokens)
            kept = {
                "model": chat.id,
                "structured": schema is not None,
                "expected": estimate_messages(messages),
            }
            self._keep(journal, key, {**asdict(reply), **kept})
        return reply

    def _call(
        self,
        call: _Call,
        chat: ChatModel,
        messages: tuple[Message, ...],
        schema: dict[str, Any] | None,
        max_tokens: int | None,
    ) -> Reply:
        """One call; failed replies that were paid for are counted, too."""
        with turn("index") as opened:
            try:
                reply = chat.complete(messages, schema=schema, max_tokens=max_tokens)
            except (ModelError, StoreError) as error:
                call.tokens = opened.input_tokens + opened.output_tokens
                self._count(0, opened.input_tokens, opened.output_tokens)
                if isinstance(error, ModelError):
                    self._failed(error)
                raise
        self._failures = 0
        used = max(opened.input_tokens, reply.input_tokens), max(opened.output_tokens, reply.output_tokens)
        call.tokens = sum(used)
        self._count(1, *used)
        return reply

    def _embed(self, journal: Journal, texts: Sequence[str]) -> list[str]:
        embedder = self.models.embedder
        assert embedder is not None
        keys = [reply_key(embedder.id, [("user", text)], None, None) for text in texts]
        known = {key: self._known(journal, key) for key in dict.fromkeys(keys)}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if known[key] is None}
        if missing:
            tokens = sum(estimate_tokens(text, embedder.id) for text in missing.values())
            known |= self._vectors(journal, embedder, missing, tokens)
        return [str((known[key] or {})["vector"]) for key in keys]

    def _vectors(
        self, journal: Journal, embedder: Embedder, missing: dict[str, str], tokens: int
    ) -> dict[str, dict[str, Any]]:
        """Embed these texts, by key, and keep their vectors. ModelError, OSError."""
        with self._room(tokens, 0, embedder.id) as call:
            try:
                vectors = embedder.embed(list(missing.values()))
            except ModelError as error:
                self._failed(error)
                raise
            self._failures = 0
            call.tokens = tokens
            self._count(1, tokens, 0)
            kept = {
                key: {"vector": vector_to_text(vector)} for key, vector in zip(missing, vectors, strict=True)
            }
            for key, reply in kept.items():
                self._keep(journal, key, reply)
        return kept

    def _known(self, journal: Journal, key: str) -> dict[str, Any] | None:
        found = self._look(journal, key)
        if found is not None:
            with self._change:
                self._spent = replace(self._spent, cached=self._spent.cached + 1)
        return found

    def _look(self, journal: Journal, key: str) -> dict[str, Any] | None:
        return journal.get(key)

    def _keep(self, journal: Journal, key: str, reply: dict[str, Any]) -> None:
        if self._ended:
            raise ModelDownError(_ENDED)
        journal.put(key, reply)

    @contextmanager
    def _room(self, input_tokens: int, output_tokens: int, model: str) -> Iterator[_Call]:
        """Room in the budget for one call, waited for as long as calls under way may leave some. ModelDownError,
        BudgetSpentError, the store's errors."""
        reserve = RESERVED_OVER_MEASURED if factor(model) != 1 else RESERVED_OVER_UNMEASURED
        need = round(input_tokens * reserve) + output_tokens
        with self._change:
            while not (self._closed or self._ended):
                settle = self._budget.take(need)
                if settle == "spent":
                    self.overspent = self._why_no_call(need)
                    raise BudgetSpentError(self.overspent)
                if settle != "wait":
                    break
                self._change.wait(self._budget.poll)
            else:
                raise ModelDownError(self._closed or _ENDED)
        call = _Call()
        try:
            yield call
        finally:
            with self._change:
                settle(call.tokens)
                self._change.notify_all()

    def _why_no_call(self, need: int) -> str:
        limit, used = self._budget.limit, self._budget.used
        if not used:
            return f"--max-tokens {limit} is less than one call may take (about {need:,} tokens)"
        return f"the run's {limit:,} tokens (--max-tokens) do not allow another call; {used:,} are spent"

    def _count(self, calls: int, input_tokens: int, output_tokens: int) -> None:
        with self._change:
            spent = self._spent
            self._spent = replace(
                spent,
                calls=spent.calls + calls,
                input_tokens=spent.input_tokens + input_tokens,
                output_tokens=spent.output_tokens + output_tokens,
            )
        self._on_spent(self.spent)

    def _failed(self, error: ModelError) -> None:
        if not error.down:
            return
        with self._change:
            self._failures += 1
            if self._failures >= MAX_FAILURES_IN_A_ROW:
                self._closed = self._closed or str(error)
