"""Triplets that a chat model reads from prose: in one pass, each with the words it quotes, or by the paper's two-tier
chain (Sarmah et al. 2024, 4.1), which refines a chunk into a short abstract and reads triplets from that. Tables,
participants and the figures of running text stay with the parser."""

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

from prompts.loading import Prompt, load
from tools.documents.types import KINDS, Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import all_passages, passages
from tools.knowledge.extract.curated_relations import grounded_triplet
from tools.knowledge.extract.defined_terms import defined_terms
from tools.knowledge.extract.grounding import SentenceWords
from tools.knowledge.extract.participants import people_triplets
from tools.knowledge.extract.printed_figures import printed_triplets
from tools.knowledge.extract.prose_relations import pattern_triplets, relation_triplets
from tools.knowledge.extract.quoted_relations import QuotedReader, QuotedRelation, quoted_triplets
from tools.knowledge.extract.quotes import Quotes
from tools.knowledge.extract.relation_replies import NamedType, QuotedTriplets, ReadTriplets
from tools.knowledge.extract.replies import OnceMore, WholeItems
from tools.knowledge.extract.short_forms import short_form_triplets
from tools.knowledge.extract.whole_company import company_triplets
from tools.knowledge.extract.windows import Window, joined, source_text, windows
from tools.knowledge.lexicon.relation_verbs import CURATED
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
)

MAX_ABSTRACT_SHARE = 0.5
"""Most tokens of an abstract over those of a reply with triplets."""
MIN_WINDOW_WORDS = 8
"""Shorter texts relate nothing to anything."""
_PROMPTS = {1: ("relations",), 2: ("extract", "refine")}
"""By number of passes over a chunk."""
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


def prompt_versions(passes: int = 1) -> str:
    """Names, versions and a hash of the prompts, for the key of what was made with them."""
    return ", ".join(_described(load(name)) for name in _PROMPTS[passes])


def _described(prompt: Prompt) -> str:
    words = f"{prompt.system.template}\n{prompt.user.template}"
    return f"{prompt.name} {prompt.version} {hashlib.sha256(words.encode()).hexdigest()[:8]}"


class ModelExtractor:
    """A `TripletExtractor` over a chat model. The same replies give the same triplets."""

    def __init__(
        self,
        *,
        chat: ChatModel,
        passes: int = 1,
        threads: int = 4,
        reply_tokens: int = 1024,
        made_by: str = "",
    ) -> None:
        """`passes`: 1 reads relations with their quotations from each chunk, 2 is the paper's chain; `threads`:
        windows in work at once; `reply_tokens`: most tokens of a reply; `made_by` goes into the key of a record and
        is not used here."""
        self._passes = passes
        self._chat = OnceMore(chat)
        self._reply_tokens = reply_tokens
        self._threads = threads
        self.tally: Counter[str] = Counter()
        """Of the document read last: `windows`, `kept`, 'dropped: <why>', 'left out: <what>', 'fallback: <why>'."""

    def extract(self, parsed: ParsedDocument) -> list[Triplet]:
        """Triplets of one document: participants, the whole company, figures of tables and text, then the model's;
        each once. A window whose reply cannot be used is read by the local rules. Raises ModelError when the endpoint
        fails or may not be asked: nothing is missing without a word."""
        self.tally = Counter()
        triplets = [
            *people_triplets(parsed),
            *company_triplets(parsed),
            *printed_triplets(parsed),
            *pattern_triplets(parsed),
        ]
        results = self.ask(parsed)
        self.tally["windows"] = len(results)
        fallen = [result for result in results if result.fallback]
        self.tally.update(f"fallback: {result.fallback}" for result in fallen)
        read = self._read_abstracts if self._passes == 2 else self._read_quoted
        triplets += read(parsed, [result for result in results if not result.fallback])
        if fallen:
            triplets += _local_relations(parsed, [result.window for result in fallen])
        triplets += short_form_triplets(parsed.document, list(passages(parsed)), triplets)
        return list({triplet.id: triplet for triplet in triplets}.values())

    def ask(self, parsed: ParsedDocument) -> list[WindowResult]:
        """Ask the model about every window, several at once; results in document order. Raises ModelError.

        Of two tiers, one after the other: a server that keeps the beginning of its last prompt reads the rules once
        a tier.
        """
        document = parsed.document
        cut = [w for w in windows(source_text(parsed)) if len(w.text.split()) >= MIN_WINDOW_WORDS]
        if self._passes == 1:
            return self._all([partial(self._relate, document, window) for window in cut], cut)
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

    def _relate(self, document: Document, window: Window) -> WindowResult:
        """The single pass. Where a reply is cut off, what follows its last quotation is asked for by itself."""
        items: list[Any] = []
        rest: Window | None = window
        while rest is not None:
            asked = _messages(
                "relations",
                document=_about(document),
                text=fence(rest.text),
                types=", ".join(get_args(NamedType)),
            )
            chat = WholeItems(self._chat)
            reply = ask_structured(chat, asked, QuotedTriplets, max_tokens=self._reply_tokens)
            items += reply.triplets
            rest = _after(reply.triplets, rest) if chat.cut else None
        return WindowResult(window, items=items)

    def _read_quoted(self, parsed: ParsedDocument, results: Sequence[WindowResult]) -> Iterator[Triplet]:
        """The items whose quotation stands in the text and states them."""
        terms = defined_terms(passage.text for passage in all_passages(parsed))
        kept: list[QuotedRelation] = []
        for result in results:
            reader = QuotedReader(parsed.document, result.window.passages, terms)
            for item in result.items:
                found = reader.read(item)
                if isinstance(found, QuotedRelation):
                    kept.append(found)
                    self.tally["kept"] += 1
                    self.tally.update(f"left out: {what}" for what in found.left_out)
                else:
                    self.tally[f"dropped: {found}"] += 1
        return quoted_triplets(parsed.document, kept)

    def _read_abstracts(self, parsed: ParsedDocument, results: Sequence[WindowResult]) -> Iterator[Triplet]:
        """The items that are well formed, of the curated verbs, and stand in the source."""
        for result in results:
            sentences = [SentenceWords(passage) for passage in result.window.passages]
            for item in result.items:
                found = grounded_triplet(parsed.document, item, sentences)
                if isinstance(found, Triplet):
                    self.tally["kept"] += 1
                    yield found
                else:
                    self.tally[f"dropped: {found}"] += 1


def _after(items: Sequence[Any], window: Window) -> Window | None:
    """What follows, in a window, the last sentence that one of these items quotes; None for nothing."""
    quotes = Quotes(window.passages)
    said = [item["quote"] for item in items if isinstance(item, dict) and isinstance(item.get("quote"), str)]
    last = max((place[1] for quote in said for place in [*quotes.find(quote)][:1]), default=None)
    rest = () if last is None else window.passages[last + 1 :]
    return Window(window.start, window.end, joined(rest), rest) if rest else None


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
