from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.ontology.rdf_files import LIMITS, Ontology, RdfLimits, read_ontology

Read = Callable[..., Ontology]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads a folder with these files: bytes or text by name."""

    def from_files(files: dict[str, str | bytes], limits: RdfLimits = LIMITS) -> Ontology:
        folder = tmp_path / "ontology"
        for name, said in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(said if isinstance(said, bytes) else said.encode())
        return read_ontology(folder, limits)

    return from_files
