"""The file of decisions: what a line is, what is said of one that is none, and that nobody's lines are rewritten."""

from __future__ import annotations

import pytest

from tools.knowledge.graph.decisions import (
    Decision,
    DecisionLineError,
    Named,
    read_decisions,
    with_decision,
)

ONE = Decision(True, "company", Named("J.P. Morrow"), Named("JPMorrow"))
TWO = Decision(False, "person", Named("Ada Quill", "ACME"), Named("Ada Quill", "BOLT"))


def test_lines_are_read_with_comments_spaces_and_capitals_as_people_write_them() -> None:
    lines = (
        "\ufeff# mine",
        "",
        " Same Company: J.P. Morrow=JPMorrow",
        "different person : Ada Quill [ACME] != Ada Quill [BOLT]",
    )
    assert read_decisions("\r\n".join(lines).encode()) == [ONE, TWO]


@pytest.mark.parametrize("decision", [ONE, TWO])
def test_a_decision_that_is_written_is_read_as_the_same(decision: Decision) -> None:
    assert read_decisions(f"{decision}\n".encode()) == [decision]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("same company JPMorrow = Elm", "neither"),
        ("merge company: A = B", "neither"),
        ("same firm: A = B", "'firm' is no type"),
        ("same metric: A = B", "'metric' is no type"),
        ("same company: A", "two names"),
        ("same company: A = B = C", "two names"),
        ("same company: A != B", "two names"),
        ("different company: A = B", "two names"),
        ("same company: A = A", "same one"),
        ("same company:  = B", "two names"),
    ],
)
def test_a_line_that_is_no_decision_is_named_with_its_number(line: str, why: str) -> None:
    with pytest.raises(DecisionLineError, match=why) as raised:
        read_decisions(f"# mine\n{ONE}\n{line}\n{TWO}\n".encode())
    assert raised.value.line == 3


def test_bytes_that_are_no_text_are_named_with_their_line() -> None:
    with pytest.raises(DecisionLineError, match="line 2: it is not UTF-8"):
        read_decisions(b"# mine\nsame company: \xff = B\n")


def test_the_opposite_of_an_earlier_line_is_named_whatever_the_order_of_the_names() -> None:
    with pytest.raises(DecisionLineError, match="line 2: it says the opposite of line 1"):
        read_decisions(b"same company: A = B\ndifferent company: b != a\n")


def test_a_new_decision_is_a_line_more_and_all_other_bytes_stay() -> None:
    mine = b"# by hand\r\n\r\nsame   company:A=B\n# more\n"
    assert with_decision(mine, ONE) == mine + f"{ONE}\n".encode()


def test_a_decision_takes_the_place_of_the_opposite_one() -> None:
    before = f"# mine\n{ONE}\n{TWO}\n".encode()
    other = Decision(False, "company", Named("JPMorrow"), Named("J.P. Morrow"))
    assert with_decision(before, other) == f"# mine\n{TWO}\n{other}\n".encode()


def test_a_new_file_says_what_its_lines_are() -> None:
    written = with_decision(b"", ONE)
    assert written.startswith(b"# ") and read_decisions(written) == [ONE]
