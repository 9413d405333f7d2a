"""The hybridrag command, run in this process: what it prints where, and its exit codes."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from tools.store.disk.lock import WriterLock

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
ANSWER_KEYS = [
    *[
        "id",
        "question",
        "standalone_question",
        "status",
        "reason",
        "answer",
        "route",
        "calculations",
        "citations",
        "nearest",
        "evidence",
    ],
    *[
        "faithfulness",
        "gaps",
        "pipeline",
        "engine",
        "usage",
        "seconds",
        "limits",
        "suggestions",
        "why_suggested",
    ],
]


def test_ask_shows_status_route_answer_citations_faithfulness_and_seconds(
    hybridrag: Any, sample_home: Path
) -> None:
    ran = hybridrag("ask", "--home", sample_home, REVENUE)
    assert ran.code == 0 and ran.err == ""
    first, *rest = ran.out.splitlines()
    assert first.startswith("answered: extractive -> kg_search (")
    assert "1,284.6 million USD" in ran.out
    assert [line for line in rest if line.startswith("[1] 10Q-Q2-2024.pdf, p. 3 (graph): ")]
    assert "faithfulness 1.00 (1 of 1 statements supported)" in rest[-1] and " s · local engine" in rest[-1]


def test_ask_json_prints_one_object_with_the_keys_of_the_design(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("ask", "--home", sample_home, "--json", "--pipeline", "agent", REVENUE)
    (answer,) = ran.objects
    assert ran.code == 0
    assert sorted(answer) == sorted(ANSWER_KEYS)
    assert (answer["id"], answer["question"], answer["status"]) == (None, REVENUE, "answered")
    assert set(answer["route"]) == {"kind", "tools", "reason", "confidence", "widened"}
    assert [set(c) for c in answer["citations"]] == [
        {"marker", "source", "document", "page", "place", "quote"}
    ]
    for item in answer["evidence"]:
        assert {"rank", "source", "document", "page", "text", "score"} <= set(item)
    assert set(answer["faithfulness"]) == {"score", "statements"}
    for statement in answer["faithfulness"]["statements"]:
        assert {"text", "supported", "evidence"} <= set(statement)
    nothing = {"calls": 0, "input_tokens": 0, "output_tokens": 0, "by_step": {}, "cost": None}
    assert answer["usage"] == nothing
    assert {"total", "plan", "retrieve"} <= set(answer["seconds"])
    assert (answer["pipeline"], answer["engine"], answer["reason"]) == ("agent", "local", None)


def test_a_refusal_is_an_answer_too_and_exits_with_0(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("ask", "--home", sample_home, "What is the capital of France?")
    assert ran.code == 0
    assert ran.out.startswith("abstained: ") and "out_of_scope" in ran.out


def test_a_question_can_come_from_standard_input(
    hybridrag: Any, sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(REVENUE + "\n"))
    (answer,) = hybridrag("ask", "--home", sample_home, "--json", "-").objects
    assert answer["question"] == REVENUE


def test_filters_and_pipeline_reach_the_answer(hybridrag: Any, sample_home: Path) -> None:
    words = ("--company", "HRWM", "--year", "2024", "--quarter", "3", "--pipeline", "hybrid", "--json")
    (answer,) = hybridrag("ask", "--home", sample_home, *words, "What were total net sales?").objects
    assert answer["pipeline"] == "hybrid" and answer["evidence"]
    assert {item["company_key"] for item in answer["evidence"]} == {"HRWM"}


def test_the_home_can_come_from_the_environment_or_an_env_file(
    hybridrag: Any, sample_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(".env").write_text(f"HYBRIDRAG_HOME={sample_home}\nOTHER_PROGRAM=1\n", encoding="utf-8")
    assert hybridrag("ask", REVENUE).code == 0
    monkeypatch.setenv("HYBRIDRAG_HOME", "nowhere")
    assert "No index at 'nowhere'" in hybridrag("ask", REVENUE).err


@pytest.mark.usefixtures("cold")
def test_index_documents_remove_and_ask_again(hybridrag: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "Orrery.md").write_text(
        "# Orrery Clocks Ltd\n\nRevenue was $41.5 million in the year ended June 30, 2024.\n",
        encoding="utf-8",
    )
    (notes / "picture.png").write_bytes(b"\x89PNG")
    ran = hybridrag(
        "index", notes, "--company", "Orrery Clocks Ltd", "--ticker", "ORRY", "--period-end", "2024-06-30"
    )
    assert ran.code == 0
    assert "skipped: " in ran.out and "picture.png" in ran.out
    assert "The index holds 1 document," in ran.out
    assert "indexed" in ran.err and "indexed" in ran.out

    (document,) = hybridrag("documents", "--json").objects
    assert (document["name"], document["company"], document["ticker"]) == (
        "Orrery.md",
        "Orrery Clocks Ltd",
        "ORRY",
    )
    row = hybridrag("documents").out.rstrip("\n").split("\t")
    assert row[1:3] == ["Orrery Clocks Ltd", "ORRY"] and row[5] == "2024-06-30"
    assert "41.5" in hybridrag("ask", "What was Orrery's revenue?").out

    (again,) = hybridrag("index", notes, "--company", "Orrery Clocks Ltd", "--ticker", "ORRY",
                         "--period-end", "2024-06-30", "--json").objects  # fmt: skip
    assert {f["state"] for f in again["files"]} == {"unchanged", "skipped"}

    gone = hybridrag("remove", "ORRY", "--json")
    assert gone.code == 0 and [o["removed"] for o in gone.objects] == [document["id"]]
    assert hybridrag("documents").code == 2


def test_documents_lists_company_type_period_pages_and_path(hybridrag: Any, sample_home: Path) -> None:
    rows = [line.split("\t") for line in hybridrag("documents", "--home", sample_home).out.splitlines()]
    filings = {row[2]: row for row in rows if row[3] == "10-Q"}
    assert filings["CDTH"][4:7] == ["Q2 2024", "2024-03-30", "10"]
    assert filings["HRWM"][7] == "Harrowmere/2024/10Q/10Q-Q3-2024.pdf"
    assert len(rows) == 4


def test_graph_stats_counts_nodes_and_triplets(hybridrag: Any, sample_home: Path) -> None:
    (stats,) = hybridrag("graph", "stats", "--home", sample_home, "--json").objects
    assert stats["documents"] == 4 and stats["triplets"] > 500 and stats["nodes"] > 300
    assert sum(stats["nodes_by_type"].values()) == stats["nodes"]
    plain = hybridrag("graph", "stats", "--home", sample_home).out
    assert plain.startswith(f"4 documents, {stats['nodes']:,} nodes, {stats['triplets']:,} triplets")


def test_graph_show_lists_an_entity_with_pages_and_obeys_filters(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("graph", "show", "--home", sample_home, "Daniel Marsh", "--company", "HRWM")
    assert ran.code == 0
    assert "Treasurer" in ran.out and "Bellhaven" not in ran.out and "ECT-Q3-2024.pdf, p. 1" in ran.out
    (entity,) = hybridrag(
        "graph", "show", "--home", sample_home, "daniel marsh", "--company", "HRWM", "--json", "--limit", "2"
    ).objects
    assert entity["entity"]["type"] == "person" and len(entity["triplets"]) == 2
    missing = hybridrag("graph", "show", "--home", sample_home, "Nobody Atall")
    assert missing.code == 2 and "No entity 'Nobody Atall'" in missing.err


def test_graph_export_writes_graphml_that_can_be_read_again(
    hybridrag: Any, sample_home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "graph.graphml"
    ran = hybridrag("graph", "export", "--home", sample_home, file)
    assert ran.code == 0 and str(file) in ran.out
    (stats,) = hybridrag("graph", "stats", "--home", sample_home, "--json").objects
    graph = nx.read_graphml(file, force_multigraph=True)
    assert graph.is_directed()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (stats["nodes"], stats["triplets"])
    assert all(data["page"] for _, _, data in graph.edges(data=True))


def test_graph_export_to_a_folder_that_is_not_there_says_so(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("graph", "export", "--home", sample_home, "no/such/folder/graph.graphml")
    assert ran.code == 2 and "Can't write 'no/such/folder/graph.graphml'" in ran.err


def test_doctor_finds_everything_in_place(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("doctor", "--home", sample_home, "--json")
    assert ran.code == 0
    levels = {finding["check"]: finding["level"] for finding in ran.objects}
    assert levels["index"] == levels["embeddings"] == levels["cross-encoder"] == levels["packages"] == "ok"
    assert levels["reader of sums"] == "ok"
    assert "broken" not in levels.values()


def test_doctor_warns_of_a_missing_index_and_finds_a_broken_one(
    hybridrag: Any, home_copy: Callable[[str], Path]
) -> None:
    assert hybridrag("doctor").code == 0
    assert "warning index: No index at '.hybridrag'" in hybridrag("doctor").out
    home = home_copy("home")
    (home / "manifest.json").write_text('{"format": 99}', encoding="utf-8")
    ran = hybridrag("doctor", "--home", home)
    assert ran.code == 1 and "broken  index: " in ran.out and "format version 99" in ran.out


def test_demo_indexes_the_samples_and_answers_in_the_working_folder(
    hybridrag: Any, untouched_home: Path
) -> None:
    shutil.copytree(untouched_home, ".hybridrag-demo")
    assert hybridrag("remove", "--home", ".hybridrag-demo", "ECT-Q2-2024.pdf").code == 0
    ran = hybridrag("demo")
    assert ran.code == 0
    assert "1 indexed, 3 unchanged" in ran.out
    assert "The index holds 4 documents" in ran.out
    assert ran.out.count("\n> ") == 7
    assert "1,284.6 million USD" in ran.out and "p. 3 (graph)" in ran.out
    assert ran.out.count("\nabstained: ") == 2
    assert "Done in" in ran.out and Path(".hybridrag-demo").is_dir()


@pytest.mark.parametrize(
    "words",
    [("--help",), ("ask", "--help"), ("index", "--help"), ("graph", "--help"), ("eval", "run", "--help")],
)
def test_help_loads_nothing_heavy(words: tuple[str, ...]) -> None:
    """Not a clock but a list: what is not loaded costs nothing on any machine."""
    code = (
        "import sys\nfrom agent.cli.main import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit: pass\n"
        "print('MODULES', *sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    usage, modules = done.stdout.split("MODULES ")
    assert usage.startswith("usage: hybridrag")
    heavy = {
        *("numpy", "pydantic", "langgraph", "langchain_core", "chromadb", "spacy", "onnxruntime", "networkx"),
        *("pypdfium2", "rich", "bm25s", "orjson", "tools", "graphs", "openai"),
    }
    assert heavy & set(modules.split()) == set()


@pytest.mark.parametrize("words", [("documents",), ("doctor",), ("index", "in")])
def test_a_command_that_asks_nothing_loads_no_langgraph(
    words: tuple[str, ...], three_calls: Path, tmp_path: Path
) -> None:
    shutil.copytree(three_calls, tmp_path, dirs_exist_ok=True)
    code = (
        "import sys\nfrom agent.cli.main import main\nassert main(sys.argv[1:]) == 0\n"
        "assert not {'langgraph', 'langchain_core', 'langsmith', 'openai'} & set(sys.modules), sorted(sys.modules)"
    )
    command = [sys.executable, "-c", code, *words, "--home", "home"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_question_never_loads_the_language_model_of_indexing(sample_home: Path) -> None:
    code = (
        "import sys\nfrom agent.cli.main import main\nassert main(sys.argv[1:]) == 0\n"
        "assert not {'spacy', 'pypdfium2', 'langchain_openai', 'openai'} & set(sys.modules), sorted(sys.modules)"
    )
    words = ["ask", "--home", str(sample_home), REVENUE]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_has_seen_enough_is_no_error(sample_home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    words = [sys.executable, "-m", "agent.cli.main", "ask", "--home", str(sample_home), "--json", REVENUE]
    done = subprocess.run(words, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.usefixtures("cold")
def test_json_is_utf_8_whatever_the_terminal_speaks(sample_home: Path) -> None:
    words = [
        sys.executable,
        "-m",
        "agent.cli.main",
        "ask",
        "--home",
        str(sample_home),
        "--json",
        "Straße “quoted” 売上?",
    ]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(words, capture_output=True, env=environment, check=True)
    assert "Straße" in json.loads(done.stdout.decode("utf-8"))["question"]


def test_details_say_what_was_found_in_each_document(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("documents", "--details", "--json", "--home", sample_home)
    filing = next(each for each in ran.objects if each["form"] == "10-Q")
    assert {"income", "balance"} <= set(filing["statements"])
    assert filing["facts"] > filing["facts_without_period"] >= 0 and filing["tables"] > 2
    assert (filing["warnings"], filing["flags"]) == ([], {})
    assert sum(filing["dropped_lines"].values()) > 0
    plain = hybridrag("documents", "--details", "--home", sample_home)
    assert plain.code == 0 and f"{filing['tables']} tables (" in plain.out
    assert len(plain.out.splitlines()) == len(ran.objects)


def test_an_answer_of_an_index_in_the_making_says_so(
    hybridrag: Any, home_copy: Callable[[str], Path]
) -> None:
    home = home_copy("home")
    with WriterLock.take(home) as lock:
        assert "Indexing" not in hybridrag("ask", "--home", home, REVENUE).err
        lock.tell(4, 9)
        ran = hybridrag("ask", "--home", home, "--json", REVENUE)
        assert ran.err == "Indexing goes on: 4 of 9 documents can be asked so far.\n"
        assert [answer["status"] for answer in ran.objects] == ["answered"]
    assert hybridrag("ask", "--home", home, REVENUE).err == ""
