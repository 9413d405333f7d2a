"""evals.annotations and evals.conceptual: what they say of a home that they can't measure."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evals import annotations, conceptual


@pytest.mark.parametrize("measure", [annotations.main, conceptual.main])
def test_a_home_without_ontology_or_index_is_told_in_words(
    measure: Callable[[list[str]], int], sample_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert measure(["--home", str(sample_home)]) == 2
    assert capsys.readouterr().err.startswith("This home has no ontology.")
    assert measure(["--home", str(tmp_path / "nothing")]) == 2
    assert "hybridrag index" in capsys.readouterr().err
