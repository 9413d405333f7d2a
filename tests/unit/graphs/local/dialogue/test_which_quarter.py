"""A label that is one quarter by the fiscal and another by the ordinary calendar."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.contracts import Clarification, Reading
from graphs.local.dialogue.which_quarter import readings_of, said_before, settled_quarter, which
from graphs.local.question.reading import read_question
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document

ENDS = {
    ("ORLA", 2): date(2023, 4, 1),
    ("ORLA", 3): date(2023, 7, 1),
    ("KEST", 1): date(2023, 3, 31),
    ("KEST", 2): date(2023, 6, 30),
}
ASKED = "What was Orla's net income in Q2 2023?"
FISCAL = "What was Orla's net income in fiscal Q2 2023?"
CALENDAR = "What was Orla's net income in calendar Q2 2023?"


def filing(key: str, quarter: int, end: date) -> Document:
    name = {"ORLA": "Orla Devices, Inc.", "KEST": "Kestrel Stores, Inc."}[key]
    return Document(
        id=f"{key}{quarter}",
        name=f"{key}.pdf",
        path=f"{key}.pdf",
        title=key,
        company=name,
        company_key=key,
        ticker=key,
        aliases=(name.split()[0],),
        doc_type="10-Q",
        fiscal_year=2023,
        fiscal_quarter=quarter,
        period_end=end,
        pages=1,
    )


CATALOG = Catalog([filing(key, quarter, end) for (key, quarter), end in ENDS.items()])


def read(question: str) -> Reading:
    return read_question(question, CATALOG, known_names=frozenset())


def asked_back() -> Clarification:
    return which(readings_of(read(ASKED), CATALOG, read), read)


@pytest.mark.parametrize("label", ["Q2 2023", "the second quarter of 2023"])
def test_a_label_that_means_two_documents_is_open(label: str) -> None:
    assert readings_of(read(ASKED.replace("Q2 2023", label)), CATALOG, read) == (FISCAL, CALENDAR)
    assert asked_back().options == (
        "fiscal Q2 2023 (ended April 1, 2023)",
        "calendar Q2 2023 (ended July 1, 2023)",
    )


@pytest.mark.parametrize(
    "question",
    [
        FISCAL,
        CALENDAR,
        "What was Orla's net income in Q3 2023?",  # of calendar Q3 there is no document
        "What was Orla's net income in the most recent quarter?",
        "What was Kestrel's net income in Q2 2023?",
        "Compare Orla's and Kestrel's net income in Q2 2023",
        "What was Orla's net income in the quarter ended April 1, 2023?",
        "What was net income in Q2 2023?",
    ],
)
def test_a_clear_period_is_not_open(question: str) -> None:
    assert readings_of(read(question), CATALOG, read) == ()


def test_a_conversation_that_spoke_of_a_quarter_is_not_asked_again() -> None:
    assert said_before(["What was Kestrel's revenue in Q1 2023?"])
    assert not said_before(["What was Kestrel's revenue?", "and in 2023?"])


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("1", FISCAL),
        ("the second one", CALENDAR),
        ("fiscal", FISCAL),
        ("the calendar quarter please", CALENDAR),
        ("ended July 1", CALENDAR),
        ("both", "What was Orla's net income in fiscal Q2 2023 and calendar Q2 2023?"),
        ("What was Kestrel's net income in Q1 2023?", "What was Kestrel's net income in Q1 2023?"),
        ("Kestrel fiscal Q1 2023", "Kestrel fiscal Q1 2023"),
        ("fiscal Q3 2023", "fiscal Q3 2023"),
        ("what about Kestrel?", "what about Kestrel?"),
        ("the fiscal Q2 2023 of Orla", FISCAL),
        ("no idea", ""),
        ("", ""),
    ],
)
def test_a_reply_says_which_quarter(reply: str, meant: str) -> None:
    assert settled_quarter(reply, (FISCAL, CALENDAR), asked_back(), CATALOG) == meant
