"""A reply is bounded in time and size by what it may take as a whole, not by what a single read may."""

from __future__ import annotations

import gzip
import time
import tracemalloc
import zlib

import httpx2
import pytest

from agent.endpoint import bounded_client
from agent.endpoint.bounded_client import BoundedClient
from agent.endpoint_address import Endpoint
from evals.attacks import endpoint_forms
from evals.attacks.hostile_endpoint import Reply, bomb, dripped, hostile, whole

SECONDS = 0.5
SLACK = 5.0
DRIPS: dict[str, Reply] = {
    **endpoint_forms.DRIPS,
    "a body that unpacks to nothing": lambda asked: dripped(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\nContent-Length: 99999\r\n\r\n"
        + zlib.compress(b"")[:2],
        b"\x00\x00\x00\xff\xff",
    ),
}


@pytest.mark.parametrize("what", DRIPS)
def test_what_drips_without_end_is_waited_for_no_longer_than_a_request_may_take(what: str) -> None:
    with hostile(DRIPS[what]) as endpoint, BoundedClient(Endpoint(endpoint.base_url, "m")) as client:
        began = time.monotonic()
        with pytest.raises(httpx2.TimeoutException):
            client.get(f"{endpoint.base_url}/models", timeout=SECONDS)
        assert time.monotonic() - began < SLACK


@pytest.mark.parametrize("twice", [False, True])
def test_the_bound_on_a_reply_counts_what_it_unpacks_to(twice: bool) -> None:
    packed = gzip.compress(bomb(256)) if twice else bomb(256)
    coding = "gzip, gzip" if twice else "gzip"
    assert len(packed) < 2**19
    with (
        hostile(lambda asked: whole(200, packed, f"Content-Encoding: {coding}")) as endpoint,
        BoundedClient(Endpoint(endpoint.base_url, "m")) as client,
    ):
        tracemalloc.start()
        with pytest.raises(httpx2.ReadError, match="too large"):
            client.get(f"{endpoint.base_url}/models", timeout=60)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < 3 * bounded_client.MAX_BYTES


def test_a_packed_reply_of_a_usual_size_is_read() -> None:
    packed = gzip.compress(b'{"data": []}')
    with (
        hostile(lambda asked: whole(200, packed, "Content-Encoding: gzip")) as endpoint,
        BoundedClient(Endpoint(endpoint.base_url, "m")) as client,
    ):
        assert client.get(f"{endpoint.base_url}/models").json() == {"data": []}


def test_the_time_of_one_request_is_not_taken_from_the_next() -> None:
    with (
        hostile(lambda asked: whole(200, b"{}")) as endpoint,
        BoundedClient(Endpoint(endpoint.base_url, "m")) as client,
    ):
        for _ in range(3):
            assert client.get(f"{endpoint.base_url}/models", timeout=SECONDS).status_code == 200
            time.sleep(0.2)
