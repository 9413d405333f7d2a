"""evals.natural: what counts as a right answer to a question as people ask it."""

from __future__ import annotations

import pytest

from evals.natural import (
    FOLDER,
    SETS,
    Kind,
    Natural,
    describe,
    fingerprint,
    holds,
    is_shown,
    judge,
    load,
    summarize,
)
from graphs.contracts import Answer, Route

ROUTE = Route(kind="uncertain", tools=(), reason="", confidence=1.0)


def question(kind: Kind, *wanted: str) -> Natural:
    told = kind in ("reason", "definition")
    field, wanted = ("gold", tuple(map(fingerprint, wanted))) if told else ("expected", wanted)
    return Natural.model_validate(
        {"id": "q", "kind": kind, "question": "?", "company": "Orla", "source": "d", field: list(wanted)}
    )


def answer(text: str, status: str = "answered") -> Answer:
    return Answer.model_validate(
        {"question": "?", "standalone_question": "?", "status": status, "answer": text, "route": ROUTE}
    )


@pytest.mark.parametrize(
    "kind, wanted, text, right",
    [
        ("fact", ["1,234", "1.2 billion"], "It was 1,234 million USD [1].", True),
        ("fact", ["1,234"], "It was 21,234 million USD [1].", False),
        ("fact", ["1,234"], "It was 1,234,567 USD [1].", False),
        ("fact", ["1.2 billion"], "It was $1.2 Billion.", True),
        ("relation", ["Mora|Vel", "Lund"], "Ana Vel met J. Lund.", True),
        ("relation", ["Mora|Vel", "Lund"], "Ana Vel met nobody.", False),
        ("list", ["one", "two"], "None of the ones, but two", False),
        (
            "reason",
            ["Sales fell because two plants stood still."],
            "“Sales fell because two plants stood still.”",
            True,
        ),
        ("reason", ["Sales fell because two plants stood still."], "Sales fell.", False),
        ("definition", ["Flux - the unit’s own name"], "“flux – the unit's own name”", True),
    ],
)
def test_an_answer_is_right_when_it_holds_what_was_wanted(
    kind: Kind, wanted: list[str], text: str, right: bool
) -> None:
    assert holds(question(kind, *wanted), text) is right


def test_abstaining_is_right_only_where_nothing_answers() -> None:
    silent = answer("Nothing was found.", "abstained")
    assert judge(question("absent"), silent) == "right"
    assert judge(question("absent"), answer("It was 5.")) == "wrong"
    assert judge(question("fact", "5"), silent) == "abstained"


def test_a_sentence_is_known_by_its_fingerprint_and_cannot_be_read_from_it() -> None:
    assert fingerprint("Sales – fell.") == fingerprint("sales - FELL") != fingerprint("fell sales")
    assert "sales" not in fingerprint("Sales fell.")


def test_a_part_of_the_evidence_or_the_whole_of_it_is_shown_by_a_line() -> None:
    sentence = "Mora, who led the Lund plant for years, now runs all plants of Orla in the north."
    asked = question("relation", "Mora").model_copy(update={"evidence": (fingerprint(sentence),)})
    assert is_shown(asked, f"As said: {sentence}") and is_shown(asked, sentence[:60])
    assert not is_shown(asked, "Mora, who led") and not is_shown(
        asked, "Sales of pumps and of valves fell in the north."
    )


def test_a_summary_counts_each_kind_and_shows_what_went_wrong() -> None:
    rows = [
        (question("fact", "5"), answer("It was 5."), True),
        (question("fact", "5"), answer("It was 6."), True),
    ]
    summary = summarize(rows)
    counts = summary["kinds"]["fact"]
    assert counts == {"asked": 2, "right": 1, "wrong": 1, "abstained": 0, "found": 2}
    assert "It was 6." in describe(summary, show=True) and "It was 5." not in describe(summary, show=True)


@pytest.mark.parametrize("half", ["tune", "held"])
def test_every_question_says_what_a_right_answer_holds(half: str) -> None:
    questions = load(SETS, half)
    assert len(questions) >= 200 and len({q.id for q in questions}) == len(questions)
    assert all(q.kind == "absent" or q.expected or q.gold for q in questions)


def test_no_document_is_tuned_on_and_kept_aside() -> None:
    assert FOLDER.is_dir()
    tune, held = ({q.source for q in load(SETS, half)} for half in ("tune", "held"))
    assert not tune & held
