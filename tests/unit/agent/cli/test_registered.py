"""Commands of rooms above the command line: found by entry points, run like its own."""

from __future__ import annotations

import tomllib
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from agent.cli import registered
from agent.cli.main import main, parser

ROOT = Path(__file__).resolve().parents[4]
ABOVE = """
from agent.errors import UsageError

def register(commands, home, as_json):
    greet = commands.add_parser("greet", parents=[home, as_json], help="say hello")
    greet.add_argument("name")
    greet.set_defaults(run=run)

def run(args, screen):
    if args.name == "nobody":
        raise UsageError("There is nobody to greet.")
    screen.line(f"Hello {args.name}.")
    screen.json({"greeted": args.name})
    return 3
"""


@pytest.fixture
def room_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed package whose entry point is a command `greet`."""
    info = tmp_path / "hybridrag-9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hybridrag\nVersion: 9\n")
    (info / "entry_points.txt").write_text(f"[{registered.GROUP}]\ngreet = orla_commands:register\n")
    (tmp_path / "orla_commands.py").write_text(ABOVE)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("room_above")
def test_a_registered_command_is_listed_run_and_its_exit_code_returned(hybridrag: Any) -> None:
    assert "greet" in hybridrag("--help").out
    ran = hybridrag("greet", "Kestrel")
    assert (ran.code, ran.out) == (3, "Hello Kestrel.\n")
    assert hybridrag("greet", "Kestrel", "--json").objects == [{"greeted": "Kestrel"}]


@pytest.mark.usefixtures("room_above")
def test_a_mistake_in_a_registered_command_is_reported_like_any_other(hybridrag: Any) -> None:
    ran = hybridrag("greet", "nobody", "--json")
    assert (ran.code, ran.err) == (2, "hybridrag: There is nobody to greet.\n")
    assert ran.objects == [{"error": "There is nobody to greet.", "type": "UsageError"}]


def test_a_source_tree_that_was_never_installed_has_its_own_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registered, "PACKAGE", "no-such-package-as-this")
    assert parser().parse_args(["doctor"]).run == "doctor"
    with pytest.raises(SystemExit):
        main(["eval", "report", "somewhere"])


def test_the_installed_package_has_the_entry_points_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    installed = distribution("hybridrag").entry_points.select(group=registered.GROUP)
    assert {entry.name: entry.value for entry in installed} == project["entry-points"][registered.GROUP], (
        "install again: pip install --editable ."
    )
    for entry in installed:
        assert callable(entry.load())


def test_the_version_is_that_of_the_installed_package(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = hybridrag("--version")
    assert (ran.code, ran.out, ran.err) == (0, f"hybridrag {distribution('hybridrag').version}\n", "")
    monkeypatch.setattr(registered, "PACKAGE", "no-such-package-as-this")
    assert "never installed" in hybridrag("--version").out
