from __future__ import annotations

from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.extract.defined_terms import defined_terms
from tools.knowledge.extract.quotes import MAX_QUOTE_CHARACTERS, Quotes


def said(*texts: str, speaker: str = "", chunk: str = "c1") -> list[Passage]:
    return [Passage(text, 1, chunk, speaker, False) for text in texts]


def test_a_quotation_is_found_wherever_it_stands_with_the_sentences_it_covers() -> None:
    quotes = Quotes(said("Orla grew.", "Orla opened plants. ", "Orla grew."))
    assert list(quotes.find("Orla grew")) == [(0, 0), (2, 2)]
    assert list(quotes.find("grew. Orla  opened")) == [(0, 1)]


def test_half_a_word_nothing_and_a_whole_page_are_no_quotation() -> None:
    quotes = Quotes(said("Orla reopened plants.", "x " * MAX_QUOTE_CHARACTERS))
    for quote in ("opened plants", "", " \u2026 ", "x " * MAX_QUOTE_CHARACTERS):
        assert list(quotes.find(quote)) == []


def test_a_speakers_name_may_open_a_quotation_as_the_model_reads_it() -> None:
    quotes = Quotes(said("We grew.", "We opened plants.", speaker="Ada Quill"))
    assert list(quotes.find("Ada Quill: We grew.")) == [(0, 0)]
    assert list(quotes.find("grew. We opened")) == [(0, 1)]


def test_what_a_fence_breaks_up_is_quoted_as_the_model_sees_it() -> None:
    quotes = Quotes(said("Orla's <Vela> line grew."))
    assert list(quotes.find("Orla's < Vela> line grew")) == [(0, 0)]
    assert list(quotes.find("Orla\u2019s <Vela> line grew")) == [(0, 0)]


def test_terms_in_brackets_stand_for_the_name_that_they_open_or_abbreviate() -> None:
    terms = defined_terms(
        [
            'In 2022 Orla and Kestrel Pumps LLC ("Kestrel") merged.',
            "Under the Orla Supply Agreement (the \u201cOrla Supply\u201d or the \u201cAgreement\u201d) we pay.",
            "He met Dogwood Bank, N.A. (together with its affiliates, \u201cDogwood\u201d).",
            "The Bureau of Quiet Waters (\u201cBQW\u201d) fined us.",
        ]
    )
    assert terms == {
        "kestrel": "Kestrel Pumps LLC",
        "orla supply": "Orla Supply Agreement",
        "dogwood": "Dogwood Bank, N.A.",
        "bqw": "Bureau of Quiet Waters",
    }


def test_a_term_for_two_names_stands_for_neither() -> None:
    assert defined_terms(['Elm Bank Inc. ("Elm") paid.', 'Elm Foods Inc. ("Elm") paid.']) == {}
