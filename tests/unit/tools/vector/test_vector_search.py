"""tools.vector.vector_search: evidence within scope, best first, nothing when nothing is relevant."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tools.periods import Period, PeriodFilter
from tools.scope import Scope
from tools.vector.chunk_index import ChunkIndex
from tools.vector.index import VectorIndex
from tools.vector.vector_search import vector_search


def test_evidence_carries_everything_that_a_citation_needs(opened: ChunkIndex) -> None:
    best = vector_search(opened, "chip sales rose data center", Scope(companies=("APEX",)))[0]
    assert best.rank == 1
    assert best.source == "vector"
    assert best.text == "Chip sales rose on data center demand."
    assert (best.document, best.page, best.section, best.kind) == ("apex-q1.pdf", 1, "Item 1", "prose")
    assert (best.company_key, best.company, best.doc_type) == ("APEX", "Apex Inc.", "10-Q")
    assert best.period == Period(date(2023, 3, 31), None, 2023, 1)
    assert [row.id for row in opened.rows([best.item_id])] == [best.item_id]
    assert best.fact is None


def test_ranks_count_up_and_scores_fall_within_nothing_and_one(opened: ChunkIndex) -> None:
    found = vector_search(opened, "chip sales inventory", floor=0)
    assert [item.rank for item in found] == list(range(1, len(found) + 1))
    scores = [item.score for item in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


def test_nothing_outside_the_scope_is_found_even_when_it_fits_better(opened: ChunkIndex) -> None:
    scope = Scope(periods=(PeriodFilter(end=date(2023, 6, 30)),))
    found = vector_search(opened, "Chip sales rose on data center demand.", scope, floor=0)
    assert {item.document for item in found} == {"apex-q2.pdf"}


def test_a_scope_that_admits_no_document_finds_nothing(opened: ChunkIndex) -> None:
    assert vector_search(opened, "chip sales", Scope(companies=("NOBODY",)), floor=0) == []


@pytest.mark.parametrize("question", ["", "  \n", "\u00a0"])
def test_an_empty_question_finds_nothing(question: str, opened: ChunkIndex) -> None:
    assert vector_search(opened, question, floor=0) == []


def test_at_most_k_chunks_come_back(opened: ChunkIndex) -> None:
    assert len(vector_search(opened, "inventory", k=2, floor=0)) == 2
    assert vector_search(opened, "inventory", k=0, floor=0) == []


def test_a_company_says_the_same_thing_once(opened: ChunkIndex) -> None:
    found = vector_search(opened, "Forward-looking statements involve risks.", k=20, floor=0)
    said = [item.company_key for item in found if item.text.startswith("Forward")]
    assert sorted(said) == ["APEX", "BOLT"]


def test_a_question_of_which_the_documents_do_not_speak_finds_nothing(opened: ChunkIndex) -> None:
    assert vector_search(opened, "mountain height everest") == []
    assert vector_search(opened, "store traffic shrink")


def test_all_the_weight_on_meaning_is_the_dense_baseline(opened: ChunkIndex) -> None:
    question = "inventory fell"
    dense = vector_search(opened, question, dense_weight=1.0, floor=0)
    found = opened.candidates(question, Scope(), 20)
    cosines = {row.id: float(cosine) for row, cosine in zip(found.rows, found.dense, strict=True)}
    order = [cosines[item.item_id] for item in dense]
    assert order == sorted(order, reverse=True)


def test_the_same_question_gets_the_same_evidence_from_two_builds(
    corpus: Any, embedder: Any, opened: ChunkIndex, tmp_path: Path
) -> None:
    corpus.chunks.reverse()
    corpus.build(tmp_path / "again")
    again = VectorIndex.open(tmp_path / "again", embedder)
    for question in ("chip sales", "inventory", "stores"):
        assert vector_search(again, question, floor=0) == vector_search(opened, question, floor=0)
    again.close()
