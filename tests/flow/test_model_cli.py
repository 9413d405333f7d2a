"""The model engine from the command line: chosen by the environment, honest on screen and in --json."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests import endpoint
from tests.endpoint import KEY, serving
from tests.scripted import Replies, script

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Sets HYBRIDRAG_* variables."""

    def put(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"HYBRIDRAG_{name.upper()}", value)

    return put


def test_a_base_url_and_a_model_make_the_answers_the_models(
    hybridrag: Any, sample_home: Path, names: Any
) -> None:
    with serving(Replies(script(GOOD))) as server:
        names(llm_base_url=server.base_url, llm_model="scripted", llm_api_key=KEY)
        names(price_input="1", price_output="2")
        (answer,) = hybridrag("ask", "--home", sample_home, "--json", REVENUE).objects
        screen = hybridrag("ask", "--home", sample_home, REVENUE)
    assert (answer["engine"], answer["answer"]) == ("model", GOOD)
    assert answer["usage"]["calls"] == 2 and answer["usage"]["by_step"]["generate"]["input_tokens"] == 100
    assert answer["usage"]["cost"] == pytest.approx(0.00024)
    assert "model engine · 2 calls, 200 + 20 tokens, 0.0002 USD" in screen.out
    assert KEY not in screen.out + screen.err + str(answer)
    sent = [{name.lower(): value for name, value in asked.headers.items()} for asked in server.chats]
    assert {headers["authorization"] for headers in sent} == {f"Bearer {KEY}"}


def test_a_refused_key_costs_one_request_a_question_and_no_answer(
    hybridrag: Any, sample_home: Path, names: Any
) -> None:
    with serving(endpoint.fault(401, f"Incorrect API key provided: {KEY}")) as server:
        names(llm_base_url=server.base_url, llm_model="scripted", llm_api_key=KEY)
        ran = hybridrag("ask", "--home", sample_home, REVENUE)
        assert len(server.chats) == 1
    assert ran.code == 0 and "1,284.6 million USD" in ran.out and "local engine" in ran.out
    assert "plan: " in ran.out and "401" in ran.out and "from here on" in ran.out
    assert KEY not in ran.out + ran.err


def test_the_local_engine_can_be_asked_for_beside_an_endpoint(
    hybridrag: Any, sample_home: Path, names: Any
) -> None:
    with serving(Replies(script(GOOD))) as server:
        names(llm_base_url=server.base_url, llm_model="scripted", engine="local")
        (answer,) = hybridrag("ask", "--home", sample_home, "--json", REVENUE).objects
        assert server.requests == []
    assert (answer["engine"], answer["usage"]["calls"]) == ("local", 0)


@pytest.mark.parametrize("pipeline", ["vector", "graph", "hybrid"])
def test_a_baseline_is_one_call_and_no_check(
    hybridrag: Any, sample_home: Path, names: Any, pipeline: str
) -> None:
    with serving(Replies(script(GOOD))) as server:
        names(llm_base_url=server.base_url, llm_model="scripted")
        (answer,) = hybridrag("ask", "--home", sample_home, "--json", "--pipeline", pipeline, REVENUE).objects
    assert (answer["engine"], answer["usage"]["calls"]) == ("model", 1)
    assert answer["faithfulness"]["score"] is None and "1,284.6 million USD" in answer["answer"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"llm_base_url": "http://127.0.0.1:1/v1"}, "HYBRIDRAG_LLM_MODEL"),
        ({"llm_base_url": "127.0.0.1:1/v1", "llm_model": "m"}, "HYBRIDRAG_LLM_BASE_URL"),
        ({"engine": "model"}, "HYBRIDRAG_ENGINE"),
        ({"rerank": "model"}, "HYBRIDRAG_RERANK"),
    ],
)
def test_settings_that_do_not_fit_are_the_users_mistake(
    hybridrag: Any, sample_home: Path, names: Any, values: dict[str, str], told: str
) -> None:
    names(**values)
    ran = hybridrag("ask", "--home", sample_home, REVENUE)
    assert ran.code == 2 and told in ran.err
