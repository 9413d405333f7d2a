"""Two servers over one database, and a client that goes to each in turn, as behind a balancer."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx2
import pytest

from agent.assistant import Assistant
from agent.server.page_beside import PageBeside
from agent.settings import Settings
from agent.threads.sessions import Session, Sessions
from agent.threads.thread_records import Thread, TurnStoppedError
from agent.web.elsewhere import followed_elsewhere
from graphs.contracts import Answer
from tests.conftest import Command
from tests.postgres_here import PostgresHere
from tests.web_page import Command as Web

COLD = "servers that start as users start them"
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
ORIGIN = "https://desk.example"
HEADERS = {"Host": "desk.example", "Origin": ORIGIN, "Sec-Fetch-Site": "same-origin"}


@dataclass
class Balanced:
    """Two servers, asked by turns."""

    servers: list[Web]
    settings: Settings
    client: httpx2.Client = field(repr=False)
    turn: Iterator[int]

    def address(self) -> str:
        """Of the one whose turn it is."""
        return f"http://127.0.0.1:{self.servers[next(self.turn)].port}"

    def __call__(self, method: str, path: str, **given: Any) -> httpx2.Response:
        return self.client.request(method, f"{self.address()}{path}", **given)

    def lines(self, path: str, **sent: Any) -> list[dict[str, Any]]:
        reply = self("POST" if sent else "GET", path, **({"json": sent} if sent else {}))
        assert reply.status_code == 200, reply.text
        return [json.loads(line) for line in reply.text.splitlines()]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture(scope="module")
def balanced(
    sample_store: str, postgres: PostgresHere, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Balanced]:
    postgres.run(sample_store, "DROP SCHEMA IF EXISTS hybridrag_threads CASCADE")
    home = tmp_path_factory.mktemp("two") / "none"
    servers = [
        Web(None, free_port(), "--origin", ORIGIN, HYBRIDRAG_STORE=sample_store, HYBRIDRAG_HOME=str(home))
        for _ in range(2)
    ]
    settings = Settings(_env_file=None, store=sample_store, home=home)
    try:
        with httpx2.Client(timeout=120, headers=HEADERS) as client:
            yield Balanced(servers, settings, client, cycle((0, 1)))
        assert {path.name for path in home.iterdir()} <= {"web.lock", "uploads"}, (
            "nothing is kept in a folder"
        )
    finally:
        for server in servers:
            server.end()


@pytest.fixture
def let_in(balanced: Balanced) -> Balanced:
    """Let in by one of the two; the cookie is for https alone, so that it has to be carried by hand here."""
    token = balanced.servers[0].address.partition("/?token=")[2]
    entered = balanced("GET", f"/?token={token}")
    assert entered.status_code == 303, entered.text
    balanced.client.headers["Cookie"] = entered.headers["set-cookie"].partition(";")[0]
    return balanced


def test_who_is_let_in_by_one_server_is_known_to_the_other_and_no_other_sites_page_is(
    balanced: Balanced,
) -> None:
    one, other = (server.address for server in balanced.servers)
    assert one == other and one.startswith(f"{ORIGIN}/?token=")
    balanced.client.headers.pop("Cookie", None)
    assert [balanced("GET", "/api/threads").status_code for _ in range(2)] == [401, 401]
    for _ in range(2):
        entered = balanced("GET", f"/?token={one.partition('token=')[2]}")
        assert (
            "Secure" in entered.headers["set-cookie"] and "SameSite=strict" in entered.headers["set-cookie"]
        )
        cookie = {"Cookie": entered.headers["set-cookie"].partition(";")[0]}
        assert balanced("GET", "/api/threads", headers=cookie).status_code == 200  # by the other one
        next(balanced.turn)
    for foreign in ({"Origin": "https://elsewhere.example"}, {"Host": "elsewhere.example"}):
        for _ in range(2):
            refused = balanced("POST", "/api/threads", json={"text": "x"}, headers={**cookie, **foreign})
            assert refused.status_code == 403


def test_the_page_beside_studio_has_the_same_door(balanced: Balanced) -> None:
    beside = PageBeside(balanced.settings)
    assert balanced.servers[0].address.endswith(f"?token={beside.token}")


def test_one_thread_is_answered_by_both_in_turn(let_in: Balanced) -> None:
    thread = let_in("POST", "/api/threads", json={"text": REVENUE}).json()["id"]
    questions = (REVENUE, "And net income?", "Why did gross margin change?")
    for number, question in enumerate(questions, 1):
        last = let_in.lines(f"/api/threads/{thread}/ask", question=question)[-1]
        assert last["kind"] == "answer" and last["turn"]["number"] == number
        next(let_in.turn)  # an even number of requests a turn: the next one is the other's
    turns = let_in("GET", f"/api/threads/{thread}").json()["turns"]
    assert [turn["question"] for turn in turns] == list(questions) and "200.4" in turns[1]["answer"]
    assert let_in("GET", f"/api/threads/{thread}/turns/2/sources/1").status_code == 200
    assert let_in("PUT", f"/api/threads/{thread}/filters", json={"company": "CDTH"}).status_code == 200
    assert let_in("GET", f"/api/threads/{thread}").json()["thread"]["filters"]["company"] == "CDTH"
    assert [each["id"] for each in let_in("GET", "/api/threads?q=GROSS").json()] == [thread]
    assert let_in("PATCH", f"/api/threads/{thread}", json={"text": "margins"}).status_code == 200
    assert let_in("GET", f"/api/threads/{thread}/export").text.startswith("# margins")
    assert let_in("DELETE", f"/api/threads/{thread}").status_code == 200
    for gone in (thread, "a%00b"):
        assert [let_in("GET", f"/api/threads/{gone}").status_code for _ in range(2)] == [404, 404]


@pytest.mark.parametrize("end", ["answer", "stopped", "error"])
def test_what_another_process_answers_is_followed_stopped_and_gone_on_with_by_either(
    let_in: Balanced, end: str
) -> None:
    with Assistant(let_in.settings) as assistant, Sessions(assistant) as sessions:
        session = sessions.open(f"to be {end}")
        path = f"/api/threads/{session.thread.id}"
        events = session.ask(REVENUE)
        next(events)
        for _ in range(2):
            seen = let_in("GET", path).json()
            assert (seen["running"], seen["unfinished"], seen["pending"]) == (True, None, None)
        with let_in.client.stream("GET", f"{let_in.address()}{path}/follow") as following:
            lines = map(json.loads, following.iter_lines())
            begun = next(lines)
            assert (begun["kind"], begun["question"]) == ("begin", REVENUE)
            assert let_in("DELETE", path).status_code == 409
            let_in("POST", f"{path}/drop")  # does nothing to what is being answered
            if end == "stopped":
                assert let_in("POST", f"{path}/stop").json() == {"stopping": True}
                with pytest.raises(TurnStoppedError):
                    list(events)
            elif end == "answer":
                assert isinstance(list(events)[-1], Answer)
            else:
                events.close()  # as a kill leaves it
            assert [each["kind"] for each in lines] == [end]
        seen = let_in("GET", path).json()
        assert (seen["running"], len(seen["turns"])) == (False, 1 if end == "answer" else 0)
        assert seen["unfinished"] == (REVENUE if end == "error" else None)
        if end == "error":
            assert let_in.lines(f"{path}/resume", text="")[-1]["kind"] == "answer"


def test_an_answer_that_ends_before_it_is_followed_is_told(let_in: Balanced) -> None:
    async def followed(session: Session, thread: Thread) -> list[Any]:
        return [json.loads(line) async for line in followed_elsewhere(session, thread)]

    with Assistant(let_in.settings) as assistant, Sessions(assistant) as sessions:
        session = sessions.open("at once")
        before = session.thread
        list(session.ask(REVENUE))
        (told,) = asyncio.run(followed(session, before))
        assert told["kind"] == "answer" and told["turn"]["question"] == REVENUE


def test_a_file_that_one_server_was_given_is_found_by_the_other(
    let_in: Balanced, sample_store: str, postgres: PostgresHere
) -> None:
    text = b"Alder Corporation\n\nSales rose in Ohio." * 200_000  # in two pieces
    uploaded = let_in("PUT", "/api/uploads?name=a.txt", content=text)
    assert uploaded.status_code == 200 and uploaded.json()["name"] == "a.txt"
    kept = "SELECT sum(length(piece)) FROM hybridrag_threads.uploads"
    assert postgres.run(sample_store, kept) == [(len(text),)]
    assert list((let_in.settings.home / "uploads").iterdir()) == [], "a server keeps nothing for itself"
    asked = [
        let_in("POST", "/api/index", json={"files": [id_]})
        for id_ in (uploaded.json()["id"], "0123456789abcdef/b.txt")
    ]
    assert [reply.status_code for reply in asked] == [200, 400] and "was not uploaded" in asked[1].text
    told = json.loads(asked[0].text.splitlines()[-1])  # it is there, and waits for a worker
    postgres.run(sample_store, "DELETE FROM hybridrag.jobs")  # which others would find waiting
    assert told["kind"] == "error" and "No worker is at work" in told["text"]
    assert postgres.run(sample_store, kept) == [(None,)]
    assert list((let_in.settings.home / "uploads").iterdir()) == []


def test_a_database_that_is_away_for_a_while_is_said_and_asked_again_when_it_is_back(
    let_in: Balanced, sample_store: str, postgres: PostgresHere
) -> None:
    thread = let_in("POST", "/api/threads", json={"text": "away"}).json()["id"]
    name = sample_store.split("/")[3].split("?")[0]
    there = postgres.system
    postgres.run(there, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    try:
        postgres.run(
            there, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
        )
        for _ in range(2):
            refused = let_in("GET", f"/api/threads/{thread}")
            assert refused.status_code == 400 and "not currently accepting" in refused.json()["detail"]
    finally:
        postgres.run(there, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
    for number in (1, 2):
        last = let_in.lines(f"/api/threads/{thread}/ask", question=REVENUE)[-1]
        assert last["kind"] == "answer" and last["turn"]["number"] == number


def test_a_page_whose_role_may_keep_no_threads_does_not_begin(
    hybridrag: Command, sample_store: str, postgres: PostgresHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres.run(sample_store, "CREATE ROLE page_only LOGIN")
    monkeypatch.setenv("HYBRIDRAG_STORE", sample_store.replace("//postgres@", "//page_only@"))
    ran = hybridrag("web", "--port", "0")
    assert ran.code == 2 and "permission denied" in ran.err and "TO page_only" in ran.err
    for wrong in ("desk.example", "ftp://desk.example", "https://desk.example/page"):
        assert hybridrag("web", "--origin", wrong).code == 2


def test_the_home_of_a_person_who_asks_the_desks_index_may_keep_the_threads(
    hybridrag: Command, sample_store: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HYBRIDRAG_STORE", sample_store)
    monkeypatch.setenv("HYBRIDRAG_THREADS", "home")
    monkeypatch.setenv("HYBRIDRAG_HOME", str(tmp_path / "own"))
    with Assistant.open() as assistant, Sessions(assistant) as sessions:
        sessions.open("mine")
    assert (
        "mine" in hybridrag("threads").out and "mine" in hybridrag("threads", "--home", tmp_path / "own").out
    )
    monkeypatch.setenv("HYBRIDRAG_THREADS", "store")
    assert "mine" not in hybridrag("threads").out
