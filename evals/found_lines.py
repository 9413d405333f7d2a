"""What the assistant finds for a question, line by line: the examples that `evals.learn_fit` learns from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from evals.learning import Matrix
from evals.natural import Natural, holds, is_shown, source_of
from graphs.contracts import Draft, Reading
from graphs.drafts.words import content
from graphs.index import Index
from graphs.local.answer.line_ranking import lines_of
from tools.documents.types import Document
from tools.evidence import Evidence
from tools.ranking.company_fit import Seen
from tools.ranking.line_features import Line, overlap
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.line_item_encoder import LineItemEncoder

Shares = tuple[float, float]
ALL = 5000
"""More passages than a document has."""
MAX_UNFOUND = 4
"""Lines of a document to learn from where the search found none that answers."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question with the lines that were found for it."""

    question: Natural
    company: str
    """Key of whom it is about, see `companies_of`."""
    text: str
    """The question as it was read."""
    vector: Matrix
    """The question's embedding, and a 1 for the constant."""
    lines: tuple[Line, ...]
    shares: tuple[Shares, ...]
    answers: tuple[bool, ...]
    """For each line whether it answers."""
    logits: tuple[float, ...] = ()
    """The cross-encoder's, where it has read them."""
    unfound: tuple[Line, ...] = ()
    """Where none of these answers: lines of the question's document that do, to learn from."""

    def of(self, positions: Sequence[int]) -> Example:
        """With these lines alone."""
        return replace(
            self,
            lines=tuple(self.lines[k] for k in positions),
            shares=tuple(self.shares[k] for k in positions),
            answers=tuple(self.answers[k] for k in positions),
            logits=tuple(self.logits[k] for k in positions) if self.logits else (),
        )


class _Recorder:
    """Keeps what it is given to rank."""

    def __init__(self) -> None:
        self.seen: tuple[Reading, list[Evidence]] | None = None

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        self.seen = reading, list(evidence)
        return list(evidence)

    def profile_kinds(self, reading: Reading) -> tuple[str, ...]:
        return ()

    def is_listed(self, reading: Reading) -> bool:
        return False

    def seen_of_company(self, reading: Reading, evidence: Sequence[Evidence], *, read: bool = True) -> Seen:
        return Seen((), 0.0, 0.0)

    def of_companies(
        self, reading: Reading, looked: Sequence[tuple[Seen, Sequence[Evidence]]], perhaps: int = 0
    ) -> list[Evidence]:
        return []


class _Silent:
    """Finds no answer, so that everything is looked up."""

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        return Draft(text="", abstained="no_evidence", detail="")

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Any) -> Draft:
        return draft


def companies_of(home: Path, questions: Sequence[Natural]) -> dict[str, str]:
    """Question's id -> key of the company whose document it was written about; where none is known, what its author
    calls the company."""
    from agent.assistant import Assistant

    with Assistant.open(home) as assistant:
        catalog = assistant.current().catalog
        held = {
            source_of(each.name): key for key in catalog.companies for each in catalog.documents_of(key)
        } | {key: key for key in catalog.companies}
    return {each.id: held.get(each.source.partition("_call_")[0], each.company) for each in questions}


def gather(
    home: Path, questions: Sequence[Natural], companies: Mapping[str, str], encoder: LineItemEncoder
) -> list[Example]:
    """What the assistant finds for each question, line by line. `companies`: see `companies_of`; `encoder`: looks for
    figures, and tells how near their lines come, in place of the one that comes with the program."""
    from agent import open_indexes
    from agent.assistant import Assistant
    from agent.engines import local_engine
    from agent.settings import Settings

    recorder, embedder = _Recorder(), LocalEmbeddings(threads=2)
    engine = replace(local_engine(), ranker=recorder, answerer=_Silent())
    found: list[Example] = []
    with (
        patch.object(open_indexes, "LINE_ITEMS", encoder),
        Assistant(Settings(home=home), engine) as assistant,
    ):
        for question in questions:
            recorder.seen = None
            assistant.ask(question.question)
            if recorder.seen is None:
                continue
            reading, evidence = recorder.seen
            text, (lines, _) = reading.question, lines_of(reading, evidence, encoder)
            vector = np.append(embedder.embed_query(text), 1.0).astype(np.float64)
            answers = tuple(_answers(question, line) for line in lines)
            unfound = (
                () if any(answers) else _of_its_document(assistant.current(), question, reading, encoder)
            )
            shares, company = tuple(overlap(text, lines, content)), companies[question.id]
            found.append(
                Example(question, company, text, vector, tuple(lines), shares, answers, (), tuple(unfound))
            )
    return found


def _of_its_document(
    index: Index, question: Natural, reading: Reading, encoder: LineItemEncoder
) -> list[Line]:
    """Lines of the question's document that answer it; a figure must stand on the page that its author names."""
    catalog = index.catalog
    held = (each for key in catalog.companies for each in catalog.documents_of(key))
    documents = {each.id: each for each in held if _is_source(each, question.source)}
    companies = tuple({each.company_key for each in documents.values()})
    if question.kind == "absent" or not companies:
        return []
    scope = Scope(companies=companies)
    pages = question.page if isinstance(question.page, tuple) else (question.page,)
    whole = [
        each
        for each in index.vector_search(question.question, scope, ALL, 1.0)
        if each.document_id in documents and (question.kind != "fact" or each.page in pages)
    ]
    if question.kind == "fact":
        whole += index.figures_of([each.item_id for each in whole], scope)
    return [line for line in lines_of(reading, whole, encoder)[0] if _answers(question, line)][:MAX_UNFOUND]


def _is_source(document: Document, source: str) -> bool:
    company, call, _ = source.partition("_call_")
    if call:
        return document.doc_type == "call" and document.company_key == company
    return source_of(document.name) == source


def _answers(question: Natural, line: Line) -> bool:
    if question.kind == "absent":
        return False
    return holds(question, line.text) or is_shown(question, line.text)


def split(examples: Sequence[Example], part: int, parts: int) -> tuple[list[Example], list[Example]]:
    """Those of other companies, and those of the companies of one part."""
    own = set(sorted({each.company for each in examples})[part::parts])
    return (
        [each for each in examples if each.company not in own],
        [each for each in examples if each.company in own],
    )
