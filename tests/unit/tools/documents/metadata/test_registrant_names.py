from __future__ import annotations

from tools.documents.metadata.registrant_names import (
    aliases,
    display_name,
    name_in_text,
    short_name,
    slug,
    symbol_in_text,
)


def test_a_name_loses_its_legal_suffix_and_its_article() -> None:
    assert short_name("The Harrowmere Company") == "Harrowmere"
    assert short_name("K.S.T. Corporation") == "K.S.T."
    assert short_name("Inc.") == "Inc."
    assert slug("Orlà & Kestrel, Inc.") == "orla-kestrel"


def test_a_name_in_capitals_is_spelled_as_the_text_spells_it() -> None:
    assert display_name("KESTREL AIRWORKS INC.", "Kestrel AirWorks Inc. flew.") == "Kestrel AirWorks Inc."
    assert display_name("KESTREL AIRWORKS LLC", "") == "Kestrel Airworks LLC"
    assert display_name("Orla Inc.", "ORLA INC.") == "Orla Inc."


def test_other_names_are_what_the_text_defines_and_nothing_that_any_filer_uses() -> None:
    text = 'Kestrel Airworks, Inc. (the "Company", "Kestrel" or "Orlavix") reports.'
    assert aliases("Kestrel Airworks, Inc.", "KAW", text) == (
        "Kestrel Airworks",
        "Kestrel",
        "Orlavix",
        "KAW",
    )
    other = 'Kestrel Airworks, Inc. sold it to a buyer (the "Tern Kestrel" fund, or "Orlavix").'
    assert aliases("Kestrel Airworks, Inc.", None, other) == ("Kestrel Airworks",)


def test_a_release_is_of_the_company_that_it_names_again() -> None:
    text = "Orla Media Corp. said that Kestrel Inc. (NYSE: KST) won. Kestrel will begin."
    assert name_in_text(text) == ("Kestrel Inc.", "KST")
    assert name_in_text("Orla Media Corp. closed.") == (None, None)


def test_a_generic_word_of_the_name_is_no_other_name() -> None:
    text = 'Harrowmere Bank, Inc. (the "Bank" or "Harrowmere") reports.'
    assert aliases("Harrowmere Bank, Inc.", None, text) == ("Harrowmere Bank", "Harrowmere")


def test_a_former_name_and_a_trade_name_are_other_names() -> None:
    text = "Kestrel Airworks, Inc., formerly known as Orlavix Corporation, flies. Kestrel Airworks (d/b/a “Tern Air”)"
    assert aliases("Kestrel Airworks, Inc.", None, text) == (
        "Kestrel Airworks",
        "Tern Air",
        "Orlavix Corporation",
    )


def test_another_company_that_shares_a_word_is_no_other_name() -> None:
    text = 'Kestrel Inc. and Dow Holdings founded a venture. Kestrel sold its part of it ("Dow Kestrel").'
    assert aliases("Kestrel Inc.", None, text) == ("Kestrel",)


def test_a_symbol_is_read_where_the_text_states_it() -> None:
    assert symbol_in_text("It trades on the Nasdaq under the symbol “KAW”.") == "KAW"
    assert symbol_in_text("It trades under the name KAW.") is None
