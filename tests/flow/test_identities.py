"""Deciding which names are one entity, from the command line: what is written, what it changes, what it survives."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.store.disk.home import Home
from tools.store.errors import HomeWriteError
from tools.store.runs import deriving

FILE = "identities.txt"
LINE = "same company: Brannock Devices = Corvane Securities"

HomeCopy = Callable[[str], Path]


def shown(hybridrag: Any, home: Path, name: str) -> list[str]:
    """Keys of the entities of a name."""
    return [
        each["entity"]["key"] for each in hybridrag("graph", "show", name, "--home", home, "--json").objects
    ]


def traces(home: Path, text: bytes) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return sorted(str(path.relative_to(home)) for path in files if text in path.read_bytes())


def test_a_merge_is_written_holds_at_once_and_lasts_over_a_removal_and_a_split_undoes_it(
    hybridrag: Any, home_copy: HomeCopy
) -> None:
    home = home_copy("home")
    vectors = Home(home).generation(Home(home).current() or 0) / "vectors.json"
    before = vectors.read_bytes()
    ran = hybridrag("graph", "merge", "Brannock Devices", "Corvane Securities", "--home", home)
    assert (ran.code, ran.out.strip()) == (0, f"decided: {LINE}")
    assert (home / FILE).read_text(encoding="utf-8").splitlines()[-1] == LINE
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert len(shown(hybridrag, home, "Brannock Devices")) == 1
    assert shown(hybridrag, home, "Brannock Devices") == shown(hybridrag, home, "Corvane Securities")
    generation = Home(home).generation(Home(home).current() or 0)
    assert (generation / "vectors.json").read_bytes() == before, "the vectors are taken over"
    told = hybridrag("graph", "merges", "--home", home, "--json").objects
    (merge,) = (each for each in told if each["reason"] == "decided by the user")
    assert {each["name"] for each in (merge["one"], merge["other"])} == {
        "Brannock Devices LLC",
        "Corvane Securities",
    }
    assert all(
        each["document"].endswith(".pdf") and each["page"] > 0 for each in (merge["one"], merge["other"])
    )
    assert hybridrag("remove", "HRWM", "--home", home).code == 0
    assert shown(hybridrag, home, "Brannock Devices") == shown(hybridrag, home, "Corvane Securities")
    assert traces(home, b"Harrowmere") == []
    assert hybridrag("graph", "split", "Corvane Securities", "Brannock Devices", "--home", home).code == 0
    lines = (home / FILE).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "different company: Corvane Securities != Brannock Devices"
    ]
    assert shown(hybridrag, home, "Brannock Devices") != shown(hybridrag, home, "Corvane Securities")


def test_a_decision_without_effect_is_said_to_have_none(hybridrag: Any, home_copy: HomeCopy) -> None:
    home = home_copy("home")
    (home / FILE).write_text("different company: Brannock Devices LLC != Corvane Securities\n", "utf-8")
    ran = hybridrag("graph", "merge", "Brannock Devices", "Corvane Securities", "--home", home)
    assert ran.code == 0 and "It has no effect: another line" in ran.err
    assert "no effect" not in hybridrag("graph", "merge", "Brannock", "Northlake Capital", "--home", home).err
    assert hybridrag("graph", "show", "Brannock Devices", "--limit", "-1", "--home", home).code == 2


def test_a_disk_that_fails_while_the_graph_is_derived_costs_neither_the_decision_nor_the_graph(
    hybridrag: Any, home_copy: HomeCopy, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_copy("home")
    words = ("graph", "merge", "Brannock Devices", "Corvane Securities", "--home", home)

    def full(place: Home, *_: object) -> None:
        raise HomeWriteError(place.root, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(deriving, "build_knowledge", full)
        ran = hybridrag(*words)
    assert ran.code == 2 and "No space left on device" in ran.err
    assert shown(hybridrag, home, "Brannock Devices") != shown(hybridrag, home, "Corvane Securities")
    assert (home / FILE).read_text(encoding="utf-8").splitlines()[-1] == LINE
    assert hybridrag(*words).code == 0
    assert shown(hybridrag, home, "Brannock Devices") == shown(hybridrag, home, "Corvane Securities")
    assert (home / FILE).read_text(encoding="utf-8").count(LINE) == 1
    assert len(Home(home).numbers()) == 1


def test_people_of_two_companies_are_told_apart_by_whose_documents_name_them(
    hybridrag: Any, home_copy: HomeCopy
) -> None:
    home = home_copy("home")
    assert len(shown(hybridrag, home, "Daniel Marsh")) == 2
    both = ("Daniel Marsh [HRWM]", "Daniel Marsh [Calderith Semiconductor]")
    assert hybridrag("graph", "merge", *both, "--home", home).code == 0
    assert len(shown(hybridrag, home, "Daniel Marsh")) == 1
    (person,) = hybridrag("graph", "show", "Daniel Marsh", "--home", home, "--json").objects
    assert len({each["company"] for each in person["roles"]}) == 2
    hybridrag("remove", "CDTH", "--home", home)
    assert traces(home, b"Calderith") == [FILE], "what the user wrote is his own"
    told = hybridrag("graph", "merges", "--home", home)
    assert told.code == 0 and "'same person: Daniel Marsh" in told.err
    assert "has no effect: no document has both names" in told.err


def test_lines_by_hand_are_used_by_the_next_run_and_until_then_said(
    hybridrag: Any, home_copy: HomeCopy, samples: Path
) -> None:
    home = home_copy("home")
    mine = f"# my own\r\n\r\n{LINE.replace(' = ', '=')}\r\n".encode()
    (home / FILE).write_bytes(mine)
    assert shown(hybridrag, home, "Brannock Devices") != shown(hybridrag, home, "Corvane Securities")
    assert f"'{FILE}' has changed since" in hybridrag("graph", "merges", "--home", home).err
    assert hybridrag("index", samples, "--home", home).code == 0
    assert shown(hybridrag, home, "Brannock Devices") == shown(hybridrag, home, "Corvane Securities")
    assert f"'{FILE}' has changed since" not in hybridrag("graph", "merges", "--home", home).err
    assert (home / FILE).read_bytes() == mine


@pytest.mark.parametrize("command", ["index", "remove", "merge", "split", "merges"])
def test_a_line_that_is_no_decision_is_named_and_nothing_is_touched(
    hybridrag: Any, home_copy: HomeCopy, samples: Path, command: str
) -> None:
    home = home_copy("home")
    mine = f"# my own\n{LINE}\nsame company Elm and Oak\n".encode()
    (home / FILE).write_bytes(mine)
    before = (home / "CURRENT").read_bytes(), (home / "manifest.json").read_bytes()
    words = {
        "index": ("index", samples),
        "remove": ("remove", "HRWM"),
        "merge": ("graph", "merge", "Brannock Devices", "Northlake Capital"),
        "split": ("graph", "split", "Brannock Devices", "Northlake Capital"),
        "merges": ("graph", "merges"),
    }[command]
    ran = hybridrag(*words, "--home", home)
    assert ran.code == 2
    assert f"{FILE}', line 3: it is neither" in ran.err and "nothing was changed" in ran.err
    assert (home / FILE).read_bytes() == mine
    assert ((home / "CURRENT").read_bytes(), (home / "manifest.json").read_bytes()) == before
    assert not (home / "removal.json").exists()


def test_questions_go_on_with_the_graph_as_it_is_while_a_line_is_broken(
    hybridrag: Any, home_copy: HomeCopy
) -> None:
    home = home_copy("home")
    (home / FILE).write_bytes(b"nonsense\n")
    assert hybridrag("graph", "stats", "--home", home).code == 0
    assert hybridrag("ask", "Who is the CFO of Harrowmere Stores?", "--home", home).code == 0


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("Brannock Devices", "Nobody Atall"), "No entity of the graph is called 'Nobody Atall'"),
        (("Brannock Devices", "Daniel Marsh"), "Only names of one type"),
        (("Brannock Devices", "Brannock Devices"), "both names are the same one"),
        (("Harrowmere Stores", "Calderith Semiconductor"), "two companies whose documents are read"),
        (("Daniel Marsh [Elm]", "Dana Whitlock"), "No entity of the graph is called 'Daniel Marsh [Elm]'"),
    ],
)
def test_names_that_no_decision_can_be_about_are_refused(
    hybridrag: Any, home_copy: HomeCopy, names: tuple[str, str], why: str
) -> None:
    home = home_copy("home")
    ran = hybridrag("graph", "merge", *names, "--home", home)
    assert ran.code == 2 and why in ran.err
    assert not (home / FILE).exists()


def test_without_an_index_there_is_nothing_to_decide(hybridrag: Any, tmp_path: Path) -> None:
    ran = hybridrag("graph", "merge", "A", "B", "--home", tmp_path / "none")
    assert ran.code == 2 and "No index at" in ran.err
    assert not (tmp_path / "none").exists()
