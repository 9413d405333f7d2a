"""Documents read by a model: once, again, by another one, after a change and after a removal."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.assistant import Assistant
from agent.endpoint.models import chat_model
from evals.kills import write_documents
from graphs.indexing import build_indexing
from tests import endpoint
from tests.endpoint import fault, serving
from tests.model_indexing import FAST, index_small, index_with_model, tokens
from tests.reading_model import reading
from tests.store_stand_ins import HashEmbedder
from tools.store.errors import IndexMissingError
from tools.store.generation.opening import list_entries, open_generation
from tools.store.reading.model_broker import Models
from tools.store.reading.report import IndexReport
from tools.store.runs.index_run import index_paths
from tools.store.runs.removal import remove
from tools.vector.embeddings import LocalEmbeddings


def traces(home: Path, text: bytes) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [str(path.relative_to(home)) for path in files if text in path.read_bytes()]


@pytest.mark.parametrize(("passes", "why"), [(1, "misquoted"), (2, "ungrounded")])
def test_documents_are_read_by_the_model_end_to_end(tmp_path: Path, passes: int, why: str) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        settings = server.settings(
            home=tmp_path / "home", price_input=1.0, price_output=10.0, extract_passes=passes
        )
        report = Assistant(settings).index([documents])
        assert report.spent.tokens == tokens(server)
    assert report.counts == {"indexed": 3}
    assert (report.extractor, report.spent.calls, len(server.chats)) == ("scripted", 3 * passes, 3 * passes)
    assert report.stopped == ""
    assert report.spent.cost == pytest.approx(
        (report.spent.input_tokens + 10 * report.spent.output_tokens) / 1_000_000
    )
    with open_generation(tmp_path / "home", LocalEmbeddings()) as opened:
        found = {(t.head, t.relation, t.tail, t.page, t.quote) for t in opened.graph.triplets()}
        revenue = [t for t in opened.graph.triplets() if t.value is not None]
    assert ("Alder Corporation", "opened in", "Ohio", 1, "We opened 2 plants in Ohio.") in found
    assert report.tally[f"dropped: {why}"] == report.tally["dropped: malformed"] == 3
    assert revenue, "figures stay with the parser"


def test_an_unchanged_run_asks_nothing_and_a_new_home_asks_all(
    tmp_path: Path, undisturbed: IndexReport
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        first = index_with_model(server, tmp_path / "home", documents)
        again = index_with_model(server, tmp_path / "home", documents)
        assert len(server.chats) == 6
    assert (again.counts, again.spent.calls, again.spent.cached) == ({"unchanged": 3}, 0, 0)
    assert first.digest == again.digest == undisturbed.digest


def test_a_switch_to_the_local_rules_and_back_costs_nothing(tmp_path: Path, undisturbed: IndexReport) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        index_with_model(server, tmp_path / "home", documents)
        local = index_small(tmp_path / "home", documents)
        back = index_with_model(server, tmp_path / "home", documents)
        assert len(server.chats) == 6
    assert local.digest != undisturbed.digest == back.digest
    assert (back.counts, back.spent.calls, back.spent.cached) == ({"replaced": 3}, 0, 6)


def test_another_model_reads_anew(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        index_with_model(server, tmp_path / "home", documents)
        chat = chat_model(server.settings(llm_model="another"), FAST)
        report = index_small(tmp_path / "home", documents, Models(chat=chat, passes=2))
        chat.close()
    assert (report.counts, report.spent.calls) == ({"replaced": 3}, 6)


def test_another_number_of_passes_reads_anew_and_the_first_one_is_remembered(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        first = index_with_model(server, tmp_path / "home", documents, passes=1)
        same = index_with_model(server, tmp_path / "home", documents, passes=1)
        second = index_with_model(server, tmp_path / "home", documents, passes=2)
        back = index_with_model(server, tmp_path / "home", documents, passes=1)
    assert (same.counts, second.counts, back.counts) == (
        {"unchanged": 3},
        {"replaced": 3},
        {"replaced": 3},
    )
    assert (first.spent.calls, second.spent.calls, back.spent.calls, back.spent.cached) == (3, 6, 0, 3)
    assert first.digest == back.digest


def test_a_changed_file_pays_for_its_new_text_alone_and_forgets_the_old(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    lines = [f"Alder Corporation opened {n} plants in Ohio and hired the best of them." for n in range(120)]
    (folder / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    with serving(reading) as server:
        first = index_with_model(server, tmp_path / "home", folder, apart=True)
        lines[-1] = "Alder Corporation opened 7 plants in Iowa and hired the best of them."
        (folder / "a.txt").write_text("\n".join(lines), encoding="utf-8")
        second = index_with_model(server, tmp_path / "home", folder, apart=True)
    assert first.spent.calls >= 8
    assert 1 <= second.spent.calls <= 2
    assert len(list((tmp_path / "home" / "cache").iterdir())) == 1
    assert not traces(tmp_path / "home", b"opened 119 plants")


def test_removal_forgets_the_replies_too(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    home = tmp_path / "home"
    with serving(reading) as server:
        index_with_model(server, home, documents, apart=True)
    assert traces(home, b"Birch"), "the premise"
    remove(home, "call-1.txt")
    assert traces(home, b"Birch") == []
    assert len(list((home / "cache").iterdir())) == 2


def test_removal_finds_a_document_of_which_only_replies_are_kept(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    home = tmp_path / "home"
    with serving(lambda asked: fault(500) if asked.form else reading(asked)) as server:
        report = index_with_model(server, home, documents / "call-1.txt", apart=True)
    assert (report.counts, list_entries(home) if report.generation else []) == ({"incomplete": 1}, [])
    assert traces(home, b"Birch"), "the premise"
    remove(home, "call-1.txt")
    assert traces(home, b"Birch") == []
    with pytest.raises(IndexMissingError):
        remove(home, "call-1.txt")


def test_reading_processes_know_no_key_and_pages_cannot_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", endpoint.KEY)
    monkeypatch.setenv("OPENAI_API_KEY", endpoint.KEY)
    from tools.store.disk.child_process import environment

    assert endpoint.KEY not in environment().values()


def test_embeddings_of_an_endpoint_are_asked_for_by_the_parent_and_kept(tmp_path: Path) -> None:
    from agent.endpoint.models import endpoint_embeddings

    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        settings = server.settings(embed_model="embedder")
        embedder = endpoint_embeddings(settings, FAST)
        first = index_paths(tmp_path / "home", [documents], models=Models(embedder=embedder))
        asked = len(server.requests)
        again = index_paths(tmp_path / "home", [documents], models=Models(embedder=embedder))
        assert len(server.requests) == asked == 3
        with open_generation(tmp_path / "home", embedder) as opened:
            assert opened.digest == first.digest
        embedder.close()
    assert (first.counts, again.counts) == ({"indexed": 3}, {"unchanged": 3})
    assert first.digest == again.digest


def test_the_indexing_graph_works_with_a_model(tmp_path: Path, undisturbed: IndexReport) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        graph = build_indexing(
            tmp_path / "home",
            HashEmbedder,
            models=lambda: Models(chat=chat_model(server.settings(), FAST), passes=2),
        )
        done = graph.invoke({"paths": [str(documents)]})
    assert (done["error"], done["index"]["digest"]) == ("", undisturbed.digest)
    assert done["usage"]["calls"] == 6
