"""The paper's chain of two tiers; the single pass has its own file, test_quoted_extraction."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from builders import document, parsed, prose

from tools.documents.types import Page, ParsedDocument, Participant
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.model_extractor import ModelExtractor, prompt_versions
from tools.model.types import Message, ModelDownError, ModelError, RefusedReplyError, Reply

two_tiers = partial(ModelExtractor, passes=2)
CALL = document(doc_type="call", end=None)
TEXT = (
    "We acquired Birch Corporation in May. Total revenue was $52 million in the quarter. "
    "Birch opened plants in Ohio."
)
BIRCH = ("Acme Inc.", "acquired", "Birch Corporation")


class Scripted:
    """A chat model in this process: tier one repeats, tier two says what it is told to."""

    id = "scripted"
    context = None
    schema: dict[str, Any] | None = None
    """Of the last structured call."""

    def __init__(self, items: object, refined: Callable[[str], str] = str, delay: float = 0.0) -> None:
        self.items = items
        self.refined = refined
        self.delay = delay
        self.calls: list[str] = []
        self._lock = threading.Lock()

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        with self._lock:
            self.calls.append("extract" if schema else "refine")
        time.sleep(random.uniform(0, self.delay))
        if schema is None:
            return Reply(self.refined(messages[-1].text))
        self.schema = schema
        if isinstance(self.items, ModelError):
            raise self.items
        return Reply(self.items if isinstance(self.items, str) else json.dumps({"triplets": self.items}))


def item(
    head: str, relation: str, tail: str, head_type: str = "company", tail_type: str = "company"
) -> dict[str, str]:
    return {"head": head, "head_type": head_type, "relation": relation, "tail": tail, "tail_type": tail_type}


def call(text: str = TEXT, **fields: Any) -> ParsedDocument:
    return parsed(CALL, chunks=(prose(CALL, text, **fields),))


def read(items: object, of: ParsedDocument | None = None) -> tuple[set[tuple[str, str, str]], dict[str, int]]:
    extractor = two_tiers(chat=Scripted(items))
    triplets = extractor.extract(of or call())
    return {(t.head, t.relation, t.tail) for t in triplets if t.value is None}, dict(extractor.tally)


def test_a_relation_comes_with_its_sentence_page_chunk_and_company() -> None:
    chunk = replace(prose(CALL, TEXT), pages=(3, 4))
    pages = (Page(3, TEXT[:40]), Page(4, TEXT[38:]))
    item_of = replace(parsed(CALL, chunks=(chunk,)), pages=pages)
    triplets = two_tiers(
        chat=Scripted([item("Birch", "opened plants in", "Ohio", tail_type="location")])
    ).extract(item_of)
    (found,) = (t for t in triplets if t.relation == "opened in")
    assert (found.head, found.tail, found.page, found.chunk_id) == ("Birch", "Ohio", 4, chunk.id)
    assert found.quote == "Birch opened plants in Ohio."
    assert (found.company_key, found.document_id, found.period) == ("ACME", CALL.id, CALL.period)


def test_figures_and_participants_are_the_parsers() -> None:
    people = (Participant("Ada Quill", "Chief Executive Officer", "Acme Inc.", 1, False),)
    one = parsed(CALL, people=people, chunks=(prose(CALL, TEXT),))
    triplets = two_tiers(chat=Scripted([])).extract(one)
    assert ("Ada Quill", "holds role", "Chief Executive Officer") in {
        (t.head, t.relation, t.tail) for t in triplets
    }
    figures = [t for t in triplets if t.value is not None]
    assert figures == [t for t in LocalExtractor().extract(one) if t.value is not None] != []


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (item("we", "acquired", "Birch Corporation"), BIRCH),
        (item("ACME", "Acquired", "Birch Corporation", "COMPANY", " Company "), BIRCH),
        (item("Birch Corporation", "was acquired by", "Acme"), BIRCH),
        (["Acme", "company", "acquired", "Birch Corporation", "company", {}], BIRCH),
        ({**item("Acme", "acquired", "Birch"), "confidence": 0.9}, ("Acme Inc.", "acquired", "Birch")),
    ],
)
def test_what_small_models_write_is_understood(given: object, kept: tuple[str, str, str]) -> None:
    assert read([given]) == ({kept}, {"windows": 1, "kept": 1})


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (item("Acme", "acquired", "Cedar Corporation"), "ungrounded"),
        (item("Dogwood", "acquired", "Birch Corporation"), "ungrounded"),
        (item("Acme", "is related to", "Birch Corporation"), "verb"),
        (item("Acme", "may acquire", "Birch Corporation"), "verb"),
        (
            item("Acme", "acquired", "the whole of Birch Corporation and plants", tail_type="product"),
            "long name",
        ),
        (item("Acme", "reported", "$52 million", tail_type="metric"), "figure"),
        (item("Acme", "acquired", "it"), "pronoun"),
        (item("Acme", "acquired", "Acme"), "same name"),
        (item("Acme", "acquired", "Birch Corporation", tail_type="organisation"), "malformed"),
        ({"head": "Acme"}, "malformed"),
        ("Acme acquired Birch", "malformed"),
        (None, "malformed"),
        (item("Acme", "acquired", 7), "malformed"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_kept_is_dropped_and_counted(given: object, why: str) -> None:
    good = item("Acme", "acquired", "Birch Corporation")
    assert read([given, good]) == (
        {BIRCH},
        {"windows": 1, "kept": 1, f"dropped: {why}": 1},
    )


def test_a_question_of_an_analyst_states_nothing() -> None:
    question = (
        "Tom Reed: Has Acme acquired Birch Corporation by now?\nAda Quill: No comment at all on that one."
    )
    one = parsed(
        CALL,
        people=(
            Participant("Ada Quill", "CEO", "Acme Inc.", 1, False),
            Participant("Tom Reed", "", "Elm", 1, True),
        ),
        chunks=(prose(CALL, question, kind="exchange", speaker="Tom Reed"),),
    )
    kept, tally = read([item("Acme", "acquired", "Birch Corporation")], one)
    assert BIRCH not in kept
    assert tally["dropped: asked"] == 1


def test_the_same_replies_give_the_same_triplets_whoever_is_first() -> None:
    text = " ".join(
        f"Acme opened plant number {n} in Ohio and acquired Birch Corporation in May." for n in range(150)
    )
    items = [item("Acme", "acquired", "Birch"), item("Acme", "opened", "plant number", tail_type="product")]
    alone = two_tiers(chat=Scripted(items), threads=1).extract(call(text))
    for _ in range(3):
        assert two_tiers(chat=Scripted(items, delay=0.02), threads=4).extract(call(text)) == alone
    assert len(alone) > 5


def test_one_tier_is_asked_after_the_other() -> None:
    chat = Scripted([])
    two_tiers(chat=chat, threads=3).extract(
        call("Acme opened a new plant in Ohio in the month of May. " * 90)
    )
    assert len(chat.calls) >= 4
    assert chat.calls == sorted(chat.calls, reverse=True)


def test_an_endpoint_that_is_down_ends_the_document_at_once() -> None:
    chat = Scripted(ModelDownError("gone"))
    with pytest.raises(ModelDownError, match="gone"):
        two_tiers(chat=chat, threads=1).extract(
            call("Acme opened a new plant in Ohio in the month of May. " * 90)
        )
    assert chat.calls.count("extract") == 1


@pytest.mark.parametrize(
    ("chat", "why"),
    [
        (Scripted("no json"), "malformed reply"),
        (Scripted(RefusedReplyError("no")), "refused"),
        (Scripted([], refined=lambda text: "<think>what do they want"), "empty reply"),
    ],
)
def test_an_unusable_reply_leaves_the_chunk_to_the_local_rules(chat: Scripted, why: str) -> None:
    extractor = two_tiers(chat=chat)
    triplets = extractor.extract(call())
    assert extractor.tally == {"windows": 1, f"fallback: {why}": 1}
    assert {t.id for t in triplets} == {t.id for t in LocalExtractor().extract(call())}


def test_a_request_that_is_refused_for_every_chunk_is_no_extraction() -> None:
    with pytest.raises(ModelError, match="no such parameter"):
        two_tiers(chat=Scripted(ModelError("no such parameter"))).extract(call())


def test_a_document_without_prose_asks_nothing() -> None:
    chat = Scripted([])
    assert two_tiers(chat=chat).extract(parsed(CALL)) == []
    assert chat.calls == []


def test_prompts_are_named_with_version_and_words() -> None:
    assert prompt_versions(2).startswith("extract 2 ")
    assert ", refine 1 " in prompt_versions(2)
    assert prompt_versions().startswith("relations 1 ")


def test_the_schema_offers_the_curated_verbs_and_no_endless_list() -> None:
    chat = Scripted([])
    two_tiers(chat=chat).extract(call())
    assert chat.schema is not None
    triplets = chat.schema["properties"]["triplets"]
    assert triplets["maxItems"] == 12
    assert "acquired" in triplets["items"]["properties"]["relation"]["enum"]
    assert triplets["items"]["properties"]["status"]["enum"] == ["done", "planned", "not done"]


@pytest.mark.parametrize(
    ("status", "relation", "text"),
    [
        ("Planned", "plans to open in", "In the coming year Birch will open plants in Ohio and in Iowa."),
        ("not done", "did not open in", "In that quarter Birch did not open plants in Ohio or in Iowa."),
    ],
)
def test_what_is_planned_or_was_not_done_says_so_as_its_sentence_does(
    status: str, relation: str, text: str
) -> None:
    said = {**item("Birch", "opened", "Ohio", tail_type="location"), "status": status}
    assert read([said], call(text))[0] == {("Birch", relation, "Ohio")}
    assert read([said])[0] == set(), "there the sentence says that it was done"
    assert read([{**said, "status": "done"}], call(text))[0] == set()


def test_a_verb_that_the_sentence_does_not_say_is_dropped() -> None:
    assert read([item("Acme", "sued", "Birch Corporation")]) == (set(), {"windows": 1, "dropped: unsaid": 1})
    assert read([item("Birch", "closed", "plants", tail_type="product")])[0] == set()


def test_who_was_acquired_by_whom_is_told_by_the_sentence() -> None:
    told = call("Delta Freight was acquired by Birch Corporation in May of that year, as planned.")
    assert read([item("Delta Freight", "acquired", "Birch Corporation")], told)[0] == {
        ("Birch Corporation", "acquired", "Delta Freight")
    }
