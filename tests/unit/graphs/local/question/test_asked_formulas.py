"""Formulas for what a question asks to be computed, as it was read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.contracts import Reading
from graphs.local.question.asked_formulas import SALES, formula_of, part_of
from graphs.local.question.computing import _asked, _by_size, unread
from graphs.local.question.named_spans import with_names
from graphs.local.question.reading import read_question
from graphs.local.question.two_figures import stands_behind
from tests.accounts import CATALOG
from tools.calculate.measures import measure_called
from tools.calculate.questions import AskedSum, Operation, Use
from tools.calculate.types import Asked
from tools.scope import Scope

ANY = Scope()
LESS = "(a - less_1) / b"
AVERAGED = "a / (average(b) - average(less_1))"


def read(question: str) -> Reading:
    return read_question(question, CATALOG, ANY)


def asked_for(read: AskedSum, question: str) -> Asked | None:
    found = read_question(question, CATALOG, ANY)
    return _asked(with_names(read, found), found)


MEASURE = AskedSum("measure", "value", ("return on assets", "net margin"), 0.9)


def test_a_ratio_is_like_the_measure_that_one_of_its_line_items_is_of() -> None:
    found = asked_for(MEASURE, "How much operating income did Orla earn per dollar of total assets in 2023?")
    assert found is not None and found.formula == "a / b" and found.shown == "percent"
    assert found.items == (("a", "operating income"), ("b", "total assets"))


@pytest.mark.parametrize(
    "question",
    [
        "How much gross profit and operating income did Orla earn per dollar of total assets?",
        "How much of total assets were goodwill and other claims of Orla?",
    ],
)
def test_of_items_in_a_list_no_ratio_is_guessed(question: str) -> None:
    assert asked_for(MEASURE, question) is None


def test_a_measure_that_is_named_beside_items_which_it_is_not_made_of_is_no_answer() -> None:
    read = AskedSum("measure", "value", ("payout ratio",), 0.9)
    found = asked_for(read, "What share of Orla's free cash flow went into dividends paid and inventories?")
    assert found is None or found.measure != "free cash flow"


def test_a_margin_of_no_name_is_its_line_item_by_sales() -> None:
    read_as = AskedSum("measure", "value", ("EBITDA margin", "net margin"), 0.9)
    found = asked_for(read_as, "What was Orla's Adjusted EBITDA margin on net sales in 2023?")
    assert found is not None and (found.formula, found.shown) == ("a / b", "percent")
    assert tuple(dict(found.items).values()) == ("Adjusted EBITDA", "net sales")


@pytest.mark.parametrize(
    ("a", "b", "formula", "part"),
    [
        ("earned outside the United States", "revenue", "1 - a / b", "United States"),
        ("outside of Europe", "", "1 - a / whole", "Europe"),
        ("Europe", "revenue", "a / b", "Europe"),
    ],
)
def test_what_is_outside_a_part_is_the_rest(a: str, b: str, formula: str, part: str) -> None:
    question = f"What share of Orla's revenue in 2023 was {a}?"
    found = formula_of(AskedSum("share", "value", (), 0.95, a, b), Reading(question=question))
    assert found is not None and found.is_share and found.formula == formula
    assert part in dict(found.items)["a"].split("|")


def test_a_measure_that_is_named_and_spelled_out_is_the_measure() -> None:
    read_as = AskedSum("difference", "value", (), 0.95, "operating cash flow", "capex")
    question = "How much free cash flow did Orla make in 2023, meaning operating cash flow less capex?"
    found = asked_for(read_as, question)
    assert found is not None and found.measure == "free cash flow"
    against = replace(read_as, a="free cash flow", b="net income")
    found = asked_for(against, "How far was Orla's free cash flow above its net income in 2023?")
    assert found is not None and found.formula == "a - b"


def test_of_years_that_are_ranked_the_figure_is_of_the_part_that_is_named() -> None:
    question = "In which of the years 2022 and 2023 did Orla's Europe segment have its best operating margin?"
    ranked = AskedSum("measure", "highest", ("operating margin",), 0.95, set_words="which of the years")
    reading = read(question).model_copy(update={"entities": ("Europe",)})
    found = _asked(with_names(ranked, reading), reading)
    assert found is not None and (found.over, found.part) == ("period", "Europe")


@pytest.mark.parametrize(
    ("a", "b", "question", "across"),
    [
        ("", "net revenue", "Did Orla more than double its net revenue from 2022 to 2023?", "times"),
        ("net revenue", "", "Orla's net revenue in 2023 was how many times that of 2022?", "times"),
        ("net revenue", "net income", "Was net revenue over three times net income in 2022 and 2023?", ""),
        ("net revenue", "", "Was Orla's net revenue in 2023 a multiple of something?", None),
        ("", "", "Orla's staff costs revenue in 2023 was how many times that of 2022?", None),
    ],
)
def test_a_ratio_of_one_figure_at_two_times_is_a_multiple(
    a: str, b: str, question: str, across: str | None
) -> None:
    use: Use = "value" if question.startswith("Orla") else "yesno"
    found = asked_for(AskedSum("ratio", use, (), 0.95, a, b), question)
    assert (found and found.across) == across
    assert across != "times" or (found is not None and found.formula == "a")


def test_what_makes_a_name_together_is_not_added() -> None:
    reading = Reading(question="Mexico and Peru as a share of sales?", entities=("Mexico and Peru",))
    named = with_names(AskedSum("share", "value", (), 0.95, "Mexico", "sales", ("Peru",)), reading)
    assert (named.a, named.more) == ("Mexico and Peru", ())
    apart = with_names(AskedSum("share", "value", (), 0.95, "Mexico", "sales", ("Chile",)), reading)
    assert apart.more == ("Chile",)


@pytest.mark.parametrize(
    ("operation", "a", "b", "minus", "question", "formula"),
    [
        ("ratio", "current assets", "sales", ("inventory",), "Current assets less inventory to sales?", LESS),
        (
            "ratio",
            "rent",
            "sales",
            ("returns",),
            "Rent as a multiple of sales without returns?",
            "a / (b - less_1)",
        ),
        ("ratio", "rent", "sales", ("returns",), "Returns taken off, rent to sales?", LESS),
        ("growth", "costs", "", ("grants",), "How fast did costs net of grants grow?", "(a - less_1)"),
        (
            "ratio",
            "net sales",
            "net debt",
            ("trusts",),
            "Net sales to net debt less trusts?",
            "a / (b - less_1)",
        ),
        ("ratio", "sales", "assets", ("cash",), "Sales to average assets less cash?", AVERAGED),
        (
            "difference",
            "cash",
            "loans",
            ("trusts",),
            "Cash net of trusts above loans by?",
            "(a - less_1) - b",
        ),
        (
            "average",
            "capex",
            "",
            ("land", "ships"),
            "Average capex, ex land, ex ships?",
            "((a - less_2) - less_1)",
        ),
    ],
)
def test_what_is_taken_from_a_figure_is_taken_before_anything_else(
    operation: Operation, a: str, b: str, minus: tuple[str, ...], question: str, formula: str
) -> None:
    read_as = AskedSum(operation, "value", (), 0.95, a, b, minus=minus)
    found = formula_of(read_as, Reading(question=question, metrics=tuple(filter(None, (a, b)))))
    assert found is not None and found.formula == formula
    assert tuple(dict(found.items).values())[-len(minus) :] == minus


def test_a_measure_of_its_own_formula_has_what_is_taken_away_and_no_other_does() -> None:
    question = "What was Orla's free cash flow, operating cash flow less capex, in 2023?"
    read_as = AskedSum("measure", "value", ("free cash flow",), 0.95, minus=("capex",))
    found = asked_for(read_as, question)
    assert found is not None and found.measure == "free cash flow"
    assert asked_for(replace(read_as, minus=("dividends",)), question) is None


def test_two_parts_are_compared_by_the_measure_that_is_read() -> None:
    read_as = AskedSum("measure", "yesno", ("net margin",), 0.95, "Home", "Abroad", of_measure=0.9)
    question = "Was Orla's Home unit more profitable than Abroad, by net income as a percentage of sales?"
    found = asked_for(read_as, question)
    assert found is not None and found.apart
    assert (found.measure, found.parts) == ("net margin", ("Home", "Abroad"))


def test_a_ratio_with_nothing_to_divide_by_is_none_though_its_figure_is_told() -> None:
    read_as = AskedSum("ratio", "value", (), 0.95, "Peru", of="assets")
    assert formula_of(read_as, Reading(question="Peru, times?", entities=("Peru",))) is None


@pytest.mark.parametrize(
    ("metrics", "items"),
    [(("assets",), ("Peru assets", "Chile assets")), ((), None)],
)
def test_two_places_are_divided_in_the_one_figure_that_is_named(
    metrics: tuple[str, ...], items: tuple[str, str] | None
) -> None:
    reading = Reading(question="Peru vs Chile, times?", metrics=metrics, entities=("Peru", "Chile"))
    found = formula_of(AskedSum("ratio", "value", (), 0.95, "Peru", "Chile"), reading)
    assert (found and tuple(dict(found.items).values())) == items


def test_a_line_item_beside_one_of_a_part_is_of_that_part() -> None:
    reading = Reading(question="Home capex to depreciation?", entities=("Home",))
    found = formula_of(AskedSum("ratio", "value", (), 0.95, "Home capex", "depreciation"), reading)
    assert found is not None and dict(found.items)["b"] == "Home depreciation"


@pytest.mark.parametrize(
    ("b", "item"),
    [
        ("Europe's", "Europe operating income"),
        ("booked in depreciation and amortization", "Home depreciation and amortization"),
        ("Europe net income", "Europe net income"),
        ("foreign operating income", "foreign operating income"),
    ],
)
def test_what_is_said_of_the_first_alone_is_meant_of_the_second(b: str, item: str) -> None:
    reading = Reading(question="?", entities=("Home", "Europe"), metrics=("operating income", b))
    read_as = AskedSum("difference", "value", (), 0.95, "Home operating income", b)
    found = formula_of(read_as, reading)
    assert found is not None and dict(found.items)["b"] == item


@pytest.mark.parametrize(
    ("span", "bare"),
    [("their own staff costs", "staff costs"), ("staff costs of the", "staff costs"), ("the rest", "rest")],
)
def test_what_stands_at_the_ends_of_a_span_and_says_nothing_goes(span: str, bare: str) -> None:
    named = with_names(AskedSum("growth", "value", (), 0.95, span), Reading(question="What grew?"))
    assert named.a == bare


@pytest.mark.parametrize(
    ("question", "span", "bare"),
    [
        ("orla us revenue in fiscal 2023?", "us revenue", "US revenue"),
        ("orla revenue in the us in fiscal 2023?", "revenue in the us", "revenue in the US"),
        ("What is usual of Orla's bonus plan?", "usual bonus plan", "usual bonus plan"),
    ],
)
def test_us_in_the_words_of_a_figure_is_the_country(question: str, span: str, bare: str) -> None:
    named = with_names(AskedSum("growth", "value", (), 0.95, span), read(question))
    assert named.a == bare


@pytest.mark.parametrize(
    ("question", "span", "bare"),
    [
        ("orla lamp costs 1h25, growth on 1h24", "25 lamp costs", "lamp costs"),
        ("orla lamp costs 1h25, growth on 1h24", "24 lamp costs", "lamp costs"),
        ("orla lamp costs fy2023, growth on fy2022", "2023 lamp costs", "lamp costs"),
        ("orla lamp costs 1h25, growth on 1h24", "36 lamp costs", "36 lamp costs"),
        ("orla lamp costs 1h25, growth on 1h24", "lamp 25 costs", "lamp 25 costs"),
        ("orla 250 lamp costs 1h25, growth on 1h24", "250 lamp costs", "250 lamp costs"),
    ],
)
def test_a_number_of_a_period_before_the_words_of_a_figure_is_none_of_them(
    question: str, span: str, bare: str
) -> None:
    named = with_names(AskedSum("growth", "value", (), 0.95, span), read(question))
    assert named.a == bare


def test_a_line_item_of_the_question_is_no_part_of_a_measure() -> None:
    turns, costs = measure_called("inventory turnover"), "merchandise costs"
    assert turns is not None
    for metrics, part in (((costs,), ""), ((), costs)):
        assert part_of(costs, turns, Reading(question="How often?", metrics=metrics)) == part


def test_two_parts_are_compared_by_the_ratio_that_is_put_as_one_phrase() -> None:
    phrase = "operating income as a percentage of revenue"
    reading = Reading(question=f"Home or Abroad, by {phrase}?", metrics=(phrase,))
    read_as = AskedSum("difference", "yesno", ("operating margin",), 0.95, "Home", "Abroad")
    found = formula_of(read_as, reading)
    assert found is not None and found.apart and found.measure == "operating margin"


@pytest.mark.parametrize("named", ["operating margin", "EBIT margin"])
def test_parts_that_are_compared_in_a_measure_are_called_without_its_name(named: str) -> None:
    parts = f"Americas {named}", f"Europe {named}"
    read_as = AskedSum("difference", "value", ("operating margin",), 0.95, *parts)
    found = asked_for(read_as, f"How far apart were Orla's {parts[0]} and its {parts[1]} in 2023?")
    assert found is not None and (found.measure, found.parts) == ("operating margin", ("Americas", "Europe"))


@pytest.mark.parametrize(
    "words", ["Lamps gross margin rate", "Lamps gross margin ratio", "Lamps total gross profit margin"]
)
def test_what_goes_with_the_name_of_a_measure_is_no_part(words: str) -> None:
    margin = measure_called("gross margin")
    assert margin is not None
    assert part_of(words, margin, Reading(question=f"What of {words}?")) == "Lamps"


@pytest.mark.parametrize("term", ["short-term", "current", "noncurrent"])
def test_in_which_time_something_falls_due_is_no_part_of_a_measure(term: str) -> None:
    read_as = AskedSum("measure", "value", ("debt to equity",), 0.95, term)
    found = asked_for(read_as, f"What was Orla's debt to equity in 2023, {term} plus long-term debt?")
    assert found is not None and (found.measure, found.part) == ("debt to equity", "")


def test_words_of_a_line_item_of_the_measure_are_no_part() -> None:
    read_as = AskedSum("measure", "yesno", ("equity ratio",), 0.95, "stockholders")
    found = asked_for(read_as, "Did stockholders' equity finance less than a fifth of Orla's total assets?")
    assert found is not None and (found.measure, found.part) == ("equity ratio", "")


def test_what_an_operation_is_called_is_no_name_of_a_part() -> None:
    reading = Reading(question="Orla's revenue CAGR 2021-2023", metrics=("revenue",), entities=("CAGR",))
    assert with_names(AskedSum("cagr", "value", (), 0.95, "revenue"), reading).a == "revenue"


def test_a_ratio_of_two_line_items_that_is_put_as_one_phrase_is_the_measure_made_of_them() -> None:
    read_as = AskedSum("measure", "lowest", ("operating margin",), 0.95)
    found = asked_for(read_as, "Which segment was least profitable by EBIT as a percent of revenues in 2023?")
    assert found is not None and found.measure == "operating margin"


@pytest.mark.parametrize(
    ("a", "part"), [("Orla revenue", ""), ("revenue", ""), ("Europe revenue", "Europe"), ("net margin", "")]
)
def test_a_part_of_a_measure_is_what_is_neither_a_line_item_of_it_nor_the_company(a: str, part: str) -> None:
    read = AskedSum("measure", "value", ("net margin",), 0.9, a)
    found = asked_for(read, "What was Orla's net margin, of revenue, in 2023?")
    assert found is not None and found.part == part


@pytest.mark.parametrize("operation", ["measure", "none"])
@pytest.mark.parametrize(
    ("question", "a", "b"),
    [
        ("What was Orla's adjusted EBITDA margin in 2023?", "adjusted EBITDA", "net sales"),
        ("Orla, 2023: adjusted EBITDA, and what margin?", None, None),
        (
            "What was the adjusted EBITDA margin of Orla in Europe in 2023?",
            "Europe adjusted EBITDA",
            "Europe net sales",
        ),
        ("What were Orla's adjusted EBITDA margin and its net income in 2023?", None, None),
    ],
)
def test_a_margin_as_its_company_adjusts_it_is_that_figure_by_sales_where_no_other_is_named(
    question: str, a: str | None, b: str | None, operation: Operation
) -> None:
    found = asked_for(AskedSum(operation, "value", ("EBITDA margin",), 0.95), question)
    items = dict(found.items) if found is not None and found.formula == "a / b" else {}
    assert (items.get("a"), items.get("b")) == (a, b)


def test_a_margin_as_its_company_adjusts_it_that_moves_is_a_change_of_that_figure_by_sales() -> None:
    name = "adjusted EBITDA margin"
    change = AskedSum("change", "value", (), 0.95, name)
    found = asked_for(change, f"By how many points did Orla's {name} move in 2023?")
    assert found is not None and (found.formula, found.across, found.shown) == ("a / b", "change", "percent")
    assert dict(found.items) == {"a": "adjusted EBITDA", "b": "net sales"}
    beside = asked_for(change, f"How did Orla's {name} move in 2023, and its net income?")
    assert beside is not None and beside.items == (("a", name),)


def test_an_adjusted_margin_that_is_ranked_or_averaged_is_no_figure_by_sales_nor_is_a_plain_one() -> None:
    name = "adjusted EBITDA margin"
    read_as = AskedSum("none", "highest", (), 0.95, name, set_words="segment")
    ranked = asked_for(read_as, f"Which segment had Orla's highest {name} in 2023?")
    assert ranked is not None and ranked.items == (("a", name),)
    mean = asked_for(
        AskedSum("average", "value", (), 0.95, name), f"Orla's {name} on average, 2022 and 2023?"
    )
    assert mean is not None and (mean.items, mean.across) == ((("a", name),), "average")
    read_as = AskedSum("measure", "value", ("operating margin",), 0.95, "Lamps")
    plain = asked_for(read_as, "What was the Lamps operating margin of Orla in 2023?")
    assert plain is not None and (plain.measure, plain.part) == ("operating margin", "Lamps")


def test_a_line_item_is_no_piece_of_its_own_margin() -> None:
    reading = Reading(question="Lamp costs, and the lamp costs margin?", metrics=("lamp costs margin",))
    assert with_names(AskedSum("growth", "value", (), 0.95, "lamp costs"), reading).a == "lamp costs"
    reading = reading.model_copy(update={"metrics": ("lamp costs paid",)})
    assert with_names(AskedSum("growth", "value", (), 0.95, "lamp costs"), reading).a == "lamp costs paid"


def test_a_slice_of_one_by_another_is_the_measure_made_of_both() -> None:
    read = AskedSum("difference", "yesno", ("operating margin",), 0.9)
    found = asked_for(read, "Did Orla keep more of its revenue as operating income than Tilbrook in 2023?")
    assert found is not None and (found.measure, found.over, found.yes_no) == (
        "operating margin",
        "company",
        True,
    )


def test_a_measure_changes_where_it_is_named_beside_a_line_item_of_it() -> None:
    question = (
        "By how many points did Orla's operating margin (operating income over revenue) change in 2023?"
    )
    found = asked_for(AskedSum("change", "value", ("operating margin",), 0.9, "operating income"), question)
    assert found is not None and (found.measure, found.across) == ("operating margin", "change")
    found = asked_for(AskedSum("change", "value", ("net margin",), 0.9, "operating income"), question)
    assert found is not None and found.measure == ""


@pytest.mark.parametrize("operation", ["growth", "change"])
@pytest.mark.parametrize(
    "name", ["adjusted free cash flow", "adjusted EBITDA", "non-GAAP free cash flow", "adjusted net debt"]
)
def test_an_adjusted_measure_that_moves_is_its_own_line_and_not_the_measure_of_the_catalogue(
    name: str, operation: Operation
) -> None:
    plain = name.partition(" ")[2]
    read_as = AskedSum(operation, "value", (plain,), 0.95, name)
    found = asked_for(read_as, f"How did Orla's {name} move from 2022 to 2023?")
    assert found is not None and (found.measure, found.across) == ("", operation)
    assert found.items == (("a", name),)
    of_catalogue = asked_for(replace(read_as, a=plain), f"How did Orla's {plain} move from 2022 to 2023?")
    assert of_catalogue is not None and (of_catalogue.measure, of_catalogue.across) == (plain, operation)


def test_a_piece_of_a_line_item_is_the_whole() -> None:
    read = AskedSum("sum", "value", (), 0.9, "additions")
    found = asked_for(
        read, "What did Orla's additions to property, plant and equipment come to in 2022 and 2023?"
    )
    assert found is not None and found.items == (("a", "additions to property, plant and equipment"),)


def test_what_can_not_be_read_names_the_line_items() -> None:
    found = unread(MEASURE, read("What of Orla's operating income and goodwill?"))
    assert "operating income" in found.title
    found = unread(AskedSum("none", "highest", (), 0.9), Reading(question="Which is best?"))
    assert found.title == "a ranking"


def test_what_is_ranked_is_the_line_item_named_where_no_span_was_told() -> None:
    ranked = AskedSum("none", "highest", ("return on equity",), 0.9)
    found = asked_for(ranked, "Which had the higher net revenue in 2023, Orla or Tilbrook?")
    assert found is not None and found.items == (("a", "net revenue"),) and found.pick == "highest"


@pytest.mark.parametrize(
    ("set_words", "figure"), [("segment", SALES), ("divisions", SALES), ("plant", ""), ("", "")]
)
def test_the_biggest_part_is_the_one_that_sells_most_where_no_figure_is_named(
    set_words: str, figure: str
) -> None:
    biggest = AskedSum("none", "highest", (), 0.9, set_words=set_words)
    assert _by_size(biggest, Reading(question="What was Orla's biggest one?")).a == figure
    named = Reading(question="Which had the highest net income?", metrics=("net income",))
    assert _by_size(biggest, named).a == ""
    assert _by_size(AskedSum("none", "value", (), 0.9, set_words=set_words), Reading(question="?")).a == ""


@pytest.mark.parametrize(
    ("read_as", "question", "formula", "items", "across"),
    [
        (
            AskedSum("change", "value", (), 0.9, a="marketing costs", b="revenue"),
            "How many points did Orla's marketing costs as a share of revenue rise in 2023?",
            "a / b",
            ("marketing costs", "revenue"),
            "change",
        ),
        (
            AskedSum("average", "value", (), 0.9, a="cash", more=("deposits",)),
            "What were Orla's cash and also its deposits on average in 2022 and 2023?",
            "a",
            ("cash plus deposits",),
            "average",
        ),
        (
            AskedSum("difference", "yesno", (), 0.9, a="cash from sales", b="capex", more=("dividends",)),
            "Did Orla's cash from sales pay for capex and for dividends in 2023?",
            "a - b",
            ("cash from sales", "capex plus dividends"),
            "",
        ),
        (
            AskedSum("difference", "value", (), 0.9, a="Americas", b="Europe", of="net revenue"),
            "How much more net revenue had Orla's Americas than its Europe in 2023?",
            "a - b",
            ("Americas net revenue", "Europe net revenue"),
            "",
        ),
    ],
)
def test_figures_are_put_together_as_they_were_read(
    read_as: AskedSum, question: str, formula: str, items: tuple[str, ...], across: str
) -> None:
    found = asked_for(read_as, question)
    assert found is not None and (found.formula, found.across) == (formula, across)
    assert tuple(words for _, words in found.items) == items


def test_two_parts_lie_apart_in_a_measure_and_two_line_items_in_their_growth() -> None:
    margins = AskedSum("difference", "value", ("operating margin",), 0.95, a="Americas", b="Europe")
    found = asked_for(
        margins, "How far are the operating margins of Orla's Americas and Europe apart in 2023?"
    )
    assert found is not None and found.apart and found.measure == "operating margin"
    assert (found.over, found.parts) == ("part", ("Americas", "Europe"))
    faster = AskedSum("growth", "yesno", (), 0.95, a="net revenue", b="research", less=True)
    found = asked_for(faster, "Did Orla's net revenue grow more slowly than its research in 2023?")
    assert found is not None and found.apart and (found.formula, found.across) == ("a", "growth")
    assert found.parts == ("net revenue", "research") and not found.above


def test_two_companies_lie_apart_in_a_measure_that_no_name_says() -> None:
    read_as = AskedSum("difference", "value", ("R&D to revenue",), 0.95, of_measure=0.9)
    question = "How many points more of each dollar taken does Orla spend on inventing things than Tilbrook?"
    found = asked_for(read_as, question)
    assert found is not None and (found.measure, found.over, found.apart) == (
        "R&D to revenue",
        "company",
        True,
    )
    unsure = AskedSum("difference", "value", ("R&D to revenue",), 0.95, of_measure=0.5)
    assert asked_for(unsure, question) is None


@pytest.mark.parametrize(
    ("less", "question", "limit"),
    [
        (False, "Did Orla's net revenue grow by more than a tenth in 2023?", ("10.0000", True)),
        (True, "Did Orla's net revenue grow by less than a tenth in 2023?", ("10.0000", False)),
        (True, "Did Orla's net revenue shrink by more than a tenth in 2023?", ("-10.0000", False)),
        (False, "Did Orla's net revenue go up in 2023?", ("0", True)),
        (True, "Did Orla's net revenue go down in 2023?", ("0", False)),
    ],
)
def test_what_fell_by_more_than_a_limit_came_to_less_than_minus_that(
    less: bool, question: str, limit: tuple[str, bool]
) -> None:
    found = asked_for(AskedSum("growth", "yesno", (), 0.95, a="net revenue", less=less), question)
    assert found is not None and (found.threshold, found.above) == limit


def test_a_figure_is_named_without_its_company_and_is_no_piece_of_a_line_that_another_is_in() -> None:
    question = "Was Orla net cash, i.e. did cash plus short-term investments exceed the debt on Orla's balance sheet?"
    read_as = AskedSum(
        "difference",
        "yesno",
        (),
        0.95,
        "Orla's cash",
        "debt on Orla's balance sheet",
        ("short-term investments",),
    )
    found = asked_for(read_as, question)
    assert found is not None
    assert dict(found.items) == {"a": "cash plus short-term investments", "b": "debt"}


def test_a_line_item_right_before_another_only_says_of_what_kind_that_is() -> None:
    question = (
        "What were Orla's capex as a % of revenue in 2023 (cash additions to property, plant and equipment)?"
    )
    found = asked_for(
        AskedSum("measure", "value", ("capex to revenue", "free cash flow margin"), 0.95), question
    )
    assert found is not None and found.measure == "capex to revenue"


@pytest.mark.parametrize(
    ("read_as", "question", "items"),
    [
        (
            AskedSum("difference", "value", (), 0.95, a="Americas", b="Europe in operating income"),
            "How far ahead of Europe in operating income was Orla's Americas in 2023?",
            ("Americas operating income", "Europe in operating income"),
        ),
        (
            AskedSum("change", "value", (), 0.95, a="freight costs"),
            "By how many points did freight costs as a share of revenue rise at Orla in 2023?",
            ("freight costs", "revenue"),
        ),
    ],
)
def test_what_is_said_once_is_meant_twice(read_as: AskedSum, question: str, items: tuple[str, ...]) -> None:
    found = asked_for(read_as, question)
    assert found is not None and tuple(words for _, words in found.items) == items


def test_two_parts_in_one_span_are_two() -> None:
    question = "How wide was the gap between the operating margins of Orla's Americas and Europe in 2023?"
    read_as = AskedSum("difference", "value", ("operating margin",), 0.95, a="Americas and Europe")
    found = asked_for(read_as, question)
    assert found is not None and found.parts == ("Americas", "Europe") and found.apart


def test_what_changed_is_the_measure_that_is_named_where_no_span_was_told() -> None:
    question = "How much did Orla's working capital (current assets minus current liabilities) rise in 2023?"
    found = asked_for(AskedSum("change", "value", ("working capital",), 0.95), question)
    assert found is not None and (found.measure, found.across) == ("working capital", "change")


def test_the_one_figure_that_is_named_is_the_one_in_which_two_parts_are_compared() -> None:
    question = "How much more net revenue did Orla's Americas make than its Europe in 2023?"
    found = asked_for(AskedSum("difference", "value", (), 0.95, a="Americas", b="Europe"), question)
    assert found is not None
    assert dict(found.items) == {"a": "Americas net revenue", "b": "Europe net revenue"}


def test_what_is_taken_together_is_put_so() -> None:
    covered = AskedSum("difference", "yesno", (), 0.9, a="cash from sales", b="capex", more=("dividends",))
    found = asked_for(covered, "Did Orla's cash from sales pay for capex and for dividends in 2023?")
    assert found is not None and found.title == "cash from sales less capex and dividends"


def test_a_rate_that_changes_is_that_of_the_part_that_is_named_with_it() -> None:
    change = AskedSum("change", "value", ("operating margin",), 0.95, "Pumps operating margin")
    found = asked_for(change, "By how many points did the Pumps operating margin of Orla move in 2023?")
    assert found is not None and (found.measure, found.part) == ("operating margin", "Pumps")
    for said in ("operating margin", "reported operating margin"):
        whole = asked_for(replace(change, a=said), f"How did Orla's {said} move in 2023?")
        assert whole is not None and whole.part == ""


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        ("What was Orla's rent relative to net revenue in 2023, in percent?", "percent"),
        ("How many cents of rent did Orla pay per dollar of net revenue in 2023?", "percent"),
        ("What was Orla's rent relative to net revenue in 2023?", None),
        ("What was Orla's rent relative to net revenue in 2023, 4.5% notes aside?", None),
    ],
)
def test_a_ratio_is_put_in_percent_where_that_is_asked_for(question: str, shown: str | None) -> None:
    found = asked_for(AskedSum("ratio", "value", (), 0.95, "rent", "net revenue"), question)
    assert found is not None and found.shown == shown


def test_what_more_than_doubled_grew_by_more_than_all_of_it() -> None:
    grown = AskedSum("growth", "yesno", (), 0.95, "net revenue")
    found = asked_for(grown, "Did Orla's net revenue more than double in 2023?")
    assert found is not None and (found.threshold, found.above) == ("100", True)


def test_the_one_figure_of_what_is_made_of_one_is_the_first() -> None:
    reading = Reading(question="What does Orla owe in 2024 and 2025 together, of its debt?")
    assert with_names(AskedSum("sum", "value", (), 0.95, b="debt"), reading).a == "debt"
    both = with_names(AskedSum("sum", "value", (), 0.95, more=("rent", "fees")), reading)
    assert (both.a, both.more) == ("rent", ("fees",))
    of_b = Reading(question="What part of sales and fees was it?")
    share = with_names(AskedSum("share", "value", (), 0.95, b="sales", more=("fees",)), of_b)
    assert share.a == ""


def test_the_other_side_of_a_margin_is_the_part_that_is_named_alone() -> None:
    question = "How far was Home's operating margin above that of Abroad?"
    reading = Reading(question=question, entities=("Abroad",), metrics=("operating margin",))
    named = with_names(AskedSum("difference", "value", (), 0.95, "Home"), reading)
    assert (named.operation, named.a, named.b) == ("difference", "Home", "Abroad")


def test_a_place_is_divided_by_in_the_line_item_of_the_other() -> None:
    reading = Reading(question="Long-term debt, Peru to Chile?", entities=("Peru", "Chile"))
    found = formula_of(AskedSum("ratio", "value", (), 0.95, "long-term debt Peru", "Chile"), reading)
    assert found is not None and dict(found.items)["b"] == "Chile long-term debt"


def test_what_a_line_items_name_lists_is_no_sum() -> None:
    name = "restructuring, impairment and other charges"
    read_as = AskedSum("sum", "value", (), 0.95, "restructuring plus impairment", more=("other charges",))
    reading = Reading(question=f"Orla's {name}, total for 2023?", metrics=(name,))
    whole = with_names(read_as, reading)
    assert (whole.a, whole.more) == (name, ())
    apart = with_names(replace(read_as, a="rent"), reading)
    assert (apart.a, len(apart.more)) == ("rent", 1)
    taxes = AskedSum("sum", "value", (), 0.95, "income taxes", more=("taxes payable",))
    both = Reading(question="Income taxes and taxes payable?", metrics=("income taxes payable",))
    assert len(with_names(taxes, both).more) == 1


def test_a_measure_is_not_told_from_one_of_its_line_items_unless_it_surely_is_that_one() -> None:
    read_as = AskedSum("measure", "value", ("inventory turnover",), 0.95)
    question = "How large was the allowance that Orla carried against the value of its inventory in 2023?"
    assert with_names(replace(read_as, of_measure=0.7), read(question)).operation == "none"
    assert with_names(replace(read_as, of_measure=0.9), read(question)).operation == "measure"


@pytest.mark.parametrize(
    ("question", "read_as", "formula", "items"),
    [
        (
            "Orla's inventory days in 2023, finished goods over cost of sales times 365?",
            AskedSum("measure", "value", ("days inventory",), 0.95, "finished goods", "cost of sales"),
            "a / b * days",
            ["finished goods", "cost of sales"],
        ),
        (
            "Orla's net debt in 2023: term loans plus bonds less restricted deposits?",
            AskedSum(
                "measure",
                "value",
                ("net debt",),
                0.95,
                "term loans",
                more=("bonds",),
                minus=("restricted deposits",),
            ),
            "a + more_1 - less_1",
            ["term loans", "bonds", "restricted deposits"],
        ),
        (
            "Orla's debt to equity in 2023, total liabilities over equity?",
            AskedSum("measure", "value", ("debt to equity",), 0.95, "total liabilities", "equity"),
            "a / b",
            ["total liabilities", "equity"],
        ),
        (
            "Orla's current ratio in 2023, current assets over current liabilities?",
            AskedSum("measure", "value", ("current ratio",), 0.95, "current assets", "current liabilities"),
            "",
            [],
        ),
    ],
)
def test_a_measure_is_made_as_the_question_spells_it_out(
    question: str, read_as: AskedSum, formula: str, items: list[str]
) -> None:
    found = asked_for(read_as, question)
    assert found is not None and found.formula == formula
    assert list(dict(found.items).values()) == items
    assert bool(found.measure) is not bool(formula)


@pytest.mark.parametrize(
    ("question", "read_as", "formula"),
    [
        (
            "Orla's return on assets in 2023, pretax profit over the average of opening and closing total assets?",
            AskedSum("measure", "value", ("return on assets",), 0.95, "pretax profit", "total assets"),
            "a / average(b)",
        ),
        (
            "Orla's ROA in 2023, pretax profit over average total assets less goodwill?",
            AskedSum(
                "measure",
                "value",
                ("return on assets",),
                0.95,
                "pretax profit",
                "average total assets",
                minus=("goodwill",),
            ),
            "a / (average(b) - average(less_1))",
        ),
        (
            "Orla's net debt in 2023, term loans less restricted deposits less pledged funds?",
            AskedSum(
                "measure",
                "value",
                ("net debt",),
                0.95,
                "term loans",
                "restricted deposits",
                minus=("pledged funds",),
            ),
            "a - less_1 - b",
        ),
        (
            "Orla's gross margin in 2023, net sales less cost of services over net sales?",
            AskedSum(
                "measure",
                "value",
                ("gross margin",),
                0.95,
                "net sales",
                "net sales",
                minus=("cost of services",),
            ),
            "(a - less_1) / a",
        ),
    ],
)
def test_a_spelled_out_measure_has_averages_and_each_figure_once(
    question: str, read_as: AskedSum, formula: str
) -> None:
    found = asked_for(read_as, question)
    assert found is not None and found.formula == formula


@pytest.mark.parametrize(
    ("words", "more", "minus", "formula"),
    [
        ("cash from operations", ("grants",), ("capex",), "a + more_1 - less_1"),
        ("rent received", ("grants",), (), "a + more_1"),
    ],
)
def test_a_measure_with_figures_of_others_is_spelled_out(
    words: str, more: tuple[str, ...], minus: tuple[str, ...], formula: str
) -> None:
    read_as = AskedSum("measure", "value", ("free cash flow",), 0.95, words, more=more, minus=minus)
    named = "cash from operations less capex" if words.startswith("cash") else words
    reading = read(f"Orla's free cash flow in 2023, {named}?")
    metrics = reading.metrics if words.startswith("cash") else (*reading.metrics, words)
    found = formula_of(read_as, reading.model_copy(update={"metrics": metrics}))
    assert found is not None and found.formula == formula


def test_two_parts_that_are_held_against_a_limit_spell_out_no_measure() -> None:
    read_as = AskedSum("measure", "yesno", ("operating margin",), 0.95, "Americas", "Europe")
    question = (
        "Was the operating margin of Orla's Americas segment more than 5% above that of Europe in 2023?"
    )
    found = asked_for(read_as, question)
    assert found is not None and found.apart and found.parts == ("Americas", "Europe")


def test_what_a_measure_is_less_of_alone_is_taken_from_it() -> None:
    read_as = AskedSum("measure", "value", ("net debt",), 0.95, "bank loans", minus=("restricted deposits",))
    found = asked_for(read_as, "Orla's net debt in 2022 and 2023, bank loans less restricted deposits?")
    assert found is not None and (found.formula, found.across) == ("a - less_1", "")


@pytest.mark.parametrize(
    ("question", "measure", "a", "b", "threshold"),
    [
        (
            "payout in 2023, cash divs paid / NI attributable: over 70%?",
            "payout ratio",
            "cash divs paid",
            "NI attributable",
            "70",
        ),
        (
            "interest cover in 2023, cash earnings over finance charges, above 3 times?",
            "interest coverage",
            "cash earnings",
            "finance charges",
            "3",
        ),
    ],
)
def test_a_measure_held_against_a_limit_is_of_figures_and_not_of_parts(
    question: str, measure: str, a: str, b: str, threshold: str
) -> None:
    found = asked_for(AskedSum("measure", "yesno", (measure,), 0.95, a, b), f"Was Orla's {question}")
    assert found is not None and (found.formula, found.threshold, found.parts) == ("a / b", threshold, ())
    assert dict(found.items) == {"a": a, "b": b}


def test_words_of_nothing_stand_behind_no_figure_in_particular() -> None:
    read_as = AskedSum("ratio", "value", (), 0.95, "rent", "net sales", more=("",), minus=("",))
    assert stands_behind("", read_as, "Orla's rent by net sales in 2023?") == "a"
    net_debt = AskedSum("measure", "value", ("net debt",), 0.95, "bank loans", minus=("",))
    found = formula_of(net_debt, read("Orla's net debt in 2023, bank loans less?"))
    assert found is None or found.measure
