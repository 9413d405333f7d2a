"""Parts of a company that a question names and what was computed leaves out."""

from __future__ import annotations

import pytest

from tests.accounts import ANNUAL, PARTS, Y22, Y23, calculation, graph_of, line, made, result, year
from tools.calculate.left_out import names_left_out, set_aside, words_beside
from tools.calculate.types import Asked
from tools.knowledge.lexicon.metric_names import fold_label

PHRASES = frozenset({"spending", "rest of world", "europe", "world", "december", "free cash flow"})


@pytest.mark.parametrize(
    ("said", "covered", "left"),
    [
        ("Growth of spending in Rest of World?", frozenset(), ("Rest of World",)),
        ("Growth of spending in Rest of World?", frozenset({"rest", "world"}), ()),
        ("Growth of spending in rest of world?", frozenset(), ()),
        ("Europe: growth of spending?", frozenset(), ("Europe",)),
        ("Spending: growth in Europe?", frozenset({"europe"}), ()),
        ("Spending in Europe and the Rest of World?", frozenset({"rest", "world"}), ("Europe",)),
        ("Spending in December in Borduria?", frozenset(), ()),
    ],
)
def test_names_of_tables_that_nothing_covers_are_left_out(
    said: str, covered: frozenset[str], left: tuple[str, ...]
) -> None:
    assert names_left_out(said, PHRASES, covered) == left


SPENDING = line(ANNUAL, "Capital spending", {Y23: "90", Y22: "60"}, statement="cash_flow")
OVERSEAS = line(ANNUAL, "Net revenue", {Y23: "9", Y22: "6"}, **{**PARTS, "path": ("Overseas Trade",)})


@pytest.mark.parametrize(
    ("said", "computed"),
    [
        ("How much did Orla's capital spending grow in 2023?", True),
        ("How much did Orla's capital spending in Overseas Trade grow in 2023?", False),
    ],
)
def test_a_sum_of_the_whole_is_no_answer_about_a_part(said: str, computed: bool) -> None:
    asked = Asked(formula="a", items=(("a", "capital spending"),), across="growth", said=said)
    found, missing = made(asked, year(2023), graph=graph_of(SPENDING, OVERSEAS))
    values = [each.value for item in found if item.calculation for each in item.calculation.results]
    assert any(values) is computed
    assert missing == (() if computed else ("a figure of Overseas Trade",))


def test_what_is_set_aside_is_told_from_what_is_left() -> None:
    assert set_aside("Profit excluding the gain on sale, please?", (), frozenset()) == ("the gain on sale",)
    assert set_aside("Leaving the gain on sale out, how was it?", (), frozenset()) == ("the gain on sale",)
    assert set_aside("Profit after leaving the joint venture in 2021?", (), frozenset()) == ()
    assert set_aside("Profit excluding the gain on sale?", (), frozenset({"gain", "sale"})) == ()


@pytest.mark.parametrize(
    ("said", "label", "found"),
    [
        ("Gross margin on licences in 2023?", "Licences and upkeep", ("licences",)),
        ("Gross margin from its licences?", "Licences and upkeep", ("licences",)),
        ("Licences gross margin?", "Licences and upkeep", ("Licences",)),
        ("Gross margin in the far north?", "Far north", ("far north",)),
        ("Gross margin on licences?", "Upkeep and licences", ()),
        ("Gross margin on products?", "Products", ("products",)),
        ("Gross margin on products?", "Products and upkeep", ()),  # an ordinary word begins many a label
        ("Gross margin beside licences?", "Licences and upkeep", ()),
    ],
)
def test_words_beside_a_measure_are_those_of_a_label_or_begin_one(
    said: str, label: str, found: tuple[str, ...]
) -> None:
    phrases, covered = frozenset({fold_label(label)}), frozenset({"licence", "product", "far", "north"})
    assert words_beside(said, phrases, frozenset()) == found
    assert words_beside(said, phrases, covered) == ()


MADE = {"Licences and upkeep": ("1000", "200"), "Tools": ("3000", "2200")}
"""Revenue and its cost."""


def test_a_margin_on_something_is_of_the_lines_that_begin_so() -> None:
    rows = [
        line(ANNUAL, label, {Y23: value}, **{**PARTS, "path": (heading,)})
        for label, values in MADE.items()
        for heading, value in zip(("Net revenue", "Cost of sales"), values, strict=True)
    ]
    whole = [line(ANNUAL, "Total net revenue", {Y23: "4000"}), line(ANNUAL, "Cost of sales", {Y23: "2400"})]
    margin = Asked(measure="gross margin", said="What was Orla's gross margin on licences in 2023?")
    assert result(margin, year(2023), graph=graph_of(*whole, *rows)).value == "0.8"
    all_of_it = margin.model_copy(update={"said": "What was Orla's gross margin in 2023?"})
    assert result(all_of_it, year(2023), graph=graph_of(*whole, *rows)).value == "0.4"


SALES = line(ANNUAL, "Net sales", {Y23: "1000", Y22: "800"})
PLACES = [
    *line(ANNUAL, "Canada", {Y23: "300", Y22: "200"}, **{**PARTS, "path": ("Net sales",)}),
    *line(ANNUAL, "US", {Y23: "600", Y22: "500"}, **{**PARTS, "path": ("Net sales",)}),
    *line(ANNUAL, "Online shops", {Y23: "100", Y22: "100"}, **{**PARTS, "path": ("Net sales",)}),
]
NON_US = line(ANNUAL, "Non-US sales", {Y23: "404"}, statement="other", page=70)


def figure(words: str, across: str = "") -> Asked:
    return Asked.model_validate({"formula": "a", "items": {"a": words}, "across": across})


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("sales outside Canada", "700000000"),
        ("net sales made outside of Canada", "700000000"),
        ("sales outside the US", "400000000"),
        ("non-US revenue", "400000000"),
    ],
)
def test_a_figure_outside_a_place_is_the_whole_less_that_of_the_place(words: str, value: str) -> None:
    found = result(figure(words), year(2023), graph=graph_of(SALES, PLACES))
    assert (found.value, found.formula) == (value, "(a_whole - a_part)")


def test_a_change_outside_a_place_is_of_whole_less_part_at_both_times() -> None:
    found = result(
        figure("sales outside Canada", "change"), year(2022), year(2023), graph=graph_of(SALES, PLACES)
    )
    assert found.value == "100000000"
    assert [each.value for each in found.operands] == ["1000", "300", "800", "200"]


def test_a_printed_line_of_what_is_outside_a_place_goes_before_whole_less_part() -> None:
    found = result(figure("non-US sales"), year(2023), graph=graph_of(SALES, PLACES, NON_US))
    assert [each.label for each in found.operands] == ["Non-US sales"]


@pytest.mark.parametrize("words", ["sales outside Peru", "sales outside online shops"])
def test_no_figure_is_outside_what_is_no_place_or_has_no_figure(words: str) -> None:
    assert made(figure(words), year(2023), graph=graph_of(SALES, PLACES))[0] == []


def test_parts_that_a_question_sets_aside_are_not_ranked() -> None:
    asked = Asked(
        formula="a",
        items={"a": "net revenue"},
        over="part",
        pick="highest",
        set_words="segments",
        said="Taking Americas out, which segment had the highest net revenue?",
    )
    results = calculation(asked, year(2023)).results
    assert {each.name for each in results} == {"Europe", "Asia Pacific"}
    every = calculation(
        asked.model_copy(update={"said": "Which segment had the highest?"}), year(2023)
    ).results
    assert {each.name for each in every} == {"Americas", "Europe", "Asia Pacific"}
