from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from agent.assistant import Assistant
from agent.endpoint.limits import Pace
from agent.endpoint.models import chat_model
from evals.kills import write_documents
from graphs.indexing import build_indexing
from tests import endpoint
from tests.endpoint import Asked, Fault, Said, Server, fault, serving
from tests.reading_model import reading
from tests.store_stand_ins import HashEmbedder
from tests.vectors_here import vectors_in_this_process
from tools.store.errors import IndexMissingError
from tools.store.generation.opening import list_entries, open_generation
from tools.store.reading.model_broker import Models
from tools.store.reading.recipe import NO_MODELS
from tools.store.reading.report import IndexReport
from tools.store.runs.index_run import index_paths
from tools.store.runs.removal import remove
from tools.vector.embeddings import LocalEmbeddings

FAST = Pace(first=0.001, most=0.002, jitter=0.001)


def run(
    server: Server, home: Path, documents: Path, passes: int = 2, apart: bool = False, **more: Any
) -> IndexReport:
    """Index as `hybridrag index` does, but without long waits between requests, and in two passes: more calls to
    lose."""
    chat = chat_model(server.settings(llm_timeout=1.5), FAST)
    try:
        return index_light(home, documents, Models(chat=chat, passes=passes, **more), apart)
    finally:
        chat.close()


def index_light(home: Path, documents: Path, models: Models = NO_MODELS, apart: bool = False) -> IndexReport:
    """With an embedder that loads nothing: these tests start many runs. `apart`: the vector index is written by a
    process of its own, as it is for users."""
    with nullcontext() if apart else vectors_in_this_process():
        return index_paths(home, [documents], embedder_factory=HashEmbedder, models=models, workers=1)


def tokens(server: Server) -> int:
    """That the server has charged for."""
    said = [reading(asked) for asked in server.chats]
    return sum(sum(one.usage or (0, 0)) for one in said)


def states(report: IndexReport) -> dict[str, str]:
    return {Path(outcome.file).name: outcome.state for outcome in report.outcomes}


def traces(home: Path, text: bytes) -> list[str]:
    files = [path for path in home.rglob("*") if path.is_file()]
    return [str(path.relative_to(home)) for path in files if text in path.read_bytes()]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> IndexReport:
    """Three documents read by a model that never fails."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with serving(reading) as server:
        return run(server, folder / "home", write_documents(folder / "in", 0))


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
        first = run(server, tmp_path / "home", documents)
        again = run(server, tmp_path / "home", documents)
        assert len(server.chats) == 6
    assert (again.counts, again.spent.calls, again.spent.cached) == ({"unchanged": 3}, 0, 0)
    assert first.digest == again.digest == undisturbed.digest


def test_a_switch_to_the_local_rules_and_back_costs_nothing(tmp_path: Path, undisturbed: IndexReport) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        run(server, tmp_path / "home", documents)
        local = index_light(tmp_path / "home", documents)
        back = run(server, tmp_path / "home", documents)
        assert len(server.chats) == 6
    assert local.digest != undisturbed.digest == back.digest
    assert (back.counts, back.spent.calls, back.spent.cached) == ({"replaced": 3}, 0, 6)


def test_another_model_reads_anew(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        run(server, tmp_path / "home", documents)
        chat = chat_model(server.settings(llm_model="another"), FAST)
        report = index_light(tmp_path / "home", documents, Models(chat=chat, passes=2))
        chat.close()
    assert (report.counts, report.spent.calls) == ({"replaced": 3}, 6)


def test_another_number_of_passes_reads_anew_and_the_first_one_is_remembered(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        first = run(server, tmp_path / "home", documents, passes=1)
        same = run(server, tmp_path / "home", documents, passes=1)
        second = run(server, tmp_path / "home", documents, passes=2)
        back = run(server, tmp_path / "home", documents, passes=1)
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
        first = run(server, tmp_path / "home", folder, apart=True)
        lines[-1] = "Alder Corporation opened 7 plants in Iowa and hired the best of them."
        (folder / "a.txt").write_text("\n".join(lines), encoding="utf-8")
        second = run(server, tmp_path / "home", folder, apart=True)
    assert first.spent.calls >= 8
    assert 1 <= second.spent.calls <= 2
    assert len(list((tmp_path / "home" / "cache").iterdir())) == 1
    assert not traces(tmp_path / "home", b"opened 119 plants")


def faulty(chance: random.Random, rate: float, seen: Counter[str]) -> endpoint.Script:
    """`reading`, but some requests fail in one of many ways."""
    ways: dict[str, Fault | Said] = {
        "429": fault(429),
        "429 with Retry-After": fault(429, Retry_After="0"),
        "500": fault(500),
        "503": fault(503, Retry_After="0"),
        "408": fault(408),
        "dropped": endpoint.DROPPED_BEFORE,
        "dropped in the middle": endpoint.DROPPED_MIDDLE,
        "html": endpoint.HTML,
        "no choice": endpoint.NO_CHOICE,
        "no content": endpoint.NO_CONTENT,
        "empty": endpoint.EMPTY_TEXT,
        "cut": endpoint.CUT_JSON,
        "garbage": endpoint.GARBAGE,
        "wrong length": endpoint.WRONG_LENGTH,
    }
    names = sorted(ways)

    def reply(asked: Asked) -> Said | Fault:
        if chance.random() < rate:
            way = chance.choice(names)
            seen[way] += 1
            return ways[way]
        return reading(asked)

    return reply


def long_documents(folder: Path) -> Path:
    """Three documents of eleven windows each."""
    folder.mkdir()
    for name in ("Alder", "Birch", "Cedar"):
        lines = [f"{name} Corporation opened {n} plants in {place} and hired the best of them." for n, place in
                 enumerate(["Ohio", "Iowa", "Utah"] * 92)]  # fmt: skip
        (folder / f"{name}.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


@pytest.mark.timeout(280)
def test_two_hundred_faults_at_random_end_in_the_graph_of_an_undisturbed_run(tmp_path: Path) -> None:
    documents = long_documents(tmp_path / "in")
    with serving(reading) as server:
        report = undisturbed = run(server, tmp_path / "undisturbed", documents)
    assert undisturbed.spent.calls == 66
    chance, seen = random.Random(7), Counter[str]()
    left_out, homes, home = 0, 0, tmp_path / "home-0"
    while seen.total() < 200 or report.counts.get("incomplete"):
        with serving(faulty(chance, 0.4, seen)) as server:
            report = run(server, home, documents)
        left_out += report.counts.get("incomplete", 0)
        if not report.counts.get("incomplete"):
            assert report.digest == undisturbed.digest
            homes += 1
            home = tmp_path / f"home-{homes}"
    assert homes
    assert len(seen) == 14
    assert left_out, "the premise: some calls fail for good"


def test_what_a_failing_run_paid_for_is_not_paid_again(tmp_path: Path, undisturbed: IndexReport) -> None:
    documents = write_documents(tmp_path / "in", 0)
    asked_well: Counter[str] = Counter()
    chance = random.Random(3)

    def reply(asked: Asked) -> Said | Fault:
        if chance.random() < 0.5:
            return fault(503)
        asked_well[asked.prompt] += 1
        return reading(asked)

    for _ in range(40):
        with serving(reply) as server:
            report = run(server, tmp_path / "home", documents)
        if not report.counts.get("incomplete"):
            break
    assert report.digest == undisturbed.digest
    assert set(asked_well.values()) == {1}
    assert len(asked_well) == 6


def test_an_endpoint_that_dies_leaves_documents_incomplete_and_says_how_to_go_on(
    tmp_path: Path, undisturbed: IndexReport
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading, reading, reading, fault(500)) as server:
        report = run(server, tmp_path / "home", documents, at_once=1)
        asked = len(server.chats)
    assert report.counts.get("incomplete", 0) >= 2
    assert asked <= 3 + 3 * 3, "a dead endpoint is not asked on and on"
    reason = next(o.reason for o in report.outcomes if o.state == "incomplete")
    assert "500" in reason
    assert f"hybridrag index {documents} --home {tmp_path / 'home'}" in reason
    with serving(reading) as server:
        again = run(server, tmp_path / "home", documents)
        assert len(server.chats) == 3
    assert again.digest == undisturbed.digest


def test_a_refused_key_costs_one_request_a_call_and_is_no_index(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(
        "Alder Corporation opened 3 plants in Ohio this year, it said.", encoding="utf-8"
    )
    with serving(fault(401, "bad key")) as server:
        report = run(server, tmp_path / "home", folder)
        assert len(server.chats) == 1
    assert (report.counts, report.generation) == ({"incomplete": 1}, None)
    assert "bad key" in report.outcomes[0].reason
    assert endpoint.KEY not in report.outcomes[0].reason


UNUSABLE: dict[str, tuple[Said | Fault, int, str]] = {
    "Alder": (Said("I can't read that."), 2, "malformed reply"),
    "Birch": (Said('{"triplets": [{"head": "Alder'), 2, "malformed reply"),
    "Cedar": (Said('{"triplets": [{"head": "Alder', finish="length"), 2, "malformed reply"),
    "Dogwood": (endpoint.REFUSAL, 1, "refused"),
    "Elm": (endpoint.TOOL_CALL, 2, "malformed reply"),
    "Fir": (endpoint.CONTEXT_ERRORS["openai"], 1, "too long for the model's context"),
}
"""Company -> the reply to what is asked about it, how often that is asked, and what the report calls it."""


def company_of(asked: Asked) -> str:
    """Whose document a request is about."""
    [name] = [name for name in UNUSABLE if f"{name} Corporation" in asked.prompt]
    return name


@pytest.fixture(scope="module")
def by_the_rules(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with a document of each company, and the digest of what the local rules find in them."""
    folder = tmp_path_factory.mktemp("unusable") / "in"
    folder.mkdir()
    for name in UNUSABLE:
        text = f"{name} Corporation acquired Hazel Corporation in May. At the end of it we opened 3 plants in Ohio."
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder, index_light(folder.parent / "home", folder).digest


@pytest.mark.parametrize("passes", [1, 2])
def test_replies_that_cannot_be_used_leave_their_chunks_to_the_local_rules(
    tmp_path: Path, by_the_rules: tuple[Path, str], passes: int
) -> None:
    folder, digest = by_the_rules
    with serving(lambda asked: UNUSABLE[company_of(asked)][0] if asked.form else reading(asked)) as server:
        report = run(server, tmp_path / "home", folder, passes=passes)
        requests = Counter(map(company_of, server.chats))
    assert requests == {name: times + passes - 1 for name, (_, times, _) in UNUSABLE.items()}
    assert report.counts == {"indexed": 6}
    tallies = {Path(outcome.file).stem: outcome.tally for outcome in report.outcomes}
    assert tallies == {name: {"windows": 1, f"fallback: {why}": 1} for name, (_, _, why) in UNUSABLE.items()}
    assert report.digest == digest


def test_one_refused_request_among_many_is_that_chunks_own_trouble(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    lines = [f"Alder Corporation opened {n} plants in Ohio and hired the best of them." for n in range(90)]
    (folder / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    with serving(
        lambda asked: fault(400, "no") if "opened 0 plants" in asked.prompt else reading(asked)
    ) as server:
        report = run(server, tmp_path / "home", folder)
    assert report.counts == {"indexed": 1}
    assert report.tally["fallback: request refused"] == 1
    with serving(fault(400, "no such parameter")) as server:
        report = run(server, tmp_path / "other", folder)
    assert report.counts == {"incomplete": 1}


def test_a_budget_is_a_hard_stop_and_reruns_go_on_to_the_same_graph(
    tmp_path: Path, undisturbed: IndexReport
) -> None:
    documents = write_documents(tmp_path / "in", 0)
    spent = []
    with serving(reading) as server:
        for _ in range(12):
            before = tokens(server)
            report = run(server, tmp_path / "home", documents, max_tokens=3_600)
            spent.append(tokens(server) - before)
            assert report.spent.tokens == spent[-1] <= 3_600
            if not report.counts.get("incomplete"):
                break
            assert "--max-tokens" in next(o.reason for o in report.outcomes if o.state == "incomplete")
        assert len(server.chats) == 6
    assert 2 <= len(spent) < 12
    assert report.digest == undisturbed.digest


def test_a_budget_below_one_call_says_so(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        report = run(server, tmp_path / "home", documents, max_tokens=100)
        assert server.chats == []
    assert "less than one call may take" in report.outcomes[0].reason


@pytest.mark.usefixtures("vectors_here")
@pytest.mark.parametrize("passes", [1, 2])
def test_a_dry_run_is_within_fifteen_per_cent_and_leaves_the_home_unmade(
    tmp_path: Path, samples: Path, passes: int
) -> None:
    with serving(realistic) as server:
        assistant = Assistant(server.settings(home=tmp_path / "home", extract_passes=passes, workers=1))
        before = assistant.estimate([samples])
        assert not (tmp_path / "home").exists()
        assert server.requests == []
        report = assistant.index([samples])
        assert before.spent.calls == report.spent.calls == len(server.chats)
        assert before.spent.tokens == pytest.approx(report.spent.tokens, rel=0.15)
        files = {path: path.stat().st_mtime_ns for path in (tmp_path / "home").rglob("*")}
        after = assistant.estimate([samples])
        assert (after.files, after.unchanged, after.spent.calls) == (0, 4, 0)
        assert {path: path.stat().st_mtime_ns for path in (tmp_path / "home").rglob("*")} == files


TOKENIZER = LocalEmbeddings()._tokenizer
"""Word pieces: a count of tokens that owes nothing to the one of the estimate."""


def realistic(asked: Asked) -> Said:
    """Replies as long as an able model's: abstracts of 450 characters, five relations, with quotations of 110
    characters where such are asked for."""
    text = reading(asked).text or ""
    if asked.form:
        quoted = {"quote": asked.text[-400:-290], "status": "done", "date": "", "amount": ""}
        more = quoted if '"quote"' in json.dumps(asked.body["response_format"]) else {}
        told = [{**item, **more} for item in json.loads(text)["triplets"] if "tail" in item]
        text = json.dumps({"triplets": (told * 5)[:5]})
    return Said(text, usage=(len(TOKENIZER.encode(asked.prompt).ids), len(TOKENIZER.encode(text).ids)))


def test_a_dry_run_knows_what_is_paid_for_already(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    with serving(reading) as server:
        settings = server.settings(home=tmp_path / "home", extract_passes=2)
        run(server, tmp_path / "home", documents / "call-0.txt")
        index_light(tmp_path / "home", documents / "call-0.txt")
        estimate = Assistant(settings).estimate([documents])
    assert (estimate.files, estimate.spent.calls, estimate.spent.cached) == (3, 4, 2)


def test_removal_forgets_the_replies_too(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    home = tmp_path / "home"
    with serving(reading) as server:
        run(server, home, documents, apart=True)
    assert traces(home, b"Birch"), "the premise"
    remove(home, "call-1.txt")
    assert traces(home, b"Birch") == []
    assert len(list((home / "cache").iterdir())) == 2


def test_removal_finds_a_document_of_which_only_replies_are_kept(tmp_path: Path) -> None:
    documents = write_documents(tmp_path / "in", 0)
    home = tmp_path / "home"
    with serving(lambda asked: fault(500) if asked.form else reading(asked)) as server:
        report = run(server, home, documents / "call-1.txt", apart=True)
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
