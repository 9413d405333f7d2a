from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests.endpoint import MODEL, Asked, Said, Server, serving
from tests.reading_model import reading
from tools.model.cache import replies
from tools.store.disk.home import Home
from tools.store.generation.opening import open_generation
from tools.store.runs.index_run import index_paths
from tools.vector.embeddings import LocalEmbeddings


def slowly(asked: Asked) -> Said:
    time.sleep(0.15)
    return reading(asked)


def launch(server: Server, home: Path, documents: Path) -> subprocess.Popen[bytes]:
    environment = {
        **os.environ,
        "HYBRIDRAG_LLM_BASE_URL": server.base_url,
        "HYBRIDRAG_LLM_MODEL": MODEL,
        "HYBRIDRAG_LLM_CONCURRENCY": "1",
        "HYBRIDRAG_WORKERS": "1",
        "HYBRIDRAG_EXTRACT_PASSES": "2",  # more calls to lose
    }
    return subprocess.Popen(
        [sys.executable, "-m", "agent.cli.main", "index", str(documents), "--home", str(home)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[2],
    )


@pytest.mark.timeout(200)
def test_a_killed_run_pays_nothing_twice_and_its_rerun_ends_with_the_same_graph(tmp_path: Path) -> None:
    documents, home = write_documents(tmp_path / "in", 0), tmp_path / "home"
    chance, before, in_the_middle = random.Random(11), 0, 0
    with serving(slowly) as server:
        for _ in range(5):
            process = launch(server, home, documents)
            kept = len(list(replies(home / "cache")))
            wanted, asked = chance.randint(0, 2), len(server.chats)
            while process.poll() is None and len(server.chats) - asked <= wanted:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.wait()
            now = len(list(replies(home / "cache")))
            in_the_middle += 0 < now < 6
            assert len(server.chats) - asked <= (now - kept) + 1, "only the call in hand may be lost"
            before = now
            assert Home(home).current() is None or before == 6
        while launch(server, home, documents).wait() != 0:
            pass
        assert len(server.chats) <= 6 + 5
    with open_generation(home, LocalEmbeddings()) as opened:
        digest = opened.digest
    assert in_the_middle >= 2, "the premise: kills that cost something"
    with serving(reading) as server:
        assert launch(server, tmp_path / "undisturbed", documents).wait() == 0
    with open_generation(tmp_path / "undisturbed", LocalEmbeddings()) as opened:
        assert opened.digest == digest
    assert index_paths(tmp_path / "local", [documents]).digest != digest
