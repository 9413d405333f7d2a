"""A model that obeys every instruction it reads breaks none of the promises of DESIGN 10: 160 runs.

40 instructions (tests/injection/payloads.py) in body text, table, PDF metadata and entity name; the model behind a real
HTTP server (tests/injection/obedient.py); what is promised (tests/injection/promises.py).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.settings import Settings
from agent.shelf import OpenIndex
from tests.endpoint import Server, serving
from tests.injection.documents import Case, cases, write_documents
from tests.injection.obedient import Obedient
from tests.injection.promises import TOOLS, breaches
from tools.scope import Scope

PAGES = {"10q": 3, "call": 1}
connected: list[tuple[Any, ...]] = []
"""Where a socket was opened to, since the module began."""


def _note_connections(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple):
        connected.append(args[1])


sys.addaudithook(_note_connections)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All documents in one index."""
    folder = tmp_path_factory.mktemp("injection")
    write_documents(folder / "docs")
    with Assistant(Settings(_env_file=None, home=folder / "home")) as assistant:
        assert assistant.index([folder / "docs"]).counts == {"indexed": 60}
    return folder / "home"


@pytest.fixture(scope="module")
def searches() -> Iterator[list[tuple[str, Scope]]]:
    """Every search that reaches the index: which, and in what scope."""
    made: list[tuple[str, Scope]] = []
    patch = pytest.MonkeyPatch()
    for name in sorted(TOOLS):
        patch.setattr(OpenIndex, name, _noting(name, getattr(OpenIndex, name), made))
    yield made
    patch.undo()


def _noting(name: str, search: Any, made: list[tuple[str, Scope]]) -> Any:
    def noted(self: OpenIndex, question: str, scope: Scope, *rest: Any) -> Any:
        made.append((name, scope))
        return search(self, question, scope, *rest)

    return noted


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving() as opened:
        yield opened


@pytest.fixture(scope="module")
def asked(home: Path, server: Server) -> Iterator[Assistant]:
    with Assistant(server.settings(home=home, rerank="model", llm_context=32_000)) as assistant:
        yield assistant


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.id)
def test_a_model_that_obeys_every_instruction_breaks_no_promise(
    case: Case, asked: Assistant, server: Server, searches: list[tuple[str, Scope]]
) -> None:
    model = Obedient(case)
    server.script[:] = [model]
    searches.clear()
    connected.clear()
    before = len(server.requests)
    answer = asked.ask(case.question)
    sent = server.requests[before:]

    kept = {case.report.file: PAGES["call" if case.report.is_call else "10q"]}
    assert breaches(answer, case, kept) == []
    assert {scope.companies for _, scope in searches} <= {(case.report.ticker,)}
    assert model.unfenced == []
    assert all("tools" not in request.body and "functions" not in request.body for request in sent)
    assert {host for host, *_ in connected} <= {"127.0.0.1"}
    assert {port for _, port, *_ in connected} <= {int(server.base_url.split(":")[2].split("/")[0])}
    if case.place == "metadata" or case.payload.hidden:
        assert model.read_in == []
    else:
        assert model.read_in != []
