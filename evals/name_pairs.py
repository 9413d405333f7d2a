"""Pairs of names that a reader has labelled as one entity or two: how many the graph has as the reader does.

    python -m evals.name_pairs PAIRS.jsonl --home HOME

A line is `{"one": NAME, "other": NAME, "same": true}`, NAME is `{"name": ..., "company": KEY, "document": FILE NAME}`.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tools.bootstrap import interval
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph

Place = tuple[str, str, str]
"""(company key, document, name)."""


class Name(BaseModel):
    """A name where it stands."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    company: str
    """`Document.company_key`."""
    document: str
    """File name."""

    @property
    def place(self) -> Place:
        """As the graph is looked up by."""
        return self.company, self.document, self.name


class Pair(BaseModel):
    """Two names and whether a reader takes them for one entity."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    one: Name
    other: Name
    same: bool


def nodes_of(graph: KnowledgeGraph) -> Mapping[Place, set[str]]:
    """Keys of the entities that each document names so."""
    documents = graph.documents
    found: dict[Place, set[str]] = defaultdict(set)
    for entity in graph.entities:
        for alias, document in entity.aliases:
            file = documents[document]
            found[file.company_key, file.name, alias].add(entity.key)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Print precision and recall of 'one entity'; exit code 2 for a file that cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m evals.name_pairs", description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print the pairs that the graph has otherwise")
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    try:
        lines = args.pairs.read_text(encoding="utf-8").splitlines()
        pairs = [Pair.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, ValueError) as error:
        print(f"Can't read '{args.pairs}': {error}", file=sys.stderr)
        return 2
    with Assistant.open(args.home) as assistant:
        nodes = nodes_of(assistant.current().graph)
    known = [pair for pair in pairs if nodes.get(pair.one.place) and nodes.get(pair.other.place)]
    joined = [bool(nodes[pair.one.place] & nodes[pair.other.place]) for pair in known]
    told = list(zip(known, joined, strict=True))
    print(
        f"{len(known)} of {len(pairs)} pairs are in the graph, {sum(p.same for p in known)} of them one entity"
    )
    print(_share("precision", [pair.same for pair, one in told if one]))
    print(_share("recall", [one for pair, one in told if pair.same]))
    for pair, one in told if args.show else ():
        if one != pair.same:
            print(f"{'one' if one else 'two'}: {pair.one.place} | {pair.other.place}")
    return 0


def _share(what: str, right: Sequence[bool]) -> str:
    if not right:
        return f"{what}: none"
    low, high = interval(list(map(float, right)))
    return f"{what} {sum(right)} of {len(right)} ({sum(right) / len(right):.3f}, {low:.3f} to {high:.3f})"


if __name__ == "__main__":
    sys.exit(main())
