"""Which questions are open, what is asked back, and how a reply is understood."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from evals.routes import load_catalog
from graphs.contracts import Clarification
from graphs.local.dialogue import clarification as clarifying
from graphs.local.dialogue.clarification import clarification, is_open
from graphs.local.dialogue.clarified import settled, settled_name, short_name
from graphs.local.dialogue.clarifier import LocalClarifier
from graphs.local.question.reading import read_question
from tests.pieces import piece
from tools.evidence import Evidence, Fact
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

CATALOG = load_catalog()
ASKED = "What was net income?"
OPTIONS = Clarification(
    question="Which company do you mean?",
    options=("Aflac Incorporated", "Amazon.com, Inc.", "Apple Inc.", "Intel Corporation"),
)
NAMES = {option: CATALOG.name(CATALOG.find(option) or option) for option in OPTIONS.options}


def reading(question: str) -> Any:
    return read_question(question, CATALOG, known_names=frozenset())


class Holding:
    """An index whose named companies hold the figure that is looked for."""

    notice, number, catalog = "", 1, CATALOG

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = keys
        self.wanted = getattr(self, "wanted", [])

    def kg_search(self, *asked: Any) -> list[Evidence]:
        self.wanted.append(asked[2])
        fact = Fact(
            metric="Net income",
            value="5",
            unit="USD",
            printed="5",
            period=Period(fiscal_year=2023),
            match=0.78,
        )
        return [
            piece(rank, "net income", fact).model_copy(
                update={"company_key": key, "company": CATALOG.name(key), "kind": "fact"}
            )
            for rank, key in enumerate(self.keys, start=1)
        ]


def asked_back(keys: Sequence[str]) -> Clarification | None:
    index: Any = Holding(keys)
    return clarification(reading(ASKED), index)


@pytest.mark.parametrize(
    ("question", "open_"),
    [
        (ASKED, True),
        ("What was operating income?", True),
        ("Who is the CFO?", True),
        ("Summarize the quarter's results", True),
        ("What was Apple's net income?", False),
        ("What was Tesla's net income?", False),
        ("Which company had the highest net income?", False),
        ("What was the net income of each company?", False),
        ("Who reported the most revenue?", False),
        ("Which analysts asked about net income?", False),
        ("Why did net income fall?", False),
        ("What do executives think of inflation?", False),
    ],
)
def test_only_a_fact_of_nobody_in_particular_is_open(question: str, open_: bool) -> None:
    assert is_open(reading(question), CATALOG) is open_


def test_the_options_are_the_companies_that_hold_it_by_name_each_once() -> None:
    asked = asked_back(["NVDA", "AAPL", "AAPL", "AMZN"])
    assert asked is not None
    assert list(asked.options) == [CATALOG.name(key) for key in ("AMZN", "AAPL", "NVDA")]
    assert asked.question == "Which company do you mean?"


def test_one_company_that_holds_it_is_no_question() -> None:
    assert asked_back(["AAPL", "AAPL"]) is None and asked_back([]) is None


def test_nine_are_named_and_the_others_counted() -> None:
    keys = sorted(CATALOG.companies)[:50]
    asked = asked_back(keys)
    assert asked is not None and len(asked.options) == 9
    assert asked.question == "Which company do you mean? There are 41 more: you may name any."
    assert asked == asked_back(keys[::-1])


def test_of_too_many_companies_no_more_are_looked_for_than_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clarifying, "MAX_COMPANIES_LOOKED_AT", 20)
    wanted: list[int] = []
    monkeypatch.setattr(Holding, "wanted", wanted, raising=False)
    asked = asked_back(sorted(CATALOG.companies)[:30])
    assert asked is not None and len(asked.options) == 9
    assert asked.question == "Which company do you mean? There may be more: you may name any."
    assert wanted == [32], "the cost does not grow with the companies"


def test_nothing_is_looked_for_where_no_company_has_figures_of_the_period() -> None:
    index: Any = Holding(["AAPL", "NVDA"])
    scope = Scope(periods=(PeriodFilter(end=date(1950, 12, 31)),))
    assert clarification(reading(ASKED).model_copy(update={"scope": scope}), index) is None
    assert not index.wanted


def test_a_company_that_takes_all_places_among_too_many_is_not_the_only_one_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(clarifying, "MAX_COMPANIES_LOOKED_AT", 40)
    keys = sorted(CATALOG.companies)

    class Crowded(Holding):
        def kg_search(self, question: str, scope: Any, *asked: Any) -> list[Evidence]:
            self.keys = [key for key in keys[:30] if key in scope.companies] if scope.companies else keys[:1]
            return super().kg_search(question, scope, *asked)

    index: Any = Crowded(keys)
    asked = clarification(reading(ASKED), index)
    assert asked is not None and len(asked.options) == 9
    assert len(index.wanted) == 2, "of the others no more are looked at than are needed"


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        ("3", "Apple Inc."),
        ("3.", "Apple Inc."),
        ("option 2", "Amazon.com, Inc."),
        ("the first one", "Aflac Incorporated"),
        ("4th", "Intel Corporation"),
        ("last", "Intel Corporation"),
        ("Apple Inc.", "Apple Inc."),
        ("apple", "Apple Inc."),
        ("APPLE INC", "Apple Inc."),
        ("aapl", "Apple Inc."),
        ("amazon please", "Amazon.com, Inc."),
        ("I meant Amazon", "Amazon.com, Inc."),
        ("what about intel?", "Intel Corporation"),
        ("Itnel", "Intel Corporation"),
        ("NVIDIA", "NVIDIA Corporation"),
    ],
)
def test_a_reply_names_a_company_in_many_ways(reply: str, named: str) -> None:
    known = short_name(CATALOG.name(CATALOG.find(named) or ""), CATALOG)
    assert settled(reply, ASKED, options(), CATALOG) == f"What was net income for {known}?"


def options() -> Clarification:
    """The options under the names that the catalog gives them."""
    return OPTIONS.model_copy(update={"options": tuple(NAMES.values())})


@pytest.mark.parametrize(
    ("reply", "keys"),
    [
        ("both", ["AFL", "AMZN", "AAPL", "INTC"]),
        ("all of them", ["AFL", "AMZN", "AAPL", "INTC"]),
        ("1 and 3", ["AFL", "AAPL"]),
        ("Apple and Amazon", ["AAPL", "AMZN"]),
    ],
)
def test_several_are_asked_about_together(reply: str, keys: list[str]) -> None:
    found = settled(reply, ASKED, options(), CATALOG)
    assert [mention.key for mention in CATALOG.link(found)] == keys


def test_a_period_in_the_reply_is_kept() -> None:
    found = settled("Apple in Q2 2023", "What was net income?", options(), CATALOG)
    assert found == "What was net income for Apple in Q2 2023?"


@pytest.mark.parametrize(
    "reply",
    [
        "What was Intel's revenue in 2022?",
        "who is the CEO of Aflac",
        "Apple net sales Q3 2023",
        "How did gross margin change?",
        "gross margin",
        "and revenue in 2022?",
        "in the quarter ended July 1, 2023",
    ],
)
def test_another_question_is_taken_as_it_is(reply: str) -> None:
    assert settled(reply, ASKED, options(), CATALOG) == reply


DESCRIBED = ("the one with the highest revenue", "the latest one", "no company in particular, latest year")
"""Options that are described, which no rule here tells apart."""


@pytest.mark.parametrize(
    "reply", ["", "  ", "0", "12", "I don't know", "none", "never mind", "\x1b[2J", "Tesla", *DESCRIBED]
)
def test_what_names_none_settles_nothing(reply: str) -> None:
    assert settled(reply, ASKED, options(), CATALOG) == ""


def test_a_command_stays_one() -> None:
    assert settled("intel", "Summarize the results", options(), CATALOG) == "Summarize the results for Intel."


def test_an_officer_is_asked_for_at_a_company() -> None:
    assert settled("2", "Who is the CFO?", options(), CATALOG) == "Who is the CFO at AMAZON?"


MISSPELT = "What was Adeflac's net income?"


@pytest.mark.parametrize(
    ("reply", "question"),
    [
        ("yes", "What was Aflac's net income?"),
        ("Yes, please.", "What was Aflac's net income?"),
        ("1", "What was Aflac's net income?"),
        ("no, Humana", "What was Humana's net income?"),
        ("What was Intel's revenue?", "What was Intel's revenue?"),
        ("no", ""),
    ],
)
def test_a_reply_to_did_you_mean_puts_the_name_right(reply: str, question: str) -> None:
    asked = Clarification(question="Did you mean Aflac Incorporated?", options=("Aflac Incorporated",))
    assert settled_name(reply, MISSPELT, "Adeflac", asked, CATALOG) == question


def test_a_name_that_is_nearly_a_companys_is_asked_back() -> None:
    index: Any = Holding(())
    open_ = LocalClarifier().left_open(reading("What was Humonna's net income?"), index, (), reading)
    assert open_ is not None
    assert open_.asked == Clarification(question="Did you mean Humana?", options=("Humana",))
    assert open_.settled("yes", CATALOG) == "What was Humana's net income?"
    assert LocalClarifier().left_open(reading("What was Zebedee's net income?"), index, (), reading) is None
