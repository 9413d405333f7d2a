"""evals.recommend.interaction_data: what is measured on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.errors import UsageError
from evals.recommend.interaction_data import load, permuted
from tools.recommend.types import Histories

HEAD = "user,time,item\n"


def file(folder: Path, rows: str) -> Path:
    """A row is user, time and item in a word of three letters."""
    path = folder / "told.csv"
    path.write_text(HEAD + "".join(f"{user},{time},{item}\n" for user, time, item in rows.split()))
    return path


def words(histories: Histories) -> dict[str, str]:
    """User -> items in order."""
    return {
        user: "".join(histories.items[each] for each in histories.past(place).items)
        for place, user in enumerate(histories.users)
    }


def test_statistics_count_edges_of_the_training_part_alone(tmp_path: Path) -> None:
    rows = " ".join(f"a{n}{item}" for n, item in enumerate("pqrstuvw")) + " b0p b1p b2q b3r"
    data = load("told.csv", file(tmp_path, rows))
    assert words(data.split.known)["a"] == "pqrstuv" and words(data.split.training) == {
        "a": "pqrstu",
        "b": "pp",
    }
    assert data.statistics == {
        "users": 2,
        "items": 8,
        "actions": 12,
        "actions a user": 6.0,
        "actions an item": 1.5,
        "edges of the training part": 5 + 4 + 3 + 2 + 1,
        "users tested": 2,
    }


def test_unsorted_and_repeated_rows_and_bad_lines_are_told_and_spoil_nothing(tmp_path: Path) -> None:
    rows = "a3r a1p a2q a4p b1p b2q b2q b2r bxr b9q b9r b9q"
    data = load("told", file(tmp_path, rows))
    assert words(data.split.whole) == {"a": "pqrp", "b": "pqrqr"}
    assert data.notes[0].startswith(
        "1 of the lines of told.csv can't be used and are left out: line 10: the time is"
    )
    assert data.notes[1] == "2 repeated rows were left out"


def test_a_core_leaves_out_until_all_that_stay_have_enough(tmp_path: Path) -> None:
    found = load("told.csv", file(tmp_path, "e1u a1p a2q a3t a4p b1p b2q b3t b4p c1p c2q c3u"), core=2)
    assert words(found.split.whole) == {"a": "pqtp", "b": "pqtp", "c": "pq"}  # without e, u has c alone
    assert found.split.whole.items == ("p", "q", "t")
    assert found.name == "told, 2-core" and found.notes == ("2-core: 10 of 12 rows stayed",)


def test_the_control_keeps_who_did_what_and_the_last_event(tmp_path: Path) -> None:
    rows = " ".join(f"{user}{n}{item}" for user in "ab" for n, item in enumerate("pqrstuvwx"))
    data = load("told.csv", file(tmp_path, rows))
    control = permuted(data).split
    was, now = words(data.split.whole), words(control.whole)
    for user in "ab":
        assert now[user] != was[user] and sorted(now[user]) == sorted(was[user]) and now[user][-1] == "x"
    assert now["a"] != now["b"]
    assert np.array_equal(control.whole.times, data.split.whole.times)
    assert words(control.known)["a"] == now["a"][:-1]


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ("a1p a2q a3r a4p", "4 events of 1 users with 3 items"),
        ("a1p a2p a3p a4p b1p b2p b3p b4p", "8 events of 2 users with 1 items"),
        ("a1p a2q a3r a4p b1p b2q b3r", "7 events of 2 users with 3 items"),
        ("axp", "0 events of 0 users with 0 items"),
    ],
)
def test_too_little_to_measure_on_is_refused_in_words(tmp_path: Path, rows: str, found: str) -> None:
    with pytest.raises(UsageError, match=found):
        load("told.csv", file(tmp_path, rows))


def test_what_was_left_out_is_told_where_too_little_is_left(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"two items\. 1 of the lines .*line 2: the time is neither"):
        load("told.csv", file(tmp_path, "axp"))
    rows = "a1p a2q a3r a4q b1p b2q b3r b4p"
    with pytest.raises(UsageError, match=r"^0 events of .* two items\. 9-core: 0 of 8 rows stayed\.$"):
        load("told.csv", file(tmp_path, rows), core=9)


def test_a_file_is_found_by_its_name_its_path_or_its_folder(tmp_path: Path) -> None:
    path = file(tmp_path, "a1p a2q a3r a4q b1p b2q b3r b4p")
    digests = {load(*given).digest for given in ((str(path), None), ("any", path), ("told.csv", tmp_path))}
    assert len(digests) == 1
    for dataset, where, told in (
        ("beauty", None, "needs --path"),
        ("beauty", tmp_path, "beauty.inter'"),
        ("other.csv", tmp_path, "other.csv'"),
        ("beauty", tmp_path / "gone", "no file of interactions"),
        ("beauty.txt", None, "no file of interactions at 'beauty.txt'"),
        (str(tmp_path), None, "no file of interactions"),
        ("long" * 99 + ".csv", None, "File name too long"),
        ("long" * 99, None, "File name too long"),
    ):
        with pytest.raises(UsageError, match=told):
            load(dataset, where)
