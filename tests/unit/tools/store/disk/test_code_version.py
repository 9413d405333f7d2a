from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import tools
from tools.store.disk.code_version import READING, code_version


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "orla_code"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "reader.py").write_text("X = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    code_version.cache_clear()
    return folder


def test_a_version_changes_with_any_line_below_a_package(package: Path) -> None:
    before = code_version(("orla_code",), ())
    assert len(before) == 16
    (package / "reader.py").write_text("X = 2\n")
    code_version.cache_clear()
    changed = code_version(("orla_code",), ())
    assert changed != before
    (package / "data").mkdir()
    (package / "data" / "names.json").write_text("{}")
    code_version.cache_clear()
    assert code_version(("orla_code",), ()) != changed
    (package / "data" / "names.json").unlink()
    (package / "reader.py").rename(package / "other.py")
    code_version.cache_clear()
    assert code_version(("orla_code",), ()) != changed
    sys.modules.pop("orla_code", None)


def test_a_version_depends_on_the_libraries_and_a_missing_module_is_an_error(package: Path) -> None:
    assert code_version(("orla_code",), ("numpy",)) != code_version(("orla_code",), ())
    with pytest.raises(ModuleNotFoundError):
        code_version(("orla_code.nowhere",), ())


def test_what_reading_documents_stands_on_is_part_of_its_version() -> None:
    root = Path(tools.__path__[0])
    files = [
        *(root / "documents").rglob("*.py"),
        root / "values.py",
        root / "value_patterns.py",
        root / "period_words.py",
        root / "quantities.py",
        root / "periods.py",
    ]
    imported = {
        node.module
        for file in files
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tools.")
    }
    assert "tools.value_patterns" in imported
    assert {module for module in imported if not module.startswith(READING)} == set()
