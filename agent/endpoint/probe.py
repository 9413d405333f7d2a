"""Does the model endpoint work? A few requests, each with what it shows; used by `hybridrag doctor`."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from agent.endpoint.limits import Pace
from agent.endpoint.serving import on_offer
from agent.findings import Finding
from agent.settings import Settings
from tools.model.structured import json_values
from tools.model.turn import turn
from tools.model.types import Message, ModelError, Reply

if TYPE_CHECKING:
    from agent.endpoint.models import EndpointChat

SMALL_CONTEXT = 4096
"""Tokens below which most of the evidence has to be left out."""
REPLY_TOKENS = 256
"""Of a trial; enough for a model that thinks first."""
_VERDICT = {
    "title": "verdict",
    "type": "object",
    "properties": {"trial_verdict": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["trial_verdict"],
    "additionalProperties": False,
}
_FORMS = {
    "json_schema": "JSON schema",
    "json_object": "JSON mode",
    "none": "neither JSON schema nor JSON mode",
}


def examine_endpoints(settings: Settings, pace: Pace | None = None) -> Iterator[Finding]:
    """The chat endpoint's findings, then the embedding endpoint's; none for what is not set."""
    if settings.chat_endpoint is not None:
        from agent.endpoint.models import chat_model

        model = chat_model(settings, pace)
        try:
            yield from _chat(model, settings)
        finally:
            model.close()
    if settings.embed_endpoint is not None:
        yield _embeddings(settings, pace)


def _chat(model: EndpointChat, settings: Settings) -> Iterator[Finding]:
    endpoint = model.endpoint
    listing = model.served.listing()
    if listing.status is None:
        yield Finding("endpoint", "broken", f"'{endpoint.host}' cannot be reached: {listing.why}")
        return
    if listing.models is None:
        yield Finding("endpoint", "warning", f"'{endpoint.host}' does not list its models ({listing.why})")
    else:
        yield Finding("endpoint", "ok", f"'{endpoint.host}' answers; models on offer: {len(listing.models)}")
        known = endpoint.model in listing.names
        if known:
            yield Finding("model", "ok", f"'{endpoint.model}' is on offer")
        else:
            offered = on_offer(listing, endpoint)
            yield Finding("model", "warning", f"'{endpoint.model}' is not on offer, but: {offered}")
    try:
        _, seconds = _timed(model, "Reply with the one word: ready", None, settings)
    except ModelError as error:
        yield Finding("chat", "broken", str(error))
        return
    yield Finding("chat", "ok", f"a round trip took {seconds:.1f} s")
    yield _structured(model, settings)
    yield _context(model, settings)


def _structured(model: EndpointChat, settings: Settings) -> Finding:
    """Whether a reply obeys a schema that the prompt does not mention."""
    try:
        reply, seconds = _timed(
            model, "Is water wet? Answer as JSON, with keys of your choice.", _VERDICT, settings
        )
    except ModelError as error:
        return Finding("structured output", "warning", f"{error}. The local engine stands in")
    form = _FORMS[model.form]
    found = next(json_values(reply.text), None)
    if model.form == "json_schema" and _obeys(found):
        return Finding("structured output", "ok", f"{form}, obeyed ({seconds:.1f} s)")
    if model.form == "json_schema":
        return Finding(
            "structured output",
            "warning",
            f"{form} is accepted but not obeyed; replies are read and repaired as they come",
        )
    return Finding(
        "structured output",
        "ok" if isinstance(found, dict) else "warning",
        f"{form}; JSON is read from the reply's text ({seconds:.1f} s)",
    )


def _obeys(found: Any) -> bool:
    return isinstance(found, dict) and json.dumps(found) in (
        '{"trial_verdict": "yes"}',
        '{"trial_verdict": "no"}',
    )


def _context(model: EndpointChat, settings: Settings) -> Finding:
    tokens = model.context
    if tokens is None:
        return Finding(
            "context",
            "warning",
            "the endpoint does not say how many tokens it takes. Set HYBRIDRAG_LLM_CONTEXT",
        )
    source = "as set" if settings.llm_context else "as the endpoint says"
    if tokens < SMALL_CONTEXT:
        detail = f"{tokens:,} tokens, {source}: little evidence fits. Serve the model with a larger context"
        return Finding("context", "warning", detail)
    return Finding("context", "ok", f"{tokens:,} tokens, {source}")


def _timed(
    model: EndpointChat, prompt: str, schema: dict[str, Any] | None, settings: Settings
) -> tuple[Reply, float]:
    began = time.monotonic()
    with turn("doctor", deadline=began + settings.llm_timeout):
        reply = model.complete((Message("user", prompt),), schema=schema, max_tokens=REPLY_TOKENS)
    return reply, time.monotonic() - began


def _embeddings(settings: Settings, pace: Pace | None) -> Finding:
    from agent.endpoint.models import endpoint_embeddings

    embedder = endpoint_embeddings(settings, pace)
    began = time.monotonic()
    try:
        with turn("doctor", deadline=began + settings.llm_timeout):
            dimension = len(embedder.embed_query("total net sales"))
    except ModelError as error:
        return Finding("embeddings", "broken", str(error))
    finally:
        embedder.close()
    seconds = time.monotonic() - began
    host = embedder.endpoint.host
    return Finding(
        "embeddings",
        "ok",
        f"{embedder.id} at '{host}', {dimension} dimensions, a round trip took {seconds:.1f} s",
    )
