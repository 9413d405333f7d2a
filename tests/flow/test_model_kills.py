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
from tests.endpoint import KEY, MODEL, Asked, Said, Server, serving
from tests.light_index import index_light
from tests.reading_model import reading
from tests.store_stand_ins import HashEmbedder
from tests.warm_processes import MAY_BE_WARM
from tools.model.cache import replies
from tools.store.disk.home import Home
from tools.store.generation.opening import open_generation


def slowly(asked: Asked) -> Said:
    time.sleep(0.15)
    return reading(asked)


RUN = f"""{MAY_BE_WARM}
import sys
from pathlib import Path
from agent.endpoint.models import chat_model
from agent.settings import Settings
from tests.light_index import index_light
from tools.store.reading.model_broker import Models

models = Models(chat=chat_model(Settings(_env_file=None)), passes=2, at_once=1)  # two passes: more calls to lose
index_light(Path(sys.argv[1]), [Path(sys.argv[2])], models=models, apart=True)
"""


def launch(server: Server, home: Path, documents: Path) -> subprocess.Popen[bytes]:
    """A run to be killed, with the stand-ins: with the real models most of its time would go to load them."""
    environment = {
        **os.environ,
        "HYBRIDRAG_LLM_BASE_URL": server.base_url,
        "HYBRIDRAG_LLM_MODEL": MODEL,
        "HYBRIDRAG_LLM_API_KEY": KEY,
        "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path),
    }
    return subprocess.Popen(
        [sys.executable, "-c", RUN, str(home), str(documents)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
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
    with open_generation(home, HashEmbedder()) as opened:
        digest = opened.digest
    assert in_the_middle >= 2, "the premise: kills that cost something"
    with serving(reading) as server:
        assert launch(server, tmp_path / "undisturbed", documents).wait() == 0
    with open_generation(tmp_path / "undisturbed", HashEmbedder()) as opened:
        assert opened.digest == digest
    assert index_light(tmp_path / "local", [documents]).digest != digest
