"""FinanceBench's open questions on annual and quarterly reports (Islam et al. 2023), from a copy of its repository.

A folder with `financebench_open_source.jsonl`, there or in `data/`, and `pdfs/`. Beside the questions
`financebench_document_information.jsonl` may say of what type each document is.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Annotated

from pydantic import Field

from evals.datasets.expected_figures import apart, asked_scale, written_figures
from evals.datasets.files import data_hash, folder
from evals.datasets.lines import Id, Line, Words, at, read_lines, refuse_repeated
from evals.datasets.mojibake import mend
from evals.datasets.types import Dataset, DatasetError, ExpectedNumber, Item, Place
from tools.values import Quantity, find_quantities, same_amount

NAME = "financebench"
QUESTIONS = "financebench_open_source.jsonl"
INFORMATION = "financebench_document_information.jsonl"
HOLDS = f"a folder with {QUESTIONS} (there or in data/) and pdfs/"


class _Evidence(Line):
    evidence_text: str
    doc_name: Words
    evidence_page_num: Annotated[int, Field(ge=0)]
    """Counted from 0."""


class _Line(Line):
    financebench_id: Id
    doc_name: Words
    question: Words
    question_type: str
    answer: Words
    evidence: tuple[_Evidence, ...]


class _Document(Line):
    doc_name: Words
    doc_type: str


def load(path: Path | None) -> Dataset:
    """The questions, without filters: each names its company and year. Only the documents that they refer to are
    indexed. Raises DatasetError, for a PDF that is missing by its name."""
    root = folder(path, NAME, HOLDS)
    questions = next((f for f in (root / QUESTIONS, root / "data" / QUESTIONS) if f.is_file()), None)
    if questions is None:
        raise DatasetError(f"There is no {QUESTIONS} in '{root}' or its data/.")
    lines = read_lines(questions, _Line)
    refuse_repeated(questions, ((number, line.financebench_id) for number, line in lines))
    documents: dict[str, Path] = {}
    for number, line in lines:
        for name in _names(line):
            documents[name] = root / "pdfs" / f"{name}.pdf"
            if not documents[name].is_file():
                raise at(questions, number, f"field 'doc_name': there is no '{documents[name]}'")
    types = _types(questions.with_name(INFORMATION))
    items = tuple(_item(line, types) for _, line in lines)
    files = tuple(file for _, file in sorted(documents.items()))
    without = sum(1 for item in items if not item.numbers)
    note = (
        f"Questions without expected figures: {without}; what their gold passages do not print is worked out."
    )
    return Dataset(
        name=NAME,
        items=items,
        documents=files,
        data_hash=data_hash([questions], files),
        notes=(note,) if without else (),
    )


def _names(line: _Line) -> tuple[str, ...]:
    """Documents of a question, without '.pdf', each once."""
    return tuple(dict.fromkeys((line.doc_name, *(piece.doc_name for piece in line.evidence))))


def _types(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    return {document.doc_name: document.doc_type for _, document in read_lines(path, _Document)}


def _item(line: _Line, types: dict[str, str]) -> Item:
    gold = tuple(mend(p.evidence_text) for p in line.evidence if p.evidence_text.strip())
    pages = [Place(document=f"{p.doc_name}.pdf", page=p.evidence_page_num + 1) for p in line.evidence]
    answer = mend(line.answer)
    return Item(
        id=line.financebench_id,
        question=mend(line.question),
        answer=answer,
        gold=gold,
        numbers=_printed(answer, asked_scale(line.question), gold),
        places=tuple(dict.fromkeys(pages)) or (Place(document=f"{line.doc_name}.pdf"),),
        answerable=True,
        kind=", ".join(filter(None, (line.question_type, types.get(line.doc_name, "")))),
    )


def _printed(answer: str, scale: int, gold: tuple[str, ...]) -> tuple[ExpectedNumber, ...]:
    """The figures of the answer that its gold passages print.

    An answer in the scale its question asks for prints none ('$1577.00' in millions), and cents that mean nothing
    ('$8.70' for 8.738 billion). A table prints its scale apart from its figures, so any is tried.
    """
    stated = [q for passage in gold for q in find_quantities(apart(passage))]
    kept = []
    for number in written_figures(answer).numbers:
        figure = number.quantity
        if scale and number.scale == 0 and number.unit in {"", "USD"}:
            whole = number.value.to_integral_value()
            value = whole if whole == number.value else number.value.normalize()
            figure = replace(figure, value=value, scale=scale)
        if any(_agree(figure, other) for other in stated):
            kept.append(ExpectedNumber(value=figure.value, unit=figure.unit, scale=figure.scale))
    return tuple(kept)


def _agree(figure: Quantity, printed: Quantity) -> bool:
    """Signs aside: a statement prints in brackets what an answer calls an outflow."""
    if printed.unit not in {"", figure.unit} and figure.unit not in {"", printed.unit}:
        return False
    ours = _plain(figure, figure.scale)
    scales = (printed.scale,) if printed.scale else (0, 3, 6, 9)
    return any(same_amount(ours, _plain(printed, scale)) for scale in scales)


def _plain(quantity: Quantity, scale: int) -> Quantity:
    value: Decimal = abs(quantity.value)
    return Quantity(value, "", scale, "", 0, 0)
