"""Whether a sentence reports a figure, guides to it, or neither."""

from __future__ import annotations

import pytest

from tools.knowledge.lexicon.assertion_status import assertion_status


def status(sentence: str) -> str:
    metric = sentence.index("revenue")
    figure = sentence.index("$5")
    return assertion_status(sentence, (metric, metric + 7), (figure, figure + len("$5 million")))


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Our revenue was $5 million in the quarter.", "stated"),
        ("We expect revenue of $5 million next year.", "guided"),
        ("Our outlook is for revenue of $5 million.", "guided"),
        ("If demand holds, revenue could be $5 million.", "other"),
        ("We need revenue of $5 million to break even.", "other"),
        ("Their revenue was $5 million in the quarter.", "other"),
        ("It had revenue of $5 million when it was bought.", "other"),
        ("Our revenue was $5 million a month.", "other"),
        ("We expected and might see revenue of $5 million.", "other"),
    ],
)
def test_only_what_is_reported_is_stated(sentence: str, expected: str) -> None:
    assert status(sentence) == expected


def test_what_another_clause_expects_says_nothing_of_the_figure() -> None:
    assert status("We expect a strong year; revenue was $5 million in the quarter.") == "stated"
    assert status("Our revenue was $5 million, while we expect costs to fall.") == "stated"
