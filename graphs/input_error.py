"""What a graph says of an input that does not fit; apart from `state`, which loads LangGraph."""

from __future__ import annotations


class InputError(ValueError):
    """A run was given no question, or a context that can't be used."""
