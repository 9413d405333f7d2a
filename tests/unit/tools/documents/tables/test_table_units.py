"""Unit and scale: from marks, rows, columns and the unit note."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.documents.tables.units import UnitNote, counted_nouns, read_note
from tools.documents.types import Table

Reader = Callable[..., list[Table]]


def units(table: Table) -> dict[str, tuple[str, int]]:
    return {f.metric: (f.unit, f.scale) for f in table.facts}


@pytest.mark.parametrize(
    ("note", "money", "shares"),
    [
        ("In millions", 6, 6),
        ("In millions, except number of shares which are reflected in thousands and per share amounts", 6, 3),
        (
            "in millions, except number of shares, which are reflected in thousands, and per share amounts",
            6,
            3,
        ),
        ("in millions, except per share data", 6, 6),
        ("In Millions, Except Per Share Amounts", 6, 6),
        ("net income in millions and shares in thousands", 6, 3),
        ("dollars in thousands", 3, 3),
        ("In billions", 9, 9),
        ("In thousands, except share and per share data", 3, 0),
        ("In millions, except shares and per share amounts", 6, 0),
        ("Amounts and shares in millions, except per share data", 6, 6),
        ("dollars and shares in thousands", 3, 3),
        ("In millions, except share amounts, which are stated in thousands, and par value", 6, 3),
        ("in thousands, except number of shares", 3, 0),
        ("unaudited", None, None),
    ],
)
def test_a_unit_note_gives_the_scales_of_money_and_of_shares(
    note: str, money: int | None, shares: int | None
) -> None:
    assert read_note(note) == UnitNote(money, shares)


def test_per_share_rows_and_share_counts_keep_out_of_the_scale_of_money(read: Reader) -> None:
    (table,) = read(
        """
                         STATEMENTS OF OPERATIONS
  (In millions, except number of shares which are reflected in thousands and per share amounts)
                                             Three Months Ended
                                      July 1, 2023       June 25, 2022
Net income                          $          198   $             194
Earnings per share:
   Basic                            $         1.27   $            1.20
   Diluted                          $         1.26   $            1.20
Shares used in computing earnings per share:
   Basic                                15,697,614          16,162,945
"""
    )
    assert [(f.metric, f.path, f.unit, f.scale) for f in table.facts if f.column == 0] == [
        ("Net income", (), "USD", 6),
        ("Basic", ("Earnings per share",), "USD/share", 0),
        ("Diluted", ("Earnings per share",), "USD/share", 0),
        ("Basic", ("Shares used in computing earnings per share",), "shares", 3),
    ]


def test_a_row_called_by_stores_is_money_under_a_heading_of_money(read: Reader) -> None:
    (table,) = read(
        """
Net sales by group are as follows (in millions):
                                             Three Months Ended
                                      July 1, 2023       June 25, 2022
Net Sales:
   Online stores (1)                $          198   $             194
   Physical stores (2)                          46                  47
   Other                                        12                  13
"""
    )
    assert units(table)["Physical stores"] == ("USD", 6)


def test_an_earnings_per_share_note_counts_shares_up_to_the_next_amount(read: Reader) -> None:
    (table,) = read(
        """
The components of earnings per share were as follows:
(In millions, except earnings per share)
                                                    Three Months Ended
                                               July 1, 2023   July 2, 2022
Net income available for shareholders (A)    $          164   $        187
Weighted average outstanding shares (B)                  74             75
Dilutive effect of stock-based awards                     2              5
Common stock and common stock equivalents (C)            76             80
Basic earnings per share (A/B)               $         2.20   $       2.50
"""
    )
    assert list(units(table).values()) == [
        ("USD", 6),
        ("shares", 6),
        ("shares", 6),
        ("shares", 6),
        ("USD/share", 0),
    ]


def test_in_an_equity_statement_the_column_decides_between_shares_and_money(read: Reader) -> None:
    (table,) = read(
        """
               STATEMENTS OF SHAREHOLDERS' EQUITY
(In millions, except per share data)       Shares         Amount    Retained Earnings
Balances, April 1, 2023                       246    $         2    $             149
Net income                                      —              —                   92
Shares repurchased                             (8)             —                  (37)
Cash dividends ($0.04 per common share)         —              —                  (10)
Balances, July 1, 2023                        238    $         2    $             194
"""
    )
    found = {(f.metric, f.path[-1]): f.unit for f in table.facts}
    assert found["Shares repurchased", "Shares"] == "shares"
    assert found["Shares repurchased", "Retained Earnings"] == "USD"
    assert found["Cash dividends ($0.04 per common share)", "Retained Earnings"] == "USD"
    assert found["Cash dividends ($0.04 per common share)", "Amount"] == "USD"


def test_money_from_shares_sold_is_money_in_a_cash_flow_statement(read: Reader) -> None:
    (table,) = read(
        """
                    STATEMENTS OF CASH FLOWS
                         (In millions)
                                              Nine Months Ended
                                        July 1, 2023  June 25, 2022
Proceeds from sales of subsidiary shares         157            140
Taxes paid on restricted stock units             (11)           (13)
Net cash provided by financing activities        146            127
"""
    )
    assert set(units(table).values()) == {("USD", 6)}


def test_a_section_marked_at_its_first_row_is_in_percent_throughout(read: Reader) -> None:
    (table,) = read(
        """
Net sales information is as follows (in millions):
                                     Three Months Ended
                                July 1, 2023   July 2, 2022
Net Sales:
North America                 $          788   $        878
International                            277            321
     Consolidated                       1065           1199
Year-over-year Percentage Growth (Decline):
North America                             20 %           11 %
International                             (5)            16
     Consolidated                         15             13
Net Sales Mix:
North America                             74 %           73 %
International                             26             27
"""
    )
    growth = [f for f in table.facts if f.path and f.path[0].startswith("Year")]
    assert [(f.value, f.unit) for f in growth if f.metric == "International"] == [
        ("-5", "percent"),
        ("16", "percent"),
    ]
    assert {f.unit for f in table.facts if f.path == ("Net Sales Mix",)} == {"percent"}
    assert {f.unit for f in table.facts if f.path == ("Net Sales",)} == {"USD"}


def test_a_percent_column_beside_amounts_stays_in_percent(read: Reader) -> None:
    (table,) = read(
        """
Results of Operations
                                      Three Months Ended
                                  Q3 2023                Q3 2022
                                       % of Net                % of Net
(In Millions)            Amount         Revenue   Amount        Revenue
Net revenue            $    129         100.0 % $    153        100.0 %
Cost of sales                83            64.2       97           63.5
"""
    )
    cost = [(f.path, f.unit) for f in table.facts if f.metric == "Cost of sales"]
    assert cost == [
        (("Amount",), "USD"),
        (("% of Net Revenue",), "percent"),
        (("Amount",), "USD"),
        (("% of Net Revenue",), "percent"),
    ]


def test_columns_of_units_prices_and_values_each_have_their_own_unit(read: Reader) -> None:
    (table,) = read(
        """
A summary of activity for the nine months ended July 1, 2023 is as follows:
                                      Number of      Weighted-Average         Aggregate
                                          RSUs       Grant Date Fair         Fair Value
                                 (in thousands)      Value Per RSU        (in millions)
RSUs granted                            86,896     $         150.23
RSUs vested                            (96,681)    $          95.97
Balance as of July 1, 2023             184,716     $         135.08    $         35,829
"""
    )
    last = [(f.unit, f.scale) for f in table.facts if f.metric.startswith("Balance")]
    assert last == [("shares", 3), ("USD/share", 0), ("USD", 6)]


def test_years_of_maturity_are_no_amounts_and_lives_are_in_years(read: Reader) -> None:
    (table,) = read(
        """
The components of debt were as follows:
                                                        Effective     July 1,   September 24,
(In millions)                   Maturity        Life         Rate        2023            2022
2009 issuance                       2039    16 years        5.24%   $     520   $         520
2010 issuance                       2040    17 years        4.57%         486             486
"""
    )
    assert {f.unit for f in table.facts} == {"years", "percent", "USD"}
    assert "2039" not in {f.value for f in table.facts}


BARE = """
                                  July 1, 2023   September 24, 2022
Inventories                      $          73   $               49
Other                                       14                   21
"""
STATED = """
                       CONSOLIDATED BALANCE SHEETS
                       (In thousands)
                                  July 1, 2023   September 24, 2022
Total assets                     $      91,000   $           85,000
Total liabilities                       40,000               41,000
Total equity                            51,000               44,000

Inventories were as follows:
"""


def test_amounts_in_a_document_without_any_unit_note_are_in_full(read: Reader) -> None:
    (table,) = read(BARE)
    assert {(f.unit, f.scale) for f in table.facts} == {("USD", 0)}


def test_a_table_without_a_note_behind_the_statements_has_their_scale(read: Reader) -> None:
    tables = read(STATED + BARE)
    assert {(f.unit, f.scale) for f in tables[1].facts} == {("USD", 3)}


def test_figures_larger_than_the_statements_own_are_printed_in_full(read: Reader) -> None:
    tables = read(STATED + BARE.replace("  73 ", "1,250,000 "))
    assert {(f.unit, f.scale) for f in tables[1].facts} == {("USD", 0)}


def test_a_note_under_the_heading_of_the_notes_holds_for_their_tables(read: Reader) -> None:
    tables = read(
        "Notes to Consolidated Financial Statements\n(Dollars in millions, except as noted)\n\n\n"
        + "Inventories were as follows:\n"
        + BARE
    )
    assert {(f.unit, f.scale) for f in tables[0].facts} == {("USD", 6)}


def test_a_note_for_the_following_tables_holds_for_each_of_them(read: Reader) -> None:
    tables = read(
        """
The following tables show balance sheet details as of July 1, 2023 and September 24, 2022 (in millions):

Inventories
                                  July 1, 2023   September 24, 2022
Components                       $          73   $               49
Finished goods                              14                   21

Property
                                  July 1, 2023   September 24, 2022
Gross property                   $         111   $              114
Accumulated depreciation                   (68)                 (72)
"""
    )
    assert [(t.facts[0].metric, t.facts[0].scale) for t in tables] == [
        ("Components", 6),
        ("Gross property", 6),
    ]


def test_a_note_under_one_column_holds_for_that_column_alone(read: Reader) -> None:
    (table,) = read(
        """
Monthly share repurchases:
                                  Total Number         Average     Approximate
                                     of Shares      Price Paid    Dollar Value
Period                               Purchased       Per Share       Remaining
                                                                 (In millions)
May 1, 2023 – May 31, 2023           9,204,200    $     254.98    $     37,933
June 1, 2023 – June 30, 2023         5,570,365          280.80          36,369
"""
    )
    may = [(f.unit, f.scale) for f in table.facts if f.metric.startswith("May")]
    assert may == [("shares", 0), ("USD/share", 0), ("USD", 6)]
    assert {f.period.months for f in table.facts} == {1}


@pytest.mark.parametrize(
    ("note", "nouns"),
    [
        ("Amounts in millions, except unit counts", {"unit": 0}),
        ("in thousands, except revenue per membership and percentages", {"membership": 3}),
        ("in millions, except per share data and number of stores", {"store": 0}),
        ("Dollar amounts and retail square feet in millions", {"square feet": 6}),
        ("Dollars and shares in millions", {}),
        ("in millions, except ratios", {}),
        ("in millions", {}),
    ],
)
def test_a_unit_note_names_what_is_counted(note: str, nouns: dict[str, int]) -> None:
    assert counted_nouns(note) == nouns


def test_what_a_unit_note_excepts_is_counted_and_not_money(read: Reader) -> None:
    (table,) = read(
        """
                                                 Three Months Ended
(Amounts in millions, except unit counts)   July 1, 2023   July 2, 2022
Net sales                                $        20,130   $     20,824
Operating income                                   3,370          4,883
Unit counts at period end                          6,146          5,993
"""
    )
    assert units(table)["Unit counts at period end"] == ("", 0)
    assert units(table)["Operating income"] == ("USD", 6)


def test_what_stands_beside_money_in_a_unit_note_is_not_the_unit_of_all(read: Reader) -> None:
    (table,) = read(
        """
                                                         Three Months Ended
(Dollar amounts and retail square feet in millions)   July 1, 2023   July 2, 2022
Net sales                                          $        20,130   $     20,824
Total revenues                                              22,370         22,883
Operating income                                             3,370          4,883
Retail square feet at period end                             1,053          1,056
"""
    )
    assert units(table)["Total revenues"] == units(table)["Operating income"] == ("USD", 6)
    assert units(table)["Retail square feet at period end"] == ("", 6)


@pytest.mark.parametrize(("printed", "scale"), [("30,054,212", 0), ("    30,054", 3)])
def test_numbers_of_shares_printed_in_full_beside_thousands_are_told_by_their_size(
    read: Reader, printed: str, scale: int
) -> None:
    (table,) = read(
        f"""
               STATEMENTS OF STOCKHOLDERS' EQUITY
(in thousands, except share data)              Shares         Amount    Retained Earnings
Balances, April 1, 2023                    {printed}    $     1,599    $           1,128
Net income                                          —              —                   92
Balances, July 1, 2023                     {printed}    $     1,599    $           1,220
"""
    )
    assert {(f.unit, f.scale) for f in table.facts if f.path[-1] == "Shares"} == {("shares", scale)}


def test_the_price_of_an_option_is_not_in_the_millions_of_the_table(read: Reader) -> None:
    (table,) = read(
        """
The following summarizes the stock option transactions for the nine months ended July 1, 2023:
                                                       Weighted
                                                        Average
(In millions, except option price)       Shares    Option Price
Options outstanding as of October 1, 2022  66.0    $      68.10
Exercised                                 (18.6)          58.50
Options outstanding as of July 1, 2023     64.2    $      83.99
"""
    )
    assert {(f.unit, f.scale) for f in table.facts} == {("shares", 6), ("USD/share", 0)}


def test_prices_printed_whole_under_a_column_of_prices_are_per_share(read: Reader) -> None:
    (table,) = read(
        """
The following table summarizes our restricted stock unit activity (in millions):
                                                         Weighted-Average
                                             Number of         Grant-Date
                                                 Units         Fair Value
Outstanding as of April 1, 2023                  384.4    $           144
Units granted                                     10.8                 99
Outstanding as of July 1, 2023                   374.9    $           144
"""
    )
    assert {(f.unit, f.scale) for f in table.facts} == {("shares", 6), ("USD/share", 0)}


def test_a_column_in_billions_holds_no_prices(read: Reader) -> None:
    (table,) = read(
        """
Share repurchases:
                                  Total Number         Average     Approximate Dollar
                                     of Shares      Price Paid        Value of Shares
Period                               Purchased       Per Share      Not Yet Purchased
                                 (In millions)                          (In billions)
May 1, 2023 – May 31, 2023                 9.2    $     254.98    $              7.23
June 1, 2023 – June 30, 2023               5.6    $     280.80    $              6.41
"""
    )
    may = [(f.unit, f.scale) for f in table.facts if f.metric.startswith("May")]
    assert may == [("shares", 6), ("USD/share", 0), ("USD", 9)]


def test_a_note_that_excepts_a_number_of_things_means_no_others(read: Reader) -> None:
    (table,) = read(
        """
Selected figures
(in millions, except headcount)
                                  July 1, 2023   June 25, 2022
Loans                           $          130   $        120
Headcount                                2,054           1,980
Number of client advisors                  462             418
"""
    )
    units = {(f.metric, f.unit, f.scale) for f in table.facts}
    assert {("Headcount", "", 0), ("Number of client advisors", "", 0), ("Loans", "USD", 6)} == units


def test_figures_below_a_heading_with_signs_on_some_are_all_in_percent(read: Reader) -> None:
    (table,) = read(
        """
Selected figures (in millions)
                                  July 1, 2023   June 25, 2022
Loans                           $          130   $        120
Losses of a kind
  Small cities
    Cards                                 0.53 %         1.01 %
  Homes                                  (0.12)         (0.25)
"""
    )
    assert {f.unit for f in table.facts if f.metric == "Homes"} == {"percent"}


def test_a_footnote_gives_the_scale_of_what_carries_its_mark(read: Reader) -> None:
    (table,) = read(
        """
The table shows what became of the options.
                                  July 1, 2023   June 25, 2022
Number of options granted (a)            2,422           2,157
Value of options exercised (a)   $     134,580  $      153,306
Value of bonds sold              $         580  $          306

(a) In thousands.
"""
    )
    scales = {(f.metric, f.scale) for f in table.facts if f.unit == "USD"}
    assert ("Value of options exercised", 3) in scales and ("Value of bonds sold", 3) not in scales


def test_a_table_without_units_whose_rows_add_up_counts_things(read: Reader) -> None:
    (table,) = read(
        """
At July 1, 2023, these were open:
                             Owned      Leased       Total
North                          454         110         564
South                           89          16         105
Elsewhere                      101          45         146
"""
    )
    assert {(f.unit, f.scale) for f in table.facts} == {("", 0)}


def test_rows_above_the_first_sign_that_are_called_no_amounts_are_none(read: Reader) -> None:
    (table,) = read(
        """
The table shows the segments (in thousands):
                             Three Months Ended July 1, 2023
                                Homes           Abroad
Members at the end             49,431           44,365
Revenues                   $5,077,307       $3,211,095
Marketing                     382,832          608,246
"""
    )
    units = {(f.metric, f.unit, f.scale) for f in table.facts}
    assert units == {("Members at the end", "", 3), ("Revenues", "USD", 3), ("Marketing", "USD", 3)}


def test_a_statement_of_equity_counts_no_employees(read: Reader) -> None:
    (table,) = read(
        """
                   STATEMENTS OF SHAREHOLDERS' EQUITY
                             (In millions)
                                    Capital in excess         Total
Balance at June 25, 2022            $           6,384    $    9,812
Issuance of shares to employees                   142           139
Balance at July 1, 2023             $           6,526    $    9,951
"""
    )
    assert {f.unit for f in table.facts if f.metric == "Issuance of shares to employees"} == {"USD"}


ASSUMPTIONS = """
The terms of our leases and what they cost were as follows (in millions):

                                            July 1, 2023      September 24, 2022

Lease liabilities                           $        410         $           390
Remaining lease term (in years)
  Operating leases                                   7.5                     8.1
  Finance leases                                      12                      13
Discount rate (%)                                    3.1                     2.9
"""


def test_a_unit_in_the_brackets_of_a_label_or_a_heading_is_the_unit_of_its_figures(read: Reader) -> None:
    (table,) = read(ASSUMPTIONS)
    assert units(table) == {
        "Lease liabilities": ("USD", 6),
        "Operating leases": ("years", 0),
        "Finance leases": ("years", 0),
        "Discount rate (%)": ("percent", 0),
    }


def test_a_unit_over_a_column_is_that_of_its_figures_unless_they_are_too_large_for_it(read: Reader) -> None:
    (table,) = read(
        """
Assets acquired were as follows (in millions):

                                 Amount        Useful Life (years)
Software                       $    310                          4
Customer lists                       90                         10
"""
    )
    assert [(f.value, f.unit) for f in table.facts] == [
        ("310", "USD"), ("4", "years"), ("90", "USD"), ("10", "years"),
    ]  # fmt: skip
    (table,) = read(
        """
Assets held were as follows (in millions):

                               (In years)
                            July 1, 2023      September 24, 2022
Buildings                          1,310                   1,200
Income from rents                     90                      80
"""
    )
    assert {f.unit for f in table.facts} == {"USD"}


def test_a_table_that_repeats_line_items_of_the_statements_is_of_money(read: Reader) -> None:
    *_, table = read(
        """
                         BALANCE SHEETS
                         (In millions)

                                 July 1, 2023    September 24, 2022
Total current assets           $          250    $              240
Long-term debt                            130                   120
Total liabilities                         350                   340
Total assets                   $          900    $              880
""",
        """
What we owe falls due as follows (in millions):

                                     Within a year        Later         Total
Long-term debt                                  10          120           130
Orders placed                                   33           96           129
""",
    )
    assert {f.unit for f in table.facts} == {"USD"}


def test_an_amount_with_its_sign_is_money_though_its_column_speaks_of_shares(read: Reader) -> None:
    (table,) = read(
        """
Shares bought were as follows:

                              Number of            Dollar Value of Shares that
                           Shares Bought           May Yet Be Bought (billions)
April 2-30, 2023                 110,000           $                        1.8
May 1-27, 2023                    90,000                                    1.5
"""
    )
    assert [(f.value, f.unit, f.scale) for f in table.facts] == [
        ("110000", "shares", 0), ("1.8", "USD", 9), ("90000", "shares", 0), ("1.5", "USD", 9),
    ]  # fmt: skip


def test_points_between_two_percentages_of_their_row_are_percent_like_the_growth_they_explain(
    read: Reader,
) -> None:
    (table,) = read(
        """
What moved sales in the third quarter of 2023

                           Reported        Exchange                           Organic
                           % Growth         Rates        Acquisitions        % Growth      Volume
Desks                            15             1                   —              16          (5)
Chairs                            9            (2)                  1               8          12
Lamps                            (6)            3                   4               1           2
"""
    )
    assert {f.unit for f in table.facts} == {"percent"}
    assert [f.value for f in table.facts if f.metric == "Lamps"] == ["-6", "3", "4", "1", "2"]


def test_figures_beside_a_percentage_that_do_not_lead_to_another_are_not_percent(read: Reader) -> None:
    (table,) = read(
        """
Our largest customers in the third quarter of 2023

                           Number of         Sites       % of Sales      % of Orders
Desks                              4            20               26               20
Chairs                             3            10               37               30
Lamps                              5            30               16               40
"""
    )
    assert "percent" not in {f.unit for f in table.facts if "Sites" in f.path}


def test_numbers_of_things_that_an_introduction_dates_are_facts(read: Reader) -> None:
    (table,) = read(
        """
Our unit counts as of July 1, 2023 were:

                                       Large        Small       Square feet (1)
Workshops                                 40            7                 1,310
Warehouses                                12            3                   620
"""
    )
    assert {
        (f.value, f.unit, f.scale, f.period.months) for f in table.facts if "Square feet" not in f.path
    } == {(value, "", 0, 0) for value in ("40", "7", "12", "3")}
    assert {f.unit for f in table.facts if "Square feet" in f.path} == {"?"}


def test_columns_up_to_their_total_count_things_whatever_stands_behind_it(read: Reader) -> None:
    (table,) = read(
        """
As of July 1, 2023 we owned or leased the following units of equipment:

                                 Owned      Leased       Total      Average Age (yrs.)
Desks                           14,642       8,897      23,539                    21.1
Chairs                           4,658         579       5,237                    28.0
Lamps                            6,293       1,627       7,920                     9.5
"""
    )
    assert [(f.value, f.unit) for f in table.facts if f.metric == "Lamps"] == [
        ("6293", ""), ("1627", ""), ("7920", ""), ("9.5", "years"),
    ]  # fmt: skip


def test_numbers_of_options_and_other_securities_are_shares(read: Reader) -> None:
    (table,) = read(
        """
Stock option activity was as follows:

                                             Number of        Exercise Price
                                         Stock Options           (per share)
Outstanding at September 24, 2022           18,259,965        $        44.64
Granted                                      1,880,648                 25.41
Outstanding at July 1, 2023                 20,140,613                 41.22
"""
    )
    assert {f.unit for f in table.facts if f.path[-1:] == ("Number of Stock Options",)} == {"shares"}


def test_a_number_sign_over_a_column_says_that_it_counts(read: Reader) -> None:
    (table,) = read(
        """
What our workshops sold on average (in millions):

                        # of Workshops            Sales
2022                                21         $    140
2021                                26              132
""",
        doc_type="10-K",
        fiscal_quarter=None,
    )
    assert {f.unit for f in table.facts if f.path == ("# of Workshops",)} == {"?"}
