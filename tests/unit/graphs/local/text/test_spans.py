from __future__ import annotations

import pytest

from graphs.local.text.spans import overlaps


@pytest.mark.parametrize(
    ("span", "shared"), [((0, 4), False), ((0, 5), True), ((6, 7), True), ((8, 9), False), ((2, 40), True)]
)
def test_spans_overlap_where_they_share_a_character(span: tuple[int, int], shared: bool) -> None:
    assert overlaps(span, [(20, 30), (4, 8)]) == shared
