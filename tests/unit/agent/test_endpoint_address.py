"""The scripted endpoint speaks the protocol well enough for langchain-openai's own client, streaming included."""

from __future__ import annotations

from langchain_openai import ChatOpenAI

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
