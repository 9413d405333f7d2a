"""Which model a run asks, and which replies stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.settings import Settings
from evals.recording import REPLAYED, keep_only, recording_of
from tests.endpoint import KEY
from tests.scripted import Scripted, script
from tools.model.recorded import Recorded, recorded_calls
from tools.model.types import Message

SYSTEM = "You answer a question about reports."


def recorded(folder: Path, *questions: str) -> Path:
    """A recording with a reply to each question."""
    model = Recorded(folder, Scripted(script("Yes [1].")), "")
    for question in questions:
        model.complete((Message("system", SYSTEM), Message("user", question)))
    return folder


def settings(**more: object) -> Settings:
    named = {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "m", "llm_api_key": KEY, **more}
    return Settings(_env_file=None, **named)


@pytest.mark.parametrize(("engine", "replay"), [("auto", True), ("local", False)])
def test_a_replay_has_no_address_and_no_key_and_the_recorded_models_name(
    tmp_path: Path, engine: str, replay: bool
) -> None:
    found = recording_of(settings(engine=engine), recorded(tmp_path, "One?"), replay=replay, prune=False)
    endpoint = found.settings.chat_endpoint
    assert endpoint is not None and endpoint.key is None
    assert (endpoint.base_url, endpoint.model) == (REPLAYED, "scripted")


def test_relations_are_never_asked_of_a_model_that_is_recorded(tmp_path: Path) -> None:
    recording = recording_of(settings(), tmp_path, replay=False, prune=False)
    assert not recording.settings.extracts_with_model
    assert recording_of(settings(), None, replay=False, prune=False).settings.extracts_with_model


def test_replies_that_are_not_used_go_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    first, second = recorded_calls(recorded(tmp_path, "One?", "Two?"))
    path = tmp_path / "replies.jsonl"
    with path.open("ab") as file:
        file.write(b'{"key": "torn')
    assert keep_only(tmp_path, {second}) == 1
    assert list(recorded_calls(tmp_path)) == [second] != [first]
    assert Recorded(tmp_path, None, "").id == "scripted"
    assert b"torn" not in path.read_bytes()
    before = path.stat()
    assert keep_only(tmp_path, {second}) == 0 and path.stat() == before
