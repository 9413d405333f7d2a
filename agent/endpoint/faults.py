"""What a failed request means: whether it is worth another one, when, and what the user reads."""

from __future__ import annotations

import re
import reprlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from agent.endpoint_address import Endpoint
from tools.model.types import ContextTooSmallError, ModelDownError, ModelError, RefusedReplyError

if TYPE_CHECKING:
    from openai import APIStatusError

PASSING_STATUSES = frozenset({408, 409, 429})
"""4xx that may pass; so may 5xx, ..."""
_NEVER = 501
"""... but for "not implemented"."""
_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|maximum (?:model|context) length|prompt(?: is)? too long"
    r"|reduce the length of|maximum context|exceeds? the maximum (?:number of )?tokens",
    re.IGNORECASE,
)
_LIMIT = (
    re.compile(r"(?:context|model) length (?:is|of)\D{0,4}(\d[\d,]{0,11})", re.IGNORECASE),
    re.compile(r"context (?:size|length|window)\D{0,8}(\d[\d,]{0,11})", re.IGNORECASE),
    re.compile(r"(?:>|with)\s*(\d[\d,]{0,11})\s+maximum", re.IGNORECASE),
)
_NOT_CHAT = re.compile(
    r"not a chat model|not support (?:chat|the chat)|does not support chat|chat completions api"
    r"|support chat/completions|not support chat",
    re.IGNORECASE,
)
_FILTERED = re.compile(r"content[_ ]?filter|content management policy|ResponsibleAI", re.IGNORECASE)
_BRIEFLY = reprlib.Repr()
_BRIEFLY.maxstring = 300
"""Of what should be words and is a list, say; however deep it goes."""
_NO_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"})


class PassingError(Exception):
    """A request failed in a way that may pass."""

    def __init__(self, why: str, after: float | None = None) -> None:
        """`after`: seconds that the endpoint asks to wait."""
        super().__init__(why)
        self.after = after


class BadRequestError(ModelError):
    """A 4xx that no retry mends; the message is the endpoint's."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class _Said:
    """An endpoint's error, whatever its shape."""

    text: str
    code: str
    n_ctx: int | None


def status_fault(error: APIStatusError, endpoint: Endpoint) -> Exception:
    """The exception to raise for a status of 300 or more: PassingError or a ModelError."""
    status, said = error.status_code, _said(error)
    text = endpoint.scrub(said.text)
    told = f"'{endpoint.host}' answered {status}" + (f": {text}" if text else "")
    if status < 400:
        where = endpoint.scrub(error.response.headers.get("location", "elsewhere"))
        return ModelDownError(
            f"'{endpoint.host}' redirects ({status}) to {where}; redirects are not followed"
        )
    if _is_about_context(status, said):
        return ContextTooSmallError(told, said.n_ctx or _limit(said.text))
    if _NOT_CHAT.search(said.text):
        return ModelDownError(f"'{endpoint.model}' is not a chat model: {told}")
    if said.code in _NO_CREDIT or status == _NEVER:
        return ModelDownError(told)
    if status in PASSING_STATUSES or status >= 500:
        return PassingError(told, retry_after(error.response.headers))
    if said.code == "content_filter" or _FILTERED.search(said.text):
        return RefusedReplyError(told)
    if status in (401, 402, 403):
        return ModelDownError(f"{told}. Check the key" if status != 402 else told)
    return BadRequestError(told, status)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that `retry-after-ms` or `Retry-After` (seconds or a date) ask for; None without a usable one."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            seconds = _until(value)
        if 0 < seconds < float("inf"):
            return seconds
    return None


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return 0.0


def _is_about_context(status: int, said: _Said) -> bool:
    if status == 413:
        return True
    if status not in (400, 422) and status < 500:
        return False
    if said.code in ("context_length_exceeded", "exceed_context_size_error"):
        return True
    return bool(_CONTEXT.search(said.text)) and status != 503


def _limit(text: str) -> int | None:
    for pattern in _LIMIT:
        if found := pattern.search(text):
            return int(found[1].replace(",", ""))
    return None


def _said(error: APIStatusError) -> _Said:
    """OpenAI: {"error": {"message", "code"}}, its SDK unwraps "error"; vLLM: the same or flat; llama.cpp:
    with "n_ctx"; Ollama: {"error": {"message"}} or {"error": "text"}; FastAPI: {"detail": ...}."""
    body: Any = error.body
    if isinstance(body, dict) and isinstance(body.get("error"), dict | str):
        body = body["error"]
    if not isinstance(body, dict):
        return _Said(body if isinstance(body, str) else "", "", None)
    text = body.get("message") or body.get("detail") or ""
    code = body.get("code") if isinstance(body.get("code"), str) else body.get("type")
    n_ctx = body.get("n_ctx")
    return _Said(
        text if isinstance(text, str) else _BRIEFLY.repr(text),
        code if isinstance(code, str) else "",
        n_ctx if isinstance(n_ctx, int) and n_ctx > 0 else None,
    )
