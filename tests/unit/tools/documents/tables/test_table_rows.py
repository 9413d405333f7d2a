"""Row labels, the headings above them, and which lines are rows at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tools.documents.tables.row_labels import clean_label
from tools.documents.types import Table

Reader = Callable[..., list[Table]]


def paths(table: Table) -> dict[str, tuple[str, ...]]:
    return {f.metric: f.path for f in table.facts}


@pytest.mark.parametrize(
    ("printed", "label"),
    [
        ("Online stores (1)", "Online stores"),
        ("Advertising services (2)(3)", "Advertising services"),
        ("Net income available for common shareholders (A)", "Net income available for common shareholders"),
        ("Marketable equity securities1", "Marketable equity securities"),
        ("Government debt²", "Government debt"),
        ("Cost of sales:", "Cost of sales"),
        ("Net income (loss)", "Net income (loss)"),
        ("Gains, net of tax of $(4) and $(52)", "Gains, net of tax of $(4) and $(52)"),
        ("Total revenue . . . . . .", "Total revenue"),
    ],
)
def test_footnote_marks_leave_a_label_and_words_in_brackets_stay(printed: str, label: str) -> None:
    assert clean_label(printed) == label


def test_a_heading_by_indentation_owns_the_rows_below_and_its_total_does_not_stay_under_it(
    read: Reader,
) -> None:
    (table,) = read(
        """
                    STATEMENTS OF OPERATIONS
                         (In millions)
                                      Three Months Ended
                                 July 1, 2023  June 25, 2022
Net sales:
   Products                    $          605  $         633
   Services                               212            196
     Total net sales                      817            829
Cost of sales:
   Products                               391            414
   Services                                62             63
     Total cost of sales                  453            477
           Gross margin                   364            352
Operating expenses:
   Research and development                74             67
       Total operating expenses            74             67
Operating income                          290            285
"""
    )
    found = [(f.metric, f.path) for f in table.facts if f.column == 0]
    assert found == [
        ("Products", ("Net sales",)),
        ("Services", ("Net sales",)),
        ("Total net sales", ()),
        ("Products", ("Cost of sales",)),
        ("Services", ("Cost of sales",)),
        ("Total cost of sales", ()),
        ("Gross margin", ()),
        ("Research and development", ("Operating expenses",)),
        ("Total operating expenses", ()),
        ("Operating income", ()),
    ]


def test_rows_flush_with_their_heading_belong_to_it_up_to_the_total(read: Reader) -> None:
    (table,) = read(
        """
                    STATEMENTS OF CASH FLOWS
                         (in millions)
                                          Nine Months Ended
                                    July 1, 2023  June 25, 2022
OPERATING ACTIVITIES:
Net income                        $           98  $          28
Adjustments to reconcile net income to net cash:
      Depreciation                           121            103
Changes in operating assets and liabilities:
      Inventories                              8              7
          Net cash from operating activities 227            138
FINANCING ACTIVITIES:
Repayments of debt                           (80)           (79)
          Net cash used in financing activities (80)        (79)
Foreign currency effect on cash               (5)            13
""".replace("activities 227 ", "activities  227").replace("activities (80)  ", "activities  (80) ")
    )
    found = paths(table)
    assert found["Net income"] == ("OPERATING ACTIVITIES",)
    assert found["Depreciation"] == (
        "OPERATING ACTIVITIES",
        "Adjustments to reconcile net income to net cash",
    )
    assert found["Inventories"] == ("OPERATING ACTIVITIES", "Changes in operating assets and liabilities")
    assert found["Net cash from operating activities"] == ()
    assert found["Repayments of debt"] == ("FINANCING ACTIVITIES",)
    assert found["Foreign currency effect on cash"] == ()


def test_a_commitments_line_without_amount_is_no_heading(read: Reader) -> None:
    (table,) = read(
        """
                          BALANCE SHEETS
                          (In millions)
                                   July 1, 2023   September 24, 2022
Total liabilities              $            274   $              302
Commitments and contingencies
Stockholders’ equity:
   Retained earnings                         14                  (30)
      Total stockholders’ equity             60                   50
Total assets                   $            335   $              352
"""
    )
    assert paths(table)["Retained earnings"] == ("Stockholders’ equity",)
    assert paths(table)["Total assets"] == ()


def test_wrapped_labels_are_joined_above_and_below_their_figures(read: Reader) -> None:
    (table,) = read(
        """
Supplemental information is as follows (in millions):
                                                        Three Months Ended
                                                   July 1, 2023  June 25, 2022
Depreciation of property and content, lease
assets, and other                                $          103  $         121
Reclassification for net gain included in net
income                                                        4              3
Less: loss attributable to non-controlling                   (8)            (9)
interests
"""
    )
    assert [f.metric for f in table.facts if f.column == 0] == [
        "Depreciation of property and content, lease assets, and other",
        "Reclassification for net gain included in net income",
        "Less: loss attributable to non-controlling interests",
    ]


def test_a_row_whose_figures_stand_on_both_lines_of_its_label_is_one_row(read: Reader) -> None:
    (table,) = read(
        """
Gains were as follows (in millions):
                                             Three Months Ended              Six Months Ended
                                        July 1, 2023   July 2, 2022    July 1, 2023   July 2, 2022
Gains recognized                      $          (26)  $        (93)   $        141   $       (337)
Net gains recognized during the period                 $          2                   $        134
on securities still held              $         (112)                  $       (348)
"""
    )
    row = [(f.column, f.value) for f in table.facts if f.metric.startswith("Net gains")]
    assert row == [(0, "-112"), (1, "2"), (2, "-348"), (3, "134")]


def test_an_unlabelled_sum_takes_the_name_of_what_it_adds_up(read: Reader) -> None:
    (table,) = read(
        """
Net revenue was as follows:
                                  Three Months Ended
(In Millions)                July 1, 2023   July 2, 2022
Net revenue:
  Client
   Desktop                 $          237   $        228
   Notebook                           389            475
                                      626            703
  Data Center                         400            469
Total net revenue          $         1026   $       1172
"""
    )
    assert [(f.path, f.value) for f in table.facts if f.metric == "Client"] == [
        (("Net revenue",), "626"),
        (("Net revenue",), "703"),
    ]


def test_an_unlabelled_figure_that_adds_nothing_up_states_nothing(read: Reader) -> None:
    (table,) = read(
        """
Net revenue was as follows:
                                  Three Months Ended
(In Millions)                July 1, 2023   July 2, 2022
  Client
   Desktop                 $          237   $        228
   Notebook                           389            475
                                      999            703
Total net revenue          $         1026   $       1172
"""
    )
    assert "999" not in {f.value for f in table.facts}


def test_a_subtotal_named_like_its_first_part_is_told_apart(read: Reader) -> None:
    (table,) = read(
        """
                 STATEMENTS OF COMPREHENSIVE INCOME
                          (In millions)
                                      Three Months Ended
                                 July 1, 2023  June 25, 2022
Net income                     $           92  $          68
Cash flow hedges:
  Net change in unrealized loss           (23)           (14)
  Reclassification to income              (14)            (1)
  Net change in unrealized loss           (37)           (15)
Total comprehensive income     $           55  $          53
"""
    )
    hedges = [(f.path, f.value) for f in table.facts if f.metric == "Net change in unrealized loss"]
    assert hedges[0] == (("Cash flow hedges",), "-23")
    assert hedges[2] == (("Cash flow hedges", "Total"), "-37")


def test_a_text_cell_before_the_figures_is_part_of_the_path(read: Reader) -> None:
    (table,) = read(
        """
The components of investments were as follows:
                                 Fair Value        Cost        Unrealized
(In millions)                      Level          Basis            Losses
Corporate notes                   Level 2     $     113       $        (8)
Corporate notes                   Level 3             7                 0
"""
    )
    assert [f.path for f in table.facts if f.value in ("113", "7")] == [
        ("Level 2", "Cost Basis"),
        ("Level 3", "Cost Basis"),
    ]


def test_like_named_rows_of_two_tables_carry_their_tables_title(read: Reader) -> None:
    tables = read(
        """
Accrued liabilities
(In millions)                       July 1, 2023   September 24, 2022
Deferred revenue                $             51   $               35
Total                           $             99   $               80


Long-term liabilities
(In millions)                       July 1, 2023   September 24, 2022
Deferred revenue                $             42   $               21
Total                           $             90   $               70
"""
    )
    titled = {f.path for t in tables for f in t.facts if f.metric == "Deferred revenue"}
    assert titled == {("Accrued liabilities",), ("Long-term liabilities",)}


def test_figures_of_another_company_carry_its_name(read: Reader) -> None:
    (table,) = read(
        """
Summarized financial information of Rivulet Motors as disclosed is as follows (in millions):
                                      Six Months Ended
                                 July 1, 2023   July 2, 2022
Revenues                       $          178   $         45
Net loss                                 (254)          (330)
"""
    )
    assert {f.path for f in table.facts} == {("Rivulet Motors",)}


@pytest.mark.parametrize(
    "layout",
    [
        """
                                 TABLE OF CONTENTS
                                                                        Page
Item 1.       Financial Statements                                         3
              Statements of Operations                                     4
              Balance Sheets                                               5
Item 2.       Discussion and Analysis                                     22
""",
        """
Revenue                     Gross Margin             Diluted EPS
$12.9B                      35.8%                    $0.35
GAAP                        GAAP                     GAAP
Revenue down $2.4B          Gross margin down        up $0.46
""",
        """
$          1,039     Q3 2023 operating income of the client group
             428     Lower expenses driven by cost cutting
           (585)     Lower margin from notebook revenue
""",
        """
We recorded severance costs of approximately       $500 million, of which       280 million
were included in our segment results and the rest       in other operating expense.
""",
        """
•    our 5 largest customers       12
•    our 9 largest suppliers       14
""",
    ],
)
def test_what_is_no_table_states_nothing(read: Reader, layout: str) -> None:
    assert read(layout) == []


def test_a_page_without_text_yields_no_table(read: Reader) -> None:
    assert read("") == []


def test_rows_of_one_name_are_told_apart_by_the_words_behind_their_figures(read: Reader) -> None:
    (table,) = read(
        """
(In millions)               July 1, 2023  June 25, 2022  Where booked
Contracts                       $    605      $     633  Sales
Contracts                             74             67  Cost of sales
"""
    )
    assert {f.path for f in table.facts} == {("Sales",), ("Cost of sales",)}


def test_a_share_below_each_amount_belongs_to_that_amount(read: Reader) -> None:
    (table,) = read(
        """
(In millions)               July 1, 2023  June 25, 2022
Desks                           $    605      $     633
  Share of sales                    70 %           72 %
Lamps                                259            246
  Share of sales                    30 %           28 %
"""
    )
    assert {f.path for f in table.facts if f.metric == "Share of sales"} == {("Desks",), ("Lamps",)}


def test_rows_of_one_name_set_in_under_other_rows_carry_their_names(read: Reader) -> None:
    (table,) = read(
        """
(In millions)               July 1, 2023  June 25, 2022
Obligation                      $    605      $     633
  Currency                            12             14
Plan assets                          574            567
  Currency                            21             11
"""
    )
    assert {f.path for f in table.facts if f.metric == "Currency"} == {("Obligation",), ("Plan assets",)}


def test_growth_in_a_name_is_no_change_and_numbers_that_add_up_across_are_a_table(read: Reader) -> None:
    (table,) = read(
        """
                        Desks    Growth Shops    Total
Wales                     101              29      130
Devon                      12               4       16
Kent                        7               2        9
"""
    )
    assert {f.path for f in table.facts} == {("Desks",), ("Growth Shops",), ("Total",)}


def test_a_year_between_the_rows_ends_the_headings_of_the_year_before(read: Reader) -> None:
    (table,) = read(
        """
Selected Quarterly Data
(In thousands)                             December 31            September 30
2023
Total revenues                          $         1,185        $            1,190
Earnings per share:
     Basic                                         0.43                      0.30
2022
Total revenues                          $           941        $              923
Earnings per share:
     Basic                                         0.16                      0.12
""",
        doc_type="10-K",
        fiscal_quarter=None,
        period_end=date(2023, 12, 31),
    )
    assert not any("Earnings per share" in f.path for f in table.facts if f.metric == "Total revenues")
    assert all("Earnings per share" in f.path for f in table.facts if f.metric == "Basic")


def test_a_span_of_years_names_a_row(read: Reader) -> None:
    (table,) = read(
        """
Expected payments to retired employees are (in millions):

                          Domestic Plans      Foreign Plans
2024                      $           43      $           5
2025-2029                            183                 18
"""
    )
    assert [f.value for f in table.facts if f.metric == "2025-2029"] == ["183", "18"]


def test_a_total_without_figures_is_the_upper_line_of_a_wrapped_label(read: Reader) -> None:
    (table,) = read(
        """
                                               Three Months Ended
(In millions)                            July 1, 2023      June 25, 2022
Desks and chairs by customer: (1)
  Offices                              $          310      $         290
  Schools                                         120                110
TOTAL DESKS AND CHAIRS SOLD WITHOUT
REVENUE OF OTHERS                      $          430      $         400
"""
    )
    assert {f.metric for f in table.facts} == {
        "Offices", "Schools", "TOTAL DESKS AND CHAIRS SOLD WITHOUT REVENUE OF OTHERS",
    }  # fmt: skip


def test_a_label_that_ends_with_a_bracket_does_not_go_on_below(read: Reader) -> None:
    (table,) = read(
        """
                                                        July 1, 2023      June 25, 2022
Equipment that we lease out to others (in full)
  Desks                                                  $       310      $         290
  Chairs                                                         120                110
"""
    )
    assert {f.path for f in table.facts} == {("Equipment that we lease out to others (in full)",)}


def test_an_unlabelled_row_that_adds_up_those_above_it_is_their_total(read: Reader) -> None:
    (table,) = read(
        """
                                         July 1, 2023      September 24, 2022
Desks, net                               $        310      $              290
Chairs, net                                       120                     110
                                         $        430      $              400
Less: paid                                       (130)                   (100)
                                                  990                     980
"""
    )
    assert [(f.metric, f.value) for f in table.facts if f.metric == "Total"] == [
        ("Total", "430"),
        ("Total", "400"),
    ]
    assert "990" not in {f.value for f in table.facts}
