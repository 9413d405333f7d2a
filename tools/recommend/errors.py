"""What can go wrong with histories, as types; `str()` is a sentence for the user."""

from __future__ import annotations


class InteractionFileError(ValueError):
    """A file of who did what when that can't be read at all, or holds too little for what was asked of it."""


class DivergedError(ValueError):
    """Learning went astray: what is lost, or a score, is no number."""
