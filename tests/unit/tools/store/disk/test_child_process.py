from __future__ import annotations

import signal
from collections.abc import Iterator

import orjson
import pytest

from tools.store.disk.child_process import ChildProcess, environment


@pytest.fixture
def child() -> Iterator[ChildProcess]:
    started = ChildProcess("tests.line_stand_in")
    yield started
    started.end()


def line(child: ChildProcess) -> bytes:
    while (found := child.take_line()) is None:
        assert child.receive(60)
    return found


def test_lines_go_in_and_come_back_one_by_one(child: ChildProcess) -> None:
    for number in range(3):
        child.send({"n": number})
    assert [orjson.loads(line(child)) for _ in range(3)] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert child.take_line() is None
    assert child.running


def test_half_a_line_is_not_taken(child: ChildProcess) -> None:
    child.send({"half": True})
    assert child.receive(60)
    assert child.take_line() is None
    assert not child.receive(0.0)
    child.send({})
    assert line(child) == b"half a li{}"


@pytest.mark.parametrize(
    ("message", "end"),
    [
        ({"kill": signal.SIGKILL}, ("SIGKILL", -9, "")),
        ({"leave": 3}, ("", 3, "")),
        ({"raise": "no rule"}, ("", 1, "RuntimeError: no rule")),
    ],
)
def test_how_a_process_ended_is_said(
    message: dict[str, object], end: tuple[str, int, str], child: ChildProcess
) -> None:
    child.send(message)
    with pytest.raises(EOFError):
        child.receive(60)
    assert child.how_it_ended() == end
    assert not child.running


def test_nothing_can_be_sent_after_the_end(child: ChildProcess) -> None:
    child.end()
    assert not child.running
    with pytest.raises(ValueError, match="closed"):
        child.send({})


def test_a_child_knows_no_secret_and_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HYBRIDRAG_API_KEY", "OPENAI_APIKEY", "MY_TOKEN", "db_password", "PLAIN"):
        monkeypatch.setenv(name, "x")
    known = environment()
    assert known["PLAIN"] == "x"
    assert not {"HYBRIDRAG_API_KEY", "OPENAI_APIKEY", "MY_TOKEN", "db_password"} & set(known)
    assert known["OMP_NUM_THREADS"] == "1"
