"""What a browser sends, and what the routes work on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from agent.assistant import Assistant
from agent.threads.sessions import Sessions
from agent.threads.turn_parts import Filters
from agent.web.turns import Turns

STREAM = "application/x-ndjson"
Stopped = Callable[[], bool]
"""Whether what is under way is to end."""
Tried = TypeVar("Tried")
Words = Annotated[str, Field(max_length=1_000_000)]


class Pinned(BaseModel):
    """Filters."""

    model_config = ConfigDict(extra="forbid")

    company: Annotated[str, Field(max_length=200)] | None = None
    year: Annotated[int, Field(ge=1900, le=2100)] | None = None
    quarter: Annotated[int, Field(ge=1, le=4)] | None = None
    doc_type: Annotated[str, Field(max_length=200)] | None = None
    document: Annotated[str, Field(max_length=1_000)] | None = None

    def filters(self) -> Filters:
        """As a turn takes them."""
        return Filters(
            self.company or None, self.year, self.quarter, self.doc_type or None, self.document or None
        )


class Asked(Pinned):
    """A question and the filters that are pinned."""

    question: Words


class Said(BaseModel):
    """Words of the user: a reply, a thread's new name."""

    model_config = ConfigDict(extra="forbid")

    text: Words


class Served(Protocol):
    """What the routes work on; `agent.web.app.Page` is one."""

    assistant: Assistant
    sessions: Sessions
    turns: Turns

    def check_free(self) -> None:
        """Raises UsageError while documents are being taken out."""

    async def rehearsed(self, find: Callable[[Stopped], Sequence[Tried]]) -> list[Tried]:
        """What `find` has tried: questions to be shown; it ends early where its argument says so."""
        ...

    async def rehearsals_end(self) -> None:
        """Waits until no question is being tried."""

    def alone(self) -> AbstractContextManager[None]:
        """Within it nothing is asked or indexed."""
        ...
