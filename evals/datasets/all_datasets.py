"""Question sets by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

from evals.datasets import did_well_set, earnings_calls, financebench, jsonl, questions, sample_set, sec_10q
from evals.datasets.types import Dataset, DatasetError

DATASETS: Mapping[str, Callable[[Path | None], Dataset]] = MappingProxyType(
    {
        sample_set.NAME: sample_set.load,
        earnings_calls.NAME: earnings_calls.load,
        earnings_calls.BLIND: earnings_calls.load_blind,
        sec_10q.NAME: sec_10q.load,
        financebench.NAME: financebench.load,
        did_well_set.NAME: did_well_set.load,
        jsonl.NAME: jsonl.load,
        questions.NAME: questions.load,
    }
)


def load_dataset(name: str, path: Path | None) -> Dataset:
    """The question set called `name`, read from `path`; 'sample' has none. Raises DatasetError, for a name that is
    none as well."""
    load = DATASETS.get(name)
    if load is None:
        raise DatasetError(f"There is no question set '{name}'. Known: {', '.join(DATASETS)}.")
    return load(path)
