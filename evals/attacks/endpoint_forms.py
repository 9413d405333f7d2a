"""Forms of what an endpoint may do wrong, and a sound model to do it instead of at one step."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from evals.attacks.hostile_endpoint import Asked, Reply, bomb, completion, dripped, nested, whole

ANSWER = (
    "Demand from Alder Corporation's largest customers drove the growth, and so did a price increase [1]."
)
QUESTION = "What drove the growth of Alder Corporation in the second quarter of 2024?"
PLAN = {
    "kind": "abstractive",
    "reason": "asks why",
    "confidence": 0.9,
    "form": "explanation",
    "lookups": [
        {"tool": "vector_search", "query": "What drove the growth?", "companies": ["Alder Corporation"]}
    ],
}
STEPS = {
    "You plan how": "plan",
    "You answer a": "answer",
    "You check se": "verdicts",
    "You correct ": "revise",
    "You rewrite ": "condense",
}
DRIPS: Mapping[str, Reply] = {
    "a header that never ends": lambda asked: dripped(b"HTTP/1.1 200 OK\r\nX-Long: ", b"x"),
    "headers that never end": lambda asked: dripped(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "100 Continue without end": lambda asked: dripped(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a chunk's size that never ends": lambda asked: dripped(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", b"x"
    ),
    "a body that never ends": lambda asked: dripped(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n", b" "
    ),
}
LARGE: Mapping[str, Reply] = {
    "a gzip bomb": lambda asked: whole(200, bomb(256), "Content-Encoding: gzip"),
    "a gzip bomb in gzip": lambda asked: whole(200, gzip.compress(bomb(256)), "Content-Encoding: gzip, gzip"),
    "a text of 20 MB": lambda asked: whole(200, completion("word " * 4_000_000)),
}
DEEP: Mapping[str, Reply] = {
    "lists within lists": lambda asked: whole(200, nested()),
    "lists within lists for words": lambda asked: whole(200, completion(nested().decode())),
    "lists within lists for usage": lambda asked: whole(
        200, completion("x", 0).replace(b'"usage": 0', b'"usage": ' + nested())
    ),
    "lists within an error": lambda asked: whole(400, b'{"error": {"message": ' + nested() + b"}}"),
    "many lists within an error": lambda asked: whole(400, b'{"detail": ' + nested(900) + b"}"),
    "a limit of 5,000 digits": lambda asked: whole(
        400, b'{"error": {"message": "maximum context length is ' + b"9" * 5_000 + b' tokens"}}'
    ),
    "a number of 5,000 digits": lambda asked: whole(200, b'{"choices": ' + b"9" * 5_000 + b"}"),
}
PLAIN: Mapping[str, Reply] = {
    "500": lambda asked: whole(500, b""),
    "401": lambda asked: whole(401, b'{"error": "no"}'),
    "404": lambda asked: whole(404, b"{}"),
    "501": lambda asked: whole(501, b"{}"),
    "429 for an hour": lambda asked: whole(429, b"{}", "Retry-After: 3600"),
    "a redirect": lambda asked: whole(307, b"", "Location: http://127.0.0.1:9/"),
    "nothing": lambda asked: [],
    "half a body": lambda asked: [whole(200, completion(ANSWER))[0][:-40]],
    "a page": lambda asked: whole(200, b"<html>Sign in</html>"),
    "bytes": lambda asked: [b"\x00\xff\xfe" * 999 + b"\r\n\r\n"],
    "null": lambda asked: whole(200, b"null"),
    "an empty object": lambda asked: whole(200, b"{}"),
    "no choice": lambda asked: whole(200, b'{"choices": []}'),
    "lists for objects": lambda asked: whole(200, b'{"choices": [[]], "data": [[1]]}'),
    "empty words": lambda asked: whole(200, completion("")),
    "other words": lambda asked: whole(200, completion("I would rather not.")),
    "a list of nothing": lambda asked: whole(200, completion('{"verdicts": [], "statements": []}')),
    "verdicts of nothing": lambda asked: whole(
        200, completion('{"verdicts": [{"sentence": 99, "verdict": "supported"}], "statements": [{}]}')
    ),
}
FAULTS: Mapping[str, Reply] = {**PLAIN, **DEEP, **DRIPS, **LARGE}
VECTORS: Mapping[str, Callable[[int], Any]] = {
    "too few vectors": lambda count: [[1.0, 2.0]] * (count - 1),
    "too many vectors": lambda count: [[1.0, 2.0]] * (count + 1),
    "vectors of two lengths": lambda count: [[1.0] * (2 + at % 2) for at in range(count + count % 2)],
    "vectors of nothing": lambda count: [[]] * count,
    "zeros": lambda count: [[0.0, 0.0]] * count,
    "no numbers": lambda count: [[float("nan"), 1.0]] * count,
    "endless numbers": lambda count: [[float("inf"), 1.0]] * count,
    "words for numbers": lambda count: [["a", "b"]] * count,
    "nothing for numbers": lambda count: [None] * count,
    "numbers of 400 digits": lambda count: [[10**400, 1]] * count,
}
USAGES: tuple[Any, ...] = (
    {"prompt_tokens": 10**12, "completion_tokens": 10**12, "total_tokens": 2 * 10**12},
    {"prompt_tokens": 2**70, "completion_tokens": 2**70, "total_tokens": 2**71},
    {"prompt_tokens": -5, "completion_tokens": -5, "total_tokens": -10},
    {"prompt_tokens": "many", "completion_tokens": "more"},
    {"prompt_tokens": 1e308, "completion_tokens": float("nan")},
    {"prompt_tokens": True, "completion_tokens": None},
    {"prompt_tokens": [], "completion_tokens": {}},
    [],
    "free",
)


def embedded(asked: Asked, rows: Callable[[int], Any]) -> Iterable[bytes]:
    """A reply with these vectors for the texts of a request."""
    given = asked.body.get("input", "")
    found = rows(1 if isinstance(given, str) else len(given))
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(found)]
    return whole(200, json.dumps({"object": "list", "data": data}).encode())


def step_of(asked: Asked) -> str:
    """The step that a request is of; '' for a question about the server."""
    messages = asked.body.get("messages") or [{"content": ""}]
    return STEPS.get(str(messages[0]["content"])[:12], "")


def sound(asked: Asked) -> Iterable[bytes]:
    """A model that plans, answers and finds its answer supported."""
    told = {
        "plan": json.dumps(PLAN),
        "verdicts": json.dumps({"verdicts": [{"sentence": 1, "reason": "so", "verdict": "supported"}]}),
    }
    return whole(200, completion(told.get(step_of(asked), ANSWER))) if asked.body else whole(404, b"{}")


def wrong_at(step: str, fault: Reply) -> Reply:
    """The sound model, but for one step."""
    return lambda asked: fault(asked) if step_of(asked) == step else sound(asked)


def judged(asked: Asked) -> Iterable[bytes]:
    """A sound judge of faithfulness, asked in ragas' words."""
    text = str(asked.body["messages"][0]["content"])
    if judging_step(asked) == "statements":
        return whole(200, completion(json.dumps({"statements": [ANSWER]})))
    assert "faithfulness of a series of statements" in text
    told = {"statements": [{"statement": ANSWER, "reason": "so", "verdict": 1}]}
    return whole(200, completion(json.dumps(told)))


def judging_step(asked: Asked) -> str:
    """Which of a judge's two steps a request is of; '' for a question about the server."""
    if not asked.body:
        return ""
    return "statements" if "Break down" in str(asked.body["messages"][0]["content"]) else "verdicts"
