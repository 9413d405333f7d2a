"""Every HTTP fault at every call site: how many requests are made, how long is waited at most, what is used instead."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from email.utils import format_datetime

import pytest

from agent.endpoint.limits import Pace
from agent.endpoint.models import EndpointChat, chat_model
from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from graphs.local.followup.condenser import LocalCondenser
from graphs.local.question.planner import LocalPlanner
from graphs.model.answerer import ModelAnswerer
from graphs.model.checker import ModelChecker
from graphs.model.condenser import ModelCondenser
from graphs.model.planner import ModelPlanner
from tests.endpoint import (
    CUT_JSON,
    DROPPED_BEFORE,
    DROPPED_MIDDLE,
    ERROR_IN_200,
    GARBAGE,
    HANG,
    HTML,
    HTML_AS_JSON,
    NO_CHOICE,
    NO_CONTENT,
    NULL_CHOICES,
    WRONG_LENGTH,
    Asked,
    Fault,
    Said,
    Server,
    fault,
    redirect,
    serving,
)
from tests.filings import CATALOG
from tools.documents.types import Chunk, Document, Page, ParsedDocument
from tools.evidence import Evidence
from tools.knowledge.extract.model_extractor import ModelExtractor
from tools.model.turn import Turn, current_turn, turn
from tools.model.types import ContextTooSmallError, DeadlineError, Message, ModelDownError, ModelError
from tools.periods import Period
from tools.scope import Scope

END = date(2024, 6, 29)
ASKED_TO_WAIT = 2.0


@dataclass
class Clock:
    """Time that passes only in sleep."""

    seconds: float = 1_000.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def pace(self) -> Pace:
        return Pace(sleep=self.sleep, clock=lambda: self.seconds)


@dataclass(frozen=True)
class Case:
    """A fault and what it may cost."""

    fault: Fault | Said | Callable[[], Fault]
    requests: int
    waits: float = Pace().bound
    """Most seconds slept in all."""
    error: type[ModelError] = ModelDownError
    timeout: float = 60.0
    """Seconds; few only where nothing comes, for a busy machine's request may be late."""

    def reply(self) -> Fault | Said:
        return self.fault() if callable(self.fault) else self.fault


def _in_two_seconds() -> Fault:
    return fault(429, Retry_After=format_datetime(datetime.now(UTC) + timedelta(seconds=3), usegmt=True))


ASKED = 2 * (ASKED_TO_WAIT + Pace().jitter)
CASES = {
    "429": Case(fault(429), 3),
    "429 with Retry-After in seconds": Case(fault(429, Retry_After="2"), 3, ASKED),
    "429 with retry-after-ms": Case(fault(429, retry_after_ms="2000"), 3, ASKED),
    "429 with Retry-After as a date": Case(_in_two_seconds, 3, 2 * (3 + Pace().jitter)),
    "429 with a Retry-After that is nonsense": Case(fault(429, Retry_After="soon"), 3),
    "429 with a Retry-After beyond the deadline": Case(fault(429, Retry_After="3600"), 1, 0.0, DeadlineError),
    "429 without credit": Case(fault(429, code="insufficient_quota"), 1, 0.0),
    "408": Case(fault(408), 3),
    "409": Case(fault(409), 3),
    "500": Case(fault(500), 3),
    "502": Case(fault(502), 3),
    "503": Case(fault(503), 3),
    "503 with Retry-After": Case(fault(503, Retry_After="2"), 3, ASKED),
    "504": Case(fault(504), 3),
    "400": Case(fault(400), 1, 0.0, ModelError),
    "401": Case(fault(401, "Incorrect API key"), 1, 0.0),
    "402": Case(fault(402), 1, 0.0),
    "403": Case(fault(403), 1, 0.0),
    "404": Case(fault(404), 1, 0.0),
    "413": Case(fault(413), 1, 0.0, ContextTooSmallError),
    "422": Case(fault(422), 1, 0.0, ModelError),
    "302 to another origin": Case(redirect(302, "http://127.0.0.1:9/v1/chat/completions"), 1, 0.0),
    "307 to another origin": Case(redirect(307, "http://127.0.0.1:9/v1/chat/completions"), 1, 0.0),
    "no answer within the timeout": Case(HANG, 3, timeout=0.4),
    "dropped before the headers": Case(DROPPED_BEFORE, 3),
    "dropped in the middle of the body": Case(DROPPED_MIDDLE, 3),
    "fewer bytes than announced": Case(WRONG_LENGTH, 3),
    "HTML": Case(HTML, 3),
    "HTML that says it is JSON": Case(HTML_AS_JSON, 3),
    "JSON cut short": Case(CUT_JSON, 3),
    "bytes that are no text": Case(GARBAGE, 3),
    "no choice": Case(NO_CHOICE, 3),
    "null for choices": Case(NULL_CHOICES, 3),
    "an error inside a 200": Case(ERROR_IN_200, 3),
    "null for content": Case(NO_CONTENT, 3),
}


@dataclass(frozen=True)
class Site:
    """A place of the program that asks."""

    run: Callable[[EndpointChat], object]
    local: Callable[[], object]
    """What the local engine gives there."""
    asks_again: bool = False
    """Whether it asks once more with less, when told that the prompt is too long."""


def _evidence(rank: int, text: str) -> Evidence:
    return Evidence(
        rank=rank,
        source="vector",
        text=text,
        document="orla.pdf",
        document_id="orla",
        page=7,
        score=0.9,
        item_id=f"c{rank}",
        kind="prose",
        company_key="ORLA",
        company="Orla Devices, Inc.",
        doc_type="10-Q",
        period=Period(END, None, 2024, 2),
        section="MD&A",
    )


EVIDENCE = [
    _evidence(1, "Net revenue increased 10% to $4,812 million in the second quarter of fiscal 2024."),
    _evidence(2, "Inventories came down by about two weeks. Pricing has held up better than we feared."),
    _evidence(3, "Capital expenditures will be approximately $1.5 billion this year."),
]
READING = Reading(
    question="Why did Orla's net revenue increase?", companies=("ORLA",), company_names=("Orla",)
)
DRAFT = Draft(
    text="Orla's net revenue of $4,812 million rose because customers came back to its shops [1].",
    engine="model",
)
HISTORY = [("What was Orla's net revenue in Q2 2024?", "It was 4,812 million USD [1].")]


def _parsed() -> ParsedDocument:
    document = Document(
        id="orla00000001",
        name="orla.pdf",
        path="orla.pdf",
        title="Orla",
        company="Orla Devices, Inc.",
        company_key="ORLA",
        ticker="ORLA",
        aliases=("Orla",),
        doc_type="10-Q",
        fiscal_year=2024,
        fiscal_quarter=2,
        period_end=END,
        pages=1,
    )
    text = "Orla Devices, Inc. acquired Fennel Systems in March for its sensor business in Europe and Asia."
    chunk = Chunk("c1", document.id, text, text, (1,), "", "prose")
    return ParsedDocument(document, (Page(1, text),), (), (chunk,))


PARSED = _parsed()


def _undecided() -> Verdict:
    """What code alone says of the draft: its doubt is the reason."""
    (claim,) = ModelDraftGuard().claims(DRAFT.text)
    found = ModelDraftGuard().find(claim, {1: EVIDENCE[0]})
    text = DRAFT.text.removesuffix(" [1].")
    lost = Statement(text=text, supported=False, reason=found.doubt, nearest=found.nearest, cited=(1,))
    return Verdict(statements=(lost,), score=0)


SITES = {
    "condense": Site(
        lambda model: ModelCondenser(model, LocalCondenser()).condense("and in Q1?", HISTORY),
        lambda: LocalCondenser().condense("and in Q1?", HISTORY),
    ),
    "plan": Site(
        lambda model: ModelPlanner(model, LocalPlanner()).plan(READING, CATALOG, Scope()),
        lambda: LocalPlanner().plan(READING, CATALOG, Scope()),
    ),
    "generate": Site(
        lambda model: ModelAnswerer(model, LocalAnswerer(), ModelDraftGuard()).draft(READING, EVIDENCE),
        lambda: LocalAnswerer().draft(READING, EVIDENCE),
        asks_again=True,
    ),
    "check": Site(
        lambda model: ModelChecker(model, LocalChecker(), ModelDraftGuard()).check(READING, DRAFT, EVIDENCE),
        lambda: _undecided(),
    ),
}


@contextmanager
def asking(case: Case, clock: Clock) -> Iterator[tuple[Server, EndpointChat, Turn]]:
    with serving(case.reply()) as server:
        server.models = [{"id": "scripted", "max_model_len": 32_000}]
        model = chat_model(server.settings(llm_timeout=case.timeout), clock.pace())
        try:
            with turn("step", deadline=time.monotonic() + 60) as spent:
                yield server, model, spent
        finally:
            model.close()


@pytest.mark.parametrize("fault_name", CASES)
@pytest.mark.parametrize("site_name", SITES)
def test_a_step_asks_no_more_than_that_and_then_the_local_engine_does_it(
    site_name: str, fault_name: str
) -> None:
    site, case, clock = SITES[site_name], CASES[fault_name], Clock()
    with asking(case, clock) as (server, model, spent):
        result = site.run(model)
    again = site.asks_again and issubclass(case.error, ContextTooSmallError)
    assert len(server.chats) == case.requests * (2 if again else 1)
    assert sum(clock.slept) <= case.waits
    assert result == site.local()
    assert any("the local engine's was used" in note for note in spent.notes), spent.notes
    assert bool(spent.down) == case.error.down


@pytest.mark.parametrize("fault_name", CASES)
@pytest.mark.parametrize("tier", ["refine", "extract", "relations"])
def test_extraction_asks_no_more_than_that_and_never_loses_a_document_without_a_word(
    tier: str, fault_name: str
) -> None:
    case, clock = CASES[fault_name], Clock()
    reply = case.reply()

    def script(asked: Asked) -> str | Said | Fault:
        failing = (asked.form != "") == (tier != "refine")
        return reply if failing else "Orla Devices, Inc. acquired Fennel Systems."

    with serving(script) as server:
        server.models = [{"id": "scripted", "max_model_len": 32_000}]
        model = chat_model(server.settings(llm_timeout=case.timeout), clock.pace())
        extractor = ModelExtractor(chat=model, threads=1, passes=1 if tier == "relations" else 2)
        try:
            # A pool's threads have no turn of the caller's: with no deadline, a wait beyond two minutes is refused.
            if issubclass(case.error, ContextTooSmallError):
                extractor.extract(PARSED)
                assert extractor.tally["fallback: too long for the model's context"] == 1
            else:
                with pytest.raises(ModelError) as caught:
                    extractor.extract(PARSED)
                assert caught.value.down == case.error.down
        finally:
            model.close()
    failing = [asked for asked in server.chats if (asked.form != "") == (tier != "refine")]
    assert len(failing) == case.requests
    assert sum(clock.slept) <= case.waits


@pytest.mark.parametrize("fault_name", CASES)
def test_the_client_alone_says_what_went_wrong_and_shows_no_key(fault_name: str) -> None:
    case, clock = CASES[fault_name], Clock()
    with asking(case, clock) as (server, model, spent), pytest.raises(case.error) as caught:
        model.complete((Message("user", "hello"),))
    assert len(server.chats) == case.requests
    assert sum(clock.slept) <= case.waits
    assert caught.value.down == case.error.down
    told = str(caught.value)
    assert ("empty" if fault_name == "null for content" else server.base_url.split("/")[2]) in told
    assert "sk-scripted" not in told
    assert "sk-scripted" not in repr(model.endpoint)
    assert spent.calls == (1 if fault_name == "null for content" else 0)


@pytest.mark.parametrize("fault_name", [name for name, case in CASES.items() if case.requests == 3])
def test_a_fault_that_passes_costs_one_more_request_and_nothing_else(fault_name: str) -> None:
    case, clock = CASES[fault_name], Clock()
    patience = max(case.timeout, 3.0)  # in which a busy machine answers, too
    with serving(case.reply(), "All is well.") as server:
        model = chat_model(server.settings(llm_timeout=patience), clock.pace())
        with turn("step") as spent:
            reply = model.complete((Message("user", "hello"),))
        model.close()
    assert (reply.text, reply.requests, len(server.chats)) == ("All is well.", 2, 2)
    assert (spent.calls, spent.notes, spent.down) == (1, [], "")
    assert current_turn() is not spent


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_neither_prompt_nor_key_follows_a_redirect_to_another_origin(status: int) -> None:
    with serving("I was not to be asked.") as elsewhere:
        target = f"{elsewhere.base_url}/chat/completions"
        with serving(redirect(status, target)) as server:
            model = chat_model(server.settings(), Clock().pace())
            with pytest.raises(ModelDownError, match=rf"redirects \({status}\) to http.*not followed"):
                model.complete((Message("user", "hello"),))
            model.close()
        assert elsewhere.requests == []
        assert len(server.chats) == 1


def test_a_reply_that_trickles_ends_with_the_timeout() -> None:
    late = b'{"choices": [{"index": 0, "message": {"role": "assistant", "content": "Late."}}]}'
    slow = Fault(200, b" " * 400 + late, trickle=0.02)
    with serving(slow, slow, "Quick.") as server:
        model = chat_model(server.settings(llm_timeout=0.3), Clock().pace())
        reply = model.complete((Message("user", "hello"),))
        assert (reply.text, reply.requests) == ("Quick.", 3), "whoever waits eight seconds hears 'Late.'"
        model.close()


def test_no_request_is_made_once_the_time_is_spent() -> None:
    with serving("hello") as server:
        model = chat_model(server.settings(), Clock().pace())
        with turn("step", deadline=time.monotonic() - 1), pytest.raises(DeadlineError):
            model.complete((Message("user", "hello"),))
        model.close()
    assert server.chats == []
