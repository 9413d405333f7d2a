"""Histories on disk: whole after every kill, without names, and forgotten in every byte."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tools.recommend.errors import InteractionFileError
from tools.recommend.inference import GIVEN, WEIGHTS, load
from tools.recommend.interaction_files import BadLine, Interaction, read_interactions
from tools.recommend.ordering import Ordering
from tools.recommend.presets import settings_of
from tools.recommend.tgcl4sr import start
from tools.recommend.types import Histories
from tools.recommend.weights import digest_of, write
from tools.store.disk.history_files import LOCK, RECORD, SALT, events_of, hashed, held, salt_of, stored_events
from tools.store.disk.home import Home
from tools.store.disk.learned_files import Learned, learned_of, trained_of
from tools.store.errors import (
    ExtraMissingError,
    HistoriesBusyError,
    HistoriesDamagedError,
    IndexMissingError,
    LearnedDamagedError,
    NoHistoriesError,
    UnknownUserError,
)
from tools.store.runs.history_run import ImportReport, forget_user, import_events
from tools.store.runs.learning_run import learn

USERS = [f"member-{number}@desk.example" for number in range(8)]
STEPS = ("revenue", "margin", "why")


class NoRules:
    """Rules name nothing, and everything can be asked."""

    def after(self, item: str) -> list[str]:
        return []

    def can_ask(self, item: str) -> bool:
        return True


def lines(users: Iterable[str] = USERS, items: Iterable[str] = STEPS) -> list[Interaction | BadLine]:
    return [Interaction(1, user, 100.0 * at, item, None) for user in users for at, item in enumerate(items)]


def imported(home: Path, given: Iterable[Interaction | BadLine]) -> ImportReport:
    return import_events(home, given, lambda question: "asked" if "?" in question else "")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_events_again_change_no_byte(tmp_path: Path) -> None:
    assert imported(tmp_path, lines()).added == 24
    before = contents(tmp_path)
    report = imported(tmp_path, lines())
    assert (report.read, report.added, report.stored.events) == (24, 0, 24)
    assert contents(tmp_path) == before


def test_bad_lines_and_questions_without_a_topic_are_counted_and_the_rest_is_kept(tmp_path: Path) -> None:
    given: list[Interaction | BadLine] = [
        BadLine(2, "no time"),
        Interaction(3, "ann", 1.0, None, "How is it?"),
        Interaction(4, "ann", 2.0, None, "Hello"),
    ]
    report = imported(tmp_path, given)
    assert (report.read, report.added, report.bad, report.not_understood) == (1, 1, 1, 1)
    assert [each.line for each in report.named] == [2]


def test_neither_a_name_nor_a_question_is_kept_and_nobody_else_may_read(tmp_path: Path) -> None:
    given = [*lines(), Interaction(9, "carl", 5.0, None, "What about margins?")]
    imported(tmp_path, given)
    learn(tmp_path, NoRules())
    kept = b"\n".join(contents(tmp_path).values())
    for secret in (*USERS, "carl", "What about margins?"):
        assert secret.encode() not in kept, secret
    for path in (tmp_path / "histories", *(tmp_path / "histories").rglob("*")):
        assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), path


def test_of_a_forgotten_user_no_byte_is_left(tmp_path: Path) -> None:
    home = Home(tmp_path)
    imported(tmp_path, [*lines(), *lines(["eve@desk.example"], ["secret item"])])
    gone = [hashed(salt_of(home), user) for user in ("eve@desk.example", USERS[0])]
    learn(tmp_path, NoRules(), "transitions", seed=3)
    for user in ("eve@desk.example", USERS[0]):
        again = forget_user(tmp_path, user)
        assert again is not None and (again.model, again.seed) == ("transitions", 3)
        assert learned_of(home) is None, "to be learned again"
        learn(tmp_path, NoRules(), again.model, again.preset, again.seed)
    kept = b"\n".join((*contents(tmp_path).values(), *(name.encode() for name in contents(tmp_path))))
    for each in gone:
        assert each.encode() not in kept and bytes.fromhex(each) not in kept
    assert b"secret item" not in kept and b"eve@desk.example" not in kept
    assert stored_events(home).users == len(USERS) - 1
    with pytest.raises(UnknownUserError):
        forget_user(tmp_path, "eve@desk.example")


def test_the_last_user_forgotten_leaves_nothing_to_learn_from(tmp_path: Path) -> None:
    imported(tmp_path, lines(["eve@desk.example"]))
    assert forget_user(tmp_path, "eve@desk.example") is None
    with pytest.raises(NoHistoriesError):
        learn(tmp_path, NoRules())
    assert imported(tmp_path, lines(["eve@desk.example"])).added == 3


def test_a_home_that_is_none_is_not_made_one(tmp_path: Path) -> None:
    for act in (
        lambda: forget_user(tmp_path / "no", "eve@desk.example"),
        lambda: learn(tmp_path / "no", NoRules()),
    ):
        with pytest.raises((UnknownUserError, NoHistoriesError)):
            act()
    assert not (tmp_path / "no").exists()


def test_who_learns_keeps_others_from_writing_and_names_nobody(tmp_path: Path) -> None:
    imported(tmp_path, lines())
    with held(Home(tmp_path)), pytest.raises(HistoriesBusyError):
        imported(tmp_path, lines())
    assert (tmp_path / "histories" / LOCK).read_bytes() == b""


def test_the_best_level_that_has_earned_it_is_kept_and_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.store.runs.learning_run.find_spec", lambda name: None)
    imported(tmp_path, [*lines(), *lines(USERS[::2], [*STEPS, "views"])])
    found = learn(tmp_path, NoRules())
    assert found.level == "transitions"
    assert found.why[0].startswith("transitions names what 4 of 8 users did last, rules what 0 did")
    assert "tgcl4sr was not tried" in found.why[1] and "hybridrag[recommend]" in found.why[1]
    assert learned_of(Home(tmp_path)) == found
    imported(tmp_path, lines(["one"], ["x", "y"]))
    assert learned_of(Home(tmp_path)) == found, "an import changes nothing that was learned"
    with pytest.raises(ExtraMissingError):
        learn(tmp_path, NoRules(), "sasrec")
    assert learn(tmp_path, NoRules(), "transitions").why[0] == "as you chose"


def untrained(
    histories: Histories, *, model: str, preset: str, seed: int, folder: Path, progress: Any
) -> Any:
    """In place of a training: the weights that it begins with."""
    settings = settings_of(model, preset)
    given = start(settings, len(histories.items), len(histories.users), np.random.default_rng(seed))
    header = {"items": digest_of(histories.items), "settings": settings.as_json()}
    write(folder / WEIGHTS, header, {f"{GIVEN}{name}": value for name, value in given.items()})
    return load(folder, histories.items)


def test_weights_are_kept_with_their_items_and_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tools.recommend.training.train", untrained)
    imported(tmp_path, [*lines(), *lines(USERS[::2], [*STEPS, "views"])])
    found = learn(tmp_path, NoRules(), "sasrec")
    assert found.level == "sasrec" and learn(tmp_path, NoRules(), "sasrec").sha256 == found.sha256
    home = Home(tmp_path)
    imported(tmp_path, lines(["one"], ["x", "revenue"]))
    histories = events_of(home)[1]
    learned, trained = trained_of(home, histories)
    assert learned is not None and learned.sha256 == found.sha256 and trained is not None
    ordering = Ordering(*trained, histories)
    past = ordering.past([("revenue", 1.0), ("x", 2.0), ("no item", 3.0)])
    assert past.items.tolist() == [0], "what came later is unknown to it"
    assert set(ordering.best(past, 9)) == {1, 2}, "four users of 'views' are too few"
    others = replace(histories, items=tuple(f"other {item}" for item in histories.items))
    with pytest.raises(LearnedDamagedError, match="other items"):
        trained_of(home, others)
    damaged(next(home.histories.glob("learned-*/weights.npz")))
    with pytest.raises(LearnedDamagedError, match="has changed"):
        trained_of(home, histories)


@pytest.mark.parametrize(
    ("users", "items"), [(["one"], STEPS), (USERS, ["same"]), (USERS, ["same", "same"]), (["one"], ["x"])]
)
def test_one_user_or_one_item_leaves_the_rules(tmp_path: Path, users: list[str], items: list[str]) -> None:
    imported(tmp_path, lines(users, items))
    assert learn(tmp_path, NoRules()).level == "rules"


def damaged(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9] + b"?damaged?")


def test_an_import_that_fails_leaves_no_home(tmp_path: Path) -> None:
    def fails(question: str) -> str:
        raise IndexMissingError(tmp_path)

    home = tmp_path / "no"
    with pytest.raises(InteractionFileError):
        imported(home, read_interactions(tmp_path / "none.jsonl"))
    with pytest.raises(IndexMissingError):
        import_events(home, [BadLine(1, "no time"), Interaction(2, "ann", 1.0, None, "How is it?")], fails)
    assert imported(home, [BadLine(1, "no time")]).bad == 1
    assert not home.exists()


def test_a_question_is_read_once_whatever_came_of_it(tmp_path: Path) -> None:
    asked = []
    given = [Interaction(at, "ann", 1.0 * at, None, f"{at % 2}?") for at in range(6)]
    import_events(tmp_path, given, lambda question: asked.append(question) or question.strip("0?"))
    assert asked == ["0?", "1?"]


@pytest.mark.parametrize("name", [RECORD, SALT, "events-*/ids.npy", "events-*/users.json"])
def test_damaged_events_are_told_and_nothing_of_them_is_deleted(tmp_path: Path, name: str) -> None:
    imported(tmp_path, lines())
    home = Home(tmp_path)
    (path,) = home.histories.glob(name)
    damaged(path)
    before = contents(tmp_path)
    with pytest.raises(HistoriesDamagedError, match="import them again"):
        imported(tmp_path, lines(["new"]))
    assert contents(tmp_path) == before


def test_what_was_learned_by_another_version_is_told(tmp_path: Path) -> None:
    imported(tmp_path, lines())
    learn(tmp_path, NoRules(), "transitions")
    home = Home(tmp_path)
    damaged(home.histories / "learned.json")
    with pytest.raises(LearnedDamagedError, match="recommend train"):
        learned_of(home)
    assert isinstance(forget_user(tmp_path, USERS[1]), Learned), "that is no reason to keep anybody"
    assert learn(tmp_path, NoRules(), "transitions").users == len(USERS) - 1


KILLED = """
import os, shutil, sys
from pathlib import Path
from tests.unit.tools.store.runs.test_history_run import ACTS

def counted(name, left):
    real = getattr(os, name)
    def call(*args, **more):
        left[0] -= 1
        if left[0] < 0:
            os._exit(9)
        return real(*args, **more)
    return call

start, act, kills = Path(sys.argv[1]), ACTS[sys.argv[2]], int(sys.argv[3])
for at in range(kills):
    home = Path(shutil.copytree(start, start.with_name(str(at))))
    if (child := os.fork()) == 0:
        left = [at]
        for name in ("fsync", "rename", "replace", "unlink", "mkdir", "rmdir"):
            setattr(os, name, counted(name, left))
        act(home)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def trained(home: Path) -> Learned:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tools.recommend.training.train", untrained)
        return learn(home, NoRules(), "sasrec")


ACTS: dict[str, Callable[[Path], object]] = {
    "import": lambda home: imported(home, lines(["new"])),
    "forget": lambda home: forget_user(home, USERS[0]),
    "train": trained,
}


@pytest.mark.parametrize(
    ("act", "kills", "events"), [("import", 20, (24, 27)), ("forget", 20, (24, 21)), ("train", 20, (24, 24))]
)
def test_a_kill_at_any_moment_leaves_the_old_events_or_the_new_ones(
    tmp_path: Path, act: str, kills: int, events: tuple[int, int]
) -> None:
    start = tmp_path / "start"
    imported(start, lines())
    learn(start, NoRules(), "transitions")
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    command = [sys.executable, "-c", KILLED, str(start), act, str(kills)]
    ran = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True, capture_output=True)
    ends = ran.stdout.decode().split()
    assert ends[0] == "9" and len(ends) == kills
    for at, end in enumerate(ends):
        home = Home(tmp_path / str(at))
        stored, histories = events_of(home)
        assert len(histories.ids) == stored.events in (events if end == "9" else events[1:])
        learned = learned_of(home)
        assert learned is None or learned.level in ("transitions", "sasrec")
        if act == "train":
            with_weights = bool([*home.histories.rglob(WEIGHTS)])
            imported(home.root, lines())
            assert bool([*home.histories.rglob(WEIGHTS)]) == with_weights, "what was trained is kept"
        imported(home.root, lines(["another"]))
        names = {each.name for each in home.histories.iterdir()} - {"learned.json"}
        names -= {learned.folder if learned else ""}
        assert len(names) == 4 and {LOCK, RECORD, SALT} < names, "nothing of a kill is left"
