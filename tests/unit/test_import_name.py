"""`import hybridrag`: quick, typed, and the one name a program needs."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import hybridrag

SOURCE = ast.parse(Path(hybridrag.__file__).read_text(encoding="utf-8"))


def test_importing_it_loads_no_room_and_no_library() -> None:
    shown = (
        "import sys; before = set(sys.modules); import hybridrag; print(*sorted(set(sys.modules) - before))"
    )
    ran = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ran.stdout.split()} - sys.stdlib_module_names
    assert loaded == {"hybridrag"}


@pytest.mark.parametrize("name", hybridrag.__all__)
def test_every_name_is_the_one_that_type_checkers_see(name: str) -> None:
    read = {
        alias.asname: node.module
        for node in ast.walk(SOURCE)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert set(read) == set(hybridrag.__all__)
    __import__(read[name] or "")
    assert getattr(hybridrag, name) is getattr(sys.modules[read[name] or ""], name)
    assert name in dir(hybridrag)


def test_it_knows_its_version_and_no_other_name() -> None:
    assert hybridrag.__version__ == version("hybridrag")
    with pytest.raises(AttributeError, match="has no attribute 'tools'"):
        _ = hybridrag.tools


def test_a_question_is_asked_and_a_mistake_caught_with_names_of_it_alone(
    sample_home: Path, tmp_path: Path
) -> None:
    with hybridrag.Assistant.open(settings=hybridrag.Settings(_env_file=None, home=sample_home)) as assistant:
        answer = assistant.ask("What was Calderith's total revenue in the quarter ended March 30, 2024?")
    assert isinstance(answer, hybridrag.Answer) and "1,284.6 million USD" in answer.answer
    assert isinstance(answer.citations[0], hybridrag.Citation)
    with pytest.raises(hybridrag.IndexMissingError) as caught:
        hybridrag.Assistant.open(tmp_path / "nothing").ask("What was net income?")
    assert isinstance(caught.value, hybridrag.USER_MISTAKES)
