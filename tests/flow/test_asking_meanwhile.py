"""Questions while the index is changed by others, and several at once."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from agent.assistant import Assistant
from agent.engines import local_engine
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.routed import build_routed
from graphs.state import Context
from tools.documents.metadata.document_metadata import Overrides

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
BOTH = Context(route="uncertain")


def test_a_reindex_by_another_writer_is_noticed_at_the_next_question(
    home_copy: Callable[[str], Path], tmp_path: Path
) -> None:
    home = home_copy("home")
    note = tmp_path / "Zubrowka.txt"
    question = "What does Calderith say about Zubrowka?"
    with Assistant(Settings(_env_file=None, home=home)) as reader:
        assert reader.ask(question).status == "abstained"
        before = reader.current().number
        note.write_text(
            "Calderith said that its Zubrowka project began in April and employs eleven engineers.\n",
            encoding="utf-8",
        )
        with Assistant(Settings(_env_file=None, home=home)) as writer:
            writer.index([note], Overrides(company="Calderith Semiconductor", ticker="CDTH"))
        after = reader.ask(question)
        assert reader.current().number > before
        assert "Zubrowka.txt" in {c.document for c in after.citations}


def test_a_question_is_answered_from_the_generation_that_it_began_with(
    home_copy: Callable[[str], Path],
) -> None:
    home = home_copy("home")
    with Assistant(Settings(_env_file=None, home=home)) as reader:
        engine = local_engine()
        graph = build_routed(reader.shelf, engine)
        state: Any = {"messages": [HumanMessage(REVENUE)]}
        seen = None
        for update in graph.stream(state, context=BOTH, stream_mode="updates"):
            if "condense" in update:
                with Assistant(Settings(_env_file=None, home=home)) as writer:
                    writer.remove("CDTH")
                assert list(reader.current().catalog.companies) == ["HRWM"]
            seen = update
        assert seen is not None
        answer: Answer = seen["answer"]["answer"]
        assert "1,284.6" in answer.answer
        assert {e.company_key for e in answer.evidence} == {"CDTH"}
        assert reader.ask(REVENUE).status == "abstained"


def test_questions_are_answered_while_another_process_indexes(
    home_copy: Callable[[str], Path], tmp_path: Path
) -> None:
    home = home_copy("home")
    note = tmp_path / "Quillfeather.txt"
    note.write_text("Quillfeather said that its revenue rose to $12.5 million.\n", encoding="utf-8")
    command = [sys.executable, "-m", "agent.cli.main", "index", str(note), "--home", str(home)]
    with Assistant(Settings(_env_file=None, home=home)) as reader:
        expected = reader.ask(REVENUE).answer
        answers = []
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as writer:
            while writer.poll() is None:
                answers.append(reader.ask(REVENUE).answer)
                time.sleep(0.05)  # for the writer
        assert writer.returncode == 0
        assert len(answers) > 3 and set(answers) == {expected}
        assert len(reader.current().generation.documents) == 5
        assert reader.ask(REVENUE).answer == expected


def test_many_threads_may_ask_at_once(assistant: Assistant) -> None:
    questions = [
        REVENUE,
        "Why did Calderith's gross margin change?",
        "Who is the chief financial officer of Harrowmere?",
        "What is the capital of France?",
    ] * 4
    expected = [assistant.ask(question).answer for question in questions]
    with ThreadPoolExecutor(8) as pool:
        assert [answer.answer for answer in pool.map(assistant.ask, questions)] == expected
