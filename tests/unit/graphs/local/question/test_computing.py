"""What a question asks to be computed: thresholds, lists and quarters in its words, companies and periods as read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.contracts import Lookup, Part, PlannedCalculation, Reading, Route, RouteKind
from graphs.local.question.asked_formulas import formula_of
from graphs.local.question.computed_periods import whens_of
from graphs.local.question.computing import _asked, _is_asked, _unranked, calculation_asked
from graphs.local.question.limits import days_said
from graphs.local.question.named_spans import listed_names, with_names
from graphs.local.question.planner import LocalPlanner
from graphs.local.question.reading import read_question
from tests.accounts import CATALOG
from tools.calculate.questions import AskedSum, SumReader
from tools.calculate.types import Asked, When
from tools.model_files import ModelFileError
from tools.periods import PeriodFilter
from tools.scope import Scope

ANY = Scope()
SUMS = SumReader()


def read(question: str) -> Reading:
    return read_question(question, CATALOG, ANY)


def planned(question: str) -> PlannedCalculation | None:
    reading = read(question)
    names = reading.company_names if len(reading.companies) == 1 else ()
    return calculation_asked(reading, CATALOG, ANY, SUMS.read(question, names))


def whens(question: str, asked: Asked) -> tuple[When, ...]:
    return whens_of(read(question), CATALOG, ANY, "ORLA", asked)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("Japan, Taiwan, China and Korea", ("Japan", "Taiwan", "China", "Korea")),
        ("Japan, Taiwan, China, and Korea", ("Japan", "Taiwan", "China", "Korea")),
        ("which of Japan or Taiwan", ("Japan", "Taiwan")),
        ("which of the Japan and China", ("Japan", "China")),
        ("Japan; Taiwan", ("Japan", "Taiwan")),
        ("Japan & Korea", ("Japan", "Korea")),
        ("regions; Japan, Taiwan or Korea", ("Japan", "Taiwan", "Korea")),
        ("regions (Japan and Korea, Taiwan, China", ("Japan and Korea", "Taiwan", "China")),
        ("Japan", ()),
        ("its segments", ()),
        ("regions and products", ()),
        ("Japan and Borduria", ()),  # a name that the question does not have was made up
        ("", ()),
    ],
)
def test_a_set_that_lists_its_names_is_taken_apart(words: str, names: tuple[str, ...]) -> None:
    reading = Reading(
        question="Which of the Japan, Taiwan, China and Korea regions and products; Japan; Taiwan; Japan & Korea; "
        "Japan and Korea?"
    )
    assert listed_names(words, reading) == names


def test_a_segment_of_the_company_is_not_asked_of_everybody() -> None:
    seen = AskedSum("measure", "highest", ("net margin",), 0.95)
    asked = read("Which segment of the company had the highest net margin in 2023?")
    assert calculation_asked(asked, CATALOG, ANY, seen) is None


def test_the_set_is_what_which_says_where_no_words_of_one_were_told() -> None:
    seen = AskedSum("none", "highest", (), 0.95, a="net revenue")
    found = calculation_asked(read("Which named country had Orla's highest net revenue?"), CATALOG, ANY, seen)
    assert found is not None and found.asked.set_words.startswith("Which named country had")


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        ("What was Orla's average quarterly net revenue over the nine months ended June 30, 2023?", "a / 3"),
        ("Average net revenue of Orla per quarter in fiscal 2023?", "a / 4"),
        ("What was Orla's net revenue a month, on average, in the nine months ended June 30, 2023?", "a / 9"),
        ("What was Orla's average net revenue over the nine months ended June 30, 2023?", ""),
        ("What was Orla's average quarterly net revenue in the quarter ended June 30, 2023?", ""),
    ],
)
def test_a_mean_over_one_period_is_by_the_quarter_or_can_t_be_told(question: str, formula: str) -> None:
    read_as = AskedSum("average", "value", (), 0.95, "net revenue")
    found = calculation_asked(read(question), CATALOG, ANY, read_as)
    assert found is not None and not found.asked.derived
    assert found.asked.formula == formula


def test_figures_surely_added_are_added_over_several_years() -> None:
    reading = read("What did Orla pay in dividends and buybacks in total over fiscal 2022 and 2023?")
    lookups = tuple(Lookup(name=each, question=each) for each in ("dividends", "buybacks"))
    parts = tuple(Part(company="ORLA", name="Orla", lookups=lookups) for _ in range(2))
    crossed = reading.model_copy(update={"parts": parts})
    sure = AskedSum("sum", "value", (), 0.95, "dividends", more=("buybacks",))
    found = calculation_asked(crossed, CATALOG, ANY, sure)
    assert found is not None and (found.asked.formula, found.asked.across) == ("a + a2", "sum")
    assert not _is_asked(replace(sure, chance=0.6), crossed)


@pytest.mark.parametrize(
    "question",
    [
        "What were Orla's gross profit and operating expenses in 2021 and in 2022?",
        "Orla: trade receivables, trade payables, March 31 2022 and 2021",
        "How much did Orla spend on advertising and how much on leases in each of 2020 and 2021?",
    ],
)
def test_figures_that_are_listed_are_not_read_as_a_sum(question: str) -> None:
    assert SUMS.read(question, ("Orla",)).operation == "none"


@pytest.mark.parametrize(
    ("span", "whole"),
    [("regulated operating", "regulated operating revenue"), ("operating", "operating revenue"), ("staff", "staff")],
)  # fmt: skip
def test_a_span_that_ends_within_a_line_item_goes_on_to_its_end(span: str, whole: str) -> None:
    question = "What regulated operating revenue did Orla earn for each of its staff?"
    reading = Reading(question=question, metrics=("operating revenue",))
    named = with_names(AskedSum("ratio", "value", (), 0.95, span), reading)
    assert named.a == whole


@pytest.mark.parametrize(
    ("question", "quarters"),
    [
        ("Of the quarters of the year ended December 31, 2023, which was best for Orla?", [1, 2, 3, 4]),
        ("Which quarter of the nine months ended September 30, 2023 was best for Orla?", [1, 2, 3]),
    ],
)
def test_a_span_ranked_by_quarters_is_those_that_lie_in_it(question: str, quarters: list[int]) -> None:
    found = whens(question, Asked(over="period", set_words="the quarters"))
    assert [when.periods[0] for when in found] == [
        PeriodFilter(fiscal_year=2023, fiscal_quarter=n) for n in quarters
    ]
    assert {when.months for when in found} == {3}


@pytest.mark.parametrize(
    "question",
    [
        "In which quarter of fiscal 2023 was Orla's net revenue highest?",
        "Which quarter of 2023 had the highest net revenue at Orla?",
        "How did Orla's net revenue rank in fiscal 2023 by quarters?",
    ],
)
def test_which_quarter_of_a_year_is_of_its_four_too(question: str) -> None:
    found = whens(question, Asked(over="period", set_words="which quarter"))
    assert [when.periods[0].fiscal_quarter for when in found] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("year", "of_calendar"),
    [
        ("fiscal 2023", False),
        ("FY23", False),
        ("2023", True),
        ("calendar 2023", True),
    ],
)
def test_quarters_of_a_fiscal_year_are_no_calendar_quarters_too(year: str, of_calendar: bool) -> None:
    found = whens(
        f"In which quarter of {year} was Orla's net revenue highest?",
        Asked(over="period", set_words="which quarter"),
    )
    calendar = [PeriodFilter(calendar_year=2023, calendar_quarter=n) for n in range(1, 5) if of_calendar]
    assert [each for when in found for each in when.periods if not each.fiscal_year] == calendar


def test_a_sum_from_one_year_to_another_has_the_years_between() -> None:
    found = whens("What was Orla's net revenue from 2021 to 2023?", Asked(across="sum"))
    assert [when.periods[0].fiscal_year for when in found] == [2021, 2022, 2023]
    assert {when.months for when in found} == {12}


def test_a_growth_from_one_year_to_another_has_these_two() -> None:
    found = whens("How did Orla's net revenue grow from 2021 to 2023?", Asked(across="growth"))
    assert sorted(when.periods[0].fiscal_year or 0 for when in found) == [2021, 2023]


@pytest.mark.parametrize(
    "question",
    [
        "What was the current ratio in 2023?",
        "By how much did net revenue grow in 2023?",
        "What was Norvane's current ratio in 2023?",
        "Compare Orla's and Norvane's current ratio in 2023.",
        "What is the capital of France?",
        "Which documents do you have of Orla?",
        "",
    ],
)
def test_what_has_no_company_of_the_index_is_not_computed(question: str) -> None:
    assert planned(question) is None


@pytest.mark.parametrize(
    "question", ["Why did Orla's revenue rise?", "Who is Orla's chief executive?", "Summarise Orla's risks."]
)
def test_what_asks_for_words_is_not_computed(question: str) -> None:
    assert planned(question) is None


def test_damaged_weights_are_told_of_what_sounds_spoken_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise ModelFileError("questions.npz is damaged")

    sums = SumReader()
    monkeypatch.setattr(sums, "read", damaged)
    spoken = read("What was Orla's current ratio in fiscal 2023?").model_copy(update={"spoken": True})
    assert "questions.npz is damaged" in LocalPlanner(sums).plan(spoken, CATALOG, ANY).route.reason


def test_what_is_put_to_people_on_a_call_is_not_computed() -> None:
    spoken = read("What was Orla's current ratio in fiscal 2023?").model_copy(update={"spoken": True})
    assert LocalPlanner(SUMS).plan(spoken, CATALOG, ANY).calculations == ()


@pytest.mark.parametrize(
    ("question", "measure", "averaged", "months"),
    [
        ("What was Orla's current ratio at the end of fiscal 2023?", "current ratio", False, 0),
        ("What was Orla's operating margin in fiscal 2023?", "operating margin", None, 12),
        ("What was Orla's inventory turnover in fiscal 2023 on average inventory?", "inventory turnover", True, 12),
    ],
)  # fmt: skip
def test_a_measure_that_a_question_calls_by_its_name_is_computed(
    question: str, measure: str, averaged: bool | None, months: int
) -> None:
    found = planned(question)
    assert found is not None and found.companies == ("ORLA",)
    assert (found.asked.measure, found.asked.averaged) == (measure, averaged)
    assert found.periods == (("ORLA", (When((PeriodFilter(fiscal_year=2023),), months),)),)


def test_a_threshold_is_asked_about_with_the_measure() -> None:
    found = planned("Is Orla's net margin in fiscal 2023 above 15 percent?")
    assert found is not None
    asked = found.asked
    assert (asked.measure, asked.yes_no, asked.threshold, asked.above) == ("net margin", True, "15", True)


def test_an_adjusted_measure_is_as_its_company_defines_it() -> None:
    found = planned("What was Orla's adjusted EBITDA in 2023?")
    assert found is None or (found.asked.measure == "" and found.asked.derived)


def test_without_a_reader_of_sums_nothing_is_computed() -> None:
    question = read("What was Orla's current ratio in fiscal 2023?")
    assert LocalPlanner().plan(question, CATALOG, ANY).calculations == ()
    (found,) = LocalPlanner(SUMS).plan(question, CATALOG, ANY).calculations
    assert found.asked.measure == "current ratio"


def test_weights_that_are_damaged_are_told_in_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(*_: object) -> None:
        raise ModelFileError("questions.npz is damaged")

    sums = SumReader()
    monkeypatch.setattr(sums, "read", damaged)
    plan = LocalPlanner(sums).plan(read("What was Orla's current ratio in fiscal 2023?"), CATALOG, ANY)
    assert plan.calculations == () and "questions.npz is damaged" in plan.route.reason


def test_a_line_item_is_ranked_however_unsure_the_operation_is() -> None:
    plain, named = (
        Reading(question="Which quarter was best for Orla?", metrics=each) for each in ((), ("net revenue",))
    )
    unsure = AskedSum("none", "highest", (), 0.2, "net revenue")
    assert (
        _is_asked(unsure, named) and _asked(unsure, named) is None
    )  # refused; what stands near is no answer
    assert not _is_asked(unsure, plain)
    assert not _is_asked(AskedSum("growth", "value", (), 0.2), named)
    assert not _is_asked(AskedSum("none", "value", (), 0.9), named)


def test_the_parts_of_a_breakdown_are_not_added() -> None:
    read = AskedSum("sum", "value", (), 0.9, "Cloud", more=("Retail",))
    listed = Reading(question="What was Orla's Cloud revenue; Retail revenue in 2023?", metrics=("revenue",))
    assert _is_asked(read, listed)
    assert not _is_asked(read, listed.model_copy(update={"spelled_out": True}))


def test_a_judgement_without_figures_is_not_computed() -> None:
    read = AskedSum("none", "yesno", (), 0.9)
    assert not _is_asked(read, Reading(question="Did Orla do well in 2023?"))
    assert _is_asked(
        read, Reading(question="Was Orla's net revenue above 5 million?", metrics=("net revenue",))
    )


@pytest.mark.parametrize(("kind", "derived"), [("extractive", 1), ("uncertain", 1), ("abstractive", 0)])
def test_what_is_to_be_computed_is_by_any_route_and_what_may_be_printed_where_figures_are_asked_for(
    kind: RouteKind, derived: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    route = Route(kind=kind, tools=("kg_search",), reason="", confidence=1.0)
    monkeypatch.setattr("graphs.local.question.planner.LocalRouter.route", lambda *_: route)
    planner = LocalPlanner(SUMS)
    for question, computed in (
        ("By how many percent did Orla's net revenue grow in fiscal 2023?", 1),
        ("What was Orla's net revenue in the third quarter of fiscal 2023?", derived),
    ):
        plan = planner.plan(read(question), CATALOG, ANY)
        assert len(plan.calculations) == computed
        assert all(each.asked.derived for each in plan.calculations) == (question[0] == "W")


def test_a_measure_that_the_catalogue_lacks_is_a_line_item_to_rank() -> None:
    likely = AskedSum("measure", "highest", ("earnings per share",), 0.6)
    reading = read("Which quarter had the higher diluted earnings per share?")
    named = with_names(likely, reading)
    assert (named.operation, named.a) == ("none", "diluted earnings per share")
    kept = AskedSum("measure", "value", ("current ratio",), 0.6)
    assert with_names(kept, read("What was the current ratio?")).operation == "measure"


@pytest.mark.parametrize(
    ("question", "a", "across"),
    [
        ("By how many percent did net sales change in 2023?", "net sales", "growth"),
        ("What % did net sales change by in 2023?", "net sales", "growth"),
        ("By how many percentage points did net sales change in 2023?", "net sales", "change"),
        ("By how much did net sales change in 2023?", "net sales", "change"),
        ("By how many percent did the gross margin change in 2023?", "gross margin", "change"),
    ],
)
def test_a_change_in_percent_is_growth_but_of_what_is_itself_a_rate(
    question: str, a: str, across: str
) -> None:
    asked = formula_of(AskedSum("change", "value", (), 0.9, a), read(question))
    assert asked is not None and asked.across == across


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("Which company had the highest net margin in 2023?", ("ORLA", "TILB")),
        ("Who had the highest net margin in 2023?", ("ORLA", "TILB")),
        ("Which companies had a net margin above 12% in 2023?", ("ORLA", "TILB")),
    ],
)
def test_a_ranking_without_names_is_of_all_that_filed_for_its_period(
    question: str, companies: tuple[str, ...]
) -> None:
    found = planned(question)
    assert found is not None and found.asked.over == "company" and found.asked.of_all
    assert found.companies == companies and {key for key, _ in found.periods} == set(companies)


def test_a_ranking_of_parts_or_of_a_kind_of_companies_is_not_of_all_companies() -> None:
    assert planned("Which segment had the highest net margin in 2023?") is None
    assert planned("Which bank had the highest net margin in 2023?") is None
    assert planned("Which company had the highest net margin in Q3 2023?") is None  # one alone filed for it


def test_a_measure_that_is_called_by_nothing_of_it_is_none_unless_it_surely_is_that_one() -> None:
    given, seen = (
        read("What are Orla's capital ratios?"),
        AskedSum("measure", "value", ("capex to revenue",), 0.95),
    )
    assert with_names(replace(seen, of_measure=0.95), given).operation == "measure"
    assert with_names(replace(seen, of_measure=0.47), given).operation == "none"


def test_a_measure_is_none_where_another_one_is_named() -> None:
    seen = AskedSum("measure", "value", ("net margin",), 0.95, of_measure=0.95)
    assert with_names(seen, read("What is the net interest margin of Orla?")).operation == "none"
    assert with_names(seen, read("What is the net margin of Orla?")).operation == "measure"


def test_figures_that_are_crossed_with_periods_are_not_added() -> None:
    lookups = (Lookup(name="revenue", question="revenue"), Lookup(name="net income", question="net income"))
    parts = tuple(Part(company="ORLA", name="Orla", lookups=lookups) for _ in range(2))
    read_as = AskedSum("sum", "value", (), 0.85, a="revenue", more=("net income",))
    reading = Reading(question="Orla's revenue and net income in Q1 and Q2", companies=("ORLA",), parts=parts)
    assert not _is_asked(read_as, reading)
    assert _is_asked(read_as, reading.model_copy(update={"parts": parts[:1]}))


def test_a_figure_of_the_most_recent_quarter_is_no_highest_one() -> None:
    seen = AskedSum("none", "highest", (), 0.9, a="net revenue")
    question = "What was Orla's net revenue in the most recent quarter?"
    assert _unranked(seen, read(question)).use == "value"
    assert _unranked(replace(seen, set_words="regions"), read(question)).use == "highest"
    assert _unranked(replace(seen, set_words="most recent quarter"), read(question)).use == "value"
    assert _unranked(seen, read("Which quarter had Orla's highest net revenue?")).use == "highest"
    found = planned(question)
    assert found is None or not (found.asked.pick or found.asked.over)


def test_a_customers_share_in_the_sales_of_another_is_of_those() -> None:
    question = "What part of Tilbrook's total net revenue in 2023 depended on Orla?"
    seen = AskedSum("share", "value", (), 0.95, a="Orla", b="total net revenue", share=0.95)
    found = calculation_asked(read(question), CATALOG, ANY, seen)
    assert found is not None and found.companies == ("TILB",) and not found.asked.over
    compared = calculation_asked(read(question), CATALOG, ANY, replace(seen, a="online orders"))
    assert compared is not None and set(compared.companies) == {"ORLA", "TILB"}


def test_a_year_that_nothing_is_compared_with_is_not_asked_for() -> None:
    question = "What share of Orla's net revenue did the Growth unit bring in fiscal 2023?"
    assert read(question).compared_periods
    assert [when.periods[0].fiscal_year for when in whens(question, Asked(is_share=True))] == [2023]
    assert len(whens(question, Asked(across="growth"))) == 2


def test_what_brackets_set_aside_is_not_said() -> None:
    seen = AskedSum("growth", "value", (), 0.95, a="net revenue")
    question = "How much did Orla's net revenue (not counting Europe) grow in 2023?"
    found = _asked(seen, read(question))
    assert found is not None and "Europe" not in found.said and "net revenue" in found.said


def test_segments_are_ranked_though_their_quarter_is_in_the_sets_words() -> None:
    seen = AskedSum("none", "highest", (), 0.95, a="net revenue", set_words="segment of the quarter")
    found = _asked(
        seen, read("Which segment of the quarter to June 30, 2023 had Orla's highest net revenue?")
    )
    assert found is not None and found.over == "part"


@pytest.mark.parametrize(
    ("question", "since_opening"),
    [
        ("By how much did Orla's inventories grow in the first nine months of 2023?", True),
        (
            "By how much had Orla's inventories grown in the first nine months of 2023 from a year earlier?",
            False,
        ),
        ("By how much did Orla's inventories grow in 2023?", False),
    ],
)
def test_balances_change_since_nine_months_began_unless_a_year_before_is_named(
    question: str, since_opening: bool
) -> None:
    growth = AskedSum("growth", "value", (), 0.95, a="inventories")
    found = calculation_asked(read(question), CATALOG, ANY, growth)
    assert found is not None and found.asked.since_opening is since_opening


def test_what_nine_months_could_be_compared_with_is_not_asked_for() -> None:
    reading = read("By how much did Orla's net revenue grow in fiscal 2023?").model_copy(update={"months": 9})
    assert reading.compared_periods
    found = whens_of(reading, CATALOG, ANY, "ORLA", Asked(across="growth"))
    assert [when.periods[0].fiscal_year for when in found] == [2023]


def computed_as(question: str, seen: AskedSum) -> Asked:
    found = calculation_asked(read(question), CATALOG, ANY, seen)
    assert found is not None
    return found.asked


def test_two_figures_within_one_name_are_a_ratio() -> None:
    seen = AskedSum("ratio", "value", (), 0.99, "freight", b="net revenue")
    found = computed_as("Freight as a % of net revenue at Orla in fiscal 2023", seen)
    assert dict(found.items) == {"a": "freight", "b": "net revenue"} and not found.derived


@pytest.mark.parametrize(
    ("question", "threshold"),
    [
        ("Did freight top 15% of Orla's net revenue in 2023?", "15"),
        ("Did freight eat a fifth or more of Orla's net revenue in 2023?", "20.0000"),
        ("Did freight make up half of Orla's net revenue in 2023?", "50.0000"),
    ],
)
def test_the_only_part_that_is_spoken_of_is_the_limit(question: str, threshold: str) -> None:
    seen = AskedSum("share", "yesno", (), 0.99, "freight", b="net revenue")
    found = computed_as(question, seen)
    assert (found.threshold, found.above, found.formula) == (threshold, True, "a / b")
    assert not computed_as(question, replace(seen, less=True)).above


def test_whether_a_difference_is_there_is_whether_it_is_above_zero() -> None:
    seen = AskedSum("measure", "yesno", ("free cash flow",), 0.9)
    found = computed_as("Could Orla fund its 2023 capex out of operating cash flow?", seen)
    assert (found.measure, found.threshold, found.above) == ("free cash flow", "0", True)
    paid = computed_as("Did Orla's free cash flow cover its dividends in 2023?", seen)
    assert not paid.threshold  # of which nothing is said


def test_an_average_of_balances_is_the_measure_s_own_and_one_of_years_is_none() -> None:
    seen = AskedSum("average", "value", ("days inventory",), 0.93, "inventory outstanding")
    found = computed_as("Orla days inventory outstanding for 2023, on average inventory", seen)
    assert (found.measure, found.averaged, found.across) == ("days inventory", True, "")
    years = "Orla's days inventory outstanding on average over the last three years?"
    assert computed_as(years, seen).across == "average"


def test_a_change_of_a_figure_less_another_is_no_line_of_the_cash_flow_statement() -> None:
    seen = AskedSum("change", "value", (), 0.99, "cash from operations", minus=("capital expenditures",))
    question = (
        "How did Orla's cash from operations less capital expenditures (cash flow statement) move in 2023?"
    )
    found = computed_as(question, seen)
    assert (found.formula, found.across) == ("(a - less_1)", "change")


def test_lines_that_are_named_one_by_one_are_ranked_by_themselves() -> None:
    names = ("raw materials", "work in process", "finished goods")
    listed = "raw materials, work in process or finished goods"
    seen = AskedSum("growth", "highest", (), 0.99, set_words=listed)
    found = computed_as(f"Which of Orla's {listed} grew fastest in 2023?", seen)
    assert (found.parts, found.over, found.across, found.items) == (names, "part", "growth", (("a", ""),))


def test_parts_are_ranked_between_two_times_by_what_changed() -> None:
    seen = AskedSum("none", "highest", ("operating margin",), 0.95, "operating margin", set_words="segment")
    found = computed_as("Which Orla segment lifted its operating margin most from 2022 to 2023?", seen)
    assert (found.measure, found.across, found.over) == ("operating margin", "change", "part")
    plain = computed_as("Which Orla segment had the highest operating margin in 2023?", seen)
    assert (plain.measure, plain.across) == ("operating margin", "")


@pytest.mark.parametrize("time", ["December quarter", "the year 2023"])
def test_parts_are_ranked_though_a_time_was_read_with_them(time: str) -> None:
    seen = AskedSum("none", "highest", (), 0.99, "net revenue", set_words=f"three segments; {time}")
    found = computed_as(
        f"Of Orla's three segments, {time} - which one had the highest net revenue in 2023?", seen
    )
    assert (found.over, found.set_words) == ("part", "three segments")


@pytest.mark.parametrize("one", ["which one", "which ones"])
def test_which_one_is_of_the_times_that_were_named_before(one: str) -> None:
    seen = AskedSum("none", "highest", (), 0.99, "net revenue", set_words="quarters")
    found = computed_as(f"Of the quarters of 2023, {one} had Orla's highest net revenue?", seen)
    assert (found.over, found.set_words) == ("period", "quarters")
    other = computed_as("Over the quarters of 2023, which plant had Orla's highest net revenue?", seen)
    assert (other.over, other.set_words) == ("part", "which plant had Orla")


def test_levels_at_two_times_that_are_listed_are_no_changes() -> None:
    seen = AskedSum("measure", "list", ("operating margin",), 0.95, set_words="segments", end="highest")
    found = computed_as("Which Orla segments had an operating margin above 10% in 2022 and 2023?", seen)
    assert found.across == ""


def test_companies_are_no_lines_that_are_ranked() -> None:
    both = AskedSum("none", "highest", (), 0.99, set_words="Orla and Tilbrook")
    asked = read("Which of Orla and Tilbrook was more levered in 2023?")
    assert calculation_asked(asked, CATALOG, ANY, both) is None


def test_what_is_no_name_is_no_part_of_a_measure() -> None:
    seen = AskedSum("change", "value", ("gross margin",), 0.99, "store count")
    found = computed_as(
        "By how much did Orla's store count change in 2023 while its gross margin fell?", seen
    )
    assert found.measure == ""


def test_what_changed_of_a_part_is_the_measure_that_is_named() -> None:
    seen = AskedSum("change", "value", ("operating margin",), 0.99, "Europe")
    found = computed_as("Europe at Orla, 2022 to 2023: change in operating margin in points", seen)
    assert (found.measure, found.part, found.across) == ("operating margin", "Europe", "change")
    named = replace(seen, a="", chance=0.9)
    found = computed_as("EBIT margin at Orla, 2023 compared with 2022?", named)
    assert (found.measure, found.across) == ("operating margin", "change")


def test_a_share_of_another_figure_that_moved_is_a_change_of_it() -> None:
    seen = AskedSum("growth", "value", (), 0.99, "freight", b="net revenue")
    question = "By how many points did Orla's freight as a percentage of net revenue move from 2022 to 2023?"
    found = computed_as(question, seen)
    assert (found.formula, found.across, found.shown) == ("a / b", "change", "percent")


def test_a_ratio_like_no_measure_is_of_the_figures_that_were_read() -> None:
    seen = AskedSum("measure", "value", ("EBITDA margin",), 0.99, "Segment Adjusted EBITDA", b="net sales")
    found = computed_as("Orla, 2023: Segment Adjusted EBITDA as a percentage of its net sales", seen)
    assert dict(found.items) == {"a": "Segment Adjusted EBITDA", "b": "net sales"}
    assert (found.part, found.shown) == ("", "percent")


@pytest.mark.parametrize(
    ("said", "days"),
    [
        ("at 90 days", 90),
        ("of a 91-day quarter", 91),
        ("at ninety days, that is, for a 90-day quarter", 90),
        ("at 371 days", 371),
        ("at 372 days", 0),
        ("of a 27-day month", 0),
        ("at 90 days and at 365 days", 0),
        ("with 91 stores", 0),
    ],
)
def test_the_days_that_a_question_counts_are_those_of_its_period(said: str, days: int) -> None:
    seen = AskedSum("measure", "value", ("days inventory",), 0.99)
    found = computed_as(f"What were Orla's days inventory in Q1 2023, {said}?", seen)
    assert (found.measure, found.days) == ("days inventory", days)


@pytest.mark.parametrize("said", ["exceed its 45-day payment terms", "lie above 60 days", "on 30-day terms"])
def test_terms_and_limits_are_no_days_of_a_period(said: str) -> None:
    assert days_said(f"Did the DSO of Orla in fiscal 2023 {said}?") == 0


@pytest.mark.parametrize(
    ("chance", "set_words", "use"), [(0.5, "", "value"), (0.5, "regions", "list"), (0.95, "", "list")]
)
def test_a_list_of_nothing_that_is_named_is_no_ranking_unless_it_surely_is(
    chance: float, set_words: str, use: str
) -> None:
    seen = AskedSum("none", "list", (), chance, "net revenue", set_words=set_words)
    assert _unranked(seen, read("Which net revenue did Orla have in fiscal 2023?")).use == use
