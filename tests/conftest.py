"""Fixtures of all tests: an environment of the test's own, no network, homes that are built once."""

from __future__ import annotations

import tests.cheap_processes  # noqa: F401

# isort: split
import fcntl
import gc
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

from agent.assistant import Assistant
from agent.cli.main import main
from agent.settings import Settings
from evals.kills import write_documents
from evals.samples import DOCUMENTS
from tests.asked_here import questions_in_this_process
from tests.postgres_here import PostgresHere, postgres_here, why_not
from tests.restated import write_restated
from tests.vectors_here import vectors_in_this_process
from tests.warm_processes import Nursery, started_cold, warm_processes
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.publishing import publish
from tools.store.runs.index_run import index_paths

STUDIO = "tests/flow/studio"
LOOPBACK = ("127.", "::1", "localhost")


def _refuse_network(event: str, args: tuple[Any, ...]) -> None:
    """An audit hook: a connection that would leave this machine fails its test."""
    if event == "socket.connect" and isinstance(args[1], tuple):
        host = str(args[1][0])
    elif event == "socket.getaddrinfo" and args[0] is not None:
        host = args[0].decode() if isinstance(args[0], bytes) else str(args[0])
    else:
        return
    if host and not host.startswith(LOOPBACK):
        raise RuntimeError(f"a test reached for the network: {host}")


sys.addaudithook(_refuse_network)


class OneServer(LoadFileScheduling):
    """A file to a process, and all files of Studio to one: its server takes as long to start as they to be tested."""

    def _split_scope(self, nodeid: str) -> str:
        scope: str = super()._split_scope(nodeid)
        return STUDIO if scope.startswith(STUDIO) else scope


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneServer | None:
    """For `--dist loadfile`."""
    return OneServer(config, log) if config.getoption("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Nothing that collecting made is garbage before the end: the collector need not go through it, a quarter of a
    second each time, in this process and its forks."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def environment_of_its_own() -> Iterator[None]:
    """No setting, key or endpoint of the developer reaches a test or what tests share, and no trace leaves them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in os.environ:
            if name.upper().startswith(("HYBRIDRAG_", "OPENAI_", "LANGSMITH_", "LANGCHAIN_")):
                patch.delenv(name)
        patch.setenv("LANGSMITH_TRACING", "false")
        yield


@pytest.fixture(autouse=True)
def nothing_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an endpoint taught the test before is forgotten."""
    monkeypatch.setattr("tools.model.tokens._factors", {})


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """The one process that the processes of `begun_warm` are forked from."""
    with Nursery() as opened:
        yield opened


@pytest.fixture(scope="module", autouse=True)
def begun_warm(request: pytest.FixtureRequest, nursery: Nursery) -> Iterator[None]:
    """In `flow` and `live` processes of ours begin with their modules loaded, but not in a module with a `COLD`, which
    says why, nor in a test that uses `cold`."""
    room = request.path.relative_to(Path(__file__).parent).parts[0]
    cold = room not in ("flow", "live") or hasattr(request.module, "COLD") or sys.platform != "linux"
    with nullcontext() if cold else warm_processes(nursery):
        yield


@pytest.fixture
def cold() -> Iterator[None]:
    """The test's processes start as users start them."""
    with started_cold():
        yield


@pytest.fixture(scope="session")
def samples() -> Path:
    """Folder of the sample PDFs."""
    return DOCUMENTS


Build = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """`built_once(name, build)`: a folder that the first of the suite's processes fills and the others find."""
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root

    def made(name: str, build: Callable[[Path], None]) -> Path:
        folder, whole = root / f"shared-{name}", root / f"shared-{name}.whole"
        with (root / f"shared-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not whole.exists():
                shutil.rmtree(folder, ignore_errors=True)  # its builder failed
                folder.mkdir()
                build(folder)
                whole.touch()
        return folder

    return made


@pytest.fixture(scope="session")
def sample_homes(built_once: Build, samples: Path) -> Path:
    """A folder with a home of the sample documents, `home`, and one that nobody opens, `untouched`."""

    def build(folder: Path) -> None:
        report = Assistant(Settings(_env_file=None, home=folder / "home")).index([samples])
        assert report.counts == {"indexed": 4}
        shutil.copytree(folder / "home", folder / "untouched")

    return built_once("samples", build)


@pytest.fixture(scope="session")
def sample_home(sample_homes: Path) -> Path:
    """A home with the sample documents, indexed once by the real engine. To be read only."""
    return sample_homes / "home"


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresHere]:
    """A PostgreSQL server of the test process's own; where there can be none, its tests are skipped with the reason."""
    if why := why_not():
        pytest.skip(why)
    with postgres_here() as here:
        yield here


@pytest.fixture(scope="session")
def sample_store(
    untouched_home: Path, postgres: PostgresHere, tmp_path_factory: pytest.TempPathFactory
) -> str:
    """The address of a database with the sample documents, published once. Of the schema `hybridrag` to be read
    only."""
    home = Path(shutil.copytree(untouched_home, tmp_path_factory.mktemp("published") / "home"))
    address = postgres.address()
    publish(home, StoreAddress.of(address))
    return address


@pytest.fixture(scope="session")
def untouched_home(sample_homes: Path) -> Path:
    """The same, to be copied only: Chroma writes a journal even to read, and a copy taken meanwhile is damaged."""
    return sample_homes / "untouched"


@pytest.fixture(scope="session")
def three_calls(built_once: Build) -> Path:
    """A folder with three small documents, `in`, and a home of theirs, `home`, by the real engine. To be read only."""

    def build(folder: Path) -> None:
        index_paths(folder / "home", [write_documents(folder / "in", 0)])

    return built_once("three-calls", build)


@pytest.fixture(scope="session")
def restated_home(built_once: Build) -> Path:
    """A home with `tests.restated`'s two filings. To be copied only."""

    def build(folder: Path) -> None:
        with vectors_in_this_process():
            Assistant(Settings(_env_file=None, home=folder / "home")).index([write_restated(folder / "in")])

    return built_once("restated", build) / "home"


@pytest.fixture
def vectors_here() -> Iterator[None]:
    """Whatever the test indexes in its own process gets a vector index without a process more."""
    with vectors_in_this_process():
        yield


@pytest.fixture
def asked_here() -> Iterator[None]:
    """Whatever the test evaluates with the local engine is asked without a process more."""
    with questions_in_this_process():
        yield


@pytest.fixture
def home_copy(untouched_home: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Copies of the sample home, for tests that write."""

    def copy(name: str = "home") -> Path:
        return Path(shutil.copytree(untouched_home, tmp_path / name))

    return copy


@pytest.fixture(scope="session")
def assistant(sample_home: Path) -> Iterator[Assistant]:
    """The assistant over the sample home; its loaded models and indexes are shared."""
    with Assistant(Settings(_env_file=None, home=sample_home)) as opened:
        yield opened


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[Any]:
        """Standard output as JSON Lines; anything else there fails."""
        return [json.loads(line) for line in self.out.rstrip("\n").split("\n")]


Command = Callable[..., Ran]


@pytest.fixture
def hybridrag(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """Runs the command line in this process, in an empty working folder; no traceback is ever shown."""
    folder = tmp_path / "cwd"
    folder.mkdir()
    monkeypatch.chdir(folder)

    def run(*words: str | Path) -> Ran:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as stop:  # argparse
            code = stop.code if isinstance(stop.code, int) else 1
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return run
