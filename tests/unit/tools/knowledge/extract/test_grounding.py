from __future__ import annotations

import pytest
from builders import document

from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.grounding import Name, SentenceWords, find_sentence, read_name
from tools.knowledge.extract.said_verbs import says
from tools.knowledge.lexicon.relation_verbs import CURATED, read_relation
from tools.knowledge.types import EntityType

ACME = document(doc_type="call", end=None)


def sentence(
    text: str, *, speaker: str = "", asked: bool = False, chunk: str = "c1", page: int = 1
) -> SentenceWords:
    return SentenceWords(Passage(text, page, chunk, speaker, asked))


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("acquired", ("acquired", False)),
        ("acquires", ("acquired", False)),
        ("has acquired", ("acquired", False)),
        ("was acquired by", ("acquired", True)),
        ("acquired by", ("acquired", True)),
        ("partnered with", ("partnered with", False)),
        ("partnered_with", ("partnered with", False)),
        ("will launch", ("will launch", False)),
        ("will not launch", ("will not launch", False)),
        ("plans to build in", ("plans to build in", False)),
        ("did not renew", ("did not renew", False)),
        ("didn't renew", ("did not renew", False)),
        ("employs", ("employed", False)),
        ("has", None),
        ("may acquire", None),
        ("is related to", None),
        ("", None),
        ("thinks very highly of and with great joy acquired", None),
    ],
)
def test_a_relation_is_a_verb_of_the_curated_set(said: str, expected: tuple[str, bool] | None) -> None:
    assert read_relation(said) == expected


def test_every_verb_that_the_prompt_offers_is_taken() -> None:
    assert len(CURATED) > 100
    assert {verb: read_relation(verb) for verb in CURATED} == {verb: (verb, False) for verb in CURATED}


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("we", "company", Name("Acme Inc.", "company")),
        ("The Company", "company", Name("Acme Inc.", "company")),
        ("Acme", "company", Name("Acme Inc.", "company")),
        ("ACME", "company", Name("Acme Inc.", "company")),
        ('"the Optane business."', "product", Name("Optane business", "product")),
        ("Apollo Global Management Inc.", "company", Name("Apollo Global Management Inc.", "company")),
        ("a very long name of a thing", "product", "long name"),
        ("$5 billion", "metric", "figure"),
        ("9% growth", "metric", "figure"),
        ("they", "company", "pronoun"),
        ("2023", "event", "pronoun"),
        ("", "event", "pronoun"),
    ],
)
def test_names_are_cleaned_or_refused_with_a_reason(
    text: str, kind: EntityType, expected: Name | str
) -> None:
    assert read_name(text, kind, ACME) == expected


HEAD, OHIO = Name("Acme Inc.", "company"), Name("Ohio", "location")


def test_the_quote_is_the_sentence_that_holds_both_names_and_the_verb() -> None:
    found = [
        sentence("Acme likes Ohio."),
        sentence("We opened a plant in Ohio.", page=2),
        sentence("Ohio is flat."),
    ]
    place = find_sentence(HEAD, OHIO, "opened in", found, ACME)
    assert place == (found[1].passage, "We opened a plant in Ohio.")


def test_names_in_two_sentences_that_follow_each_other_are_quoted_together() -> None:
    found = [sentence("Acme grew."), sentence("A plant in Ohio was opened.")]
    assert find_sentence(HEAD, OHIO, "opened in", found, ACME) == (
        found[0].passage,
        "Acme grew. A plant in Ohio was opened.",
    )
    apart = [sentence("Acme grew."), sentence("A plant in Ohio was opened.", chunk="c2")]
    assert find_sentence(HEAD, OHIO, "opened in", apart, ACME) == "ungrounded"


def test_a_name_that_stands_nowhere_is_ungrounded() -> None:
    found = [sentence("We opened a plant in Ohio.")]
    assert find_sentence(HEAD, Name("Iowa", "location"), "opened in", found, ACME) == "ungrounded"
    assert find_sentence(Name("Birch", "company"), OHIO, "opened in", found, ACME) == "ungrounded"


def test_part_of_a_word_is_no_name() -> None:
    found = [sentence("We opened plants in Ohioville.")]
    assert find_sentence(HEAD, OHIO, "opened in", found, ACME) == "ungrounded"


def test_a_question_states_nothing() -> None:
    found = [sentence("Did Acme open a plant in Ohio?", speaker="Tom Reed", asked=True)]
    assert find_sentence(HEAD, OHIO, "opened in", found, ACME) == "asked"


def test_a_speaker_stands_in_what_they_say() -> None:
    found = [sentence("I joined the plant in Ohio in May.", speaker="Ada M. Quill")]
    place = find_sentence(Name("Ada Quill", "person"), OHIO, "joined in", found, ACME)
    assert place == (found[0].passage, found[0].passage.text)


@pytest.mark.parametrize(
    ("text", "relation", "expected"),
    [
        ("Revenue was up 9% on higher prices.", "increased", True),
        ("Revenue was down 9% on lower prices.", "increased", False),
        ("Gross margin fell.", "declined", True),
        ("The acquisition of Birch closed in May.", "acquired", True),
        ("We plan to buy Birch.", "plans to acquire", True),
        ("We expect the board to approve the sale.", "will approve", True),
        ("We bought Birch.", "plans to acquire", False),
        ("We will buy Birch.", "acquired", False),
        ("The pending acquisition of Birch was discussed.", "acquired", False),
        ("We met Birch.", "acquired", False),
        ("Thank you for joining us, Ann.", "hired", False),
        ("We did not renew the contract.", "renewed", False),
        ("We did not renew the contract.", "did not renew", True),
        ("We renewed the contract.", "did not renew", False),
        ("We haven't yet fully renewed it.", "will not renew", True),
        ("In May we bought Birch.", "acquired", True),
        ("We may buy Birch.", "acquired", False),
    ],
)
def test_a_sentence_says_a_relation_by_its_verb_its_noun_or_its_direction(
    text: str, relation: str, expected: bool
) -> None:
    assert says(text, relation) is expected


def test_a_verb_that_has_swallowed_its_object_is_none() -> None:
    assert read_relation("reported earnings") is None
    assert read_relation("opened plants in") == ("opened in", False)
