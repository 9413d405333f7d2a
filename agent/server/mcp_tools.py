"""What the server offers over MCP: the graphs that the settings name, each with true hints, results as JSON.

LangGraph's own endpoint does the protocol; it would offer every graph, call each one able to change things, and answer
with a Python dict as text.
"""

from __future__ import annotations

import json
from typing import Any

from langgraph_api.api.mcp import mcp_routes
from langgraph_sdk import get_client
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Message, Receive, Scope, Send

READS_ONLY = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITES = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": True, "openWorldHint": False}
"""A document that has changed takes the place of its earlier text in the index."""
HINTS = {"indexing": WRITES}
"""Of a graph that does more than read."""
INVALID_PARAMS = -32602


class McpTools:
    """ASGI application for `/mcp`. `offered`: the graphs that are tools."""

    def __init__(self, offered: frozenset[str]) -> None:
        self.offered = offered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await Request(scope, receive).body()
        call = _call(body)
        params = call.get("params")
        given: dict[str, Any] = params if isinstance(params, dict) else {}
        if call.get("method") == "tools/call":
            told = await self._called(given, Headers(scope=scope)["host"])
            reply: Response = JSONResponse({"jsonrpc": "2.0", "id": call["id"], **told})
        else:
            reply = await _answer_of_langgraph(scope, body)
            if call.get("method") == "tools/list":
                reply = self._listed(reply)
        await reply(scope, receive, send)

    def _listed(self, reply: Response) -> Response:
        told = json.loads(bytes(reply.body))
        result = told.get("result", {})
        result["tools"] = [
            {**tool, "annotations": HINTS.get(tool["name"], READS_ONLY)}
            for tool in result.get("tools", [])
            if tool["name"] in self.offered
        ]
        return JSONResponse(told)

    async def _called(self, params: dict[str, Any], host: str) -> dict[str, Any]:
        name = params.get("name")
        if not isinstance(name, str) or name not in self.offered:
            return {"error": {"code": INVALID_PARAMS, "message": f"Unknown tool: {name}"}}
        found: Any = await get_client(url=None).runs.wait(
            None,
            name,
            input=params.get("arguments") or {},
            context=params.get("context"),
            headers={"host": host},  # the call within the server is admitted as this one was
            raise_error=False,
        )
        if isinstance(found, dict) and "__error__" in found:
            return {"result": {"isError": True, "content": [_text(found["__error__"].get("message", ""))]}}
        return {
            "result": {
                "isError": False,
                "content": [_text(json.dumps(found, ensure_ascii=False))],
                "structuredContent": found,
            }
        }


def _call(body: bytes) -> dict[str, Any]:
    """The JSON-RPC request in a body; {} where it is none, which LangGraph then says."""
    try:
        found = json.loads(body or b"null")
    except (ValueError, RecursionError):
        return {}
    whole = isinstance(found, dict) and found.get("jsonrpc") == "2.0" and found.get("id") is not None
    return found if whole else {}


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


async def _answer_of_langgraph(scope: Scope, body: bytes) -> Response:
    """What LangGraph's own endpoint answers."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await mcp_routes[0].app(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    reply = Response(b"".join(message.get("body", b"") for message in sent), start["status"])
    reply.raw_headers = [*start.get("headers", [])]
    return reply
