"""The yes/no judgement: truth from the filings' own statements, asked as a question set."""

from __future__ import annotations

import shutil
from datetime import date
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from agent.assistant import Assistant
from evals.datasets.all_datasets import load_dataset
from evals.datasets.types import DatasetError
from evals.did_well import Line, Quarter, main, quarters
from evals.metrics.judgement import said
from tests.light_index import index_light
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.store.disk.home import Entry

ENTRY = Entry("d", "r", "s", "/d.pdf", "d.pdf", "d.pdf", "TARN", "Tarn Inc.", "10-Q", 1, 1, 1)


def quarter(**lines: tuple[str, str]) -> Quarter:
    found = {name: Line(name, Decimal(now), Decimal(then), 3) for name, (now, then) in lines.items()}
    return Quarter(ENTRY, date(2024, 6, 29), found)


def test_truth_is_read_from_both_columns_of_the_quarters_own_statement(sample_home: Path) -> None:
    known = {each.entry.company_key: each for each in quarters(sample_home)}
    assert sorted(known) == ["CDTH", "HRWM"], "calls have no statements"
    lines = known["CDTH"].lines
    figures = {name: (line.now, line.then) for name, line in lines.items()}
    assert figures == {
        "revenue": (Decimal("1284600000"), Decimal("1141400000")),
        "net income": (Decimal("200400000"), Decimal("133900000")),
        "diluted earnings per share": (Decimal("0.79"), Decimal("0.52")),
    }
    assert {line.page for line in lines.values()} == {3}
    assert known["HRWM"].lines["net income"].then < 0 < known["HRWM"].lines["net income"].now
    assert all(each.well for each in known.values())


def test_two_of_three_must_be_up_and_a_missing_one_may_leave_it_open() -> None:
    up, down, same = ("2", "1"), ("1", "2"), ("1", "1")
    assert quarter(revenue=up, income=up, eps=down).well is True
    assert quarter(revenue=up, income=same, eps=down).well is False
    assert quarter(revenue=up, income=up).well is True
    assert quarter(income=same, eps=down).well is False
    assert quarter(revenue=up, income=down).well is None
    assert quarter().well is None


def test_the_question_names_company_and_quarter() -> None:
    assert quarter().question == "Did Tarn Inc. do well in the quarter ended June 29, 2024?"


def test_the_set_asks_each_filing_with_a_truth(sample_home: Path) -> None:
    found = load_dataset("did-well", sample_home)
    assert [item.answer for item in found.items] == ["yes", "yes"]
    assert len({item.id for item in found.items}) == 2
    assert [path.suffix for path in found.documents] == [".pdf", ".pdf"]
    assert all(item.places for item in found.items)
    assert found == load_dataset("did-well", sample_home)


def test_the_assistant_judges_as_the_statements_do(assistant: Assistant, sample_home: Path) -> None:
    for each in quarters(sample_home):
        answer = assistant.ask(each.question)
        assert said(answer.answer) is each.well
        assert answer.faithfulness.score == 1
        assert answer.status == "answered"


def test_the_count_is_told(sample_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--home", str(sample_home)]) == 0
    told = capsys.readouterr().out
    assert "2 10-Qs, 2 with a truth (2 yes)" in told
    assert "agent: 2 right, 0 wrong, 0 without a judgement" in told


def test_what_is_no_index_of_filings_is_refused(tmp_path: Path, samples: Path) -> None:
    with pytest.raises(DatasetError, match="needs --path"):
        load_dataset("did-well", None)
    with pytest.raises(DatasetError, match="No index at"):
        load_dataset("did-well", tmp_path)
    docs = Path(shutil.copytree(samples, tmp_path / "docs"))
    (call, *_) = docs.rglob("ECT-*.pdf")
    (filing, *_) = docs.rglob("10Q-*.pdf")
    tables_alone = partial(LocalExtractor, prose=False)  # statements stand in tables
    index_light(tmp_path / "home", [call], extractor_factory=tables_alone)
    with pytest.raises(DatasetError, match="no 10-Q"):
        load_dataset("did-well", tmp_path / "home")
    index_light(tmp_path / "home", [filing], extractor_factory=tables_alone)
    filing.unlink()
    with pytest.raises(DatasetError, match="no longer there"):
        load_dataset("did-well", tmp_path / "home")
