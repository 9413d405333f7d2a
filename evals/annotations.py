"""Do names in documents mean the concepts that they were taken for?

python -m evals.annotations --home DIR [--half tune|held] [--show]

The home needs FIBO (`hybridrag ontology add`). `evals/data/annotations_HALF.jsonl` holds names of its concepts as they
stand in passages of filings, each half of companies of its own, drawn at random from all that were found, at most four
of a concept, before it was decided which to take; a reader said of each whether the concept is meant there. Printed is
how many of those that were taken are right (precision) and what share of the right ones was taken, names of one word
and of several apart.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent.errors import OUR_FAILURES, USER_MISTAKES, UsageError
from evals.records import DATA

NO_ONTOLOGY = "This home has no ontology. Add one: hybridrag ontology add PATH --home DIR"


class Labelled(BaseModel):
    """A name in a passage, and whether it means the concept."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    id: str
    concept: str
    """IRI."""
    before: str
    name: str
    after: str
    """The passage around the name, cut off at both ends."""
    words: int
    """1, or 2 for several."""
    right: bool


def load(half: str) -> list[Labelled]:
    """The labelled names of a half."""
    lines = (DATA / f"annotations_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Labelled.model_validate_json(line) for line in lines]


def main(argv: Sequence[str] | None = None) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser(prog="python -m evals.annotations", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--half", choices=("tune", "held"), default="tune")
    parser.add_argument("--show", action="store_true", help="print what was wrongly taken")
    args = parser.parse_args(argv)
    try:
        for line in compared(load(args.half), args.home, show=args.show):
            print(line)
    except (*USER_MISTAKES, *OUR_FAILURES) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def compared(labelled: Sequence[Labelled], home: Path, *, show: bool) -> Iterator[str]:
    """Precision and recall, for a reader. UsageError where the home has no ontology; raises what opening it raises."""
    from agent.assistant import Assistant

    with Assistant.open(home) as assistant:
        opened = assistant.current()
        known, generation = opened.concepts, opened.generation
        if known is None:
            raise UsageError(NO_ONTOLOGY)
        texts = [(chunk.id, chunk.text) for key in generation.documents for chunk in generation.chunks(key)]
    taken: dict[str, bool] = {}
    for each in labelled:
        excerpt = each.before + each.name + each.after
        chunk, at = next(((id, text.find(excerpt)) for id, text in texts if excerpt in text), ("", -1))
        if at >= 0:
            start, concept = at + len(each.before), known.links.place.get(each.concept)
            taken[each.id] = any(
                (m.concept, m.start) == (concept, start) for m in known.mentions.get(chunk, ())
            )
    yield f"{len(taken)} of {len(labelled)} labelled names are in this index"
    for words, what in ((1, "one word"), (2, "several words")):
        own = [each for each in labelled if each.words == words and each.id in taken]
        kept = [each for each in own if taken[each.id]]
        right, all_right = sum(each.right for each in kept), sum(each.right for each in own)
        yield (
            f"{what}: {len(kept)} of {len(own)} taken, {right} of them right "
            f"(precision {right / max(1, len(kept)):.3f}); {right} of {all_right} right ones taken"
        )
        for each in kept if show else ():
            if not each.right:
                place = f"{each.before[-60:]}[{each.name}]{each.after[:60]}"
                yield f"  {each.id} {each.concept.rpartition('/')[2]}: ...{place}..."


if __name__ == "__main__":
    sys.exit(main())
