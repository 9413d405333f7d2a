"""evals.name_pairs: labelled pairs against the nodes of a graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evals.name_pairs import main


def test_labelled_pairs_are_counted_against_the_graph(
    sample_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def name(text: str, company: str, document: str) -> dict[str, str]:
        return {"name": text, "company": company, "document": document}

    whole = name("Harrowmere Stores, Inc.", "HRWM", "10Q-Q3-2024.pdf")
    short = name("Harrowmere", "HRWM", "10Q-Q3-2024.pdf")
    two = [
        name("Daniel Marsh", company, f"ECT-{quarter}-2024.pdf")
        for company, quarter in (("HRWM", "Q3"), ("CDTH", "Q2"))
    ]
    lines = [
        {"one": whole, "other": short, "same": True},
        {"one": two[0], "other": two[1], "same": True},
        {"one": two[0], "other": name("Nobody", "HRWM", "10Q-Q3-2024.pdf"), "same": False},
    ]
    file = tmp_path / "pairs.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main([str(file), "--home", str(sample_home), "--show"]) == 0
    out = capsys.readouterr().out
    assert "2 of 3 pairs are in the graph, 2 of them one entity" in out
    assert "precision 1 of 1" in out and "recall 1 of 2" in out
    assert out.splitlines()[-1].startswith("two: ('HRWM', 'ECT-Q3-2024.pdf', 'Daniel Marsh')")


def test_a_file_of_something_else_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"a": 1}\n', encoding="utf-8")
    assert main([str(file), "--home", str(tmp_path)]) == 2
    assert "Can't read" in capsys.readouterr().err
