"""Learn which of the things that people ask of any company a question asks for: the weights of
`tools.ranking.profile_kinds`.

Run as `python -m evals.learn_profile_kinds --home HOME [--try AUTHOR,...]`. Learnt from profile.jsonl in
evals/data/natural, questions that authors who saw neither documents nor code wrote for each kind, and such as only
sound so; what people ask of documents (the tuning halves) stands beside them, without the names of HOME's companies.
--try learns without some authors' questions and prints how those are told, in place of writing the weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from agent.assistant import Assistant
from evals.learn_turn_kinds import embedded, others
from evals.learning import Matrix, descend, softmax_rows
from evals.records import DATA
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.lexicon import company_profile
from tools.ranking.profile_kinds import NONE, WEIGHTS, profile_kind

ASKED = DATA / "natural" / "profile.jsonl"
KINDS = (NONE, *company_profile.KINDS)
ROUNDS, RATE, DECAY = 1500, 0.3, 1e-5


class Asked(BaseModel):
    """A question, and what it asks for."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    author: str
    kind: str
    """One of `KINDS`."""
    question: str
    name: str = ""
    """Of the company, as the question writes it; '' for none."""

    @property
    def text(self) -> str:
        """As it is told, see `Catalog.without_names`."""
        return self.question.replace(self.name, "the company") if self.name else self.question

    @property
    def place(self) -> int:
        """In `KINDS`."""
        return KINDS.index(self.kind)


def asked() -> list[Asked]:
    """All that were written."""
    return [Asked.model_validate_json(line) for line in ASKED.read_text(encoding="utf-8").splitlines()]


def learn(rows: Sequence[Asked], catalog: Catalog) -> dict[str, list[float]]:
    """Kind -> (embedding + 1,) weights; `catalog`: of the documents that the questions beside are about."""
    beside = [catalog.without_names(text) for text, _ in others()]
    given = _with_constant(embedded([*(each.text for each in rows), *beside]))
    right = np.eye(len(KINDS))[[*(each.place for each in rows), *[0] * len(beside)]]

    def slope_at(weights: Matrix) -> Matrix:
        slope: Matrix = given.T @ (softmax_rows(given @ weights) - right) / len(given) + DECAY * weights
        return slope

    weights = descend(np.zeros((given.shape[1], len(KINDS))), slope_at, ROUNDS, RATE)
    return {kind: [round(float(each), 4) for each in weights[:, at]] for at, kind in enumerate(KINDS)}


def _with_constant(vectors: Matrix) -> Matrix:
    return np.append(vectors, np.ones((len(vectors), 1)), axis=1).astype(np.float64)


def told(rows: Sequence[Asked], weights: Mapping[str, Sequence[float]]) -> str:
    """How questions are told."""
    kinds = [profile_kind(vector, weights) for vector in embedded([each.text for each in rows])]
    of = [(KINDS[each.place], kind) for each, kind in zip(rows, kinds, strict=True)]
    own = [(wanted, kind) for wanted, kind in of if wanted != NONE]
    right, wrong = (
        sum(bool(kind) and (kind == wanted) is same for wanted, kind in own) for same in (True, False)
    )
    taken = sum(bool(kind) for wanted, kind in of if wanted == NONE)
    others_taken = f"{taken} of {len(of) - len(own)} others taken for one"
    return f"{right} of {len(own)} told, {wrong} taken for another kind, {others_taken}"


def main() -> int:
    """Learn, or try what is learnt without some authors."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_profile_kinds", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument(
        "--try", dest="authors", default="", help="authors whose questions are told, by commas"
    )
    args = parser.parse_args()
    apart = set(filter(None, args.authors.split(",")))
    rows = asked()
    with Assistant.open(args.home) as assistant:
        weights = learn([each for each in rows if each.author not in apart], assistant.current().catalog)
    if not apart:
        WEIGHTS.write_text(json.dumps(weights) + "\n", encoding="utf-8")
        return 0
    print(told([each for each in rows if each.author in apart], weights))
    return 0


if __name__ == "__main__":
    sys.exit(main())
