"""Tables of a filing: found on the page, read by position, stated as facts with period, unit and scale.

Imports document types and values; knows no file and no chunk.
"""

from __future__ import annotations

from tools.documents.tables.find import find_tables

__all__ = ["find_tables"]
