"""Analysts' questions and the executives' answers, over the calls they were asked on: the protocol of the HybridRAG
paper (section 4) on public calls.

A folder with `qa.jsonl` (id, company, quarter, year, source, question, answer) and `docs/`. In the blind set each
question's own turn is left out of its call, so that only the answer can be found.
"""

from __future__ import annotations

from pathlib import Path

from evals.datasets.expected_figures import spoken_figures
from evals.datasets.files import Documents, data_hash, folder, question_file
from evals.datasets.lines import Id, Line, Quarter, Words, Year, at, read_lines, refuse_repeated
from evals.datasets.types import Dataset, Item, Place

NAME = "earnings-calls"
BLIND = "earnings-calls-blind"
HOLDS = "a folder with qa.jsonl and docs/"


class _Line(Line):
    id: Id
    company: Words
    quarter: Quarter
    year: Year
    source: Words
    """The call, relative to `docs/`."""
    question: Words
    answer: Words


def load(path: Path | None) -> Dataset:
    """Calls with the questions in them. Raises DatasetError."""
    return _load(NAME, path, ())


def load_blind(path: Path | None) -> Dataset:
    """Calls without the chosen questions. Raises DatasetError."""
    return _load(BLIND, path, ("Each question's own turn is left out of its call.",))


def _load(name: str, path: Path | None, notes: tuple[str, ...]) -> Dataset:
    root = folder(path, name, HOLDS)
    questions = question_file(root / "qa.jsonl")
    documents = Documents(root / "docs")
    lines = read_lines(questions, _Line)
    refuse_repeated(questions, ((number, line.id) for number, line in lines))
    for number, line in lines:
        if line.source not in documents.paths:
            raise at(questions, number, f"field 'source': there is no '{line.source}' in '{documents.root}'")
    return Dataset(
        name=name,
        items=tuple(_item(line) for _, line in lines),
        documents=(documents.root,),
        data_hash=data_hash([questions], [documents.root]),
        notes=notes,
    )


def _item(line: _Line) -> Item:
    return Item(
        id=line.id,
        question=line.question,
        company=line.company,
        year=line.year,
        quarter=line.quarter,
        answer=line.answer,
        gold=(line.answer,),
        numbers=spoken_figures(line.answer),
        places=(Place(document=line.source),),
        answerable=True,
    )
