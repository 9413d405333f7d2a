"""Slash commands, progress, completion, control characters and the editor, each by itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage
from langchain_core.messages.tool import ToolCall
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output import DummyOutput
from rich.text import Text

from agent.chat.completion import ChatCompleter
from agent.chat.editor import HISTORY, Editor
from agent.chat.lines import MAX_LINE, TOO_LONG
from agent.chat.progress import Progress
from agent.chat.slash_commands import parse, question_of
from agent.chat.views import why
from agent.display.printable import shown
from agent.display.terminal import SafeConsole
from agent.threads.turn_parts import Step
from graphs.contracts import Answer, Route, Statement, Verdict

COMPLETER = ChatCompleter(
    {"company": "only this company", "pipeline": "who answers", "period": "only this period"},
    {"company": lambda: ["off", "Calderith Semiconductor Corporation", "CDTH"]},
    lambda: ["Calderith Semiconductor Corporation", "CDTH"],
)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("/help", ("help", "")),
        ("/", ("help", "")),
        ("/COMPANY  Calderith Semiconductor ", ("company", "Calderith Semiconductor")),
        ("/etc/hosts says what?", None),
        ("/2024/10Q.pdf has which revenue?", None),
        ("//help", None),
        ("What was net income?", None),
    ],
)
def test_a_slash_and_letters_alone_are_a_command(line: str, read: tuple[str, str] | None) -> None:
    assert parse(line) == read


def test_two_slashes_ask_what_looks_like_a_command() -> None:
    assert question_of("//sources of revenue?") == "/sources of revenue?"
    assert question_of("/etc/hosts?") == "/etc/hosts?"


def test_progress_tells_the_route_and_what_the_check_found() -> None:
    route = Route(kind="extractive", tools=("kg_search",), reason="names Apple", confidence=0.9)
    after = Progress().after
    call = {"question": "Net sales", "companies": ["ORLA"], "periods": ["FY2023"]}
    asked = AIMessage("", tool_calls=[ToolCall(name="kg_search", args=call, id="1", type="tool_call")])
    assert after(Step("plan", {"route": route, "lookups": [asked]})) == (
        "routing: extractive, names Apple -> kg_search",
        "looking for Net sales (ORLA, FY2023)",
        "searching",
    )
    assert after(Step("merge", {"evidence": [1, 2, 3]})) == ("found 3 pieces of evidence", "writing")
    good, bad = Statement(text="a", supported=True), Statement(text="b", supported=False)
    checked = Step("check", {"verdict": Verdict(statements=(good, bad), score=0.5)})
    assert after(checked) == ("checking 2 statements: 1 supported", "revising")
    assert after(Step("check", {"verdict": Verdict(statements=(good,), score=1.0)})) == (
        "checking 1 statement: 1 supported",
    )
    assert after(Step("check", {"verdict": Verdict(statements=(), score=None)})) == ()
    assert after(Step("revise", {})) == ("checking again",)
    assert after(checked) == ("checking 2 statements: 1 supported",), "sent back once"
    assert after(Step("a step of tomorrow", {})) == ()


def test_what_was_left_out_is_told_with_its_reason() -> None:
    good = Statement(text="Revenue rose", supported=True, evidence=(1, 2))
    bad = Statement(text="It was 9", supported=False, reason="number 9 is not in the cited evidence")
    answer = Answer(
        question="q",
        standalone_question="q",
        status="partial",
        answer="Revenue rose [1][2].",
        route=Route(kind="abstractive", tools=("vector_search",), reason="why", confidence=0.9),
        faithfulness=Verdict(statements=(good, bad), score=0.5),
    )
    assert [line.plain for line in why(answer)] == [
        "supported [1][2]: Revenue rose",
        "left out: It was 9 (number 9 is not in the cited evidence)",
        "partial",
    ]


def offered(line: str, *, asked_for: bool = True) -> list[str]:
    event = CompleteEvent(completion_requested=asked_for)
    return [found.text for found in COMPLETER.get_completions(Document(line), event)]


def test_tab_offers_commands_their_arguments_and_companies_within_a_question() -> None:
    assert offered("/p") == ["/pipeline", "/period"]
    assert offered("/company c") == ["Calderith Semiconductor Corporation", "CDTH"]
    assert offered("/nothing c") == []
    assert offered("What did cald") == ["Calderith Semiconductor Corporation"]
    assert offered("What did c") == []
    assert offered("What did cald", asked_for=False) == [], "nothing pops up while a question is typed"


def test_nothing_that_is_shown_can_act_on_a_terminal() -> None:
    assert shown("a\x1b[2Jb\x07\rc\x9b1m\u202ed\te\nf") == "ab\\x07\\rc\\u202ed\te\nf"
    console = SafeConsole(width=40, force_terminal=False, color_system=None)
    with console.capture() as capture:
        console.print(Text("red \x1b[31m alert \x1b]0;title\x07"))
    assert capture.get() == "red  alert \n"


@pytest.fixture
def keyboard() -> Iterator[PipeInput]:
    with create_pipe_input() as keys:
        yield keys


def test_a_paste_of_several_lines_is_one_question_and_is_remembered(
    keyboard: PipeInput, tmp_path: Path
) -> None:
    editor = Editor(tmp_path / "home", COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text("\x1b[200~What was\r\nnet income\r\n\x1b[201~ of CDTH?\r")
    assert editor.read("> ") == "What was\nnet income of CDTH?"
    kept = tmp_path / "home" / HISTORY
    assert kept.read_text(encoding="utf-8").count("+") == 2
    assert kept.stat().st_mode & 0o077 == 0
    again = Editor(tmp_path / "home", COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text("\x10\r")  # Ctrl-P: the line before
    assert again.read("> ") == "What was\nnet income of CDTH?"


@pytest.mark.timeout(20)  # without the editor's own parser a paste of this size takes a minute
def test_pasted_megabytes_are_refused_at_once_and_the_line_goes_on(
    keyboard: PipeInput, tmp_path: Path
) -> None:
    said: list[str] = []
    editor = Editor(tmp_path, COMPLETER, said.append, input=keyboard, output=DummyOutput())
    parser = keyboard.vt100_parser  # type: ignore[attr-defined]
    parser.feed("Hi\x1b[200~")
    for _ in range(12_000):
        parser.feed("x" * 1024)
    parser.feed("\x1b[201~!\r")
    keyboard.send_text("\x1b[C")  # wakes the reader
    assert editor.read("> ") == "Hi!"
    assert said == [TOO_LONG]


def test_a_paste_that_the_terminal_does_not_announce_stops_at_the_limit(
    keyboard: PipeInput, tmp_path: Path
) -> None:
    editor = Editor(tmp_path, COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text("y" * (MAX_LINE + 500) + "\r")
    with pytest.raises(ValueError, match="more than"):
        editor.read("> ")


def test_ctrl_c_clears_the_line_and_ctrl_d_leaves(keyboard: PipeInput, tmp_path: Path) -> None:
    editor = Editor(tmp_path, COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text("half a ques\x03")
    with pytest.raises(KeyboardInterrupt):
        editor.read("> ")
    keyboard.send_text("\x04")
    with pytest.raises(EOFError):
        editor.read("> ")


@pytest.mark.parametrize(("typed", "meant"), [("y\r", True), ("\r", False), ("no\r", False), ("\x03", False)])
def test_only_a_yes_confirms(keyboard: PipeInput, tmp_path: Path, typed: str, meant: bool) -> None:
    editor = Editor(tmp_path, COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text(typed)
    assert editor.confirm("Delete it?") is meant


def test_a_home_that_can_not_be_written_costs_the_history_alone(keyboard: PipeInput, tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file, not a folder", encoding="utf-8")
    editor = Editor(tmp_path / "home", COMPLETER, print, input=keyboard, output=DummyOutput())
    keyboard.send_text("hello\r")
    assert editor.read("> ") == "hello"
