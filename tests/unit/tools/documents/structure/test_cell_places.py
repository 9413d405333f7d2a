"""The cells at which a citation of a sheet points."""

from __future__ import annotations

from datetime import date

from tools.documents.structure.cell_places import figure_place, quotation_place
from tools.documents.types import Page, SheetColumn
from tools.periods import Period

SHEET = Page(
    1,
    "",
    "\n".join(
        [
            "Revenue of the group by region, in millions",
            "Region    2023    2022",
            "Europe     512     498",
            "Asia       498     498",
        ]
    ),
    label="Sheet 'R'",
    rows=(1, 3, 4, 9),
    columns=(SheetColumn(0, 6, "A"), SheetColumn(10, 14, "C"), SheetColumn(18, 22, "D")),
)


def year(number: int) -> Period:
    return Period(date(number, 12, 31), 12, number, None)


def test_a_figure_stands_in_the_cell_of_its_row_that_holds_it() -> None:
    assert figure_place(SHEET, "Europe", "512", year(2023)) == "Sheet 'R', C4"


def test_of_equal_figures_the_year_over_the_column_tells() -> None:
    assert figure_place(SHEET, "Asia", "498", year(2022)) == "Sheet 'R', D9"


def test_where_nothing_tells_the_range_is_given() -> None:
    assert figure_place(SHEET, "Asia", "498", Period()) == "Sheet 'R', C9:D9"


def test_a_figure_that_stands_nowhere_has_the_sheet_alone() -> None:
    assert figure_place(SHEET, "Africa", "7", year(2023)) == "Sheet 'R'"


def test_a_quotation_has_the_range_of_its_rows() -> None:
    assert quotation_place(SHEET, "| Europe | 512 | 498 |\n| Asia | 498 | 498 |") == "Sheet 'R', A4:D9"


def test_a_line_of_prose_is_one_cell() -> None:
    assert quotation_place(SHEET, "Revenue of the group by region, in millions") == "Sheet 'R', A1"


def test_a_page_that_is_no_sheet_has_no_place_of_its_own() -> None:
    assert quotation_place(Page(1, "Europe 512"), "Europe 512") == ""
