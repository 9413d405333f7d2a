"""Questions to begin with over HTTP: kept while the index stays, never tried beside a removal or the server's end."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.errors import UsageError
from agent.settings import Settings
from agent.threads.sessions import Sessions
from tests.vectors_here import vectors_in_this_process
from tests.web_page import Served, serving_page

NOTE = "# Alder Corporation\n\nAlder Corporation opened a plant in Lisbon in May 2024.\n"


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    (folder / "note.md").write_text(NOTE, encoding="utf-8")
    with vectors_in_this_process():
        Assistant(Settings(_env_file=None, home=folder / "home")).index([folder / "note.md"])
    return folder / "home"


@pytest.fixture
def home(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "home"))


@dataclass
class Trial:
    """Questions that are being tried, and what happened in which order."""

    begun: threading.Event = field(default_factory=threading.Event)
    enough: threading.Event = field(default_factory=threading.Event)
    order: list[str] = field(default_factory=list)

    def examples(self, *, stopped: Callable[[], bool], **within: Any) -> tuple[str, ...]:
        self.begun.set()
        while not (self.enough.wait(0.01) or stopped()):
            pass
        time.sleep(0.2)  # the question in hand
        self.order.append("tried")
        return ()


@pytest.fixture
def trial(monkeypatch: pytest.MonkeyPatch) -> Trial:
    """Stands for the questions to begin with; a removal and the end of the threads are noted, too."""
    made = Trial()

    def noted(word: str, real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given: made.order.append(word) or real(*given)

    monkeypatch.setattr(Assistant, "examples", lambda _, **given: made.examples(**given))
    monkeypatch.setattr(Assistant, "remove", noted("removed", Assistant.remove))
    monkeypatch.setattr(Sessions, "close", noted("closed", Sessions.close))
    return made


def being_removed(served: Served) -> bool:
    try:
        served.page.check_free()
    except UsageError:
        return True
    return False


def test_a_removal_waits_until_no_question_is_tried_and_none_is_meanwhile(home: Path, trial: Trial) -> None:
    with ThreadPoolExecutor() as pool, serving_page(home) as served:
        (listed,) = served.client.get("/api/documents").json()
        pool.submit(served.client.get, "/api/examples")
        assert trial.begun.wait(60)
        removal = pool.submit(served.client.delete, f"/api/documents/{listed['document']}")
        while not being_removed(served):
            time.sleep(0.01)
        assert served.client.get("/api/examples?year=2024").json() == [] and trial.order == []
        trial.enough.set()
        assert removal.result().json()["removed"] == ["note.md"]
    assert trial.order == ["tried", "removed", "closed"]


def test_the_end_of_the_server_stops_what_is_tried_and_waits_for_it(home: Path, trial: Trial) -> None:
    with ThreadPoolExecutor() as pool:
        with serving_page(home) as served:
            pool.submit(served.client.get, "/api/examples")
            assert trial.begun.wait(60)
        assert trial.order == ["tried", "closed"]


def test_examples_are_kept_while_the_index_stays_and_that_there_are_none_is_not(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = iter([(), ("Where is the plant?",), ("What else?",)])
    monkeypatch.setattr(Assistant, "examples", lambda *_, **within: next(found))
    with serving_page(home) as served:
        told = [served.client.get("/api/examples").json() for _ in range(3)]
        assert told == [[], ["Where is the plant?"], ["Where is the plant?"]]
        assert served.client.get("/api/examples?year=2024").json() == ["What else?"]
