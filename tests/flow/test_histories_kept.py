"""Histories as they are kept: forgotten without a trace, damaged, read beside a writer, and learned from."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.recommending import HomeOrder
from tests.beside import while_reading
from tests.desk import REVENUE, STEPS, USERS, HomeCopy, write
from tests.unit.tools.store.runs.test_history_run import NoRules, untrained
from tools.recommend.interaction_files import Interaction
from tools.store.disk.history_files import hashed, salt_of
from tools.store.disk.home import Home
from tools.store.disk.learned_files import store_learned
from tools.store.runs.history_run import import_events, past_of_user
from tools.store.runs.learning_run import learn


def test_a_forgotten_user_is_in_no_byte_of_the_home_and_the_rest_is_learned_again(
    hybridrag: Any, desk_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    gone = hashed(salt_of(Home(home)), USERS[3])
    assert any(gone.encode() in path.read_bytes() for path in home.rglob("users.json"))
    ran = hybridrag("recommend", "forget", USERS[3], "--home", home)
    assert ran.code == 0 and "in use: transitions" in ran.out
    told = hybridrag("recommend", "status", "--home", home, "--json").objects[0]
    assert told["learned"]["users"] == told["users"] and told["level"] == "transitions"
    for path in home.rglob("*"):
        if path.is_file():
            kept = path.read_bytes()
            assert gone.encode() not in kept and bytes.fromhex(gone) not in kept, path
    assert hybridrag("recommend", "forget", USERS[3], "--home", home).code == 2


def test_damage_is_told_and_the_rules_suggest_as_if_nothing_had_been_learned(
    hybridrag: Any, desk_home: Path, sample_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    order = HomeOrder(home)
    assert order.opened() is not None and not order.trouble
    (home / "histories" / "learned.json").write_bytes(b"{}")
    assert order.opened() is None and "recommend train" in order.trouble, "seen while it runs"
    with Assistant.open(home) as damaged, Assistant.open(sample_home) as plain:
        answer = plain.ask(REVENUE)
        assert damaged.next_questions(answer) == plain.next_questions(answer)
    found = {each["check"]: each for each in hybridrag("doctor", "--home", home, "--json").objects}
    assert found["histories"]["level"] == "broken"
    ran = hybridrag("recommend", "status", "--home", home)
    assert "in use: rules\nWhat was learned" in ran.out and "learned 20" not in ran.out
    assert f"recommend train --home {home}" in ran.out
    (home / "histories" / "salt").write_bytes(b"another")
    told_of_damage(hybridrag, home, "salt is missing or has changed")
    shutil.rmtree(home / "histories")
    (home / "histories").write_text("no folder")
    told_of_damage(hybridrag, home, "Not a directory")
    ran = hybridrag("recommend", "next", "--user", "ann", "--home", home)
    assert ran.code == 0 and ran.err.count("Not a directory") == 1 and ran.out


def told_of_damage(hybridrag: Any, home: Path, what: str) -> None:
    found = {each["check"]: each for each in hybridrag("doctor", "--home", home, "--json").objects}
    assert found["histories"]["level"] == "broken" and what in found["histories"]["detail"]
    ran = hybridrag("recommend", "status", "--home", home)
    assert ran.code == 2 and what in ran.err


def test_who_reads_beside_an_import_reads_the_old_events_or_the_new_ones(
    desk_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    ann, eve = (Interaction(1, user, 1.0, "CDTH/officers", None) for user in ("ann", "eve"))
    with while_reading(lambda: import_events(home, [ann], str)):
        order = HomeOrder(home)
        assert order.opened() is not None and not order.trouble
    with while_reading(lambda: import_events(home, [eve], str)):
        assert len(past_of_user(home, USERS[0])) == len(STEPS)


def test_what_is_left_when_a_user_is_forgotten_may_be_too_little_to_learn_from(
    hybridrag: Any, home_copy: HomeCopy, tmp_path: Path
) -> None:
    home = home_copy("home")
    rows = [
        {"user": f"u{user}", "time": at, "item": item} for user in range(2) for at, item in enumerate("abcd")
    ]
    assert (
        hybridrag("recommend", "import", write(tmp_path / "two.jsonl", iter(rows)), "--home", home).code == 0
    )
    place = Home(home)
    store_learned(place, {"level": "rules", "model": "sasrec"}, None, ())
    ran = hybridrag("recommend", "forget", "u0", "--home", home)
    assert ran.code == 0 and not ran.err and "are deleted" in ran.out and "Nothing to learn from" in ran.out
    names = [each.name for each in place.histories.iterdir()]
    assert not [each for each in names if each.startswith("training")]
    assert hybridrag("recommend", "forget", "u1", "--home", home, "--json").objects == [{"level": "rules"}]


def test_who_reads_beside_a_training_reads_the_old_weights_or_the_new_ones(
    desk_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.recommend.training.train", untrained)
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    learn(home, NoRules(), "sasrec", seed=1)

    def again() -> None:
        learn(home, NoRules(), "sasrec", seed=2)
        import_events(home, [Interaction(1, "ann", 1.0, "CDTH/officers", None)], str)

    with while_reading(again):
        order = HomeOrder(home)
        assert order.opened() is not None and not order.trouble


def test_what_was_learned_orders_together_with_what_was_counted_since(
    desk_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.recommend.training.train", untrained)
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    monkeypatch.setattr("tools.store.runs.learning_run.best_share", lambda *_: 0.8)
    assert learn(home, NoRules(), "sasrec").share == 0.8
    (asked, _), (then, _), *_ = past_of_user(home, USERS[0])
    for number in range(6):  # a new item stands before the known ones, which the weights do not know
        done = [("AAA/officers", 1.0), (asked, 2.0), ("AAA/officers", 3.0), (then, 4.0)]
        import_events(home, [Interaction(1, f"new{number}", when, item, None) for item, when in done], str)
    order = HomeOrder(home)
    assert order.level == "sasrec" and next(iter(order.after([(asked, 1.0)])))[0] == then
