"""The rows of a comparison: one for each part and each figure asked for, in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphs.contracts import Lookup, Part, Reading
from graphs.local.answer.comparison_rows import comparison_rows
from tests.unit.graphs.conftest import NOW, THEN
from tools.evidence import Evidence
from tools.periods import PeriodFilter

Make = Callable[..., Evidence]
INCOME, REVENUE = (
    Lookup(name="net income", question="Net income?"),
    Lookup(name="revenue", question="Revenue?"),
)


def part(
    company: str, *lookups: Lookup, periods: tuple[PeriodFilter, ...] = (PeriodFilter(end=NOW),)
) -> Part:
    return Part(company=company, name=company, periods=periods, lookups=lookups)


def first(items: Sequence[Evidence]) -> list[Evidence]:
    return list(items[:1])


def ranks(parts: Sequence[Part], facts: Sequence[Evidence]) -> list[int]:
    reading = Reading(question="Compare them", parts=tuple(parts))
    return [item.rank for item in comparison_rows(reading, facts, first, lambda items: list(items[-1:]))]


def found_by(lookup: Lookup, item: Evidence) -> Evidence:
    return item.model_copy(update={"lookup": lookup.question})


def test_rows_stand_in_the_order_of_the_parts_and_of_what_is_asked(fact: Make) -> None:
    facts = [
        found_by(REVENUE, fact(1, "Net sales", "900", key="KEST")),
        found_by(INCOME, fact(2, "Net income", "41", key="KEST")),
        found_by(REVENUE, fact(3, "Total net revenue", "4812")),
        found_by(INCOME, fact(4, "Net income", "310")),
    ]
    assert ranks([part("ORLA", INCOME, REVENUE), part("KEST", INCOME, REVENUE)], facts) == [4, 3, 2, 1]


def test_a_part_takes_no_figure_of_another_company_or_period(fact: Make) -> None:
    facts = [
        found_by(INCOME, fact(1, "Net income", "280", end=THEN)),
        found_by(INCOME, fact(2, "Net income", "41", key="KEST")),
        found_by(INCOME, fact(3, "Net income", "310")),
    ]
    assert ranks([part("ORLA", INCOME), part("HRWM", INCOME)], facts) == [3]


def test_without_a_period_the_latest_figure_is_the_row(fact: Make) -> None:
    facts = [fact(1, "Net income", "280", end=THEN), fact(2, "Net income", "310")]
    assert ranks([part("ORLA", INCOME, periods=()), part("KEST", INCOME)], facts) == [2]


def test_a_year_as_a_whole_is_no_comparison_of_single_periods(fact: Make) -> None:
    year = (PeriodFilter(fiscal_year=2024),)
    parts = [part("ORLA", INCOME), part("KEST", INCOME, periods=year)]
    assert ranks(parts, [found_by(INCOME, fact(1, "Net income", "310"))]) == []


def test_one_figure_of_one_part_is_no_comparison(fact: Make) -> None:
    assert ranks([part("ORLA", INCOME)], [found_by(INCOME, fact(1, "Net income", "310"))]) == []
