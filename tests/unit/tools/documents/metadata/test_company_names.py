from __future__ import annotations

import pytest

from tools.documents.metadata.company_names import (
    joined_words,
    lower_name,
    name_tokens,
    name_variants,
    spells,
    without_suffix,
)


def test_a_word_is_folded_and_keeps_its_place() -> None:
    first, second = name_tokens("K.S.T. Orla’s")
    assert (first.word, second.word) == ("kst", "orla")
    assert (second.raw, second.start, second.end, second.possessive) == ("Orla", 7, 11, True)
    assert lower_name("Kestrel.com, Inc.") == "kestrel com inc"


def test_a_legal_suffix_is_left_out_but_never_the_whole_name() -> None:
    assert without_suffix(("the", "kestrel", "co", "inc")) == ("kestrel",)
    assert without_suffix(("inc",)) == ("inc",)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Harrowmere Foods, Inc.", "harrowmere"),  # before a descriptor
        ("Orlavix Kestriq", "orlavix"),  # before another coined word
        ("Orlavix Martin Corporation", "orlavix"),  # before a given name
        ("Orlavix & Daughters Kestriq Inc.", "orlavix"),  # before an 'and'
        ("Orlavix.com, Inc.", "orlavix"),
        ("PelliCo, Inc.", "pelli"),  # before a suffix that is joined to it
    ],
)
def test_a_coined_first_word_may_stand_alone(name: str, short: str) -> None:
    assert (short,) in name_variants(name)


@pytest.mark.parametrize("name", ["National Foods, Inc.", "London Kestriq Mirvane", "Ork Foods"])
def test_an_ordinary_word_a_place_or_a_short_one_does_not_stand_alone(name: str) -> None:
    assert (name.split()[0].lower(),) not in name_variants(name)


def test_variants_begin_with_the_whole_name_and_repeat_none() -> None:
    variants = name_variants("W.W. Orlavix, Inc.")
    assert variants[0] == ("ww", "orlavix", "inc")
    assert ("orlavix",) in variants
    assert len(variants) == len(set(variants))
    assert name_variants(" , ") == []


def test_initials_with_a_possessive_are_one_word() -> None:
    [token] = name_tokens("K.S.T.'s")
    assert (token.word, token.raw, token.possessive) == ("kst", "K.S.T.", True)


def test_compounds_fall_into_their_parts_and_names_in_capitals_do_not() -> None:
    assert joined_words("OrlaVix Re plc") == ("orla", "vix", "re")
    assert joined_words("KSMargo & Co.") == ("ks", "margo")
    assert joined_words("KESTREL of the Sea, Inc.") == ("kestrel", "sea")


def test_an_abbreviation_spells_the_beginnings_of_words_in_their_order() -> None:
    words = ("kestrel", "national", "airworks")
    assert spells("kna", words)
    assert spells("kesair", words)
    assert not spells("kesair", words, skip=False)
    assert not spells("kna", words, least=2)
    assert not spells("nka", words)
    assert not spells("kestrels", words)
