from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools.model.types import Message, Reply
from tools.store.reading.model_broker import Models
from tools.store.reading.recipe import Recipe


class Named:
    """A chat model that is never asked."""

    context = None

    def __init__(self, id: str) -> None:
        self.id = id

    def complete(
        self,
        messages: tuple[Message, ...],
        *,
        schema: dict[str, Any] | None = None,
        max_tokens: int | None = None,
    ) -> Reply:
        raise AssertionError("asked")


def recipe(model: str = "m1", **more: Any) -> str:
    return Recipe(models=replace(Models(chat=Named(model)), **more)).key().extractor


def test_the_local_extractors_recipe_knows_nothing_of_models() -> None:
    assert (
        Recipe().key().extractor
        == "{'target': 'tools.knowledge.extract.local_extractor:LocalExtractor', 'arguments': {}}"
    )


def test_a_recipe_names_the_model_and_the_prompts_with_their_versions() -> None:
    assert "m1; prompts relations " in recipe()
    assert "m1; prompts extract " in recipe(passes=2)
    assert ", refine " in recipe(passes=2)
    assert recipe("m2") != recipe()


def test_other_words_of_a_prompt_are_another_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    before = recipe()
    monkeypatch.setattr(
        "tools.knowledge.extract.model_extractor.prompt_versions", lambda passes: "relations 0"
    )
    assert recipe() != before


def test_another_number_of_passes_is_another_recipe() -> None:
    assert recipe(passes=2) != recipe(passes=1) == recipe()


def test_budget_prices_and_limits_change_no_recipe() -> None:
    assert recipe(at_once=1, max_tokens=5, prices=(1.0, 2.0), reply_tokens=4096) == recipe()


def test_reading_processes_are_told_names_alone() -> None:
    start = Recipe(models=Models(chat=Named("m1"))).start(Path("home"))
    assert start["chat"] == "m1"
    assert start["asking"] == {"threads": 4, "reply_tokens": 1024}
