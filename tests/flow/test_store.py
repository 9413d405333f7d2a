"""An index in PostgreSQL, from the command line and as it is asked: the folder's answers, and errors in words."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from agent.assistant import Assistant
from agent.settings import Settings, SettingsError, load_settings
from tests.conftest import Command
from tests.light_index import index_light
from tests.postgres_here import PASSWORD, PostgresHere
from tests.warm_processes import MAY_BE_WARM
from tools.scope import Scope
from tools.store.disk.home import Home
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.publishing import publish
from tools.store.runs import removal

QUESTIONS = (
    "What drove Calderith's net sales growth in the second quarter?",
    "How did gross margin develop?",
    "Which risks do tariffs bring?",
    "How do you think about channel inventories and pricing for the rest of the year?",
    "store traffic and shrink at Harrowmere",
)


@pytest.fixture(scope="module")
def two_stores(
    untouched_home: Path, postgres: PostgresHere, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Assistant, Assistant]]:
    """Assistants over the sample documents: from a folder, and from a database into which it was published."""
    folder = tmp_path_factory.mktemp("two")
    shutil.copytree(untouched_home, folder / "home")
    address = postgres.over_tcp(postgres.address(), PASSWORD)
    publish(folder / "home", StoreAddress.of(address))
    other = Settings(_env_file=None, home=folder / "threads", store=address)
    with (
        Assistant(Settings(_env_file=None, home=folder / "home")) as here,
        Assistant(other) as there,
    ):
        yield here, there


def told(items: Any) -> list[Any]:
    return [item.model_dump() for item in items]


@pytest.mark.parametrize("spoken", [False, True])
def test_both_stores_find_the_same_evidence_with_the_same_scores(
    two_stores: tuple[Assistant, Assistant], spoken: bool
) -> None:
    one, other = (assistant.current() for assistant in two_stores)
    found = 0
    companies = sorted(one.catalog.companies)
    for question in QUESTIONS:
        for scope in (Scope(), Scope(companies=(companies[0],)), Scope(doc_types=("call",))):
            expected = one.vector_search(question, scope, 8, 0.8, spoken)
            assert told(other.vector_search(question, scope, 8, 0.8, spoken)) == told(expected)
            assert told(other.tables(question, scope, 3)) == told(one.tables(question, scope, 3))
            found += len(expected)
    assert found > 20
    assert other.generation.digest == one.generation.digest
    other.vectors.verify(None)


@pytest.mark.parametrize(
    "question",
    [
        "What was Calderith's total revenue in the three months ended March 30, 2024?",
        "Summarise what Harrowmere said about store traffic.",
        "What is the capital of France?",
    ],
)
def test_both_stores_give_the_same_answer(two_stores: tuple[Assistant, Assistant], question: str) -> None:
    answers = []
    for assistant in two_stores:
        answer = assistant.ask(question).model_dump(mode="json")
        del answer["seconds"]
        answers.append(answer)
    assert answers[0] == answers[1]


def test_pages_and_files_are_read_from_the_database(two_stores: tuple[Assistant, Assistant]) -> None:
    one, other = (assistant.current().generation for assistant in two_stores)
    key = one.entries[0].document_id
    assert other.pages(key) == one.pages(key)
    assert other.record(key).original() == one.record(key).original() is not None
    assert other.merges() == one.merges()


@pytest.fixture(scope="module")
def one_text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of one text, made with stand-ins for the models. To be copied only."""
    folder = tmp_path_factory.mktemp("light")
    (folder / "in").mkdir()
    (folder / "in" / "a.txt").write_text("Alder Corporation\n\nSales rose in Ohio.", encoding="utf-8")
    index_light(folder / "home", [folder / "in"])
    return folder / "home"


@pytest.fixture
def light_home(one_text: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(one_text, tmp_path / "home"))


def test_a_folder_is_copied_there_and_back_by_command(
    hybridrag: Command,
    light_home: Path,
    postgres: PostgresHere,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = postgres.over_tcp(postgres.emptied(), PASSWORD)
    bare = StoreAddress.of(address).shown
    monkeypatch.setenv("HYBRIDRAG_STORE", address)
    first, again = (hybridrag("store", "copy", light_home, bare, "--json") for _ in range(2))
    assert (first.code, again.code) == (0, 0), first.err
    done, repeated = orjson.loads(first.out), orjson.loads(again.out)
    assert (done["changed"], repeated["changed"]) == (True, False)
    back = hybridrag("store", "copy", bare, tmp_path / "back")
    assert back.code == 0 and f"digest {done['digest']}" in back.out
    for command in (("ontology", "add", tmp_path), ("ontology", "remove", "x")):
        refused = hybridrag(*command)
        assert refused.code == 2 and "hybridrag store copy FOLDER" in refused.err
    other = hybridrag("store", "copy", light_home, f"{bare}?sslmode=disable")
    assert other.code == 2 and "no password" in other.err, "options of its own: not the settings' address"
    listed = hybridrag("documents")  # made with a stand-in for the embedding model
    assert listed.code == 2 and "'hash-16'" in listed.err
    removed = hybridrag("remove", "a.txt", "--home", light_home)
    assert removed.code == 0, "a folder that is named goes before the database"
    for ran in (first, again, back, refused, listed, removed):
        assert PASSWORD not in ran.out + ran.err


Break = Callable[[PostgresHere, pytest.MonkeyPatch], str]


def _down(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return "postgresql://desk@127.0.0.1:1/filings"


def _wrong_password(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    patch.setenv("PGPASSWORD", "s3cret")
    return StoreAddress.of(postgres.over_tcp(postgres.emptied(), "")).shown


def _missing(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return postgres.emptied().replace("@/t", "@/none-t")


def _no_vectors(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    address = postgres.address(vectors=False)
    postgres.run(address, "DROP ROLE IF EXISTS plain", "CREATE ROLE plain LOGIN")
    return address.replace("postgres@", "plain@")


def _read_only(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return postgres.read_only()


def _no_driver(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    address = postgres.emptied()
    patch.setitem(sys.modules, "psycopg", None)
    return address


def _unknown_option(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return "postgresql://desk@db/filings?s3cret=1"


def _listed_password(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return "postgresql://desk:s3cret@db/filings"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (_down, "onnection refused"),
        (_wrong_password, "password authentication failed"),
        (_missing, "does not exist"),
        (_no_vectors, "CREATE EXTENSION vector"),
        (_read_only, "read-only transaction"),
        (_no_driver, "pip install 'hybridrag[postgres]'"),
        (_unknown_option, "an option that libpq does not know"),
        (_listed_password, "in the list of processes"),
    ],
)
def test_a_database_that_can_not_be_used_is_an_error_in_words_and_nothing_is_written(
    hybridrag: Command,
    light_home: Path,
    postgres: PostgresHere,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: Break,
    words: str,
) -> None:
    with monkeypatch.context() as patch:
        address = broken(postgres, patch)
        ran = hybridrag("store", "copy", light_home, address)
        back = hybridrag("store", "copy", address, tmp_path / "back")
    assert ran.code == 2 and words in ran.err
    assert "s3cret" not in ran.out + ran.err + back.out + back.err
    assert back.code == 2
    assert not (tmp_path / "back").exists()
    if broken in (_no_vectors, _read_only, _no_driver):
        assert postgres.run(address, "SELECT to_regclass('hybridrag.store')") == [(None,)]


def test_one_of_the_two_is_a_folder_and_the_other_an_address(hybridrag: Command, tmp_path: Path) -> None:
    for pair in ((tmp_path, tmp_path), ("postgresql://a/b", "postgresql://a/c")):
        ran = hybridrag("store", "copy", *pair)
        assert ran.code == 2 and "the other the address of a database" in ran.err
    ran = hybridrag("store", "copy", tmp_path, "postgresql://a/b", "--prune")
    assert ran.code == 2 and "--prune goes with copying into a folder" in ran.err


def test_a_store_that_is_no_address_is_refused_and_one_with_a_password_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HYBRIDRAG_STORE", "desk:s3cret@db/filings")
    with pytest.raises(SettingsError, match=r"HYBRIDRAG_STORE: .*postgresql://") as refused:
        load_settings()
    assert "s3cret" not in str(refused.value)
    settings = Settings(_env_file=None, store="postgresql://desk:s3cret@db/filings")
    assert "s3cret" not in repr(settings) + str(settings) + settings.model_dump_json()
    assert str(settings.store_address) == "postgresql://desk@db/filings"


KILLED = f"""{MAY_BE_WARM}
import os, sys
from pathlib import Path
from tools.store.disk.home import Home
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.publishing import publish
from tools.store.runs import removal

def told(step):
    if "indexing the vectors" in step or "new chunks" in step:
        print(step, flush=True)
        sys.stdin.read()

publish(Path(sys.argv[1]), StoreAddress.of(os.environ["ADDRESS"]), told)
"""


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("left", [0, 1])
def test_a_removal_that_was_killed_is_ended_before_the_folder_is_copied(
    hybridrag: Command,
    light_home: Path,
    tmp_path: Path,
    postgres: PostgresHere,
    monkeypatch: pytest.MonkeyPatch,
    left: int,
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    (gone,) = (entry.name for entry in Home(light_home).manifest().entries)
    for number in range(left):
        (tmp_path / f"{number}.txt").write_text("Birch Corporation. Revenue was $7 million in 2023.")
        assert hybridrag("index", tmp_path / f"{number}.txt", "--home", light_home).code == 0
    address = postgres.emptied()
    assert hybridrag("store", "copy", light_home, address).code == 0
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(removal, "build_generation", killed)
        removal.remove(light_home, gone)
    ran = hybridrag("store", "copy", light_home, address)
    assert "A removal that was cut off is done." in ran.err
    assert ran.code == (0 if left else 2), "there is nothing to copy"
    assert [entry.name for entry in Home(light_home).manifest().entries] == ["0.txt"] * left
    assert "cut off" not in hybridrag("store", "copy", light_home, address).err


def test_a_publisher_that_is_killed_leaves_the_database_as_it_was(
    light_home: Path, postgres: PostgresHere, hybridrag: Command
) -> None:
    address = postgres.emptied()
    environment = {**os.environ, "ADDRESS": address}
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, light_home],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
        cwd=Path(__file__).parents[2],
    ) as publisher:
        assert publisher.stdout is not None
        assert b"new chunks" in publisher.stdout.readline()
        publisher.send_signal(signal.SIGKILL)
    assert postgres.run(address, "SELECT to_regclass('hybridrag.store')") == [(None,)]
    ran = hybridrag("store", "copy", light_home, address)
    assert ran.code == 0, ran.err
    assert "has generation 1" in ran.out
