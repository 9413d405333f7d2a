from __future__ import annotations

import pytest

from tools.ontology import lemmas
from tools.ontology.lemmas import is_noun, lemma, words_of


def test_the_key_of_nouns_in_spacys_tables_is_spacys_own() -> None:
    from spacy.strings import get_string_id

    assert get_string_id("noun") == lemmas._NOUN


@pytest.mark.parametrize(
    ("word", "singular"),
    [
        ("Securities", "security"),
        ("facilities", "facility"),
        ("swaps", "swap"),
        ("indices", "index"),
        ("basis", "basis"),
        ("loss", "loss"),
        ("assets", "asset"),
        ("Rates", "rate"),
        ("as", "as"),
        ("pass", "pass"),
        ("U.S", "us"),
        ("company's", "company"),
        ("companies’", "company"),
        ("Zzyzxes", "zzyzxes"),
        ("S&P", "s&p"),
        ("Öl", "öl"),
        ("2024", "2024"),
    ],
)
def test_nouns_are_told_in_their_singular_and_what_is_unknown_as_it_stands(word: str, singular: str) -> None:
    assert lemma(word) == singular


def test_words_come_with_their_places_and_a_hyphen_parts_two() -> None:
    text = "The U.S. swap-rates’ end: A_b"
    assert [text[word.start : word.end] for word in words_of(text)] == [
        "The", "U.S", "swap", "rates", "end", "A", "b"
    ]  # fmt: skip
    assert list(words_of("—…  ")) == []


def test_nouns_are_those_that_spacy_lists() -> None:
    assert is_noun("liability") and not is_noun("zzyzx")
