from __future__ import annotations

import pytest

from tools.documents.metadata.company_names import lower_name, name_tokens, name_variants, without_suffix


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
        ("Orlavix & Daughters Kestriq Inc.", "orlavix"),  # before an 'and'
        ("Orlavix.com, Inc.", "orlavix"),
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
