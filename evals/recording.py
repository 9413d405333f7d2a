"""A run over recorded replies: with an endpoint what is missing is recorded, without one what is there is replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import orjson

from agent.endpoint.models import chat_model
from agent.errors import UsageError
from agent.settings import Settings
from evals.rows import Row
from tools.model.recorded import NAME, Recorded, recorded_calls
from tools.store.disk.home import replace_file

REPLAYED = "https://recorded.invalid/v1"
"""What settings have for an endpoint where none is asked; such a name resolves nowhere (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class Recording:
    """How a run asks its model."""

    settings: Settings
    """The run's."""
    model: Recorded | None = None
    """Who is asked; None: the settings' endpoint, without a recording."""
    folder: Path = Path()

    def finish(self, rows: Iterable[Row], note: Callable[[str], None], *, prune: bool) -> bool:
        """Whether no reply was missing, which is said otherwise. `prune`: drop the replies that no row used."""
        if self.model is None:
            return True
        if self.model.missing:
            note(
                f"Replies missing in '{self.folder}': {self.model.missing:,}, as prompts, documents or settings have "
                f"changed since. {_refresh(self.folder)}"
            )
        elif prune and (dropped := keep_only(self.folder, {key for row in rows for key in row.replies})):
            note(f"Dropped {dropped:,} replies that are no longer asked for.")
        return not self.model.missing


def recording_of(settings: Settings, folder: Path | None, *, replay: bool, prune: bool) -> Recording:
    """The settings and the model of a run with `--replies FOLDER`; without a folder the settings as they are.

    Relations are read by the local extractor: a recording holds what is asked for questions alone. UsageError.
    """
    if folder is None:
        if replay or prune:
            raise UsageError("--replay and --prune need --replies FOLDER.")
        return Recording(settings)
    settings = settings.model_copy(update={"extractor": "local"})
    if not replay and settings.chat_endpoint is not None:
        return Recording(settings, Recorded(folder, chat_model(settings), _refresh(folder)), folder)
    if not recorded_calls(folder):
        raise UsageError(f"No replies are recorded in '{folder}'. {_refresh(folder)}")
    model = Recorded(folder, None, _refresh(folder))
    named = {"engine": "auto", "llm_base_url": REPLAYED, "llm_model": model.id, "llm_api_key": None}
    return Recording(settings.model_copy(update=named), model, folder)


def keep_only(folder: Path, keys: set[str]) -> int:
    """Drop all other replies of a recording; returns how many. OSError."""
    path = folder / f"{NAME}.jsonl"
    unused = set(recorded_calls(folder)) - keys
    if unused:
        lines = [line for line in path.read_bytes().split(b"\n") if _whole(line)]
        kept = [line for line in lines if orjson.loads(line).get("key") not in unused]
        replace_file(path, b"".join(line + b"\n" for line in kept))
    return len(unused)


def _whole(line: bytes) -> bool:
    """False for one that a kill cut short."""
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def _refresh(folder: Path) -> str:
    return f"Set an endpoint and run again with --replies {folder}."
