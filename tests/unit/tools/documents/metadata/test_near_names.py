"""Companies by what people write in place of their names."""

from __future__ import annotations

import pytest

from tools.documents.metadata.company_names import name_tokens
from tools.documents.metadata.near_names import NearNames

NAMES = NearNames(
    [
        ("Kestrel Airworks Holdings, Inc.", "KAW"),
        ("Harrow & Mere", "HRM"),
        ("OrlaVix", "ORL"),
        ("Tolvany Briskett", "TOL"),
        ("Quillmark Inc.", "QLM"),
        ("Quillmart Inc.", "QLS"),
        ("General Grain, Inc.", "GRN"),
    ]
)


def meant(text: str, *, quiet: bool = False) -> tuple[str, bool] | None:
    return NAMES.match(name_tokens(text), quiet=quiet)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("KAH", "KAW"),  # initials
        ("H&M", "HRM"),
        ("HnM", "HRM"),
        ("KestAir", None),  # a word is left out
        ("KestAirHold", "KAW"),  # beginnings run together
        ("GenGrain", "GRN"),
        ("Orla Vix", "ORL"),  # a compound in its parts
        ("Kestrel Air", "KAW"),  # its first words, the last one cut short
        ("Briskett", "TOL"),  # the second of two coined words
    ],
)
def test_what_stands_for_a_name_means_its_company(text: str, key: str | None) -> None:
    found = meant(text)
    assert (found and found[0]) == key
    assert found is None or found[1]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Orlavx", "ORL"),
        ("Kestral Airworks", None),  # the third word is missing, too
        ("General Grian", "GRN"),
        ("Tolvani Briskett", "TOL"),
        ("Quillmary", None),  # two companies are as near
    ],
)
def test_a_misspelt_name_means_the_one_company_that_is_near(text: str, key: str | None) -> None:
    assert meant(text) == ((key, False) if key else None)


@pytest.mark.parametrize(
    "text", ["general growth", "the General", "K&A", "kestrel air", "GRE", "my Orlavix", "General Gr"]
)
def test_ordinary_words_and_strange_initials_mean_no_company(text: str) -> None:
    assert meant(text) is None


def test_a_question_without_capitals_may_name_a_company_by_a_word_that_is_no_ordinary_one() -> None:
    assert meant("orla vix", quiet=True) == ("ORL", True)
    assert meant("general grai", quiet=True) == ("GRN", True)
    assert meant("general grain", quiet=True) is not None
    assert meant("kah", quiet=True) is None


def test_the_nearest_names_of_an_unknown_one_are_all_that_are_equally_near() -> None:
    assert NAMES.nearest("Quillmary") == ("QLM", "QLS")
    assert NAMES.nearest("Orlivux") == ("ORL",)
    assert NAMES.nearest("Zebedee") == ()
    assert NAMES.nearest("") == ()
