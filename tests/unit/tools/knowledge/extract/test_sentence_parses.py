"""tools.knowledge.extract.sentence_parses: spaCy reads what may name or relate something, and nothing else."""

from __future__ import annotations

import pytest
from builders import document, parsed, prose

from tools.knowledge.extract import sentence_parses
from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.prose_relations import prose_triplets
from tools.knowledge.extract.sentence_parses import parsed_sentences

CALL = document(doc_type="call", end=None)


def sentence(text: str, *, asked: bool = False) -> Passage:
    return Passage(text, 1, "c1", "", asked)


def names(*sentences: Passage) -> list[list[str]]:
    return [[entity.text for entity in doc.ents] for _, doc in parsed_sentences(sentences)]


def test_nothing_is_loaded_for_a_document_that_names_and_relates_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def model() -> None:
        raise AssertionError("spaCy was loaded")

    monkeypatch.setattr(sentence_parses, "_model", model)
    text = "We launched it in spring, and we expanded what we had launched. Our people sold it to others."
    assert list(prose_triplets(parsed(CALL, chunks=(prose(CALL, text),)))) == []


def test_a_name_that_only_opens_a_sentence_is_found() -> None:
    assert names(sentence("Boeing expanded our contract.")) == [["Boeing"]]


def test_a_word_that_many_sentences_write_small_opens_one_as_no_name() -> None:
    opening, others = sentence("Later we launched our plant."), [sentence("We launched it later.")] * 3
    assert len(names(opening, *others[:2])) == 1
    assert names(opening, *others) == []


def test_an_analysts_words_are_not_read() -> None:
    asked = sentence("We hear Boeing expanded the plant in Seattle.", asked=True)
    assert names(asked, sentence("We bought Boeing.")) == [["Boeing"]]


def test_sentences_come_in_the_order_of_the_document_those_of_one_name_left_out() -> None:
    texts = ["We acquired Boeing.", "Airbus expanded in spring.", "Airbus expanded our plant."]
    found = [passage.text for passage, _ in parsed_sentences([sentence(text) for text in texts])]
    assert found == [texts[0], texts[2]]
