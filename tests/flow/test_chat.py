"""`hybridrag chat` and `hybridrag threads` through pipes, in this process."""

from __future__ import annotations

import io
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.chat.lines import MAX_LINE
from agent.settings import Settings
from agent.threads.sessions import Sessions
from tests.endpoint import HANG, MODEL, serving

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
Chat = Callable[..., Any]


@pytest.fixture(scope="session")
def chat_home(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample home that has threads; its documents are not written to."""
    return Path(shutil.copytree(untouched_home, tmp_path_factory.mktemp("chat") / "home"))


@pytest.fixture
def chat(hybridrag: Any, chat_home: Path, monkeypatch: pytest.MonkeyPatch, request: Any) -> Chat:
    """Runs a chat over these lines, on a thread of the test's own."""

    def run(*lines: str, words: tuple[str, ...] = ("--no-suggest",), home: Path = chat_home) -> Any:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        thread = () if "--thread" in words else ("--thread", request.node.name[:90])
        return hybridrag("chat", "--home", home, *thread, *words)

    return run


def test_every_line_of_a_pipe_is_a_turn_and_follow_ups_are_understood(chat: Chat) -> None:
    ran = chat(REVENUE, "", "And the year before?")
    assert (ran.code, ran.err) == (0, "")
    first, second = ran.out.split("understood as: ")
    answer, blank, citation, footer, *_ = first.splitlines()
    assert "1,284.6 million USD" in answer and blank == ""
    assert citation.startswith("[1] 10Q-Q2-2024.pdf, p. 3 (graph): ")
    assert footer.startswith("answered · extractive -> kg_search · faithfulness 1.00 (1 of 1 statements")
    assert second.startswith("What was Calderith's total revenue in ") and "1,141.4 million USD" in second
    assert ">" not in ran.out.replace("->", ""), "no prompt"


def test_what_was_asked_can_be_looked_into(chat: Chat) -> None:
    ran = chat("/why", REVENUE, "/sources", "/why", "/route")
    assert ran.code == 2 and "no answer yet" in ran.err, "/why before the first answer"
    assert "10Q-Q2-2024.pdf, p. 3\n  [1] graph, cited: " in ran.out
    assert "10Q-Q2-2024.pdf, p. 7\n  [" in ran.out, "other pages apart"
    assert "supported [1]: Calderith Semiconductor Corporation's total revenue" in ran.out
    assert "route: extractive -> kg_search, confidence 0." in ran.out and "seconds: condense" in ran.out


def test_pinned_filters_hold_until_they_are_let_go(chat: Chat) -> None:
    ran = chat("/company harrowmere", "/period 2024 Q3", "What was net income?", "/company off", "/period off",
               "What was net income?", "")  # fmt: skip
    assert ran.code == 0
    pinned, free = ran.out.split("All companies.")
    assert "Only Harrowmere Stores, Inc., until /company off." in pinned and "Only 2024 Q3" in pinned
    assert "three months ended September 30, 2024" in pinned
    assert (
        "Limited to: Harrowmere Stores, Inc., Q3 2024" in pinned
        and "Limited to" not in free.split("All periods.")[1]
    )
    assert "Harrowmere" not in free.split("understood as")[0].split("All periods.")[0]


def test_a_type_and_a_document_are_pinned_until_they_are_let_go(chat: Chat) -> None:
    ran = chat("/type 10q", "/type", "/document 10Q-Q3-2024.pdf", "What was net income?", "/document off", "/type off",
               "/document", "/type call", "/document 10Q-Q3-2024.pdf")  # fmt: skip
    assert "Only documents of the type 10-Q, until /type off." in ran.out
    assert "Pinned: 10-Q. Indexed: 10-Q, call." in ran.out
    pinned, free = ran.out.split("All documents.")
    assert "Only 10Q-Q3-2024.pdf, until /document off." in pinned and "[1] 10Q-Q3-2024.pdf, p. " in pinned
    assert "All types of documents." in free and "Pinned: none. Write /document NAME" in free
    assert ran.code == 2 and "the other filters leave it out" in ran.err


def test_flags_pin_filters_and_the_pipeline(chat: Chat) -> None:
    flags = ("--no-suggest", "--company", "CDTH", "--year", "2024", "--quarter", "2", "--pipeline", "graph")
    ran = chat("What was net income?", "/pipeline", "/why", words=flags)
    assert "200.4 million USD" in ran.out and "faithfulness not checked" in ran.out
    assert "Pipeline: graph." in ran.out and "The 'graph' pipeline checks nothing." in ran.out


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/sorces", "No command '/sorces'. Did you mean /sources?"),
        ("/company nobody", "No company 'nobody' in the index. Indexed: Calderith Semiconductor Corporation"),
        ("/type 10-G", "No document in the index is of the type '10-G'. Did you mean 10-Q?"),
        ("/document 10Q-Q9-2024.pdf", "No document '10Q-Q9-2024.pdf' in the index. Did you mean 10Q-Q"),
        ("/period soon", "'soon' is not a period. Write /period 2023,"),
        ("/period 1 2024 3", "is not a period"),
        ("/pipeline fast", "No pipeline 'fast'. There are: agent, vector, graph, hybrid, ontology."),
        ("/thread nothing like it", "No thread 'nothing like it'. /threads lists them, /new"),
        ("/delete nothing like it", "No thread 'nothing like it'"),
        ("/rename", "Write /rename NAME."),
        ("/export", "Write /export FILE.md or /export FILE.json."),
        ("/export ~nobody-of-this-name/a.md", "has no answers yet"),
        ("/export notes.txt", "'notes.txt' must end in .md"),
        ("/export notes.md", "has no answers yet"),
        ("x" * (MAX_LINE + 1), "That has more than 3,000 characters"),
    ],
)
def test_a_mistake_is_told_the_next_line_works_and_the_exit_code_is_2(
    chat: Chat, line: str, told: str
) -> None:
    ran = chat(line, "/pipeline", words=("--no-suggest", "--thread", "mistakes"))
    assert ran.code == 2
    assert told in ran.err and ran.err.startswith("hybridrag: ") and ran.err.count("\n") == 1
    assert ran.out == "Pipeline: agent.\n"


def test_a_question_that_begins_with_a_slash_can_be_asked(chat: Chat) -> None:
    ran = chat("/reports/2024 names which total revenue for Calderith in the quarter ended March 30, 2024?")
    assert ran.code == 0 and "1,284.6 million USD" in ran.out
    ran = chat(f"//Calderith: {REVENUE}", "/export asked.json")
    assert (
        json.loads(Path("asked.json").read_text(encoding="utf-8"))[-1]["question"] == f"/Calderith: {REVENUE}"
    )


def test_pasted_megabytes_are_refused_and_the_next_line_is_answered(chat: Chat) -> None:
    ran = chat("x" * 5_000_000, REVENUE)
    assert ran.code == 2 and "more than 3,000 characters" in ran.err
    assert "1,284.6 million USD" in ran.out


def test_control_characters_never_reach_the_output(chat: Chat) -> None:
    ran = chat(f"\x1b[31m\x07{REVENUE}\u202e\x00", "/thread \x1b]0;owned\x07", "/export \x1b[2J.md")
    assert not {"\x1b", "\x07", "\x00", "\u202e"} & set(ran.out + ran.err)
    assert "1,284.6" in ran.out


def test_a_clarification_takes_the_next_line_as_its_reply(chat: Chat) -> None:
    ran = chat("What was net income in the latest quarter?", "/pipeline", "2")
    asked, answered = ran.out.split("Pipeline: agent.")
    assert "Which company do you mean?\n  1. Calderith" in asked and "  2. Harrowmere Stores, Inc." in asked
    assert "Harrowmere Stores, Inc.'s net income" in answered and ran.code == 0


def test_an_empty_line_drops_a_clarification_and_a_later_chat_asks_it_again(chat: Chat) -> None:
    asked = "Which company do you mean?"
    assert asked in chat("What was net income in the latest quarter?").out
    again = chat("")
    assert again.out.startswith(asked) and "The question is dropped." in again.out
    assert chat("/pipeline").out == "Pipeline: agent.\n"


def test_the_number_of_a_suggestion_asks_it(chat: Chat) -> None:
    ran = chat(REVENUE, "1", words=())
    suggested = [line for line in ran.out.splitlines() if line.startswith("  1. ")]
    assert len(suggested) == 2 and ran.out.count("  3. ") == 2
    assert f"\n> {suggested[0].removeprefix('  1. ')}\n" in ran.out
    assert ran.out.count("answered · ") == 2
    assert "  1. " not in chat(REVENUE).out, "off with --no-suggest"


def test_threads_are_made_left_renamed_and_deleted_within_a_chat(chat: Chat) -> None:
    ran = chat(REVENUE, "/rename ../a b/c", "/new other", "/threads", "/thread ../a b/c", "And the year before?",
               "/new other", "/delete other", "/delete", "/threads")  # fmt: skip
    assert ran.code == 2 and ran.err == (
        "hybridrag: There is a thread 'other' already: /thread other goes there.\n"
    )
    assert "This thread is now called ../a b/c." in ran.out
    assert "* other  0 turns, " in ran.out and "  ../a b/c  1 turn, " in ran.out
    assert "1,141.4 million USD" in ran.out, "back on the thread, its past is known"
    assert "Deleted 'other'.\nDeleted '../a b/c'.\n" in ran.out


def test_threads_can_be_managed_without_a_chat(chat: Chat, hybridrag: Any, chat_home: Path) -> None:
    chat(REVENUE, words=("--no-suggest", "--thread", "kept"))
    of_home = ("--home", chat_home)
    (listed,) = [o for o in hybridrag("threads", "--json", *of_home).objects if o["name"] == "kept"]
    assert listed["turns"] == 1 and listed["used"] >= listed["created"]
    assert hybridrag("threads", "rename", "kept", "named anew", *of_home).code == 0
    assert "named anew\t1\t" in hybridrag("threads", "list", *of_home).out
    assert hybridrag("threads", "export", "named anew", "a.md", *of_home).code == 0
    again = hybridrag("threads", "export", "named anew", "a.md", *of_home)
    assert again.code == 2 and "'a.md' exists and is not overwritten" in again.err
    assert hybridrag("threads", "delete", "named anew", *of_home).code == 0
    gone = hybridrag("threads", "delete", "named anew", *of_home)
    assert gone.code == 2 and "No thread 'named anew'" in gone.err


def test_a_new_thread_in_which_nothing_was_asked_is_not_kept(
    hybridrag: Any, chat_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = hybridrag("threads", "--home", chat_home).out
    monkeypatch.setattr(sys, "stdin", io.StringIO("/pipeline\n"))
    assert hybridrag("chat", "--home", chat_home).code == 0
    assert hybridrag("threads", "--home", chat_home).out == before


def test_an_export_holds_questions_answers_pages_and_statuses(chat: Chat) -> None:
    chat(
        REVENUE, "And the year before?", "What is the *capital* of France?", "/export a.md", "/export a.json"
    )
    text = Path("a.md").read_text(encoding="utf-8")
    assert text.startswith("# test\\_an\\_export")
    assert f"## 1. {REVENUE}" in text and "## 2. And the year before?\n\n*Understood as: " in text
    assert "## 3. What is the \\*capital\\* of France?" in text, "a question can't be markup"
    assert "- [1] 10Q-Q2-2024.pdf, p. 3: " in text
    assert (
        " UTC · answered · 1 of 1 statements stand in their sources · Looked up in the knowledge graph, in "
        in text
    )
    assert " UTC · not answered · Nothing was looked up, in " in text
    turns = json.loads(Path("a.json").read_text(encoding="utf-8"))
    assert [turn["number"] for turn in turns] == [1, 2, 3]
    assert turns[0]["answer"]["citations"][0]["page"] == 3
    assert chat("/export missing/a.md").code == 2 and chat("/export a.json").code == 2
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "a.md"], "no drafts are left"


def test_without_an_index_questions_fail_and_threads_work(chat: Chat, home_copy: Any, hybridrag: Any) -> None:
    home = home_copy()
    chat(REVENUE, home=home)
    for name in ("CURRENT", "manifest.json"):
        (home / name).unlink()
    shutil.rmtree(home / "generations")
    shutil.rmtree(home / "documents")
    ran = chat("And the year before?", "/threads", "/why", "/export kept.md", home=home)
    assert ran.code == 2
    assert "No index at" in ran.err and "hybridrag index PATH" in ran.err and ran.err.count("\n") == 1
    assert "  1 turn, " in ran.out and "supported [1]" in ran.out and Path("kept.md").exists()


def test_an_unknown_company_or_a_bad_name_ends_before_the_first_line(chat: Chat, hybridrag: Any) -> None:
    assert "No company 'nobody'" in chat(REVENUE, words=("--company", "nobody")).err
    bad = chat(REVENUE, words=("--thread", "a\x1b[2Jb"))
    assert bad.code == 2 and "control characters" in bad.err and "\x1b" not in bad.err
    nowhere = chat(REVENUE, home=Path("/dev/null/home"))
    assert nowhere.code == 2 and "can't be used: " in nowhere.err


def test_a_thread_on_which_another_chat_is_answering_is_left_to_it(
    chat: Chat, chat_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Assistant(Settings(_env_file=None, home=chat_home)) as assistant, Sessions(assistant) as sessions:
        events = sessions.open("shared").ask(REVENUE)
        next(events)
        monkeypatch.setenv("HYBRIDRAG_DEADLINE", "0.2")
        ran = chat("What was net income?", "/pipeline", words=("--no-suggest", "--thread", "shared"))
        assert (
            ran.code == 2
            and "answering on the thread 'shared'" in ran.err
            and ran.out == "Pipeline: agent.\n"
        )
        *_, answer = events
        assert [turn.answer for turn in sessions.open("shared").turns()] == [answer]


def test_a_chat_killed_in_the_middle_of_an_answer_goes_on_where_it_was(
    chat: Chat, chat_home: Path, tmp_path: Path
) -> None:
    with serving(HANG) as server:
        settings = {"HYBRIDRAG_LLM_BASE_URL": server.base_url, "HYBRIDRAG_LLM_MODEL": MODEL}
        process = subprocess.Popen(
            [sys.executable, "-m", "agent.cli.main", "chat", "--home", str(chat_home), "--thread", "killed"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=settings,
            cwd=Path(__file__).parents[2],
        )
        process.stdin.write(REVENUE.encode() + b"\n")
        process.stdin.flush()
        while not server.chats and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdin.close()
    ran = chat("And the year before?", words=("--no-suggest", "--thread", "killed"))
    first, *_ = ran.out.splitlines()
    assert first == f"Going on with the question that was cut off: {REVENUE}"
    assert "1,284.6 million USD" in ran.out and "1,141.4 million USD" in ran.out and ran.code == 0
    with Sessions(Assistant(Settings(_env_file=None, home=chat_home))) as sessions:
        assert [turn.question for turn in sessions.open("killed").turns()] == [
            REVENUE,
            "And the year before?",
        ]
