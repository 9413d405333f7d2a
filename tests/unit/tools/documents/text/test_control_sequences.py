"""Control sequences go whole; what is no sequence stays."""

from __future__ import annotations

import pytest

from tools.documents.text.cleaning import clean
from tools.documents.text.control_sequences import without_sequences, without_sequences_in_json


@pytest.mark.parametrize(
    "sequence",
    [
        "\x1b[31m",
        "\x1b[38;2;1;2;3m",
        "\x1b[2J",
        "\x1b[?2004h",
        "\x1b]0;owned\x07",
        "\x1b]8;;http://x.example\x1b\\",
        "\x1bPq#1\x1b\\",
        "\x1b(0",
        "\x1bc\x1b",
        "\x1bM\x1b",
        "\x1b",
        "\x1b\x1b[31m",
    ],
)
def test_a_sequence_is_removed_whole(sequence: str) -> None:
    assert without_sequences(f"net {sequence}sales") == "net sales"
    assert clean(f"net {sequence}sales") == "net sales"


@pytest.mark.parametrize("text", ["Tesla", "cash", "789 million", "7", " in March", "(0)", "(0.5)", "(April"])
def test_what_follows_a_stray_escape_stays(text: str) -> None:
    assert clean(f"\x1b{text}") == text


@pytest.mark.parametrize("sequence", ["\x9b31m", "\x9b2J", "\x9d0;owned\x07", "\x90q\x9c"])
def test_so_is_one_that_begins_above_127_but_for_documents(sequence: str) -> None:
    assert without_sequences(f"net {sequence}sales") == "net sales"


def test_what_is_cut_out_leaves_no_other_sequence() -> None:
    assert "\x1b" not in without_sequences("a\x1b[3\x1b[31m1mb\x1b\x1b[0m[0m")


def test_a_title_without_an_end_takes_its_line_alone() -> None:
    assert without_sequences("a\x1b]0;owned\nb") == "a\nb"


def test_letters_of_a_wrongly_decoded_document_stay() -> None:
    assert clean("Dvo\x9e\xe1k, net sales of 5") == "Dvo\xe1k, net sales of 5"


def test_json_writes_a_sequence_otherwise() -> None:
    told = '{"a": "net \\u001b[31msales \\u009b2Jof \\u001B]0;owned\\u0007five"}'
    assert without_sequences_in_json(told) == '{"a": "net sales of five"}'
