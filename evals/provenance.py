"""What a run was made with: versions, commit, code, settings. No keys, no folders of this machine."""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Any

from agent.endpoint_address import Endpoint
from agent.settings import Settings

ANSWERING = ("prompts", "tools", "graphs", "agent")
SCORING = ("evals.datasets", "evals.metrics", "evals.pipelines", "evals.rows", "evals.worker")
UNRELATED = (
    *("agent.chat", "agent.cli", "agent.display", "agent.endpoint.probe", "agent.findings"),
    *("agent.edgar", "agent.pictures", "agent.server", "agent.studio", "agent.threads", "agent.web"),
)
"""Of `ANSWERING`, what no answer depends on."""
LEFT_OUT = frozenset(
    {"home", "store", "workers", "llm_concurrency", "llm_rpm", "price_input", "price_output"}
)
"""Settings that change no row."""


def versions() -> dict[str, str]:
    """This project, Python, and every direct dependency that is installed, extras included."""
    found = {"python": platform.python_version()}
    for requirement in ["hybridrag", *(metadata.requires("hybridrag") or ())]:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # an extra that is not installed
    return dict(sorted(found.items()))


def commit() -> str | None:
    """Of the source tree, '-dirty' where tracked files were changed; None outside one, or without git."""
    root = Path(__file__).parent.parent
    if not (root / ".git").exists():
        return None
    try:
        head = _git(root, "rev-parse", "HEAD")
        changed = _git(root, "status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}-dirty" if changed else head


def _git(root: Path, *words: str) -> str:
    ran = subprocess.run(
        ["git", "-C", str(root), *words], capture_output=True, check=True, timeout=30, text=True
    )
    return ran.stdout.strip()


@cache
def code() -> str:
    """16 hex digits over everything that answers and scores: sources, prompts, trained weights."""
    total = hashlib.sha256()
    for module in (*ANSWERING, *SCORING):
        for name, data in _files(module):
            total.update(f"{module} {name}\n".encode() + data)
    return total.hexdigest()[:16]


def _files(module: str) -> list[tuple[str, bytes]]:
    spec = util.find_spec(module)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    root = Path(spec.origin).parent
    if spec.submodule_search_locations is None:
        return [(module, Path(spec.origin).read_bytes())]
    unrelated = [root / name.removeprefix(f"{module}.").replace(".", "/") for name in UNRELATED]
    return [
        (path.relative_to(root).as_posix(), path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.suffix in (".py", ".md", ".json")
        and not any(path.with_suffix("") == other or other in path.parents for other in unrelated)
    ]


def settings_record(settings: Settings) -> dict[str, Any]:
    """What of the settings can change a row. Endpoints without keys, by host; the engine by its real name."""
    kept = settings.model_dump(mode="json", exclude=set(LEFT_OUT))
    record = {
        name: value for name, value in kept.items() if "api_key" not in name and not name.startswith("judge_")
    }
    chat, embeddings = settings.chat_endpoint, settings.embed_endpoint
    record["engine"] = "local" if chat is None else "model"
    record["llm_base_url"], record["llm_model"] = _told(chat)
    record["embed_base_url"], record["embed_model"] = _told(embeddings)
    if chat is None:
        record = {name: value for name, value in record.items() if not name.startswith("llm_")}
    return record


def _told(endpoint: Endpoint | None) -> tuple[str | None, str | None]:
    return (None, None) if endpoint is None else (endpoint.origin, endpoint.model)
