from __future__ import annotations

from graphs.local.question.line_items import with_line_items
from tools.knowledge.lexicon.metric_names import find_metrics

LABEL = "effect of exchange rates on cash and cash equivalents"
QUESTION = f"What was the {LABEL} at Orla?"


def found(question: str, *names: str, taken: tuple[tuple[int, int], ...] = ()) -> list[str]:
    return [m.text for m in with_line_items(question, find_metrics(question), taken, frozenset(names))]


def test_a_printed_label_takes_the_place_of_the_metric_inside_it() -> None:
    assert found(QUESTION) == ["cash and cash equivalents"]
    assert found(QUESTION, LABEL) == [LABEL]


def test_the_longest_label_is_taken() -> None:
    assert found(QUESTION, "effect of exchange rates", LABEL) == [LABEL]
    assert found(QUESTION, "exchange rates") == ["exchange rates", "cash and cash equivalents"]


def test_one_word_a_name_with_capitals_and_a_company_s_name_are_no_labels() -> None:
    assert found("Are ploughs sold?", "ploughs") == []
    assert found("Are Kestrel Ploughs sold?", "kestrel ploughs") == []
    assert found("Are harrow tools sold?", "harrow tools") == ["harrow tools"]
    assert found("Are harrow tools sold?", "harrow tools", taken=((4, 10),)) == []


def test_a_label_inside_a_metric_that_is_known_changes_nothing() -> None:
    assert found("What was cash and cash equivalents?", "cash equivalents") == ["cash and cash equivalents"]


def test_a_row_that_is_called_by_its_period_is_no_label() -> None:
    question = "What was the backlog of fiscal 2021?"
    own = frozenset({"fiscal 2021"})
    assert [m.text for m in with_line_items(question, [], (), own)] == ["fiscal 2021"]
    assert with_line_items(question, [], (), own, [(24, 35)]) == []
