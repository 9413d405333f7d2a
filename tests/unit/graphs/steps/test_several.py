"""graphs.steps.several: the answers to a turn's questions as one."""

from __future__ import annotations

from typing import Any

from graphs.contracts import Answer, Citation, Route, Statement, Usage, Verdict
from graphs.steps.several import together

ROUTE = Route(kind="abstractive", tools=("vector_search",), reason="r", confidence=1.0)
TURN = "Who sold it, and when?"


def answer(question: str, text: str, status: str = "answered", **more: Any) -> Answer:
    known: dict[str, Any] = {
        "standalone_question": question,
        "status": status,
        "reason": "no_evidence" if status == "abstained" else None,
        "route": ROUTE,
        "citations": (Citation(marker=1, source="vector", document="d", page=1, quote="q"),),
        "faithfulness": Verdict(statements=(Statement(text=text, supported=True),), score=1.0),
    }
    return Answer(question=question, answer=text, **{**known, **more})


def test_what_is_said_again_is_left_out_and_leads_stay_over_their_own_lines() -> None:
    first = answer(TURN, "Orla says:\n- It rained [1].\n\nTilbrook says:\n- It snowed [1].")
    again = answer("When?", "Orla says:\n- It rained [1].\n- It thawed [1].")
    text = together([first, again], TURN).answer
    assert text.count("It rained") == 1
    assert text.endswith("Orla says:\n- It thawed [1].")


def test_a_quotation_that_a_longer_one_has_is_left_out_and_a_figure_that_names_a_quoted_word_stays() -> None:
    short = answer(TURN, "Orla: “It rained all day.” [1]")
    long = answer("When?", "Orla: “In May it was wet. It rained all day.” [1]")
    assert together([short, long], TURN).answer == long.answer
    figure = answer(TURN, "Net sales of 'Orchard' were 5 million USD [1].")
    other = answer("When?", "Orla: “We closed the Orchard store in the second week of the month of May.” [1]")
    assert figure.answer in together([figure, other], TURN).answer


def test_what_stays_open_is_named_without_markers_and_other_refusals_as_they_stand() -> None:
    open_ = answer("When [3]?", "Nothing.", "abstained")
    unclear = answer("Where?", "Which company do you mean?", "abstained", reason="ambiguous")
    made = together([answer(TURN, "Orla sold it [1]."), open_, unclear], TURN)
    assert made.status == "partial"
    assert made.answer == ("Orla sold it [1].\n\nWhich company do you mean?\n\nNothing found for: “When ?”.")
    assert [each.marker for each in made.citations] == [1]


def test_where_all_abstain_the_first_refusal_stands_with_what_all_of_it_cost() -> None:
    last = answer("When?", "Nothing.", "abstained", usage=Usage(calls=2), seconds={"total": 9.0})
    made = together([answer(TURN, "No.", "abstained", seconds={"total": 1.0}), last], TURN)
    assert (made.answer, made.status, made.usage.calls, made.seconds) == (
        "No.",
        "abstained",
        2,
        {"total": 9.0},
    )
