"""What `hybridrag doctor` finds at a model endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.endpoint.limits import Pace
from agent.endpoint.probe import examine_endpoints
from agent.findings import Finding
from agent.settings import Settings
from tests.endpoint import KEY, Asked, Fault, Script, fault, redirect, serving

QUICK = Pace(sleep=lambda seconds: None)


def obedient(asked: Asked) -> str:
    """Obeys a JSON schema, otherwise chats."""
    return '{"trial_verdict": "yes"}' if asked.form == "json_schema" else "ready"


def found(script: Script, models: Any = None, **settings: Any) -> tuple[dict[str, Finding], int]:
    """Findings by check, and how many chat requests they took."""
    with serving(script) as server:
        if models is not None:
            server.models = models
        findings = list(examine_endpoints(server.settings(**settings), QUICK))
        assert KEY not in str(findings)
        return {finding.check: finding for finding in findings}, len(server.chats)


def test_a_sound_endpoint_passes_every_check_with_two_calls() -> None:
    checks, calls = found(obedient, [{"id": "scripted", "max_model_len": 32_000}])
    assert list(checks) == ["endpoint", "model", "chat", "structured output", "context"]
    assert {finding.level for finding in checks.values()} == {"ok"}
    assert "round trip took" in checks["chat"].detail
    assert "JSON schema, obeyed" in checks["structured output"].detail
    assert "32,000 tokens, as the endpoint says" in checks["context"].detail
    assert calls == 2


@pytest.mark.parametrize(
    ("accepts", "says", "words", "level"),
    [
        (("json_schema", "json_object"), '{"wet": true}', "accepted but not obeyed", "warning"),
        (("json_object",), '{"wet": true}', "JSON mode", "ok"),
        ((), 'Here: {"wet": true}', "neither JSON schema nor JSON mode", "ok"),
        ((), "It is wet.", "neither JSON schema nor JSON mode", "warning"),
    ],
)
def test_what_an_endpoint_makes_of_a_schema_is_told(
    accepts: tuple[str, ...], says: str, words: str, level: str
) -> None:
    def script(asked: Asked) -> str | Fault:
        refused = asked.form and asked.form not in accepts
        return fault(400, "response_format is not supported") if refused else says

    checks, _ = found(script)
    assert words in checks["structured output"].detail
    assert checks["structured output"].level == level


def test_a_model_that_is_not_on_offer_is_told_with_those_that_are() -> None:
    checks, _ = found(fault(404, "model not found"), [{"id": "llama"}, {"id": "qwen"}])
    assert checks["model"].level == "warning"
    assert "llama, qwen" in checks["model"].detail
    assert checks["chat"].level == "broken"
    assert "structured output" not in checks


@pytest.mark.parametrize(
    ("models", "context", "level", "words"),
    [
        ([{"id": "scripted"}], None, "warning", "Set HYBRIDRAG_LLM_CONTEXT"),
        ([{"id": "scripted", "max_model_len": 2048}], None, "warning", "2,048 tokens"),
        ([{"id": "scripted"}], 16_000, "ok", "16,000 tokens, as set"),
    ],
)
def test_a_context_that_is_unknown_or_small_is_a_warning(
    models: list[dict[str, object]], context: int | None, level: str, words: str
) -> None:
    checks, _ = found(obedient, models, llm_context=context)
    assert checks["context"].level == level
    assert words in checks["context"].detail


def test_a_wrong_key_is_broken_and_not_shown() -> None:
    checks, calls = found(fault(401, f"wrong key {KEY}"), fault(401))
    assert checks["endpoint"].level == "warning"
    assert checks["chat"].level == "broken"
    assert "401" in checks["chat"].detail
    assert calls == 1


def test_a_redirect_is_not_followed() -> None:
    checks, _ = found(redirect(302, "http://127.0.0.1:9/"), redirect(302, "http://127.0.0.1:9/"))
    assert "status 302" in checks["endpoint"].detail
    assert checks["chat"].level == "broken"


def test_an_endpoint_that_is_not_there_is_broken_without_further_calls() -> None:
    settings = Settings(_env_file=None, llm_base_url="http://127.0.0.1:9/v1", llm_model="m")
    [finding] = examine_endpoints(settings, QUICK)
    assert (finding.check, finding.level) == ("endpoint", "broken")
    assert "cannot be reached" in finding.detail


@pytest.mark.parametrize("working", [True, False])
def test_an_embedding_endpoint_is_asked_too(working: bool) -> None:
    with serving(obedient) as server:
        if not working:
            server.embeddings = fault(501, "does not support embeddings")
        findings = list(examine_endpoints(server.settings(embed_model="e"), QUICK))
    assert findings[-1].check == "embeddings"
    assert findings[-1].level == ("ok" if working else "broken")
    assert ("8 dimensions" if working else "501") in findings[-1].detail


def test_nothing_set_is_nothing_asked() -> None:
    assert list(examine_endpoints(Settings(_env_file=None))) == []


def test_doctor_shows_it_all(hybridrag: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(obedient) as server:
        monkeypatch.setenv("HYBRIDRAG_LLM_BASE_URL", server.base_url)
        monkeypatch.setenv("HYBRIDRAG_LLM_MODEL", "scripted")
        monkeypatch.setenv("HYBRIDRAG_LLM_API_KEY", KEY)
        ran = hybridrag("doctor", "--json")
        checks = {finding["check"]: finding for finding in ran.objects}
        assert ran.code == 0
        assert "model: 'scripted' at '127.0.0.1" in checks["engine"]["detail"]
        assert checks["structured output"]["level"] == "ok"
        assert KEY not in ran.out + ran.err + json.dumps(checks)
