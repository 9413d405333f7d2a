"""The LangGraph server's HTTP and MCP faces, asked with no more than an HTTP client."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

import pytest

from tests.server import Studio, asked, at_once

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
MCP = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


def post(
    studio: Studio, path: str, body: Any, headers: Mapping[str, str] | None = None
) -> tuple[int, str, bytes]:
    """Status, content type and body."""
    request = urllib.request.Request(
        studio.address + path,
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, reply.headers.get("Content-Type", ""), reply.read()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers["Content-Type"], refused.read()


def rpc(studio: Studio, method: str, **params: Any) -> Any:
    """One JSON-RPC call over streamable HTTP, its envelope checked."""
    call = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
    status, kind, body = post(studio, "/mcp", call, MCP)
    assert (status, kind) == (200, "application/json")
    reply = json.loads(body)
    assert (reply["jsonrpc"], reply["id"]) == ("2.0", 7)
    return reply


def test_a_question_is_asked_over_plain_http(studio: Studio) -> None:
    given = {"assistant_id": "ask", "input": {"question": REVENUE}}
    status, kind, body = post(studio, "/runs/wait", given)
    assert (status, kind) == (200, "application/json")
    reply = json.loads(body)
    assert set(reply) == {"answer", "status", "sources"} and reply["status"] == "answered"
    assert "1,284.6 million USD" in reply["answer"] and reply["answer"].endswith("[1].")
    (source,) = reply["sources"]
    assert source.startswith("[1] 10Q-Q2-2024.pdf, p. 3: ") and "1,284.6" in source


def test_the_whole_object_comes_from_the_assistant_and_a_thread_remembers(studio: Studio) -> None:
    _, _, body = post(studio, "/threads", {})
    path = f"/threads/{json.loads(body)['thread_id']}/runs/wait"
    for question in (REVENUE, "And net income?"):
        status, _, body = post(studio, path, {"assistant_id": "assistant", "input": asked(question)})
        assert status == 200
    answer = json.loads(body)["answer"]
    assert "200.4" in answer["answer"] and answer["evidence"] and answer["faithfulness"]["score"] == 1


WORDS: list[tuple[dict[str, Any], str, str]] = [
    ({"question": "What was net income?"}, "abstained", "Which company do you mean?"),
    ({"question": "What was net income?", "company": "HRWM"}, "answered", "59 million USD"),
    ({"question": REVENUE, "company": "Foo"}, "refused", "No company 'Foo' in the index."),
    ({"question": REVENUE, "quarter": 5}, "refused", "'quarter' must be between 1 and 4"),
    ({"question": " "}, "refused", "The question is empty."),
    ({"company": "HRWM"}, "refused", "The question is empty."),
]


def test_what_is_wrong_with_a_question_is_told_in_words(studio: Studio) -> None:
    def replied(given: dict[str, Any]) -> Any:
        return json.loads(post(studio, "/runs/wait", {"assistant_id": "ask", "input": given})[2])

    replies = at_once(lambda case: replied(case[0]), WORDS)
    for (_, status, told), reply in zip(WORDS, replies, strict=True):
        assert reply["status"] == status and told in reply["answer"]


def test_a_question_is_asked_over_mcp(studio: Studio) -> None:
    client = {"name": "test", "version": "1"}
    begun = rpc(studio, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
    assert begun["result"]["protocolVersion"] == "2025-06-18" and "tools" in begun["result"]["capabilities"]
    initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert post(studio, "/mcp", initialized, MCP)[0] == 202

    (tool,) = rpc(studio, "tools/list")["result"]["tools"]
    assert tool["name"] == "ask" and tool["annotations"]["readOnlyHint"] is True
    schema = tool["inputSchema"]
    assert schema["required"] == ["question"] and "sources" in tool["description"]
    assert all(field["description"] for field in schema["properties"].values())

    result = rpc(studio, "tools/call", name="ask", arguments={"question": REVENUE})["result"]
    (content,) = result["content"]
    assert content["type"] == "text" and len(content["text"]) < 1_000
    told = json.loads(content["text"])
    assert told == result["structuredContent"] and told["status"] == "answered"
    assert "1,284.6 million USD" in told["answer"] and "10Q-Q2-2024.pdf, p. 3" in told["sources"][0]


def test_what_is_wrong_is_told_over_mcp_too(studio: Studio) -> None:
    given = {"question": REVENUE, "company": "Foo"}
    result = rpc(studio, "tools/call", name="ask", arguments=given)["result"]
    assert "No company 'Foo' in the index." in result["content"][0]["text"]
    for unknown in ("nonesuch", "indexing", "assistant"):  # the last two are graphs, and no tools unless set
        refused = rpc(studio, "tools/call", name=unknown, arguments={"paths": ["."]})
        assert refused["error"]["message"] == f"Unknown tool: {unknown}"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "https://elsewhere.example", "Content-Type": "text/plain"}, 403),  # needs no preflight
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:3000"}, 403),
        ({"Host": "elsewhere.example"}, 403),
        ({"Host": "elsewhere.example", "X-Forwarded-For": "192.0.2.1"}, 403),
        ({"Origin": "https://smith.langchain.com"}, 200),
        ({"Origin": "{address}"}, 200),
        ({}, 200),
    ],
)
@pytest.mark.parametrize("path", ["/assistants/search", "/mcp"])
def test_no_web_page_but_studios_and_its_own_makes_the_server_do_anything(
    studio: Studio, path: str, headers: dict[str, str], status: int
) -> None:
    sent = {name: value.format(address=studio.address) for name, value in headers.items()}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} if path == "/mcp" else {}
    found, _, told = post(studio, path, body, {**MCP, **sent})
    assert found == status
    if status == 403:
        assert (b"is called" if "Host" in headers else b"may not call") in told
    else:
        assert (b"ask" if path == "/mcp" else b"assistant") in told
