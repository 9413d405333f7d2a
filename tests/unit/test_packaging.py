"""What is installed and shipped: safe versions, no addresses, exactly the documented folders."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SAFE = {
    "langgraph": "1.0.10",
    "langgraph-checkpoint": "4.1.1",
    "langgraph-checkpoint-sqlite": "3.0.1",
    "langgraph-sdk": "0.3.15",
    "langchain-core": "1.4.9",
    "langchain-openai": "1.1.14",
    "langsmith": "0.7.23",
    "pypdf": "6.16.1",
    "orjson": "3.11.7",
}
"""First versions without a known advisory, September 2026."""

PACKAGES = ("agent", "evals", "graphs", "hybridrag", "prompts", "tools")


CONSTRAINTS, JUDGE = "constraints.txt", "constraints-judge.txt"
"""Of what users and the suite run on, and of the extra `judge`, which holds packages back that the first needs new."""


def pins(file: str = CONSTRAINTS) -> dict[str, str]:
    lines = (ROOT / file).read_text(encoding="utf-8").split()
    return dict(line.split("==") for line in lines)


@pytest.mark.parametrize("name", sorted(SAFE))
def test_no_version_with_a_known_advisory_is_installed_or_pinned(name: str) -> None:
    assert Version(version(name)) >= Version(SAFE[name])
    for file in (CONSTRAINTS, JUDGE):
        assert Version(pins(file).get(name, SAFE[name])) >= Version(SAFE[name])


@pytest.mark.parametrize("file", [CONSTRAINTS, JUDGE])
def test_the_constraints_pin_versions_and_name_no_address(file: str) -> None:
    for line in (ROOT / file).read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line), line


def test_the_suite_runs_on_the_pinned_versions() -> None:
    direct = [Requirement(text).name for text in PROJECT["project"]["dependencies"]]
    assert {name: version(name) for name in direct} == {name: pins()[name] for name in direct}


def test_every_requirement_is_pinned() -> None:
    extras = dict(PROJECT["project"]["optional-dependencies"])
    base, judge = PROJECT["project"]["dependencies"], extras.pop("judge")
    for file, wanted in (
        (CONSTRAINTS, [*base, *(text for extra in extras.values() for text in extra)]),
        (JUDGE, [*base, *extras["evals"], *judge]),
    ):
        assert [text for text in wanted if Requirement(text).name.lower() not in pins(file)] == []


def test_what_judges_holds_nothing_back_that_users_run_on() -> None:
    judge = {Requirement(text).name for text in PROJECT["project"]["optional-dependencies"]["judge"]}
    assert judge & pins().keys() == set()
    held = {name for name, pinned in pins(JUDGE).items() if pinned != pins().get(name, pinned)}
    assert held == {"jiter", "openai"}, "instructor's floor and ceiling; every other version is the same"


def test_the_top_level_folders_are_the_documented_ones() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {path.split("/")[0] for path in tracked} == {
        *("hybridrag", "agent", "tools", "graphs", "prompts", "evals", "tests", "docs", ".ci", ".github"),
        *(
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "Dockerfile",
            "compose.yaml",
            "LICENSE",
            "Makefile",
            "pyproject.toml",
            "langgraph.json",
            CONSTRAINTS,
            JUDGE,
        ),
        *(".env.example", ".gitignore", ".dockerignore"),
    }


MACHINE = r"(^|[^A-Za-z0-9_.])/(work|home/[a-z]+|root)/"


def test_no_address_of_a_package_registry_and_no_path_of_a_machine_is_committed() -> None:
    found = subprocess.run(
        [
            "git",
            "grep",
            "-nIE",
            r"pypi\.org|files\.pythonhosted|index-url|(^|[^A-Za-z0-9_.])/(work|home/[a-z]+|root)/",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    assert [line for line in found if not line.startswith("tests/unit/test_packaging.py")] == []


def test_every_data_file_of_the_source_comes_along_in_a_package() -> None:
    kept = PROJECT["tool"]["setuptools"]["package-data"]
    tracked = subprocess.run(
        ["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, check=True, encoding="utf-8"
    ).stdout.splitlines()
    data = [Path(name) for name in tracked if not name.endswith((".py", "README.md", ".gitattributes"))]
    assert len(data) > 20
    lost = [
        file.as_posix()
        for file in data
        if not any(
            (ROOT / file) in (ROOT / file.parts[0]).glob(pattern)
            for pattern in (*kept.get(file.parts[0], ()), *kept["*"])
        )
    ]
    assert lost == []


def test_an_image_gets_what_is_installed_and_nothing_else_of_the_folder() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert kept == {*PACKAGES, "LICENSE", "README.md", "constraints.txt", "pyproject.toml"}
    assert lines.index("*") < lines.index("!agent"), "first all is left out, then these are let in"


def test_the_workflow_runs_the_suite_that_developers_run_and_may_write_nothing() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8"))
    assert workflow["permissions"] == {"contents": "read"}
    (job,) = workflow["jobs"].values()
    assert [step["run"] for step in job["steps"] if "run" in step] == ["make test PYTHON=python"]


def test_image_workflow_and_project_are_of_one_python() -> None:
    wanted = PROJECT["project"]["requires-python"].removeprefix(">=")
    workflow = (ROOT / ".github/workflows/test.yml").read_text(encoding="utf-8")
    stages = re.findall(
        r"^FROM python:([\d.]+)-", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert [*stages, *re.findall(r'python-version: "([\d.]+)"', workflow)] == [wanted] * 3


def test_a_container_of_the_compose_file_can_write_nothing_but_its_index_and_reach_nobody() -> None:
    (service,) = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"].values()
    assert (service["network_mode"], service["read_only"], service["cap_drop"]) == ("none", True, ["ALL"])
    folder = re.findall(r"HYBRIDRAG_HOME=(\S+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    writable = [volume for volume in service["volumes"] if not volume.endswith(":ro")]
    assert writable == [f"index:{folder[0]}"]


def test_the_changelog_has_the_version_of_the_project() -> None:
    heads = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert next(head for head in heads if head != "Unreleased") == PROJECT["project"]["version"]
