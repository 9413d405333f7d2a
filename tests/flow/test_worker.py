"""`hybridrag worker`, and `index` and `remove` by way of it, from the command line; what goes wrong is in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from agent.assistant import Assistant
from agent.settings import Settings
from tests.conftest import Command
from tests.endpoint import serving
from tests.postgres_here import PASSWORD, PostgresHere
from tools.model.types import Message
from tools.store.jobs.queue_status import NobodyWorksError
from tools.store.jobs.submitting import Submission
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.errors import SetWhereWorkersRunError

pytestmark = pytest.mark.usefixtures("vectors_here")


def test_files_are_submitted_read_published_asked_and_removed(
    hybridrag: Command,
    three_calls: Path,
    postgres: PostgresHere,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = postgres.over_tcp(postgres.emptied(), PASSWORD)
    monkeypatch.setenv("HYBRIDRAG_STORE", address)
    ran = [hybridrag("worker", "status")]
    assert "waiting: 0 documents" in ran[-1].out and "No worker is at work" in ran[-1].out
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 no more")
    with monkeypatch.context() as full:
        full.setattr(Submission, "_too_much", lambda run: bool(run._open) and not run._absence_told)
        ran.append(
            hybridrag("index", three_calls / "in", tmp_path / "bad.pdf", "--no-wait", "--max-tokens", "500")
        )
    assert "No worker is at work" in ran[-1].err
    assert ran[-1].code == 0 and "4 documents wait for the workers, 0 are unchanged" in ran[-1].out
    ran.append(hybridrag("worker", "status", "--json"))
    assert ran[-1].objects[0]["waiting"] == 4
    assert ran[-1].objects[0]["budgets"] == [{"documents": 4, "spent": 0, "max_tokens": 500}]
    ran.append(hybridrag("worker", "status"))
    assert "budget: 0 of 500 tokens spent by a run of which 4 documents are not read yet" in ran[-1].out
    ran.append(hybridrag("worker", "--once", "--home", tmp_path / "cache"))
    assert ran[-1].code == 0 and "published generation 1" in ran[-1].out, ran[-1].err
    ran.append(hybridrag("worker", "status"))
    assert f"failed: {tmp_path / 'bad.pdf'}" in ran[-1].out and "waiting: 0 documents" in ran[-1].out
    postgres.run(
        address, "INSERT INTO hybridrag.workers VALUES ('killed:1', now() - interval '2 minutes', 'x')"
    )
    ran.append(hybridrag("worker", "status"))
    assert "worker killed:1: x, last seen" in ran[-1].out and "No worker is at work" in ran[-1].out
    postgres.run(address, "UPDATE hybridrag.workers SET seen = now()")
    ran.append(hybridrag("worker", "status"))
    assert "worker killed:1: x, seen" in ran[-1].out and "No worker is at work" not in ran[-1].out
    postgres.run(address, "DELETE FROM hybridrag.workers")
    ran.append(hybridrag("index", three_calls / "in", "--json"))
    here = hybridrag("index", three_calls / "in", "--home", tmp_path / "folder", "--json")
    there, expected = ran[-1].objects[0], here.objects[0]
    for told in (there, expected):
        del told["seconds"], told["generation"]
        for each in told["files"]:
            assert each.pop("state") in ("unchanged", "indexed")
            del each["seconds"]
    assert there == expected
    ran.append(hybridrag("ask", "How much revenue did Alder Corporation report?"))
    assert ran[-1].code == 0 and "call-0.txt" in ran[-1].out
    postgres.run(address, "UPDATE hybridrag.generations SET published = now() - interval '1 minute'")
    address_of = {**os.environ, "HYBRIDRAG_STORE": address}
    command = [sys.executable, "-m", "agent.cli.main", "worker", "--home", str(tmp_path / "cache")]
    root, pipe = Path(__file__).parents[2], subprocess.PIPE
    with subprocess.Popen(command, env=address_of, cwd=root, stdout=pipe, stderr=pipe, text=True) as worker:
        assert worker.stdout is not None
        assert "serves" in worker.stdout.readline()
        ran.append(hybridrag("remove", "call-0.txt"))
        worker.send_signal(signal.SIGTERM)
        out, err = worker.communicate()
    assert worker.returncode == 143 and "Interrupted" in err
    assert ran[-1].code == 0 and "removed" in ran[-1].out
    ran.append(hybridrag("documents"))
    assert "call-1.txt" in ran[-1].out and "call-0.txt" not in ran[-1].out
    for each in (*ran, here):
        assert PASSWORD not in each.out + each.err
    assert PASSWORD not in out + err


Break = Callable[[PostgresHere, pytest.MonkeyPatch], str]


def _down(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return "postgresql://desk:s3cret@127.0.0.1:1/filings"


def _wrong_password(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return postgres.over_tcp(postgres.emptied(), "s3cret")


def _read_only(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return postgres.read_only()


def _newer(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    address = postgres.emptied()
    postgres.run(
        address,
        "CREATE SCHEMA hybridrag",
        "CREATE TABLE hybridrag.store (version int)",
        "INSERT INTO hybridrag.store VALUES (99)",
    )
    return address


def _none(postgres: PostgresHere, patch: pytest.MonkeyPatch) -> str:
    return ""


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (_down, "onnection refused"),
        (_wrong_password, "password authentication failed"),
        (_read_only, "read-only transaction"),
        (_newer, "newer version"),
        (_none, "set HYBRIDRAG_STORE"),
    ],
)
def test_a_database_that_can_not_be_used_is_an_error_in_words(
    hybridrag: Command,
    three_calls: Path,
    postgres: PostgresHere,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: Break,
    words: str,
) -> None:
    address = broken(postgres, monkeypatch)
    if address:
        monkeypatch.setenv("HYBRIDRAG_STORE", address)
    commands = [("worker", "--home", tmp_path / "cache"), ("index", three_calls / "in", "--no-wait")]
    for ran in (hybridrag(*command) for command in commands):
        assert ran.code == 2 and words in ran.err, ran
        assert "s3cret" not in ran.out + ran.err


def test_a_role_that_only_reads_may_ask_and_is_told_that_it_may_not_submit(
    hybridrag: Command,
    three_calls: Path,
    postgres: PostgresHere,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address = postgres.emptied()
    monkeypatch.setenv("HYBRIDRAG_STORE", address)
    hybridrag("index", three_calls / "in", "--no-wait")
    hybridrag("worker", "--once", "--home", tmp_path / "cache")
    postgres.run(
        address,
        "DROP ROLE IF EXISTS reader",
        "CREATE ROLE reader LOGIN",
        "GRANT USAGE ON SCHEMA hybridrag TO reader",
        "GRANT SELECT ON ALL TABLES IN SCHEMA hybridrag TO reader",
    )
    monkeypatch.setenv("HYBRIDRAG_STORE", address.replace("postgres@", "reader@"))
    assert hybridrag("documents").code == 0
    assert hybridrag("worker", "status").code == 0
    (tmp_path / "new.txt").write_text("Elm Corporation\n\nSales rose.", encoding="utf-8")
    for command in (
        ("worker", "--home", tmp_path / "other"),
        ("remove", "call-0.txt"),
        ("index", tmp_path / "new.txt", "--no-wait"),
    ):
        ran = hybridrag(*command)
        assert ran.code == 2 and "permission denied" in ran.err, ran
    postgres.run(address, "DROP OWNED BY reader", "DROP ROLE reader")


def test_what_a_program_or_the_page_gives_to_index_is_read_by_a_worker_and_where_there_is_none_that_is_said(
    three_calls: Path, postgres: PostgresHere, tmp_path: Path
) -> None:
    settings = Settings(_env_file=None, home=tmp_path / "home", store=postgres.emptied())
    with Assistant(settings) as assistant:
        with pytest.raises(SetWhereWorkersRunError, match="set HYBRIDRAG_EXTRACTOR where they run"):
            assistant.index([three_calls / "in" / "call-0.txt"], extractor="local")
        with pytest.raises(NobodyWorksError, match="No worker is at work"):
            assistant.index([three_calls / "in" / "call-0.txt"])
        worker = assistant.worker(None, lambda line: None)
        assert worker.cache.home.root == tmp_path / "home" / "workers" / "1"
        with worker:
            worker.begin()
            serving = threading.Thread(target=worker.run, kwargs={"once": True})
            serving.start()
            assert assistant.index([three_calls / "in" / "call-0.txt"]).counts == {"indexed": 1}
            serving.join()
        assert [entry.name for entry in assistant.current().generation.entries] == ["call-0.txt"]


def test_what_a_worker_asks_of_a_model_is_counted_for_all_workers(
    postgres: PostgresHere, tmp_path: Path
) -> None:
    address = postgres.emptied()
    with serving("Yes.") as server:
        settings = server.settings(home=tmp_path / "home", store=address, llm_rpm=60, extractor="model")
        with Assistant(settings) as assistant, assistant.worker(None, lambda line: None) as worker:
            worker.begin()
            chat = worker.recipe.models.chat
            assert chat is not None
            chat.complete((Message("user", "Well?"),))
            assert postgres.run(address, "SELECT endpoint FROM hybridrag.requests") == [
                (chat.endpoint.origin,)
            ]


def test_what_is_for_folders_alone_is_refused_with_the_reason(
    hybridrag: Command, three_calls: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = hybridrag("index", three_calls / "in", "--no-wait")
    assert ran.code == 2 and "set HYBRIDRAG_STORE" in ran.err
    monkeypatch.setenv("HYBRIDRAG_STORE", StoreAddress.of("postgresql://desk@db/filings").secret)
    for flags in (
        ["--extractor", "local"],
        ["--extractor", "local", "--no-wait"],
        ["--dry-run"],
    ):
        ran = hybridrag("index", three_calls / "in", *flags)
        assert ran.code == 2 and "set HYBRIDRAG_EXTRACTOR where they run" in ran.err
