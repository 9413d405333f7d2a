"""What a question asks to be computed: names, spans and sums as they are understood beside what was learnt."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graphs.contracts import PlannedCalculation, Reading
from graphs.local.question.computed_periods import target_of, whens_of
from graphs.local.question.computing import _asked, _is_asked, _is_perhaps_share, calculation_asked, unread
from graphs.local.question.limits import limit_of
from graphs.local.question.named_spans import SURE_CHANCE, is_of_times, with_names
from graphs.local.question.reading import read_question
from tests.accounts import CATALOG
from tools.calculate.questions import AskedSum, SumReader
from tools.calculate.types import Asked, When
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


def test_a_list_without_a_threshold_has_its_likelier_end() -> None:
    named = AskedSum("growth", "list", (), 0.8, a="net revenue", set_words="regions", end="lowest")
    asked = _asked(named, read("Which of Orla's regions saw net revenue fall the most in 2023?"))
    assert asked is not None and asked.pick == "lowest"


def test_a_list_of_names_is_kept_where_only_some_of_them_are_known() -> None:
    named = AskedSum("none", "highest", (), 0.8, a="net revenue", set_words="Japan, Peru and Korea")
    reading = read("Where was net revenue highest, Japan, Peru and Korea?")
    reading = reading.model_copy(update={"entities": ("Japan", "Korea")})
    assert with_names(named, reading).set_words == "Japan, Peru and Korea"
    assert with_names(replace(named, set_words="where"), reading).set_words == "Japan or Korea"


def test_the_years_of_a_range_are_ranked_one_by_one() -> None:
    ranked = Asked(formula="a", items=(("a", "net revenue"),), over="period", pick="highest")
    found = whens("Which year from 2021 to 2023 had Orla's highest net revenue?", ranked)
    assert [when.periods[0].fiscal_year for when in found] == [2021, 2022, 2023]


def test_an_amount_of_money_is_a_limit_of_amounts() -> None:
    assert limit_of("Which had more than $1.5 billion of sales?", money=True) == ("1500000000", True)
    assert limit_of("Which had less than 20 % of sales?", money=True) == ("", False)
    named = AskedSum("none", "list", (), 0.8, a="net revenue", set_words="regions")
    asked = _asked(named, read("Which of Orla's regions had more than $500 million of net revenue in 2023?"))
    assert asked is not None and (asked.threshold, asked.above) == ("500000000", True)


@pytest.mark.parametrize(
    ("question", "read_as", "formula", "items"),
    [
        (
            "Did Orla's cash and inventories together exceed its total debt in 2023?",
            AskedSum("sum", "yesno", (), 0.8, a="cash", more=("inventories",)),
            "a - b",
            ("cash plus inventories", "total debt"),
        ),
        (
            "Were Orla's dividends more than its free cash flow in 2023?",
            AskedSum("difference", "yesno", (), 0.8, a="dividends", b="free cash flow"),
            "a - b",
            ("dividends", "free cash flow"),
        ),
    ],
)
def test_sums_are_compared_with_what_stands_behind_the_comparison(
    question: str, read_as: AskedSum, formula: str, items: tuple[str, ...]
) -> None:
    reading = read(question)
    asked = _asked(with_names(read_as, reading), reading)
    assert asked is not None and asked.yes_no
    assert (asked.formula, tuple(words for _, words in asked.items)) == (formula, items)


def test_part_of_a_year_that_no_document_covers_has_its_last_quarter() -> None:
    (when,) = whens("Orla's net revenue in the first half of 2019?", Asked(formula="a", derived=True))
    assert (when.periods[0].fiscal_year, when.periods[0].fiscal_quarter, when.months) == (2019, 2, 6)


@pytest.mark.parametrize(
    ("question", "chance", "operation"),
    [
        ("Orla MG&A in 2023?", 0.7, "none"),
        ("Orla MG&A in 2023?", 0.95, "none"),
        ("How often over could Orla pay its lenders in 2023?", 0.7, "none"),
        ("How often over could Orla pay its lenders in 2023?", 0.95, "measure"),
        ("How often did Orla's operating income cover its interest expense in 2023?", 0.7, "measure"),
        ("Orla's interest coverage in 2023?", 0.7, "measure"),
    ],
)
def test_a_measure_without_its_name_or_a_line_item_is_to_be_sure(
    question: str, chance: float, operation: str
) -> None:
    likely = AskedSum("measure", "value", ("interest coverage",), chance)
    assert with_names(likely, read(question)).operation == operation


def test_a_change_that_the_cash_flow_statement_prints_is_looked_up() -> None:
    likely = AskedSum("change", "value", (), 0.9, a="inventories")
    question = "What was the change in inventories of Orla in 2023?"
    assert _is_asked(likely, read(question))
    assert not _is_asked(likely, read(f"In the cash flow statement, {question}"))


def test_a_named_measure_needs_no_other_proof() -> None:
    likely = AskedSum("measure", "highest", ("gross margin",), 0.45, set_words="quarter")
    asked = _asked(likely, read("In which quarter of 2023 did Orla have its best gross margin?"))
    assert asked is not None and asked.measure == "gross margin"
    assert _asked(likely, read("In which quarter of 2023 did Orla have its best profit?")) is None


def test_a_ratio_without_spans_is_of_the_two_line_items_in_their_order() -> None:
    likely = AskedSum("ratio", "value", (), 0.9)
    named = with_names(
        likely, read("What do you get dividing Orla's operating income by its inventories, 2023?")
    )
    assert (named.a, named.b) == ("operating income", "inventories")


def test_one_figure_of_one_period_is_no_sum() -> None:
    found = planned("What was Orla's total net revenue for the first nine months of 2023, all added up?")
    assert found is None or (found.asked.across == "" and found.asked.derived)
    over_years = planned("What was the sum of Orla's net revenue over 2021, 2022 and 2023?")
    assert over_years is not None and over_years.asked.across == "sum"


@pytest.mark.parametrize(
    ("question", "years"),
    [
        ("Orla's average net revenue per year over the years 2021 through 2023?", [2021, 2022, 2023]),
        ("Orla's average net revenue in 2021 or 2023?", [2021, 2023]),
        ("Orla's average net revenue in 2023?", [2023]),
    ],
)
def test_the_years_of_a_range_are_averaged_one_by_one(question: str, years: list[int]) -> None:
    found = whens(question, Asked(formula="a", items=(("a", "net revenue"),), across="average"))
    assert [each.periods[0].fiscal_year for each in found] == years


@pytest.mark.parametrize(
    ("set_words", "parts"),
    [
        ("fiscal 2022 Americas, Europe or Asia Pacific", ("Americas", "Europe", "Asia Pacific")),
        ("desktop, notebook, other", ("desktop", "notebook", "other")),
        ("regions and segments", ()),
    ],
)
def test_the_names_of_a_set_are_read_without_its_periods(set_words: str, parts: tuple[str, ...]) -> None:
    named = AskedSum("growth", "highest", (), 0.9, a="net revenue", set_words=set_words)
    asked = _asked(named, read(f"Of Orla's {set_words}, which grew net revenue fastest?"))
    assert asked is not None and asked.parts == parts


def test_years_one_by_one_are_ranked_where_no_set_is_named() -> None:
    named = AskedSum("none", "highest", (), 0.9, a="net revenue")
    asked = _asked(named, read("Rank Orla's FY21, FY22 and FY23 by net revenue, which came top?"))
    assert asked is not None and asked.over == "period"


@pytest.mark.parametrize("less", [False, True])
def test_a_change_asked_for_yes_or_no_is_held_against_nothing(less: bool) -> None:
    named = AskedSum("change", "yesno", ("gross margin",), 0.9, a="gross margin", less=less)
    asked = _asked(named, read("Did Orla's gross margin move in 2023 over 2022?"))
    assert asked is not None and (asked.threshold, asked.above) == ("0", not less)


def test_what_is_compared_stands_behind_than() -> None:
    question = (
        "Did Orla hand more to holders (buybacks plus dividends paid) than its operations generated in cash?"
    )
    reading = read(question).model_copy(update={"metrics": ("buybacks", "dividends paid")})
    assert _asked(AskedSum("difference", "yesno", (), 0.9, a="buybacks"), reading) is None


def test_further_figures_are_added_to_the_one_before_them() -> None:
    question = "How far did Orla's cash pile plus securities exceed its notes plus bonds at the end of 2023?"
    named = AskedSum("difference", "value", (), 0.9, a="cash pile", b="notes", more=("securities", "bonds"))
    asked = _asked(named, read(question))
    assert asked is not None
    assert dict(asked.items) == {"a": "cash pile plus securities", "b": "notes plus bonds"}


def test_of_two_periods_that_are_named_none_is_compared_with_the_year_before() -> None:
    change = Asked(formula="a", items=(("a", "net revenue"),), across="change")
    found = whens(
        "By how much did Orla's net revenue shrink between year-end 2022 and June 30, 2023?", change
    )
    assert len(found) == 2


def test_whether_something_holds_is_told_by_a_result_or_not_at_all() -> None:
    unsure = AskedSum("period", "yesno", (), 0.4, whether=0.95)
    reading = read("Could Orla have paid for its plants out of what it earned in 2023?")
    assert _is_asked(unsure, reading) and _asked(unsure, reading) is None
    assert unread(unsure, reading).yes_no
    assert not _is_asked(replace(unsure, whether=0.5), reading)


def test_a_figure_is_named_without_the_kind_of_its_year() -> None:
    question = "What percentage of Orla's total fiscal 2023 revenues came from Europe?"
    share = AskedSum("share", "value", (), 0.9, a="Europe", b="total fiscal revenues")
    reading = read(question)
    found = _asked(with_names(share, reading), reading)
    assert found is not None and dict(found.items)["b"] == "total revenues"


def test_a_measure_that_is_none_of_two_figures_is_their_ratio_in_percent_where_the_limit_is() -> None:
    named = AskedSum("measure", "yesno", ("quick ratio",), 0.99, a="inventories", b="net revenue")
    asked = planned_of(named, "Were Orla's inventories in 2023 less than 15% of its net revenue?")
    assert (asked.formula, asked.shown, asked.threshold, asked.above) == ("a / b", "percent", "15", False)
    times = planned_of(
        replace(named, operation="ratio"), "Were Orla's inventories in 2023 less than 2 times net revenue?"
    )
    assert times.shown != "percent"


def planned_of(read_as: AskedSum, question: str) -> Asked:
    found = calculation_asked(read(question), CATALOG, ANY, read_as)
    assert found is not None
    return found.asked


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("What was Orla's net revenue for the first half of 2023, out of nine months and Q3 2023?", 6),
        ("From Orla's Q3 2023 report, what must net revenue have been in the first half of 2023?", 6),
        ("Orla's Q3 2023 net revenue, out of the first nine months and the first half of 2023", 3),
    ],
)
def test_the_period_asked_of_is_told_from_those_it_is_derived_from(question: str, months: int) -> None:
    found = calculation_asked(
        read(question), CATALOG, ANY, AskedSum("period", "value", (), 0.8, a="net revenue")
    )
    assert found is not None and not found.asked.derived
    ((_, own),) = found.periods
    assert [when.months for when in own] == [months]


def test_one_period_is_asked_of_alone() -> None:
    assert target_of(read("What was Orla's net revenue in the first half of 2023?")) is None
    assert (
        target_of(read("What was Orla's net revenue in the first quarter, out of the half of 2023?")) is None
    )


def test_a_part_that_is_only_named_is_perhaps_asked_for_as_a_share() -> None:
    named = AskedSum("none", "value", (), 0.56, b="net revenue", share=0.43)
    reading = read("What percentage of Orla's net revenue did Taps contribute in 2023?")
    assert _is_perhaps_share(named, reading.model_copy(update={"entities": ("Taps",)}))
    assert not _is_perhaps_share(named, reading.model_copy(update={"entities": ()}))


def test_what_is_not_surely_computed_may_be_said_by_a_line() -> None:
    named = AskedSum("share", "value", (), SURE_CHANCE - 0.1, a="Taps", b="net revenue")
    question = "How much of Orla's net revenue was Taps in 2023?"
    assert planned_of(named, question).derived
    assert not planned_of(replace(named, chance=SURE_CHANCE), question).derived


def test_a_span_has_no_comma_where_its_company_stood() -> None:
    named = AskedSum("share", "value", (), 0.99, a="Orla, Taps included", b="net revenue")
    found = with_names(named, read("What share of Orla's net revenue was Orla, Taps included?"))
    assert found.a == "Taps included"


@pytest.mark.parametrize(
    ("question", "chance", "across"),
    [
        ("Which of Orla's regions had more net revenue in 2023?", SURE_CHANCE - 0.2, ""),
        ("Which of Orla's regions had more net revenue in 2023?", SURE_CHANCE, "change"),
        ("Which of Orla's regions gained most net revenue from 2022 to 2023?", SURE_CHANCE - 0.2, "change"),
    ],
)
def test_figures_of_one_time_are_ranked_where_a_change_is_not_sure(
    question: str, chance: float, across: str
) -> None:
    named = AskedSum("change", "highest", (), chance, a="net revenue", set_words="regions")
    assert planned_of(named, question).across == across


def test_one_line_item_is_no_ratio_of_its_words() -> None:
    named = AskedSum("ratio", "value", (), 0.85, a="net loss", b="diluted share")
    assert with_names(named, read("Orla's net loss per diluted share in 2023?")).operation == "none"
    apart = AskedSum("ratio", "value", (), 0.85, a="net loss", b="inventories")
    assert with_names(apart, read("Orla's net loss over inventories in 2023?")).operation == "ratio"


def test_figures_of_several_companies_are_told_side_by_side_where_nothing_is_computed() -> None:
    question = "Compare Orla's net revenue with Tilbrook's net income in 2023."
    named = AskedSum("difference", "value", (), SURE_CHANCE + 0.05, a="net revenue", b="net income")
    assert planned_of(named, question).derived
    unsure = AskedSum("difference", "highest", (), 0.3)
    assert (
        calculation_asked(
            read("Which was higher, Orla's or Tilbrook's net revenue in 2023?"), CATALOG, ANY, unsure
        )
        is None
    )


def test_a_balance_is_averaged_over_both_ends_where_the_question_says_so() -> None:
    named = AskedSum("average", "value", (), 0.99, a="opening and closing inventories")
    asked = planned_of(named, "The average of opening and closing inventories at Orla in 2023?")
    assert (asked.formula, asked.across, dict(asked.items)) == ("average(a)", "", {"a": "inventories"})
    divided = "What return did Orla make on average inventories, opening and closing, in 2023?"
    assert planned_of(replace(named, a="inventories"), divided).formula == ""
    turned = AskedSum("ratio", "value", (), 0.99, a="cost of sales", b="inventories")
    by_average = "Orla's cost of sales over the average of opening and closing inventories in 2023?"
    assert planned_of(turned, by_average).formula == "a / average(b)"
    assert planned_of(turned, "Orla's cost of sales over its inventories in 2023?").formula == "a / b"


def test_a_quarter_s_balances_lie_a_quarter_apart() -> None:
    named = AskedSum("average", "value", (), 0.99, a="inventories")
    question = "Average of Orla's inventories at the start and the end of the third quarter of 2023?"
    found = calculation_asked(read(question), CATALOG, ANY, named)
    assert found is not None
    assert {when.months for _, whens in found.periods for when in whens} == {3}


def test_a_quotient_that_was_more_at_one_time_than_at_another_has_changed() -> None:
    named = AskedSum("share", "yesno", (), 0.99, a="research and development", b="net revenue", less=True)
    question = "Was research and development a smaller part of Orla's net revenue in 2023 than in 2022?"
    asked = planned_of(named, question)
    assert (asked.across, asked.threshold, asked.above) == ("change", "0", False)
    turned = "Was research and development a smaller part of Orla's net revenue in 2022 than in 2023?"
    asked = planned_of(named, turned)  # from 2022 to 2023 it has risen, then
    assert (asked.across, asked.threshold, asked.above) == ("change", "0", True)
    limited = "Was research and development more than 10 % of Orla's net revenue in 2023 and 2022?"
    assert planned_of(replace(named, less=False), limited).across == ""


def test_that_of_another_part_is_of_the_same_line_item() -> None:
    named = AskedSum(
        "difference", "value", (), 0.99, a="operating income Europe segment", b="Peruvian segment"
    )
    question = "How much more was operating income of Orla's Europe segment than that of its Peruvian segment in 2023?"
    assert dict(planned_of(named, question).items)["b"] == "Peruvian segment operating income"


def test_several_companies_lines_go_by_their_own_names() -> None:
    named = AskedSum(
        "difference", "value", (), 0.99, a="purchases of office property", b="additions to office property"
    )
    asked = planned_of(
        named, "Orla's purchases of office property less Tilbrook's additions to office property"
    )
    assert asked.apart and not asked.derived
    assert dict(asked.items) == {"a": "purchases of office property|additions to office property"}


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("Orla's LTM net revenue as of September 30, 2023?", 12),
        ("Orla's net revenue over the trailing twelve months to the third quarter of 2023?", 12),
        ("Orla's net revenue in the third quarter of 2023?", 3),
    ],
)
def test_rolling_months_end_with_the_period_that_is_named(question: str, months: int) -> None:
    (when,) = whens(question, Asked(formula="a", derived=True))
    assert when.months == months


def test_a_balance_is_ranked_year_by_year_too() -> None:
    ranked = Asked(formula="a", items=(("a", "inventories"),), over="period", pick="highest")
    found = whens("At the end of which year from 2021 to 2023 were Orla's inventories highest?", ranked)
    assert [(when.periods[0].fiscal_year, when.months) for when in found] == [(2021, 0), (2022, 0), (2023, 0)]


def test_the_nearest_quarter_of_each_company_is_compared() -> None:
    question = "Orla's and Tilbrook's net revenue in the quarter ended September 30, 2023?"
    reading = read(question)
    assert len(reading.companies) == 2
    asked = Asked(formula="a", over="company")
    own = {key: whens_of(reading, CATALOG, ANY, key, asked) for key in reading.companies}
    assert {when.periods[0].end for when in own["ORLA"]} == {date(2023, 9, 30)}


def test_years_that_are_listed_are_ranked_as_times() -> None:
    assert is_of_times("of fiscal 2021, 2022 and 2023") and not is_of_times("of the 2023 segments")


@pytest.mark.parametrize(
    ("question", "derived"),
    [
        ("Compare Orla's net revenue with Tilbrook's in 2023.", True),  # both are to be seen
        ("Compared with Tilbrook, how much more net revenue had Orla in 2023?", False),
        ("The gap between Orla's and Tilbrook's net revenue in 2023?", False),
    ],
)
def test_what_is_to_be_compared_is_shown_side_by_side(question: str, derived: bool) -> None:
    named = AskedSum("difference", "value", (), 0.99, a="net revenue")
    asked = planned_of(named, question)
    assert asked.apart and asked.derived == derived


def test_twelve_months_end_with_the_quarter_named_behind_them_however_often_it_is() -> None:
    reading = read("Orla's TTM net revenue at end 3Q23 (September 30, 2023)")
    asked = Asked(formula="a", items=(("a", "net revenue"),))
    (when,) = whens_of(reading, CATALOG, ANY, "ORLA", asked, target_of(reading))
    assert when.months == 12
    other = read("Out of Orla's TTM columns at 3Q23, what was net revenue in the fourth quarter of 2022?")
    (when,) = whens_of(other, CATALOG, ANY, "ORLA", asked, target_of(other))
    assert when.months == 3


def test_the_years_of_a_short_range_are_averaged_one_by_one() -> None:
    found = whens("Orla's mean net revenue, FY21-23", Asked(formula="a", across="average"))
    assert [each.periods[0].fiscal_year for each in found] == [2021, 2022, 2023]


def test_a_year_less_a_part_that_was_not_read_is_not_told_as_the_year() -> None:
    period = AskedSum("period", "value", (), 0.95, "net revenue")
    question = "Without the quarter that ended December 31, 2022, what net revenue had Orla in fiscal 2023?"
    left = calculation_asked(read(question), CATALOG, ANY, period)
    assert left is not None and not left.asked.formula


def test_a_sum_of_years_to_come_is_looked_for_in_schedules() -> None:
    total = AskedSum("sum", "value", (), 0.95, "purchase commitments")
    question = "Add up Orla's purchase commitments at December 31, 2023 for 2025 and 2026."
    found = calculation_asked(read(question), CATALOG, ANY, total)
    assert found is not None and found.asked.derived and found.asked.across == "sum"
