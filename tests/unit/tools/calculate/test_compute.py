"""What is computed from printed figures, from which of them, and what is refused."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from tests.accounts import (
    ANNUAL,
    AT22,
    AT23,
    BALANCE,
    HALF,
    NINE,
    PARTS,
    SECOND,
    THIRD,
    TILBROOK,
    Y22,
    Y23,
    calculation,
    ended,
    graph_of,
    line,
    made,
    of_any_length,
    quarter,
    result,
    year,
)
from tools.calculate.amounts import is_as_printed, recomputed
from tools.calculate.compute import MAX_RESULTS, NO_BASE, periods_of
from tools.calculate.expressions import ExpressionError
from tools.calculate.resolving import _shares_a_word
from tools.calculate.types import Asked, Computed, When
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

REVENUE = Asked(formula="a", items={"a": "net revenue"}, title="revenue")
SEGMENTS = REVENUE.model_copy(update={"over": "part", "pick": "highest", "set_words": "geographic segments"})
MARGIN = Asked(measure="net margin")
CURRENT = Asked(measure="current ratio")
LATEST = When()


def asked(across: str = "", item: str = "net revenue", **more: object) -> Asked:
    return Asked.model_validate({"formula": "a", "items": {"a": item}, "across": across, **more})


def operands(found: Computed) -> list[tuple[str, str, int]]:
    return [(each.label, each.value, each.page) for each in found.operands]


def values(found: list[Evidence]) -> list[str]:
    """The values of every result, where there are any."""
    return [
        each.value for item in found if item.calculation for each in item.calculation.results if each.value
    ]


def told(found: Computed) -> Decimal:
    """The value in millions, or as it is where it is a ratio."""
    return Decimal(found.value) / (10**6 if found.unit == "USD" else 1)


def test_a_ratio_names_its_operands_with_their_pages() -> None:
    found = result(CURRENT, year(2023))
    assert (found.value, found.unit, found.when) == ("1.5", "", "as of December 31, 2023")
    assert found.formula == "current_assets / current_liabilities"
    assert operands(found) == [
        ("Total current assets", "1800", 42),
        ("Total current liabilities", "1200", 42),
    ]
    assert {each.document for each in found.operands} == {ANNUAL.name}


def test_the_evidence_is_the_calculation_and_then_each_operand_once() -> None:
    found, missing = made(MARGIN, year(2023))
    assert missing == ()
    assert [item.kind for item in found] == ["calculation", "fact", "fact"]
    assert found[0].fact is None and found[0].calculation is not None
    assert [each.item_id for each in found[0].calculation.results[0].operands] == [
        item.item_id for item in found[1:]
    ]
    assert f"({ANNUAL.name}, p. 40)" in found[0].text


def test_a_calculation_has_one_id_and_another_period_another() -> None:
    first, again, other = (made(MARGIN, year(n))[0][0].item_id for n in (2023, 2023, 2021))
    assert first == again != other


@pytest.mark.parametrize(
    ("across", "item", "years", "value", "when"),
    [
        ("growth", "net revenue", (2023,), "0.25", "from twelve months ended December 31, 2022"),
        ("growth", "net revenue", (2023, 2021), "0.6", "from twelve months ended December 31, 2021"),
        ("growth", "net revenue", (2021, 2023), "0.6", "from twelve months ended December 31, 2021"),
        ("change", "net revenue", (2023,), "800", "from twelve months ended December 31, 2022"),
        ("change", "operating income", (2023,), "1000", "from twelve months ended December 31, 2022"),
        ("change", "inventories", (2023,), "100", "from December 31, 2022 to December 31, 2023"),
        ("sum", "net revenue", (2021, 2022, 2023), "9700", "twelve months ended December 31, 2021 to"),
        ("average", "inventories", (2022, 2023), "250", "as of December 31, 2022 to"),
        ("sum", "net income", (2022, 2023), "490", "twelve months ended December 31, 2022 to"),
        ("sum", "net revenue", (2023,), "4000", "twelve months ended December 31, 2023"),
    ],
)
def test_years_are_put_together_as_asked(
    across: str, item: str, years: tuple[int, ...], value: str, when: str
) -> None:
    found = result(asked(across, item), *map(year, years))
    assert (told(found), found.fault) == (Decimal(value), "") and found.when.startswith(when)


def test_a_compound_rate_is_of_as_many_years_as_lie_between() -> None:
    found = result(asked("cagr"), year(2021), year(2023))
    assert "** (1 / 2)" in found.formula
    assert round(Decimal(found.value), 6) == Decimal("0.264911")  # the square root of 1.6, less 1


def test_a_growth_is_a_percentage_and_a_change_of_a_percentage_is_points() -> None:
    assert calculation(asked("growth"), year(2023)).shown == "percent"
    assert calculation(asked("change"), year(2023)).shown == "amount"
    margin = calculation(MARGIN.model_copy(update={"across": "change"}), year(2023), year(2021))
    assert (margin.shown, margin.results[0].value) == ("points", "0.076")


@pytest.mark.parametrize(
    ("when", "item", "value", "parts", "ended_on"),
    [
        (quarter(3), "net revenue", "1000", ["2850", "1850"], "three months ended September 30, 2023"),
        (quarter(4), "net revenue", "1150", ["4000", "2850"], "three months ended December 31, 2023"),
        (quarter(2), "net revenue", "950", ["950"], "three months ended June 30, 2023"),
        (HALF, "net revenue", "1850", ["1850"], "six months ended June 30, 2023"),
        (HALF, "research and development", "250", ["120", "130"], "six months ended June 30, 2023"),
    ],
)
def test_a_span_that_is_not_printed_is_derived_from_printed_ones(
    when: When, item: str, value: str, parts: list[str], ended_on: str
) -> None:
    found = result(asked(item=item), when)
    assert (told(found), found.when) == (Decimal(value), ended_on)
    assert [each.value for each in found.operands] == parts


def test_what_was_only_to_be_derived_is_left_alone_where_it_is_printed() -> None:
    derived = asked(derived=True)
    assert made(derived, quarter(2)) == ([], ())
    assert told(result(derived, quarter(4))) == 1150
    rate = Asked(measure="effective tax rate", derived=True)
    assert made(rate, year(2023)) == ([], ())
    assert made(Asked(measure="free cash flow", derived=True), year(2023)) == ([], ())


def test_a_turnover_takes_the_opening_balance_too_unless_the_closing_one_is_wanted() -> None:
    turnover = Asked(measure="inventory turnover")
    averaged = result(turnover, year(2023))
    assert Decimal(averaged.value) == Decimal("9.6")  # 2,400 over the average of 300 and 200
    assert [each.value for each in averaged.operands] == ["2400", "300", "200"]
    closing = result(turnover.model_copy(update={"averaged": False}), year(2023))
    assert Decimal(closing.value) == 8 and len(closing.operands) == 2
    days = result(Asked(measure="days inventory"), year(2023))
    assert round(Decimal(days.value), 2) == Decimal("38.02") and days.formula.endswith("* 365")


def test_without_an_opening_balance_there_is_no_average_and_it_is_named() -> None:
    found, missing = made(Asked(measure="return on assets"), year(2022))
    assert found == [] and missing == ("Orla Devices, Inc.'s Total assets 12 months earlier",)


def test_parts_are_ranked_under_the_names_that_the_table_prints() -> None:
    ranked = calculation(SEGMENTS, year(2023))
    by_name = {each.name: told(each) for each in ranked.results}
    assert by_name == {"Americas": 2200, "Europe": 1100, "Asia Pacific": 700}
    growing = calculation(SEGMENTS.model_copy(update={"across": "growth"}), year(2023))
    best = max(growing.results, key=lambda each: Decimal(each.value))
    assert (best.name, Decimal(best.value)) == ("Asia Pacific", Decimal("0.4"))
    assert [each.label for each in best.operands] == ["Asia Pacific, Net revenue"] * 2


def test_parts_that_the_question_lists_are_taken_as_they_are_listed() -> None:
    listed = SEGMENTS.model_copy(update={"parts": ("Europe", "Americas")})
    assert [each.name for each in calculation(listed, year(2023)).results] == ["Europe", "Americas"]


def test_of_a_ranking_that_lacks_too_many_nothing_is_said() -> None:
    listed = SEGMENTS.model_copy(update={"parts": ("Europe", "Borduria", "Syldavia")})
    found, missing = made(listed, year(2023))
    assert found == [] and any("Borduria" in each for each in missing) and len(missing) == 2


def test_a_figure_of_all_parts_is_not_put_to_one_of_a_part() -> None:
    graph = graph_of(
        line(ANNUAL, "Glimmer lamps", {Y23: "400"}, path=("Net sales by product",), **PARTS),
        line(ANNUAL, "Gross profit", {Y23: "216"}, path=("Products",), **PARTS),
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
    )
    asked = Asked(measure="gross margin", part="Glimmer lamps")
    assert values(made(asked, year(2023), graph=graph)[0]) == []


def test_companies_that_lack_a_figure_are_named_beside_a_ranking_of_the_others() -> None:
    graph = graph_of(
        *[line(each, "Total net revenue", {Y23: "900"}) for each in (ANNUAL, TILBROOK)],
        *[line(each, "Net income", {Y23: "90"}) for each in (ANNUAL, TILBROOK)],
    )
    ranked = MARGIN.model_copy(update={"over": "company", "pick": "highest"})
    companies = ("ORLA", "TILB", "VNTR", "WREN")
    of_all = ranked.model_copy(update={"of_all": True})
    found, missing = made(of_all, year(2023), companies=companies, graph=graph)
    assert "VNTR" in found[0].text and "not computed" in found[0].text and missing == ()
    assert (
        made(ranked, year(2023), companies=companies, graph=graph)[0] == []
    )  # too few of those that were named


def test_several_companies_have_a_result_each_under_their_names() -> None:
    both = calculation(
        MARGIN.model_copy(update={"over": "company", "pick": "lowest"}),
        year(2023),
        companies=("ORLA", "TILB"),
    )
    assert [(each.name, each.value) for each in both.results] == [
        ("Orla Devices, Inc.", "0.16"),
        ("Tilbrook Stores, Inc.", "0.1"),
    ]
    assert {each.company_key for each in both.results[1].operands} == {"TILB"}


def test_periods_have_a_result_each() -> None:
    every = calculation(
        REVENUE.model_copy(update={"over": "period", "pick": "highest"}), *map(quarter, (1, 2, 3, 4))
    )
    assert [told(each) for each in every.results] == [900, 950, 1000, 1150]


def test_a_missing_operand_is_named_with_company_and_period() -> None:
    lacking = "Tilbrook Stores, Inc.'s Total current liabilities of fiscal 2023"
    assert made(CURRENT, year(2023), companies=("TILB",)) == ([], (lacking,))
    both = calculation(CURRENT, year(2023), companies=("ORLA", "TILB"))
    assert both.missing == (lacking,)
    assert [(each.value, each.fault) for each in both.results] == [
        ("1.5", ""),
        ("", f"{lacking} was not found"),
    ]


@pytest.mark.parametrize("across", ["growth", "cagr"])
def test_growth_from_a_loss_is_refused_with_the_figures(across: str) -> None:
    found = result(asked(across, "operating income"), year(2023))
    assert (found.value, found.fault) == ("", NO_BASE)
    assert sorted(each.value for each in found.operands) == ["-100", "900"]


def test_a_compound_rate_to_a_loss_is_refused() -> None:
    found = result(asked("cagr", "net income"), year(2021), year(2022))
    assert found.value == "" and "two positive figures" in found.fault


def test_costs_count_without_a_sign_and_results_with_theirs() -> None:
    bracketed = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Cost of sales", {Y23: "-2400"}),
        line(ANNUAL, "Net income", {Y23: "-640"}),
    )
    gross = result(Asked(measure="gross margin"), year(2023), graph=bracketed)
    assert Decimal(gross.value) == Decimal("0.4")
    assert Decimal(result(MARGIN, year(2023), graph=bracketed).value) == Decimal("-0.16")


def test_two_currencies_are_refused() -> None:
    found = result(Asked(measure="interest coverage"), year(2023), companies=("TILB",))
    assert (found.value, found.fault) == ("", "amounts in EUR and USD can't be put together")
    euros = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(THIRD, "Total net revenue", {Y22: "3000"}, unit="EUR"),
    )
    grown = result(asked("growth"), year(2023), year(2022), graph=euros)
    assert (grown.value, grown.fault) == ("", "amounts in EUR and USD can't be put together")


def test_spans_of_different_lengths_are_refused() -> None:
    share = Asked(formula="a / b", items={"a": "restructuring charges", "b": "net revenue"})
    assert made(share, of_any_length(2023))[0] == []  # they do not end on one day either
    of_one_day = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Restructuring charges", {ended(2023, 12, 9): "30"}),
    )
    found = result(share, of_any_length(2023), graph=of_one_day)
    assert (found.value, found.fault) == ("", "figures of 9 and 12 months can't be put together")
    charges = graph_of(
        line(ANNUAL, "Restructuring charges", {Y22: "40"}),
        line(THIRD, "Restructuring charges", {NINE: "30"}),
    )
    grown = asked("growth", "restructuring charges")
    assert made(grown, of_any_length(2022), of_any_length(2023), graph=charges)[0] == []


def test_spans_of_different_lengths_are_not_averaged() -> None:
    charges = graph_of(
        line(ANNUAL, "Restructuring charges", {Y22: "40"}),
        line(THIRD, "Restructuring charges", {NINE: "30"}),
    )
    averaged = asked("average", "restructuring charges")
    found, _ = made(averaged, of_any_length(2022), of_any_length(2023), graph=charges)
    assert values(found) == []


def test_balances_of_different_days_are_refused() -> None:
    apart = graph_of(
        line(ANNUAL, "Total current assets", {AT23: "1800"}, **BALANCE),
        line(SECOND, "Total current liabilities", {ended(2023, 6, 0): "1200"}, **BALANCE),
    )
    assert values(made(CURRENT, year(2023), graph=apart)[0]) == []


def test_a_year_is_not_put_to_another_years_figure() -> None:
    apart = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Net income", {Y22: "320"}),
    )
    assert values(made(MARGIN, graph=apart)[0]) == []


@pytest.mark.parametrize(
    ("asked", "since_opening", "value"),
    [
        ("Inventories", True, "50"),  # since they stood at 250 when the year began
        ("Inventories", False, "80"),
        ("Total net revenue", True, "150"),
    ],
)
def test_balances_change_since_a_period_began_where_that_is_asked(
    asked: str, since_opening: bool, value: str
) -> None:
    ends = {ended(2023, 6, 0): "300", ended(2022, months=0): "250", ended(2022, 6, 0): "220"}
    graph = graph_of(
        line(SECOND, "Inventories", ends, **BALANCE),
        line(SECOND, "Total net revenue", {ended(2023, 6, 6): "1850", ended(2022, 6, 6): "1700"}),
    )
    change = Asked(formula="a", items=(("a", asked),), across="change", since_opening=since_opening)
    found = result(change, HALF, graph=graph)
    assert found.value == f"{value}000000"


def test_a_balance_whose_beginning_is_not_printed_has_not_changed_since_a_year_before() -> None:
    ends = {ended(2023, 6, 0): "300", ended(2022, 6, 0): "220"}
    graph = graph_of(line(SECOND, "Inventories", ends, **BALANCE))
    change = Asked(formula="a", items=(("a", "Inventories"),), across="change", since_opening=True)
    found, missing = made(change, HALF, graph=graph)
    assert values(found) == [] and missing == ("Orla Devices, Inc.'s Inventories 6 months earlier",)


def test_the_latest_year_is_taken_where_none_is_asked_for() -> None:
    found = result(MARGIN)
    assert (found.end, found.value) == (date(2023, 12, 31), "0.16")


def test_figures_of_the_latest_day_are_put_together_where_no_time_is_asked_for() -> None:
    graph = graph_of(
        line(ANNUAL, "Long-term debt", {AT23: "600", AT22: "500"}, **BALANCE),
        line(ANNUAL, "Short-term debt", {AT23: "100"}, **BALANCE),
        line(ANNUAL, "Notes payable", {AT22: "40"}, **BALANCE),
        line(ANNUAL, "Total stockholders' equity", {AT23: "1400", AT22: "1200"}, **BALANCE),
    )
    found = result(Asked(measure="debt to equity"), graph=graph)
    assert (found.when, found.value) == ("as of December 31, 2023", "0.5")


def test_a_line_with_some_words_of_a_measure_does_not_print_it() -> None:
    graph = graph_of(
        line(ANNUAL, "Long-term debt", {AT23: "600"}, **BALANCE),
        line(ANNUAL, "Equity", {AT23: "1.5"}, unit="", scale=0, **BALANCE),
        line(ANNUAL, "Total stockholders' equity", {AT23: "1200"}, **BALANCE),
    )
    asked = Asked(measure="debt to equity", derived=True)
    assert result(asked, of_any_length(2023), graph=graph).value == "0.5"


def test_a_line_under_a_heading_of_its_own_is_not_the_companys() -> None:
    note: dict[str, Any] = {"path": ("Vantor",), "page": 77, "title": "Summarized information of an investee"}
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Cost of sales", {Y23: "2400"}),
        line(ANNUAL, "Gross profit", {Y23: "-300"}, **note),
    )
    found = result(Asked(measure="gross margin"), year(2023), graph=graph)
    assert (found.value, found.formula) == ("0.4", "(revenue - cost_of_revenue) / revenue")


def test_the_same_printed_figure_is_not_used_for_two_lines() -> None:
    twice = Asked(formula="a - b", items={"a": "net income", "b": "net earnings"})
    found, missing = made(twice, of_any_length(2023))
    assert found == [] and missing == ("Orla Devices, Inc.'s net earnings of fiscal 2023",)


def test_the_same_printed_figure_is_not_used_for_two_lines_of_a_stated_length() -> None:
    twice = Asked(formula="a - b", items={"a": "net income", "b": "net earnings"})
    assert values(made(twice, year(2023))[0]) == []


def test_the_users_filter_binds_every_figure() -> None:
    for within in (
        Scope(("TILB",)),
        Scope(doc_types=("10-Q",)),
        Scope(periods=(PeriodFilter(fiscal_year=2022),)),
    ):
        found, missing = made(CURRENT, year(2023), within=within)
        assert found == [] and missing == ("Orla Devices, Inc.'s Total current assets of fiscal 2023",)
    this_year = Scope(periods=(PeriodFilter(fiscal_year=2023),))
    assert made(MARGIN, year(2023), within=this_year)[0]
    before = ("Orla Devices, Inc.'s Total net revenue 12 months earlier",)
    assert made(asked("growth"), year(2023), within=this_year) == ([], before)
    opening = ("Orla Devices, Inc.'s Inventories 12 months earlier",)
    assert made(Asked(measure="inventory turnover"), year(2023), within=this_year) == ([], opening)
    quarterly = Scope(doc_types=("10-Q",))
    assert made(REVENUE, quarter(4), within=quarterly)[0] == []
    assert told(result(REVENUE, quarter(3), within=quarterly)) == 1000


def test_the_users_filter_binds_the_names_of_parts() -> None:
    _, missing = made(SEGMENTS, year(2023), within=Scope(doc_types=("10-Q",)))
    assert not any("Americas" in each for each in missing)


def test_a_printed_measure_stands_beside_the_computed_one() -> None:
    found = calculation(Asked(measure="effective tax rate"), year(2023))
    assert found.printed is not None
    assert (found.printed.value, found.printed.unit, found.printed.page) == ("21.5", "percent", 55)
    assert Decimal(found.results[0].value) == Decimal("0.2")
    items, _ = made(Asked(measure="effective tax rate"), year(2023))
    assert found.printed.item_id in {item.item_id for item in items}
    assert calculation(MARGIN, year(2023)).printed is None


def test_the_whole_of_a_share_stands_on_its_page() -> None:
    europe = {**PARTS, "path": ("Europe",)}
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Net revenue", {Y23: "1100"}, **europe),
        line(ANNUAL, "Total net revenue", {Y23: "4100"}, page=60),
    )
    items = {"a": "Europe net revenue", "b": "net revenue"}
    share = Asked.model_validate({"formula": "a / b", "items": items, "shown": "percent", "is_share": True})
    found = result(share, year(2023), graph=graph)
    assert operands(found) == [("Europe, Net revenue", "1100", 60), ("Total net revenue", "4100", 60)]


def test_a_whole_that_nobody_names_is_the_total_of_the_parts_table() -> None:
    share = Asked(formula="a / whole", items={"a": "Europe net revenue"}, shown="percent")
    found = result(share, year(2023))
    assert Decimal(found.value) == Decimal("0.275")
    assert operands(found) == [("Europe, Net revenue", "1100", 60), ("Total net revenue", "4000", 60)]


def test_a_part_that_is_more_than_its_whole_is_no_share() -> None:
    items = {"a": "net revenue", "b": "Europe net revenue"}
    ratio = Asked.model_validate({"formula": "a / b", "items": items, "shown": "percent"})
    found = result(ratio.model_copy(update={"is_share": True}), year(2023))
    assert (found.value, found.fault) == ("", "the part found is no less than the whole")
    assert Decimal(result(ratio, year(2023)).value) > 3  # of what is no share nothing is said


def test_a_loss_divides_nothing() -> None:
    found = result(Asked(formula="a / b", items={"a": "net revenue", "b": "operating income"}), year(2022))
    assert found.value == "" and "negative" in found.fault


@pytest.mark.parametrize("formula", ["a +", "a.b", "a ** a", "a if a else a", "(" * 500])
def test_a_formula_that_is_none_gives_no_value_and_raises_nothing(formula: str) -> None:
    found, _ = made(REVENUE.model_copy(update={"formula": formula}), year(2023))
    assert values(found) == []


def test_nothing_is_computed_for_no_formula() -> None:
    assert made(Asked(title="the ratio"), year(2023)) == ([], ())
    assert made(Asked(measure="no such measure"), year(2023)) == ([], ())


def test_at_most_so_many_results_are_made_and_the_rest_is_named() -> None:
    each = REVENUE.model_copy(update={"over": "period"})
    found, missing = made(each, *[quarter(1)] * (MAX_RESULTS + 9), companies=("ORLA", "TILB"))
    assert found[0].calculation is not None
    assert len(found[0].calculation.results) == MAX_RESULTS and missing == ("Tilbrook Stores, Inc.",)


def test_a_value_is_computed_again_from_the_evidence_alone() -> None:
    found, _ = made(Asked(measure="inventory turnover"), year(2023))
    assert found[0].calculation is not None
    (only,) = found[0].calculation.results
    by_id = {item.item_id: item for item in found[1:]}
    assert recomputed(only).value == Decimal("9.6")
    assert all(is_as_printed(each, by_id) for each in only.operands) and len(only.operands) == len(by_id)
    for operand in only.operands:
        item = by_id[operand.item_id]
        assert item.fact is not None
        assert not is_as_printed(operand, {key: each for key, each in by_id.items() if each is not item})
        for changed in ({"value": "7"}, {"unit": "EUR"}, {"scale": 3}, {"period": Y22}):
            other = item.model_copy(update={"fact": item.fact.model_copy(update=changed)})
            assert not is_as_printed(operand, {**by_id, item.item_id: other})
        assert not is_as_printed(operand, {**by_id, item.item_id: item.model_copy(update={"page": 99})})
        others = tuple(each for each in only.operands if each is not operand)
        with pytest.raises(ExpressionError, match="was not found"):
            recomputed(only.model_copy(update={"operands": others}))


def test_a_result_is_as_printed_with_its_sign_and_a_cost_without() -> None:
    bracketed = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "4000"}),
        line(ANNUAL, "Cost of sales", {Y23: "-2400"}),
        line(ANNUAL, "Net income", {Y23: "-640"}),
    )
    for measure, value in (("gross margin", "2400"), ("net margin", "-640")):
        found, _ = made(Asked(measure=measure), year(2023), graph=bracketed)
        assert found[0].calculation is not None
        by_id = {item.item_id: item for item in found[1:]}
        (only,) = found[0].calculation.results
        operand = next(each for each in only.operands if each.value == value)
        turned = operand.model_copy(update={"value": format(-Decimal(value), "f")})
        assert is_as_printed(operand, by_id) and not is_as_printed(turned, by_id)


def test_filters_that_mean_one_year_are_one_period() -> None:
    fiscal, calendar = PeriodFilter(fiscal_year=2021), PeriodFilter(calendar_year=2021)
    dated = PeriodFilter(end=date(2022, 12, 31), months=0)
    assert periods_of((fiscal, calendar, dated), 12) == (When((fiscal, calendar), 12), When((dated,), 0))
    assert periods_of((), 12) == ()


def test_a_company_of_another_filing_is_not_looked_at() -> None:
    found = result(MARGIN, year(2023), companies=("TILB",))
    assert {each.document for each in found.operands} == {TILBROOK.name}


def test_latest_has_no_words_and_a_year_has() -> None:
    assert (LATEST.describe(), year(2023).describe()) == ("", "of fiscal 2023")


def test_what_names_a_part_is_computed_for_it_or_refused() -> None:
    whole = asked(said="What was the net revenue of Orla's Europe?")
    europe = result(whole, year(2023))
    assert (europe.name, told(europe)) == ("Europe", 1100)
    margin = MARGIN.model_copy(update={"said": "What was the net margin of Orla's Europe?"})
    found, missing = made(margin, year(2023))
    assert values(found) == [] and "a figure of Europe" in missing


def test_of_two_companies_each_has_the_part_that_is_its_own() -> None:
    two = asked(
        said="Was the net revenue of Orla's Europe above that of Tilbrook?", over="company", pick="highest"
    )
    found = calculation(two, year(2023), companies=("ORLA", "TILB")).results
    assert [(each.name, told(each)) for each in found] == [("Europe", 1100), ("Tilbrook Stores, Inc.", 900)]


BOTH = Asked(
    formula="a",
    items=(("a", ""),),
    across="growth",
    over="part",
    parts=("net revenue", "research and development"),
    apart=True,
)


def test_growth_of_two_line_items_stands_side_by_side() -> None:
    found = calculation(BOTH, year(2023)).results
    assert [(each.name, round(Decimal(each.value), 2)) for each in found] == [
        ("net revenue", Decimal("0.25")),
        ("research and development", Decimal("0.11")),
    ]


def test_of_two_that_lie_apart_nothing_is_said_where_one_is_not_found() -> None:
    found, missing = made(BOTH.model_copy(update={"parts": ("net revenue", "nothing")}), year(2023))
    assert found == [] and any("nothing" in each for each in missing)


COSTS = asked(item="cost", over="part", parts=("fuel", "crew wages"))
CALLED = (line(ANNUAL, "Fuel", {Y23: "30", Y22: "20"}), line(ANNUAL, "Crew wages", {Y23: "50", Y22: "40"}))


def test_parts_that_are_named_are_lines_called_so_where_nothing_is_called_as_asked() -> None:
    found, missing = made(COSTS, year(2023), graph=graph_of(*CALLED))
    assert (values(found), missing) == (["30000000", "50000000"], ())
    assert [each.fact.metric for each in found if each.fact] == ["Fuel", "Crew wages"]
    grown = COSTS.model_copy(update={"across": "growth"})
    assert values(made(grown, year(2023), graph=graph_of(*CALLED))[0]) == ["0.5", "0.25"]


def test_parts_that_are_named_are_of_the_lines_that_are_called_as_asked() -> None:
    printed = [line(ANNUAL, f"{name} cost", {Y23: "7"}) for name in ("Fuel", "Crew wages")]
    found, _ = made(COSTS, year(2023), graph=graph_of(*CALLED, *printed))
    assert values(found) == ["7000000", "7000000"]


def test_parts_that_are_named_are_no_lines_called_so_where_one_has_none() -> None:
    of_both = COSTS.model_copy(update={"parts": ("fuel", "tolls")})
    found, missing = made(of_both, year(2023), graph=graph_of(*CALLED))
    assert found == [] and missing == tuple(
        f"Orla Devices, Inc.'s {name} cost of fiscal 2023" for name in of_both.parts
    )


def test_a_printed_measure_of_a_part_stands_beside_the_computed_one() -> None:
    rows = (
        line(ANNUAL, "Net revenue", {Y23: "200"}, path=("Europe",), **PARTS),
        line(ANNUAL, "Operating income", {Y23: "31"}, path=("Europe",), **PARTS),
        line(ANNUAL, "Operating margin", {Y23: "15.4"}, path=("Europe",), unit="percent", scale=0, **PARTS),
        line(ANNUAL, "Operating margin", {Y23: "22"}, unit="percent", scale=0, statement="other"),
    )
    asked = Asked(measure="operating margin", part="Europe")
    found = calculation(asked, year(2023), graph=graph_of(*rows))
    assert found.printed is not None and found.printed.value == "15.4"
    assert found.results[0].value == "0.155"


def test_a_part_that_both_companies_have_is_neither_ones_alone() -> None:
    theirs = [
        line(source, "Net revenue", {Y23: value}, path=path, **PARTS)
        for source in (ANNUAL, TILBROOK)
        for path, value in (((), "9"), (("Europe",), "4"))
    ]
    two = asked(said="Which had the higher net revenue, Europe aside?", over="company", pick="highest")
    found = calculation(two, year(2023), companies=("ORLA", "TILB"), graph=graph_of(*theirs)).results
    assert [told(each) for each in found] == [9, 9]


def test_of_everybody_no_ones_part_is_computed() -> None:
    every = asked(said="Which company had the highest net revenue in Europe?", over="company", pick="highest")
    ranked = every.model_copy(update={"of_all": True})
    found = calculation(ranked, year(2023), companies=("ORLA", "TILB")).results
    assert [told(each) for each in found] == [4000, 900]


def test_a_part_with_next_to_no_base_is_not_compared_but_where_it_is_named() -> None:
    place = {**PARTS, "path": ("Group functions",)}
    rows = [
        *line(ANNUAL, "Net revenue", {Y23: "3"}, **place),
        *line(ANNUAL, "Operating income", {Y23: "-600"}, **place),
    ]
    for name, sales, profit in (("Americas", "2200", "220"), ("Europe", "1100", "330")):
        rows += line(ANNUAL, "Net revenue", {Y23: sales}, **{**PARTS, "path": (name,)})
        rows += line(ANNUAL, "Operating income", {Y23: profit}, **{**PARTS, "path": (name,)})
    margins = Asked(measure="operating margin", over="part", pick="lowest", set_words="segments")
    found = {each.name: each for each in calculation(margins, year(2023), graph=graph_of(rows)).results}
    assert found["Group functions"].value == "" and "too small" in found["Group functions"].fault
    assert found["Americas"].value == "0.1"
    names = ("Americas", "Europe", "Group functions")
    named = margins.model_copy(update={"parts": names})
    every = calculation(named, year(2023), graph=graph_of(rows)).results
    assert [each.name for each in every if each.value] == list(names)


def test_parts_are_compared_by_how_their_margins_changed() -> None:
    rows = []
    for name, profits in (("Americas", ("220", "200")), ("Europe", ("330", "440"))):
        place = {**PARTS, "path": (name,)}
        rows += line(ANNUAL, "Net revenue", {Y23: "1100", Y22: "1000"}, **place)
        rows += line(ANNUAL, "Operating income", dict(zip((Y23, Y22), profits, strict=True)), **place)
    moved = Asked(
        measure="operating margin", across="change", over="part", pick="lowest", set_words="segments"
    )
    found = calculation(moved, year(2022), year(2023), graph=graph_of(rows)).results
    assert {each.name: round(told(each), 2) for each in found} == {"Americas": 0, "Europe": Decimal("-0.14")}


def test_one_amount_in_two_places_is_no_ratio() -> None:
    again = line(ANNUAL, "Freight costs", {Y23: "31"}, statement="other", page=61)
    cost = line(ANNUAL, "Carriage of goods", {Y23: "31"}, statement="other", page=62)
    ratio = Asked(formula="a / b", items={"a": "freight costs", "b": "carriage of goods"})
    found, _ = made(ratio, year(2023), graph=graph_of(again, cost))
    assert values(found) == [] and "one figure" in found[0].text


def test_a_figure_is_so_many_times_what_it_was() -> None:
    found = calculation(asked("times"), year(2023), year(2021))
    assert (found.results[0].value, found.shown) == ("1.6", "times")


def test_growth_is_of_one_line_though_another_goes_by_its_name() -> None:
    home = line(ANNUAL, "Health", {Y23: "110", Y22: "100"}, **{**PARTS, "path": ("Home",)})
    abroad = line(ANNUAL, "Health", {Y22: "900"}, **{**PARTS, "title": "Net revenue abroad"})
    found = result(asked("growth", "health"), year(2023), year(2022), graph=graph_of(abroad, home))
    assert found.value == "0.1" and {each.label for each in found.operands} == {"Home, Health"}


def test_growth_is_of_one_table_though_its_headings_were_read_by_halves() -> None:
    club = {**PARTS, "title": "Club sales by category"}
    rows = [
        *line(ANNUAL, "Health", {Y23: "33"}, **club),
        *line(ANNUAL, "Health", {Y22: "30"}, **{**club, "path": ("Year ended December 31, 2023",)}),
        *line(ANNUAL, "Health", {Y22: "350"}, **{**PARTS, "page": 61, "title": "Home sales by category"}),
    ]
    found = result(asked("growth", "health"), year(2023), year(2022), graph=graph_of(rows))
    assert found.value == "0.1"
    mean = result(asked("average", "health"), year(2022), year(2023), graph=graph_of(rows))
    assert told(mean) == Decimal("31.5")


@pytest.mark.parametrize(
    ("part", "printed", "shared"),
    [("canada", "canadian operation", True), ("europe", "european", True), ("peru", "perugia", False),
     ("asia", "europe asia", True), ("canada", "cable", False)],
)  # fmt: skip
def test_what_is_of_a_place_is_of_a_part_called_by_it(part: str, printed: str, shared: bool) -> None:
    assert _shares_a_word(frozenset({part}), frozenset(printed.split())) == shared


def test_what_is_of_a_day_is_not_added_to_what_is_of_a_year() -> None:
    spent = line(ANNUAL, "Moulds", {Y23: "30"}, statement="other")
    held = line(ANNUAL, "Moulds", {AT22: "20"}, statement="other", page=61)
    years = of_any_length(2022), of_any_length(2023)
    assert values(made(asked("average", "moulds"), *years, graph=graph_of(spent, held))[0]) == []


def test_a_part_that_one_name_of_a_line_item_says_is_not_covered_by_another() -> None:
    either = asked(item="net revenue|Europe", said="What was it in Europe: net revenue in 2023?")
    assert told(result(either, year(2023))) == 1100


def test_what_was_bought_back_counts_like_what_was_paid() -> None:
    flows: dict[str, Any] = {"statement": "cash_flow", "page": 44}
    graph = graph_of(
        line(ANNUAL, "Common stock repurchased", {Y23: "-30"}, **flows),
        line(ANNUAL, "Dividends paid", {Y23: "-20"}, **flows),
    )
    asked = Asked(formula="a", items=(("a", "common stock repurchased plus dividends paid"),))
    assert result(asked, year(2023), graph=graph).value == "50000000"


def test_a_balance_is_averaged_with_the_one_at_the_start() -> None:
    both = Asked.model_validate({"formula": "average(a)", "items": {"a": "inventories"}})
    assert told(result(both, year(2023))) == 250
    turned = Asked.model_validate(
        {"formula": "a / average(b)", "items": {"a": "cost of sales", "b": "inventories"}}
    )
    assert result(turned, year(2023)).value == "9.6"
    flow = Asked.model_validate({"formula": "average(a)", "items": {"a": "net revenue"}})
    assert not values(made(flow, year(2023))[0])


def test_a_share_of_losses_is_told_by_their_sizes() -> None:
    losses = graph_of(
        line(ANNUAL, "Losses abroad", {Y23: "-300"}, statement="other", page=70),
        line(ANNUAL, "Impairments of brands", {Y23: "-400"}, statement="other", page=70),
    )
    lost = Asked.model_validate(
        {"formula": "a / b", "items": {"a": "losses abroad", "b": "impairments of brands"}}
    )
    found = result(lost, year(2023), graph=losses)
    assert (found.value, found.formula) == ("0.75", "abs(a) / abs(b)")
    assert recomputed(found).value == Decimal("0.75")


def test_growth_of_a_balance_is_held_against_that_of_a_span() -> None:
    both = Asked.model_validate(
        {
            "formula": "a",
            "items": {"a": ""},
            "across": "growth",
            "over": "part",
            "parts": ["inventories", "net revenue"],
            "apart": True,
            "yes_no": True,
        }
    )
    assert values(made(both, year(2023), year(2022))[0]) == ["0.5", "0.25"]


def test_a_figure_that_is_to_leave_something_out_is_not_told_with_it() -> None:
    plain = asked(
        "change", "net income", said="Net income excluding the gain on sale: how did it change in 2023?"
    )
    found, missing = made(plain, year(2023))
    assert not values(found) and missing == ("a figure without the gain on sale",)
    covered = asked("change", "net income", said="How did net income, excluding net income, change?")
    assert told(result(covered, year(2023))) == 790


def test_each_of_several_companies_has_the_parts_that_its_tables_name() -> None:
    stores = graph_of(
        line(ANNUAL, "Net revenue", {Y23: "30"}, path=("Lamps",), **PARTS),
        line(TILBROOK, "Net revenue", {Y23: "70"}, path=("Gardens",), **PARTS),
    )
    which = asked(over="part", parts=["Lamps segment", "Gardens segment"], apart=True, yes_no=True)
    found, _ = made(which, year(2023), companies=("ORLA", "TILB"), graph=stores)
    assert values(found) == ["30000000", "70000000"]


def test_a_measure_is_of_the_part_before_its_line_item() -> None:
    services = graph_of(
        line(ANNUAL, "Net revenue", {Y23: "100"}),
        line(ANNUAL, "Operating income", {Y23: "10"}),
        line(ANNUAL, "Net revenue", {Y23: "50"}, path=("Services",), **PARTS),
        line(ANNUAL, "Operating income", {Y23: "20"}, path=("Services",), **PARTS),
    )
    margin = Asked(measure="operating margin", said="Orla's services operating margin in 2023?")
    assert result(margin, year(2023), graph=services).value == "0.4"
    assert (
        result(
            margin.model_copy(update={"said": "Orla's operating margin?"}), year(2023), graph=services
        ).value
        == "0.1"
    )


def test_a_share_of_what_is_no_part_may_be_more_than_all_of_it() -> None:
    paid = graph_of(
        line(ANNUAL, "Dividends paid", {Y23: "300"}, statement="cash_flow", page=44),
        line(ANNUAL, "Net income", {Y23: "200"}),
        line(ANNUAL, "Pension plan assets", {Y23: "90"}, statement="other", page=70),
        line(ANNUAL, "Benefit obligation", {Y23: "100"}, statement="other", page=70),
    )

    def share(a: str, b: str) -> Computed:
        of_two = {"formula": "a / b", "items": {"a": a, "b": b}, "is_share": True}
        return result(Asked.model_validate(of_two), year(2023), graph=paid)

    assert share("dividends", "net income").value == "1.5"
    assert (
        share("pension plan assets benefit obligation|pension plan assets", "benefit obligation").value
        == "0.9"
    )


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("Warranty reserve at December 31, 2022", "Warranty reserve at December 31, 2023"),
        ("Warranty reserve, beginning of year", "Warranty reserve, end of year"),
        ("Opening warranty reserve balance", "Closing warranty reserve balance"),
    ],
)
def test_opening_and_closing_rows_are_one_line_at_two_times(before: str, now: str) -> None:
    graph = graph_of(
        line(ANNUAL, before, {AT22: "60"}, statement="other"),
        line(ANNUAL, now, {AT23: "85"}, statement="other"),
    )
    item = "warranty reserve balance" if "balance" in now else "warranty reserve"
    assert told(result(asked("change", item), year(2023), graph=graph)) == 25


def test_rows_that_say_another_thing_of_one_time_are_two_lines() -> None:
    graph = graph_of(
        line(ANNUAL, "Plan assets at end of year", {Y23: "130", Y22: "100"}, statement="other"),
        line(ANNUAL, "Plan assets at beginning of year", {Y23: "100", Y22: "90"}, statement="other"),
        line(ANNUAL, "Store closing costs", {Y23: "7", Y22: "9"}, statement="other"),
        line(ANNUAL, "Store opening costs", {Y23: "50", Y22: "40"}, statement="other"),
    )
    plan = asked("change", "plan assets at end of year")
    assert told(result(plan, year(2023), graph=graph)) == 30
    assert told(result(asked("change", "store closing costs"), year(2023), graph=graph)) == -2
