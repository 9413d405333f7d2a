"""Text made safe and whole."""

from __future__ import annotations

import pytest

from tools.documents.text.cleaning import MAX_LINE, clean, join_lines, joined_ends, sentences, squeeze


@pytest.mark.parametrize(
    ("dirty", "expected"),
    [
        ("net\u200bsales", "netsales"),  # zero-width space
        ("\ufeffApple", "Apple"),  # byte order mark
        ("total \u202e000,1\u202c", "total 000,1"),  # right-to-left override
        ("a\u2066b\u2069c", "abc"),  # isolates
        ("soft\u00adhyphen", "softhyphen"),
        ("infor\u00ad\nmation", "information"),
        ("tag\U000e0041\U000e0042", "tag"),  # tag characters, which hide instructions
        ("vs\ufe0f16", "vs16"),  # variation selector
        ("bell\x07 and\x00 null", "bell and null"),
        ("hangul\u3164filler", "hangulfiller"),
        ("thin\u2009space\u00a0kept", "thin space kept"),
        ("\uf0b7 item", "• item"),  # the Symbol font's bullet
        ("\ue000private", "private"),
        ("\ud800lone", "lone"),
        ("ﬁnancial eﬀect", "financial effect"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("€ 1.5 — café “quoted” ☒ ®", "€ 1.5 — café “quoted” ☒ ®"),
    ],
)
def test_what_cannot_be_seen_is_removed_and_what_is_printed_stays(dirty: str, expected: str) -> None:
    assert clean(dirty) == expected
    assert clean(clean(dirty)) == expected


def test_lines_are_joined_and_compounds_keep_their_hyphen() -> None:
    assert (
        join_lines(["Net sales of non-", "GAAP products", "  rose. "])
        == "Net sales of non-GAAP products rose."
    )
    assert join_lines(["a range of 5 -", "6"]) == "a range of 5 - 6"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Sales rose 5%. Costs fell.", 2),
        ("Mr. Roy spoke. Ms. Lee answered.", 2),
        ("The U.S. dollar was strong in the U.S. The euro was not.", 2),
        ("Apple Inc. and its subsidiaries sold phones.", 1),
        ("It grew 1.5 times. Earnings were $1.26 per share.", 2),
        ("J.P. Morgan asked first. A. B. Otto replied.", 2),
        ("Why? Because! “It works.” Then more.", 4),
        ("See Note 4. 2023 was better.", 2),
        ("no end at all", 1),
        ("", 0),
    ],
)
def test_sentences_end_where_they_end(text: str, count: int) -> None:
    parts = sentences(text)
    assert len(parts) == count, parts
    assert " ".join(parts) == squeeze(text)


def test_a_line_longer_than_any_printed_one_goes_on_in_the_next() -> None:
    text = "Short.\n" + "5% " * 3_000 + "\n" + "x" * 5_000
    cleaned = clean(text)
    assert max(map(len, cleaned.split("\n"))) <= MAX_LINE
    assert cleaned.split("\n", 1)[0] == "Short."
    assert "".join(cleaned.split()) == "".join(text.split())
    assert clean(cleaned) == cleaned


def test_the_ends_of_joined_lines_are_those_of_the_lines_joined_so_far() -> None:
    lines = ["The non-", "GAAP  measure", "", "— and", "a 10-", "Q"]
    assert joined_ends(lines) == [len(join_lines(lines[: n + 1])) for n in range(len(lines))]


def test_an_abbreviation_is_known_by_its_last_characters_however_long_the_text_before() -> None:
    assert sentences("word " * 500 + "Acme Inc. and Mr. Roy met. It rained.")[1:] == ["It rained."]
