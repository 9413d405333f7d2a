"""Question sets written to a folder of the test's own. Their documents are only named and hashed, so any bytes do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.datasets.all_datasets import load_dataset
from evals.datasets.types import DatasetError

Writer = Callable[..., Path]
Refusal = Callable[[str, Path | None], str]


@pytest.fixture
def put(tmp_path: Path) -> Writer:
    """put(name, content): a file below the test's folder; objects of a list become JSON Lines."""

    def write(name: str, content: bytes | str | list[Any] = b"words") -> Path:
        if isinstance(content, list):
            content = "".join(json.dumps(line) + "\n" for line in content)
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def refusal() -> Refusal:
    """refusal(name, path): what loading that set complains of."""

    def load(name: str, path: Path | None) -> str:
        with pytest.raises(DatasetError) as caught:
            load_dataset(name, path)
        return str(caught.value)

    return load
