"""Learns which names filings print for the concepts of US-GAAP, and in which statements the concepts stand.

python -m evals.learn_concepts --docs FOLDER [FOLDER ...] [--more PACKAGE.whl] [--out FILE]

From tagged filings: the label of every row whose figures carry a concept, and the statement it stands in. From the
wheel of edgartools, where given: the statement of a concept and the label that its tables of many filings have for it.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.documents.read.page_reader import HTML_SUFFIXES
from tools.documents.read.parse import parse_document
from tools.documents.types import ParsedDocument
from tools.knowledge.extract.table_triplets import PRIMARY_STATEMENTS
from tools.knowledge.lexicon.concept_labels import TABLE
from tools.knowledge.lexicon.metric_names import fold_label
from tools.store.disk.home import replace_file

_PREFIX = "us-gaap:"
_STATEMENTS = {
    "IncomeStatement": "income",
    "BalanceSheet": "balance",
    "CashFlow": "cash_flow",
    "CashFlowStatement": "cash_flow",
    "ComprehensiveIncome": "comprehensive_income",
    "StatementOfEquity": "equity",
}
_TREES = "edgar/entity/data/virtual_trees.json"
_MAPPINGS = "edgar/xbrl/standardization/gaap_mappings.json"
_MAX_LABEL = 120
_DATED = re.compile(r"\b(?:19|20)\d\d\b")
"""A label with a year in it is of one filing."""


class Learned:
    """Labels with the companies that print them, and statements, by concept."""

    def __init__(self) -> None:
        self._labels: dict[str, dict[str, dict[str, set[str]]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(set))
        )
        self._statements: dict[str, set[str]] = defaultdict(set)

    def add_filing(self, parsed: ParsedDocument) -> None:
        """The rows of a tagged filing that hold figures of the whole company: the rows of a breakdown are called by its
        parts. A label whose concept differs from column to column names none."""
        whole = {
            (page.number, tag.line, tag.concept)
            for page in parsed.pages
            for tag in page.tags
            if not tag.dimensions
        }
        for table in parsed.tables:
            rows: dict[int, set[str]] = defaultdict(set)
            for fact in table.facts:
                rows[fact.row].add(fact.concept)
            for fact in table.facts:
                concept = fact.concept.removeprefix(_PREFIX)
                if len(rows[fact.row]) != 1 or concept == fact.concept:
                    continue
                if table.statement in PRIMARY_STATEMENTS:
                    self._statements[concept].add(table.statement)
                if (fact.page, fact.line, fact.concept) in whole and not _DATED.search(fact.metric):
                    self.add_label(concept, " ".join(fact.metric.split()), parsed.document.company_key)

    def add_label(self, concept: str, label: str, company: str) -> None:
        """A label that a company prints; spellings that differ in case alone are one."""
        if fold_label(label) and len(label) <= _MAX_LABEL:
            self._labels[concept][fold_label(label)][label].add(company)

    def add_statement(self, concept: str, name: str) -> None:
        """A statement by the name that edgartools gives it."""
        if name in _STATEMENTS:
            self._statements[concept].add(_STATEMENTS[name])

    def table(self) -> dict[str, dict[str, Any]]:
        """concept -> {"labels": {label: companies}, "statements": [...]}, sorted."""
        found: dict[str, dict[str, Any]] = {}
        for concept in sorted({*self._labels, *self._statements}):
            labels = {
                min(spellings, key=lambda label: (-len(spellings[label]), label)): len(
                    set().union(*spellings.values())
                )
                for spellings in self._labels[concept].values()
            }
            found[concept] = {
                "labels": dict(sorted(labels.items())),
                "statements": sorted(self._statements[concept]),
            }
        return found


def add_package(learned: Learned, wheel: Path) -> None:
    """Statements and labels of the wheel's tables; each of its labels counts as one company's."""
    with zipfile.ZipFile(wheel) as archive:
        trees: dict[str, Any] = json.loads(archive.read(_TREES))
        mappings: dict[str, Any] = json.loads(archive.read(_MAPPINGS))
    for concept, entry in mappings.items():
        learned.add_statement(concept, str(entry.get("statement", "")))
    for name, tree in trees.items():
        for concept, node in tree["nodes"].items():
            if not node["is_abstract"] and not concept.endswith(
                ("Table", "Axis", "Domain", "LineItems", "Member")
            ):
                learned.add_statement(concept, name)
                learned.add_label(concept, node["label"], "edgartools")


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.learn_concepts", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--docs", type=Path, nargs="+", required=True, help="folders of tagged filings")
    parser.add_argument("--more", type=Path, help="the wheel of edgartools")
    parser.add_argument("--out", type=Path, default=TABLE)
    options = parser.parse_args(arguments)
    learned = Learned()
    if options.more is not None:
        add_package(learned, options.more)
    filings = sorted(
        p for folder in options.docs for p in folder.rglob("*") if p.suffix.lower() in HTML_SUFFIXES
    )
    for path in filings:
        learned.add_filing(parse_document(path, path.parent))
    table = learned.table()
    lines = [
        f"{json.dumps(concept)}: {json.dumps(entry, ensure_ascii=False)}" for concept, entry in table.items()
    ]
    replace_file(options.out, ("{\n" + ",\n".join(lines) + "\n}\n").encode())
    print(
        f"{len(table)} concepts with {sum(len(e['labels']) for e in table.values())} labels of {len(filings)} filings"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
