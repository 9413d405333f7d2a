"""Speed of chats, for `evals.bench`: a turn beside a single question, a long thread, many chats at once."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from agent.assistant import Assistant
from agent.threads.sessions import Session, Sessions
from graphs.contracts import Answer, Clarification

LONG_THREAD_TURNS = 200
"""Turns of the long thread."""
MEDIAN_TURNS = 10
"""Turns whose median stands for one place of it: the 6th to the 15th, and the ten after the last."""
CHATS = 20
TURNS = 10
"""Questions that each of the chats at once asks."""


def measure(home: Path, questions: Sequence[str]) -> dict[str, dict[str, float]]:
    """Seconds over a copy of `home`: `turn` (one of a chat, one `Assistant.ask`, their ratio), `long_thread` (to
    open it, its turns early and late, their ratio) and `chats` (20 at once)."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(shutil.copytree(home, Path(folder) / "home"))
        with Assistant.open(copied) as assistant, Sessions(assistant) as sessions:
            for question in questions[:MEDIAN_TURNS]:
                assistant.ask(question)
            turn = _turn(assistant, sessions, questions)
            late = _long(sessions, questions[:MEDIAN_TURNS])
            chats = _chats(sessions, questions)
        with Assistant.open(copied) as assistant, Sessions(assistant) as sessions:
            opened = _seconds(_open, sessions)
    return {"turn": turn, "long_thread": {"open": opened, **late}, "chats": chats}


def _turn(assistant: Assistant, sessions: Sessions, questions: Sequence[str]) -> dict[str, float]:
    """The two by turns, each question on a new thread: a follow-up would be another question."""
    alone, chat = [], []
    for question in questions:
        session = sessions.open()
        alone.append(_seconds(assistant.ask, question))
        chat.append(_seconds(_turn_of, session, question))
    one, other = statistics.median(alone), statistics.median(chat)
    return {"ask": one, "chat": other, "ratio": round(other / one, 2)}


def _long(sessions: Sessions, questions: Sequence[str]) -> dict[str, float]:
    session = sessions.open("long")
    taken = []
    for number in range(LONG_THREAD_TURNS + MEDIAN_TURNS):
        question = questions[number % len(questions)]
        taken.append(_seconds(_turn_of, session, question))
    early, late = statistics.median(taken[5 : 5 + MEDIAN_TURNS]), statistics.median(taken[LONG_THREAD_TURNS:])
    return {"early": early, "late": late, "ratio": round(late / early, 2)}


def _open(sessions: Sessions) -> None:
    session = sessions.open("long")
    assert session.unfinished() is None and len(session.turns()) == LONG_THREAD_TURNS + MEDIAN_TURNS


def _chats(sessions: Sessions, questions: Sequence[str]) -> dict[str, float]:
    taken: list[float] = []

    def chat(number: int) -> None:
        session = sessions.open(f"chat {number}")
        for turn in range(TURNS):
            question = questions[(number * TURNS + turn) % len(questions)]
            taken.append(_seconds(_turn_of, session, question))

    running = [threading.Thread(target=chat, args=(number,)) for number in range(CHATS)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    ordered = sorted(taken)
    return {
        "median": statistics.median(ordered),
        "p95": ordered[int(0.95 * len(ordered))],
        "max": ordered[-1],
    }


def _turn_of(session: Session, question: str) -> None:
    assert isinstance(list(session.ask(question))[-1], Answer | Clarification)


def _seconds(work: Callable[..., Any], *given: Any) -> float:
    started = time.perf_counter()
    work(*given)
    return round(time.perf_counter() - started, 4)
