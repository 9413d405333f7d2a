"""Which of the fitting figures are stated: the latest, one a period, ties, and conflicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from graphs.contracts import Reading
from graphs.local.answer.fact_selection import Selection, fitting_companies, rival_companies, select
from graphs.local.text.same_figures import earlier_fact
from tests.unit.graphs.conftest import NOW, THEN
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]
SPRING = date(2024, 3, 30)


def chosen(facts: Sequence[Evidence], *periods: PeriodFilter, metrics: tuple[str, ...] = ()) -> Selection:
    reading = Reading(question="?", companies=("ORLA",), metrics=metrics, scope=Scope(periods=periods))
    return select(reading, facts, facts, change=False)


def ranks(selection: Selection) -> list[int]:
    return [item.rank for item in selection.facts]


def test_the_latest_figure_is_taken_where_no_period_is_asked_for(fact: Make) -> None:
    found = chosen([fact(1, "Net income", "280", end=THEN), fact(2, "Net income", "310")])
    assert ranks(found) == [2] and found.recent


def test_each_period_of_a_year_asked_for_as_a_whole_has_its_figure(fact: Make) -> None:
    facts = [fact(1, "Net income", "310"), fact(2, "Net income", "290", end=SPRING)]
    found = chosen(facts, PeriodFilter(fiscal_year=2024))
    assert ranks(found) == [1, 2] and not found.recent


def test_of_several_metrics_each_has_its_figure(fact: Make) -> None:
    facts = [
        fact(1, "Net income", "310"),
        fact(2, "Total assets", "20", months=0),
        fact(3, "Net income", "9", match=0.8),
    ]
    assert ranks(chosen(facts, PeriodFilter(end=NOW), metrics=("net income", "total assets"))) == [1, 2]


def test_documents_that_disagree_on_one_figure_are_a_conflict(fact: Make) -> None:
    facts = [fact(1, "Net income", "310"), fact(2, "Net income", "297", document="restated.pdf")]
    found = chosen(facts, PeriodFilter(end=NOW))
    assert [item.rank for item in found.conflict] == [1, 2]
    same = [facts[0], fact(2, "Net income", "310", document="restated.pdf")]
    assert chosen(same, PeriodFilter(end=NOW)).conflict == ()


def test_tags_of_one_document_that_disagree_are_a_conflict_and_untagged_figures_are_not(fact: Make) -> None:
    tagged = [
        fact(n, "Net income", value, concept="us-gaap:NetIncomeLoss") for n, value in ((1, "310"), (2, "297"))
    ]
    assert [item.rank for item in chosen(tagged, PeriodFilter(end=NOW)).conflict] == [1, 2]
    untagged = [fact(1, "Net income", "310"), fact(2, "Net income", "297")]
    assert chosen(untagged, PeriodFilter(end=NOW)).conflict == ()


def test_one_amount_is_not_stated_twice_under_like_names(fact: Make) -> None:
    facts = [fact(1, "Net income", "310"), fact(2, "Net earnings", "310")]
    assert ranks(chosen(facts, PeriodFilter(end=NOW))) == [1]


def test_a_figure_is_compared_with_the_year_before_rather_than_the_quarter_before(fact: Make) -> None:
    now = fact(1, "Net income", "310")
    quarter, year = fact(2, "Net income", "290", end=SPRING), fact(3, "Net income", "280", end=THEN)
    later = fact(4, "Net income", "330", end=date(2024, 9, 28))
    assert earlier_fact(now, [quarter, year, later]) == year
    assert earlier_fact(now, [quarter, later]) == quarter
    assert earlier_fact(now, [later]) is None


def test_a_figure_of_another_span_or_line_is_not_compared(fact: Make) -> None:
    now = fact(1, "Net income", "310")
    others = [fact(2, "Net income", "600", end=THEN, months=6), fact(3, "Revenue", "9", end=THEN)]
    assert earlier_fact(now, others) is None


def test_companies_fit_alike_only_where_none_is_named(fact: Make) -> None:
    facts = [
        fact(1, "Goodwill", "800", match=0.75),
        fact(2, "Goodwill", "10", match=0.61, company="Kestrel Stores, Inc.", key="KEST"),
        fact(3, "Goodwill", "7", match=0.5, company="Harrowmere Stores", key="HRWM"),
    ]
    assert fitting_companies(facts) == {"KEST": "Kestrel Stores, Inc.", "ORLA": "Orla Devices, Inc."}
    assert rival_companies(Reading(question="Goodwill?"), facts) == [
        "Kestrel Stores, Inc.",
        "Orla Devices, Inc.",
    ]
    assert rival_companies(Reading(question="Goodwill?", companies=("ORLA",)), facts) == []
