"""tools.vector.passages_about: by meaning and by words, none left out for being far."""

from __future__ import annotations

import pytest

from tools.scope import Scope
from tools.vector.chunk_index import ChunkIndex
from tools.vector.passages_about import passages_about
from tools.vector.vector_search import vector_search


def test_what_shares_a_word_is_found_however_far_its_meaning_is(opened: ChunkIndex) -> None:
    question = "everest glacier climber oxygen sherpa ridge camp avalanche demand"
    scope = Scope(companies=("APEX",))
    assert vector_search(opened, question, scope) == []
    found = passages_about(opened, question, scope, 1)
    assert any("demand" in item.text for item in found)
    assert {item.company_key for item in found} == {"APEX"}


def test_the_score_tells_of_words_alone_and_the_relevance_of_meaning(opened: ChunkIndex) -> None:
    found = passages_about(opened, "Chip sales rose on data center demand.", Scope(), 5)
    best = next(item for item in found if item.text == "Chip sales rose on data center demand.")
    assert best.score == max(item.score for item in found) and 0 < best.score < 1
    assert best.relevance is not None and best.relevance > 0.9
    assert min(item.score for item in found) < best.score
    assert len({item.item_id for item in found}) == len(found)


@pytest.mark.parametrize(("question", "k"), [("  ", 3), ("chip sales", 0)])
def test_nothing_asked_finds_nothing(opened: ChunkIndex, question: str, k: int) -> None:
    assert passages_about(opened, question, Scope(), k) == []
