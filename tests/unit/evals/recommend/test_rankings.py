"""evals.recommend: ranks kept from run to run, their figures, their differences, their reports."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agent.errors import UsageError
from evals.recommend.interaction_data import Data, split_of
from evals.recommend.ranking_report import markdown, page, plain, tables
from evals.recommend.ranking_results import RankingResults, between_models, measured, with_control
from evals.recommend.ranking_run import RANKS, Ranked, rank
from evals.recommend.recommenders import RECOMMENDERS, Making, Recommender, recommenders
from tests.histories import histories_of
from tools.recommend.held_out import LastRanks
from tools.recommend.popularity import Popularity
from tools.recommend.types import Event, NextItem

HOSTILE = "<img src=x>|`@all`"


def data(*users: str, name: str = "told") -> Data:
    events = [Event(str(n), float(k), item) for n, items in enumerate(users) for k, item in enumerate(items)]
    return Data(name, "0" * 64, split_of(histories_of(events)), (f"a note {HOSTILE}",))


def ranked(model: str, seed: int, *ranks: int) -> Ranked:
    array = np.array(ranks)
    return Ranked(model, seed, LastRanks(np.arange(len(ranks)), array, array + 1), 1.0)


def results(found: Data, runs: Sequence[Ranked]) -> RankingResults:
    return RankingResults(
        dataset=found.name,
        digest=found.digest,
        statistics=found.statistics,
        preset="quick",
        created="2026-01-01T00:00:00+00:00",
        commit=None,
        measured=tuple(measured(found, runs)),
        compared=tuple(between_models(runs, ("tgcl4sr-dgcl",))),
        notes=found.notes,
    )


class Counted:
    """Makes a model and notes with what."""

    def __init__(self) -> None:
        self.makings: list[Making] = []

    def make(self, making: Making) -> NextItem:
        self.makings.append(making)
        making.note("made")
        return Popularity(making.split.training)


def test_what_was_finished_is_not_computed_again_and_all_else_is(tmp_path: Path) -> None:
    told, counted, notes = data("abcd", "bcde"), Counted(), list[str]()
    model = Recommender("counted", "", counted.make, learned=True)
    first = rank(told, [model], "quick", 2, tmp_path, notes.append)
    assert [making.seed for making in counted.makings] == [0, 1]
    assert "counted-quick-1: made" in notes
    again = rank(told, [model], "quick", 3, tmp_path, notes.append)
    assert len(counted.makings) == 3
    assert [each.ranks.masked.tolist() for each in again[:2]] == [
        each.ranks.masked.tolist() for each in first
    ]
    rank(data("abcd", "bcdf"), [model], "quick", 1, tmp_path, notes.append)  # under the same name
    rank(told, [model], "paper", 1, tmp_path, notes.append)
    assert len(counted.makings) == 5


def test_kept_ranks_that_were_cut_short_are_computed_again(tmp_path: Path) -> None:
    told, counted = data("abcd", "bcde"), Counted()
    model = Recommender("counted", "", counted.make)
    for _ in range(2):
        rank(told, [model], "quick", 1, tmp_path, lambda _: None)
        [kept] = tmp_path.rglob(RANKS)
        kept.write_bytes(kept.read_bytes()[:-40])
    assert len(counted.makings) == 2


def test_kept_ranks_that_cannot_be_read_are_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "told" / "counted" / RANKS).mkdir(parents=True)
    with pytest.raises(UsageError, match=r"Can't read .*ranks\.npz': Is a directory"):
        rank(
            data("abcd", "bcde"),
            [Recommender("counted", "", Counted().make)],
            "quick",
            1,
            tmp_path,
            lambda _: None,
        )


def test_a_figure_is_the_mean_over_users_of_the_mean_over_seeds() -> None:
    told = data("abc", "bcd")
    [found] = measured(told, [ranked("m", 0, 1, 11), ranked("m", 1, 3, 12)])
    figure = found.masked["HR@10"]
    assert (figure.mean, figure.by_seed, figure.low, figure.high) == (0.5, (0.5, 0.5), 0.0, 1.0)
    assert found.masked["NDCG@10"].by_seed == pytest.approx((0.5, 0.25))
    assert found.unmasked["HR@10"].mean == 0.5 and found.unmasked["HR@20"].mean == 1.0
    assert (found.users, found.seeds, found.seconds) == (2, (0, 1), 2.0)


def test_models_are_compared_user_by_user_and_an_ablation_with_the_whole_alone() -> None:
    runs = [
        ranked("transitions", 0, 1, 30, 30), ranked("tgcl4sr", 0, 1, 1, 1), ranked("tgcl4sr", 1, 1, 1, 40),
        ranked("tgcl4sr-dgcl", 0, 30, 30, 30),
    ]  # fmt: skip
    found = [
        each for each in between_models(runs, ("tgcl4sr-dgcl", "tgcl4sr-sgcl")) if each.metric == "HR@10"
    ]
    assert [(each.first, each.second) for each in found] == [
        ("transitions", "tgcl4sr"), ("tgcl4sr", "tgcl4sr-dgcl"),
    ]  # fmt: skip
    assert found[0].difference == pytest.approx((0 + 1 + 0.5) / 3)
    assert not found[0].certain and found[1].certain
    [control, _] = with_control(runs[:1], [ranked("transitions", 0, 30, 30, 30)])
    assert (control.first, control.second) == ("transitions, times permuted", "transitions")
    assert control.difference == pytest.approx(1 / 3)


def test_reports_hold_the_figures_and_no_text_of_the_data_becomes_mark_up() -> None:
    found = results(
        data("abc", "bcd", name=HOSTILE), [ranked("transitions", 0, 1, 11), ranked("sasrec", 0, 1, 1)]
    )
    text, html = markdown(found), page(found)
    for report in (text, html):
        assert "<img" not in report and "0.5000" in report
    assert "**1.0000** (1.0000 to 1.0000)" in text and '<td class="best"><b>1.0000</b>' in html
    assert "@all" not in text and "script-src 'none'" in html and "<script" not in html
    assert "sasrec less transitions    HR at 10  +0.5000 (+0.0000 to +1.0000)" in plain(tables(found)[-1])


def test_each_seed_is_told_where_there_are_several() -> None:
    told = data("abc", "bcd")
    assert "Each seed" not in markdown(results(told, [ranked("sasrec", 0, 1, 11)]))
    assert "Each seed" in markdown(results(told, [ranked("sasrec", 0, 1, 11), ranked("sasrec", 1, 1, 1)]))


def test_models_are_chosen_by_name() -> None:
    assert [each.name for each in recommenders(" sasrec,popularity,sasrec")] == ["sasrec", "popularity"]
    ablations = [each.name for each in recommenders("tgcl4sr", ablations=True)]
    assert ablations[0] == "tgcl4sr" and len(ablations) == 7
    assert all(RECOMMENDERS[name].ablation for name in ablations[1:])
    for names, said in (("gru4rec", "no model 'gru4rec'"), (" ,", "no model named")):
        with pytest.raises(UsageError, match=said):
            recommenders(names)


def test_without_jax_what_learns_is_refused_before_anything_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    assert len(recommenders("popularity,transitions")) == 2
    with pytest.raises(
        UsageError, match=r"'sasrec' is learned with JAX: pip install 'hybridrag\[recommend\]'"
    ):
        recommenders("popularity,sasrec")


def test_no_model_of_counts_sees_a_test_event(tmp_path: Path) -> None:
    told = data("abcd", "bcae", "cabd")
    whole = told.split.whole
    ids = whole.ids.copy()
    ids[whole.starts[1:] - 1] = 0
    others = replace(told, split=split_of(replace(whole, ids=ids)))
    past = whole.past(0, without_last=1)
    for name in ("popularity", "transitions", "transitions-tuned"):
        first, second = (
            RECOMMENDERS[name].make(Making(each.split, "quick", 0, tmp_path, str)).scores([past])
            for each in (told, others)
        )
        assert first.tolist() == second.tolist()
