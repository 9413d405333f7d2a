"""A home that was grown from the samples is one like any other: of other companies, and as many as asked for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from agent.home_shelf import HomeShelf
from agent.open_indexes import OpenIndex
from evals.grown import Asked, Invented, asked_of, evenly, grow, invented, known
from evals.growth import searches
from tests.vectors_here import vectors_in_this_process
from tools.scope import Scope

CHUNKS = 100


@pytest.fixture(scope="module")
def grown(sample_home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Invented]]:
    home = tmp_path_factory.mktemp("grown") / "home"
    with vectors_in_this_process():
        return home, grow(sample_home, home, CHUNKS, seed=3)


@pytest.fixture(scope="module")
def index(grown: tuple[Path, list[Invented]]) -> Iterator[OpenIndex]:
    shelf = HomeShelf(grown[0])
    opened = shelf.current()
    assert isinstance(opened, OpenIndex)
    yield opened
    shelf.close()


@pytest.fixture(scope="module")
def asked(sample_home: Path, grown: tuple[Path, list[Invented]]) -> list[Asked]:
    return asked_of(sample_home, grown[1])


def test_it_holds_as_many_chunks_as_asked_for_and_nothing_of_the_originals(
    index: OpenIndex, grown: tuple[Path, list[Invented]]
) -> None:
    companies = grown[1]
    assert index.vectors.count() >= CHUNKS
    assert {document.company_key for document in index.generation.documents.values()} == {
        each.ticker for each in companies
    }
    assert len({each.name for each in companies}) == len(companies) > 2
    texts = [chunk.text for key in index.generation.documents for chunk in index.generation.chunks(key)]
    assert not [text for text in texts if "Calderith" in text or "Harrowmere" in text]


def test_its_figures_are_found_under_the_new_name(index: OpenIndex, asked: list[Asked]) -> None:
    one = next(each for each in asked if "total revenue in the quarter ended March 30, 2024" in each.named)
    best = index.kg_search(one.named, Scope((one.company,)), 1, 1, None)[0]
    assert best.fact is not None and best.fact.value == "1284.6"
    assert index.vector_search(one.named, Scope((one.company,)), 1, 0.8)[0].company_key == one.company


def test_a_question_is_put_with_a_name_and_without(
    asked: list[Asked], grown: tuple[Path, list[Invented]]
) -> None:
    first = asked[0]
    name = next(each.name for each in grown[1] if each.ticker == first.company).split()[0]
    assert name in first.named and name not in first.bare and "Calderith" not in first.bare


def test_every_kind_of_search_is_timed(
    grown: tuple[Path, list[Invented]], asked: list[Asked], index: OpenIndex
) -> None:
    found = searches(grown[0], asked[:3])
    assert found.pop("open")["seconds"] > 0
    within = {"graph": ["company"], "vector": ["company", "filings"], "spoken": []}
    kinds = {f"{kind}, {filtered}" for kind in within for filtered in (*within[kind], "none")}
    assert set(found) == {*kinds, "question"}
    assert all(times["max"] > 0 and times["processor median"] > 0 for times in found.values())


def test_a_home_that_was_grown_before_is_of_the_same_companies(grown: tuple[Path, list[Invented]]) -> None:
    assert known(grown[0], seed=3) == grown[1]


def test_a_share_is_spread_over_all() -> None:
    assert evenly(range(100), 0.05) == [0, 25, 50, 74, 99]
    assert evenly(range(7), 1.0) == list(range(7)) and evenly([], 0.5) == []


def test_there_are_as_many_companies_as_are_asked_for_and_no_two_of_one_name() -> None:
    companies = list(islice(invented(seed=1), 5_000))
    assert len({each.name.split()[0] for each in companies}) == 5_000
