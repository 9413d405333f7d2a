"""What the reader of sums is learnt from is well formed, and each word has the role that its span was given."""

from __future__ import annotations

from typing import Any

import pytest

from evals.labelled_sums import (
    HELD,
    MOST_PLAIN,
    Labelled,
    Names,
    labelled,
    plain,
    roles_of,
)
from evals.natural import SETS, load
from tools.calculate import questions as q
from tools.calculate.questions import PROSE


def asked(question: str, **more: Any) -> Labelled:
    return Labelled.model_validate(
        {"question": question, "author": "one", "operation": "ratio", "use": "value"} | more
    )


def spans(each: Labelled) -> list[str]:
    return [span for span in (each.set, each.of, each.a, each.b, *each.more, *each.minus) if span]


@pytest.mark.parametrize(
    ("one", "roles"),
    [
        (asked("Trade payables to inventory at Orla?", a="Trade payables", b="inventory"), "a a - b - - -"),
        (asked("Which segment had the most sales?", set="segment", a="sales"), "- set - - - a -"),
        (asked("Rent, fees and fuel of 2021?", a="Rent", more=("fees", "fuel")), "a - more - more - - -"),
        (asked("Sales of the largest sales region?", a="Sales", set="sales region"), "a - - - set set -"),
        (asked("Sales ex fuel to rent?", a="Sales", b="rent", minus=("fuel",)), "a - minus - b -"),
        (asked("Unearned rent by rent?", a="Unearned rent", b="rent"), "a a - b -"),
        (asked("Rent-to-sales?", a="Rent", b="sales"), "a - - - b -"),
        (asked("What is the weather?"), "- - - - -"),
    ],
)
def test_a_word_has_the_role_of_the_span_it_stands_in(one: Labelled, roles: str) -> None:
    assert [q.ROLES[role] or "-" for role in roles_of(one)] == roles.split()


def test_a_word_of_two_spans_has_the_role_of_the_figure_not_of_the_set() -> None:
    one = asked("Which cost item rose most?", set="cost item", a="cost item")
    assert [q.ROLES[role] for role in roles_of(one)] == ["", "a", "a", "", "", ""]


def test_what_was_labelled_is_well_formed() -> None:
    rows = labelled()
    assert len({each.question for each in rows}) == len(rows) > 4_000
    for each in rows:
        assert each.author and each.author != "natural"  # that is how plain questions are told from these
        assert all(span in each.question for span in spans(each)), each.question
        assert not spans(each) or any(roles_of(each)), each.question
        assert len(q.pieces_of(each.question).ids) < q.MAX_PIECES, each.question
        assert each.operation != "measure" or each.measure, each.question
    assert {each.operation for each in rows} == set(q.OPERATIONS)
    assert {each.use for each in rows} == set(q.USES)


def test_nothing_is_learnt_from_what_is_kept_aside() -> None:
    held = labelled(HELD)
    assert all(span in each.question for each in held for span in spans(each))
    for key in ("question", "author"):
        assert not {getattr(each, key) for each in held} & {
            getattr(each, key) for each in labelled() + plain()
        }


def test_plain_questions_ask_for_nothing_to_compute_and_are_none_that_were_labelled() -> None:
    rows = plain()
    prose = {each.question for each in load(SETS, "tune") if each.kind in PROSE}
    told = {each.question for each in labelled()}
    others = [each for each in rows if each.question not in prose]
    assert len({each.question for each in rows}) == len(rows) and len(others) <= MOST_PLAIN
    assert prose - told <= {each.question for each in rows} and len(others) > MOST_PLAIN / 2
    assert {each.kind for each in rows if each.question in prose} == {*PROSE}
    for each in rows:
        assert (each.author, each.operation, each.use, each.measure) == ("natural", "none", "value", "")
        assert each.question.strip() and not spans(each), each.question
    assert not {each.question for each in rows} & told


def test_what_is_written_as_a_name_and_of_no_span_is_a_companys() -> None:
    plain = [asked(f"what was media revenue in may, {n}?", author=str(n)) for n in range(3)]
    names = Names(plain)
    media = asked("Did Corbel Media's Florida revenue grow in May 2022?", a="Florida revenue")
    assert names.of(media) == ["Corbel Media"]
    assert names.of(asked("Media revenue of 2022 at Orla?", a="Media revenue")) == ["Orla"]
