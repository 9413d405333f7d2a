"""Formulas for what a question asks to be computed, as it was read."""

from __future__ import annotations

import pytest

from graphs.contracts import Reading
from graphs.local.question.asked_formulas import SALES
from graphs.local.question.computing import (
    _asked,
    _by_size,
    _unread,
    _with_names,
)
from graphs.local.question.reading import read_question
from tests.accounts import CATALOG
from tools.calculate.questions import AskedSum
from tools.calculate.types import Asked
from tools.scope import Scope

ANY = Scope()


def read(question: str) -> Reading:
    return read_question(question, CATALOG, ANY)


def asked_for(read: AskedSum, question: str) -> Asked | None:
    found = read_question(question, CATALOG, ANY)
    return _asked(_with_names(read, found), found)


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


@pytest.mark.parametrize(
    ("a", "part"), [("Orla revenue", ""), ("revenue", ""), ("Europe revenue", "Europe"), ("net margin", "")]
)
def test_a_part_of_a_measure_is_what_is_neither_a_line_item_of_it_nor_the_company(a: str, part: str) -> None:
    read = AskedSum("measure", "value", ("net margin",), 0.9, a)
    found = asked_for(read, "What was Orla's net margin, of revenue, in 2023?")
    assert found is not None and found.part == part


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


def test_a_piece_of_a_line_item_is_the_whole() -> None:
    read = AskedSum("sum", "value", (), 0.9, "additions")
    found = asked_for(
        read, "What did Orla's additions to property, plant and equipment come to in 2022 and 2023?"
    )
    assert found is not None and found.items == (("a", "additions to property, plant and equipment"),)


def test_what_can_not_be_read_names_the_line_items() -> None:
    assert "operating income" in _unread(MEASURE, read("What of Orla's operating income and goodwill?"))
    assert _unread(AskedSum("none", "highest", (), 0.9), Reading(question="Which is best?")) == "a ranking"


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
