"""The pipeline `none`: a model asked without documents (the other hypothesis of Kopaneva 2025)."""

from __future__ import annotations

import time

from evals.datasets.types import Item
from evals.rows import Row
from graphs.contracts import StepUsage
from prompts.loading import load
from tools.model.fence import defused
from tools.model.turn import turn
from tools.model.types import ChatModel, Message

NONE = "none"
UNKNOWN = "UNKNOWN"
"""What the prompt has a model say that does not know."""


def from_memory(model: ChatModel, item: Item, deadline: float, max_tokens: int) -> Row:
    """The model's words, which nothing checks and nothing is cited for. `deadline`: seconds. ModelError."""
    began = time.monotonic()
    messages = load("closed_book").messages(question=defused(item.question))
    with turn("generate", deadline=began + deadline) as spent:
        reply = model.complete(tuple(Message(role, text) for role, text in messages), max_tokens=max_tokens)
    text = reply.text.strip()
    known = bool(text) and text.rstrip(".").upper() != UNKNOWN
    return Row(
        pipeline=NONE,
        id=item.id,
        question=item.question,
        status="answered" if known else "abstained",
        reason=None if known else "no_evidence",
        answer=text,
        engine="model",
        usage=StepUsage(
            calls=spent.calls, input_tokens=spent.input_tokens, output_tokens=spent.output_tokens
        ),
        seconds={"total": time.monotonic() - began},
    )
