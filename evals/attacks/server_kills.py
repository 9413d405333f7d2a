"""The LangGraph server killed while it answers: what a client was told is there, once, when it is started again."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk.client import SyncLangGraphClient
from langgraph_sdk.errors import NotFoundError

from agent.assistant import Assistant
from agent.settings import Settings
from evals.attacks.serving import Served, client_of, clone, serving, start

KILLS = 20
QUESTIONS = ("What was Orla's revenue in 2024?", "What did Orla say about margins?", "Did Orla's debt fall?")
NOTE = (
    "Orla Mills Inc. said that revenue rose to $12.5 million in 2024.\n\n"
    "Orla said that margins fell because freight cost more.\n\nOrla said that its debt fell to $3.1 million.\n"
)


def small_home(folder: Path) -> Path:
    """An index of one note."""
    (folder / "note.txt").write_text(NOTE, encoding="utf-8")
    Assistant(Settings(_env_file=None, home=folder / "home", workers=1)).index([folder / "note.txt"])
    return folder / "home"


def kills(folder: Path, count: int = KILLS, seed: int = 1) -> list[str]:
    """Is anything lost that a server told of, when it is killed (SIGKILL) `count` times at random moments?"""
    home, chance = small_home(folder), random.Random(seed)
    known, broke = Known(), list[str]()
    clone(folder / "server")
    for _ in range(count):
        served = start(home, folder / "server", {"HYBRIDRAG_ENGINE": "local"})
        broke += known.missing(served)
        talker = threading.Thread(target=known.talk, args=(served,))
        talker.start()
        known.begun.wait(30)
        time.sleep(chance.uniform(0, 10))
        served.kill()
        talker.join(30)
    with serving(home, folder / "server", {"HYBRIDRAG_ENGINE": "local"}) as served:
        broke += known.missing(served)
        known.talk(served, turns=1)
        broke += known.missing(served)
    if len(known.threads) < 2 or not known.answers:
        broke.append(f"nothing was told: {len(known.threads)} threads, {sum(known.answers.values())} answers")
    return broke


class Known:
    """What a client was told, over the lives of a server."""

    def __init__(self) -> None:
        self.threads: dict[str, str] = {}
        """Id -> its mark."""
        self.answers: Counter[tuple[str, str]] = Counter()
        """(Thread, question) of each answer."""
        self.begun = threading.Event()

    def talk(self, served: Served, turns: int = 1_000) -> None:
        """Make threads and ask on them until the server dies."""
        self.begun.clear()
        try:
            with httpx.Client(base_url=served.address, timeout=60) as client:
                for _ in range(turns):
                    self._converse(client)
        except httpx.HTTPError:  # it was killed
            return

    def _converse(self, client: httpx.Client) -> None:
        mark = str(len(self.threads))
        thread = client.post("/threads", json={"metadata": {"mark": mark}}).json()["thread_id"]
        self.threads[thread] = mark
        self.begun.set()
        for question in QUESTIONS:
            said = {"messages": [{"role": "user", "content": question}]}
            given = {"assistant_id": "assistant", "input": said}
            done = client.post(f"/threads/{thread}/runs/wait", json=given).json()
            self.answers[thread, done["messages"][-2]["content"]] += 1

    def missing(self, served: Served) -> list[str]:
        """What of it the server does not hold, or holds twice, or has not gone on with."""
        with client_of(served.address) as client:
            return [told for thread in self.threads for told in self._wrong_with(client, thread)]

    def _wrong_with(self, client: SyncLangGraphClient, thread: str) -> list[str]:
        end = time.monotonic() + 60
        try:
            row: Any = client.threads.get(thread)
            while row["status"] == "busy" and time.monotonic() < end:  # what was cut off is gone on with
                time.sleep(0.2)
                row = client.threads.get(thread)
            state: Any = client.threads.get_state(thread)
        except NotFoundError:
            return [f"thread {thread} is lost"]
        mark = (row.get("metadata") or {}).get("mark")
        messages = (state["values"] or {}).get("messages", [])
        asked = [message["content"] for message in messages if message["type"] == "human"]
        kinds = [message["type"] for message in messages]
        told = {question for one, question in self.answers if one == thread}
        return [
            *[f"a thread's metadata is lost: {mark}"] * (mark != self.threads[thread]),
            *[f"a turn is there twice: {asked}"] * (len(asked) != len(set(asked))),
            *[f"a turn is torn: {kinds}"] * (kinds != ["human", "ai"] * (len(kinds) // 2)),
            *[f"an answer is lost: {question}" for question in told - set(asked)],
            *[f"a thread is {row['status']}"] * (row["status"] != "idle"),
        ]
