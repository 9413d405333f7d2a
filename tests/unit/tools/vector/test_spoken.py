"""Spoken questions: calls are ranked by who answers, within the filters, beside other documents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.index import VectorIndex
from tools.vector.spoken import rank_chunks
from tools.vector.vector_search import ENOUGH_PROBABILITY, MIN_RELEVANCE, vector_search

ASKED = "How are channel inventories and pricing in automotive developing this year?"
TOLD = "Channel inventories came down by two weeks and pricing in automotive held up."
REMARKS = TOLD + " It was a good quarter in every region."
COMPANY = ("ORLA",)


@contextmanager
def opened(corpus: Any, folder: Path, embedder: Any) -> Iterator[VectorIndex]:
    corpus.build(folder)
    index = VectorIndex.open(folder, embedder)
    try:
        yield index
    finally:
        index.close()


@pytest.fixture
def orla(document: Any, call: Any) -> Any:
    return call(
        document("orla-call.pdf", "ORLA", "call", date(2024, 6, 29), 2024, 2),
        TOLD + " It was a good quarter in every region.",
        ("Ana Reyes", ASKED, "Tom Birch", "We will come back to that in the autumn."),
        ("Bob Roy", "What surprised you most?", "Tom Birch", TOLD),
        ("Eve Lund", "Could you talk about hiring?", "Marta Lindqvist", "We hired forty engineers in Malmo."),
    )


@pytest.fixture
def bolt(document: Any, call: Any) -> Any:
    """Another company, which says the very words."""
    return call(
        document("bolt-talks.pdf", "BOLT", "call", date(2024, 6, 30), 2024, 2),
        "Shrink fell.",
        ("Kim Sato", "And the channel?", "Tom Birch", f"{TOLD} That is how they develop this year."),
    )


def who(found: list[Evidence]) -> list[str]:
    """Whose section each is of, with its company."""
    return [f"{item.company_key} {item.section.split(' > ')[-1]}" for item in found]


def test_the_exchange_whose_answer_fits_stands_above_an_analyst_who_asks_the_same(
    orla: Any, embedder: Any, tmp_path: Path
) -> None:
    with opened(orla, tmp_path, embedder) as index:
        assert who(vector_search(index, ASKED, floor=0))[0] == "ORLA Ana Reyes"
        assert who(vector_search(index, ASKED, floor=0, spoken=True))[0] == "ORLA Bob Roy"


def test_the_remarks_that_fit_even_better_stand_below_the_answer(
    orla: Any, embedder: Any, tmp_path: Path
) -> None:
    with opened(orla, tmp_path, embedder) as index:
        plain = who(vector_search(index, REMARKS, floor=0))
        assert plain.index("ORLA Marta Lindqvist") < plain.index("ORLA Bob Roy")
        found = who(vector_search(index, REMARKS, floor=0, spoken=True))
        assert found.index("ORLA Bob Roy") < found.index("ORLA Marta Lindqvist")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Marta", "ORLA Ana Reyes"), ("Tom", "ORLA Bob Roy"), ("Tomas", "ORLA Bob Roy")],
)
def test_who_is_called_by_the_first_name_is_heard_first(
    document: Any, call: Any, embedder: Any, tmp_path: Path, name: str, expected: str
) -> None:
    both = call(
        document("orla-call.pdf", "ORLA", "call"),
        "Good afternoon.",
        ("Ana Reyes", "What now?", "Marta Lindqvist", TOLD),
        ("Bob Roy", "What next?", "Tom Birch", TOLD),
    )
    with opened(both, tmp_path, embedder) as index:
        assert who(vector_search(index, f"{name}, {ASKED}", floor=0, spoken=True))[0] == expected


def test_a_name_late_in_a_long_question_calls_nobody(
    document: Any, call: Any, embedder: Any, tmp_path: Path
) -> None:
    both = call(
        document("orla-call.pdf", "ORLA", "call"),
        "Good afternoon.",
        ("Ana Reyes", "What now?", "Marta Lindqvist", TOLD),
        ("Bob Roy", "What next?", "Tom Birch", TOLD),
    )
    padding = "and so on " * 20
    with opened(both, tmp_path, embedder) as index:
        ranked = rank_chunks(index, f"{ASKED} {padding} as Marta said", Scope())
    shares = ranked.probability[:2]
    assert shares[0] == pytest.approx(shares[1], rel=0.01)


def test_another_companys_call_never_enters(orla: Any, bolt: Any, embedder: Any, tmp_path: Path) -> None:
    with opened(orla + bolt, tmp_path, embedder) as index:
        everything = vector_search(index, ASKED, floor=0, spoken=True)
        assert {item.company_key for item in everything} == {"ORLA", "BOLT"}
        found = vector_search(index, ASKED, Scope(companies=COMPANY), floor=0, spoken=True)
        assert {item.company_key for item in found} == {"ORLA"} and len(found) == 4
        assert who(found)[0] == "ORLA Bob Roy"


@pytest.mark.parametrize(
    "scope",
    [
        Scope(companies=("NOBODY",)),
        Scope(companies=COMPANY, periods=(PeriodFilter(fiscal_year=2021),)),
        Scope(companies=COMPANY, doc_types=("10-K",)),
    ],
)
def test_no_filter_is_passed_by(orla: Any, bolt: Any, embedder: Any, tmp_path: Path, scope: Scope) -> None:
    with opened(orla + bolt, tmp_path, embedder) as index:
        assert not len(rank_chunks(index, ASKED, scope).positions)
        assert vector_search(index, ASKED, scope, floor=0, spoken=True) == []


def test_the_share_of_each_chunk_is_a_share_of_what_is_in_scope(
    orla: Any, bolt: Any, embedder: Any, tmp_path: Path
) -> None:
    with opened(orla + bolt, tmp_path, embedder) as index:
        for scope in (Scope(), Scope(companies=COMPANY)):
            shares = rank_chunks(index, ASKED, scope).probability.tolist()
            assert sum(shares) == pytest.approx(1, abs=1e-5)
            assert shares == sorted(shares, reverse=True)
            found = vector_search(index, ASKED, scope, floor=0, spoken=True)
            likely = shares[: len(found)]
            assert [item.score for item in found] == pytest.approx(likely)
            assert sum(likely) >= ENOUGH_PROBABILITY > sum(likely[:-1])


def test_filings_stand_among_the_calls_by_relevance_and_calls_come_in_once(
    orla: Any, make: Any, document: Any, embedder: Any, tmp_path: Path
) -> None:
    filing = document("orla-q2.pdf", "ORLA", "10-Q", date(2024, 6, 29), 2024, 2)
    texts = [ASKED, "Goodwill was tested.", "We hired forty engineers in Malmo and in Lund."]
    both = orla + make({"filing": (filing, texts)})
    with opened(both, tmp_path, embedder) as index:
        found = vector_search(index, ASKED, k=20, floor=0, spoken=True)
        calls_alone = who(vector_search(index, ASKED, Scope(doc_types=("call",)), floor=0, spoken=True))
        assert len(found) == len({item.item_id for item in found}) == 7
        assert found[0].text == ASKED  # nearer than any passage of the call that answers
        places = [item.text for item in found]
        assert places.index("Goodwill was tested.") > who(found).index("ORLA Bob Roy")
        assert [place for place in who(found) if "Item" not in place] == calls_alone
        assert [item.rank for item in found] == list(range(1, 8))
        few = vector_search(index, ASKED, k=3, floor=0, spoken=True)
        assert [item.item_id for item in few] == [item.item_id for item in found[:3]]


def test_nothing_is_found_where_no_passage_is_relevant_and_filings_below_the_floor_stay_out(
    orla: Any, make: Any, document: Any, embedder: Any, tmp_path: Path
) -> None:
    filing = document("orla-q2.pdf", "ORLA", "10-Q", date(2024, 6, 29), 2024, 2)
    both = orla + make({"filing": (filing, ["Goodwill was tested.", TOLD])})
    with opened(both, tmp_path, embedder) as index:
        found = vector_search(index, ASKED, spoken=True)
        assert max(item.relevance or 0 for item in found if item.doc_type == "call") >= MIN_RELEVANCE
        assert [item.text for item in found if item.doc_type == "10-Q"] == [TOLD]
        assert len([item for item in found if item.doc_type == "call"]) == 4  # beside one that is relevant
        assert vector_search(index, "Everest summit altitude?", spoken=True) == []
        best = max(item.relevance or 0 for item in found)
        assert vector_search(index, ASKED, floor=best + 0.01, spoken=True) == []


def test_a_call_that_says_nothing_relevant_leaves_the_filings_to_answer(
    bolt: Any, make: Any, document: Any, embedder: Any, tmp_path: Path
) -> None:
    filing = document("bolt-q2.pdf", "BOLT", "10-Q", date(2024, 6, 29), 2024, 2)
    asked = "What did goodwill impairment cost Bolt?"
    told = "Goodwill impairment cost Bolt nine million dollars."
    with opened(bolt + make({"filing": (filing, [told])}), tmp_path, embedder) as index:
        assert [item.text for item in vector_search(index, asked, spoken=True)] == [told]


def test_a_company_says_the_same_remarks_once(
    orla: Any, document: Any, call: Any, embedder: Any, tmp_path: Path
) -> None:
    later = document("orla-call-q3.pdf", "ORLA", "call", date(2024, 9, 28), 2024, 3)
    again = call(
        later, TOLD + " It was a good quarter in every region.", ("Ida Hall", "So?", "Tom Birch", "Yes.")
    )
    with opened(orla + again, tmp_path, embedder) as index:
        found = who(vector_search(index, TOLD, k=20, floor=0, spoken=True))
        assert found.count("ORLA Marta Lindqvist") == 1
        assert len(found) == 5


def test_without_a_call_in_scope_a_spoken_question_is_ranked_as_any_other(
    orla: Any, make: Any, document: Any, embedder: Any, tmp_path: Path
) -> None:
    filing = document("orla-q2.pdf", "ORLA", "10-Q", date(2024, 6, 29), 2024, 2)
    filings = make({"filing": (filing, [ASKED, TOLD, "Goodwill was tested."])})
    with opened(filings, tmp_path / "filings", embedder) as index:
        assert not len(rank_chunks(index, ASKED, Scope()).positions)
        plain = vector_search(index, ASKED, floor=0)
        assert vector_search(index, ASKED, floor=0, spoken=True) == plain != []
    with opened(orla + filings, tmp_path / "both", embedder) as index:
        scope = Scope(doc_types=("10-Q",))
        plain = vector_search(index, ASKED, scope, floor=0)
        assert vector_search(index, ASKED, scope, floor=0, spoken=True) == plain != []


def test_the_same_question_gets_the_same_evidence_from_two_builds(
    orla: Any, bolt: Any, embedder: Any, tmp_path: Path
) -> None:
    with (
        opened(orla + bolt, tmp_path / "one", embedder) as one,
        opened(bolt + orla, tmp_path / "two", embedder) as two,
    ):
        found = [vector_search(index, ASKED, floor=0, spoken=True) for index in (one, two)]
    assert found[0] == found[1]
