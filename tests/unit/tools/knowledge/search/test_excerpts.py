"""Excerpts of long tables."""

from __future__ import annotations

from tools.knowledge.search.excerpts import excerpt

HEAD = "Statement (in millions)\n| (in millions) | as of March 30, 2024 |\n| --- | --- |"
ROWS = [f"| Sundry item number {n} of the list | {n},000 |" for n in range(40)]


def test_a_short_table_is_given_as_it_is() -> None:
    table = "\n".join([HEAD, *ROWS[:3]])
    assert excerpt(table, "What were inventories?") == table


def test_text_without_a_table_is_given_as_it_is() -> None:
    assert excerpt("word " * 900, "What were inventories?") == "word " * 900


def test_of_a_long_table_the_rows_asked_for_stay_below_its_heading() -> None:
    table = "\n".join([HEAD, *ROWS, "| Inventories | 512 |"])
    kept = excerpt(table, "What were inventories?", 600)
    assert kept.startswith(HEAD)
    assert "| Inventories | 512 |" in kept
    assert len(kept) <= 600


def test_totals_stay_before_other_rows() -> None:
    kept = excerpt("\n".join([HEAD, *ROWS, "| Total assets | 9,999 |"]), "What were inventories?", 600)
    assert "Total assets" in kept


def test_rows_keep_their_order_and_the_heading_above_them() -> None:
    table = "\n".join(
        [HEAD, "| **Current assets** | |", *ROWS, "| Inventories | 512 |", "| Total assets | 9,999 |"]
    )
    kept = excerpt(table, "What were inventories?", 600)
    assert kept.index("**Current assets**") < kept.index("Inventories") < kept.index("Total assets")
