"""Did COMPANY do well in QUARTER? One question for each 10-Q of an index; `evals.did_well` computes the answers."""

from __future__ import annotations

from pathlib import Path

from evals.datasets.files import data_hash, folder
from evals.datasets.types import Dataset, DatasetError, Item, Place
from evals.did_well import quarters
from tools.store.errors import StoreError, UserStoreError

NAME = "did-well"
HOLDS = "the home folder of an index that holds 10-Qs"


def load(path: Path | None) -> Dataset:
    """A question for each 10-Q whose own statements answer it. Raises DatasetError."""
    home = folder(path, NAME, HOLDS)
    try:
        found = quarters(home)
    except (StoreError, UserStoreError) as error:
        raise DatasetError(f"'{NAME}' needs {HOLDS}. {error}") from error
    asked = [quarter for quarter in found if quarter.well is not None]
    if not asked:
        raise DatasetError(f"The index '{home}' holds no 10-Q with an income statement of two columns.")
    documents = tuple(Path(quarter.entry.source) for quarter in asked)
    gone = [str(each) for each in documents if not each.is_file()]
    if gone:
        raise DatasetError(f"A file of the index '{home}' is no longer there: {gone[0]}.")
    left_out = [quarter.entry.path for quarter in found if quarter.well is None]
    return Dataset(
        name=NAME,
        items=tuple(
            Item(
                id=f"{quarter.entry.company_key}-{quarter.end}-{quarter.entry.document_id[:8]}",
                question=quarter.question,
                answer="yes" if quarter.well else "no",
                places=tuple(
                    Place(document=quarter.entry.name, page=page)
                    for page in sorted({line.page for line in quarter.lines.values()})
                ),
                answerable=True,
                kind="yes" if quarter.well else "no",
            )
            for quarter in asked
        ),
        documents=documents,
        data_hash=data_hash([], documents),
        notes=(f"No truth in the statements of {', '.join(left_out)}.",) if left_out else (),
    )
