"""What lists settle of a question that asks for companies."""

from __future__ import annotations

import pytest

from graphs.local.answer.company_lists import settled
from tools.evidence import Evidence
from tools.periods import Period


def listed(company: str, said: str, printed: str = "") -> list[Evidence]:
    text = f"{company} {said}: “{printed or said}”"
    return [
        Evidence(
            rank=1,
            source="graph",
            text=text,
            document=f"{company}.pdf",
            document_id=company,
            page=1,
            score=0.9,
            item_id=company,
            kind="relation",
            company_key=company,
            company=company,
            doc_type="10-K",
            period=Period(),
        )
    ]


AUDITORS = [
    listed("Orla", "is audited by Ernst & Young LLP", "/s/ Ernst & Young LLP"),
    listed("Bolt", "is audited by KPMG LLP"),
    listed("Nadir", "is audited by Mayer Hoffman McCann P.C."),
    [],
]
STAFF = [
    listed("Orla", "employs approximately 2.2 million associates"),
    listed("Bolt", "employs 99,999 people", "Of our 120,000 people 99,999 are left."),
    [],
]
HOMES = [
    listed("Orla", "has its headquarters at the address 1 Quay Street, San Diego, CA 92101"),
    listed("Bolt", "has its headquarters at the address 2 Quay Street, Santa Clara, California 95051"),
    listed("Nadir", "has its headquarters at the address 3 California Avenue, Reno, NV 89501"),
    listed("Sparrow", "has its headquarters at the address 4 Quay Street, Austin, TX 78701"),
]


@pytest.mark.parametrize(
    ("asked", "lists", "expected"),
    [
        ("uses Ernst & Young as their auditor", AUDITORS, [True, False, False, None]),
        ("is audited by KPMG or Ernst & Young", AUDITORS, [True, True, False, None]),
        ("is audited by Grant Thornton", AUDITORS, [False, False, False, None]),
        ("is audited by GT", AUDITORS, [None] * 4),
        ("has changed its auditor", AUDITORS, [None] * 4),
        ("is not audited by KPMG", AUDITORS, [None] * 4),
        ("have more than 100,000 employees", STAFF, [True, False, None]),
        ("employ fewer than 100,000 people", STAFF, [False, True, None]),
        ("has cut jobs", STAFF, [None] * 3),
        ("head office is in Texas", HOMES, [False, False, False, True]),
        ("is at home in San Diego, California", HOMES, [True, False, False, False]),
    ],
)
def test_what_a_list_says_settles_it_and_what_it_does_not_say_is_left_open(
    asked: str, lists: list[list[Evidence]], expected: list[bool | None]
) -> None:
    assert [is_true for is_true, _ in settled(asked, lists)] == expected


def test_the_line_that_settles_it_is_the_one_among_several() -> None:
    lines = [*listed("Orla", "is listed on NYSE Arca"), *listed("Orla", "is listed on Nasdaq")]
    others = [listed("Bolt", "is listed on NYSE"), listed("Nadir", "is listed on NYSE")]
    assert settled("trade on the Nasdaq", [lines, *others])[0] == (True, lines[1])
