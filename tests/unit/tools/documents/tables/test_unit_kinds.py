"""Kinds of figures, told by words and marks."""

from __future__ import annotations

import pytest

from tools.documents.tables.unit_kinds import KINDS, Surroundings, chances, unit_features, unit_kind


def around(label: str, *marks: str) -> Surroundings:
    return Surroundings(label, "", "", "", "", "", "in millions", marks)


@pytest.mark.parametrize(
    ("label", "marks", "kind"),
    [
        ("Net income", ("own:$", "row:$", "column:$", "decimals:0"), "money"),
        ("Diluted earnings per share", ("own:$", "row:$", "decimals:2", "label:per share"), "per share"),
        ("Weighted-average shares outstanding", ("own:", "row:", "decimals:0", "label:shares"), "shares"),
    ],
)
def test_words_and_marks_tell_the_kind(label: str, marks: tuple[str, ...], kind: str) -> None:
    assert unit_kind(around(label, *marks)) == kind


def test_a_kind_that_is_not_likely_enough_is_not_told() -> None:
    level = {"": [0.0, 0.0, 0.0]}
    assert chances(level, unit_features(around("Anything"))) == pytest.approx((1 / 3,) * len(KINDS))
