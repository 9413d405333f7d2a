from __future__ import annotations

from tools.documents.tables.pipes import lay_out_pipes


def test_a_markdown_table_is_laid_out_line_by_line_with_figures_flush_right() -> None:
    lines = ["Sales", "| Item | 2023 |", "| --- | ---: |", "| **Desks** | 71,204 |", "Orla | Kestrel"]
    assert lay_out_pipes(lines) == ["Sales", "Item       2023", "", "Desks    71,204", "Orla | Kestrel"]


def test_each_run_of_rows_has_widths_of_its_own() -> None:
    laid = lay_out_pipes(["| a | 1 |", "", "| longer | 22 |"])
    assert laid == ["a    1", "", "longer    22"]
