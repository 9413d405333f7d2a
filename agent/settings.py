"""Settings: HYBRIDRAG_* variables, .env and hybridrag.toml, validated."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from agent.endpoint_address import OPENAI_MODEL, OPENAI_URL, Endpoint, check_base_url
from tools.store.postgres.address import AddressError, StoreAddress

PREFIX = "HYBRIDRAG_"
TOML = "hybridrag.toml"
"""Read beside .env, whose names go before; its own are those of `Settings`."""
OPENAI_KEY = "openai_api_key"
EDGAR_IDENTITY = "edgar_identity"
OTHERS = (OPENAI_KEY, EDGAR_IDENTITY)
"""The names without our prefix: as other programs use them."""
ADDRESSES = ("llm_base_url", "embed_base_url", "judge_base_url", "traces_url", "edgar_url", "edgar_data_url")


def _unset_if_empty(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def _trimmed(value: object) -> object:
    return _unset_if_empty(value.strip() if isinstance(value, str) else value)


Text = Annotated[str | None, BeforeValidator(_trimmed)]
Secret = Annotated[SecretStr | None, BeforeValidator(_trimmed)]
Count = Annotated[int | None, BeforeValidator(_unset_if_empty)]
Price = Annotated[float | None, BeforeValidator(_unset_if_empty)]


class SettingsError(ValueError):
    """A HYBRIDRAG_* name that does not exist, or a value that does not fit; names which."""


class _OurNames(DotEnvSettingsSource):
    """HYBRIDRAG_* names of .env and the environment, unknown ones included, so that a typo is an error;
    a .env shared with other programs keeps its other names to itself."""

    def _read_env_files(self) -> Mapping[str, str | None]:
        names = {**super()._read_env_files(), **{k.lower(): v for k, v in os.environ.items()}}
        ours = PREFIX.lower()
        return {k: v for k, v in names.items() if k.lower().startswith(ours) or k.lower() in OTHERS}


class _TomlNames(TomlConfigSettingsSource):
    """The names of hybridrag.toml. SettingsError for one that is no setting, and for a file that is no TOML."""

    def __init__(self, settings_cls: type[BaseSettings], file: Path) -> None:
        try:
            super().__init__(settings_cls, file)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
            raise SettingsError(f"'{file}' can't be read as TOML: {error}") from error
        known = settings_cls.model_fields
        for name in self.toml_data:
            if name not in known:
                raise SettingsError(f"'{file}': {name} is not a setting. Known: {', '.join(known)}.")


class Settings(BaseSettings):
    """Everything a user can set. An unknown HYBRIDRAG_* name, or a number out of bounds, is an error."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_file_encoding="utf-8",
        extra="forbid",
        hide_input_in_errors=True,
    )

    home: Path = Path(".hybridrag")
    """Folder of the index and the chat threads."""
    store: Secret = None
    """Address of a PostgreSQL database to answer from, as postgresql://user@host/database; unset: the home. A folder
    that is named on the command line goes before it. Needs the extra `postgres`."""
    threads: Literal["store", "home"] = "store"
    """Where chat threads are kept while `store` is set: `store`, beside the index; `home`, on this machine alone."""
    engine: Literal["auto", "local", "model"] = "auto"
    """`auto` is `model` when a key or a base URL is set, else `local`."""
    top_k: int = Field(8, gt=0, le=50)
    """Chunks that vector_search returns."""
    graph_k: int = Field(12, gt=0, le=200)
    """Facts and relations that kg_search returns."""
    depth: int = Field(1, gt=0, le=3)
    """Hops from a linked entity in the knowledge graph."""
    dense_weight: float = Field(0.8, ge=0, le=1)
    """Dense share of the dense/keyword mix."""
    concept_weight: float = Field(0.3, ge=0, le=1)
    """Share of concepts' definitions in the meaning that ontology_search looks for; 0: they lead nowhere."""
    context_chars: Count = Field(None, ge=1_000, le=200_000)
    """Characters of evidence that an answer is written from, at most; unset: 12,000 without a model, three quarters of
    it for a question put as on a call, and with one as its window and the kind of question ask for. The baselines take
    all that is found."""
    threshold: float = Field(1.0, ge=0, le=1)
    """Faithfulness below which a draft is sent back."""
    splitter: Literal["structure", "recursive"] = "structure"
    """How prose is cut; `recursive` is the paper's 1024/0, for the baselines. Needs a new index."""
    workers: int = Field(2, gt=0, le=32)
    """The most processes that read documents while indexing; small ones are read by one."""

    llm_base_url: Text = None
    """OpenAI-compatible endpoint, as http://127.0.0.1:8080/v1; unset: OpenAI's, once there is a key."""
    llm_model: Text = None
    """The chat model's name there; needed with a base URL."""
    llm_api_key: Secret = None
    """Key of that endpoint; unset: OPENAI_API_KEY, which goes to OpenAI's own endpoint alone."""
    llm_allow_http: bool = False
    """Whether http to another machine is allowed: documents and key travel in the clear."""
    llm_timeout: float = Field(60.0, gt=0, le=86_400)
    """Seconds a request may take."""
    llm_context: Count = Field(None, ge=256)
    """Tokens of prompt and reply together; unset: what the server says."""
    llm_concurrency: int = Field(4, gt=0, le=64)
    """Requests at once."""
    llm_rpm: Count = Field(None, gt=0)
    """Requests a minute; unset: no limit."""
    llm_max_tokens: int = Field(1024, ge=16, le=131_072)
    """Tokens a reply may have."""
    deadline: float = Field(60.0, gt=0, le=86_400)
    """Seconds a question may take."""
    embed_base_url: Text = None
    """Endpoint of the embedding model; unset with a model's name: the chat model's. Needs a new index."""
    embed_model: Text = None
    """Embedding model at an endpoint; unset: all-MiniLM-L6-v2 on this machine. Needs a new index."""
    embed_api_key: Secret = None
    """Its key; unset: the chat model's where both are at one endpoint."""
    rerank: Literal["off", "local", "model"] = "local"
    """Who looks again at what was found: `local`, a learned fit, where the first draft found no answer; `model`, the
    chat model, which reorders and filters it; `off`, nobody."""
    extractor: Literal["auto", "local", "model"] = "auto"
    """Who makes triplets from prose while indexing; `auto` follows the engine."""
    extract_passes: int = Field(1, ge=1, le=2)
    """Passes of the model over a chunk while indexing: 1 reads relations, each with the words it quotes; 2 is the
    paper's chain, an abstract and then at most twelve relations with short names. Needs a new run of `index`."""
    price_input: Price = Field(None, ge=0)
    """USD per million input tokens; with `price_output`, answers show their cost."""
    price_output: Price = Field(None, ge=0)
    """USD per million output tokens."""
    judge_base_url: Text = None
    """Endpoint of the model that judges in evals; unset: the chat model's."""
    judge_model: Text = None
    """The judge's name there; unset: the chat model's. Needed with a base URL."""
    judge_api_key: Secret = None
    """Its key; unset: the chat model's where both are at one endpoint."""
    index_roots: Text = None
    """Folders below which the server's `indexing` graph may read, separated as in PATH; unset: none."""
    mcp_graphs: str = "ask"
    """Graphs that the server offers as MCP tools, separated by commas."""
    studio_page: bool = False
    """Whether the server serves the page of `hybridrag web`, too."""
    traces_url: Text = None
    """OpenTelemetry collector that gets traces over OTLP/HTTP, as http://127.0.0.1:4318/v1/traces; unset: none. Needs
    the extra `tracing`."""
    traces_content: bool = False
    """Whether questions, evidence, prompts and answers go along in traces."""
    edgar_url: str = "https://www.sec.gov"
    """Where `hybridrag fetch` finds tickers and documents: EDGAR, or a mirror of it."""
    edgar_data_url: str = "https://data.sec.gov"
    """Where it finds the lists of filings."""
    edgar_identity: Text = Field(None, validation_alias=EDGAR_IDENTITY)
    """EDGAR_IDENTITY, a name and an e-mail address: EDGAR wants to know who asks."""
    openai_api_key: Secret = Field(None, validation_alias=OPENAI_KEY)
    """OPENAI_API_KEY, as other programs use it."""

    @field_validator("store")
    @classmethod
    def _store_is_an_address(cls, value: SecretStr | None) -> SecretStr | None:
        try:
            if value is not None:
                StoreAddress.of(value.get_secret_value())
        except AddressError as error:
            raise ValueError(str(error)) from None
        return value

    def of_folder(self, home: Path) -> Self:
        """The same for the index of this folder, whatever database is set."""
        return self.model_copy(update={"home": home, "store": None})

    @property
    def store_address(self) -> StoreAddress | None:
        """The database of `store`; None for the home."""
        return None if self.store is None else StoreAddress.of(self.store.get_secret_value())

    @property
    def threads_address(self) -> StoreAddress | None:
        """The database that keeps the chat threads; None for the home."""
        return self.store_address if self.threads == "store" else None

    @model_validator(mode="after")
    def _endpoints_fit(self) -> Self:
        self._addresses_are_safe()
        self._addresses_have_a_model()
        self._choices_have_an_endpoint()
        return self

    def _addresses_are_safe(self) -> None:
        for name in ADDRESSES:
            url = getattr(self, name)
            if url is None:
                continue
            try:
                check_base_url(url, allow_http=self.llm_allow_http)
            except ValueError as error:
                raise ValueError(f"{_variable(name)} {error}") from error

    def _addresses_have_a_model(self) -> None:
        for service in ("llm", "embed", "judge"):
            address, model = f"{service}_base_url", f"{service}_model"
            if getattr(self, address) and not getattr(self, model):
                raise ValueError(f"{_variable(address)} is set without {_variable(model)}")

    def _choices_have_an_endpoint(self) -> None:
        if self.engine == "model" and self._chat() is None:
            raise ValueError(
                f"{_variable('engine')}=model needs {_variable('llm_base_url')} and "
                f"{_variable('llm_model')}, or a key"
            )
        for choice in ("extractor", "rerank"):
            if getattr(self, choice) == "model" and self.chat_endpoint is None:
                raise ValueError(
                    f"{_variable(choice)}=model needs a model endpoint and an engine other than local"
                )
        if self.embed_model and not (self.embed_base_url or self._chat()):
            raise ValueError(
                f"{_variable('embed_model')} is set without {_variable('embed_base_url')} or a key"
            )
        if self.judge_model and self.judge_endpoint is None:
            raise ValueError(
                f"{_variable('judge_model')} is set without {_variable('judge_base_url')} or a key"
            )

    @property
    def chat_endpoint(self) -> Endpoint | None:
        """The chat model to ask; None where the local engine is to be used."""
        return None if self.engine == "local" else self._chat()

    @property
    def embed_endpoint(self) -> Endpoint | None:
        """The embedding model to ask; None for the one on this machine. Does not depend on the engine:
        an index made with one embedding model can be searched with that one alone."""
        if not self.embed_model:
            return None
        chat = self._chat()
        return self._beside(chat, self.embed_base_url, self.embed_model, self.embed_api_key)

    @property
    def judge_endpoint(self) -> Endpoint | None:
        """The model that judges answers in evals; None where none is set. Does not depend on the engine: answers
        of the local engine are judged, too."""
        chat = self._chat()
        if chat is None and not (self.judge_base_url or self.judge_api_key):
            return None
        model = self.judge_model or (chat.model if chat else OPENAI_MODEL)
        return self._beside(chat, self.judge_base_url, model, self.judge_api_key)

    @property
    def server_reads(self) -> tuple[Path, ...]:
        """The folders of `index_roots`."""
        given = (self.index_roots or "").split(os.pathsep)
        return tuple(Path(folder.strip()) for folder in given if folder.strip())

    @property
    def mcp_tools(self) -> frozenset[str]:
        """The names of `mcp_graphs`."""
        return frozenset(name.strip() for name in self.mcp_graphs.split(",") if name.strip())

    @property
    def extracts_with_model(self) -> bool:
        """Whether triplets from prose are the chat model's."""
        return self.extractor != "local" and self.chat_endpoint is not None

    def _beside(self, chat: Endpoint | None, url: str | None, model: str, key: SecretStr | None) -> Endpoint:
        """An endpoint that is the chat model's where no other is set, and has its key where it is at its origin."""
        base = url or (chat.base_url if chat else OPENAI_URL)
        endpoint = Endpoint(check_base_url(base, allow_http=self.llm_allow_http), model)
        if key is None and chat is not None and chat.origin == endpoint.origin:
            key = chat.key
        if key is None and endpoint.is_openai:
            key = self.openai_api_key
        return Endpoint(endpoint.base_url, endpoint.model, key)

    def _chat(self) -> Endpoint | None:
        if not (self.llm_base_url or self.llm_api_key or self.openai_api_key):
            return None
        base = check_base_url(self.llm_base_url or OPENAI_URL, allow_http=self.llm_allow_http)
        endpoint = Endpoint(base, self.llm_model or OPENAI_MODEL, self.llm_api_key)
        if endpoint.key is None and endpoint.is_openai:
            return Endpoint(endpoint.base_url, endpoint.model, self.openai_api_key)
        return endpoint

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, .env and hybridrag.toml beside it; `Settings(_env_file=None)` reads no
        file."""
        file = getattr(dotenv_settings, "env_file", None)
        names = (init_settings, _OurNames(settings_cls, env_file=file))
        return names if file is None else (*names, _TomlNames(settings_cls, Path(file).with_name(TOML)))


def load_settings() -> Settings:
    """The settings of the environment, .env and hybridrag.toml. Raises SettingsError."""
    try:
        return Settings()
    except (ValidationError, UnicodeDecodeError) as error:
        raise SettingsError(_told(error)) from error


def _told(error: ValidationError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"'.env' is not UTF-8 text: {error}"
    faults = []
    for fault in error.errors():
        if not fault["loc"]:
            faults.append(fault["msg"].removeprefix("Value error, ") + ".")
            continue
        name = str(fault["loc"][0]).upper()
        if fault["type"] == "extra_forbidden":
            known = ", ".join(_variable(field) for field in Settings.model_fields)
            faults.append(f"{name} is not a setting. Known: {known}.")
        elif name.endswith(("API_KEY", "STORE")):
            told = fault["msg"].removeprefix("Value error, ").rstrip(".")
            faults.append(f"{_variable(name)}: {told}.")
        else:
            faults.append(f"{_variable(name)}={fault['input']}: {fault['msg']}.")
    return " ".join(faults)


def _variable(field: str) -> str:
    name = field.upper().removeprefix(PREFIX)
    return name if name.lower() in OTHERS else PREFIX + name
