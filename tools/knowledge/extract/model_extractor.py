"""The paper's two-tier chain (Sarmah et al. 2024, 4.1): refine a chunk into a short abstract, then read triplets
from it. Tables, participants and the figures of running text stay with the parser."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from threading import Event
from typing import Any, get_args

from pydantic import ValidationError

from prompts.loading import Prompt, load
from tools.documents.types import KINDS, Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import passages
from tools.knowledge.extract.grounding import (
    CURATED,
    SentenceWords,
    find_sentence,
    read_name,
    read_relation,
    with_preposition,
)
from tools.knowledge.extract.participants import people_triplets
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.extract.prose_relations import pattern_triplets, relation_triplets
from tools.knowledge.extract.relation_replies import NamedType, ReadTriplet, ReadTriplets
from tools.knowledge.extract.windows import Window, source_text, windows
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.model.fence import RULE, fence
from tools.model.structured import ask_structured
from tools.model.types import (
    ChatModel,
    ContextTooSmallError,
    MalformedReplyError,
    Message,
    ModelError,
    RefusedReplyError,
    Reply,
)

MAX_ABSTRACT_SHARE = 0.5
"""Most tokens of an abstract over those of a reply with triplets."""
MIN_WINDOW_WORDS = 8
"""Shorter texts relate nothing to anything."""
_THOUGHTS = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WindowResult:
    """What the chain made of one window."""

    window: Window
    abstract: str = ""
    items: Sequence[Any] = ()
    fallback: str = ""
    """Why the local extractor reads this window; '' if the model did."""
    error: ModelError | None = None
    """A failure that may be the request's or the endpoint's: the other windows show which."""


def prompt_versions() -> str:
    """Names, versions and a hash of the prompts, for the key of what was made with them."""
    return ", ".join(_described(load(name)) for name in ("extract", "refine"))


def _described(prompt: Prompt) -> str:
    words = f"{prompt.system.template}\n{prompt.user.template}"
    return f"{prompt.name} {prompt.version} {hashlib.sha256(words.encode()).hexdigest()[:8]}"


class OnceMore:
    """A `ChatModel` that asks again when what came is no text at all (a tool call, say)."""

    def __init__(self, chat: ChatModel) -> None:
        self._chat = chat
        self.id = chat.id
        self.context = chat.context

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        """See `ChatModel.complete`."""
        try:
            return self._chat.complete(messages, schema=schema, max_tokens=max_tokens)
        except MalformedReplyError:
            return self._chat.complete(messages, schema=schema, max_tokens=max_tokens)


class ModelExtractor:
    """A `TripletExtractor` over a chat model. The same replies give the same triplets."""

    def __init__(
        self, *, chat: ChatModel, threads: int = 4, reply_tokens: int = 1024, made_by: str = ""
    ) -> None:
        """`threads`: windows in work at once; `reply_tokens`: most tokens of a reply; `made_by` goes into the key of
        a record and is not used here."""
        self._chat = OnceMore(chat)
        self._reply_tokens = reply_tokens
        self._threads = threads
        self.tally: Counter[str] = Counter()
        """Of the document read last: `windows`, `kept`, 'dropped: <why>', 'fallback: <why>'."""

    def extract(self, parsed: ParsedDocument) -> list[Triplet]:
        """Triplets of one document: participants, table figures, figures of running text, then the model's; each
        once. A window whose reply cannot be used is read by the local rules. Raises ModelError when the endpoint
        fails or may not be asked: nothing is missing without a word."""
        self.tally = Counter()
        triplets = [*people_triplets(parsed), *printed_triplets(parsed), *pattern_triplets(parsed)]
        fallen: list[Window] = []
        for result in self.ask(parsed):
            self.tally["windows"] += 1
            if result.fallback:
                self.tally[f"fallback: {result.fallback}"] += 1
                fallen.append(result.window)
            else:
                triplets += self._read(parsed.document, result)
        if fallen:
            triplets += _local_relations(parsed, fallen)
        return list({triplet.id: triplet for triplet in triplets}.values())

    def ask(self, parsed: ParsedDocument) -> list[WindowResult]:
        """Ask the model about every window, several at once; results in document order. Raises ModelError.

        One tier after the other: a server that keeps the beginning of its last prompt reads the rules once a tier.
        """
        document = parsed.document
        cut = [w for w in windows(source_text(parsed)) if len(w.text.split()) >= MIN_WINDOW_WORDS]
        refined = self._all([partial(self._refine, document, window) for window in cut], cut)
        pending = [result for result in refined if not result.fallback]
        calls = [partial(self._extract, document, result) for result in pending]
        extracted = iter(self._all(calls, [result.window for result in pending]))
        return [result if result.fallback else next(extracted) for result in refined]

    def _all(self, calls: Sequence[Callable[[], WindowResult]], cut: Sequence[Window]) -> list[WindowResult]:
        """Make one tier's calls. What one request was refused for is that window's own trouble as long as others
        pass; ModelError else, and where the endpoint fails."""
        stop = Event()

        def one(call: Callable[[], WindowResult], window: Window) -> WindowResult | None:
            if stop.is_set():
                return None
            try:
                return call()
            except MalformedReplyError:
                return WindowResult(window, fallback="malformed reply")
            except RefusedReplyError:
                return WindowResult(window, fallback="refused")
            except ContextTooSmallError:
                return WindowResult(window, fallback="too long for the model's context")
            except ModelError as error:
                if error.down:
                    stop.set()
                return WindowResult(window, fallback="request refused", error=error)

        with ThreadPoolExecutor(max(1, self._threads)) as pool:
            results = [result for result in pool.map(one, calls, cut) if result is not None]
        errors = [result.error for result in results if result.error is not None]
        down = [error for error in errors if error.down]
        if down or (errors and len(errors) == len(results)):
            raise (down or errors)[0]
        return results

    def _refine(self, document: Document, window: Window) -> WindowResult:
        """Tier one: the text as a short abstract."""
        asked = _messages("refine", document=_about(document), text=fence(window.text))
        reply = self._chat.complete(asked, max_tokens=round(self._reply_tokens * MAX_ABSTRACT_SHARE))
        abstract = _THOUGHTS.sub("", reply.text).strip()
        return WindowResult(window, abstract, fallback="" if abstract else "empty reply")

    def _extract(self, document: Document, refined: WindowResult) -> WindowResult:
        """Tier two: the abstract's triplets."""
        asked = _messages(
            "extract",
            document=_about(document),
            abstract=fence(refined.abstract),
            types=", ".join(get_args(NamedType)),
            verbs=", ".join(CURATED),
        )
        reply = ask_structured(self._chat, asked, ReadTriplets, max_tokens=self._reply_tokens)
        return replace(refined, items=reply.triplets)

    def _read(self, document: Document, result: WindowResult) -> Iterator[Triplet]:
        """The items that are well formed, of the curated verbs, and stand in the source."""
        sentences = [SentenceWords(passage) for passage in result.window.passages]
        for item in result.items:
            found = _grounded_triplet(document, item, sentences)
            if isinstance(found, Triplet):
                self.tally["kept"] += 1
                yield found
            else:
                self.tally[f"dropped: {found}"] += 1


def _grounded_triplet(document: Document, item: Any, sentences: Sequence[SentenceWords]) -> Triplet | str:
    """The item as a triplet with its provenance, or the reason why it is dropped."""
    try:
        read = ReadTriplet.model_validate(item)
    except ValidationError:
        return "malformed"
    relation = read_relation(read.verb_phrase)
    if relation is None:
        return "verb"
    head, tail = (
        read_name(name, kind, document)
        for name, kind in ((read.head, read.head_type), (read.tail, read.tail_type))
    )
    if isinstance(head, str):
        return head
    if isinstance(tail, str):
        return tail
    name, swapped = relation
    if swapped:
        head, tail = tail, head
    if head.text.casefold() == tail.text.casefold():
        return "same name"
    place = find_sentence(head, tail, name, sentences, document)
    if isinstance(place, str):
        return place
    passage, quote = place
    name, swapped = with_preposition(name, tail, quote)
    if swapped:
        head, tail = tail, head
    return make_triplet(
        document,
        (head.text, head.type),
        name,
        (tail.text, tail.type),
        page=passage.page,
        quote=quote,
        chunk_id=passage.chunk_id,
    )


def _messages(prompt: str, **values: str) -> tuple[Message, ...]:
    return tuple(Message(role, text) for role, text in load(prompt).messages(data_rule=RULE, **values))


def _about(document: Document) -> str:
    """The document in a line: whose it is and what, as data like the rest."""
    kind = KINDS.get(document.doc_type, document.doc_type)
    return fence(f"{document.company}, {kind}, {document.period.describe()}")


def _local_relations(parsed: ParsedDocument, fallen: Sequence[Window]) -> Iterator[Triplet]:
    """Relations that the local rules find in these windows."""
    wanted = {passage for window in fallen for passage in window.passages}
    return relation_triplets(parsed.document, [passage for passage in passages(parsed) if passage in wanted])
