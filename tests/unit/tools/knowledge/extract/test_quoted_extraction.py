"""Relations that a model reads in one pass over a chunk, each with the words it quotes."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any

import pytest
from builders import document, parsed, prose

from tools.documents.types import ParsedDocument, Participant
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.model_extractor import ModelExtractor
from tools.knowledge.types import Triplet
from tools.model.types import Message, ModelDownError, ModelError, RefusedReplyError, Reply

CALL = document(doc_type="call", end=None)
TEXT = (
    "We acquired Birch Corporation in May for $52 million. It opened plants in Ohio. "
    "Cedar Pumps LLC (\u201cCedar\u201d) was certified by the Quality Board. Cedar will not renew its lease in Iowa."
)
BOUGHT = "We acquired Birch Corporation in May for $52 million"
KEPT = ("Acme Inc.", "acquired", "Birch Corporation")
Read = tuple[str, str, str]


class Scripted:
    """A chat model in this process that says what it is told to, by whole replies or by items."""

    id = "scripted"
    context = None

    def __init__(self, *replies: object, delay: float = 0.0) -> None:
        self.replies = list(replies)
        self.delay = delay
        self.asked: list[tuple[str, dict[str, Any] | None]] = []

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        self.asked.append((messages[-1].text, schema))
        time.sleep(self.delay)
        said = self.replies[min(len(self.asked), len(self.replies)) - 1]
        if isinstance(said, ModelError):
            raise said
        return said if isinstance(said, Reply) else Reply(json.dumps({"triplets": said}))


def item(head: str, relation: str, tail: str, quote: str = BOUGHT, **more: Any) -> dict[str, Any]:
    types = {"head_type": "company", "tail_type": "company"}
    return {"head": head, "relation": relation, "tail": tail, "quote": quote, **types, **more}


def call(text: str = TEXT, **fields: Any) -> ParsedDocument:
    return parsed(CALL, chunks=(prose(CALL, text, **fields),))


def triplets(*items: object, of: ParsedDocument | None = None) -> tuple[list[Triplet], dict[str, int]]:
    extractor = ModelExtractor(chat=Scripted(list(items)))
    found = extractor.extract(of or call())
    return [t for t in found if t.value is None], dict(extractor.tally)


def read(*items: object, of: ParsedDocument | None = None) -> tuple[set[Read], dict[str, int]]:
    found, tally = triplets(*items, of=of)
    return {(t.head, t.relation, t.tail) for t in found}, tally


def test_a_chunk_is_one_call_that_asks_for_quotations_and_sets_no_number_of_relations() -> None:
    chat = Scripted([])
    ModelExtractor(chat=chat).extract(call())
    ((text, schema),) = chat.asked
    assert TEXT[:40] in text and "<<<DATA" in text
    assert schema is not None
    listed = schema["properties"]["triplets"]
    fields = listed["items"]["properties"]
    assert "maxItems" not in listed and "enum" not in fields["relation"]
    assert list(fields) == [
        "quote", "head", "head_type", "relation", "status", "tail", "tail_type", "date", "amount"
    ]  # fmt: skip
    assert fields["status"]["enum"] == ["done", "planned", "not done", "conditional"]


def test_a_relation_carries_its_sentence_date_and_amount() -> None:
    (found,), tally = triplets(
        item("we", "acquire", "Birch Corporation", date="in May", amount="$52 million")
    )
    assert (found.head, found.relation, found.tail) == KEPT
    assert (found.quote, found.page) == (f"{BOUGHT}.", 1)
    assert (found.date, found.amount) == ("in May", "$52 million")
    assert tally == {"windows": 1, "kept": 1}


def test_a_date_or_amount_that_the_sentence_does_not_hold_is_left_out_and_counted() -> None:
    (found,), tally = triplets(item("we", "acquire", "Birch Corporation", date="June", amount=52_000_000))
    assert (found.date, found.amount) == ("", "")
    assert tally == {"windows": 1, "kept": 1, "left out: date": 1, "left out: amount": 1}


def test_names_may_be_long_and_relations_many() -> None:
    places = [f"North County Distribution Centre {n}" for n in range(30)]
    text = (
        "Acme opened " + ", ".join(places[:15]) + " in May. We opened " + ", ".join(places[15:]) + " in June."
    )
    told = [
        item("Acme", "open", name, "Acme opened" if n < 15 else "We opened", tail_type="location")
        for n, name in enumerate(places)
    ]
    kept, tally = read(*told, of=call(text))
    assert {tail for _, _, tail in kept} == set(places)
    assert tally["kept"] == 30


def test_blanks_quotation_marks_dashes_and_capitals_of_a_quotation_are_folded() -> None:
    one = call(
        "The board\u2019s \u201cNorth\u2013South\u201d plan began when Acme acquired Birch Corporation in May."
    )
    quote = 'the  board\'s "North-South" plan began when Acme\nacquired Birch Corporation'
    assert read(item("Acme", "acquire", "Birch Corporation", quote), of=one)[0] == {KEPT}


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (item("Acme", "acquire", "Birch Corporation", "We bought Birch Corporation in May"), "misquoted"),
        (item("Acme", "acquire", "Birch Corporation", "acquired Birch Corporation ... in Ohio"), "misquoted"),
        (item("Acme", "acquire", "Birch Corporation", "e acquired Birch"), "misquoted"),
        (item("Acme", "acquire", "Birch Corporation", ""), "misquoted"),
        (item("Acme", "acquire", "Dogwood Corporation"), "ungrounded"),
        (item("Dogwood", "acquire", "Birch Corporation"), "ungrounded"),
        (
            item("Elm", "open in", "Ohio", "opened plants in Ohio", tail_type="location"),
            "ungrounded",
        ),
        (item("Acme", "sue", "Birch Corporation"), "unsaid"),
        (item("Acme", "acquire", "Birch Corporation", status="planned"), "unsaid"),
        (item("Acme", "acquire", "Birch Corporation", status="not done"), "unsaid"),
        (item("Acme", "acquire", "Birch Corporation", status="conditional"), "unsaid"),
        (item("Cedar", "renew", "lease", "Cedar will not renew its lease", tail_type="product"), "unsaid"),
        (item("Acme", "is", "Birch Corporation"), "verb"),
        (item("Acme", "", "Birch Corporation"), "verb"),
        (item("Acme", "acquire " * 10, "Birch Corporation"), "verb"),
        (item("Acme", "pay", "$52 million", tail_type="metric"), "figure"),
        (item("Acme", "pay", "$52 million", tail_type="event"), "figure"),
        (item("Acme", "acquire", "it"), "pronoun"),
        (item("Acme", "acquire", "Birch " * 30), "long name"),
        (item("Acme", "acquire", "ACME"), "same name"),
        (item("Acme", "acquire", "Birch Corporation", tail_type="organisation"), "malformed"),
        ({"head": "Acme"}, "malformed"),
        ("Acme acquired Birch", "malformed"),
        ({**item("Acme", "acquire", "Birch Corporation"), "quote": None}, "malformed"),
    ],
)
def test_what_cannot_be_kept_is_dropped_and_counted(given: object, why: str) -> None:
    good = item("Acme", "acquire", "Birch Corporation")
    assert read(given, good) == ({KEPT}, {"windows": 1, "kept": 1, f"dropped: {why}": 1})


def test_a_quotation_that_says_it_names_one_and_refers_to_the_other_right_before() -> None:
    (found,), _ = triplets(
        item("Birch Corporation", "open in", "Ohio", "It opened plants in Ohio", tail_type="location")
    )
    assert (found.head, found.relation, found.tail) == ("Birch Corporation", "opened in", "Ohio")
    assert found.quote == f"{BOUGHT}. It opened plants in Ohio.", "the reader sees whom 'it' means"
    plain = call("We acquired Birch Corporation in May. Elm opened plants in Ohio.")
    told = item("Birch Corporation", "open in", "Ohio", "Elm opened plants in Ohio", tail_type="location")
    assert read(told, of=plain)[1]["dropped: ungrounded"] == 1, "that sentence refers to nobody"


def test_a_term_that_the_document_defines_is_the_name_that_it_stands_for() -> None:
    kept, _ = read(
        item("Quality Board", "certify", "Cedar", "was certified by the Quality Board"),
        item("Cedar", "renew", "lease in Iowa", "not renew its lease", status="not done", tail_type="event"),
    )
    assert kept == {
        ("Quality Board", "certified", "Cedar Pumps LLC"),
        ("Cedar Pumps LLC", "did not renew", "lease in Iowa"),
        ("Cedar", "is short for", "Cedar Pumps LLC"),
    }


@pytest.mark.parametrize(
    ("text", "relation", "status", "named"),
    [
        ("Birch was certified by Elm in May.", "certify", "done", ("Elm", "certified", "Birch")),
        ("Birch was certified by Elm in May.", "was certified by", "done", ("Elm", "certified", "Birch")),
        ("Birch was fined for its spill at Elm.", "was fined for", "done", ("Birch", "was fined for", "Elm")),
        ("Birch is a subsidiary of Elm, Acme said.", "is subsidiary of", "done", ("Birch", "is subsidiary of", "Elm")),
        ("Birch held talks with Elm in May.", "hold with", "done", ("Birch", "held with", "Elm")),
        ("Birch may certify Elm next year.", "certify", "conditional", ("Birch", "may certify", "Elm")),
        ("If Birch merges with Elm, we gain.", "merge with", "conditional", ("Birch", "may merge with", "Elm")),
        ("Birch intends to certify Elm soon.", "certify", "planned", ("Birch", "plans to certify", "Elm")),
        ("Birch refused to certify Elm at all.", "certify", "not done", ("Birch", "did not certify", "Elm")),
    ],
)  # fmt: skip
def test_any_verb_is_read_with_its_voice_and_status(
    text: str, relation: str, status: str, named: Read
) -> None:
    one = call(f"{text} Nothing else was said that day by anyone.")
    assert read(item("Birch", relation, "Elm", text, status=status), of=one)[0] == {named}


def test_what_stands_under_an_if_is_not_done() -> None:
    text = "If Birch acquires Elm, we gain a plant in Ohio."
    assert read(item("Birch", "acquire", "Elm", text), of=call(text))[1]["dropped: unsaid"] == 1


def test_a_question_of_an_analyst_states_nothing() -> None:
    question = "Tom Reed: Has Acme acquired Birch Corporation by now?\nAda Quill: No comment on that one."
    people = (
        Participant("Ada Quill", "CEO", "Acme Inc.", 1, False),
        Participant("Tom Reed", "", "Elm", 1, True),
    )
    one = parsed(CALL, people=people, chunks=(prose(CALL, question, kind="exchange", speaker="Tom Reed"),))
    told = item("Acme", "acquire", "Birch Corporation", "Has Acme acquired Birch Corporation by now?")
    kept, tally = read(told, of=one)
    assert KEPT not in kept
    assert tally["dropped: asked"] == 1


def test_a_quotation_does_not_cross_chunks() -> None:
    first, second = (
        prose(CALL, text) for text in ("Acme is in Utah and acquired.", "Birch Corporation opened plants.")
    )
    one = parsed(CALL, chunks=(first, second))
    told = item("Acme", "acquire", "Birch Corporation", "acquired. Birch Corporation opened plants")
    assert read(told, of=one)[1]["dropped: misquoted"] == 1


def test_a_name_taken_for_two_things_is_one_thing_of_one_type() -> None:
    text = "Acme acquired Gum Works. Gum Works opened plants in Ohio. Gum Works Inc. hired Ann Lee."
    opened = "Gum Works opened plants in Ohio"
    found, _ = triplets(
        item("Acme", "acquire", "Gum Works", "Acme acquired Gum Works"),
        item("Gum Works", "open in", "Ohio", opened, head_type="product", tail_type="location"),
        item("Gum Works Inc.", "hire", "Ann Lee", "Gum Works Inc. hired Ann Lee", tail_type="person"),
        of=call(text),
    )  # fmt: skip
    seen = {(n, k) for t in found for n, k in ((t.head, t.head_type), (t.tail, t.tail_type)) if "Gum" in n}
    assert seen == {("Gum Works", "company")}


def whole(*items: object) -> str:
    return json.dumps({"triplets": items})


def test_a_reply_that_is_cut_off_is_read_as_far_as_it_goes_and_the_rest_is_asked_for() -> None:
    first = item("Acme", "acquire", "Birch Corporation")
    second = item("Birch Corporation", "open in", "Ohio", "It opened plants in Ohio", tail_type="location")
    cut = whole(first, second)[:-60]
    chat = Scripted(Reply(cut, finish="length"), Reply(whole(second)))
    extractor = ModelExtractor(chat=chat)
    kept = {(t.head, t.relation, t.tail) for t in extractor.extract(call()) if t.value is None}
    assert kept == {KEPT, ("Birch Corporation", "opened in", "Ohio")}
    assert BOUGHT in chat.asked[0][0] and BOUGHT not in chat.asked[1][0]
    assert len(chat.asked) == 2 and "It opened plants" in chat.asked[1][0]


def test_replies_that_are_always_cut_off_come_to_an_end() -> None:
    sentences = [f"Acme opened plant {n} in Ohio." for n in range(20)]
    told = [item("Acme", "open in", "Ohio", said[:-1], tail_type="location") for said in sentences]
    chat = Scripted(*(Reply(whole(one)[:-2] + ', {"quo', finish="length") for one in told))
    kept, _ = read_with(chat, call(" ".join(sentences)))
    assert len(chat.asked) == 20
    assert kept == {("Acme Inc.", "opened in", "Ohio")}


def read_with(chat: Scripted, of: ParsedDocument) -> tuple[set[Read], dict[str, int]]:
    extractor = ModelExtractor(chat=chat)
    found = extractor.extract(of)
    return {(t.head, t.relation, t.tail) for t in found if t.value is None}, dict(extractor.tally)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (Reply("no json"), "malformed reply"),
        (Reply('{"triplets": [{"quote": "We', finish="length"), "malformed reply"),
        (RefusedReplyError("no"), "refused"),
    ],
)
def test_an_unusable_reply_leaves_the_chunk_to_the_local_rules(said: object, why: str) -> None:
    extractor = ModelExtractor(chat=Scripted(said))
    found = extractor.extract(call())
    assert extractor.tally == {"windows": 1, f"fallback: {why}": 1}
    assert {t.id for t in found} == {t.id for t in LocalExtractor().extract(call())}


def test_an_endpoint_that_is_down_ends_the_document_at_once() -> None:
    chat = Scripted(ModelDownError("gone"))
    with pytest.raises(ModelDownError, match="gone"):
        ModelExtractor(chat=chat, threads=1).extract(call("Acme opened a new plant in Ohio in May. " * 120))
    assert len(chat.asked) == 1


def test_the_same_replies_give_the_same_triplets_whoever_is_first() -> None:
    text = " ".join(f"Acme opened plant number {n} in Ohio and acquired Birch in May." for n in range(150))
    told = [
        item("Acme", "acquire", "Birch", "acquired Birch in May"),
        item("Acme", "open", "plant number", "Acme opened"),
    ]
    alone = ModelExtractor(chat=Scripted(told), threads=1).extract(call(text))
    assert ModelExtractor(chat=Scripted(told, delay=0.01), threads=4).extract(call(text)) == alone
    assert len(alone) > 5


def test_a_triplet_without_date_and_amount_has_the_id_it_always_had() -> None:
    (plain,), _ = triplets(item("Acme", "acquire", "Birch Corporation"))
    (dated,), _ = triplets(item("Acme", "acquire", "Birch Corporation", date="in May"))
    assert replace(dated, id=plain.id, date="") == plain
    assert dated.id != plain.id
