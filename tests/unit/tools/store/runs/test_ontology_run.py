"""Ontologies added, replaced and removed: what is written, what of it survives kills and damage."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from evals.attacks.faults import KILLED, Commands
from tests.light_index import index_light
from tests.light_ontologies import NS, add_light, ontology_of
from tests.store_stand_ins import HashEmbedder
from tools.ontology.annotated import AnnotatedConcepts
from tools.private_files import loose
from tools.store.disk.home import Home
from tools.store.disk.lock import FileLock
from tools.store.disk.ontologies import StoredOntology, is_whole, loaded, ontologies_of
from tools.store.errors import HomeLockedError, OntologyDamagedError, SelectorError
from tools.store.generation.opening import open_generation
from tools.store.runs.ontology_run import EMBEDDED_AT_ONCE, add_ontology, remove_ontology
from tools.store.runs.removal import remove
from tools.vector.embeddings import Vectors

LOANS = ("credit facility", "interest rate swap")
TEXTS = {
    "orla.txt": "Orla drew on its credit facilities. The interest rate swaps of Orla end in March.",
    "brix.txt": "Brix Group signed a convertible note.",
}


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of two documents and no ontology. To be copied only."""
    folder = tmp_path_factory.mktemp("two")
    (folder / "in").mkdir()
    for name, text in TEXTS.items():
        (folder / "in" / name).write_text(text)
    index_light(folder / "home", [folder / "in"])
    return folder / "home"


@pytest.fixture
def home(indexed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(indexed, tmp_path / "home"))


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    with Commands("tests.light_ontologies") as opened:
        yield opened


class CountingEmbedder(HashEmbedder):
    """How many texts it has embedded."""

    def __init__(self, name: str = "hash") -> None:
        super().__init__(name)
        self.embedded = 0

    def embed_query(self, text: str) -> Vectors:
        self.embedded += 1
        return super().embed_query(text)


def known(home: Path) -> AnnotatedConcepts | None:
    with open_generation(home, HashEmbedder()) as generation:
        return generation.concepts


def mentioned(home: Path) -> set[str]:
    """Labels of the concepts that a home's documents name."""
    found = known(home)
    return {found.concepts[at].label for at in found.chunks_of} if found is not None else set()


def named_in(home: Path) -> set[str]:
    """Ids of the chunks that were looked through."""
    found = known(home)
    return set(found.mentions) if found is not None else set()


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def state(home: Path) -> tuple[object, ...]:
    """What is to be the same, however often it was begun: the ontologies' files, and what readers find."""
    place = Home(home)
    with open_generation(home, HashEmbedder()) as generation:
        derived = {name: seal for name, seal in generation.seal.files.items() if "ontolog" in name}
        return files(place.ontologies), generation.digest, derived, len(place.numbers())


def killed(
    commands: Commands, template: Path, folder: Path, argv: tuple[str, str], points: Iterable[int] = ()
) -> list[str]:
    """A command killed at these of its write points (at all of them without any), looked at, and given again."""
    whole = Path(shutil.copytree(template, folder / "whole"))
    undisturbed = commands.run(whole, *argv, fault="kill")
    old, new = ontologies_of(Home(template)), ontologies_of(Home(whole))
    assert undisturbed.code == 0, undisturbed.out
    wrong = []
    for at in points or range(1, undisturbed.writes + 1):
        home = Path(shutil.copytree(template, folder / f"{at}"))
        ran = commands.run(home, *argv, fault="kill", at=at)
        stored = ontologies_of(Home(home))
        if ran.code != KILLED or stored not in (old, new) or not sound(home, stored):
            wrong.append(f"killed at {at}: {ran.code}, {stored}")
        known(home)
        again = commands.run(home, *argv)
        given = again.code == 0 or (argv[0] == "remove" and "No ontology" in again.out)
        if not given or state(home) != state(whole) or [*loose(home), *home.rglob(".*")]:
            wrong.append(f"given again after {at}: {again.code} {again.out}")
        shutil.rmtree(home)
    return wrong


def sound(home: Path, stored: list[StoredOntology]) -> bool:
    return all(is_whole(Home(home), each, each.embedder) for each in stored)


@pytest.mark.parametrize(
    ("argv", "points"),
    [
        (("add", "loans"), (14, 19, 60)),
        (("replace", "loans"), (19, 23, 60)),
        (("remove", "loans"), (7, 60)),
    ],
)
def test_a_command_killed_at_a_write_point_leaves_the_old_ontology_or_the_new_one_and_is_finished_when_given_again(
    commands: Commands, indexed: Path, tmp_path: Path, argv: tuple[str, str], points: tuple[int, ...]
) -> None:
    template = Path(shutil.copytree(indexed, tmp_path / "template"))
    if argv[0] != "add":
        add_light(template, "loans")
    assert killed(commands, template, tmp_path, argv, points) == []


@pytest.mark.parametrize("at", [9, 16, 40])
def test_a_full_disk_is_said_and_costs_neither_the_index_nor_what_is_added_again(
    commands: Commands, home: Path, indexed: Path, at: int
) -> None:
    ran = commands.run(home, "add", "loans", fault="ENOSPC", at=at)
    assert ran.code == 2 and "No space left on device" in ran.out
    assert known(home) is None
    assert commands.run(home, "add", "loans").code == 0
    assert mentioned(home) == set(LOANS)
    assert list(home.rglob(".*")) == []


def test_documents_are_annotated_and_a_document_that_goes_takes_its_annotations_along(
    home: Path, vectors_here: None
) -> None:
    add_light(home, "loans", *LOANS)
    add_light(home, "notes", "convertible note", "credit facility")
    assert mentioned(home) == {"credit facility", "interest rate swap", "convertible note"}
    chunks = named_in(home)
    remove(home, "brix.txt")
    assert mentioned(home) == {"credit facility", "interest rate swap"}
    (gone,) = chunks - named_in(home)
    assert [path for path, data in files(home).items() if gone.encode() in data] == []
    remove_ontology(home, "loans")
    assert mentioned(home) == {"credit facility"}
    remove_ontology(home, ontologies_of(Home(home))[0].digest[:4])
    assert known(home) is None and files(Home(home).ontologies) == {}


def test_a_home_whose_ontologies_went_is_as_it_was_before_they_came(home: Path, indexed: Path) -> None:
    add_light(home, "loans", *LOANS)
    remove_ontology(home, "loans")
    assert state(home) == state(indexed)


def test_what_is_written_is_its_owners_alone_whatever_the_umask(home: Path) -> None:
    before = os.umask(0)
    try:
        add_light(home, "loans", *LOANS)
        add_light(home.with_name("empty"), "loans", *LOANS)
    finally:
        os.umask(before)
    for each in (Home(home).ontologies, home.with_name("empty")):
        modes = {stat.S_IMODE(path.stat().st_mode) for path in (each, *each.rglob("*"))}
        assert modes == {0o700, 0o600}
    assert list(loose(home)) == []


def test_what_a_kill_left_half_written_goes_with_the_next_change(home: Path) -> None:
    place = Home(home)
    add_light(home, "loans", *LOANS)
    for left in (".doomed-1", "1234567890abcdef-1234567890abcdef"):
        (place.ontologies / left).mkdir()
    for left in (home / ".CURRENT.1", place.ontologies / ".1234567890abcdef.json.1"):
        left.write_bytes(b"1")
    assert [each.name for each in ontologies_of(place)] == ["loans"]
    add_light(home, "loans", *LOANS)
    assert list(home.rglob(".*")) == [] and len(list(place.ontologies.iterdir())) == 2


def test_definitions_are_embedded_once_and_documents_not_again(home: Path) -> None:
    embedder = CountingEmbedder()
    add_light(home, "loans", *LOANS, embedder=embedder)
    assert embedder.embedded == len(LOANS)
    before, times = (
        files(home),
        {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.name != "lock"},
    )
    add_light(home, "loans", *LOANS, embedder=embedder)
    assert embedder.embedded == len(LOANS), "what is there is not embedded again"
    assert files(home) == before
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.name != "lock"} == times
    add_light(home, "notes", "convertible note", embedder=embedder)
    remove_ontology(home, "notes")
    assert embedder.embedded == len(LOANS) + 1


def test_each_of_many_concepts_has_the_vector_of_its_own_definition(home: Path) -> None:
    embedder = HashEmbedder()
    add_light(home, "many", *(f"facility {number}" for number in range(2 * EMBEDDED_AT_ONCE + 3)))
    concepts = known(home)
    assert concepts is not None
    for concept, row in zip(concepts.concepts, concepts.definitions, strict=True):
        told = embedder.embed_query(f"{concept.label}: {concept.definition}")
        assert np.allclose(row, told, atol=1e-6), concept.label


def test_an_ontology_of_a_home_without_documents_annotates_those_that_come(
    tmp_path: Path, indexed: Path
) -> None:
    home = tmp_path / "home"
    add_light(home, "loans", *LOANS)
    index_light(home, [indexed.with_name("in")])
    assert mentioned(home) == set(LOANS)


def test_definitions_of_another_model_are_not_compared_and_adding_again_embeds_them(home: Path) -> None:
    add_light(home, "loans", *LOANS, embedder=HashEmbedder("other"))
    place = Home(home)
    _, _, definitions = loaded(place, ontologies_of(place), HashEmbedder().id, 16)
    assert definitions.shape == (2, 16) and not definitions.any()
    add_light(home, "loans", *LOANS)
    _, _, definitions = loaded(place, ontologies_of(place), HashEmbedder().id, 16)
    assert definitions.any(axis=1).all()
    assert len(list(place.ontologies.iterdir())) == 2


@pytest.mark.parametrize("name", [".json", "concepts.jsonl", "links.jsonl", "definitions.npy"])
def test_a_bit_that_flips_is_named_asking_goes_on_and_adding_again_mends_it(home: Path, name: str) -> None:
    add_light(home, "loans", *LOANS)
    sound, place = files(Home(home).ontologies), Home(home)
    (path,) = (each for each in place.ontologies.rglob("*") if each.name.endswith(name) and each.is_file())
    data = bytearray(path.read_bytes())
    data[-20] ^= 1
    path.write_bytes(data)
    assert mentioned(home) == set(LOANS)
    (stored,) = ontologies_of(place)
    assert (stored.damaged != "") == (name == ".json")
    with pytest.raises(
        OntologyDamagedError, match=r"is damaged: .* has changed.*ontology add PATH.*ontology remove "
    ):
        loaded(place, [stored], HashEmbedder().id, 16)
    add_light(home, "loans", *LOANS)
    assert files(place.ontologies) == sound


def test_a_damaged_ontology_is_removed_by_its_digest(home: Path, vectors_here: None) -> None:
    add_light(home, "loans", *LOANS)
    add_light(home, "notes", "convertible note")
    damaged = ontology_of("loans").digest
    (Home(home).ontologies / f"{damaged}.json").write_bytes(b"\xff")
    with pytest.raises(OntologyDamagedError, match=damaged):
        remove(home, "orla.txt")
    assert remove_ontology(home, damaged).digest == damaged
    assert mentioned(home) == {"convertible note"}, "the removal of the document is finished"
    assert [each.name for each in ontologies_of(Home(home))] == ["notes"]


def test_what_is_no_ontology_of_the_home_is_said_with_those_that_there_are(
    home: Path, tmp_path: Path
) -> None:
    with pytest.raises(SelectorError, match="There is none"):
        remove_ontology(tmp_path / "nowhere", "loans")
    assert not (tmp_path / "nowhere").exists()
    add_light(home, "loans", *LOANS)
    with pytest.raises(SelectorError, match="There are loans"):
        remove_ontology(home, "loan")
    with pytest.raises(SelectorError, match="No ontology ''"):
        remove_ontology(home, "")


def test_one_writer_at_a_time(home: Path) -> None:
    lock = FileLock.try_take(home / "lock", shared=False)
    assert lock is not None
    with pytest.raises(HomeLockedError):
        add_light(home, "loans", *LOANS)
    lock.release()


def test_files_are_read_added_and_found_in_documents(home: Path, tmp_path: Path) -> None:
    text = (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f'<{NS}Swap> a owl:Class; rdfs:label "interest rate swap"; rdfs:subClassOf <{NS}Derivative> .'
    )
    (tmp_path / "swaps.ttl").write_text(text)
    steps = []
    stored = add_ontology(home, tmp_path / "swaps.ttl", HashEmbedder(), lambda *step: steps.append(step))
    assert (stored.name, stored.concepts, stored.stubs, stored.links) == ("swaps.ttl", 2, 1, 1)
    assert steps == [("reading", 1, 1), ("embedding", 0, 1), ("annotating", 0, 1)]
    assert mentioned(home) == {"interest rate swap"}
