"""Tables headed for balances and flows alike: what tells the one from the other."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from tools.documents.types import Table

Reader = Callable[..., list[Table]]
SECOND = {"fiscal_quarter": 2, "period_end": date(2023, 6, 30)}

HIGHLIGHTS = """
Financial highlights

As of or for the period ended, (in millions, except per share data)
                                                           2Q23         1Q23         4Q22         3Q22
Market and per share data
Common shares at period-end                               100.0        101.0        102.0        103.0
Book value per share                                       2.49         2.43         2.38         2.33
Cash dividends declared per share                          0.90         0.90         0.80         0.80

Balance sheet data (period-end)
Trading assets                                         $    120     $    119     $    118     $    117
Loans                                                       830          829          828          827
Total assets                                              1,690        1,680        1,670        1,660
Deposits                                                    900          890          880          870
Equity of common shareholders                               249          245          243          240
"""


def lengths(table: Table, metric: str) -> set[int | None]:
    return {fact.period.months for fact in table.facts if fact.metric == metric}


def test_an_amount_per_share_that_is_a_balance_by_the_shares_is_a_balance(read: Reader) -> None:
    (table,) = read(HIGHLIGHTS, **SECOND)
    assert lengths(table, "Book value per share") == {0}
    assert lengths(table, "Cash dividends declared per share") == {3}


def test_a_total_of_other_rows_than_those_above_it_ends_no_group(read: Reader) -> None:
    (table,) = read(HIGHLIGHTS, **SECOND)
    deposits = [fact for fact in table.facts if fact.metric == "Deposits"]
    assert {fact.path for fact in deposits} == {("Balance sheet data (period-end)",)}
    assert lengths(table, "Deposits") == {0}


METRICS = """
Selected metrics
                                             As of or for the three months
                                                    ended June 30,
(in billions, except where otherwise noted)      2023           2022         Change
Number of branches                                4,872          4,967           (2) %
Active web customers (in thousands)              56,671         53,833            5
Active mobile customers (in thousands)           41,872         38,256            9
Card sales volume                            $    290.3     $    266.0            9
Credit sales volume                          $    183.7     $    179.1            3
"""


def test_a_length_wrapped_over_two_lines_is_over_the_same_columns(read: Reader) -> None:
    (table,) = read(METRICS, **SECOND)
    found = [f for f in table.facts if f.metric == "Active mobile customers (in thousands)"]
    assert [(f.period.end, f.unit, f.scale, f.path) for f in found] == [
        (date(2023, 6, 30), "", 3, ()),
        (date(2022, 6, 30), "", 3, ()),
    ]
    assert {f.period.months for f in found} == {0}


LISTED = """
CONSOLIDATED BALANCE SHEETS

(In millions)                        June 30, 2023      December 31, 2022
Cash                                  $        40         $         30
Pledges of members                             60                   50
Total assets                          $       100         $         80
Liabilities                                    70                   60
Equity                                         30                   20
"""

SEGMENT = """
Segment figures

                                    As of or for the three months ended June 30,
(In millions)                              2023               2022
Pledges of members                  $        25        $        20
Costs                                        12                 11
"""


def test_what_the_balance_sheet_lists_is_a_balance_under_a_head_for_both(read: Reader) -> None:
    table = read(LISTED, SEGMENT, **SECOND)[1]
    assert lengths(table, "Pledges of members") == {0}
    assert lengths(table, "Costs") == {3}
