"""The project's own sample documents: two fictional companies, their sources and their renderer.

Imports nothing of the project.
"""

from pathlib import Path

DOCUMENTS = Path(__file__).parent / "docs"
"""Folder of the sample PDFs."""
