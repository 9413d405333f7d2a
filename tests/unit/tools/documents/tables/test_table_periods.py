"""Which period each figure column has, from header rows of every shape met in filings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tools.documents.types import Table, TableFact
from tools.periods import Period

Reader = Callable[..., list[Table]]

Q3 = Period(date(2023, 7, 1), 3, 2023, 3)
Q3_BEFORE = Period(date(2022, 6, 25), 3, 2022, 3)
NINE = Period(date(2023, 7, 1), 9, 2023, 3)
NINE_BEFORE = Period(date(2022, 6, 25), 9, 2022, 3)


def by_column(table: Table, metric: str) -> list[tuple[Period, str]]:
    return [(f.period, f.value) for f in table.facts if f.metric == metric]


def value_of(table: Table, metric: str, qualifier: str) -> TableFact:
    (fact,) = [f for f in table.facts if f.metric == metric and f.path == (qualifier,)]
    return fact


SPANNING = """
                         STATEMENTS OF OPERATIONS (Unaudited)
                                (In millions)

                             Three Months Ended            Nine Months Ended
                         July 1,2023   June 25,2022    July 1,2023   June 25,2022
Net sales              $       130   $        120    $       390   $        360
Cost of sales                   80             75            240            225
Operating income                50             45            150            135
"""


def test_durations_that_span_columns_and_dates_below_them_combine(read: Reader) -> None:
    (table,) = read(SPANNING)
    assert by_column(table, "Net sales") == [
        (Q3, "130"),
        (Q3_BEFORE, "120"),
        (NINE, "390"),
        (NINE_BEFORE, "360"),
    ]


def test_spanning_headers_set_off_their_columns_are_still_shared_evenly(read: Reader) -> None:
    (table,) = read(
        """
INCOME STATEMENTS

                                              Three Months Ended                  Six Months Ended
(In millions) (Unaudited)                           December 31,                      December 31,

                                              2022          2021             2022            2021

Revenue                          $           527   $       517    $          1028   $         970
Operating income                             203           222                419             424
""",
        period_end=date(2022, 12, 31),
        fiscal_quarter=2,
    )
    assert [(p.end, p.months) for p, _ in by_column(table, "Revenue")] == [
        (date(2022, 12, 31), 3),
        (date(2021, 12, 31), 3),
        (date(2022, 12, 31), 6),
        (date(2021, 12, 31), 6),
    ]


def test_the_prior_year_first_is_read_as_printed(read: Reader) -> None:
    (table,) = read(
        """
                 STATEMENTS OF OPERATIONS
              (in millions, except per share data)
                           (unaudited)
                                                  Three Months Ended
                                                     September 30,
                                               2022               2023
Net product sales                       $       593     $         631
Net income (loss)                               (28)               98
""",
        period_end=date(2023, 9, 30),
    )
    assert [(p.end, v) for p, v in by_column(table, "Net income (loss)")] == [
        (date(2022, 9, 30), "-28"),
        (date(2023, 9, 30), "98"),
    ]


def test_a_duration_and_day_in_the_label_column_hold_for_the_years_beside_them(read: Reader) -> None:
    (table,) = read(
        """
CASH FLOWS STATEMENTS

(In millions) (Unaudited)

Three Months Ended September 30,                        2022            2021

Net income                                     $       1755   $        2050
Net cash from operations                               2319            2454
""",
        period_end=date(2022, 9, 30),
        fiscal_quarter=1,
    )
    assert [(p.end, p.months) for p, _ in by_column(table, "Net income")] == [
        (date(2022, 9, 30), 3),
        (date(2021, 9, 30), 3),
    ]


def test_dates_split_over_two_lines_of_a_balance_sheet_are_instants(read: Reader) -> None:
    (table,) = read(
        """
                    BALANCE SHEETS
                    (In millions)
                                               July 1,          September 24,
                                                 2023                   2022
Current assets:
   Cash                                   $       28       $             23
      Total current assets                        28                     23
Total assets                              $       35       $             31
"""
    )
    assert by_column(table, "Total assets") == [
        (Period(date(2023, 7, 1), 0, 2023, 3), "35"),
        (Period(date(2022, 9, 24), 0, 2022, 4), "31"),
    ]


def test_two_dates_run_together_are_two_headers(read: Reader) -> None:
    (table,) = read(
        """
Inventories as of the end of each period were as follows (in millions):
                                        July 1, 2023September 24, 2022
Components                           $           12  $           10
Finished goods                                   20              18
"""
    )
    assert [p.end for p, _ in by_column(table, "Components")] == [date(2023, 7, 1), date(2022, 9, 24)]


def test_a_roll_forward_has_dates_over_its_outer_columns_only(read: Reader) -> None:
    (table,) = read(
        """
Changes in the carrying amount of goodwill were as follows:
                                  June 30,                                      September 30,
(In millions)                         2022     Acquisitions         Other               2022

Cloud                           $      248    $          11    $      (10)    $          249
Devices                                301                8             7                316
   Total                        $      549    $          19    $       (3)    $          565
""",
        period_end=date(2022, 9, 30),
        fiscal_quarter=1,
    )
    ends = [(f.period.end, f.path) for f in table.facts if f.metric == "Cloud"]
    assert ends[0] == (date(2022, 6, 30), ())
    assert ends[3] == (date(2022, 9, 30), ())
    assert [path for _, path in ends[1:3]] == [("Acquisitions",), ("Other",)]


def test_a_change_column_states_no_fact(read: Reader) -> None:
    (table,) = read(
        """
Segment sales for the three months ended July 1, 2023 and June 25, 2022 were (dollars in millions):
                                        Three Months Ended
                               July 1, 2023   June 25, 2022    Change
Americas                     $         353   $         374      (6)%
Europe                                 202             192        5 %
"""
    )
    assert by_column(table, "Europe") == [(Q3, "202"), (Q3_BEFORE, "192")]
    assert "(6)%" in table.markdown


def test_a_percentage_change_between_two_durations_belongs_to_neither(read: Reader) -> None:
    (table,) = read(
        """
(In millions, except percentages)    Three Months Ended   Percentage      Six Months Ended   Percentage
                                           December 31,       Change          December 31,       Change
                                        2022       2021                    2022       2021
Revenue                            $     527   $    517           2%   $   1028   $    970           6%
Operating income                         203        222         (8)%        419        424         (1)%
""",
        period_end=date(2022, 12, 31),
        fiscal_quarter=2,
    )
    assert [(p.end, p.months, v) for p, v in by_column(table, "Revenue")] == [
        (date(2022, 12, 31), 3, "527"),
        (date(2021, 12, 31), 3, "517"),
        (date(2022, 12, 31), 6, "1028"),
        (date(2021, 12, 31), 6, "970"),
    ]


def test_a_period_row_in_the_middle_heads_the_rows_below_it(read: Reader) -> None:
    (table,) = read(
        """
Derivatives were as follows:
(In millions)                       Level 1        Level 2          Total
July 1, 2023
Derivative assets              $          0   $         42   $         42
Derivative liabilities                    0            (76)           (76)
September 24, 2022
Derivative assets                         1             34             35
Derivative liabilities                    0            (55)           (55)
"""
    )
    level2 = [(f.period.end, f.value) for f in table.facts if f.path == ("Level 2",)]
    assert level2 == [
        (date(2023, 7, 1), "42"),
        (date(2023, 7, 1), "-76"),
        (date(2022, 9, 24), "34"),
        (date(2022, 9, 24), "-55"),
    ]


def test_flows_between_two_balances_cover_the_time_between_them(read: Reader) -> None:
    (table,) = read(
        """
          STATEMENTS OF STOCKHOLDERS' EQUITY
(In millions)                              Shares         Amount       Retained Earnings
Balance as of April 1, 2023                   417    $       328      $            656
Net income                                      —              —                   148
Balance as of July 1, 2023                    417    $       328      $            804
"""
    )
    flow = value_of(table, "Net income", "Retained Earnings")
    assert (flow.value, flow.period) == ("148", Q3)
    opening = value_of(table, "Balance as of April 1, 2023", "Amount")
    assert (opening.period.end, opening.period.months) == (date(2023, 4, 1), 0)


def test_fiscal_labels_take_their_date_from_the_dated_columns_of_the_same_document(read: Reader) -> None:
    tables = read(
        SPANNING,
        """
Restructuring
(In Millions)                     Q3 2023        Q3 2022       YTD 2023
Severance                    $         17   $         38   $         42
Other charges                          20             13             57
""",
    )
    assert by_column(tables[1], "Severance") == [(Q3, "17"), (Q3_BEFORE, "38"), (NINE, "42")]


def test_a_fiscal_label_without_a_date_in_the_document_keeps_none(read: Reader) -> None:
    (table,) = read(
        """
Restructuring
(In Millions)                     Q3 2023        Q3 2022
Severance                    $         17   $         38
Other charges                          20             13
"""
    )
    assert [p.end for p, _ in by_column(table, "Severance")] == [date(2023, 7, 1), None]


def test_what_falls_due_later_is_known_as_of_the_document(read: Reader) -> None:
    (table,) = read(
        """
Commitments as of July 1, 2023 are as follows (in millions):
                                   Year Ended December 31,
                                 2024            2025      Thereafter           Total
Debt                      $       810    $        106    $        73    $        989
Leases                            324              99             93             516
"""
    )
    due = value_of(table, "Debt", "twelve months ended December 31, 2024")
    assert (due.value, due.period.end, due.period.months) == ("810", date(2023, 7, 1), 0)


def test_a_caption_with_one_date_dates_columns_that_have_none(read: Reader) -> None:
    (table,) = read(
        """
The maturities of securities as of July 1, 2023 are as follows (in millions):
                                        Cost Basis         Fair Value
Due in one year                      $         355      $         354
Due after one year                             500                473
"""
    )
    assert {f.period for f in table.facts} == {Period(date(2023, 7, 1), 0, 2023, 3)}


def test_a_caption_with_two_dates_dates_nothing(read: Reader) -> None:
    (table,) = read(
        """
Securities as of July 1, 2023 and September 24, 2022 were as follows (in millions):
                                        Cost Basis         Fair Value
Due in one year                      $         355      $         354
Due after one year                             500                473
"""
    )
    assert {f.period for f in table.facts} == {Period()}


def test_dates_a_year_apart_without_a_duration_are_not_taken_for_balances(read: Reader) -> None:
    (table,) = read(
        """
Losses on investments were as follows (in millions):
                                      July 1, 2023      July 2, 2022
Impairments                        $            38   $            44
Sales                                           99                28
"""
    )
    assert {p.months for p, _ in by_column(table, "Impairments")} == {None}


def test_a_date_at_the_foot_of_a_page_heads_the_table_on_the_next(read: Reader) -> None:
    first = """
Unrealized losses were as follows:
                                           July 1, 2023
                                    Fair Value           Loss
(In millions)
Corporate debt                  $          178   $        (18)
Treasury                                   192            (35)

                                        September 24, 2022
"""
    second = """
                                    Fair Value           Loss
(In millions)
Corporate debt                  $          244   $         (3)
Treasury                                   529            (14)
"""
    tables = read(first, second)
    assert {f.period.end for f in tables[1].facts} == {date(2022, 9, 24)}


def test_the_fiscal_quarter_is_counted_from_the_documents_own(read: Reader) -> None:
    (table,) = read(SPANNING, fiscal_year=None, fiscal_quarter=None)
    assert {(f.period.fiscal_year, f.period.fiscal_quarter) for f in table.facts} == {(None, None)}


def test_an_annual_statement_has_three_years_and_their_note_without_in(read: Reader) -> None:
    (table,) = read(
        """
                     Bexley Company and Subsidiaries
                   Consolidated Statement of Income
                        Years ended December 31
(Millions, except per share amounts)            2022          2021          2020
Net sales                                  $    3422     $    3535     $    3218
Net income                                 $     577     $     592     $     545
Earnings per share — basic                 $   10.21     $   10.23     $    9.43
""",
        doc_type="10-K",
        fiscal_year=2022,
        fiscal_quarter=None,
        period_end=date(2022, 12, 31),
    )
    assert table.statement == "income"
    assert by_column(table, "Net sales") == [
        (Period(date(2022, 12, 31), 12, 2022, 4), "3422"),
        (Period(date(2021, 12, 31), 12, 2021, 4), "3535"),
        (Period(date(2020, 12, 31), 12, 2020, 4), "3218"),
    ]
    assert {(f.unit, f.scale) for f in table.facts} == {("USD", 6), ("USD/share", 0)}


def test_a_balance_sheet_a_year_apart_is_still_as_of_its_dates(read: Reader) -> None:
    (table,) = read(
        """
                     Consolidated Balance Sheet
                            At December 31
(Dollars in millions)                           2022          2021
Cash and cash equivalents                  $    3655     $    4564
Total assets                                   46455         47072
""",
        doc_type="10-K",
        fiscal_year=2022,
        fiscal_quarter=None,
        period_end=date(2022, 12, 31),
    )
    assert [(p.end, p.months) for p, _ in by_column(table, "Total assets")] == [
        (date(2022, 12, 31), 0),
        (date(2021, 12, 31), 0),
    ]


def test_opening_and_closing_balances_of_a_statement_of_changes_are_balances(read: Reader) -> None:
    (table,) = read(
        """
                        CONSOLIDATED STATEMENTS OF SHAREHOLDERS' EQUITY
                        (In millions)
                                        Nine Months Ended
                                   July 1, 2023   July 2, 2022
Retained earnings:
   Beginning balances              $        484   $        410
   Net income                               120             90
   Dividends                               (20)           (16)
   Ending balances                 $        584   $        484
""",
        period_end=date(2023, 7, 1),
    )
    assert {p.months for p, _ in by_column(table, "Beginning balances")} == {0}
    assert {p.months for p, _ in by_column(table, "Net income")} == {9}
    assert by_column(table, "Ending balances")[0] == (Period(date(2023, 7, 1), 0, 2023, 3), "584")


ANNUAL = {"doc_type": "10-K", "fiscal_year": 2022, "fiscal_quarter": None, "period_end": date(2022, 12, 31)}


def test_totals_at_beginning_and_end_are_balances_wherever_the_label_says_so(read: Reader) -> None:
    (table,) = read(
        """
                        CONSOLIDATED STATEMENTS OF SHAREHOLDERS' EQUITY
                        (In millions)
                                                       Years Ended December 31,
                                                         2022          2021
Total shareholders' equity, beginning balances      $     484     $     410
   Net income                                             120            90
   Dividends                                              (20)          (16)
Total shareholders' equity, ending balances         $     584     $     484
""",
        **ANNUAL,
    )
    opening, closing = (
        by_column(table, f"Total shareholders' equity, {name} balances") for name in ("beginning", "ending")
    )
    assert [(p.end, p.months) for p, _ in opening] == [(date(2021, 12, 31), 0), (date(2020, 12, 31), 0)]
    assert [(p.end, p.months) for p, _ in closing] == [(date(2022, 12, 31), 0), (date(2021, 12, 31), 0)]


def test_columns_of_balances_around_flows_are_those_of_the_period_that_a_row_states(read: Reader) -> None:
    (table,) = read(
        """
                             VALUATION ACCOUNTS
(In millions)                               Balance at      Charged to      Balance at
                                           Beginning of      Costs and         End of
                                              Period          Expenses         Period
Returns reserve
   For the fiscal year ended December 31, 2021 (1)   $   40    $       9    $       42
   For the fiscal year ended December 31, 2022           42            8            45
""",
        **ANNUAL,
    )
    assert [(f.period.end, f.period.months) for f in table.facts] == [
        (date(2020, 12, 31), 0),
        (date(2021, 12, 31), 12),
        (date(2021, 12, 31), 0),
        (date(2021, 12, 31), 0),
        (date(2022, 12, 31), 12),
        (date(2022, 12, 31), 0),
    ]


def test_numbered_columns_under_a_fiscal_year_are_its_quarters(read: Reader) -> None:
    (table,) = read(
        """
QUARTERLY FINANCIAL DATA

                                        Fiscal Year Ended December 31, 2022
(In millions)                    Q1          Q2          Q3          Q4        Total
Net sales                   $   100     $   110     $   120     $   130     $    460
Cost of sales                    60          66          72          78          276
""",
        **ANNUAL,
    )
    assert [(p.end, p.months) for p, _ in by_column(table, "Net sales")] == [
        (date(2022, 3, 31), 3),
        (date(2022, 6, 30), 3),
        (date(2022, 9, 30), 3),
        (date(2022, 12, 31), 3),
        (date(2022, 12, 31), 12),
    ]


def test_what_moves_between_two_balances_in_a_balance_sheets_note_is_a_flow(read: Reader) -> None:
    (table,) = read(
        """
                           Balance Sheet
                                             2022          2021
Accounts receivable                     $     484     $     410
Allowance, beginning of year                   20            30
   Net amounts charged to expense               6             3
   Deductions                                  (2)          (13)
Allowance, end of year                         24            20
Total assets                                  900           800
Total liabilities                             300           300
Total equity                                  600           500
""",
        **ANNUAL,
    )
    assert [p.months for p, _ in by_column(table, "Net amounts charged to expense")] == [12, 12]
    assert [p.months for p, _ in by_column(table, "Accounts receivable")] == [0, 0]


def test_years_of_weeks_that_end_with_a_month_by_chance_take_the_days_above_the_statements(
    read: Reader,
) -> None:
    (table,) = read(
        """
                     CONSOLIDATED STATEMENTS OF INCOME
          Fiscal years ended December 31, 2022, December 25, 2021 and December 26, 2020
(In millions)                    2022          2021          2020
Net sales                   $     484     $     410     $     400
Cost of sales                     120            90            80
Net income                        100            80            70
""",
        **ANNUAL,
    )
    assert [p.end for p, _ in by_column(table, "Net sales")] == [
        date(2022, 12, 31),
        date(2021, 12, 25),
        date(2020, 12, 26),
    ]


def test_a_row_that_is_surely_a_balance_is_one_though_its_head_gives_a_length(read: Reader) -> None:
    (table,) = read(
        """
The following provides information about segments:
                                    Years Ended December 31,
(In millions)                         2022          2021
Segment net sales                $     484     $     410
Depreciation                           120            90
Total assets                           900           800
Capital expenditures                    70            60
""",
        **ANNUAL,
    )
    months = {f.metric: f.period.months for f in table.facts}
    assert months == {
        "Segment net sales": 12,
        "Depreciation": 12,
        "Total assets": 0,
        "Capital expenditures": 12,
    }


def test_a_year_alone_in_a_report_on_a_years_first_quarter_is_that_quarter_of_it(read: Reader) -> None:
    (table,) = read(
        """
The table shows what branches earned.
(In millions)
                                    2023       2022
Fees earned                    $     130   $    120
Net interest income                   80         75
""",
        fiscal_year=2023,
        fiscal_quarter=1,
        period_end=date(2023, 3, 31),
    )
    assert by_column(table, "Fees earned") == [
        (Period(date(2023, 3, 31), 3, 2023, 1), "130"),
        (Period(date(2022, 3, 31), 3, 2022, 1), "120"),
    ]


def test_quarters_named_with_their_number_first_are_read(read: Reader) -> None:
    (table,) = read(
        """
Highlights (in millions)
                                 1Q23         4Q22
Net revenue                  $    130   $      120
Noninterest expense                80           75
""",
        fiscal_quarter=1,
        period_end=date(2023, 3, 31),
    )
    assert [p for p, _ in by_column(table, "Net revenue")] == [
        Period(date(2023, 3, 31), 3, 2023, 1),
        Period(date(2022, 12, 31), 3, 2022, 4),
    ]


def test_a_day_beside_a_duration_is_that_of_a_balance(read: Reader) -> None:
    (table,) = read(
        """
The table shows what awards cost and what is left of it (in millions):
                               Cost that was recognized         Cost that is left
                              Three months ended July 1,               July 1,
                                   2023         2022                    2023
Units                        $       11   $        9           $          15
Options                               5            8                       2
"""
    )
    assert [p.months for p, _ in by_column(table, "Options")] == [3, 3, 0]


def test_one_head_for_balances_and_flows_leaves_the_choice_to_the_row(read: Reader) -> None:
    (table,) = read(
        """
Selected figures (in millions)
                                 As of or for the three months ended
                                     July 1, 2023      June 25, 2022
Net revenue                      $            130   $            120
Total assets                                  900                850
"""
    )
    assert [p.months for p, _ in by_column(table, "Net revenue")] == [3, 3]
    assert [p.months for p, _ in by_column(table, "Total assets")] == [0, 0]


def test_a_day_in_the_label_column_holds_for_every_column(read: Reader) -> None:
    (table,) = read(
        """
                                     Bexley          Bexley
July 1, 2023                           Corp.        Bank
(in millions)
Total capital                    $       130   $        120
Assets of all kinds                      900            850
"""
    )
    assert {p.end for p, _ in by_column(table, "Total capital")} == {date(2023, 7, 1)}


def test_a_length_in_the_label_column_may_stand_between_the_lines_of_a_header(read: Reader) -> None:
    (table,) = read(
        """
The table shows what came in.
                                       2023                        2022
Three months ended July 1,
(in millions)                   Pre-tax     After-tax      Pre-tax     After-tax
Gains of the period           $     130   $       120    $     110   $       100
Losses                               13            12           11            10
"""
    )
    assert [p.end for p, _ in by_column(table, "Losses")] == [date(2023, 7, 1)] * 2 + [date(2022, 7, 1)] * 2
    assert {p.months for p, _ in by_column(table, "Losses")} == {3}


def test_what_adds_up_to_a_balance_of_a_day_is_a_balance(read: Reader) -> None:
    (table,) = read(
        """
The table shows what may be carried forward (in millions):
                                       Total     Indefinite
Net operating losses                 $   278     $      133
Tax credits                                3              3
Balance as of July 1, 2023           $   281     $      136
""",
        doc_type="10-K",
        fiscal_quarter=None,
    )
    assert {p.months for p, _ in by_column(table, "Net operating losses")} == {0}


def test_what_moves_between_two_dated_rows_of_any_name_covers_the_time_between(read: Reader) -> None:
    (table,) = read(
        """
The table shows what became of the plan (in millions):
                                      Staff       Other
Liability as of September 25, 2021   $  128      $   21
Cash payments                          (138)       (117)
Liability as of September 24, 2022      122           5
Cash payments                          (163)        (93)
Liability as of July 1, 2023         $   64      $    7
"""
    )
    ends = [(p.end, p.months) for p, value in by_column(table, "Cash payments") if value in ("-117", "-93")]
    assert ends == [(date(2022, 9, 24), 12), (date(2023, 7, 1), 9)]


def test_how_signs_are_meant_makes_no_column_of_changes(read: Reader) -> None:
    (table,) = read(
        """
                    STATEMENTS OF COMPREHENSIVE INCOME
                              (In millions)

                                  Three Months Ended
                     July 1,        April 1,      December 31,
                      2023            2023            2022

                               Increase/(Decrease)
Net income          $   475       $    482       $     526
Currency                (10)           (60)             66
Total income            465            422             592
"""
    )
    assert len(by_column(table, "Currency")) == 3


def test_days_without_a_year_end_the_quarters_of_the_years_that_rows_name(read: Reader) -> None:
    (table,) = read(
        """
Quarterly data
                     December 31     September 30       June 30        March 31
                                        (in thousands)
2022
Total revenues       $   3,285       $   2,984       $   2,785       $   2,636
2021
Total revenues       $   2,477       $   2,290       $   2,105       $   1,957
""",
        doc_type="10-K",
        fiscal_year=2022,
        fiscal_quarter=None,
        period_end=date(2022, 12, 31),
    )
    found = {value: (p.end, p.months) for p, value in by_column(table, "Total revenues")}
    assert found["2785"] == (date(2022, 6, 30), 3) and found["1957"] == (date(2021, 3, 31), 3)


def test_places_that_add_up_under_the_name_of_a_balance_are_balances(read: Reader) -> None:
    (table,) = read(
        """
The table shows where the company works (in millions):
                                 2023                           2022
                       Net sales      Total assets    Net sales     Total assets
Japan                $      617     $        429    $      780    $        496
Korea                       514            3,294           640           3,479
   Total             $    1,131     $      3,723    $    1,420    $      3,975
""",
        doc_type="10-K",
        fiscal_quarter=None,
    )
    assert {f.period.months for f in table.facts if f.path == ("Total assets",)} == {0}
    assert {f.period.months for f in table.facts if f.path == ("Net sales",)} == {12}


def test_what_falls_due_by_year_is_known_as_of_a_day_row_by_row(read: Reader) -> None:
    (table,) = read(
        """
Expected payments to retired employees are (in millions):

                          Domestic Plans      Foreign Plans
2024                      $           43      $           5
2025                                  40                  5
2026-2030                            183                 18
Total                     $          266      $          28
""",
        doc_type="10-K",
        fiscal_quarter=None,
        period_end=date(2023, 6, 30),
    )
    assert {(f.metric, f.period.end, f.period.months) for f in table.facts} == {
        (label, date(2023, 6, 30), 0) for label in ("2024", "2025", "2026-2030", "Total")
    }
    assert {f.path[0] for f in table.facts} == {"Expected payments to retired employees"}, (
        "a year alone says nothing"
    )


def test_what_falls_due_by_year_is_known_as_of_a_day_column_by_column(read: Reader) -> None:
    (table,) = read(
        """
Expected payments to retired employees are (in millions):

                           2024       2025     2026 - 2030
Domestic plans         $     43  $      40  $          183
Foreign plans                 5          5              18
""",
        doc_type="10-K",
        fiscal_quarter=None,
        period_end=date(2023, 7, 1),
    )
    assert {(f.path, f.period.end, f.period.months) for f in table.facts} == {
        (("fiscal 2024",), date(2023, 7, 1), 0),
        (("fiscal 2025",), date(2023, 7, 1), 0),
        (("2026 - 2030",), date(2023, 7, 1), 0),
    }


PURCHASES = """
Shares bought in the fourth quarter of fiscal 2022 were as follows:

                                 Number of            Average Price         Dollar Value of Shares
Month                         Shares Bought          Paid per Share         that May Yet Be Bought
                                                                                      (billions)
October 1-31, 2022                  110,000         $         30.10         $                  1.8
Nov. 1 through Nov. 30               90,000                   32.60                            1.5
December 1 – 31, 2022                90,000                   32.60                            1.2
Total                               290,000         $         31.65         $                  1.2
"""


def test_days_of_a_month_and_a_quarter_spelled_out_in_the_introduction_date_a_table(read: Reader) -> None:
    (table,) = read(
        PURCHASES, doc_type="10-K", fiscal_year=2022, fiscal_quarter=None, period_end=date(2022, 12, 31)
    )
    bought = [f for f in table.facts if f.path[-1:] == ("Number of Shares Bought",)]
    assert [(f.period.end, f.period.months) for f in bought] == [
        (date(2022, 10, 31), 1),
        (date(2022, 11, 30), 1),
        (date(2022, 12, 31), 1),
        (date(2022, 12, 31), 3),
    ]


def test_a_quarter_without_a_year_over_a_column_is_the_documents_own(read: Reader) -> None:
    (table,) = read(
        """
Results at a glance

                              Third-Quarter
Organic growth                         4.3%
Earnings per share                    $1.40
"""
    )
    assert {f.period for f in table.facts} == {Q3}


def test_movements_between_two_dated_columns_took_the_time_between(read: Reader) -> None:
    (table,) = read(
        """
Changes in goodwill were as follows (in millions):

                     September 24, 2022    Acquisitions    Other     July 1, 2023
Desks                $              310    $         11    $ (6)     $        315
Chairs                              120               8        2              130
"""
    )
    assert [(f.period.end, f.period.months) for f in table.facts if f.metric == "Desks"] == [
        (date(2022, 9, 24), 0), (date(2023, 7, 1), 9), (date(2023, 7, 1), 9), (date(2023, 7, 1), 0),
    ]  # fmt: skip


def test_a_column_without_a_period_beside_days_of_balances_is_as_of_a_day(read: Reader) -> None:
    (table,) = read(
        """
Our notes were as follows (in millions):

                         Effective Rate        July 1, 2023      September 24, 2022
2.50% Notes due 2025              2.66%        $        310      $              310
3.10% Notes due 2030              3.24%                 120                     120
"""
    )
    assert {f.period.months for f in table.facts} == {0}


def test_rows_named_by_a_day_are_balances_where_movements_stand_between_them(read: Reader) -> None:
    (table,) = read(
        """
Changes in equity of our owners were (in millions):

                                 Common Stock        Earnings
April 1, 2023                    $        110        $    310
Net income                                  —              40
Dividends                                   —             (20)
July 1, 2023                     $        110        $    330
"""
    )
    periods = {f.metric: (f.period.end, f.period.months) for f in table.facts}
    assert periods == {
        "April 1, 2023": (date(2023, 4, 1), 0),
        "Net income": (date(2023, 7, 1), 3),
        "Dividends": (date(2023, 7, 1), 3),
        "July 1, 2023": (date(2023, 7, 1), 0),
    }


def test_what_falls_due_on_future_days_is_known_as_of_the_documents_day(read: Reader) -> None:
    (table,) = read(
        """
Notes by their last day (in millions):

                                    Principal        Rate
May 1, 2025                     $         500       2.25%
March 27, 2027                          1,000       2.40%
Total                           $       1,500
"""
    )
    assert {(f.period.end, f.period.months) for f in table.facts} == {(date(2023, 7, 1), 0)}


def test_what_only_the_balance_sheet_lists_is_a_balance_under_the_length_of_a_time(read: Reader) -> None:
    *_, table = read(
        """
                         BALANCE SHEETS
                         (In millions)

                                 July 1, 2023    September 24, 2022
Inventories                    $          250    $              240
Total assets                              900                   880
Total liabilities              $          350    $              340
""",
        """
Results of our lines of business were (in millions):

                                   Three Months Ended
                             July 1, 2023      June 25, 2022
Net sales                    $        130      $         120
Inventories                           110                100
""",
    )
    assert {f.metric: f.period.months for f in table.facts} == {"Net sales": 3, "Inventories": 0}


def test_a_column_of_movements_is_none_of_balances_whatever_its_rows_are_called(read: Reader) -> None:
    (table,) = read(
        """
Changes in goodwill were as follows (in millions):

                       2022        Acquisitions        2023
Goodwill             $  310        $         11        $  321
Total assets            420                  15           435
""",
        doc_type="10-K",
        fiscal_quarter=None,
        period_end=date(2023, 6, 30),
    )
    assert {f.path: f.period.months for f in table.facts} == {(): 0, ("Acquisitions",): 12}


def test_a_year_over_the_labels_is_that_of_the_columns_without_one(read: Reader) -> None:
    layout = """
Note 3 - Investments

Our investments were as follows (in millions):

                                          Cost           Gains,        Recorded
{year}:                                     Basis              Net           Basis
Government securities             $        375    $           6    $        381
Certificates                               536                -             536
"""
    both = layout.format(year=2023) + "\n" + layout.format(year=2022)
    first, second = read(both, doc_type="10-K", fiscal_quarter=None, period_end=date(2023, 6, 30))
    assert {f.period.end for f in first.facts} == {date(2023, 6, 30)}
    assert {f.period.end for f in second.facts} == {date(2022, 6, 30)}
