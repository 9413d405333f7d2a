"""The screen: lines for people, objects for programs, and never both on standard output."""

from __future__ import annotations

import json

import pytest

from agent.display import screen
from agent.display.screen import Screen
from tools.store.reading.report import Progress


def test_with_json_only_objects_come_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    shown = Screen(as_json=True)
    shown.line("words")
    shown.show(lambda: pytest.fail("a rich view"), lambda: "words")
    shown.json({"company": "Orla"})
    shown.json(b'{"company": "Kestrel"}')
    shown.note("a warning")
    out, err = capsys.readouterr()
    assert [json.loads(line)["company"] for line in out.splitlines()] == ["Orla", "Kestrel"]
    assert err == "a warning\n"


def test_without_it_only_lines_do_and_nothing_in_them_moves_a_cursor(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = Screen(as_json=False)
    shown.json({"company": "Orla"})
    shown.line("Orla\x1b[2J")
    assert capsys.readouterr().out == "Orla\\x1b[2J\n"


def test_what_takes_long_is_said_once_it_does(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Screen(as_json=False).working() as say:
        say("checking")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(screen, "QUIET_SECONDS", 0.01)
    with Screen(as_json=False).working() as say:
        say("checking")
        while "checking ..." not in capsys.readouterr().err:
            pass


def test_progress_is_a_line_a_stage_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with Screen(as_json=False).progress() as advance:
        advance(Progress("reading", 0, 2))
        advance(Progress("vectors", 2, 2))
    assert capsys.readouterr().err == "vectors ...\n"
