"""What a slash command sees and changes of the chat that it is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from agent.threads.sessions import Session, Sessions
from agent.threads.turn_parts import Filters

if TYPE_CHECKING:
    from rich.text import Text

    from agent.assistant import Assistant
    from agent.chat.lines import Lines


class Conversation(Protocol):
    """A chat on one of its threads; `agent.chat.loop.Chat` is one."""

    assistant: Assistant
    sessions: Sessions
    lines: Lines
    session: Session
    """Of the thread that it is on."""
    filters: Filters
    """What is pinned."""
    pipeline: str
    left: bool
    """True when no further line is to be read."""

    def say(self, *lines: Text) -> None:
        """Show lines."""

    def enter(self, name: str | None) -> None:
        """Go to another thread; None: a new one. Raises what `Sessions.open` raises."""
