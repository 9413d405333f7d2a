"""The screen: lines for people, objects for programs, and never both on standard output."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from agent.display import screen
from agent.display.progress_bar import ReadingBar
from agent.display.progress_words import left_words
from agent.display.screen import Screen
from tools.store.reading.pace import FileAt
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
    assert capsys.readouterr().out == "Orla\n"


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


def at(**changes: Any) -> Progress:
    in_hand = (FileAt("a.pdf", "pages", 12, 28), FileAt("b.pdf", "facts", 0, 0))
    return replace(Progress("reading", 1, 6, in_hand=in_hand, share=0.2, seconds_left=125.0), **changes)


def test_elsewhere_files_pages_and_time_to_go_are_said_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Screen(as_json=False).progress() as advance:
        advance(at())
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(screen, "QUIET_SECONDS", 0.0)
        advance(at())
        advance(at(published=(3, 6)))
    assert capsys.readouterr().err.splitlines() == [
        "[1/6] reading a.pdf, page 12 of 28; b.pdf, looking for facts; about 3 min left",
        "[1/6] 3 of 6 documents can be asked now",
    ]


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.0, "about 10 s left"),
        (41.0, "about 50 s left"),
        (61.0, "about 2 min left"),
        (4300.0, "about 1 h 12 min left"),
    ],
)
def test_time_to_go_is_rounded_up(seconds: float | None, words: str) -> None:
    assert left_words(at(seconds_left=seconds)) == words


def test_a_terminal_shows_files_in_hand_below_the_bar() -> None:
    console = Console(width=100)
    bar = ReadingBar(console)
    bar.show_run(at(published=(3, 6)))
    with console.capture() as shown:
        console.print(bar.get_renderable())
    lines = shown.get().splitlines()
    assert lines[0].startswith("reading") and "1/6 files" in lines[0] and "about 3 min left" in lines[0]
    assert [line.strip() for line in lines[1:]] == [
        "a.pdf, page 12 of 28",
        "b.pdf, looking for facts",
        "3 of 6 documents can be asked now",
    ]
