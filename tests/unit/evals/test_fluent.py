"""The eval of fluent sentences on a few of its own records."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.fluent import DATA, Source, documents, main, read_cases

SECOND = DATA.with_name("fluent_held.jsonl")


@pytest.fixture(scope="module")
def samples_read() -> Source:
    """The sample documents, read once."""
    return Source(documents(DATA))


@pytest.fixture(autouse=True)
def no_document_is_read_twice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """`main` takes the samples as they were read."""
    monkeypatch.setattr("evals.fluent.Source", lambda paths: request.getfixturevalue("samples_read"))


class _Nothing:
    def find(self, reference: str) -> None:
        raise AssertionError(reference)


def test_some_records_meet_the_targets_and_a_corrupted_one_does_not(tmp_path: Path) -> None:
    lines = DATA.read_text(encoding="utf-8").splitlines()[42:50]
    few = tmp_path / "few.jsonl"
    few.write_text("\n".join(lines), encoding="utf-8")
    assert main(["--data", str(few)]) == 0
    wrong = '{"c": ["10Q-Q2-2024~Gross margin was 54.2%"], "s": "Gross margin was 64.2% [1].", "x": ["64.2=>74.2"]}'
    few.write_text(wrong, encoding="utf-8")
    assert main(["--data", str(few)]) == 1


def test_the_half_to_tune_on_of_the_second_set_cites_its_own_documents_and_has_distinct_twins() -> None:
    source = Source([SECOND.with_suffix("")])
    cases = [case for case in read_cases(SECOND, source) if case.half == "tune"]
    assert len({case.sound for case in cases}) == len(cases) == 60
    for case in cases:
        assert 1 <= len(set(case.twins)) == len(case.twins) <= 3
        assert case.sound.endswith("].")


def test_rows_of_held_records_are_printed_only_when_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(
        '{"half": "held", "c": ["10Q-Q2-2024~Gross margin was 54.2%"], "s": "Gross margin was 64.2% [1].", '
        '"x": ["64.2=>74.2"]}',
        encoding="utf-8",
    )
    main(["--set", str(wrong), "--show"])
    assert "REFUSED" not in capsys.readouterr().out
    main(["--set", str(wrong), "--rows"])
    assert "REFUSED 0 " in capsys.readouterr().out


def test_a_twin_that_changes_nothing_is_an_error(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"c": [], "s": "A [1].", "x": ["B=>C"]}', encoding="utf-8")
    with pytest.raises(ValueError, match="nothing to change"):
        list(read_cases(bad, _Nothing()))  # type: ignore[arg-type]
