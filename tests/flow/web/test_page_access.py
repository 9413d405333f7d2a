"""Who gets into the page's server, and what its answers forbid."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from agent.web.access import secret_of
from tests.conftest import Command
from tests.web_page import COOKIE, SECRET, Served, serving_page


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_page(tmp_path_factory.mktemp("web") / "home") as started:
        yield started


def test_the_token_of_the_first_address_becomes_a_cookie_that_no_script_reads(served: Served) -> None:
    with httpx2.Client() as browser:
        entered = browser.get(served.first_address)
        assert entered.status_code == 303 and entered.headers["location"] == "/"
        cookie = entered.headers["set-cookie"]
        assert f"{COOKIE}={SECRET}" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert browser.get(f"{served.address}/api/threads").status_code == 200


def test_a_wrong_token_is_told_where_the_right_one_is(served: Served) -> None:
    refused = httpx2.get(f"{served.address}/?token=wrong")
    assert refused.status_code == 403 and "'hybridrag web' has printed last" in refused.text
    assert "set-cookie" not in refused.headers


@pytest.mark.parametrize("cookie", ["", "wrong", SECRET[:-1], "\xff"])
def test_nothing_is_told_without_the_cookie(served: Served, cookie: str) -> None:
    headers = {"Cookie": f"{COOKIE}={cookie}".encode("latin-1")} if cookie else {}
    for path in ("/api/threads", "/api/state", "/api/documents", "/api/documents/0/file"):
        assert httpx2.get(f"{served.address}{path}", headers=headers).status_code == 401
    assert (
        httpx2.put(f"{served.address}/api/uploads?name=a.txt", content=b"x", headers=headers).status_code
        == 401
    )


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "https://smith.langchain.com"},
        {"Origin": "null"},
        {"Host": "elsewhere.example"},
        {"Host": "elsewhere.example", "X-Forwarded-For": "192.0.2.1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_from_elsewhere_is_refused_even_with_the_cookie(
    served: Served, headers: dict[str, str]
) -> None:
    assert served.client.get("/api/threads", headers=headers).status_code == 403
    assert served.client.post("/api/threads", json={"text": "x"}, headers=headers).status_code == 403
    assert served.client.get("/api/threads").json() == []


@pytest.mark.parametrize(
    "path", ["/", "/t/1", "/static/main.js", "/api/threads", "/nowhere", "/?token=wrong"]
)
def test_every_answer_says_what_its_page_may_load(served: Served, path: str) -> None:
    headers = served.client.get(path).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'") and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy and "http" not in policy and "*" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


def test_a_large_body_is_refused_before_it_is_read(served: Served) -> None:
    assert served.client.post("/api/threads", content=b"x" * 2_000_000).status_code == 413


def test_a_home_keeps_the_secret_of_its_cookies_to_its_owner(tmp_path: Path) -> None:
    secret = secret_of(tmp_path / "home")
    assert len(secret) >= 32 and secret_of(tmp_path / "home") == secret
    kept = tmp_path / "home" / "web.secret"
    assert kept.stat().st_mode & 0o077 == 0
    for spoilt in (b"short", b"\xff" * 40):
        kept.write_bytes(spoilt)
        assert len(secret_of(tmp_path / "home")) >= 32 and kept.stat().st_mode & 0o077 == 0


def test_without_a_token_this_machine_is_let_in_and_other_sites_are_not(tmp_path: Path) -> None:
    with serving_page(tmp_path / "home", token="") as served:
        assert httpx2.get(f"{served.address}/api/threads").json() == []
        refused = httpx2.get(f"{served.address}/api/threads", headers={"Origin": "https://elsewhere.example"})
        assert refused.status_code == 403


def test_without_an_index_the_page_is_told_so_and_a_question_says_what_to_do(served: Served) -> None:
    assert "hybridrag index" in served.client.get("/api/state").json()["missing"]
    *_, last = served.ask(served.thread(), "What was revenue?")
    assert last["kind"] == "error" and "hybridrag index" in last["text"]


def test_a_port_that_is_taken_or_is_none_is_a_mistake_of_the_users(
    hybridrag: Command, tmp_path: Path
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        ran = hybridrag("web", "--home", tmp_path / "home", "--port", taken.getsockname()[1])
    assert ran.code == 2 and "--port 0" in ran.err
    for port in ("65536", "00000099999", "-1", "٣"):
        assert hybridrag("web", "--port", port).code == 2
