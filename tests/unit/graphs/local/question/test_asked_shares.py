"""Shares as a question asks for them: of what whole, and how a share moved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from graphs.local.question.computing import _asked
from graphs.local.question.named_spans import with_names
from graphs.local.question.reading import read_question
from tests.accounts import CATALOG
from tools.calculate.questions import AskedSum
from tools.calculate.shares import share_items
from tools.calculate.types import Asked
from tools.scope import Scope

OF_ALL = "a / whole"
"""The formula of a share whose whole nobody knows."""
CEREAL = AskedSum("share", "value", (), 0.95, "cereal", "the total")
FREIGHT = AskedSum("share", "value", (), 0.95, "freight", of_measure=0.95)
SPENT = "How much of every dollar that it took did Orla spend on freight in 2023?"


def asked_for(read: AskedSum, question: str) -> Asked:
    reading = read_question(question, CATALOG, Scope())
    found = _asked(with_names(read, reading), reading)
    assert found is not None
    return found


def is_of(found: Asked, part: str, whole: str) -> bool:
    """Whether it is the share of a part in a whole."""
    return found.is_share and (found.formula, found.items) == ("a / b", share_items(part, whole))


@pytest.mark.parametrize("total", ["the total", "total", "totals"])
@pytest.mark.parametrize("metric", ["net revenue", "net income"])
def test_a_share_of_the_total_is_one_of_the_only_metric_that_is_named(metric: str, total: str) -> None:
    question = f"Orla's {metric} by product in 2023: cereal as a % of {total}"
    found = asked_for(replace(CEREAL, b=total), question)
    assert is_of(found, "cereal", metric) and found.title == f"share of cereal in {metric}"


def test_a_share_of_the_total_of_a_figure_that_its_part_names_is_one_of_that() -> None:
    found = asked_for(replace(CEREAL, a="cereal sales"), "Orla's cereal sales in 2023 as a % of the total")
    assert is_of(found, "cereal", "sales")


@pytest.mark.parametrize(
    "named", ["Orla's net revenue and net income by product", "Orla by product", "Orla's products"]
)
def test_a_share_of_the_total_is_of_no_metric_where_none_or_several_are_named(named: str) -> None:
    found = asked_for(CEREAL, f"{named} in 2023: cereal as a % of the total")
    assert (found.formula, found.items) == (OF_ALL, (("a", "cereal"),))


def test_total_assets_are_a_whole_of_their_own() -> None:
    question = "Orla's net revenue is no matter: cereal as a % of total assets in 2023"
    assert is_of(asked_for(replace(CEREAL, b="total assets"), question), "cereal", "total assets")


@pytest.mark.parametrize(
    ("measure", "whole"), [("net margin", "Total net revenue"), ("equity ratio", "Total assets")]
)
def test_a_share_whose_whole_nobody_names_is_of_the_divisor_of_the_surely_likeliest_measure(
    measure: str, whole: str
) -> None:
    assert is_of(asked_for(replace(FREIGHT, measures=(measure, "payout ratio")), SPENT), "freight", whole)


@pytest.mark.parametrize(
    ("measures", "of_measure"),
    [
        (("net margin",), 0.7),
        (("return on assets",), 0.95),  # by an average
        (("no such measure", "net margin"), 0.95),
        ((), 0.95),
    ],
)
def test_a_share_whose_whole_can_not_be_told_is_of_all_parts(
    measures: tuple[str, ...], of_measure: float
) -> None:
    found = asked_for(replace(FREIGHT, measures=measures, of_measure=of_measure), SPENT)
    assert (found.formula, found.items) == (OF_ALL, (("a", "freight"),))


def test_a_whole_that_is_named_goes_before_the_divisor_of_the_likeliest_measure() -> None:
    likely = replace(FREIGHT, measures=("equity ratio",))
    assert is_of(asked_for(likely, f"{SPENT[:-1]}, of its net revenue?"), "freight", "net revenue")
    total = asked_for(
        replace(likely, b="the total"), "Orla's net revenue in 2023: freight of the total, in %?"
    )
    assert is_of(total, "freight", "net revenue")


@pytest.mark.parametrize(
    ("question", "span", "part", "whole"),
    [
        ("Orla: US share of sales, 2022 to 2023, change in points", "US share of sales", "US", "sales"),
        ("Orla: US share of sales, 2022 to 2023, change in points", "US sales", "US", "sales"),
        ("orla: us share of sales, 2022 to 2023, change in points", "us sales", "US", "sales"),
        ("By how many points did the US share of Orla's sales move in 2023?", "US sales", "US", "sales"),
        ("By how many points did the US slice of the total sales of Orla move?", "US sales", "US", "sales"),
        ("By how many points did Europe's share of Orla's sales move?", "Europe sales", "Europe", "sales"),
        ("By how many points did Europe’s share of Orla's sales move?", "sales", "Europe", "sales"),
        ("By how many points did the Americas' share of sales move at Orla?", "sales", "Americas", "sales"),
        (
            "By how many points did the Latin America proportion of its total sales move at Orla?",
            "Latin America sales",
            "Latin America",
            "sales",
        ),
    ],
)
def test_a_share_that_moved_is_a_change_of_a_part_in_its_whole(
    question: str, span: str, part: str, whole: str
) -> None:
    found = asked_for(AskedSum("change", "value", (), 0.95, span), question)
    assert is_of(found, part, whole)
    assert (found.across, found.shown) == ("change", "percent")
    assert found.title == f"change of share of {part} in {whole}"


def test_a_share_on_average_is_one_of_a_part_in_its_whole() -> None:
    read_as = AskedSum("average", "value", (), 0.95, "US sales")
    found = asked_for(read_as, "What was the US percentage of sales at Orla on average in 2022 and 2023?")
    assert is_of(found, "US", "sales") and found.across == "average"


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("How did Orla's earnings share of stock move in 2023?", "earnings"),
        ("How did the share of women at Orla move in 2023?", "share of women"),
        ("How did Orla's US shops and their share of lamp sales move in 2023?", "US sales"),
    ],
)
def test_what_has_not_both_part_and_whole_around_share_of_moved_itself(question: str, span: str) -> None:
    found = asked_for(AskedSum("change", "value", (), 0.95, span), question)
    assert (found.formula, found.items, found.is_share) == ("a", (("a", span),), False)


def test_a_whole_that_was_read_goes_before_words_of_the_part() -> None:
    read_as = AskedSum("change", "value", (), 0.95, "US share of sales", "net income")
    found = asked_for(read_as, "Orla: US share of sales by net income, 2022 to 2023, change in points")
    assert dict(found.items) == {"a": "US share of sales", "b": "US net income"}
