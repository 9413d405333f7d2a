"""The indexes that a run reads: one a splitter, built where missing, shared by runs beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.assistant import Assistant
from agent.errors import UsageError
from agent.settings import Settings
from evals.datasets.types import Dataset
from evals.pipelines import Pipeline
from tools.documents.ids import document_id
from tools.documents.read.parse import Splitter, find_documents
from tools.store.disk.home import Entry
from tools.store.runs.course import OnProgress

MAX_NAMED_FILES = 5
"""Documents named in a message."""


@dataclass
class Indexes:
    """Where each splitter's index is, and what it holds."""

    homes: dict[Splitter, Path] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    """Files that could not be indexed, and documents that are not the set's."""


def prepare(
    dataset: Dataset,
    pipelines: Sequence[Pipeline],
    settings: Settings,
    *,
    beside: Path,
    home: Path | None = None,
    on_progress: OnProgress | None = None,
) -> Indexes:
    """The indexes of these pipelines, up to date.

    `beside`: the folder of the run; indexes are built in `.index` next to it. `home`: an index to use as it is for
    the project's configuration, never written. UsageError if documents of the set are missing there; see
    `Assistant.index` for the other errors.
    """
    found = Indexes()
    wanted = dict.fromkeys(pipeline.settings(settings).splitter for pipeline in pipelines)
    own = any(not pipeline.paper for pipeline in pipelines)
    for splitter in wanted:
        if home is not None and own and splitter == settings.splitter:
            _use(home, dataset, settings, found)
        else:
            folder = beside.parent / ".index" / f"{dataset.name}-{dataset.data_hash[:8]}-{splitter}"
            _build(folder, dataset, splitter, settings, found, on_progress)
    return found


def _build(
    folder: Path,
    dataset: Dataset,
    splitter: Splitter,
    settings: Settings,
    found: Indexes,
    on_progress: OnProgress | None,
) -> None:
    if not dataset.documents:
        raise UsageError(f"'{dataset.name}' has questions alone. Name an index of the documents: --home DIR.")
    own = settings.of_folder(folder).model_copy(update={"splitter": splitter})
    with Assistant(own) as assistant:
        report = assistant.index(list(dataset.documents), None, on_progress)
    bad = [f"{o.file} ({o.reason})" for o in report.outcomes if o.state in ("failed", "incomplete")]
    found.notes += [f"Not in the '{splitter}' index: {each}" for each in bad]
    if not report.documents:
        raise UsageError(f"No document of '{dataset.name}' could be indexed: {_listed(bad)}")
    found.homes[splitter] = folder
    found.digests[splitter] = report.digest


def _use(home: Path, dataset: Dataset, settings: Settings, found: Indexes) -> None:
    with Assistant(settings.of_folder(home)) as assistant:
        generation = assistant.current().generation
        entries, digest = generation.entries, generation.digest
    files = find_documents(dataset.documents)[0] if dataset.documents else []
    there = {entry.document_id for entry in entries}
    needed = {document_id(file): file.name for file, _ in files}
    missing = sorted(name for key, name in needed.items() if key not in there)
    if missing:
        raise UsageError(
            f"{len(missing)} of {len(needed)} documents of '{dataset.name}' are not in the index at '{home}': "
            f"{_listed(missing)}. Index them there (hybridrag index PATH --home {home}), or leave --home out: the "
            "run then builds an index of its own."
        )
    others = _others(entries, needed)
    if others and needed:
        found.notes.append(f"The index holds {others} documents beside the set's {len(needed)}.")
    found.homes[settings.splitter] = home
    found.digests[settings.splitter] = digest


def _others(entries: Sequence[Entry], needed: dict[str, str]) -> int:
    return sum(entry.document_id not in needed for entry in entries)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_NAMED_FILES} more" if len(names) > MAX_NAMED_FILES else ""
    return ", ".join(names[:MAX_NAMED_FILES]) + more
