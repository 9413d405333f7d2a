"""`hybridrag fetch` against a mirror of EDGAR on loopback: what is kept, what is asked for twice, what is said."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agent.edgar.edgar_client import REQUESTS_A_SECOND, EdgarClient, EdgarError, Spacing
from agent.endpoint.limits import Pace
from tests.edgar_mirror import IDENTITY, Mirror, Reply, mirroring

CIK = 1234567
TICKERS = "/files/company_tickers.json"
LIST = f"/data/submissions/CIK{CIK:010d}.json"
DATES = ["2024-06-29", "2024-03-30", "2023-12-30", "2023-07-01", "2023-04-01"]


@pytest.fixture
def mirror(monkeypatch: pytest.MonkeyPatch) -> Iterator[Mirror]:
    with mirroring() as running:
        for name, value in running.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("agent.edgar.edgar_client.REQUESTS_A_SECOND", 1e9)
        yield running


@pytest.fixture
def documents(mirror: Mirror) -> list[str]:
    """Paths at the mirror of five quarterly reports, the newest first; an annual one is listed between them."""
    return mirror.company("KSTL", CIK, {"10-Q": DATES, "10-K": ["2023-09-30"]})[:5]


def kept() -> list[str]:
    """Names of the files in the folder, hidden ones too, but for the lock."""
    return sorted(path.name for path in Path("filings").rglob("*") if path.is_file() and path.name != "lock")


def test_the_newest_of_a_form_are_kept_with_address_and_accession_number_and_can_be_asked(
    hybridrag: Any, mirror: Mirror, documents: list[str]
) -> None:
    ran = hybridrag("fetch", "kstl", "--form", "10-q", "--last", "2")
    assert ran.code == 0
    assert mirror.asked == [TICKERS, LIST, *documents[:2]] and mirror.agents == {IDENTITY}
    path = Path("filings/KSTL/KSTL 10-Q 20240629 0001234567-24-000000.htm")
    assert f"fetched: 10-Q of 2024-06-29: {path}" in ran.out
    assert path.read_bytes() == mirror.pages[documents[0]]
    record = json.loads(Path("filings/.edgar/0001234567-24-000000.json").read_text(encoding="utf-8"))
    assert record["url"] == mirror.url + documents[0] and record["accession"] == "0001234567-24-000000"
    assert record["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    names = {document["name"] for document in hybridrag("documents", "--json").objects}
    assert path.name in names and len(names) == 2


def test_what_is_there_is_not_fetched_again_and_what_was_changed_is(
    hybridrag: Any, mirror: Mirror, documents: list[str]
) -> None:
    assert hybridrag("fetch", "KSTL", "--form", "10-Q", "--last", "3", "--no-index").code == 0
    words = ("fetch", str(CIK), "--form", "10-Q", "--last", "3", "--no-index")  # the same by its number
    first, second, _ = sorted(Path("filings").rglob("*.htm"))
    first.write_bytes(first.read_bytes()[:40])
    (Path("filings/.edgar") / f"{second.stem.split()[-1]}.json").write_text("{", encoding="utf-8")
    mirror.asked.clear()
    states = [each["state"] for each in hybridrag(*words, "--json").objects]
    assert sorted(states) == ["fetched", "fetched", "kept"]
    assert len(mirror.asked) == 3, "the list and two documents: a number needs no list of tickers"


def test_older_pages_of_the_list_are_read_only_as_far_as_needed(hybridrag: Any, mirror: Mirror) -> None:
    mirror.company("KSTL", CIK, {"10-Q": DATES}, pages=5)
    fetch = ("fetch", str(CIK), "--form", "10-Q", "--no-index", "--last")
    assert hybridrag(*fetch, "2").code == 0
    assert [path for path in mirror.asked if "submissions-" in path] == [
        f"/data/submissions/CIK{CIK:010d}-submissions-001.json"
    ]
    assert hybridrag(*fetch, "9").out.count("kept: ") == 2
    assert len(list(Path("filings").rglob("*.htm"))) == len(DATES)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, f"EDGAR_IDENTITY is '{IDENTITY}': it must be a name and an e-mail address"),
        (429, "EDGAR answered 429"),
        (500, "EDGAR answered 500"),
        (301, "EDGAR answered 301"),
    ],
)
def test_a_refusal_is_told_in_words_what_came_before_stays_and_the_next_fetch_goes_on(
    hybridrag: Any, mirror: Mirror, documents: list[str], no_waiting: list[float], status: int, words: str
) -> None:
    mirror.faults[documents[1]] = [Reply(status)] * 3
    fetch = ("fetch", "KSTL", "--form", "10-Q", "--last", "2", "--no-index")
    ran = hybridrag(*fetch)
    assert ran.code == 1 and words in ran.err
    assert "What was fetched is kept in 'filings'; to go on, run the command again." in ran.err
    assert len(kept()) == 2, "one document and what it is"
    assert len(no_waiting) == (2 if status in (429, 500) else 0)
    mirror.faults.clear()
    ran = hybridrag(*fetch)
    assert ran.code == 0 and "kept: " in ran.out and "fetched: " in ran.out


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that would have been waited before trying again."""
    waited: list[float] = []
    monkeypatch.setattr("agent.edgar.edgar_client.Pace", lambda: Pace(jitter=0.0, sleep=waited.append))
    return waited


def test_a_pause_that_edgar_asks_for_is_kept_and_a_long_one_is_told(
    hybridrag: Any, mirror: Mirror, documents: list[str], no_waiting: list[float]
) -> None:
    mirror.faults[documents[0]] = [Reply(429, {"Retry-After": "7"})]
    fetch = ("fetch", "KSTL", "--form", "10-Q", "--last", "1", "--no-index")
    assert hybridrag(*fetch).code == 0 and no_waiting == [7.0]
    mirror.faults[LIST] = [Reply(429, {"Retry-After": "600"})]
    ran = hybridrag(*fetch)
    assert ran.code == 1 and "It asks to come back in 600 seconds." in ran.err and no_waiting == [7.0]


def test_half_a_file_is_tried_again_and_never_kept(
    hybridrag: Any, mirror: Mirror, documents: list[str], no_waiting: list[float]
) -> None:
    half = Reply(body=b"<html><body>Revenue", promised=4000)
    mirror.faults[documents[0]] = [half]
    fetch = ("fetch", "KSTL", "--form", "10-Q", "--last", "1", "--no-index")
    assert hybridrag(*fetch).code == 0
    (path,) = Path("filings").rglob("*.htm")
    assert path.read_bytes() == mirror.pages[documents[0]]
    path.unlink()
    mirror.faults[documents[0]] = [half] * 3
    ran = hybridrag(*fetch)
    assert ran.code == 1 and "did not come whole" in ran.err
    assert [name for name in kept() if name.endswith(".htm")] == []


def test_what_a_killed_fetch_left_half_written_goes(
    hybridrag: Any, mirror: Mirror, documents: list[str]
) -> None:
    folder = Path("filings/KSTL")
    folder.mkdir(parents=True)
    (folder / ".KSTL 10-Q 20240629 0001234567-24-000000.htm.4711").write_bytes(b"<html>")
    (folder / ".own").touch()
    assert hybridrag("fetch", "KSTL", "--form", "10-Q", "--last", "1", "--no-index").code == 0
    assert not list(folder.glob("*.4711")) and (folder / ".own").exists()


@pytest.mark.parametrize(
    "identity", ["", "Orla Kestrel", "Örla orla@example.com", "o@example.com\nX-Other: 1"]
)
def test_nobody_is_asked_without_an_identity(
    hybridrag: Any, mirror: Mirror, monkeypatch: pytest.MonkeyPatch, identity: str
) -> None:
    monkeypatch.setenv("EDGAR_IDENTITY", identity)
    ran = hybridrag("fetch", "KSTL")
    assert ran.code == 2 and 'EDGAR_IDENTITY="Ada Lovelace ada@example.com"' in ran.err
    assert mirror.asked == [] and not Path("filings").exists()


def test_a_folder_that_cannot_be_made_is_the_users_mistake(hybridrag: Any, mirror: Mirror) -> None:
    Path("taken").touch()
    ran = hybridrag("fetch", "KSTL", "--out", "taken")
    assert ran.code == 2 and "Can't fetch into 'taken'" in ran.err and mirror.asked == []


def test_a_wrong_ticker_number_or_form_is_the_users_mistake(
    hybridrag: Any, mirror: Mirror, documents: list[str]
) -> None:
    assert documents
    for company, words in (
        ("NOPE", "no company with the ticker 'NOPE'"),
        ("99", "no filer with the number (CIK) 99"),
        ("9" * 5_000, "no company with the ticker"),
    ):
        ran = hybridrag("fetch", company, "--no-index")
        assert ran.code == 2 and words in ran.err
    ran = hybridrag("fetch", "KSTL", "--form", "20-F", "--no-index")
    assert ran.code == 2 and "KSTL: EDGAR lists no 20-F." in ran.err
    assert kept() == []


def test_a_document_that_is_missing_of_no_kind_or_without_a_name_is_skipped_with_the_reason(
    hybridrag: Any, mirror: Mirror
) -> None:
    row = "2024-05-01", "2024-03-30", "10-Q"
    names = ("gone.htm", "form.xml", "", "there.htm")
    accessions = [f"0001234567-24-00000{number}" for number in range(4)]
    mirror.listing(CIK, [(accession, *row, name) for accession, name in zip(accessions, names, strict=True)])
    mirror.pages[f"/Archives/edgar/data/{CIK}/000123456724000003/there.htm"] = b"<html><p>Revenue</p></html>"
    ran = hybridrag("fetch", str(CIK), "--form", "10-Q", "--no-index", "--json")
    assert ran.code == 2
    assert [each["state"] for each in ran.objects] == ["skipped", "skipped", "skipped", "fetched"]
    reasons = [each["reason"] for each in ran.objects]
    assert "404" in reasons[0] and "not a kind of file" in reasons[1] and "old filing" in reasons[2]


@pytest.mark.parametrize(
    ("accession", "document"),
    [
        ("0001234567-24-000000", "../../../etc/passwd"),
        ("0001234567-24-000000", "a.htm?x=.htm"),
        ("../0001234567-24-000000", "a.htm"),
        ("0001234567-24-000000", "a.htm\n"),
    ],
)
def test_a_list_with_parts_that_edgar_does_not_document_is_refused(
    hybridrag: Any, mirror: Mirror, accession: str, document: str
) -> None:
    mirror.listing(CIK, [(accession, "2024-05-01", "2024-03-30", "10-Q", document)])
    ran = hybridrag("fetch", str(CIK), "--form", "10-Q", "--no-index")
    assert ran.code == 1 and "not as documented" in ran.err
    assert mirror.asked == [LIST]


@pytest.mark.parametrize(
    "page", [b"", b"<html>Maintenance</html>", b"{}", b'{"name": "K", "filings": {"recent": {}}}']
)
def test_a_list_that_is_none_is_told(hybridrag: Any, mirror: Mirror, page: bytes) -> None:
    mirror.pages[LIST] = page
    ran = hybridrag("fetch", str(CIK), "--no-index")
    assert ran.code == 1 and "otherwise than documented" in ran.err


def test_two_fetches_into_one_folder_do_not_meet(
    hybridrag: Any, mirror: Mirror, documents: list[str]
) -> None:
    Path("filings/.edgar").mkdir(parents=True)
    lock = os.open("filings/.edgar/lock", os.O_CREAT | os.O_WRONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ran = hybridrag("fetch", "KSTL", "--no-index")
    finally:
        os.close(lock)
    assert ran.code == 1 and "Another process is fetching into 'filings'" in ran.err and mirror.asked == []


def test_a_server_that_is_not_there_is_told(
    hybridrag: Any, mirror: Mirror, monkeypatch: pytest.MonkeyPatch, no_waiting: list[float]
) -> None:
    monkeypatch.setenv("HYBRIDRAG_EDGAR_URL", "http://127.0.0.1:1")
    ran = hybridrag("fetch", "KSTL", "--no-index")
    assert ran.code == 1 and "did not come whole" in ran.err and len(no_waiting) == 2


@pytest.fixture
def clock() -> tuple[list[float], Callable[[float], None]]:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += seconds

    return now, sleep


def test_requests_begin_apart_whatever_a_reply_takes(
    clock: tuple[list[float], Callable[[float], None]],
) -> None:
    now, sleep = clock
    spacing = Spacing(REQUESTS_A_SECOND, Pace(sleep=sleep, clock=lambda: now[0]))
    begun = []
    for took in (0.0, 0.01, 0.5, 0.0, 0.2, 0.0, 0.0):
        spacing.wait()
        begun.append(now[0])
        now[0] += took
    apart = [later - earlier for earlier, later in pairwise(begun)]
    assert min(apart) >= 1 / 8 and apart[2] == 0.5


def test_half_a_list_is_no_list(mirror: Mirror) -> None:
    mirror.faults["/x"] = [Reply(body=b"[1,", promised=9)] * 3
    with (
        EdgarClient(mirror.url, IDENTITY, Pace(sleep=lambda _: None)) as client,
        pytest.raises(EdgarError, match="whole"),
    ):
        client.get(f"{mirror.url}/x")
