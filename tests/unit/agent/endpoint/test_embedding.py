"""Embeddings of an endpoint: unit rows in order, faults like the chat client's, an id that names no host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

import numpy as np
import pytest

from agent.endpoint.embedding import MAX_CHARS, MAX_TEXTS_A_REQUEST, EndpointEmbeddings
from agent.endpoint.limits import Pace
from agent.endpoint.models import endpoint_embeddings
from agent.settings import Settings, SettingsError
from tests.endpoint import CUT_JSON, DROPPED_MIDDLE, HTML, Fault, Server, embed, fault, redirect, serving
from tools.model.types import ContextTooSmallError, MalformedReplyError, ModelDownError, ModelError

QUICK = Pace(sleep=lambda seconds: None)


@contextmanager
def opened(**settings: object) -> Iterator[tuple[Server, EndpointEmbeddings]]:
    with serving() as server:
        named = server.settings(embed_model="embedder", **settings)
        with closing(endpoint_embeddings(named, QUICK)) as embedder:
            yield server, embedder


def _embeddings(server: Server) -> list[dict[str, object]]:
    return [asked.body for asked in server.requests if asked.path == "/v1/embeddings"]


def test_rows_are_unit_vectors_of_their_texts_in_order_whatever_the_batch() -> None:
    texts = [f"text {number}" for number in range(MAX_TEXTS_A_REQUEST + 5)]
    with opened() as (server, embedder):
        rows = embedder.embed(texts)
        assert rows.shape == (MAX_TEXTS_A_REQUEST + 5, 8)
        assert rows.dtype == np.float32
        assert np.allclose(np.linalg.norm(rows, axis=1), 1)
        assert np.array_equal(
            rows[MAX_TEXTS_A_REQUEST + 1], embedder.embed_query(texts[MAX_TEXTS_A_REQUEST + 1])
        )
        sent = np.asarray(embed(["text 3"])[0])
        assert np.allclose(rows[3], sent / np.linalg.norm(sent), atol=1e-6)
        bodies = _embeddings(server)
    assert [len(body["input"]) for body in bodies] == [MAX_TEXTS_A_REQUEST, 5, 1]  # type: ignore[arg-type]
    assert all(body["model"] == "embedder" and body["encoding_format"] == "float" for body in bodies)
    assert all(isinstance(text, str) for text in bodies[0]["input"]), "no token ids"  # type: ignore[union-attr]


def test_the_dimension_is_asked_for_once_and_the_id_asks_nothing() -> None:
    with opened() as (server, embedder):
        assert embedder.id == "endpoint:embedder/unit"
        assert server.requests == []
        assert embedder.dimension == embedder.dimension == 8
        assert embedder.embed([]).shape == (0, 8)
        assert len(_embeddings(server)) == 1


def test_empty_long_and_broken_texts_are_sent_in_a_form_that_endpoints_take() -> None:
    with opened() as (server, embedder):
        embedder.embed(["", "  ", "x" * (MAX_CHARS * 2), "a\ud800b"])
        sent = _embeddings(server)[0]["input"]
    assert sent == [".", ".", "x" * MAX_CHARS, "a?b"]


@pytest.mark.parametrize(
    ("broken", "requests", "error"),
    [
        (fault(429), 3, ModelDownError),
        (fault(503), 3, ModelDownError),
        (fault(401), 1, ModelDownError),
        (fault(400), 1, ModelError),
        (fault(404, "no such model"), 1, ModelDownError),
        (fault(400, "the input length exceeds the context length"), 1, ContextTooSmallError),
        (redirect(307, "http://127.0.0.1:9/"), 1, ModelDownError),
        (DROPPED_MIDDLE, 3, ModelDownError),
        (HTML, 3, ModelDownError),
        (CUT_JSON, 3, ModelDownError),
    ],
)
def test_faults_cost_as_many_requests_as_the_chat_clients(
    broken: Fault, requests: int, error: type[ModelError]
) -> None:
    with opened() as (server, embedder):
        server.embeddings = broken
        with pytest.raises(error) as caught:
            embedder.embed_query("hello")
        assert len(_embeddings(server)) == requests
        assert "sk-scripted" not in str(caught.value)


@pytest.mark.parametrize(
    "rows", [[], [[0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]], [[]], [[float("nan"), 1.0]], [[1e200, 1.0]]]
)
def test_vectors_that_are_none_are_asked_for_again_and_then_refused(rows: list[list[float]]) -> None:
    with opened() as (server, embedder):
        server.embeddings = lambda texts: rows
        with pytest.raises(ModelDownError):
            embedder.embed_query("hello")
        assert len(_embeddings(server)) == 3


def test_batches_of_different_dimensions_are_refused() -> None:
    with opened() as (server, embedder):
        server.embeddings = lambda texts: (
            [[1.0] * (2 if len(texts) == MAX_TEXTS_A_REQUEST else 3)] * len(texts)
        )
        with pytest.raises(MalformedReplyError, match="different lengths"):
            embedder.embed(["x"] * (MAX_TEXTS_A_REQUEST + 1))


def test_without_a_model_there_are_no_endpoint_embeddings() -> None:
    with pytest.raises(SettingsError, match="HYBRIDRAG_EMBED_MODEL"):
        endpoint_embeddings(Settings(_env_file=None))
