"""Question -> route, judged by the model; which tools that means is code."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator

from graphs.contracts import TOOLS_OF, Reading, Route, RouteKind
from graphs.drafts import refusals
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.replies import unlinked
from graphs.protocols import Router
from tools.documents.text.cleaning import clean, squeeze
from tools.model.fence import defused
from tools.model.structured import ask_structured
from tools.model.types import ChatModel

MIN_CONFIDENCE = 0.5
"""Confidence below which both tools are asked."""
MAX_REASON_CHARS = 200


def _kind(value: object) -> object:
    return value.strip().strip("\"'.").lower() if isinstance(value, str) else value


def _share(value: object) -> object:
    """0 to 1; small models write 95 or '95%' for 0.95, or leave it out."""
    if isinstance(value, str):
        value = value.strip().rstrip("%")
    if value is None or value == "":
        return MIN_CONFIDENCE
    if not isinstance(value, str | int | float):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    return min(max(number / 100 if number > 1 else number, 0.0), 1.0)


class RouteReply(BaseModel):
    """What the model says of a question."""

    kind: Annotated[RouteKind, BeforeValidator(_kind)]
    reason: str = ""
    confidence: Annotated[float, BeforeValidator(_share)] = MIN_CONFIDENCE


class ModelRouter:
    """A `Router` that asks the model about questions that are meant for the documents."""

    def __init__(self, model: ChatModel, local: Router) -> None:
        """`local` routes where the model's reply can't be used."""
        self._model, self._local = model, local

    def route(self, reading: Reading) -> Route:
        """See `graphs.protocols.Router`."""
        if refusals.before(reading) is not None:
            return self._local.route(reading)
        return with_local_fallback("route", lambda: self._asked(reading), lambda: self._local.route(reading))

    def _asked(self, reading: Reading) -> Route:
        names = ", ".join((*reading.company_names, *reading.metrics, *reading.entities)) or "none"
        messages = prompt("route", question=defused(squeeze(reading.question)), names=defused(names))
        reply = ask_structured(self._model, messages, RouteReply)
        kind: RouteKind = reply.kind if reply.confidence >= MIN_CONFIDENCE else "uncertain"
        reason = (
            squeeze(unlinked(clean(reply.reason)))[:MAX_REASON_CHARS].rstrip(".")
            or f"the model calls it {kind}"
        )
        return Route(kind=kind, tools=TOOLS_OF[kind], reason=reason, confidence=reply.confidence)
