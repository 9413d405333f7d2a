"""Questions and phrases for printed figures and the lines that print these: what `evals.learn_line_items` learns from,
beside rows of invented filings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict

from evals.computed import Computed, questions
from evals.facts import FilingFact
from evals.natural import SETS, Natural, holds, load, source_of
from evals.records import DATA
from evals.records import load as load_records
from tools.calculate.types import Asked
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.figure_candidates import without_frame
from tools.knowledge.search.kg_search import fact_text
from tools.knowledge.search.line_items import own_names
from tools.knowledge.types import Triplet
from tools.scope import Scope
from tools.vector.line_item_encoder import row_text

if TYPE_CHECKING:
    from agent.assistant import Assistant

FACTS = ("filing_facts", "filing_facts_2", "filing_facts_3", "plain_figures")
COMPUTED = ("computed_tune", *(f"computed_tune_{number}" for number in range(2, 13)))
"""Questions whose operands are known, of the tuning companies."""
OF_TWO = re.compile(r"o(\d+)(?:\s*\*\s*10+)?\s*([-/<>])=?\s*\(?\s*o(\d+)")
"""In a formula: 'o1 / o2', 'o1 * 1000 / o2', 'o1 > o2'."""
PHRASES = DATA / "line_phrases.jsonl"
MAX_RIGHT = 6
"""Lines that may print the figure, where no page is known: of more, one does by chance."""
MIN_DIGITS, MAX_PRINTING = 3, 12
"""Digits of an amount that tells lines apart, and lines that may print it."""


@dataclass(frozen=True, slots=True)
class AskedLine:
    """What is asked for, and lines that print it, as the encoder reads both."""

    words: str
    """The question without company and period."""
    company: str
    document: str
    right: tuple[str, ...]


class CalledLine(BaseModel):
    """What people call a printed line of a document."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    """As `evals.natural.source_of` has it."""
    page: int
    line: str
    """`digest` of the line."""
    phrases: tuple[str, ...]


def digest(line: str) -> str:
    """Names a line, as the encoder reads it, without its words."""
    return sha256(line.encode("utf-8")).hexdigest()[:12]


def called_lines() -> list[CalledLine]:
    """All lines that were given phrases."""
    lines = PHRASES.read_text(encoding="utf-8").splitlines()
    return [CalledLine.model_validate_json(line) for line in lines]


def gather(home: Path) -> tuple[list[AskedLine], dict[str, list[str]]]:
    """Questions of the tuning halves whose figure is among those read from the documents in `home`, phrases for lines
    of these, and each document's lines. The store's errors."""
    from agent.assistant import Assistant

    figures: dict[str, list[Triplet]] = defaultdict(list)
    with Assistant.open(home) as assistant:
        graph = assistant.current().graph
        for row in range(len(graph.tables.rows)):
            triplet = graph.triplet(row)
            if triplet.value is not None and graph.may_answer(row):
                figures[triplet.document].append(triplet)
        calculations = [(each, made) for name in COMPUTED for each, made in _planned(assistant, name)]
    named = {source_of(name): name for name in figures}
    found = [
        _asked(graph, each.question, named[each.source], _printing(each, figures[named[each.source]]))
        for each in load(SETS, "tune")
        if each.kind == "fact" and each.source in named
    ]
    found += [
        _asked(graph, each.question, each.document, _equal(each, figures[each.document]))
        for name in FACTS
        for each in load_records(DATA / f"{name}.jsonl", FilingFact, "tune")
        if each.document in figures
    ]
    lines = {name: sorted(set(map(_line, own))) for name, own in figures.items()}
    companies = {each.name: each.company_key for each in graph.tables.documents}
    found += _called(named, lines, companies)
    for each, asked in calculations:
        found += _operands(each, asked, named, figures, companies)
    same = {name: of_same_figures(own) for name, own in figures.items()}
    return [_whole(each, same[each.document]) for each in found if 0 < len(each.right) <= MAX_RIGHT], lines


def _whole(asked: AskedLine, same: Mapping[str, set[str]]) -> AskedLine:
    """With all lines that print the same."""
    also = set(asked.right).union(*(same.get(line, ()) for line in asked.right))
    return replace(asked, right=tuple(sorted(also)))


def of_same_figures(figures: Sequence[Triplet]) -> dict[str, set[str]]:
    """For lines of one document others that print the same, as two statements print net income. They agree wherever
    both have a figure, in one of `MIN_DIGITS` at least; amounts that many lines print are nobody's."""
    own: dict[str, dict[object, set[Decimal]]] = defaultdict(lambda: defaultdict(set))
    printing: dict[object, set[str]] = defaultdict(set)
    for each in figures:
        amount, line = abs(Decimal(each.value or "").scaleb(each.scale)), _line(each)
        own[line][each.period, each.unit].add(amount)
        if len((each.value or "").strip("-").replace(".", "").strip("0")) >= MIN_DIGITS:
            printing[each.period, each.unit, amount].add(line)
    found: dict[str, set[str]] = defaultdict(set)
    for lines in printing.values():
        for one, other in permutations(lines, 2) if len(lines) <= MAX_PRINTING else ():
            if all(own[one][key] & own[other][key] for key in own[one].keys() & own[other].keys()):
                found[one].add(other)
    return dict(found)


def _called(
    named: Mapping[str, str], lines: Mapping[str, Sequence[str]], companies: Mapping[str, str]
) -> Iterator[AskedLine]:
    """Each phrase as what is asked for; none for a line that is not read as it was."""
    own = {document: {digest(line): line for line in some} for document, some in lines.items()}
    for each in called_lines():
        document = named.get(each.source, "")
        line = own.get(document, {}).get(each.line)
        if line is not None:
            yield from (AskedLine(phrase, companies[document], document, (line,)) for phrase in each.phrases)


def _planned(assistant: Assistant, name: str) -> Iterator[tuple[Computed, Asked]]:
    """Questions of a set with what the program takes them to ask for."""
    index, engine = assistant.current(), assistant.engine
    for each in questions(DATA / f"{name}.jsonl"):
        reading = engine.reader.read(each.question, index, Scope())
        for made in engine.planner.plan(reading, index.catalog, Scope()).calculations:
            yield each, made.asked


def _operands(
    computed: Computed,
    asked: Asked,
    named: Mapping[str, str],
    figures: Mapping[str, list[Triplet]],
    companies: Mapping[str, str],
) -> Iterator[AskedLine]:
    """The words for one or two figures, and the lines that print their operands where the question's author found
    these; none where it was not read as its formula is: of one figure all operands of a document are of one line."""
    words = {name: text.split("|")[0] for name, text in asked.items if text}
    pairs = [(int(each[1]), int(each[3])) for each in OF_TWO.finditer(computed.formula)]
    places: dict[str, Sequence[int]] = {}
    if words.keys() == {"a"}:
        places = {"a": range(1, len(computed.operands) + 1)}
    elif words.keys() == {"a", "b"}:
        places = {name: [pair[at] for pair in pairs] for at, name in enumerate("ab")}
    if asked.measure or asked.over == "part":
        return
    for name, numbers in places.items():
        right: dict[str, set[str]] = {}
        for operand in (computed.operands[number - 1] for number in numbers):
            document = named.get(operand["source"], "")
            own = _printing_amount(operand, figures.get(document, ()))
            right[document] = right.get(document, own) & own
        said = f"{asked.part} {words[name]}".strip()
        for document, own in right.items():
            yield AskedLine(said, companies.get(document, ""), document, tuple(sorted(own)))


def _printing_amount(operand: Mapping[str, Any], figures: Iterable[Triplet]) -> set[str]:
    """The lines that print an operand on its page."""
    amount, page = abs(Decimal(str(operand["value"]))), operand["page"]
    return {_line(each) for each in figures if each.page == page and abs(Decimal(each.value or "")) == amount}


def _asked(graph: KnowledgeGraph, question: str, document: str, right: list[Triplet]) -> AskedLine:
    company = next(each.company_key for each in graph.tables.documents if each.name == document)
    words = without_frame(question, own_names(graph, company))
    return AskedLine(words, company, document, tuple(sorted(set(map(_line, right)))))


def _line(figure: Triplet) -> str:
    return row_text(figure.head, figure.path, figure.statement)


def _printing(asked: Natural, figures: list[Triplet]) -> list[Triplet]:
    """Figures that hold what is expected, on the page where its author found it (0: on any)."""
    pages = asked.page if isinstance(asked.page, tuple) else (asked.page,)
    own = (each for each in figures if each.page in pages or pages == (0,))
    return [each for each in own if holds(asked, fact_text(each))]


def _equal(asked: FilingFact, figures: list[Triplet]) -> list[Triplet]:
    """Figures of the same amount, unit and period."""
    return [
        each
        for each in figures
        if (each.unit, each.period.end) == (asked.unit, asked.period_end)
        and each.period.months in (asked.months, None)
        and abs(Decimal(each.value or "").scaleb(each.scale)) == abs(asked.quantity.amount)
    ]
