"""Relations that readers marked on whole pages, and which of them the knowledge graph has.

python -m evals.marked_relations --home DIR [--half tune|held] [--show]

`evals/data/marked_relations.jsonl` has what two readers wrote down of 20 pages each, all relations between two
things with a name, in their own words; they saw the pages only. One counts as found if a triplet of the page has both
names, or names that hold theirs or stand in them; which way it points and what it is called are for a reader to judge.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from evals.records import DATA, percent
from tools.bootstrap import interval
from tools.knowledge.types import Triplet

MARKS = DATA / "marked_relations.jsonl"
_FORMS = frozenset(
    ["the", "inc", "incorporated", "corp", "corporation", "co", "company", "llc", "ltd", "plc", "and", "of"]
)
"""Words by which two names do not differ."""


class Mark(BaseModel):
    """A relation that a reader marked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    company: str
    """Key of the filer."""
    document: str
    page: int
    head: str
    relation: str
    tail: str
    status: str
    half: str


def words_of(name: str) -> frozenset[str]:
    """By which two names are compared."""
    return frozenset(re.findall(r"[^\W_]+", name.lower())) - _FORMS


def is_found(mark: Mark, triplets: Sequence[Triplet]) -> bool:
    """Whether one of these has both names, whichever way it points."""
    return any(
        (_same(mark.head, each.head) and _same(mark.tail, each.tail))
        or (_same(mark.head, each.tail) and _same(mark.tail, each.head))
        for each in triplets
    )


def _same(one: str, other: str) -> bool:
    first, second = words_of(one), words_of(other)
    return bool(first and second) and (first <= second or second <= first)


def main(argv: Sequence[str] | None = None) -> int:
    """Print how many are found."""
    parser = argparse.ArgumentParser(prog="python -m evals.marked_relations", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "held"), default="tune")
    parser.add_argument(
        "--show", action="store_true", help="print those that are not found, and what the graph has"
    )
    args = parser.parse_args(argv)
    from agent.assistant import Assistant

    marks = [Mark.model_validate_json(line) for line in MARKS.read_text(encoding="utf-8").splitlines()]
    marks = [each for each in marks if each.half == args.half]
    with Assistant.open(args.home) as assistant:
        triplets = [each for each in assistant.current().graph.triplets() if each.value is None]
    by_page: dict[tuple[str, str, int], list[Triplet]] = defaultdict(list)
    for triplet in triplets:
        by_page[triplet.company_key, triplet.document, triplet.page].append(triplet)
    pages = {(each.company, each.document, each.page) for each in marks}
    found = [is_found(each, by_page[each.company, each.document, each.page]) for each in marks]
    low, high = interval(list(map(float, found)))
    own = sum(len(by_page[page]) for page in pages)
    print(
        f"{sum(found)} of {len(marks)} found ({percent(sum(found), len(marks))}, {100 * low:.0f} to {100 * high:.0f});"
        f" {own} triplets on these {len(pages)} pages, {len(triplets)} in all"
    )
    for mark, has in zip(marks, found, strict=True) if args.show else ():
        if not has:
            print(f"missed {mark.document} {mark.page}: {mark.head} | {mark.relation} | {mark.tail}")
    for page in sorted(pages) if args.show else ():
        for each in by_page[page]:
            print(f"has {each.document} {each.page}: {each.head} | {each.relation} | {each.tail}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
