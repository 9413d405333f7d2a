"""A judge for tests: a script of `tests.endpoint.serving` that answers ragas' prompts in the form they ask for."""

from __future__ import annotations

import json
import re
from typing import Any

from tests.endpoint import Asked

KINDS = {
    "statement": "Break down",
    "verdicts": "faithfulness of a series of statements",
    "question": "Generate a question",
    "useful": "verify if the context was useful",
    "recall": "classify if the statement can be attributed",
}


def kind_of(prompt: str) -> str:
    """Which of ragas' prompts this is."""
    found = [kind for kind, words in KINDS.items() if words in prompt]
    assert len(found) == 1, prompt[:200]
    return found[0]


def given(prompt: str) -> dict[str, Any]:
    """The input at the end of one of ragas' prompts."""
    text = prompt.rpartition("following input\ninput: ")[2]
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text)[0]
    return found


def reply(asked: Asked) -> str:
    """A judge that supports what holds 'up' and finds useful what holds 'revenue'."""
    data, kind = given(asked.prompt), kind_of(asked.prompt)
    if kind == "statement":
        return json.dumps({"statements": [s for s in re.split(r"(?<=\.)\s+", data["answer"]) if s]})
    if kind == "verdicts":
        told = [{"statement": s, "reason": "r", "verdict": int("up" in s)} for s in data["statements"]]
        return json.dumps({"statements": told})
    if kind == "question":
        return json.dumps({"question": "How did Tarn's revenue move?", "noncommittal": 0})
    if kind == "useful":
        return json.dumps({"reason": "r", "verdict": int("revenue" in data["context"].lower())})
    return json.dumps(
        {
            "classifications": [
                {"statement": "a", "reason": "r", "attributed": 1},
                {"statement": "b", "reason": "r", "attributed": 0},
            ]
        }
    )
