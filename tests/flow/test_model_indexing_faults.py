"""Documents read by a model that fails: what is paid for is kept, and the rest is said."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from evals.kills import write_documents
from tests import endpoint
from tests.endpoint import Asked, Fault, Said, fault, serving
from tests.model_indexing import index_small, index_with_model
from tests.reading_model import reading
from tools.store.reading.report import IndexReport


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
def test_faults_at_random_end_in_the_graph_of_an_undisturbed_run(tmp_path: Path) -> None:
    documents = long_documents(tmp_path / "in")
    with serving(reading) as server:
        report = undisturbed = index_with_model(server, tmp_path / "undisturbed", documents)
    assert undisturbed.spent.calls == 66
    chance, seen = random.Random(7), Counter[str]()
    left_out, homes, home = 0, 0, tmp_path / "home-0"
    while seen.total() < 80 or report.counts.get("incomplete"):
        with serving(faulty(chance, 0.4, seen)) as server:
            report = index_with_model(server, home, documents)
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
            report = index_with_model(server, tmp_path / "home", documents)
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
        report = index_with_model(server, tmp_path / "home", documents, at_once=1)
        asked = len(server.chats)
    assert report.counts.get("incomplete", 0) >= 2
    assert asked <= 3 + 3 * 3, "a dead endpoint is not asked on and on"
    reason = next(o.reason for o in report.outcomes if o.state == "incomplete")
    assert "500" in reason
    assert f"hybridrag index {documents} --home {tmp_path / 'home'}" in reason
    with serving(reading) as server:
        again = index_with_model(server, tmp_path / "home", documents)
        assert len(server.chats) == 3
    assert again.digest == undisturbed.digest


def test_a_refused_key_costs_one_request_a_call_and_is_no_index(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(
        "Alder Corporation opened 3 plants in Ohio this year, it said.", encoding="utf-8"
    )
    with serving(fault(401, "bad key")) as server:
        report = index_with_model(server, tmp_path / "home", folder)
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
    return folder, index_small(folder.parent / "home", folder).digest


@pytest.mark.parametrize("passes", [1, 2])
def test_replies_that_cannot_be_used_leave_their_chunks_to_the_local_rules(
    tmp_path: Path, by_the_rules: tuple[Path, str], passes: int
) -> None:
    folder, digest = by_the_rules
    with serving(lambda asked: UNUSABLE[company_of(asked)][0] if asked.form else reading(asked)) as server:
        report = index_with_model(server, tmp_path / "home", folder, passes=passes)
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
        report = index_with_model(server, tmp_path / "home", folder)
    assert report.counts == {"indexed": 1}
    assert report.tally["fallback: request refused"] == 1
    with serving(fault(400, "no such parameter")) as server:
        report = index_with_model(server, tmp_path / "other", folder)
    assert report.counts == {"incomplete": 1}
