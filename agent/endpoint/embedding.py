"""Embeddings of a model endpoint, as `tools.vector.embeddings.Embedder`."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from agent.endpoint.calling import Caller
from agent.endpoint.faults import BadRequestError, PassingError
from agent.endpoint.limits import Pace, Shares, limits_of
from agent.endpoint.serving import explain_missing
from agent.endpoint_address import NO_KEY, Endpoint
from agent.settings import Settings
from tools.model.types import MalformedReplyError
from tools.vector.embeddings import Vectors

if TYPE_CHECKING:
    from httpx2 import Client
    from langchain_openai import OpenAIEmbeddings

MAX_TEXTS_A_REQUEST = 64
"""Texts of a request."""
MAX_CHARS = 8_000
"""Of a text that are embedded: within 8,000 tokens whatever the script, and several times a chunk."""


class EndpointEmbeddings:
    """An embedding model behind an endpoint; an `Embedder`. All its methods raise ModelError."""

    def __init__(
        self, endpoint: Endpoint, settings: Settings, pace: Pace, shares: Shares | None = None
    ) -> None:
        self.endpoint = endpoint
        limits = limits_of(endpoint.origin, settings.llm_concurrency, settings.llm_rpm, pace, shares)
        self._caller = Caller(endpoint, limits, pace, settings.llm_timeout)

    @property
    def id(self) -> str:
        """Names the model, not where it is served: an index may move with its model."""
        return f"endpoint:{self.endpoint.model}/unit"

    @cached_property
    def dimension(self) -> int:
        """Numbers in a vector; asks the endpoint once."""
        return int(self.embed(["dimension"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension) float32, rows of length 1."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        batches = [
            texts[start : start + MAX_TEXTS_A_REQUEST] for start in range(0, len(texts), MAX_TEXTS_A_REQUEST)
        ]
        parts = [self._batch([_sent(text) for text in batch]) for batch in batches]
        if len({part.shape[1] for part in parts}) != 1:
            raise MalformedReplyError(f"'{self.endpoint.host}' sent embeddings of different lengths")
        return np.concatenate(parts)

    def embed_query(self, text: str) -> Vectors:
        """(dimension,) float32 of length 1."""
        row: Vectors = self.embed([text])[0]
        return row

    def close(self) -> None:
        """Let go of the connections; idempotent."""
        if "_http" in self.__dict__:
            self._http.close()

    def _batch(self, texts: list[str]) -> Vectors:
        def request(timeout: float) -> Vectors:
            return _unit_rows(self._client.embed_documents(texts, timeout=timeout), len(texts))

        try:
            return self._caller.call(request)[0]
        except BadRequestError as error:
            raise explain_missing(error, self.endpoint, self._http) from error

    @cached_property
    def _http(self) -> Client:
        from agent.endpoint.bounded_client import BoundedClient

        client = BoundedClient(self.endpoint)
        weakref.finalize(self, client.close)
        return client

    @cached_property
    def _client(self) -> OpenAIEmbeddings:
        from langchain_openai import OpenAIEmbeddings
        from pydantic import SecretStr

        from agent.endpoint.bounded_client import unused_async_client

        warnings.filterwarnings(  # of vectors that are none, which are told in words of our own
            "ignore", message=r"(?s)Pydantic serializer warnings"
        )
        return OpenAIEmbeddings(
            model=self.endpoint.model,
            openai_api_base=self.endpoint.base_url,
            openai_api_key=self.endpoint.key or SecretStr(NO_KEY),
            max_retries=0,
            check_embedding_ctx_length=False,  # it would send token ids of OpenAI's tokenizer
            chunk_size=MAX_TEXTS_A_REQUEST,
            model_kwargs={
                "encoding_format": "float"
            },  # the client's default, base64, is not known everywhere
            http_client=self._http,
            http_async_client=unused_async_client(),
        )


def _sent(text: str) -> str:
    """What is sent for a text: endpoints refuse an empty one."""
    sound = text[:MAX_CHARS].encode("utf-8", "replace").decode("utf-8")
    return sound if sound.strip() else "."


def _unit_rows(rows: list[list[float]], expected: int) -> Vectors:
    vectors = np.asarray(rows, dtype=np.float64)
    if vectors.ndim != 2 or len(vectors) != expected or vectors.shape[1] == 0:
        raise PassingError(f"{len(rows)} embeddings came for {expected} texts")
    with np.errstate(over="ignore"):
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or (norms == 0).any():
        raise PassingError("an embedding came that can't be compared: zero, infinite or not a number")
    unit: Vectors = (vectors / norms).astype(np.float32)
    return unit
