"""What an endpoint says about itself: models on offer, context length."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent.endpoint.faults import BadRequestError
from agent.endpoint.limits import SERVER_QUESTION_SECONDS
from agent.endpoint_address import Endpoint
from tools.model.turn import current_turn
from tools.model.types import ModelDownError, ModelError

if TYPE_CHECKING:
    from httpx2 import Client

_NO_MODEL = re.compile(
    r"model\b.*(?:not found|not exist|unknown|invalid)|(?:unknown|invalid|no such) model", re.I
)
_DIGITS = re.compile(r"[0-9]{1,10}")
MAX_CONTEXT = 2**31
"""Tokens of a context; a larger figure is none."""
_SHOWN = 20
"""Models that an error message names."""


@dataclass(frozen=True, slots=True)
class Listing:
    """An endpoint's answer to which models it has."""

    models: list[dict[str, Any]] | None = None
    """As listed, each with an `id`; None where it did not say."""
    status: int | None = None
    """None where nothing came."""
    why: str = ""
    """What went wrong, without keys."""

    @property
    def names(self) -> list[str]:
        """Their ids, in order of the alphabet."""
        return sorted(model["id"] for model in self.models or ())


class Served:
    """Questions that cost nothing: none of them is retried."""

    def __init__(self, endpoint: Endpoint, http: Client) -> None:
        self._endpoint = endpoint
        self._http = http
        self._root = endpoint.base_url.removesuffix("/v1")

    def listing(self) -> Listing:
        """The models on offer."""
        status, found, why = self._asked("GET", f"{self._endpoint.base_url}/models", None)
        listed = found.get("data") if isinstance(found, dict) else None
        if not isinstance(listed, list):
            return Listing(None, status, why)
        models = [model for model in listed if isinstance(model, dict) and isinstance(model.get("id"), str)]
        return Listing(models, status)

    def context(self) -> int | None:
        """Tokens of the model's context as it is served, not as it was trained; None where nobody says."""
        models = self.listing().models
        if models is None:
            return None
        mine = [model for model in models if model["id"] == self._endpoint.model] or models[:1]
        if len(models) == 1 or (mine and mine[0]["id"] == self._endpoint.model):
            for entry in mine:
                meta = entry.get("meta")
                sources = [entry, meta if isinstance(meta, dict) else {}]
                for name in ("max_model_len", "n_ctx", "context_length", "context_window"):
                    for source in sources:
                        if limit := _positive(source.get(name)):
                            return limit
        return None if self._endpoint.is_openai else self._llama_cpp() or self._ollama()

    def _llama_cpp(self) -> int | None:
        found = self._get(f"{self._root}/props")
        default = found.get("default_generation_settings") if isinstance(found, dict) else None
        return _positive(default.get("n_ctx")) if isinstance(default, dict) else None

    def _ollama(self) -> int | None:
        """Of the loaded model, else the one set for it. Not the trained one: Ollama serves far less by default."""
        running = self._get(f"{self._root}/api/ps")
        loaded = running.get("models") if isinstance(running, dict) else None
        for entry in loaded if isinstance(loaded, list) else ():
            if isinstance(entry, dict) and self._endpoint.model in (entry.get("name"), entry.get("model")):
                return _positive(entry.get("context_length"))
        shown = self._post(f"{self._root}/api/show", {"model": self._endpoint.model})
        parameters = shown.get("parameters") if isinstance(shown, dict) else None
        for line in parameters.splitlines() if isinstance(parameters, str) else ():
            name, _, value = line.strip().partition(" ")
            if name == "num_ctx" and _DIGITS.fullmatch(value.strip()):
                return _positive(int(value))
        return None

    def _get(self, url: str) -> Any:
        return self._asked("GET", url, None)[1]

    def _post(self, url: str, body: dict[str, Any]) -> Any:
        return self._asked("POST", url, body)[1]

    def _asked(self, method: str, url: str, body: dict[str, Any] | None) -> tuple[int | None, Any, str]:
        """(status, JSON of a 200, what went wrong)."""
        import httpx2

        key = self._endpoint.key
        headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
        left = current_turn().seconds_left()
        seconds = SERVER_QUESTION_SECONDS if left is None else min(SERVER_QUESTION_SECONDS, left)
        if seconds <= 0:
            return None, None, "no time is left"
        try:
            response = self._http.request(method, url, json=body, headers=headers, timeout=seconds)
            if response.status_code != 200:
                return response.status_code, None, f"status {response.status_code}"
            return 200, response.json(), ""
        except httpx2.TransportError as error:
            return None, None, self._endpoint.scrub(str(error) or type(error).__name__)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, RecursionError):
            return 200, None, "no JSON came"


def explain_missing(error: BadRequestError, endpoint: Endpoint, http: Client) -> ModelError:
    """`error` itself, unless it is about a model or a path that the endpoint does not have: then one that says
    what it does have."""
    if error.status != 404 and not _NO_MODEL.search(str(error)):
        return error
    listing = Served(endpoint, http).listing()
    if listing.models is None:
        if error.status != 404:
            return error
        return ModelDownError(f"{error}. Base URLs usually end in /v1")
    if endpoint.model in listing.names:
        return ModelDownError(str(error)) if error.status == 404 else error
    return ModelDownError(
        f"'{endpoint.host}' has no model '{endpoint.model}'. On offer: {on_offer(listing, endpoint)}"
    )


def on_offer(listing: Listing, endpoint: Endpoint) -> str:
    """The models of a listing, in words."""
    names = listing.names
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return endpoint.scrub(", ".join(names[:_SHOWN])) + more if names else "none"


def _positive(value: object) -> int | None:
    return (
        value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < MAX_CONTEXT else None
    )
