"""Statements of changes in equity: components as columns or as sections, balances at a day, flows between them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tools.documents.tables.row_periods import balance_day
from tools.documents.types import Table, TableFact
from tools.periods import Period

Reader = Callable[..., list[Table]]
ANNUAL = {"doc_type": "10-K", "fiscal_quarter": None, "period_end": date(2023, 12, 31)}

SECTIONS = """
                          CONSOLIDATED STATEMENTS OF CHANGES IN STOCKHOLDERS' EQUITY

                                                                  Three months ended June 30,
(in millions)                                                         2023             2022
Common stock
Balance at the beginning and end of the period                  $       10       $       10

Retained earnings
Balance at the beginning of the period                                 200              150
Net income                                                              40               30
Dividends declared:
   Preferred stock                                                      (1)              (2)
   Common stock                                                         (9)              (8)
Balance at June 30                                                     230              170

Treasury stock
Balance at the beginning of the period                                 (50)             (40)
Repurchase                                                              (5)             (10)
Balance at June 30                                                     (55)             (50)

Total equity                                                    $      185       $      130
"""


def facts_of(table: Table, metric: str) -> list[TableFact]:
    return [fact for fact in table.facts if fact.metric == metric]


def test_a_balance_on_a_day_without_a_year_takes_the_year_of_its_column(read: Reader) -> None:
    (table,) = read(SECTIONS, fiscal_quarter=2, period_end=date(2023, 6, 30))
    assert [
        (f.path, f.period.end, f.period.months, f.value) for f in facts_of(table, "Balance at June 30")
    ] == [
        (("Retained earnings",), date(2023, 6, 30), 0, "230"),
        (("Retained earnings",), date(2022, 6, 30), 0, "170"),
        (("Treasury stock",), date(2023, 6, 30), 0, "-55"),
        (("Treasury stock",), date(2022, 6, 30), 0, "-50"),
    ]


def test_a_heading_between_opening_and_closing_balance_opens_a_part_of_the_component(read: Reader) -> None:
    (table,) = read(SECTIONS, fiscal_quarter=2, period_end=date(2023, 6, 30))
    now = facts_of(table, "Preferred stock")[0]
    assert (now.path, now.value) == (("Retained earnings", "Dividends declared"), "-1")
    assert now.period == Period(date(2023, 6, 30), 3, 2023, 2)


def test_what_adds_up_the_closing_balances_is_a_balance_of_no_component(read: Reader) -> None:
    (table,) = read(SECTIONS, fiscal_quarter=2, period_end=date(2023, 6, 30))
    assert [(f.path, f.period.months, f.value) for f in facts_of(table, "Total equity")] == [
        ((), 0, "185"),
        ((), 0, "130"),
    ]


COMPONENTS = """
                                          Bexley Corp.
                                 Consolidated Statements of Equity

                                                                            Accumulated
                                                    Common Stock           Comprehensive      Total
(Amounts in millions)                            Shares      Amount        Income (Loss)      Equity
Balance at December 31, 2021                        100   $      10      $          (4)   $        6
Net income                                            —           5                  —             5
Balance at December 31, 2022                        100          15                 (4)           11
Adoption of new accounting rules on
January 1, 2023, net of taxes                         —           2                  —             2
Other comprehensive income
(loss), net of taxes                                  —           —                 (1)           (1)
Balance at December 31, 2023                        100   $      17      $          (5)   $       12
"""


def test_a_statement_s_name_over_its_columns_is_its_title(read: Reader) -> None:
    (table,) = read(COMPONENTS, **ANNUAL)
    assert (table.title, table.statement) == ("Consolidated Statements of Equity", "equity")
    assert [(f.path, f.unit, f.value) for f in facts_of(table, "Balance at December 31, 2023")] == [
        (("Common Stock Shares",), "shares", "100"),
        (("Common Stock Amount",), "USD", "17"),
        (("Accumulated Comprehensive Income (Loss)",), "USD", "-5"),
        (("Total Equity",), "USD", "12"),
    ]


def test_a_flow_named_with_a_day_of_its_own_covers_the_time_between_the_balances(read: Reader) -> None:
    (table,) = read(COMPONENTS, **ANNUAL)
    found = facts_of(table, "Adoption of new accounting rules on January 1, 2023, net of taxes")
    assert {(f.period.end, f.period.months) for f in found} == {(date(2023, 12, 31), 12)}


def test_a_label_that_goes_on_with_a_bracket_in_lower_case_is_one(read: Reader) -> None:
    (table,) = read(COMPONENTS, **ANNUAL)
    found = facts_of(table, "Other comprehensive income (loss), net of taxes")
    assert [f.value for f in found] == ["0", "0", "-1", "-1"]


GROUPED = """
Consolidated Statements of Equity
                                          Common Stock and
                                     Capital in Excess of Par         Retained
(In millions)                          Shares         Amount          Earnings           Total
Balance as of December 31, 2022            100   $          10   $           4   $          14
Net income                                   —               —               5               5
Stock issued                                 5               3               —               3
Balance as of December 31, 2023            105   $          13   $           9   $          22
"""


def test_wrapped_words_over_two_columns_are_over_both_on_each_of_their_lines(read: Reader) -> None:
    (table,) = read(GROUPED, **ANNUAL)
    assert [f.path for f in facts_of(table, "Stock issued")] == [
        ("Common Stock and Capital in Excess of Par Shares",),
        ("Common Stock and Capital in Excess of Par Amount",),
        ("Retained Earnings",),
        ("Total",),
    ]


CLASSES = """
CONSOLIDATED STATEMENTS OF EQUITY
                                             COMMON STOCK
                                     CLASS A            CLASS B          RETAINED
(In millions)                     SHARES   AMOUNT    SHARES   AMOUNT     EARNINGS    TOTAL
Balance at December 31, 2022         329   $    —     1,272   $    3   $   3,517    $ 3,520
Stock options exercised                                  18                  539        539
Balance at December 31, 2023         329   $    —     1,290   $    3   $   4,056    $ 4,059
"""


def test_words_over_groups_of_columns_are_over_all_of_each(read: Reader) -> None:
    (table,) = read(CLASSES, **ANNUAL)
    assert [f.path[0] for f in facts_of(table, "Balance at December 31, 2023")] == [
        "COMMON STOCK CLASS A SHARES",
        "COMMON STOCK CLASS A AMOUNT",
        "COMMON STOCK CLASS B SHARES",
        "COMMON STOCK CLASS B AMOUNT",
        "RETAINED EARNINGS",
        "TOTAL",
    ]


ROLLED = """
The following table shows the funded status of the plans:

(In millions)                                           2023          2022
Obligation at January 1                          $        80   $        70
Service cost                                              10            10
Obligation at end of year                                 90            80
Assets at beginning of year                               60            50
Return                                                     5            10
Assets at end of year                                     65            60
Funded status                                    $       (25)  $       (20)
"""


def test_the_difference_of_two_closing_balances_is_a_balance(read: Reader) -> None:
    (table,) = read(ROLLED, **ANNUAL)
    assert [f.period for f in facts_of(table, "Funded status")] == [
        Period(date(2023, 12, 31), 0, 2023, None),
        Period(date(2022, 12, 31), 0, 2022, None),
    ]
    assert [f.period.end for f in facts_of(table, "Obligation at January 1")] == [
        date(2023, 1, 1),
        date(2022, 1, 1),
    ]


def test_a_change_named_with_a_day_is_no_balance_of_that_day() -> None:
    assert balance_day("Balance at December 31") == (12, 31)
    assert balance_day("Benefit obligation as of January 1,") == (1, 1)
    assert (
        balance_day("Changes in unrealized gains included in income related to loans held at March 31")
        is None
    )
    assert balance_day("Balance at December 31, 2023") is None


BROKEN_OVER_PAGES = (
    """
CONSOLIDATED STATEMENTS OF STOCKHOLDERS' EQUITY
(In thousands)                    Common Stock     Retained Earnings        Total
Balance at December 31, 2021      $         10     $             200     $    210
Net income                                   —                    40           40
""",
    """
CONSOLIDATED STATEMENTS OF STOCKHOLDERS' EQUITY (Continued)
(In thousands)                    Common Stock     Retained Earnings        Total
Dividends                                    —                   (15)         (15)
Balance at December 31, 2022      $         10     $             225     $    235
Net income                                   —                    30           30
Balance at December 31, 2023      $         10     $             255     $    265
""",
)


def test_flows_on_the_next_page_are_of_the_time_since_the_last_balance(read: Reader) -> None:
    first, second = read(*BROKEN_OVER_PAGES, **ANNUAL)
    ends = [
        facts_of(table, name)[0].period.end
        for table, name in ((first, "Net income"), (second, "Dividends"), (second, "Net income"))
    ]
    assert ends == [date(2022, 12, 31), date(2022, 12, 31), date(2023, 12, 31)]
    assert {fact.period.months for fact in facts_of(second, "Dividends")} == {12}
