"""Markers of citations, and the claims that carry them."""

from __future__ import annotations

import pytest

from graphs.drafts.claims import cited_markers, is_lead, read_claims, without_markers


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("Sales rose [2] and costs fell [1].", (2, 1)),
        ("Sales rose [1, 3; 2].", (1, 3, 2)),
        ("Sales rose [2][2].", (2,)),
        ("Sales rose [1234], see [note].", ()),
    ],
)
def test_markers_are_read_one_by_one_or_as_a_list_each_once_in_order(
    text: str, ranks: tuple[int, ...]
) -> None:
    assert cited_markers(text) == ranks


def test_a_text_without_its_markers_keeps_single_spaces() -> None:
    assert without_markers("Sales[1]rose  [2, 3]\nto 5") == "Sales rose to 5"


def test_a_line_that_ends_with_a_colon_behind_its_marker_is_a_lead() -> None:
    assert is_lead("Orla Inc., revenue [1]:")
    assert not is_lead("Orla Inc.: revenue rose [1]")


def test_items_without_markers_take_those_of_their_lead() -> None:
    claims = read_claims("Orla's sales [4]:\n- rose in 2024\n- fell in 2023 [5]\n\nNothing is cited here.")
    assert [(c.text, c.markers) for c in claims] == [
        ("rose in 2024", (4,)),
        ("fell in 2023", (5,)),
        ("Nothing is cited here", ()),
    ]
    assert claims[0].context == "Orla's sales :"
