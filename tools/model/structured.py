"""Structured replies from models of any size.

    ask_structured(model, messages, Out, *, max_tokens=None, example=None) -> Out       (raises ModelError)

`Out` is a pydantic model. Its schema goes to the endpoint (which obeys it, or asks for JSON, or ignores it:
`agent.endpoint.models` finds out which) and, in brief, into the last message. The reply's JSON is found even in
fences or prose, validated, and asked for once more with the error; then MalformedReplyError.
At most two logical calls. Keys that `Out` does not know are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tools.model.types import ChatModel, MalformedReplyError, Message, Reply

Out = TypeVar("Out", bound=BaseModel)

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_DROPPED = frozenset({"title", "default", "minLength", "maxLength", "pattern", "format", "examples"})
"""Of a schema: what endpoints refuse or make slow grammars of; pydantic checks it all the same."""
_MAX_QUOTED = 2_000
"""Characters of a bad reply that are sent back."""
_MAX_STARTS_TRIED = 50
"""Places in a reply at which JSON may begin that are tried."""


def ask_structured(
    model: ChatModel,
    messages: tuple[Message, ...],
    out: type[Out],
    *,
    max_tokens: int | None = None,
    example: Out | None = None,
) -> Out:
    """One validated reply; `example`: shown in the request, for small models.

    Raises MalformedReplyError after the repair round, and the client's ModelErrors.
    """
    schema = strict_schema(out)
    asked = (*messages[:-1], Message(messages[-1].role, f"{messages[-1].text}\n\n{_format(schema, example)}"))
    reply = model.complete(asked, schema=schema, max_tokens=max_tokens)
    try:
        return read(reply.text, out)
    except ValueError as error:
        again = (*asked, *_repair(reply, error))
    reply = model.complete(again, schema=schema, max_tokens=max_tokens)
    try:
        return read(reply.text, out)
    except ValueError as error:
        raise MalformedReplyError(f"'{model.id}' gave no usable JSON, twice: {_brief(error)}") from error


def read(text: str, out: type[Out]) -> Out:
    """The first JSON value in `text` that is an `out`. ValueError without one (pydantic's where it came near)."""
    near: dict[bool, ValidationError] = {}
    for value in json_values(_THOUGHTS.sub(" ", text)):
        try:
            return out.model_validate(value)
        except ValidationError as error:
            near.setdefault(isinstance(value, dict), error)  # a list is more likely a marker than the reply
    raise near.get(True) or near.get(False) or ValueError("there is no complete JSON object in the reply")


def strict_schema(out: type[BaseModel]) -> dict[str, Any]:
    """`out`'s JSON schema as strict endpoints want it: every property required, no others allowed."""
    return deepcopy(_strict_schema(out))


@lru_cache(maxsize=64)
def _strict_schema(out: type[BaseModel]) -> dict[str, Any]:
    """Kept: every request asks, and Pydantic makes it anew each time."""
    schema: dict[str, Any] = _strict(out.model_json_schema())
    schema["title"] = re.sub(r"\W", "_", out.__name__)
    return schema


def _strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):  # names here are fields, not keywords
            kept[key] = {name: _strict(child) for name, child in value.items()}
        elif key not in _DROPPED:
            kept[key] = _strict(value)
    if "properties" in kept:
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept


def _format(schema: dict[str, Any], example: BaseModel | None) -> str:
    shown = f"\nAn example of the form: {example.model_dump_json()}" if example is not None else ""
    brief = json.dumps({k: v for k, v in schema.items() if k != "title"}, separators=(",", ":"))
    return f"Reply with one JSON object and nothing else. Its JSON schema: {brief}{shown}"


def _repair(reply: Reply, error: ValueError) -> tuple[Message, Message]:
    cut = " It was cut off: be brief." if reply.finish == "length" else ""
    request = (
        f"That is not usable: {_brief(error)}.{cut} Reply again with the whole JSON object and nothing else."
    )
    return Message("assistant", reply.text[:_MAX_QUOTED] or "(empty)"), Message("user", request)


def _brief(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        faults = error.errors(include_url=False, include_input=False)[:3]
        return "; ".join(f"{'.'.join(map(str, f['loc'])) or 'reply'}: {f['msg']}" for f in faults)
    return str(error)[:200]


def json_values(text: str) -> Iterator[Any]:
    """JSON objects and lists in `text`, outermost ones, in order; then the same with small slips mended."""
    for mended in (text, _mend(text)):
        decoder, at, tried = json.JSONDecoder(), 0, 0
        while (start := _next(mended, at)) >= 0 and tried < _MAX_STARTS_TRIED:
            tried += 1
            try:
                value, at = decoder.raw_decode(mended, start)
            except (ValueError, RecursionError):
                at = start + 1
                continue
            yield value
        if mended == text and _mend(text) == text:
            return


def _next(text: str, at: int) -> int:
    places = [place for place in (text.find("{", at), text.find("[", at)) if place >= 0]
    return min(places, default=-1)


def _mend(text: str) -> str:
    """Trailing commas dropped, Python's words for JSON's: the commonest slips of small models."""
    text = re.sub(r",(\s*[}\]])", r"\1", text)
    return re.sub(r"(?<=[:\[,])(\s*)(True|False|None)\b", lambda m: m[1] + _WORDS[m[2]], text)


_WORDS = {"True": "true", "False": "false", "None": "null"}
