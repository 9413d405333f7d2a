"""Questions are read into topics, and topics are asked of now."""

from __future__ import annotations

import pytest

from agent.assistant import Assistant
from graphs.contracts import Suggestion
from graphs.local.dialogue.suggestions import LocalSuggester
from graphs.local.dialogue.topics import is_asked, item_asked, questions_about, topic_named, words_of
from tools.scope import Scope

REVENUE = "What was Calderith's total revenue in the quarter ended April 1, 2023?"


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        (REVENUE, "CDTH/figure/revenue"),
        ("How much revenue did Calderith make?", "CDTH/figure/revenue"),
        ("Why did Calderith's gross margin change in 2023?", "CDTH/why/gross margin"),
        ("What drove Harrowmere's net sales?", "HRWM/why/revenue"),
        ("What did Harrowmere's management say about gross margin?", "HRWM/views/gross margin"),
        ("Who asked about gross margin on Harrowmere's call?", "HRWM/asked/gross margin"),
        ("Who is the CFO of Calderith?", "CDTH/officers"),
        ("Summarise Calderith's results for 2024.", "CDTH/results"),
        ("What was gross margin?", ""),
        ("Hello", ""),
        ("What about Calderith?", ""),
        ("What was Microsoft's revenue?", ""),
    ],
)
def test_a_question_is_read_into_what_it_is_about_without_its_period(
    assistant: Assistant, question: str, topic: str
) -> None:
    assert item_asked(question, assistant.current()) == topic
    assert str(topic_named(topic) or "") == topic


def test_a_topic_is_asked_of_the_latest_period_and_read_as_itself_again(assistant: Assistant) -> None:
    index = assistant.current()
    (asked,) = questions_about("CDTH/figure/revenue", index)
    assert (
        asked.question
        == "What was Calderith Semiconductor's total revenue in the quarter ended March 30, 2024?"
    )
    for topic in ("CDTH/why/revenue", "HRWM/views/gross margin", "CDTH/officers"):
        wordings = [each.question for each in questions_about(topic, index)]
        assert wordings and {item_asked(each, index) for each in wordings} == {topic}


@pytest.mark.parametrize(
    "item", ["MSFT/figure/revenue", "CDTH/figure/no such line", "CDTH/figure", "document/none.pdf", "B000142"]
)
def test_what_the_index_does_not_have_is_not_asked(assistant: Assistant, item: str) -> None:
    assert [*questions_about(item, assistant.current())] == []


def test_a_document_is_asked_for_its_results(assistant: Assistant) -> None:
    (asked,) = questions_about("document/10Q-Q2-2024.pdf", assistant.current())
    assert (
        asked.question == "What were Calderith Semiconductor's results in the quarter ended March 30, 2024?"
    )


def test_items_are_called_as_a_reader_calls_them() -> None:
    assert words_of("CDTH/figure/gross margin") == "gross margin"
    assert words_of("CDTH/why/revenue") == "why revenue changed"
    assert words_of("document/a.pdf") == "a.pdf" and words_of("B000142") == "B000142"
    assert not is_asked("B000142") and is_asked("document/a.pdf")


class Wont:
    """An order that names these after whatever was done, and keeps what it was told."""

    has_learned = True

    def __init__(self, *named: tuple[str, str]) -> None:
        self.named, self.past = named, list[tuple[str, float]]()

    def after(self, past: list[tuple[str, float]]) -> tuple[tuple[str, str], ...]:
        self.past = past
        return self.named if past else ()


def suggested(
    assistant: Assistant, order: Wont | None, turns: tuple[tuple[str, float], ...] = ()
) -> tuple[Suggestion, ...]:
    ranker = assistant.engine.ranker
    assert ranker is not None
    return LocalSuggester(ranker, order).suggest(
        assistant.ask(REVENUE), assistant.current(), Scope(), (), lambda: turns, lambda: False
    )


def test_what_others_went_on_to_comes_first_and_rules_fill_the_rest(assistant: Assistant) -> None:
    by_rule = suggested(assistant, None)
    order = Wont(
        ("MSFT/figure/revenue", "of no index"),
        ("CDTH/figure/no such line", "of no document"),
        ("CDTH/why/gross margin", "7 of 18 users went on to it"),
    )
    found = suggested(assistant, order, (("Who is the CFO of Calderith?", 5.0), ("Hello", 6.0)))
    assert found[0].why == "7 of 18 users went on to it"
    assert found[0].question.startswith(
        "Why did Calderith Semiconductor's gross margin change in the quarter"
    )
    assert len(found) == 3 and found[1:] == by_rule[:2]
    assert assistant.ask(found[0].question).status == "answered"
    (first, last) = order.past
    assert first == ("CDTH/officers", 5.0) and last[0] == "CDTH/figure/revenue" and last[1] > 1e9


@pytest.mark.parametrize("order", [Wont(), Wont(("unknown", "x")), Wont(("CDTH/figure/revenue/", "x"))])
def test_an_order_that_knows_nothing_changes_nothing(assistant: Assistant, order: Wont) -> None:
    assert suggested(assistant, order) == suggested(assistant, None)


def test_what_was_just_asked_is_not_suggested_by_an_order(assistant: Assistant) -> None:
    now = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
    ranker = assistant.engine.ranker
    assert ranker is not None
    suggester = LocalSuggester(ranker, Wont(("CDTH/figure/revenue", "x")))
    found = suggester.suggest(assistant.ask(now), assistant.current(), Scope(), [now], tuple, lambda: False)
    assert all(not each.why for each in found)
