"""What counts as the code of a run: whatever answers and scores, and nothing else."""

from __future__ import annotations

from importlib.util import find_spec

from evals import provenance
from tests.imports import arrows, modules
from tests.unit.test_structure import ROOT


def test_every_module_named_is_one() -> None:
    named = (*provenance.ANSWERING, *provenance.SCORING, *provenance.UNRELATED)
    assert [name for name in named if find_spec(name) is None] == []


def test_the_code_of_a_run_holds_what_answers_and_not_what_shows() -> None:
    files = dict(provenance._files("agent"))
    assert {"assistant.py", "settings.py", "endpoint/calling.py"} <= set(files)
    assert [name for name in files if name.startswith(("chat/", "cli/", "display/", "threads/"))] == []
    assert not {"studio.py", "endpoint/probe.py", "findings.py"} & set(files)


def test_nothing_that_answers_imports_what_is_left_out() -> None:
    def left_out(module: str) -> bool:
        return any(f"{module}.".startswith(f"{name}.") for name in provenance.UNRELATED)

    answering = {name for name in modules(ROOT) if name.partition(".")[0] in provenance.ANSWERING}
    found = {(a, b) for a, b in arrows(ROOT) if a in answering and not left_out(a) and left_out(b)}
    assert found == set()
