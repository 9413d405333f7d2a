"""The house: which room may import which, no file in a circle, names that are not used twice, signs at every door.

The rules are checked over all imports, lazy ones and those by name included, and every check is shown to fail on a
small invented tree.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import networkx as nx
import pytest

from tests.imports import arrows, modules

ROOT = Path(__file__).resolve().parents[2]
Floors = Mapping[str, tuple[str, ...]]
Arrow = tuple[str, str]

FLOORS: Floors = {
    "": ("prompts", "tools", "graphs", "agent", "evals | hybridrag"),
    "tools": (
        "bge_small bootstrap calculate.types closing evidence "
        "integer_bert model_files onnx_file period_words periods private_files quantities quantized_bert scope "
        "value_patterns values",
        "documents",
        "model | vector | ranking | recommend",
        "knowledge | ontology",
        "calculate",
        "store",
    ),
    "tools.documents": ("errors ids serial types", "text", "tables", "structure", "metadata", "read"),
    "tools.knowledge": ("types", "lexicon", "graph", "extract | search"),
    "tools.store": ("errors", "disk", "generation | reading", "postgres | runs", "jobs"),
    "graphs": (
        "contracts index input_error",
        "protocols state",
        "drafts | compiling engine",
        "local | model | steps",
        "ask baselines indexing routed",
        "diagram",
    ),
    "graphs.local": ("text", "question | check", "followup | answer", "dialogue"),
    "agent": (
        "bodies endpoint_address errors findings index_roots origin settings",
        "endpoint missing_index tracing",
        "assistant engines indexing home_shelf open_indexes recommending | edgar",
        "display | threads",
        "chat | pictures",
        "web",
        "cli | server | studio",
    ),
    "evals": (
        "datasets.types draft_sentences facts records rows samples stated_figures",
        "metrics",
        "closed_book did_well metric_catalog learning",
        "datasets | low_rank",
        "judged | "
        "asked_questions compare gate indexes journal pipelines progress provenance recording results sampling sheet "
        "summaries upload worker workers",
        "report | run second_opinion",
        "annotations asked_lines attacks bench call_answers chat_bench chat_kills commands comparisons computed "
        "conceptual corpus corrupting corruptions demo dialogues draft_corruptions evidence filing_rows "
        "fit_descent fluent found_lines growth growth_chart grown hard_corruptions kills labelled_sums "
        "learn_company_fit learn_concepts "
        "learn_cross_encoder learn_company_questions learn_fit learn_line_items line_item_batches learn_operands "
        "learn_printed_answers learn_sums "
        "learn_turn_kinds "
        "learn_profile_kinds learn_row_kinds learn_unit_kinds marked_relations model_shares name_pairs natural "
        "natural_dialogues page_citations page_speed reading_costs recommend routes sample_check sound_drafts "
        "suggestions tagged_tables telling train_spoken unanswerable",
        "cli",
    ),
}
"""Package -> its floors, the lowest first. What stands on a floor may import the floors below it. Names beside one
another are one room and may import each other; '|' keeps rooms of one floor apart. A package that is not here has no
order within."""

PROTOCOL_NAMES = frozenset({"__init__", "types", "errors", "answerer", "checker", "condenser", "planner"})
"""File names that may come twice within a top room: of every package, and of the implementations of one protocol."""


def place(module: str, package: str, floors: Floors) -> tuple[int, int] | None:
    """(floor, room on it) of a module within a package; None for the package itself. KeyError: not in the table."""
    within = module.removeprefix(f"{package}.") if package else module
    if module == package:
        return None
    listed = {
        name: (number, room)
        for number, floor in enumerate(floors[package])
        for room, names in enumerate(floor.split("|"))
        for name in names.split()
    }
    while within not in listed:
        within = within.rpartition(".")[0]
        if not within:
            raise KeyError(module)
    return listed[within]


def _packages_of(module: str, floors: Floors) -> list[str]:
    return [package for package in floors if not package or f"{module}.".startswith(f"{package}.")]


def without_a_place(found: Iterable[str], floors: Floors) -> set[str]:
    """Modules that no floor has."""
    missing: set[str] = set()
    for module in found:
        for package in _packages_of(module, floors):
            try:
                place(module, package, floors)
            except KeyError:
                missing.add(module)
    return missing


def upward(found: Iterable[Arrow], floors: Floors) -> set[Arrow]:
    """Arrows that do not lead to a lower floor or stay within a room."""
    wrong: set[Arrow] = set()
    for arrow in found:
        for package in set(_packages_of(arrow[0], floors)) & set(_packages_of(arrow[1], floors)):
            start, end = (place(module, package, floors) for module in arrow)
            if start is not None and end is not None and start != end and end[0] >= start[0]:
                wrong.add(arrow)
    return wrong


def circles(found: Iterable[Arrow]) -> list[list[str]]:
    """Files that import one another, directly or by way of others."""
    graph: nx.DiGraph[str] = nx.DiGraph(found)
    return [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1]


def names_used_twice(files: Mapping[str, Path], root: Path) -> dict[str, list[str]]:
    """'room/file name' -> its files, where there are several."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in files.values():
        place_of = path.relative_to(root)
        if path.stem not in PROTOCOL_NAMES:
            found[f"{place_of.parts[0]}/{path.name}"].append(place_of.as_posix())
    return {name: places for name, places in found.items() if len(places) > 1}


def doors_without_a_sign(files: Iterable[Path], root: Path) -> list[str]:
    """Folders whose `__init__` lacks a docstring: what lives there and, in a second paragraph, what it imports."""
    wrong = []
    for folder in sorted({path.parent for path in files}):
        sign = folder / "__init__.py"
        text = ast.get_docstring(ast.parse(sign.read_text(encoding="utf-8"))) if sign.exists() else None
        lives, _, rule = (text or "").partition("\n\n")
        if not lives or not rule.startswith("Imports "):
            wrong.append(folder.relative_to(root).as_posix())
    return wrong


MAX_DECISIONS = 20
"""Ways to branch within a function, ruff's C90 and every `and` and `or` besides: a condition of ten parts is ten."""
_BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.ExceptHandler,
    ast.Assert,
    ast.comprehension,
    ast.match_case,
)


def decisions(function: ast.AST) -> int:
    """One, and one more for every branch, loop, filter and operand of `and` and `or` after the first."""
    return 1 + sum(
        len(node.values) - 1
        if isinstance(node, ast.BoolOp)
        else len(node.ifs)
        if isinstance(node, ast.comprehension)
        else 1
        for node in ast.walk(function)
        if isinstance(node, (*_BRANCHES, ast.BoolOp))
    )


def tangled(files: Iterable[Path]) -> dict[str, int]:
    """'file:function' -> decisions, of every function with more than MAX_DECISIONS."""
    return {
        f"{path.name}:{node.name}": count
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and (count := decisions(node)) > MAX_DECISIONS
    }


def test_no_function_decides_more_than_a_reader_can_hold() -> None:
    assert tangled(modules(ROOT).values()) == {}


@pytest.mark.parametrize(("operands", "found"), [(20, {}), (21, {"low.py:all_of": 21})])
def test_every_operand_of_a_condition_counts(tmp_path: Path, operands: int, found: dict[str, int]) -> None:
    text = f"def all_of(x):\n    return {' and '.join(['x'] * operands)}"
    assert tangled(modules(house(tmp_path, tools__low=text)).values()) == found


def test_no_import_leads_upward() -> None:
    assert sorted(upward(arrows(ROOT), FLOORS)) == [], "these lead to a higher floor: see FLOORS"


def test_every_file_has_a_place_in_the_table_and_every_place_a_file() -> None:
    assert without_a_place(modules(ROOT), FLOORS) == set()
    named = {
        f"{package}.{name}".removeprefix(".")
        for package, floors in FLOORS.items()
        for floor in floors
        for name in floor.replace("|", " ").split()
    }
    assert named - set(modules(ROOT)) == set()


def test_no_files_import_one_another_in_a_circle() -> None:
    assert circles(arrows(ROOT)) == []


def test_no_file_name_is_used_twice_within_a_top_room() -> None:
    assert names_used_twice(modules(ROOT), ROOT) == {}


def test_every_folder_says_what_lives_there_and_what_it_imports() -> None:
    assert doors_without_a_sign(modules(ROOT).values(), ROOT) == []


SIGN = '"""Things.\n\nImports nothing of the project.\n"""\n'
SMALL: Floors = {
    "": ("prompts", "tools", "graphs", "agent", "evals"),
    "tools": ("low low_too", "left | right", "high"),
}


def house(root: Path, **files: str) -> Path:
    """An invented tree: dotted names, written with '__' for '.', and their text."""
    for name, text in files.items():
        path = root.joinpath(*name.split("__")).with_suffix(".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").write_text(SIGN, encoding="utf-8")
        path.write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(
    "text",
    [
        "import tools.high",
        "import tools.high as other",
        "from tools import high",
        "from tools.high import thing",
        "from . import high",
        "from .high import thing",
        "def later():\n    from tools.high import thing",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from tools.high import Thing",
        "import importlib\nimportlib.import_module('tools.high')",
        "__import__('tools.high')",
        "from importlib.util import find_spec\nfind_spec('tools.high')",
        "import sys\nCOMMAND = [sys.executable, '-P', '-m', 'tools.high', 'more']",
    ],
)
def test_an_upward_arrow_is_found_however_it_is_written(tmp_path: Path, text: str) -> None:
    root = house(tmp_path, tools__low=text, tools__high="thing = 1")
    assert upward(arrows(root), SMALL) == {("tools.low", "tools.high")}


def test_an_arrow_downward_or_within_a_room_is_allowed(tmp_path: Path) -> None:
    root = house(
        tmp_path,
        tools__low="from tools import low_too",
        tools__low_too="import os, json",
        tools__left="import tools.low",
        tools__high="from tools import left, right, low",
        tools__right="'-m tools.high, in words, starts nothing'",
        agent__main="from tools.high import left",
    )
    assert upward(arrows(root), SMALL) == set()
    assert ("tools.left", "tools.low") in arrows(root) and ("agent.main", "tools.high") in arrows(root)


def test_rooms_of_one_floor_are_kept_apart_and_top_rooms_in_order(tmp_path: Path) -> None:
    root = house(tmp_path, tools__left="import tools.right", tools__right="import agent.main", agent__main="")
    assert upward(arrows(root), SMALL) == {("tools.left", "tools.right"), ("tools.right", "agent.main")}


def test_a_file_without_a_place_in_the_table_is_found(tmp_path: Path) -> None:
    root = house(tmp_path, tools__low="", tools__new="")
    assert without_a_place(modules(root), SMALL) == {"tools.new"}


def test_a_circle_is_found_though_each_of_its_arrows_is_allowed(tmp_path: Path) -> None:
    root = house(
        tmp_path,
        tools__low="def later():\n    import tools.low_too",
        tools__low_too="from tools.low import thing",
        tools__left="from tools import low",
    )
    assert upward(arrows(root), SMALL) == set()
    assert circles(arrows(root)) == [["tools.low", "tools.low_too"]]


def test_a_name_used_twice_is_found_but_for_protocols_and_other_top_rooms(tmp_path: Path) -> None:
    root = house(
        tmp_path,
        tools__left__reading="",
        tools__right__reading="",
        tools__left__types="",
        tools__right__types="",
        graphs__reading="",
    )
    assert names_used_twice(modules(root), root) == {
        "tools/reading.py": ["tools/left/reading.py", "tools/right/reading.py"]
    }


@pytest.mark.parametrize("sign", ["", '"""Things."""', '"""Things.\n\nMore about things.\n"""', None])
def test_a_folder_without_a_sign_is_found(tmp_path: Path, sign: str | None) -> None:
    root = house(tmp_path, tools__low="", tools__left__one="")
    door = root / "tools" / "left" / "__init__.py"
    door.unlink() if sign is None else door.write_text(sign, encoding="utf-8")
    assert doors_without_a_sign(modules(root).values(), root) == ["tools/left"]
