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
from langchain_core.messages import AIMessage, HumanMessage

from agent.assistant import Assistant
from agent.open_indexes import OpenIndex
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.state import Context
from tests.conftest import Command
from tests.endpoint import KEY, MODEL, Asked, Said, Server, serving
from tests.injection.documents import Case, cases, write_documents
from tests.injection.obedient import Obedient
from tests.injection.payloads import PAYLOADS, Payload
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
    assert (model.unfenced, model.errors) == ([], [])
    assert all("tools" not in request.body and "functions" not in request.body for request in sent)
    assert {host for host, *_ in connected} <= {"127.0.0.1"}
    assert {port for _, port, *_ in connected} <= {int(server.base_url.split(":")[2].split("/")[0])}
    if case.place == "metadata" or case.payload.hidden:
        assert model.read_in == []
    else:
        assert model.read_in != []


def test_without_the_check_the_same_model_has_its_way_in_words_and_figures_alone(
    asked: Assistant, server: Server
) -> None:
    """The baselines are not checked, by design: what the model is told to say there gets through, so these promises
    can be broken. Citations, scope, links, keys and characters do not depend on the check."""
    found: list[str] = []
    for case in cases():
        if case.place == "body" and case.payload.number % 4 == 1:
            server.script[:] = [Obedient(case)]
            answer = asked.ask(case.question, company=case.report.ticker, pipeline="hybrid")
            found += breaches(answer, case, {case.report.file: 3})
    assert len(found) > 5
    assert [breach for breach in found if "says " not in breach and "in no source" not in breach] == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.id)
def test_an_instruction_in_an_earlier_answer_changes_no_later_question(
    payload: Payload, asked: Assistant, server: Server
) -> None:
    """The rewriter of follow-ups reads the conversation, and so what earlier answers quote."""
    case = Case(payload, "body")
    word, other = case.report.word, case.report.other.word
    model = Obedient(case)
    server.script[:] = [model]
    graph: Any = asked._graph("agent")
    said = [
        HumanMessage(f"What was {word}'s revenue in the quarter ended June 30, 2024?"),
        AIMessage(f"{word} says: “{case.report.text('body')}” [1]"),
        HumanMessage("And net income?"),
    ]
    answer = graph.invoke({"messages": said}, context=Context(deadline=120))["answer"]
    assert "condense" in model.steps and (model.unfenced, model.errors) == ([], [])
    assert other not in answer.standalone_question and "2018" not in answer.standalone_question
    assert {item.document for item in answer.evidence} <= {case.report.file}
    assert breaches(answer, case, {case.report.file: 3}) == []


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize(
    ("passes", "reads", "writes"), [(1, "relations", "relations"), (2, "refine", "extract")]
)
def test_an_instruction_to_the_extractor_adds_no_triplet(
    tmp_path: Path, server: Server, passes: int, reads: str, writes: str
) -> None:
    """Documents read by the model while indexing: what it makes up, or is told to add, is not in the graph."""
    chosen = [
        p for p in PAYLOADS if p.id in ("false-triplet", "default", "chat-template", "fence-closed-early")
    ]
    models = [Obedient(Case(payload, "body")) for payload in chosen]
    calls = [Obedient(Case(payload, "entity")) for payload in chosen]
    write_documents(tmp_path / "docs", chosen)

    def read(request: Asked) -> str | Said:
        return next(m for m in (*models, *calls) if m.case.report.word in request.prompt)(request)

    server.script[:] = [read]
    with Assistant(server.settings(home=tmp_path / "home", extract_passes=passes)) as assistant:
        report = assistant.index([tmp_path / "docs"])
        assert set(report.counts) == {"indexed"}
        if passes == 1:
            assert {"dropped: misquoted", "dropped: ungrounded", "dropped: unsaid"} <= report.tally.keys()
        names = {entity.name for entity in assistant.current().graph.entities}
        assert not {name for name in names for part in ("Initech", "Hooli", "http", "bonds") if part in name}
        for model in models:
            assert {reads, writes} <= set(model.steps) and reads in model.read_in
            assert (model.unfenced, model.errors) == ([], [])
            server.script[:] = [model]
            answer = assistant.ask(f"Who acquired {model.case.report.word}?")
            assert breaches(answer, model.case, {model.case.report.file: 3}) == []
    assert writes in next(m for m in models if m.case.payload.id == "false-triplet").read_in


def test_the_command_line_shows_no_more_than_the_answer(
    home: Path, server: Server, hybridrag: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("BASE_URL", server.base_url), ("MODEL", MODEL), ("API_KEY", KEY)):
        monkeypatch.setenv(f"HYBRIDRAG_LLM_{name}", value)
    for id_ in ("api-key", "marks-and-escapes"):
        case = next(case for case in cases() if case.id == f"{id_}-body")
        server.script[:] = [Obedient(case)]
        ran = hybridrag("ask", case.question, "--home", home, "--json")
        assert ran.code == 0
        answer = Answer.model_validate(ran.objects[0])
        assert breaches(answer, case, {case.report.file: 3}) == []
        shown = hybridrag("ask", case.question, "--home", home)
        assert KEY not in ran.out + ran.err + shown.out + shown.err
        assert "\x1b" not in shown.out + shown.err
