"""Title, statement, lines and Markdown of a table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.documents.types import Table

Reader = Callable[..., list[Table]]

INCOME = """
                          Bexley Corp.
        CONDENSED CONSOLIDATED {name} (Unaudited)
                         (In millions)
                                      Three Months Ended
                                 July 1, 2023  June 25, 2022
Cost of sales:
   Products                    $          391  $         414
   Services (1)                             —            (63)
Net income                                  5              4
Total comprehensive income                  5              4
Total assets                                9              9
Net cash used in investing activities      (1)            (2)
Ending balances                             7              8

        See accompanying notes.
"""


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("STATEMENTS OF OPERATIONS", "income"),
        ("STATEMENTS OF INCOME", "income"),
        ("STATEMENTS OF COMPREHENSIVE INCOME", "comprehensive_income"),
        ("BALANCE SHEETS", "balance"),
        ("STATEMENTS OF CASH FLOWS", "cash_flow"),
        ("STATEMENTS OF STOCKHOLDERS’ EQUITY", "equity"),
    ],
)
def test_a_primary_statement_is_known_by_its_heading(read: Reader, name: str, statement: str) -> None:
    (table,) = read(INCOME.format(name=name))
    assert (table.statement, table.title) == (statement, f"CONDENSED CONSOLIDATED {name}")
    assert table.note == "In millions"


def test_a_line_states_every_figure_of_a_row_with_its_headings(read: Reader) -> None:
    (table,) = read(INCOME.format(name="STATEMENTS OF OPERATIONS"))
    assert table.lines[0] == (
        "Cost of sales - Products, three months ended July 1, 2023: 391 million USD; "
        "three months ended June 25, 2022: 414 million USD"
    )
    assert table.lines[1] == (
        "Cost of sales - Services, three months ended July 1, 2023: 0 million USD; "
        "three months ended June 25, 2022: -63 million USD"
    )


def test_a_line_names_the_columns_of_a_table_without_periods_of_its_own(read: Reader) -> None:
    (table,) = read(
        """
The maturities of securities as of July 1, 2023 are as follows (in millions):
                                        Cost Basis         Fair Value
Due in one year                      $         355      $         354
Due after one year                             500                473
"""
    )
    assert table.lines[1] == (
        "Due after one year, Cost Basis, as of July 1, 2023: 500 million USD; "
        "Fair Value, as of July 1, 2023: 473 million USD"
    )


def test_a_markdown_table_is_read_and_its_rendering_reads_back_the_same(read: Reader) -> None:
    (table,) = read(INCOME.format(name="STATEMENTS OF OPERATIONS"))
    (again,) = read(f"Income\n\n{table.markdown}\n")
    figures = [(f.metric, f.period, f.value, f.unit, f.scale) for f in table.facts]
    assert [(f.metric.split(": ")[-1], f.period, f.value, f.unit, f.scale) for f in again.facts] == figures


def test_the_row_of_a_fact_is_the_number_of_its_line(read: Reader) -> None:
    (table,) = read(INCOME.format(name="STATEMENTS OF OPERATIONS"))
    assert len(table.lines) == len({f.row for f in table.facts})
    assert all(fact.metric in table.lines[fact.row] for fact in table.facts)


def test_markdown_shows_the_figures_as_printed_under_their_periods(read: Reader) -> None:
    (table,) = read(INCOME.format(name="STATEMENTS OF OPERATIONS"))
    lines = table.markdown.split("\n")
    assert lines[0] == (
        "| (In millions) | three months ended July 1, 2023 | three months ended June 25, 2022 |"
    )
    assert "| Cost of sales: Products | $ 391 | $ 414 |" in lines
    assert "| Cost of sales: Services | — | (63) |" in lines
    assert {line.count("|") for line in lines} == {4}


def test_the_line_range_cuts_the_table_out_of_the_page(read: Reader) -> None:
    layout = INCOME.format(name="STATEMENTS OF OPERATIONS").strip("\n")
    (table,) = read(layout)
    cut = layout.split("\n")[table.first_line : table.last_line]
    assert cut[-1].startswith("Ending balances")
    assert any("Three Months Ended" in line for line in cut)
    assert not any("See accompanying" in line for line in cut)


def test_a_table_in_the_segment_note_is_a_segment_table(read: Reader) -> None:
    (table,) = read(
        """
Note 2 : Operating Segments

Net revenue for each period was as follows:
                                  Three Months Ended
(In Millions)                July 1, 2023   July 2, 2022
Client                     $          678   $        767
Data Center                           400            469
"""
    )
    assert table.statement == "segment"


def test_a_heading_set_on_its_caption_is_the_title(read: Reader) -> None:
    (table,) = read(
        """
Free Cash Flow
The following is a reconciliation of free cash flow to net cash provided by operating activities (in
millions):
                                  Twelve Months Ended
                             July 1, 2023   July 2, 2022
Net cash provided          $          716   $        396
Free cash flow                        214           (196)
"""
    )
    assert table.title == "Free Cash Flow"


def test_reading_the_same_pages_twice_gives_the_same_tables(read: Reader) -> None:
    layout = INCOME.format(name="STATEMENTS OF OPERATIONS")
    assert read(layout) == read(layout)


def test_a_page_with_plain_text_only_is_read_too(read: Reader) -> None:
    assert read("Total   5\n\nno table here") == []
