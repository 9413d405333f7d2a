"""Structured replies: JSON found in what models of all sizes write, one repair round, then an error."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from pydantic import BaseModel

from tools.model.structured import ask_structured, read, strict_schema
from tools.model.types import MalformedReplyError, Message, ModelDownError, Reply


class Item(BaseModel):
    name: str
    share: float = 0.0


class Out(BaseModel):
    kind: Literal["figure", "prose"]
    items: list[Item] = []
    sure: bool = True


class Written:
    """A `ChatModel` that replies as it is told and keeps what it was asked."""

    id = "written"
    context = None

    def __init__(self, *replies: Reply) -> None:
        self.replies = list(replies)
        self.asked: list[tuple[Message, ...]] = []
        self.schemas: list[dict[str, Any] | None] = []

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        self.asked.append(messages)
        self.schemas.append(schema)
        return self.replies[len(self.asked) - 1]


GOOD = '{"kind": "figure", "items": [{"name": "a}b", "share": 0.5}], "sure": false}'
WANTED = Out(kind="figure", items=[Item(name="a}b", share=0.5)], sure=False)
ASKED = (Message("system", "Judge."), Message("user", "Which kind?"))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here it is:\n{GOOD}\nI hope [this] helps {{you}}.",
        f"As [1] and [2] say: {GOOD}",
        f'<think>Perhaps {{"kind": "prose"}}?</think>{GOOD}',
        GOOD.replace("}]", "},]").replace("false}", "false,}"),
        GOOD.replace("false", "False"),
        GOOD.replace("{", '{"more": {"kind": 1}, ', 1),
        f"{{not json}} {GOOD}",
        f"\ufeff\n\n{GOOD}",
        f'{{"kind": "neither"}}\n{GOOD}',
    ],
)
def test_json_is_found_in_fences_prose_and_small_slips(text: str) -> None:
    assert read(text, Out) == WANTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "It is a figure.",
        GOOD[:-20],
        '{"kind": "figure',
        "[1]",
        "{",
        "[" * 5_000,
        '{"kind": "other"}',
        "null",
    ],
)
def test_what_holds_no_whole_reply_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|validation"):
        read(text, Out)


def test_long_texts_full_of_brackets_are_read_in_little_time() -> None:
    with pytest.raises(ValueError, match="JSON"):
        read('{"a": [' * 20_000, Out)


def test_a_bad_reply_is_sent_back_once_with_what_is_wrong() -> None:
    model = Written(Reply('{"kind": "table"}'), Reply(GOOD))
    assert ask_structured(model, ASKED, Out) == WANTED
    first, second = model.asked
    assert second[: len(first)] == first
    assert [message.role for message in second[len(first) :]] == ["assistant", "user"]
    assert second[-2].text == '{"kind": "table"}'
    assert "kind" in second[-1].text
    assert "'figure' or 'prose'" in second[-1].text


def test_a_reply_cut_short_is_asked_to_be_brief() -> None:
    model = Written(Reply(GOOD[:-5], finish="length"), Reply(GOOD))
    assert ask_structured(model, ASKED, Out) == WANTED
    assert "be brief" in model.asked[1][-1].text


def test_two_bad_replies_are_an_error_that_says_why() -> None:
    model = Written(Reply("A figure."), Reply('{"kind": "table"}'))
    with pytest.raises(MalformedReplyError, match=r"'written' gave no usable JSON, twice: kind") as caught:
        ask_structured(model, ASKED, Out)
    assert len(model.asked) == 2
    assert not caught.value.down


def test_a_failing_client_is_not_asked_to_repair() -> None:
    class Failing(Written):
        def complete(self, messages: tuple[Message, ...], **_: Any) -> Reply:
            self.asked.append(messages)
            raise ModelDownError("gone")

    model = Failing()
    with pytest.raises(ModelDownError):
        ask_structured(model, ASKED, Out)
    assert len(model.asked) == 1


def test_the_form_is_told_in_words_and_as_a_schema() -> None:
    model = Written(Reply(GOOD))
    ask_structured(model, ASKED, Out, example=WANTED)
    system, user = model.asked[0]
    assert system == ASKED[0]
    assert user.text.startswith("Which kind?")
    assert "JSON" in user.text, "OpenAI's JSON mode wants the word"
    assert '"a}b"' in user.text
    assert model.schemas == [strict_schema(Out)]


def test_the_schema_is_one_that_strict_endpoints_take() -> None:
    strict_schema(Out).clear()  # what a caller does with it is not kept
    schema = strict_schema(Out)
    assert schema["title"] == "Out"
    assert schema["required"] == ["kind", "items", "sure"]
    assert schema["additionalProperties"] is False
    item = schema["$defs"]["Item"]
    assert item["required"] == ["name", "share"]
    assert item["additionalProperties"] is False
    assert "default" not in str(schema)


def test_a_field_may_be_called_like_a_keyword() -> None:
    class Named(BaseModel):
        title: str
        format: str
        default: str = ""

    assert list(strict_schema(Named)["properties"]) == ["title", "format", "default"]
