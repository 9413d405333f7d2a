"""Where the sample documents lie."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def sample_documents() -> Path:
    """Folder of the sample PDFs, found without importing `evals`, which stands above this room.

    Raises FileNotFoundError if the package was installed without them.
    """
    spec = find_spec("evals")
    for location in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(location) / "samples" / "docs"
        if folder.is_dir():
            return folder
    raise FileNotFoundError("The sample documents are not installed. Reinstall hybridrag.")
