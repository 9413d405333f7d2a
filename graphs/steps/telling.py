"""What a turn is doing, for whoever streams it in LangGraph's mode `custom`; nothing of it is unchecked."""

from __future__ import annotations

from langgraph.config import get_stream_writer


def tell(**said: object) -> None:
    """One event: `planned` (the calls of tools, as plain data), `found` (pieces of evidence that an answer is written
    from), `said` (a paragraph or line of the checked answer). Nothing where the step runs outside of a graph."""
    try:
        writer = get_stream_writer()
    except RuntimeError:  # called as a plain function
        return
    writer(said)
