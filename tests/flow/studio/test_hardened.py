"""The LangGraph server, attacked as in `evals.attacks.server`: nothing breaks."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from agent.bodies import MAX_BYTES, SmallBodiesOnly, fits
from agent.threads.server_file import FILE
from evals.attacks import server
from tests.server import Studio


def test_no_pickle_is_read_whatever_lies_there(studio: Studio, planted: dict[Path, bytes]) -> None:
    assert studio.thread() and len(planted) == len(server.PICKLES)
    assert server.touched(planted) == []


def test_the_planted_pickles_would_show_that_they_were_read(tmp_path: Path) -> None:
    planted = server.plant(tmp_path)
    for path in planted:
        pickle.loads(path.read_bytes())  # noqa: S301
    assert len(server.touched(planted)) == len(server.PICKLES)


def test_a_server_started_in_a_way_that_reads_pickles_says_so_and_stops(tmp_path: Path) -> None:
    server.plant(tmp_path)
    read = "import contextlib, langgraph.checkpoint.memory\nwith contextlib.suppress(RuntimeError):\n    "
    read += "import langgraph_runtime_inmem.store"
    then = (
        "import sys\nsys.modules['langgraph_runtime_inmem.store'] = None\nimport agent.server.pickles as p\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{read}\n{then}p.refuse_pickles()"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
    )
    assert "PicklesReadError" in done.stderr and "make studio" in done.stderr


def test_indexing_over_http_reads_only_below_named_folders_and_through_no_link(
    studio: Studio, readable: Path
) -> None:
    assert server.files_read(studio.address, readable) == []


def test_only_named_graphs_are_tools(studio: Studio) -> None:
    assert server.tools_unnamed(studio.address) == []


def test_a_body_over_the_limit_is_refused_before_it_is_read(studio: Studio) -> None:
    assert server.large_bodies_read(studio.address) == []


def test_the_server_neither_deploys_nor_shows_what_lies_in_memory(studio: Studio) -> None:
    assert server.closed_paths_open(studio.address) == []


@pytest.mark.timeout(600)
def test_nothing_that_a_client_was_told_is_lost_by_a_kill(tmp_path: Path) -> None:
    assert server.kills(tmp_path, count=1) == []


def test_a_damaged_file_of_threads_is_said_in_words_and_code_2(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 100)
    done = subprocess.run(
        [sys.executable, "-m", "agent.server.start"],
        env={"PYTHONPATH": str(Path(__file__).parents[3]), "HYBRIDRAG_HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "move the file away" in done.stderr


@pytest.mark.parametrize(
    ("told", "small"),
    [
        ("0", True),
        ("1048576", True),
        ("0001", True),
        ("1048577", False),
        (f"{'0' * 20}3000000", False),
        ("-1", False),
    ],
)
def test_a_told_length_counts_whatever_zeros_stand_before_it(told: str, small: bool) -> None:
    assert fits(told, MAX_BYTES) is small


@pytest.mark.parametrize("kind", ["text", "bytes"])
def test_a_large_message_over_a_websocket_is_not_read_and_ends_it(kind: str) -> None:
    read: list[Message] = []

    async def sent() -> Message:
        text = "x" * (MAX_BYTES + len(read))
        return {"type": "websocket.receive", kind: text if kind == "text" else text.encode()}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        for _ in range(2):
            read.append(await receive())

    async def told(message: Message) -> None:
        raise AssertionError(message)

    asyncio.run(SmallBodiesOnly(app)({"type": "websocket"}, sent, told))
    small, large = read
    assert len(small[kind]) == MAX_BYTES
    assert large["type"] == "websocket.disconnect" and large["code"] == 1009 and kind not in large
