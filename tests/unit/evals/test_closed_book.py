"""A model asked without documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent.errors import UsageError
from evals.closed_book import from_memory
from evals.datasets.types import Item
from evals.pipelines import parse_pipelines
from tests.scripted import Scripted
from tools.model.types import ModelDownError

ITEM = Item(id="1", question="What was Norvane's revenue in 2022?")


def test_what_a_model_says_by_itself_is_a_row_without_contexts_and_citations() -> None:
    row = from_memory(Scripted({"closed_book": "It was 410 million USD."}), ITEM, 60, 200)
    assert (row.pipeline, row.status, row.answer) == ("none", "answered", "It was 410 million USD.")
    assert (row.contexts, row.citations, row.engine) == ((), (), "model")


def test_a_model_that_does_not_know_abstains() -> None:
    row = from_memory(Scripted({"closed_book": "UNKNOWN."}), ITEM, 60, 200)
    assert (row.status, row.reason) == ("abstained", "no_evidence")


def test_a_model_that_is_down_is_an_error_for_whoever_asks() -> None:
    with pytest.raises(ModelDownError):
        from_memory(Scripted({"closed_book": ModelDownError("gone")}), ITEM, 60, 200)


def test_it_has_no_paper_configuration() -> None:
    assert [each.name for each in parse_pipelines("none,ontology")] == ["none", "ontology"]
    with pytest.raises(UsageError, match="not a pipeline"):
        parse_pipelines("none@paper")


def test_without_a_model_it_is_refused_before_anything_is_asked(hybridrag: Any, tmp_path: Path) -> None:
    ran = hybridrag("eval", "run", "--dataset", "sample", "--pipelines", "none", "--out", tmp_path / "out")
    assert ran.code == 2 and "asks a model without documents" in ran.err
    assert not (tmp_path / "out").exists()
