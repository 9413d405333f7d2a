"""Every import of a source tree, read from its text: nothing that is measured is imported.

Counted alike: imports at the top of a file, inside functions and under TYPE_CHECKING, modules named in
`import_module("...")` and its kin, and those started with `python -m`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOMS = ("prompts", "tools", "graphs", "agent", "evals", "hybridrag")
"""The top rooms, the lowest first."""
BY_NAME = ("import_module", "__import__", "find_spec", "files", "run_module")
"""Functions that take a module by its name."""


def modules(root: Path) -> dict[str, Path]:
    """Dotted name -> file, of everything in the top rooms; a package goes by its folder's name."""
    found: dict[str, Path] = {}
    for path in sorted(file for room in ROOMS for file in (root / room).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def arrows(root: Path) -> set[tuple[str, str]]:
    """(module, module that it imports), both of the top rooms."""
    known = modules(root)
    found: set[tuple[str, str]] = set()
    for name, path in known.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for target in _targets(path.read_text(encoding="utf-8"), package):
            module = _module(target, known)
            if module and module != name:
                found.add((name, module))
    return found


@cache
def _targets(text: str, package: str) -> tuple[str, ...]:
    """Dotted names that a file of this text imports, starts or finds. Kept: several tests read the whole tree."""
    return tuple(target for node in ast.walk(ast.parse(text)) for target in _named(node, package))


def _named(node: ast.AST, package: str) -> Iterator[str]:
    """Dotted names that a statement or an expression imports, starts or finds."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        yield from (f"{base}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call):
        function = node.func
        called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if called in BY_NAME and node.args:
            yield from _texts(node.args[:1])
    elif isinstance(node, ast.List | ast.Tuple):
        for flag, argument in zip(node.elts, node.elts[1:], strict=False):
            if isinstance(flag, ast.Constant) and flag.value == "-m":
                yield from _texts([argument])


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _module(name: str, known: dict[str, Path]) -> str:
    """The module that holds a dotted name; '' where it is none of the project's."""
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name
