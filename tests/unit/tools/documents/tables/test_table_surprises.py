"""What real and sample filings sprang on the reader, each in the smallest table that shows it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tools.documents.types import Table, TableFact
from tools.periods import Period

Reader = Callable[..., list[Table]]


def of(table: Table, metric: str) -> list[TableFact]:
    return [f for f in table.facts if f.metric == metric]


def test_a_footnote_number_in_a_column_of_its_own_is_no_figure(read: Reader) -> None:
    (table,) = read(
        """
Gains (losses) were as follows (in millions):
                                              Three Months Ended
                                         July 1, 2023   July 2, 2022
Adjustments                            $          (85)  $       (209)
Impairment charges                                (38)           (44)
Sale of investments       1                        99             28
Total                                  $          (24)  $       (225)
"""
    )
    assert [f.value for f in of(table, "Sale of investments")] == ["99", "28"]


def test_a_footnote_number_beside_a_header_word_takes_no_column(read: Reader) -> None:
    (table,) = read(
        """
Derivatives
                                   July 1, 2023                   September 24, 2022
(In Millions)             Assets1    Liabilities  2      Assets   1    Liabilities  2
Currency contracts      $      144   $        347     $       142      $          290
Equity contracts               197             —               —                  111
"""
    )
    assert [(f.path, f.period.end, f.value) for f in of(table, "Equity contracts")] == [
        (("Assets",), date(2023, 7, 1), "197"),
        (("Liabilities",), date(2023, 7, 1), "0"),
        (("Assets",), date(2022, 9, 24), "0"),
        (("Liabilities",), date(2022, 9, 24), "111"),
    ]


def test_words_in_brackets_over_all_columns_speak_for_the_table(read: Reader) -> None:
    (table,) = read(
        """
Gross Margin

                                  Three Months Ended             Six Months Ended
                             March 30,       April 1,      March 30,       April 1,
                                  2024           2023           2024           2023
                                         (As a percentage of revenue)
Revenue                         100.0%         100.0%         100.0%         100.0%
Cost of revenue                   45.8           49.1           46.2           48.7
Operating margin                 18.0%          13.6%          16.9%          14.6%
""",
        period_end=date(2024, 3, 30),
        fiscal_year=2024,
        fiscal_quarter=2,
    )
    cost = of(table, "Cost of revenue")
    assert [(f.period.end, f.period.months, f.value, f.unit) for f in cost] == [
        (date(2024, 3, 30), 3, "45.8", "percent"),
        (date(2023, 4, 1), 3, "49.1", "percent"),
        (date(2024, 3, 30), 6, "46.2", "percent"),
        (date(2023, 4, 1), 6, "48.7", "percent"),
    ]


def test_share_counts_with_decimals_are_shares(read: Reader) -> None:
    (table,) = read(
        """
                      STATEMENTS OF OPERATIONS
              (In millions, except per share amounts)
                                          Three Months Ended
                                     July 1, 2023  June 25, 2022
Net income                         $        200.4  $       133.9
Weighted average shares used in per share computation:
   Basic                                    248.6          252.3
   Diluted                                  253.9          256.4
Cash dividends declared per share  $         0.14  $        0.12
"""
    )
    assert {(f.unit, f.scale) for f in (*of(table, "Basic"), *of(table, "Diluted"))} == {("shares", 6)}
    assert {f.unit for f in of(table, "Cash dividends declared per share")} == {"USD/share"}


def test_figures_in_thousands_of_square_feet_are_no_money_and_stores_beside_them_are_counted(
    read: Reader,
) -> None:
    (table,) = read(
        """
The number of our stores developed as follows (square feet in thousands):
                                  Stores at                     Retail square
                          December 31, 2022        Opened                feet
   Harbor Club                           96             7              13,905
   International                         74             —               6,188
"""
    )
    assert [(f.metric, f.path, f.value, f.unit, f.scale) for f in table.facts] == [
        ("Harbor Club", ("Stores at",), "96", "", 0),
        ("Harbor Club", ("Opened",), "7", "?", 0),
        ("Harbor Club", ("Retail square feet",), "13905", "square feet", 3),
        ("International", ("Stores at",), "74", "", 0),
        ("International", ("Opened",), "0", "?", 0),
        ("International", ("Retail square feet",), "6188", "square feet", 3),
    ]


def test_years_over_pairs_of_columns_go_to_both_of_each_pair(read: Reader) -> None:
    (table,) = read(
        """
We repurchased the following shares of common stock:
(In millions)                       Shares         Amount         Shares         Amount
Fiscal Year                                          2023                          2022
First Quarter                           17    $     4,600             21    $     6,200
Second Quarter                          20          4,600             20          6,233
"""
    )
    assert [f.path for f in of(table, "First Quarter")] == [
        ("Shares 2023",),
        ("Amount 2023",),
        ("Shares 2022",),
        ("Amount 2022",),
    ]
    assert [f.period for f in of(table, "Second Quarter")] == [
        *2 * [Period(None, 3, 2023, 2)],
        *2 * [Period(None, 3, 2022, 2)],
    ]


def test_a_heading_of_two_days_is_the_period_of_its_rows_but_not_of_the_total(read: Reader) -> None:
    (table,) = read(
        """
Share repurchase activity during the three months ended July 1, 2023 was as follows (in millions, except number of
shares, which are reflected in thousands):
                                                  Total Numberof
                                                 Shares Purchased        Remaining Dollars
May 7, 2023 to June 3, 2023:
      Open market purchases                                21,876       $           98,211
June 4, 2023 to July 1, 2023:
      Open market purchases                                42,676       $           94,569
            Total                                          64,552       $           94,569
"""
    )
    shares = [f for f in table.facts if f.unit == "shares"]
    assert {f.path for f in shares} == {("Total Number of Shares Purchased",)}  # run together in the file
    assert [(f.metric, len(f.path), f.value, f.period.describe()) for f in shares] == [
        ("Open market purchases", 1, "21876", "one month ended June 3, 2023"),
        ("Open market purchases", 1, "42676", "one month ended July 1, 2023"),
        ("Total", 1, "64552", "three months ended July 1, 2023"),
    ]


def test_a_single_date_over_fair_values_is_a_day(read: Reader) -> None:
    (table,) = read(
        """
The following is a summary of securities (in millions):
                                            July 1, 2023
                                      Amortized        Estimated
                                           Cost       Fair Value
Corporate debt securities             $   1,786        $   1,768
Money market funds                          208              208
"""
    )
    assert {f.period.months for f in table.facts} == {0}


def test_one_date_in_the_middle_holds_for_every_column(read: Reader) -> None:
    (table,) = read(
        """
Amounts offset (in millions):
                                             July 1, 2023
                          Gross         Offset            Net     Collateral
Derivative assets      $    966   $          —   $        966   $       (495)
Reverse repurchase        1,700              —          1,700         (1,700)
"""
    )
    assert {f.period.end for f in table.facts} == {date(2023, 7, 1)}
    assert len(table.facts) == 8


def test_a_range_with_one_year_printed_is_a_month(read: Reader) -> None:
    (table,) = read(
        """
Repurchases for the quarter were as follows:
                                           Average Price      Dollar Value
                                          Paid per Share   (in millions)
April 2 – May 1, 2023                    $         41.85   $           374
May 2 – June 3, 2023                               43.10               352
"""
    )
    assert [(f.period.end, f.period.months) for f in table.facts if f.column == 0] == [
        (date(2023, 5, 1), 1),
        (date(2023, 6, 3), 1),
    ]


def test_a_net_cash_total_stands_under_no_heading(read: Reader) -> None:
    (table,) = read(
        """
                    STATEMENTS OF CASH FLOWS
                         (In millions)
                                               Nine Months Ended
                                         July 1, 2023  June 25, 2022
Cash flows from operating activities:
   Net income                          $          364  $         286
   Adjustments to reconcile net income:
      Depreciation                                121            113
   Changes in operating assets:
      Inventories                                 (41)           (58)
         Net cash provided by operating activities444            341
""".replace("activities444", "activities 444").replace("activities 444 ", "activities  444")
    )
    total = of(table, "Net cash provided by operating activities")
    assert [(f.path, f.value) for f in total] == [((), "444"), ((), "341")]
    assert of(table, "Inventories")[0].path == (
        "Cash flows from operating activities",
        "Changes in operating assets",
    )


def test_the_last_row_of_a_page_is_no_page_number(read: Reader) -> None:
    (table,) = read(
        """
Income was as follows (in millions):
                                 Three Months Ended
                             July 1, 2023  June 25, 2022
Interest                   $           70  $          50
Other                                  98             28
"""
    )
    assert [f.value for f in of(table, "Other")] == ["98", "28"]


def test_a_page_footer_with_a_number_is_no_row(read: Reader) -> None:
    (table,) = read(
        """
Income was as follows (in millions):
                                 Three Months Ended
                             July 1, 2023  June 25, 2022
Interest                   $           70  $          50
Other                                  98             28

           Notes to Financial Statements              17
"""
    )
    assert {f.metric for f in table.facts} == {"Interest", "Other"}


def test_a_second_table_below_a_caption_does_not_run_on_from_the_first(read: Reader) -> None:
    tables = read(
        """
Unearned revenue was as follows:

(In millions)
                                       July 1,      September 24,
                                          2023               2022
Productivity                     $         224    $           245
   Total                         $         438    $           484


Changes in unearned revenue were as follows:

(In millions)


Three Months Ended July 1, 2023

Balance, beginning of period                      $           484
   Deferral of revenue                                        235
Balance, end of period                            $           438
"""
    )
    assert len(tables) == 2
    assert [f.period for f in tables[1].facts] == [
        Period(None, 0, 2023, 2),
        Period(date(2023, 7, 1), 3, 2023, 3),
        Period(date(2023, 7, 1), 0, 2023, 3),
    ]


def test_rows_under_a_fiscal_year_head_are_not_dated_by_the_document(read: Reader) -> None:
    (table,) = read(
        """
Our Board of Directors declared the following dividends (in millions):
Declaration Date                        Dividend Per Share          Amount
Fiscal Year 2022
September 14, 2021                      $             0.62   $       4,652
   Total                                $             1.24   $       9,297
"""
    )
    assert {f.period for f in table.facts} == {Period()}


def test_the_nearest_heading_of_a_crowded_page_is_the_title(read: Reader) -> None:
    (table,) = read(
        """
BEXLEY STORES, INC.
Note 3 — CLOSING COSTS
In 2022, we adopted a plan under which we will close 34 stores by the end of 2025 and sell the fixtures.
Note 4 — LONG-TERM DEBT
Our long-term debt consists of the following (in millions):
                                   July 1, 2023   September 24, 2022
Notes due 2027                   $          900   $              900
Term loan                                   525                  675
"""
    )
    assert table.title == "Note 4 — LONG-TERM DEBT"


def test_parts_of_a_per_share_figure_are_per_share(read: Reader) -> None:
    (table,) = read(
        """
Reconciliations of our measures (in millions, except per share amounts):
                                           Three Months Ended
                                      July 1, 2023   July 2, 2022
Operating income                    $        1,016   $      1,700
Restructuring                                  200             87
Earnings per share—diluted          $         0.35   $      (0.11)
   Share-based compensation                   0.22           0.22
   Restructuring and other                    0.05             —
Adjusted earnings per share         $         0.13   $       0.28
Free cash flow                      $      (1,100)   $    (2,400)
Purchases                                    (300)          (250)
"""
    )
    units = {f.metric: (f.unit, f.scale) for f in table.facts}
    assert units["Share-based compensation"] == units["Restructuring and other"] == ("USD/share", 0)
    assert units["Restructuring"] == units["Purchases"] == ("USD", 6)


def test_the_unit_of_a_bare_decimal_among_whole_millions_is_not_known(read: Reader) -> None:
    (table,) = read(
        """
Selected figures were as follows (in millions):
                                           Three Months Ended
                                      July 1, 2023   July 2, 2022
Operating income                    $        1,016   $      1,700
Restructuring                                  200             87
Turnover of inventories                       4.37           5.02
"""
    )
    assert {f.unit for f in of(table, "Turnover of inventories")} == {"?"}


def test_a_part_of_a_statement_line_carries_its_tables_title(read: Reader) -> None:
    tables = read(
        """
                      STATEMENTS OF OPERATIONS
                           (In millions)
                                          Three Months Ended
                                     July 1, 2023  June 25, 2022
Cost of revenue                    $        4,720  $       2,754
Net income                         $        9,243  $         680
""",
        """
Stock-Based Compensation
(In millions)                             Three Months Ended
                                     July 1, 2023  June 25, 2022
Cost of revenue                    $           38  $          32
Research and development                      701            530
""",
    )
    assert {f.path for f in of(tables[0], "Cost of revenue")} == {()}
    assert {f.path for f in of(tables[1], "Cost of revenue")} == {("Stock-Based Compensation",)}


def test_shares_between_years_are_no_movements(read: Reader) -> None:
    (table,) = read(
        """
Revenue was as follows (in millions):
                                 2023      % of total        2022      % of total
Net sales                    $    500             50 %   $    590             59 %
Lamps                             500             50          410             41
""",
        doc_type="10-K",
        fiscal_quarter=None,
    )
    assert {f.period.months for f in of(table, "Net sales") if f.unit == "USD"} == {12}


def test_money_of_another_country_in_a_note_is_money(read: Reader) -> None:
    (table,) = read(
        """
Revenue was as follows (euros in millions):
                                 Three Months Ended
                            July 1, 2023   July 2, 2022
Desks                                500            590
Lamps                                400            410
"""
    )
    assert {(f.unit, f.scale) for f in table.facts} == {("EUR", 6)}


def test_a_heading_of_the_page_over_the_columns_is_no_header(read: Reader) -> None:
    (table,) = read(
        """
                                              SEGMENT RESULTS AND OPERATIONS

                                      Three Months Ended   Percentage         Nine Months Ended   Percentage
(In millions, except percentages)                July 1,       Change                   July 1,       Change

                                         2023       2022                     2023        2022
Desks                              $    2,100  $   1,800          17%  $    4,100   $   3,500         17%
Lamps                                   3,600      3,000          20%       7,000       6,000         17%
"""
    )
    assert {(f.period, f.value) for f in of(table, "Desks")} == {
        (Period(date(2023, 7, 1), 3, 2023, 3), "2100"),
        (Period(date(2022, 7, 1), 3, 2022, 3), "1800"),
        (Period(date(2023, 7, 1), 9, 2023, 3), "4100"),
        (Period(date(2022, 7, 1), 9, 2022, 3), "3500"),
    }
