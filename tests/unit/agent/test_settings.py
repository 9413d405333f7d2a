"""Settings of model endpoints: what is an error, whose key goes where, and that none is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.endpoint_address import OPENAI_MODEL, OPENAI_URL, Endpoint, check_base_url
from agent.settings import Settings, SettingsError, load_settings

LOCAL = {"HYBRIDRAG_LLM_BASE_URL": "http://127.0.0.1:8080/v1", "HYBRIDRAG_LLM_MODEL": "small"}


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):  # type: ignore[no-untyped-def]
    """`loaded(NAME="value", ...)`: settings of such an environment, in a folder without .env."""
    monkeypatch.chdir(tmp_path)

    def load(**environment: str) -> Settings:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return load_settings()

    return load


def test_nothing_set_is_the_local_engine(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded()
    assert settings.chat_endpoint is None
    assert settings.embed_endpoint is None
    assert not settings.extracts_with_model


def test_a_key_alone_means_openai(loaded) -> None:  # type: ignore[no-untyped-def]
    endpoint = loaded(OPENAI_API_KEY="sk-o").chat_endpoint
    assert (endpoint.base_url, endpoint.model) == (OPENAI_URL, OPENAI_MODEL)
    assert endpoint.key.get_secret_value() == "sk-o"


def test_a_key_in_the_env_file_counts_and_other_names_there_do_not(loaded) -> None:  # type: ignore[no-untyped-def]
    Path(".env").write_text("OPENAI_API_KEY=sk-file\nDATABASE_URL=x\nHYBRIDRAG_LLM_RPM=\n", encoding="utf-8")
    settings = loaded()
    assert settings.chat_endpoint.key.get_secret_value() == "sk-file"
    assert settings.llm_rpm is None
    assert Settings(_env_file=None).chat_endpoint is None


def test_our_key_goes_before_openais(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(OPENAI_API_KEY="sk-o", HYBRIDRAG_LLM_API_KEY="sk-h")
    assert settings.chat_endpoint.key.get_secret_value() == "sk-h"


def test_openais_key_goes_to_openai_alone(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(OPENAI_API_KEY="sk-o", **LOCAL)
    assert settings.chat_endpoint == Endpoint("http://127.0.0.1:8080/v1", "small", None)


def test_local_means_local_whatever_else_is_set(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(OPENAI_API_KEY="sk-o", HYBRIDRAG_ENGINE="local", **LOCAL)
    assert settings.chat_endpoint is None
    assert not settings.extracts_with_model


def test_extraction_follows_the_engine_unless_told_otherwise(loaded) -> None:  # type: ignore[no-untyped-def]
    assert loaded(**LOCAL).extracts_with_model
    assert not loaded(HYBRIDRAG_EXTRACTOR="local").extracts_with_model


def test_embeddings_use_the_chat_models_endpoint_and_key_unless_they_have_their_own(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(HYBRIDRAG_EMBED_MODEL="e", HYBRIDRAG_LLM_API_KEY="sk-h", **LOCAL)
    assert settings.embed_endpoint == Endpoint(
        settings.chat_endpoint.base_url, "e", settings.chat_endpoint.key
    )
    elsewhere = loaded(HYBRIDRAG_EMBED_BASE_URL="https://embed.example/v1/")
    assert elsewhere.embed_endpoint == Endpoint("https://embed.example/v1", "e", None), "no key of another's"
    assert loaded(HYBRIDRAG_EMBED_API_KEY="sk-e").embed_endpoint.key.get_secret_value() == "sk-e"


def test_the_judge_is_the_chat_model_unless_it_has_an_endpoint_of_its_own(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(HYBRIDRAG_LLM_API_KEY="sk-h", HYBRIDRAG_ENGINE="local", **LOCAL)
    assert settings.chat_endpoint is None, "the local engine answers"
    assert settings.judge_endpoint.model == "small"
    assert settings.judge_endpoint.key.get_secret_value() == "sk-h"
    assert loaded(HYBRIDRAG_JUDGE_MODEL="large").judge_endpoint.model == "large"
    elsewhere = loaded(HYBRIDRAG_JUDGE_BASE_URL="https://judge.example/v1/")
    assert elsewhere.judge_endpoint == Endpoint("https://judge.example/v1", "large", None)
    assert loaded(HYBRIDRAG_JUDGE_API_KEY="sk-j").judge_endpoint.key.get_secret_value() == "sk-j"


def test_without_any_endpoint_there_is_no_judge(loaded) -> None:  # type: ignore[no-untyped-def]
    assert loaded().judge_endpoint is None
    assert loaded(OPENAI_API_KEY="sk-o").judge_endpoint.model == "gpt-4.1-mini"


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "127.0.0.1:8080/v1"}, "HYBRIDRAG_LLM_BASE_URL needs a scheme"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "localhost/v1"}, "needs a scheme"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "ftp://localhost/v1"}, "needs a scheme"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "https:///v1"}, "names no host"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "http://[::1/v1"}, "is not a URL"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "http://localhost:99999/v1"}, "is not a URL"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "https://h/v1?k=1"}, "query"),
        ({**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "http://10.0.0.5:8080/v1"}, "HYBRIDRAG_LLM_ALLOW_HTTP"),
        ({"HYBRIDRAG_LLM_BASE_URL": "http://127.0.0.1/v1"}, "is set without HYBRIDRAG_LLM_MODEL"),
        ({"HYBRIDRAG_EMBED_BASE_URL": "http://127.0.0.1/v1"}, "is set without HYBRIDRAG_EMBED_MODEL"),
        ({"HYBRIDRAG_EMBED_MODEL": "e"}, "is set without HYBRIDRAG_EMBED_BASE_URL"),
        ({"HYBRIDRAG_JUDGE_BASE_URL": "http://127.0.0.1/v1"}, "is set without HYBRIDRAG_JUDGE_MODEL"),
        ({"HYBRIDRAG_JUDGE_MODEL": "j"}, "is set without HYBRIDRAG_JUDGE_BASE_URL"),
        ({"HYBRIDRAG_JUDGE_BASE_URL": "http://10.0.0.5/v1"}, "HYBRIDRAG_LLM_ALLOW_HTTP"),
        ({"HYBRIDRAG_ENGINE": "model"}, "HYBRIDRAG_ENGINE=model needs"),
        ({"HYBRIDRAG_EXTRACTOR": "model"}, "HYBRIDRAG_EXTRACTOR=model needs"),
        ({"HYBRIDRAG_RERANK": "model"}, "HYBRIDRAG_RERANK=model needs"),
        ({"HYBRIDRAG_LLM_TIMEOUT": "0"}, "HYBRIDRAG_LLM_TIMEOUT=0"),
        ({"HYBRIDRAG_LLM_CONCURRENCY": "0"}, "HYBRIDRAG_LLM_CONCURRENCY"),
        ({"HYBRIDRAG_LLM_RPM": "many"}, "HYBRIDRAG_LLM_RPM=many"),
        ({"HYBRIDRAG_PRICE_INPUT": "-1"}, "HYBRIDRAG_PRICE_INPUT=-1"),
        ({"HYBRIDRAG_DEADLINE": "nan"}, "HYBRIDRAG_DEADLINE"),
        ({"HYBRIDRAG_LLM_APIKEY": "sk-x"}, "HYBRIDRAG_LLM_APIKEY is not a setting"),
    ],
)
def test_what_does_not_fit_is_an_error_that_names_it(loaded, environment: dict[str, str], words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingsError) as caught:
        loaded(**environment)
    assert words in str(caught.value)
    assert "sk-x" not in str(caught.value)


def test_a_password_in_a_base_url_is_refused_and_not_repeated(loaded) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingsError, match="user name or a password") as caught:
        loaded(**{**LOCAL, "HYBRIDRAG_LLM_BASE_URL": "https://me:hunter2@host/v1"})
    assert "hunter2" not in str(caught.value)
    assert "hunter2" not in str(caught.value.__cause__)


@pytest.mark.parametrize(
    "url", ["https://host/v1/", "http://localhost:1/v1", "http://127.9.9.9/v1", "http://[::1]:8080/v1"]
)
def test_https_and_loopback_are_taken(url: str) -> None:
    assert check_base_url(url) == url.rstrip("/")


def test_http_to_another_machine_takes_a_flag(loaded) -> None:  # type: ignore[no-untyped-def]
    settings = loaded(
        HYBRIDRAG_LLM_BASE_URL="http://10.0.0.5/v1", HYBRIDRAG_LLM_MODEL="m", HYBRIDRAG_LLM_ALLOW_HTTP="true"
    )
    assert settings.chat_endpoint.host == "10.0.0.5"


def test_no_way_of_showing_settings_shows_a_key() -> None:
    settings = Settings(_env_file=None, llm_api_key="sk-h", embed_api_key="sk-e", openai_api_key="sk-o")
    shown = f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()} {settings.chat_endpoint!r}"
    assert not any(key in shown for key in ("sk-h", "sk-e", "sk-o"))


def test_the_example_file_works_as_it_stands_once_its_lines_are_uncommented(tmp_path: Path) -> None:
    example = Path(__file__).parents[3] / ".env.example"
    text = (
        example.read_text(encoding="utf-8")
        .replace("# HYBRIDRAG_", "HYBRIDRAG_")
        .replace("# OPENAI_", "OPENAI_")
    )
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    settings = Settings(_env_file=tmp_path / ".env")
    assert settings == Settings(_env_file=None)


def test_hybridrag_toml_is_read_beside_env_which_goes_before_it(loaded) -> None:  # type: ignore[no-untyped-def]
    Path("hybridrag.toml").write_text('top_k = 12\ngraph_k = 30\ndepth = 2\nopenai_api_key = "sk-o"', "utf-8")
    Path(".env").write_text("HYBRIDRAG_GRAPH_K=31\nHYBRIDRAG_DEPTH=1\n", encoding="utf-8")
    settings = loaded(HYBRIDRAG_DEPTH="3")
    assert (settings.top_k, settings.graph_k, settings.depth) == (12, 31, 3)
    assert settings.chat_endpoint.key.get_secret_value() == "sk-o"
    assert Settings(_env_file=None).top_k == 8
    assert Settings(top_k=5).top_k == 5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("topk = 12", "'hybridrag.toml': topk is not a setting. Known: home, store, threads, engine"),
        ("[llm]\nmodel = 'm'", "'hybridrag.toml': llm is not a setting"),
        ("top_k = 'many'", "HYBRIDRAG_TOP_K=many"),
        ("top_k = [1]", "HYBRIDRAG_TOP_K=[1]"),
        ("top_k = ", "'hybridrag.toml' can't be read as TOML"),
        ("llm_base_url = 'http://10.0.0.5/v1'\nllm_model = 'm'", "HYBRIDRAG_LLM_ALLOW_HTTP"),
        (b"home = '\xff'", "'hybridrag.toml' can't be read as TOML"),
    ],
)
def test_what_does_not_fit_in_hybridrag_toml_is_an_error_that_names_it(
    loaded,  # type: ignore[no-untyped-def]
    text: str | bytes,
    words: str,
) -> None:
    Path("hybridrag.toml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError) as caught:
        loaded()
    assert words in str(caught.value)
