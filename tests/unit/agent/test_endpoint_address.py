"""What is shown of a key; and the scripted endpoint speaks well enough for langchain-openai's own client."""

from __future__ import annotations

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from agent.endpoint.bounded_client import BoundedClient, unused_async_client
from agent.endpoint_address import Endpoint
from tests.endpoint import Said, serving


def test_a_reply_is_the_same_whole_and_streamed() -> None:
    text = "Net revenue was 4,812 million USD in the second quarter [1]."
    with serving(Said(text, usage=(12, 5))) as server, BoundedClient(Endpoint(server.base_url, "m")) as http:
        client = ChatOpenAI(
            model="m",
            base_url=server.base_url,
            api_key="none",
            http_client=http,
            http_async_client=unused_async_client(),
            stream_usage=True,
        )
        whole = client.invoke("hello")
        parts = list(client.stream("hello"))
    streamed = parts[0]
    for part in parts[1:]:
        streamed += part
    assert whole.text == streamed.text == text
    assert len(parts) > 3
    assert whole.usage_metadata is not None
    assert streamed.usage_metadata is not None
    assert whole.usage_metadata["total_tokens"] == streamed.usage_metadata["total_tokens"] == 17
    assert [bool(asked.body.get("stream")) for asked in server.chats] == [False, True]


KEY = "sk-proj-0123456789abcdef"
KEYED = Endpoint("https://x.example/v1", "m", SecretStr(KEY))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"a {KEY} b", "a [key] b"),
        (f"a {KEY[5:13]} b", "a [key] b"),
        (f"a {KEY[5:12]} b", f"a {KEY[5:12]} b"),
        (f"{KEY[:9]}***{KEY[-8:]}", "[key]***[key]"),
        (f"{KEY[:10]}{KEY[4:14]}", "[key]"),
        ("".join(f"\\u{ord(each):04x}" for each in KEY), "[key]"),
        ("\u200b".join(KEY), "[key]"),
        ("total net sales of 0123", "total net sales of 0123"),
    ],
)
def test_any_eight_characters_of_a_key_in_a_row_are_masked(said: str, shown: str) -> None:
    assert KEYED.without_key(said) == KEYED.scrub(said) == shown


def test_a_short_key_is_masked_as_a_whole() -> None:
    assert Endpoint("https://x.example/v1", "m", SecretStr("abc")).without_key("ab abcd") == "ab [key]d"


def test_a_key_is_found_behind_control_sequences() -> None:
    assert KEYED.scrub(f"bad {KEY[:6]}\x1b[31m{KEY[6:]}") == "bad [key]"
