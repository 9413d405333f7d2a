"""Settings: HYBRIDRAG_* variables and .env, validated."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

PREFIX = "HYBRIDRAG_"


class SettingsError(ValueError):
    """A HYBRIDRAG_* name that does not exist, or a value that does not fit; names which."""


class _OurNames(DotEnvSettingsSource):
    """HYBRIDRAG_* names of .env and the environment, unknown ones included, so that a typo is an error;
    a .env shared with other programs keeps its other names to itself."""

    def _read_env_files(self) -> Mapping[str, str | None]:
        names = {**super()._read_env_files(), **{k.lower(): v for k, v in os.environ.items()}}
        return {k: v for k, v in names.items() if k.lower().startswith(PREFIX.lower())}


class Settings(BaseSettings):
    """Everything a user can set. An unknown HYBRIDRAG_* name, or a number out of bounds, is an error."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_file=".env", env_file_encoding="utf-8", extra="forbid"
    )

    home: Path = Path(".hybridrag")
    """Folder of the index and the chat threads."""
    engine: Literal["auto", "local"] = "auto"
    """`auto` is `local` as long as no model endpoint can be set."""
    top_k: int = Field(8, gt=0, le=50)
    """Chunks that vector_search returns."""
    graph_k: int = Field(12, gt=0, le=200)
    """Facts and relations that kg_search returns."""
    depth: int = Field(1, gt=0, le=3)
    """Hops from a linked entity in the knowledge graph."""
    dense_weight: float = Field(0.8, ge=0, le=1)
    """Dense share of the dense/keyword mix."""
    threshold: float = Field(1.0, ge=0, le=1)
    """Faithfulness below which a draft is sent back."""
    splitter: Literal["structure", "recursive"] = "structure"
    """How prose is cut; `recursive` is the paper's 1024/0, for the baselines. Needs a new index."""
    workers: int = Field(2, gt=0, le=32)
    """Processes that read documents while indexing."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment and .env."""
        return init_settings, _OurNames(settings_cls)


def load_settings() -> Settings:
    """The settings of the environment and .env. Raises SettingsError."""
    try:
        return Settings()
    except (ValidationError, UnicodeDecodeError) as error:
        raise SettingsError(_told(error)) from error


def _told(error: ValidationError | UnicodeDecodeError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"'.env' is not UTF-8 text: {error}"
    faults = []
    for fault in error.errors():
        name = str(fault["loc"][0]).upper()
        if fault["type"] == "extra_forbidden":
            known = ", ".join(f"{PREFIX}{field.upper()}" for field in Settings.model_fields)
            faults.append(f"{name} is not a setting. Known: {known}.")
        else:
            faults.append(f"{PREFIX}{name.removeprefix(PREFIX)}={fault['input']}: {fault['msg']}.")
    return " ".join(faults)
