"""Files of an earlier run that are no longer in their folder: named, and with --prune taken out without a trace."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.attacks.faults import KILLED, Commands
from evals.attacks.home import REMOVED, digest, drafts, traces
from evals.kills import write_documents
from tests.light_index import index_light
from tools.documents.metadata.document_metadata import Overrides
from tools.store.disk.home import Home
from tools.store.generation.opening import list_entries
from tools.store.reading.report import IndexReport
from tools.store.runs.estimate import estimate_paths
from tools.store.runs.index_run import index_paths


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents; with the first run's home beside it: `tmp_path / "home"`."""
    documents = write_documents(tmp_path / "in", 0)
    index_light(tmp_path / "home", [documents], apart=True)
    return documents


def states(report: IndexReport) -> dict[str, str]:
    return {Path(outcome.file).name: outcome.state for outcome in report.outcomes}


def names(home: Path) -> set[str]:
    return {entry.name for entry in list_entries(home)}


@pytest.mark.usefixtures("vectors_here")
def test_a_file_that_is_gone_is_named_and_its_document_stays(folder: Path, tmp_path: Path) -> None:
    (folder / REMOVED).unlink()
    report = index_light(tmp_path / "home", [folder])
    assert states(report) == {"call-0.txt": "unchanged", "call-2.txt": "unchanged", REMOVED: "gone"}
    assert not report.changed and names(tmp_path / "home") == {"call-0.txt", REMOVED, "call-2.txt"}


def test_pruned_it_leaves_no_trace_and_the_index_is_that_of_the_files_left(
    folder: Path, tmp_path: Path
) -> None:
    (folder / REMOVED).unlink()
    report = index_light(tmp_path / "home", [folder], apart=True, prune=True)
    assert states(report)[REMOVED] == "removed"
    assert traces(tmp_path / "home") == [] and drafts(tmp_path / "home") == []
    assert report.digest == index_light(tmp_path / "never", [folder], apart=True).digest


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("prune", [False, True])
def test_what_has_moved_has_a_copy_or_lies_in_another_folder_is_not_gone(
    folder: Path, tmp_path: Path, prune: bool
) -> None:
    home = tmp_path / "home"
    other = tmp_path / "other"
    other.mkdir()
    (other / "note.txt").write_text("A note of another folder.", encoding="utf-8")
    shutil.copy(folder / "call-2.txt", other / "copy.txt")
    index_light(home, [folder, other])
    (other / "note.txt").unlink()
    (folder / "call-2.txt").unlink()
    (folder / REMOVED).rename(folder / "moved.txt")
    report = index_light(home, [folder], prune=prune)
    assert states(report) == {"call-0.txt": "unchanged", "moved.txt": "replaced"}
    assert names(home) == {"call-0.txt", "moved.txt", "call-2.txt", "note.txt"}


@pytest.mark.usefixtures("vectors_here")
def test_a_file_that_the_system_cannot_look_at_may_be_there(folder: Path, tmp_path: Path) -> None:
    (folder / REMOVED).unlink()
    (folder / REMOVED).symlink_to(folder / REMOVED)
    report = index_light(tmp_path / "home", [folder], prune=True)
    assert states(report)[REMOVED] == "skipped" and REMOVED in names(tmp_path / "home")


@pytest.mark.usefixtures("vectors_here")
def test_a_dry_run_names_what_is_gone_and_changes_nothing(folder: Path, tmp_path: Path) -> None:
    from tests.store_stand_ins import HashEmbedder, TitleExtractor
    from tools.store.reading.recipe import Recipe

    (folder / REMOVED).unlink()
    before = Home(tmp_path / "home").manifest()
    estimate = estimate_paths(tmp_path / "home", [folder], Recipe(HashEmbedder, TitleExtractor))
    assert estimate.gone == (str((folder / REMOVED).resolve()),)
    assert Home(tmp_path / "home").manifest() == before


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands("tests.light_commands") as opened:
        yield opened


def test_pruning_killed_at_a_write_point_is_finished_when_given_again(
    commands: Commands, tmp_path: Path
) -> None:
    """With the real embedding model; killed while the document is taken out."""
    documents = write_documents(tmp_path / "in", 0)
    template = tmp_path / "template"
    index_paths(template, [documents], workers=1)
    (documents / REMOVED).unlink()
    prune = ("index", documents, "--prune")
    whole = Path(shutil.copytree(template, tmp_path / "whole"))
    undisturbed = commands.run(whole, *prune, fault="kill")
    assert undisturbed.code == 0 and traces(whole) == []
    home = Path(shutil.copytree(template, tmp_path / "killed"))
    assert commands.run(home, *prune, fault="kill", at=4).code == KILLED
    again = commands.run(home, *prune)
    assert again.code == 0 and digest(home) == digest(whole), again.out
    assert (traces(home), drafts(home)) == ([], [])


def test_the_command_names_what_is_gone_and_the_flag_that_takes_it_out(
    hybridrag: Any, tmp_path: Path
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    assert hybridrag("index", documents).code == 0
    (documents / REMOVED).unlink()
    ran = hybridrag("index", documents)
    assert ran.code == 0 and f"gone: {documents / REMOVED} (the file is no longer there" in ran.out
    assert f"To take them out: hybridrag index {documents} --prune" in ran.err
    ran = hybridrag("index", documents, "--prune", "--json")
    assert [file["state"] for file in ran.objects[0]["files"]] == ["unchanged", "unchanged", "removed"]
    assert "no longer there, and" not in ran.err


@pytest.fixture
def answering(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """`answering("y")`: somebody at a terminal who types that."""

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def types(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal(text))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    return types


@pytest.fixture
def company(tmp_path: Path) -> str:
    """The company of three documents in `tmp_path / "home"`; a fourth there is of another."""
    index_light(tmp_path / "home", [write_documents(tmp_path / "in", 0)], overrides=Overrides("Kestrel Corp"))
    (tmp_path / "other.txt").write_text("Orla grew.", encoding="utf-8")
    index_light(tmp_path / "home", [tmp_path / "other.txt"], overrides=Overrides("Orla Ltd"))
    return "Kestrel Corp"


@pytest.mark.usefixtures("vectors_here")
def test_several_documents_are_removed_only_by_who_says_yes_at_a_terminal(
    hybridrag: Any, tmp_path: Path, company: str, answering: Callable[[str], None]
) -> None:
    home = tmp_path / "home"
    before = names(home)
    for typed in ("n\n", "\n", "", "what?\n"):
        answering(typed)
        ran = hybridrag("remove", company, "--home", home)
        assert (ran.code, ran.out) == (0, "") and names(home) == before
        assert (
            "Remove these 3 documents from the index? [y/N]" in ran.err and "Nothing was removed." in ran.err
        )
    answering("")
    assert "[y/N]" not in hybridrag("remove", "other.txt", "--home", home).err, "one is not asked about"
    answering("yes\n")
    assert hybridrag("remove", company, "--home", home).out.count("removed ") == 3


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("more", [("--yes",), ()])
def test_nobody_is_asked_with_yes_or_without_a_terminal(
    hybridrag: Any,
    tmp_path: Path,
    company: str,
    answering: Callable[[str], None],
    more: tuple[str, ...],
) -> None:
    if more:
        answering("n\n")
    ran = hybridrag("remove", company, "--home", tmp_path / "home", *more)
    assert ran.out.count("removed ") == 3 and "[y/N]" not in ran.err
