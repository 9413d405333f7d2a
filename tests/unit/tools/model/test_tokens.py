"""Estimates of tokens, beside counts of a real tokenizer (SmolLM2: 47, 15, 2 and 9 tokens for the longer texts)."""

from __future__ import annotations

import pytest

from tools.model.tokens import FRAME_TOKENS, estimate_messages, estimate_tokens, factor, learn
from tools.model.types import Message

PROSE = (
    "Net revenue increased $422 million, or 10%, in the second quarter of fiscal 2024 compared to the second "
    "quarter of fiscal 2023, driven by higher sensor shipments to automotive customers."
)


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        ("word", 1, 1),
        (PROSE, 34, 48),
        ("1,234,567 (8.9)%", 8, 14),
        ("Internationalization", 2, 5),
        ("決算短信", 3, 8),
        (PROSE * 100, 3_400, 4_800),
    ],
)
def test_an_estimate_is_near_a_tokenizers_count(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


def test_a_request_is_its_texts_and_frames() -> None:
    messages = (Message("system", "word"), Message("user", "word word"))
    assert estimate_messages(messages) == 3 + 2 * FRAME_TOKENS


def test_reports_sharpen_the_estimate_of_their_model_alone() -> None:
    messages = (Message("user", PROSE * 10),)
    before = estimate_messages(messages)
    reported = round(before * 1.3)
    learn("learned-model", messages, reported)
    assert estimate_messages(messages, "learned-model") == pytest.approx(reported, abs=1)
    assert estimate_messages(messages) == before
    assert factor("another-model") == 1


@pytest.mark.parametrize("reported", [0, -5, 3, 10**6])
def test_reports_that_cannot_be_are_not_learned_from(reported: int) -> None:
    messages = (Message("user", PROSE * 10),)
    learn("odd-model", messages, reported)
    assert factor("odd-model") == 1
