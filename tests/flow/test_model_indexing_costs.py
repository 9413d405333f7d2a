"""Budgets and estimates of reading documents with a model."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from agent.assistant import Assistant
from evals.kills import write_documents
from tests.endpoint import Asked, Said, serving
from tests.model_indexing import index_small, index_with_model, tokens
from tests.reading_model import reading
from tools.store.reading.report import IndexReport
from tools.vector.embeddings import LocalEmbeddings


def test_a_budget_is_a_hard_stop_and_reruns_go_on_to_the_same_graph(
    tmp_path: Path, undisturbed: IndexReport
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    spent = []
    with serving(reading) as server:
        for _ in range(12):
            before = tokens(server)
            report = index_with_model(server, tmp_path / "home", documents, max_tokens=3_600)
            spent.append(tokens(server) - before)
            assert report.spent.tokens == spent[-1] <= 3_600
            if not report.counts.get("incomplete"):
                break
            assert "--max-tokens" in next(o.reason for o in report.outcomes if o.state == "incomplete")
        assert len(server.chats) == 6
    assert 2 <= len(spent) < 12
    assert report.digest == undisturbed.digest


def test_a_budget_below_one_call_says_so(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        report = index_with_model(server, tmp_path / "home", documents, max_tokens=100)
        assert server.chats == []
    assert "less than one call may take" in report.outcomes[0].reason


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("passes", [1, 2])
def test_a_dry_run_is_within_fifteen_per_cent_and_leaves_the_home_unmade(
    tmp_path: Path, samples: Path, passes: int
) -> None:
    with serving(realistic) as server:
        assistant = Assistant(server.settings(home=tmp_path / "home", extract_passes=passes, workers=1))
        before = assistant.estimate([samples])
        assert not (tmp_path / "home").exists()
        assert server.requests == []
        report = assistant.index([samples])
        assert before.spent.calls == report.spent.calls == len(server.chats)
        assert before.spent.tokens == pytest.approx(report.spent.tokens, rel=0.15)
        files = {path: path.stat().st_mtime_ns for path in (tmp_path / "home").rglob("*")}
        after = assistant.estimate([samples])
        assert (after.files, after.unchanged, after.spent.calls) == (0, 4, 0)
        assert {path: path.stat().st_mtime_ns for path in (tmp_path / "home").rglob("*")} == files


@cache
def tokenizer() -> Tokenizer:
    """Word pieces: a count of tokens that owes nothing to the one of the estimate."""
    return LocalEmbeddings()._tokenizer


def realistic(asked: Asked) -> Said:
    """Replies as long as an able model's: abstracts of 450 characters, five relations, with quotations of 110
    characters where such are asked for."""
    text = reading(asked).text or ""
    if asked.form:
        quoted = {"quote": asked.text[-400:-290], "status": "done", "date": "", "amount": ""}
        more = quoted if '"quote"' in json.dumps(asked.body["response_format"]) else {}
        told = [{**item, **more} for item in json.loads(text)["triplets"] if "tail" in item]
        text = json.dumps({"triplets": (told * 5)[:5]})
    return Said(text, usage=(len(tokenizer().encode(asked.prompt).ids), len(tokenizer().encode(text).ids)))


def test_a_dry_run_knows_what_is_paid_for_already(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        settings = server.settings(home=tmp_path / "home", extract_passes=2)
        index_with_model(server, tmp_path / "home", documents / "call-0.txt")
        index_small(tmp_path / "home", documents / "call-0.txt")
        estimate = Assistant(settings).estimate([documents])
    assert (estimate.files, estimate.spent.calls, estimate.spent.cached) == (3, 4, 2)
