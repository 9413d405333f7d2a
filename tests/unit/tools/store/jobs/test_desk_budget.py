"""What workers of one database may ask of a model together: tokens of a run, requests a minute, requests at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.endpoint.limits import Limits, Pace
from agent.endpoint.models import chat_model
from tests.desk_here import opened, served, submitted
from tests.endpoint import serving
from tests.model_indexing import FAST, tokens
from tests.postgres_here import PostgresHere
from tests.reading_model import reading
from tests.store_stand_ins import HashEmbedder
from tools.model.types import DeadlineError
from tools.store.jobs import job_table
from tools.store.jobs.desk_budget import DeskBudget
from tools.store.jobs.endpoint_share import EndpointShare, shares_of
from tools.store.jobs.job_table import Job, taken
from tools.store.jobs.queue_status import queue_status
from tools.store.postgres.address import StoreAddress
from tools.store.postgres.database import Database
from tools.store.postgres.errors import DatabaseError
from tools.store.postgres.schema import bring_forward
from tools.store.reading.model_broker import Models
from tools.store.reading.recipe import Recipe

Documents = Callable[[int], Path]
HOST = "http://127.0.0.1:1"


def _away(*asked: Any) -> None:
    raise DatabaseError(
        StoreAddress.of("postgresql://db/filings"), "the server is starting", "", passing=True
    )


def limited(tokens: int) -> Recipe:
    return Recipe(HashEmbedder, models=Models(max_tokens=tokens))


@contextmanager
def in_hand(database: Database) -> Iterator[tuple[Job, DeskBudget]]:
    with taken(database, "a worker") as held:
        assert held is not None
        yield held[1], DeskBudget(database, held[1])


def test_all_workers_take_from_one_amount(documents: Documents, address: StoreAddress) -> None:
    submitted(address, [documents(0)], recipe=limited(100))
    with in_hand(opened(address)) as (_, one), in_hand(opened(address)) as (_, other):
        assert one.limit == 100 and one.used == 0
        first = one.take(60)
        assert callable(first)
        assert other.take(50) == "wait", "what is under way may leave some"
        first(20)
        (told,) = queue_status(opened(address)).budgets
        assert (told.documents, told.spent, told.max_tokens) == (3, 20, 100)
        second = other.take(70)
        assert callable(second) and other.used == 20
        second(70)
        assert one.take(11) == "spent"
        last = one.take(10)
        assert callable(last)
        last(0)
        assert one.used == 90


def test_what_a_lost_worker_had_under_way_counts_as_spent(
    documents: Documents, address: StoreAddress
) -> None:
    submitted(address, [documents(0)], recipe=limited(100))
    with in_hand(opened(address)) as (_, other):
        with in_hand(opened(address)) as (job, lost):
            late = lost.take(60)
            assert callable(late) and other.take(50) == "wait"
        assert other.take(50) == "spent" and other.used == 60
        late(70)
        assert other.used == 70, "not once more when it is heard of again, but for what was over its room"
        with in_hand(opened(address)) as (again, one):
            assert again.id == job.id and one.limit == 100
            assert callable(one.take(20))
        with in_hand(opened(address)) as (_, next_one):
            assert next_one.take(20) == "spent" and next_one.used == 90, "by whoever takes the document next"


def test_a_run_without_a_limit_has_no_budget_until_it_is_given_one(
    documents: Documents, address: StoreAddress
) -> None:
    folder = documents(0)
    submitted(address, [folder])
    with in_hand(opened(address)) as (_, budget):
        assert budget.limit is None and callable(budget.take(10**9))
        submitted(address, [folder], recipe=limited(7))
        assert budget.limit == 7 and budget.take(8) == "spent", (
            "a document in hand, too, from its next call on"
        )
        submitted(address, [folder])
        assert budget.limit == 7
        submitted(address, [folder], recipe=limited(9))
        assert budget.limit == 9


def test_a_call_whose_end_could_not_be_written_keeps_nobody_waiting(
    documents: Documents, address: StoreAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted(address, [documents(0)], recipe=limited(100))
    with in_hand(opened(address)) as (_, budget):
        settle = budget.take(60)
        assert callable(settle)
        with monkeypatch.context() as away:
            away.setattr(Database, "changing", _away)
            with pytest.raises(DatabaseError):
                settle(60)
        assert callable(budget.take(40)) and budget.used == 60


def test_a_document_that_is_not_wanted_any_more_keeps_its_calls_until_they_end(
    documents: Documents, address: StoreAddress, postgres: PostgresHere
) -> None:
    submitted(address, [documents(0)], recipe=limited(100))
    with in_hand(opened(address)) as (_, one), in_hand(opened(address)) as (job, other):
        settle = other.take(60)
        assert callable(settle)
        postgres.run(address.secret, f"UPDATE hybridrag.jobs SET state = 'failed' WHERE id = {job.id}")
        assert one.take(50) == "wait" and one.used == 0
        settle(5)
        assert one.used == 5


def test_two_workers_spend_no_more_than_the_run_may_and_go_on_with_more(
    documents: Documents, address: StoreAddress, tmp_path: Path
) -> None:
    folder = documents(0)
    with ExitStack() as stack:
        server = stack.enter_context(serving(reading))
        chats = [chat_model(server.settings(llm_timeout=5), FAST) for _ in range(2)]
        for chat in chats:
            stack.callback(chat.close)
        recipes = [Recipe(HashEmbedder, models=Models(chat=chat, passes=2)) for chat in chats]
        spent, states = [], []
        for _ in range(12):
            before = tokens(server)
            reader = Recipe(HashEmbedder, models=Models(chat=chats[0], passes=2, max_tokens=3_600))
            run = submitted(address, [folder], recipe=reader)
            threads = [
                threading.Thread(target=served, args=(address, tmp_path / str(n)), kwargs={"recipe": recipe})
                for n, recipe in enumerate(recipes)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            report = run.wait()
            spent.append(tokens(server) - before)
            assert report.spent.tokens == spent[-1] <= 3_600
            states.append(report.counts)
            if not report.counts.get("incomplete"):
                break
            why = next(o.reason for o in report.outcomes if o.state == "incomplete")
            assert "--max-tokens" in why and "index it again, with more" in why
            assert "tried" not in why, "it is not tried again without more to spend"
        assert 2 <= len(spent) < 12 and not report.counts.get("incomplete"), states
    assert not queue_status(opened(address)).waiting


def test_no_minute_holds_more_requests_of_all_workers_than_allowed(address: StoreAddress) -> None:
    with opened(address).writing() as connection:
        bring_forward(connection, address)
    slept: list[float] = []
    one, other = (Limits(4, 3, Pace(sleep=slept.append), shares_of(opened(address))(HOST)) for _ in range(2))
    for limits in (one, other, one):
        with limits.slot(None):
            assert not slept
    with other.slot(None):
        assert len(slept) == 1 and 55 < slept[0] <= 60
    with pytest.raises(DeadlineError), one.slot(30):
        pytest.fail("no request may begin")
    elsewhere = Limits(4, 3, Pace(sleep=slept.append), EndpointShare(opened(address), "http://127.0.0.1:2"))
    with elsewhere.slot(None):
        assert len(slept) == 1


def test_a_refused_turn_takes_no_room_from_others(address: StoreAddress) -> None:
    with opened(address).writing() as connection:
        bring_forward(connection, address)
    share = EndpointShare(opened(address), HOST)
    assert share.turn(1, 0.0, None) == 0
    assert share.turn(1, 0.0, 1.0) is None
    later = share.turn(1, 0.0, None)
    assert later is not None and 55 < later <= 60
    pause = share.turn(9, 5.0, None)
    assert pause == 5


def test_all_workers_together_ask_so_much_at_once(address: StoreAddress, postgres: PostgresHere) -> None:
    with opened(address).writing() as connection:
        bring_forward(connection, address)
    one, other = (Limits(2, None, Pace(), EndpointShare(opened(address), HOST)) for _ in range(2))
    with one.slot(None):
        with other.slot(None), pytest.raises(DeadlineError, match="while other requests were under way"):
            one.slot(0.2).__enter__()
        killed = EndpointShare(opened(address), HOST).place(2, None)
        assert killed is not None
        assert EndpointShare(opened(address), HOST).place(2, 0.1) is None
        postgres.run(
            address.secret,
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 1",
        )
        with other.slot(5):
            killed()


def test_a_database_that_is_away_leaves_the_document_for_another_try(
    documents: Documents, address: StoreAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_table, "RETRY_SECONDS", 0)
    monkeypatch.setattr(DeskBudget, "take", _away)
    with serving(reading) as server:
        chat = chat_model(server.settings(llm_timeout=5), FAST)
        run = submitted(
            address, [documents(0)], recipe=Recipe(HashEmbedder, models=Models(chat=chat, max_tokens=9_000))
        )
        lines = served(address, tmp_path / "one", recipe=Recipe(HashEmbedder, models=Models(chat=chat)))
        chat.close()
        assert server.chats == []
    assert any("to be tried again" in line and "ask a model can't be told" in line for line in lines)
    assert run.wait().counts == {"incomplete": 3}


def test_runs_of_long_ago_go_with_their_last_job_and_not_before(
    documents: Documents, address: StoreAddress, postgres: PostgresHere, tmp_path: Path
) -> None:
    folder = documents(0)
    submitted(address, [folder], recipe=limited(100))
    postgres.run(address.secret, "UPDATE hybridrag.runs SET began = now() - interval '8 days'")
    served(address, tmp_path / "worker")
    assert postgres.run(address.secret, "SELECT count(*) FROM hybridrag.runs") == [(1,)]
    postgres.run(address.secret, "UPDATE hybridrag.jobs SET ended = now() - interval '8 days'")
    (folder / "another.txt").write_text("Birch Corporation. Revenue was $7 million in 2023.")
    submitted(address, [folder])
    served(address, tmp_path / "worker")
    assert postgres.run(address.secret, "SELECT count(*) FROM hybridrag.runs") == [(0,)]
