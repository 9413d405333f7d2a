"""Denials dropped, plans told as done, and words that make more of a thing."""

from __future__ import annotations

import pytest

from graphs.local.check.guard import ModelDraftGuard
from tests.pieces import piece

CALL = piece(
    3,
    "Ravi Kestrel: Would you consider a sale of the gas pipeline business to fund the plan?\n"
    "Ana Reyes: No. It grows every year.",
).model_copy(
    update={"kind": "exchange", "section": "Questions and Answers > Ravi Kestrel", "doc_type": "call"}
)
EVIDENCE = [
    piece(
        1,
        "We will leave two cities this fall and move the crews to Tampa. We are not cutting jobs as part of this. Fuel"
        " cost $2.63 per gallon. We agreed to sell our card receivables to Hollin Bank for $480 million, subject to"
        " approval."
        " None of our ten largest borrowers was behind on payments. No debt matures before 2026.",
    ),
    piece(
        2,
        "We still plan to retire both units of the Harlan plant. The gas plant on that site is not part of the options"
        " that we study. For the fourth quarter we guide to revenue of $352 million. Margins were the highest"
        " since 2008."
        " Trials take about a month longer than last year. We have no intention to hedge fuel again.",
    ),
    CALL,
]

TOLD = [
    (
        "Orla will leave two cities and move the crews to Tampa, without cutting jobs [1].",
        "without cutting",
        "and cut",
        "'not'",
    ),
    ("None of its ten biggest borrowers was behind [1].", "None", "Two", "'None'"),
    ("No debt comes due before 2026 [1].", "No debt", "Most of the debt", "Most of the debt"),
    ("The gas plant on the site is not among the options [2].", "is not", "is", "'not'"),
    ("Orla does not intend to hedge fuel again [2].", "does not intend", "intends", "'no'"),
    (
        "Ana Reyes ruled out selling the gas pipeline business [3].",
        "ruled out",
        "is open to",
        "answer to this is no",
    ),
    (
        "Orla has agreed to sell its card receivables to Hollin Bank [1].",
        "agreed to sell its card",
        "completed the sale of its card",
        "has completed",
    ),
    (
        "Orla plans to retire both units of the Harlan plant [2].",
        "plans to retire",
        "has retired",
        "has retired",
    ),
    ("Orla guided to revenue of $352 million [2].", "guided to", "reported", "'reported'"),
    ("Margins were the highest since 2008 [2].", "since 2008", "ever", "'ever'"),
    (
        "Margins were the highest since 2008 [2].",
        "Margins were the highest",
        "Profits hit an all-time high, the highest",
        "'Profits'",
    ),
    ("Fuel was $2.63 per gallon [1].", "gallon", "barrel", "per barrel"),
    ("Trials take about a month longer [2].", "a month", "a year", "a year longer"),
]


def faults(text: str, *, doubts: bool = True) -> str:
    """What vetoes a text, and what is a question to a judge."""
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in EVIDENCE}
    found = [guard.find(claim, by_rank) for claim in guard.claims(text)]
    return "; ".join(f.fault or (f.doubt if doubts else "") for f in found)


@pytest.mark.parametrize("text", [told[0] for told in TOLD])
def test_what_is_denied_or_planned_may_be_told_in_other_words(text: str) -> None:
    assert faults(text, doubts=False) == ""


@pytest.mark.parametrize(("sound", "old", "new", "named"), TOLD)
def test_a_dropped_denial_or_a_plan_told_as_done_is_flagged_by_name(
    sound: str, old: str, new: str, named: str
) -> None:
    assert old in sound
    assert named in faults(sound.replace(old, new))
