"""Page text in layout mode, for pages that pypdf's layout mode alone does not read."""

from __future__ import annotations

from pypdf import PageObject


def layout_text(page: PageObject) -> str:
    """A page's text with its columns kept apart by spaces, or '' where that yields too little of the plain text."""
    return page.extract_text(extraction_mode="layout")
