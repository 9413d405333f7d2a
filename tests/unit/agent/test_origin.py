"""Which pages may call the LangGraph server, and that its configuration names the same ones."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from agent.origin import STUDIO, OwnPagesOnly, refusal

ROOT = Path(__file__).resolve().parents[3]
CORS = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["http"]["cors"]


def request(path: str = "/runs/wait", **headers: str) -> dict[str, Any]:
    """A request from this machine."""
    named = {"host": "127.0.0.1:2024", **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw = [(name.encode(), value.encode()) for name, value in named.items()]
    return {"type": "http", "path": path, "client": ("127.0.0.1", 50_000), "headers": raw}


def test_the_server_lets_studio_alone_in_and_lets_it_send() -> None:
    assert CORS["allow_origins"] == [STUDIO]
    assert CORS["allow_methods"] == CORS["allow_headers"] == ["*"] and CORS["allow_credentials"] is True


@pytest.mark.parametrize(
    ("headers", "refused"),
    [
        ({}, False),
        ({"origin": STUDIO}, False),
        ({"origin": "http://127.0.0.1:2024"}, False),
        ({"origin": "http://127.0.0.1:3000"}, True),
        ({"origin": "https://elsewhere.example"}, True),
        ({"origin": f"{STUDIO}.elsewhere.example"}, True),
        ({"origin": "null"}, True),
        ({"host": "elsewhere.example"}, True),
        ({"host": "["}, True),
        ({"origin": "http://["}, True),
    ],
)
def test_only_studio_and_the_servers_own_pages_are_let_in(headers: dict[str, str], refused: bool) -> None:
    assert bool(refusal(request(**headers))) is refused


@pytest.mark.parametrize("path", ["/deploy", "/deploy/7/stream", "/internal/truncate"])
def test_what_a_development_server_does_besides_is_closed_to_all(path: str) -> None:
    assert refusal(request(path)) and not refusal(request("/deployments"))


def test_a_browsers_question_about_private_addresses_does_not_reach_the_layer_that_refuses_it() -> None:
    passed: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        passed.append([name for name, _ in scope["headers"]])

    asked = request(origin=STUDIO, access_control_request_private_network="true")
    asyncio.run(OwnPagesOnly(app)(asked, None, None))  # type: ignore[arg-type]
    assert passed == [[b"host", b"origin"]]
