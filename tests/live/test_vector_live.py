"""The vector side on real calls: real chunks, the real model, the stored index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.documents.read.parse import parse_document
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.index import VectorIndex
from tools.vector.vector_search import vector_search

CALLS = Path(__file__).resolve().parents[3] / "shared" / "data" / "earnings-calls" / "docs"
pytestmark = pytest.mark.skipif(not CALLS.is_dir(), reason="the real calls of ../shared/data are not here")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VectorIndex]:
    """Two calls, indexed as `hybridrag index` does it."""
    parsed = [
        parse_document(path, CALLS)
        for ticker in ("AKR", "AON")
        for path in sorted((CALLS / ticker).rglob("*.pdf"))
    ]
    assert len(parsed) == 2
    chunks = [chunk for item in parsed for chunk in item.chunks]
    embedder = LocalEmbeddings()
    folder = tmp_path_factory.mktemp("generation")
    vectors = embedder.embed([chunk.embed_text for chunk in chunks])
    documents = {item.document.id: item.document for item in parsed}
    VectorIndex.build(folder, chunks, documents, vectors, embedder.id)
    opened = VectorIndex.open(folder, embedder)
    yield opened
    opened.close()


def test_the_stored_content_is_what_was_written(index: VectorIndex) -> None:
    index.verify()
    index.verify(sample=None)


@pytest.mark.parametrize(
    ("question", "company", "said"),
    [
        ("Are clients pushing back on insurance price increases?", "AON", "price"),
        ("What drives free cash flow growth over the long term?", "AON", "working capital"),
        ("When will the landlord stop giving concessions on new leases?", "AKR", "concession"),
    ],
)
def test_a_theme_is_found_in_the_right_call(
    question: str, company: str, said: str, index: VectorIndex
) -> None:
    found = vector_search(index, question, k=4)
    assert found[0].company_key == company
    assert any(said in item.text.lower() for item in found)
    assert all(1 <= item.page <= 40 for item in found)


def test_the_other_company_never_enters(index: VectorIndex) -> None:
    question = "When will the landlord stop giving concessions on new leases?"
    found = vector_search(index, question, Scope(companies=("AON",)), floor=0)
    assert found
    assert {item.company_key for item in found} == {"AON"}
    assert vector_search(index, question, Scope(periods=(PeriodFilter(fiscal_year=1999),)), floor=0) == []


@pytest.mark.parametrize(
    "question",
    ["How tall is Mount Everest?", "blorp flim quax zindle?", "Tell me a joke", "?????", "asdf qwer zxcv"],
)
def test_nonsense_and_general_knowledge_find_nothing(question: str, index: VectorIndex) -> None:
    assert vector_search(index, question) == []
