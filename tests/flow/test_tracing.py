"""Traces reach a collector on loopback; by default no word of question, document, prompt or answer does."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from openinference.instrumentation.langchain import LangChainInstrumentor
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

from agent.assistant import Assistant
from agent.settings import Settings, SettingsError
from agent.tracing import start_tracing
from graphs.steps.filters import UnknownCompanyError
from tests.endpoint import MODEL, serving

QUESTION = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
WORDS = (b"Calderith", b"revenue", b"1,284.6", b"10Q-Q2-2024")


class Collector:
    """What came."""

    def __init__(self) -> None:
        self.url = ""
        self.bodies: list[bytes] = []

    @property
    def spans(self) -> list[Span]:
        """As received."""
        return [
            span
            for body in self.bodies
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            made.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def traced(collector: Collector, sample_home: Path) -> Iterator[Callable[..., Assistant]]:
    """`traced(content=True)`: an assistant whose steps go to the collector."""

    def opened(content: bool = False, **more: object) -> Assistant:
        settings = Settings(
            _env_file=None, home=sample_home, traces_url=collector.url, traces_content=content
        )
        return Assistant(settings.model_copy(update=more))

    yield opened
    LangChainInstrumentor().uninstrument()
    start_tracing.cache_clear()


def handed_over(collector: Collector, content: bool = False) -> dict[str, Span]:
    """The spans that came, by name."""
    start_tracing(collector.url, content).shutdown()
    return {span.name: span for span in collector.spans}


def test_steps_and_tools_arrive_and_no_word_of_what_was_asked_and_found(
    collector: Collector, traced: Callable[..., Assistant]
) -> None:
    with traced() as assistant:
        assert "1,284.6" in assistant.ask(QUESTION).answer
    spans = handed_over(collector)
    assert {"assistant", "plan", "retrieve", "kg_search", "merge", "generate", "check", "answer"} <= set(
        spans
    )
    assert spans["plan"].parent_span_id == spans["assistant"].span_id
    kinds = {a.key: a.value.string_value for a in spans["kg_search"].attributes}
    assert kinds == {"openinference.span.kind": "TOOL", "tool.name": "kg_search"}
    assert [word for word in WORDS if word in b"".join(collector.bodies)] == []


def test_an_error_arrives_as_one_without_its_words(
    collector: Collector, traced: Callable[..., Assistant]
) -> None:
    with traced() as assistant, pytest.raises(UnknownCompanyError, match="Zzyzx"):
        assistant.ask(QUESTION, company="Zzyzx")
    spans = handed_over(collector)
    assert spans["assistant"].status.code == Status.STATUS_CODE_ERROR
    assert [word for word in (*WORDS, b"Zzyzx") if word in b"".join(collector.bodies)] == []


def test_a_models_name_and_tokens_arrive_without_prompt_and_reply(
    collector: Collector, traced: Callable[..., Assistant]
) -> None:
    with serving("Kestrels are birds.") as server:
        at = server.settings()
        model = {"llm_base_url": at.llm_base_url, "llm_model": at.llm_model, "llm_api_key": at.llm_api_key}
        with traced(**model) as assistant:
            assistant.ask(QUESTION)
        assert server.chats
    models = [
        span
        for span in (handed_over(collector), collector.spans)[1]
        if any(a.key == "llm.model_name" and a.value.string_value == MODEL for a in span.attributes)
    ]
    assert models
    assert [word for word in (*WORDS, b"Kestrels") if word in b"".join(collector.bodies)] == []


def test_questions_and_evidence_go_along_where_they_are_wanted(
    collector: Collector, traced: Callable[..., Assistant]
) -> None:
    with traced(content=True) as assistant:
        assistant.ask(QUESTION)
    handed_over(collector, content=True)
    assert all(word in b"".join(collector.bodies) for word in WORDS)


def test_without_the_extra_the_setting_is_a_mistake_that_names_it(
    monkeypatch: pytest.MonkeyPatch, sample_home: Path
) -> None:
    monkeypatch.setitem(sys.modules, "openinference.instrumentation.langchain", None)
    settings = Settings(_env_file=None, home=sample_home, traces_url="http://127.0.0.1:9/v1/traces")
    with Assistant(settings) as assistant, pytest.raises(SettingsError, match=r"hybridrag\[tracing\]"):
        assistant.ask(QUESTION)


def test_a_collector_on_another_machine_is_asked_over_https_alone() -> None:
    with pytest.raises(ValueError, match="HYBRIDRAG_TRACES_URL would send"):
        Settings(_env_file=None, traces_url="http://10.0.0.5/v1/traces")
