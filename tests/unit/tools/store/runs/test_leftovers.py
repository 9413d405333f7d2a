from __future__ import annotations

from pathlib import Path

import pytest

from tests.light_index import index_light
from tests.store_stand_ins import HashEmbedder, TitleExtractor
from tools.store.disk.home import Home, Manifest
from tools.store.disk.records import DRAFT
from tools.store.reading.plan import RecipeKey
from tools.store.reading.recipe import Recipe
from tools.store.runs.index_run import IndexingRun
from tools.store.runs.leftovers import delete_leftovers, drafts, pending


@pytest.fixture
def stopped(tmp_path: Path) -> tuple[Home, RecipeKey]:
    """A home as a run leaves it that is ended after reading one document."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "orla.txt").write_text("Orla grew.")
    recipe = Recipe(HashEmbedder, TitleExtractor)
    with IndexingRun(tmp_path / "home", [tmp_path / "in"], recipe=recipe, workers=1) as run:
        run.plan()
        run.read()
    home = Home(tmp_path / "home")
    (home.documents / f"{DRAFT}1").mkdir()
    return home, recipe.key()


def empty(home: Home) -> Manifest:
    return Manifest(embedder="", entries=())


def test_a_finished_record_waits_for_its_rerun_and_half_a_record_goes(
    stopped: tuple[Home, RecipeKey],
) -> None:
    home, key = stopped
    before = pending(home)
    assert len(before) == 1 and len(drafts(home)) == 1
    delete_leftovers(home, empty(home), key)
    assert pending(home) == before
    assert drafts(home) == []


def test_a_record_that_this_run_would_make_otherwise_goes(stopped: tuple[Home, RecipeKey]) -> None:
    home, key = stopped
    delete_leftovers(
        home, empty(home), RecipeKey(key.overrides, key.splitter, "other", key.extractor, key.embedder)
    )
    assert pending(home) == []


def test_a_damaged_record_goes(stopped: tuple[Home, RecipeKey]) -> None:
    home, key = stopped
    (home.documents / pending(home)[0] / "record.json").write_text("{}")
    delete_leftovers(home, empty(home), key)
    assert pending(home) == []


def test_what_a_run_killed_after_its_switch_left_goes_with_the_next_that_finds_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, folder = tmp_path / "home", tmp_path / "in"
    folder.mkdir()
    (folder / "orla.txt").write_text("Orla grew.")
    index_light(home, [folder])
    (folder / "orla.txt").write_text("Orla grew by half.")
    with monkeypatch.context() as killed:
        killed.setattr("tools.store.runs.index_run.delete_leftovers", lambda *_: None)
        index_light(home, [folder])
    assert len(pending(Home(home))) == 2
    assert index_light(home, [folder]).changed is False
    assert len(pending(Home(home))) == 1
