"""A running LangGraph server, and an index that others make, change and empty under it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agent.assistant import Assistant
from agent.settings import Settings
from tests.server import server

QUESTION = "What was said about revenue?"


def test_each_question_is_answered_from_the_index_of_its_moment(tmp_path: Path) -> None:
    home, note, folder = tmp_path / "home", tmp_path / "note.txt", tmp_path / "server"
    folder.mkdir()
    writer = Assistant(Settings(_env_file=None, home=home))  # in this process; the server has its own
    with server(home, folder, {"HYBRIDRAG_INDEX_ROOTS": str(tmp_path)}) as studio:
        thread = studio.thread()

        def told() -> tuple[str, list[str]]:
            answer = studio.ask(thread, QUESTION)["answer"]
            texts = [piece["text"] for piece in answer["evidence"]]
            assert {c["document"] for c in answer["citations"]} <= {"note.txt"}
            return answer["answer"], texts

        answer, texts = told()
        assert "No index at" in answer and "hybridrag index PATH" in answer and texts == []
        no_model = studio.ask(None, QUESTION, context={"engine": "model"}, raise_error=False)
        assert "set HYBRIDRAG_LLM_BASE_URL" in no_model["__error__"]["message"]

        note.write_text("Orla said that revenue rose to $12.5 million.\n", "utf-8")
        paths: Any = {"paths": [str(note)]}
        done: Any = studio.client.runs.wait(None, "indexing", input=paths)
        assert done["error"] == "" and [f["state"] for f in done["files"]] == ["indexed"]
        answer, _ = told()
        assert "12.5 million" in answer

        note.write_text("Orla said that revenue fell to $9.7 million.\n", "utf-8")
        writer.index([note])
        answer, texts = told()
        assert "9.7 million" in answer and not any("12.5" in text for text in texts)

        writer.remove("note.txt")
        answer, texts = told()
        assert "9.7" not in answer and texts == []
