"""The README shows the machine as it is, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agent.cli.main import parser
from agent.settings import PREFIX, Settings
from graphs.diagram import state_machine, with_diagram
from tests.rooms import picture, with_picture

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = (ROOT / "README.md", *sorted(ROOT.glob("[CS]*.md")), *sorted((ROOT / "docs").glob("*.md")))
GUIDE = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
"""All that users are told."""
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def test_the_picture_is_the_graph_as_compiled() -> None:
    drawn, _ = re.findall(r"```mermaid\n(.*?)\n```", README, re.DOTALL)
    assert drawn == state_machine(), "run: python -m graphs.diagram README.md"


def test_the_picture_of_the_rooms_is_what_the_imports_say() -> None:
    _, drawn = re.findall(r"```mermaid\n(.*?)\n```", README, re.DOTALL)
    assert drawn == picture(), "run: python -m tests.rooms README.md"


def test_the_picture_leaves_out_what_other_arrows_imply_and_draws_a_circle_whole(tmp_path: Path) -> None:
    files = {
        "tools/low": "",
        "tools/middle": "import tools.low.file",
        "tools/high": "import tools.low.file, tools.middle.file",
        "agent/left": "def later():\n    import agent.right.file, tools.high.file",
        "agent/right": "import agent.left.file",
    }
    for folder, text in files.items():
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").touch()
        (tmp_path / folder / "file.py").write_text(text, encoding="utf-8")
    assert [line.strip() for line in picture(tmp_path).splitlines() if "-->" in line] == [
        *("agent_left --> agent_right", "agent_right --> agent_left"),
        *("tools_high --> tools_middle", "tools_middle --> tools_low", "agent --> tools"),
    ]


def test_redrawing_the_rooms_changes_nothing_but_a_stale_picture() -> None:
    assert with_picture(README) == README
    stale = README.replace("    graphs --> tools\n", "    tools --> graphs\n")
    assert stale != README and with_picture(stale) == README


def test_redrawing_a_current_picture_changes_nothing() -> None:
    assert with_diagram(README) == README
    stale = README.replace("condense --> plan", "condense --> answer")
    assert stale != README and with_diagram(stale) == README


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_to_a_file(page: Path) -> None:
    targets = [first or second for first, second in LINK.findall(page.read_text(encoding="utf-8"))]
    relative = [t.partition("#")[0] for t in targets if "://" not in t and not t.startswith(("#", "mailto:"))]
    assert [target for target in relative if not (page.parent / target).exists()] == []


def test_every_page_of_the_docs_is_named_in_the_readme() -> None:
    assert [page.name for page in PAGES[1:] if f"]({page.relative_to(ROOT).as_posix()})" not in README] == []


def test_every_folder_of_the_layout_exists() -> None:
    folders = re.findall(r"^\| \[?`([a-z]+)/`", README, re.MULTILINE)
    assert {"agent", "evals", "graphs", "hybridrag", "prompts", "tests", "tools"} == set(folders)
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_every_setting_is_told_with_its_default() -> None:
    name = rf"(?:{PREFIX}|OPENAI_|EDGAR_)[A-Z_]+"
    rows = dict(re.findall(rf"^\| `({name})` \| `?([^`|]+?)`? \|", GUIDE, re.MULTILINE))
    assert rows == {
        str(field.validation_alias or f"{PREFIX}{name}").upper(): "unset"
        if field.default is None
        else str(field.default)
        for name, field in Settings.model_fields.items()
    }
    example = re.findall(rf"^# ({name})=(\S*)", (ROOT / ".env.example").read_text("utf-8"), re.MULTILINE)
    assert {name: value or "unset" for name, value in example} == rows


def commands() -> list[str]:
    """Every `hybridrag ...` line of the pages' indented blocks."""
    lines = re.findall(r"^(?:    |)(hybridrag (?!-->)[^#\n`]*)", GUIDE, re.MULTILINE)
    return [line.strip() for line in lines]


@pytest.mark.parametrize("command", commands())
def test_every_command_shown_is_one_that_the_parser_takes(command: str) -> None:
    import shlex

    words = [word for word in shlex.split(command)[1:] if word != "..."]
    if words[0] == "ask" and len(words) == 1:
        words.append("a question")
    found = vars(parser().parse_args(words)).values()
    taken = {str(each) for value in found for each in (value if isinstance(value, list) else [value])}
    assert {word for word in words if not word.startswith("--")} <= taken


def test_readme_and_docs_show_every_command() -> None:
    shown = {command.split()[1] for command in commands()} | set(re.findall(r"make (demo|studio)", GUIDE))
    assert {
        "index",
        "fetch",
        "documents",
        "remove",
        "ask",
        "chat",
        "threads",
        "graph",
        "doctor",
        "demo",
        "studio",
    } <= shown


def test_every_make_target_named_is_one(tmp_path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?<![\w.])make ([a-z-]+)(?=\s{2,}|\n|`)", GUIDE)) <= targets
