"""Histories through the whole assistant: imported, learned from, shown in a chat with the reason, exported."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from pydantic import BaseModel

from agent.assistant import Assistant
from graphs.contracts import Answer
from graphs.state import STORED
from tests.desk import REVENUE, STEPS, USERS, HomeCopy, history, write


def test_a_file_is_imported_once_its_bad_lines_named_and_the_rest_kept(
    hybridrag: Any, untouched_home: Path, home_copy: HomeCopy, tmp_path: Path
) -> None:
    home = home_copy("home")
    rows: list[Any] = [
        *history(USERS[:2]),
        {"user": "ann", "time": 1},
        {"user": "ann", "time": 2, "question": "Hi"},
    ]
    file = write(tmp_path / "desk.jsonl", iter(rows))
    ran = hybridrag("recommend", "import", file, "--home", home)
    assert ran.code == 2 and "line 7: neither item nor question" in ran.err
    assert "6 events added" in ran.out and "1 questions name no company" in ran.out
    again = hybridrag("recommend", "import", file, "--home", home, "--json")
    assert again.code == 2
    assert again.objects[0]["line"] == 7
    assert again.objects[1] == {
        "read": 6,
        "added": 0,
        "bad": 1,
        "not_understood": 1,
        "users": 2,
        "items": 3,
        "events": 6,
    }
    told = hybridrag("recommend", "status", "--home", home, "--json").objects[0]
    assert (told["level"], told["users"], told["events"], told["learned"]) == ("rules", 2, 6, None)


def test_a_home_without_histories_says_so_and_how_to_begin(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("recommend", "status", "--home", sample_home)
    assert ran.code == 0 and "recommend import FILE" in ran.out
    for words in (("train",), ("forget", "eve")):
        assert hybridrag("recommend", *words, "--home", sample_home).code == 2
    assert not (sample_home / "histories").exists()
    ran = hybridrag("recommend", "import", "nothing.txt", "--home", sample_home / "none")
    assert ran.code == 2 and "nothing.txt" in ran.err


def chat(hybridrag: Any, monkeypatch: pytest.MonkeyPatch, home: Path, *lines: str, thread: str) -> Any:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return hybridrag("chat", "--home", home, "--thread", thread)


def test_a_chat_suggests_first_what_others_went_on_to_and_says_so(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch, desk_home: Path
) -> None:
    ran = chat(hybridrag, monkeypatch, desk_home, REVENUE, "1", thread="desk")
    first, second = (line for line in ran.out.splitlines() if line.startswith("  1. "))
    assert "net income" in first and first.endswith("(8 of 8 users went on to net income)")
    assert second.startswith("  1. Who is the CF") and second.endswith(
        "(8 of 8 users went on to who leads it)"
    )
    assert f"> {first.removeprefix('  1. ').partition(' (')[0]}\n" in ran.out, (
        "its number asks it without the reason"
    )

    named = hybridrag("recommend", "next", "--home", desk_home, "--json").objects
    assert named[0]["item"] == "CDTH/officers" and named[0]["by"] == "transitions"


def test_a_run_that_wants_suggestions_has_their_reasons_in_its_answer(desk_home: Path) -> None:
    with Assistant.open(desk_home) as assistant:
        answer = assistant.ask(REVENUE)
        named = assistant.next_questions(answer)
        assert named[0].why and assistant.suggest(answer) == tuple(each.question for each in named)
        graph = assistant.build("agent")
        context = assistant.context()
        context.suggest = True
        from langchain_core.messages import HumanMessage

        state: Any = {"messages": [HumanMessage(REVENUE)]}
        told: Answer = graph.invoke(state, context=context)["answer"]
    assert told.suggestions == tuple(each.question for each in named)
    assert told.why_suggested == tuple(each.why for each in named)


def test_what_comes_next_for_a_user_and_for_one_who_is_unknown(
    hybridrag: Any, desk_home: Path, tmp_path: Path
) -> None:
    rows = [{"user": "new", "time": 1_700_000_000, "item": "CDTH/figure/revenue"}]
    file = write(tmp_path / "new.jsonl", iter(rows))
    assert hybridrag("recommend", "import", file, "--home", desk_home).code == 0
    ran = hybridrag("recommend", "next", "--user", "new", "-k", "1", "--home", desk_home)
    assert ran.out.startswith("1. What was Calderith Semiconductor's net income in ") and "2. " not in ran.out
    unknown = hybridrag("recommend", "next", "--user", "nobody", "--home", desk_home)
    assert unknown.code == 0 and "No history of this user" in unknown.err and "rules suggest" in unknown.err
    with Assistant.open(desk_home) as assistant:
        assert all(each in unknown.out for each in assistant.examples())


def test_what_was_asked_here_is_exported_for_a_desk_that_collects_it(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch, home_copy: HomeCopy, tmp_path: Path
) -> None:
    home = home_copy("home")
    chat(
        hybridrag,
        monkeypatch,
        home,
        "What was Calderith's net income in 2023?",
        "Hello",
        "/quit",
        thread="one",
    )
    asked, topics = tmp_path / "asked.jsonl", tmp_path / "topics.jsonl"
    assert hybridrag("threads", "export", "--events", "--user", "ann", asked, "--home", home).code == 0
    ran = hybridrag("threads", "export", "--events", "--items", "--user", "ann", topics, "--home", home)
    assert "1 questions; 1 have no topic" in ran.out
    rows = [json.loads(line) for line in asked.read_text().splitlines()]
    assert [row["question"] for row in rows] == ["What was Calderith's net income in 2023?", "Hello"]
    (row,) = [json.loads(line) for line in topics.read_text().splitlines()]
    assert row == {"user": "ann", "time": rows[0]["time"], "item": "CDTH/figure/net income"}
    assert not (home / "histories").exists(), "nothing is imported by itself"
    for file in (asked, topics):
        assert hybridrag("recommend", "import", file, "--home", home).code == 0
    assert hybridrag("recommend", "status", "--home", home, "--json").objects[0]["events"] == 1
    for words in (("--events", "one", tmp_path / "x.jsonl"), (tmp_path / "x.md",), ("--events", asked)):
        assert hybridrag("threads", "export", *words, "--home", home).code == 2


def test_an_answer_that_was_kept_before_suggestions_had_reasons_is_read(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = assistant.ask(REVENUE)
    old = answer.model_dump(mode="json")
    del old["why_suggested"]
    assert Answer.model_validate(old) == answer
    serializer = JsonPlusSerializer(allowed_msgpack_modules=list(STORED))
    with monkeypatch.context() as patch:
        patch.setattr(
            Answer, "model_dump", lambda self: BaseModel.model_dump(self, exclude={"why_suggested"})
        )
        checkpoint = serializer.dumps_typed(answer)
    assert b"why_suggested" not in checkpoint[1] and serializer.loads_typed(checkpoint) == answer


def test_no_user_of_the_machine_has_to_be_known_to_export(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch, home_copy: HomeCopy, tmp_path: Path
) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr("getpass.getuser", nobody)
    ran = hybridrag("threads", "export", "--events", tmp_path / "asked.jsonl", "--home", home_copy("home"))
    assert ran.code == 2 and "--user" in ran.err and not (tmp_path / "asked.jsonl").exists()


@pytest.mark.parametrize("seed", ["-1", "1.5", "4294967296"])
def test_a_seed_that_no_generator_takes_is_told(hybridrag: Any, desk_home: Path, seed: str) -> None:
    ran = hybridrag("recommend", "train", "--seed", seed, "--home", desk_home)
    assert ran.code == 2 and f"'{seed}' is not a whole number" in ran.err


def test_what_was_asked_is_not_named_next_and_what_rules_name_is_told_apart(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch, desk_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(desk_home, tmp_path / "home"))
    income = "What was Calderith Semiconductor's net income in the quarter ended March 30, 2024?"
    chat(hybridrag, monkeypatch, home, STEPS[2], income, REVENUE, thread="backwards")
    ran = hybridrag("recommend", "next", "--home", home)
    told = hybridrag("recommend", "next", "--home", home, "--json").objects
    assert told and all(each["by"] == "rules" and not each["why"] for each in told)
    assert "Nothing more that others did can be asked here, so rules suggest." in ran.err
    rows = hybridrag("threads", "export", "--events", tmp_path / "x.jsonl", "--user", "ann", "--home", home)
    assert rows.code == 0
    done = [json.loads(line)["question"] for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert income in done and not {each["question"] for each in told} & set(done)
