"""The scorer of computed answers, and its two sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.computed import Computed, cites_all, grade, questions, report
from evals.records import DATA
from graphs.contracts import Answer, Citation, Route

RANKED = {
    "choice": "Pumps",
    "expected": ("Pumps|pump line",),
    "formula": "argmax({'Valves': o1, 'Pumps': o2})",
}
CITED = ("orla 10K.pdf", 4), ("orla 10K.pdf", 9)


def asked(**more: Any) -> Computed:
    return Computed.model_validate({"id": "c", "kind": "ratio", "question": "q"} | more)


def answer(text: str, *pages: tuple[str, int], status: Any = "answered") -> Answer:
    return Answer(
        question="q",
        standalone_question="q",
        status=status,
        answer=text,
        route=Route(kind="extractive", tools=("kg_search",), reason="r", confidence=1),
        citations=tuple(
            Citation(marker=marker, source="graph", document=name, page=page, quote="x")
            for marker, (name, page) in enumerate(pages, 1)
        ),
        seconds={"total": 1.5},
    )


@pytest.mark.parametrize(
    ("more", "said", "worth"),
    [
        ({"choice": "yes"}, "Yes: it rose from 3 to 4 [1].", "right"),
        ({"choice": "yes"}, "No: it fell.\nYes, it was asked.", "wrong"),
        ({"choice": "no"}, "no, it fell [1].", "right"),
        ({"choice": "no"}, "Yes, it rose.", "wrong"),
        (RANKED, "Pumps, at 12.1% [1]; Valves at 3% [2].", "right"),
        (RANKED, "The pump line led Valves [1].", "right"),
        (RANKED, "Valves came before Pumps [1].", "wrong"),
        (RANKED, "Valves [1].\nPumps [2].", "wrong"),
        (RANKED, "It was 12.1% [1].", "wrong"),
        ({"choice": "cannot"}, "It can't be computed: no page states the debt.", "right"),
        ({"choice": "cannot"}, "A growth rate is not meaningful here.", "right"),
        ({"choice": "cannot"}, "It was 12.1% [1].", "wrong"),
    ],
)
def test_a_choice_is_the_first_thing_that_the_lead_says(more: dict[str, Any], said: str, worth: str) -> None:
    assert grade(asked(**more), answer(said)) == worth


@pytest.mark.parametrize(
    ("value", "said", "worth"),
    [
        (12.3, "It was 12.3% [1].", "right"),
        (12.3, "It was 12.36% [1].", "right"),  # within half a percent of the value
        (12.3, "It was 12.4% [1].", "wrong"),
        (12.3, "It rose [1].\nIt was 12.3%.", "wrong"),  # the lead alone counts
        (3.0, "It was high [3].", "wrong"),  # a marker is no figure
        (-4.5, "It fell by 4.5% [1].", "right"),
        (-4.5, "It was −4.5% [1].", "right"),
        (5123.0, "It was 5,123 million USD [1].", "right"),
        (5123.0, "It was 5,123,000 thousand USD [1].", "right"),
        (5123.0, "It was 5.123 billion USD [1].", "right"),
        (5123000.0, "It was 5.123 billion USD [1].", "right"),
        (3.625, "It was 3,625,000 USD [1].", "right"),
        (5123.0, "It was 51.23 million USD [1].", "wrong"),
    ],
)
def test_a_value_may_be_said_in_another_scale_and_rounded(value: float, said: str, worth: str) -> None:
    assert grade(asked(value=value), answer(said)) == worth


def test_a_form_that_was_expected_is_right_as_it_stands() -> None:
    one = asked(value=0.0, expected=("unchanged",))
    assert grade(one, answer("It was Unchanged [1].")) == "right"
    assert grade(one, answer("It was 0.0% [1].")) == "wrong"


def test_abstaining_is_right_where_nothing_can_be_computed_and_else_its_own_grade() -> None:
    nothing = answer("I looked for it.", status="abstained")
    assert grade(asked(choice="cannot"), nothing) == "right"
    for more in ({"choice": "yes"}, RANKED, {"value": 12.3}):
        assert grade(asked(**more), nothing) == "abstained"


def test_every_operand_s_page_is_cited() -> None:
    operands = [{"source": "orla_10K", "page": 4}, {"source": "orla_10K", "page": 9}]
    one = asked(operands=operands)
    assert cites_all(one, answer("x", *CITED))
    assert not cites_all(one, answer("x", CITED[0]))
    assert not cites_all(one, answer("x", CITED[0], ("tilbrook 10K.pdf", 9)))


def test_the_report_counts_by_kind_and_together() -> None:
    right, wrong = asked(operands=[{"source": "orla_10K", "page": 4}]), asked(kind="share")
    lines = report([(right, answer("x", *CITED), "right"), (wrong, answer("x"), "wrong")])
    assert " ".join(lines[0].split()) == "ratio 1 right 1 wrong 0 abstained 0"
    assert " ".join(lines[1].split()) == "share 1 right 0 wrong 1 abstained 0"
    assert " ".join(lines[2].split()) == "all 2 right 1 wrong 1 abstained 0"
    assert "every operand's page cited in 1 of 1; median 1.50 s" in lines[3]


@pytest.mark.parametrize(("half", "many"), [("tune", 100), ("held", 56)])
def test_the_sets_are_well_formed(half: str, many: int) -> None:
    rows = questions(DATA / f"computed_{half}.jsonl")
    assert len({each.id for each in rows}) == len({each.question for each in rows}) == len(rows) == many
    for each in rows:
        assert each.value is not None or each.choice, each.id
        assert all(
            isinstance(one["page"], int) and one["source"] == Path(one["source"]).name.replace(" ", "_")
            for one in each.operands
        ), each.id


@pytest.mark.parametrize("half", ["tune", "held"])
def test_what_a_set_expects_is_graded_right(half: str) -> None:
    for each in questions(DATA / f"computed_{half}.jsonl"):
        forms = (
            ("It can't be computed.",) if each.choice == "cannot" else each.expected or (each.choice or "",)
        )
        for form in forms:
            assert grade(each, answer(form.split("|")[0])) == "right", (each.id, form)
