"""Filters that admit nothing are said where they are given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
WRONG = (
    (("--year", "20233"), "'20233' is no year: give one of 1900 to 2099"),
    (("--year", "1987"), "No document and no figure in the index is of 1987."),
    (("--year", "1987", "--quarter", "2"), "is of Q2 1987. What is indexed ends between"),
    (("--company", "HRWM", "--year", "2031"), "No document and no figure of Harrowmere"),
    (("--company", "calderit"), "No company 'calderit' in the index. Did you mean Calderith"),
    (("--type", "10-G"), "No document in the index is of the type '10-G'. Did you mean 10-Q?"),
    (
        ("--type", "10-K", "--company", "CDTH"),
        "No document of Calderith Semiconductor Corporation is of the type",
    ),
    (("--document", "10Q-Q4-2024.pdf"), "in the index. Did you mean 10Q-Q"),
    (
        ("--document", "10Q-Q2-2024.pdf", "--type", "call"),
        "of the type 10-Q: the other filters leave it out.",
    ),
    (("--document", "10Q-Q2-2024.pdf", "--company", "HRWM"), "is a document of Calderith"),
)


@pytest.mark.parametrize(("filters", "words"), WRONG)
@pytest.mark.parametrize("command", [("ask", REVENUE), ("chat",)])
def test_a_filter_that_admits_nothing_is_said_with_code_2(
    hybridrag: Any, sample_home: Path, command: tuple[str, ...], filters: tuple[str, ...], words: str
) -> None:
    ran = hybridrag(*command, *filters, "--home", sample_home)
    assert ran.code == 2 and words in ran.err and ran.out == ""


def test_a_batch_says_it_of_its_line_and_goes_on(hybridrag: Any, sample_home: Path, tmp_path: Path) -> None:
    lines = ({"year": 20233}, {"year": 1987}, {"company": "calderit"}, {})
    batch = tmp_path / "batch.jsonl"
    batch.write_text("\n".join(json.dumps({"question": REVENUE} | line) for line in lines), encoding="utf-8")
    ran = hybridrag("ask", "--batch", batch, "--json", "--home", sample_home)
    assert ran.code == 2
    assert ["error" in answer for answer in ran.objects] == [True, True, True, False]
    assert "'year' must be between 1900 and 2099, not 20233." in ran.objects[0]["error"]


def test_a_year_that_only_a_table_shows_is_covered(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("ask", "What was Calderith's total revenue?", "--year", "2023", "--home", sample_home)
    assert ran.code == 0


def test_a_period_that_admits_nothing_is_not_pinned(
    hybridrag: Any, sample_home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO("/period 1987\n/period\n"))
    ran = hybridrag("chat", "--home", sample_home)
    assert ran.code == 2 and "is of 1987" in ran.err and "Pinned: none." in ran.out


@pytest.mark.parametrize(
    ("filters", "page", "told"),
    [
        (("--document", "10q-q2-2024.PDF"), "10Q-Q2-2024.pdf, p. 3", "1,284.6 million USD"),
        (("--type", "10q", "--company", "CDTH"), "10Q-Q2-2024.pdf, p. 3", "1,284.6 million USD"),
        (("--type", "call", "--company", "HRWM"), "ECT-Q3-2024.pdf, p. ", ""),
    ],
)
def test_a_type_and_a_document_limit_what_is_cited(
    hybridrag: Any, sample_home: Path, filters: tuple[str, ...], page: str, told: str
) -> None:
    ran = hybridrag(
        "ask", "What was total revenue in the latest quarter?", *filters, "--home", sample_home, "--json"
    )
    (answer,) = ran.objects
    assert ran.code == 0 and told in answer["answer"]
    cited = {f"{each['document']}, p. " for each in (*answer["citations"], *answer["nearest"])}
    assert cited == {page[: page.index("p. ") + 3]}
