"""What executives say in answer to a question put as on a call: which passages, and which run of their sentences."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Reading
from graphs.local.answer.spoken_answer import MIN_RELEVANCE, quotes_for_analyst
from tools.evidence import Evidence

Make = Callable[..., Evidence]
ASKED = Reading(
    question="Could you talk about inventories at your distributors and where they go?", spoken=True
)
INVENTORIES = (
    "Ana Reyes: Where are inventories at your distributors?\n"
    "Marta Lindqvist: Inventories at our distributors came down by about two weeks in the quarter. "
    "We expect distributors to be back at normal inventories by the end of the year."
)
MORE = (
    "Marta Lindqvist: Inventories at distributors were the main topic of our meetings with customers. "
    "Distributors hold fewer sensors than they did a year ago."
)


def heard(item: Evidence, relevance: float) -> Evidence:
    return item.model_copy(update={"relevance": relevance})


def test_what_an_executive_answered_is_quoted_and_not_the_question(chunk: Make) -> None:
    [line] = quotes_for_analyst(ASKED, [heard(chunk(1, INVENTORIES, "exchange"), 0.8)])
    assert line.startswith("Marta Lindqvist (Orla Devices, Inc.): “Inventories at our distributors came down")
    assert line.endswith("[1]") and "Where are" not in line


def test_nothing_is_quoted_where_no_passage_speaks_of_it(chunk: Make) -> None:
    text = "Marta Lindqvist: The new foundry in Ostrava will be finished in spring of next year."
    item = chunk(1, text, "exchange")
    assert quotes_for_analyst(ASKED, [heard(item, 0.2)]) == []
    assert quotes_for_analyst(ASKED, [heard(item, MIN_RELEVANCE)]) != []
    assert quotes_for_analyst(ASKED, []) == []


def test_a_second_passage_is_quoted_of_the_same_company_alone(chunk: Make) -> None:
    best = heard(chunk(1, INVENTORIES, "exchange"), 0.8)
    own = heard(chunk(2, MORE, "exchange"), 0.8)
    strange = heard(chunk(2, MORE, "exchange", key="KEST", company="Kestrel Stores, Inc."), 0.8)
    assert [line[-3:] for line in quotes_for_analyst(ASKED, [best, own])] == ["[1]", "[2]"]
    assert [line[-3:] for line in quotes_for_analyst(ASKED, [best, strange])] == ["[1]"]


def test_a_passage_that_is_much_less_near_is_left_out(chunk: Make) -> None:
    best, far = heard(chunk(1, INVENTORIES, "exchange"), 0.8), heard(chunk(2, MORE, "exchange"), 0.1)
    assert [line[-3:] for line in quotes_for_analyst(ASKED, [best, far])] == ["[1]"]
