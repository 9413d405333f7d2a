"""The page beside Studio: below `/page`, with its own checks, and Studio's routes as they are without it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

import agent.web
from agent.bodies import MAX_BYTES
from tests.server import Studio


@pytest.fixture(scope="module")
def token(studio: Studio) -> str:
    """As the server's log gives it."""
    found = re.findall(r"page/\?token=([\w-]+)", studio.log.read_text("utf-8", "replace"))
    return str(found[-1])


@pytest.fixture
def browser(studio: Studio, token: str) -> Iterator[httpx2.Client]:
    """A client that the page has let in."""
    with httpx2.Client(base_url=studio.address, timeout=120) as client:
        client.get("/page/", params={"token": token})
        yield client


def test_the_address_of_the_log_lets_a_browser_in_and_its_cookie_is_for_the_page_alone(
    studio: Studio, token: str
) -> None:
    with httpx2.Client(base_url=studio.address) as client:
        entered = client.get("/page/", params={"token": token})
        assert entered.status_code == 303 and entered.headers["location"] == "/page/"
        cookie = entered.headers["set-cookie"]
        assert "Path=/page/" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
        assert client.get("/page/", params={"token": "wrong"}).status_code == 403
        shown = client.get("/page/t/1")
        assert "default-src 'none'" in shown.headers["content-security-policy"]
        addresses = re.findall(r'(?:href|src)="(/[^"]*)"', shown.text)
        assert addresses and all(each.startswith("/page/") for each in addresses)
        assert client.get("/page/static/main.js").status_code == 200


def test_without_the_cookie_or_from_another_page_nothing_is_told(
    studio: Studio, browser: httpx2.Client
) -> None:
    for path in ("/page/api/threads", "/page/api/state", "/page//api/threads", "/page/page/api/threads"):
        assert httpx2.get(f"{studio.address}{path}").status_code in (401, 404)
    assert httpx2.get(f"{studio.address}/page/api/threads").status_code == 401
    assert browser.get("/page/api/threads").status_code == 200
    for headers in (
        {"Origin": "https://smith.langchain.com"},  # Studio's own page may call the graphs, not this
        {"Origin": "null"},
        {"Host": "elsewhere.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        assert browser.get("/page/api/threads", headers=headers).status_code == 403


def test_a_thread_is_begun_asked_pinned_renamed_exported_and_deleted_beside_studios(
    studio: Studio, browser: httpx2.Client
) -> None:
    before = len(studio.client.threads.search())
    thread = browser.post("/page/api/threads", json={"text": "revenue"}).json()["id"]
    asked = browser.post(
        f"/page/api/threads/{thread}/ask", json={"question": "What was Calderith's revenue?"}
    )
    last = json.loads(asked.text.splitlines()[-1])
    assert last["kind"] == "answer" and last["turn"]["citations"]
    marker = last["turn"]["citations"][0]["marker"]
    assert browser.get(f"/page/api/threads/{thread}/turns/1/sources/{marker}").json()["marks"]
    assert browser.put(f"/page/api/threads/{thread}/filters", json={"year": 2024}).status_code == 200
    assert browser.patch(f"/page/api/threads/{thread}", json={"text": "Beside"}).json()["name"] == "Beside"
    for path in ("", "/suggestions", "/graph", "/export", "/follow"):
        place = f"{thread}/turns/1{path}" if path == "/graph" else f"{thread}{path}"
        assert browser.get(f"/page/api/threads/{place}").status_code == 200, path
    assert browser.post(f"/page/api/threads/{thread}/stop").status_code == 200
    assert browser.delete(f"/page/api/threads/{thread}").status_code == 200
    assert len(studio.client.threads.search()) == before


def test_a_document_may_be_larger_than_any_other_body(browser: httpx2.Client) -> None:
    large = b"x" * (MAX_BYTES + 1)
    assert browser.put("/page/api/uploads?name=a.txt", content=large).status_code == 200
    assert browser.post("/page/api/threads", content=large).status_code == 413
    assert browser.post("/threads", content=large).status_code == 413


def test_langgraphs_reference_with_its_script_from_elsewhere_has_an_origin_of_its_own(studio: Studio) -> None:
    for path in ("/docs", "/docs/"):
        told = httpx2.get(f"{studio.address}{path}", follow_redirects=False)
        assert told.headers["content-security-policy"] == "sandbox allow-scripts"
    assert "content-security-policy" not in httpx2.get(f"{studio.address}/ok").headers
    assert "/page" not in httpx2.get(f"{studio.address}/openapi.json").text


def test_every_address_that_the_page_writes_begins_where_it_is_served() -> None:
    static = Path(agent.web.__file__).parent / "static"
    written = {
        file.name: re.findall(r"(?:href|src|action):\s*[`\"']/.*", file.read_text("utf-8"))
        for file in static.glob("*.js")
    }
    assert len(written) > 15 and not any(written.values()), written
