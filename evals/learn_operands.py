"""Learn of which printed figures something is computed: the weights of `tools.calculate.likely_lines`.

Run as `python -m evals.learn_operands --home HOME [--try]`. Learnt from the tuning questions whose answer no page
prints, computed_tune*.jsonl in evals/data: their operands' amounts and documents are known. --try prints, in place of
writing the weights, how many are told right of companies left out in turn, beside what rules tell.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agent.assistant import Assistant
from evals.asked_lines import COMPUTED, OF_TWO
from evals.computed import Computed, questions
from evals.learning import Matrix, chances_of, descend
from evals.natural import source_of
from evals.records import DATA
from tools.calculate.compute import compute
from tools.calculate.likely_lines import WEIGHTS, Features, Field, Weights, same_amount
from tools.calculate.operands import Chooser, Figures
from tools.evidence import Evidence, fact_of
from tools.ranking.fit import dot
from tools.scope import Scope
from tools.vector.line_item_encoder import LineItemEncoder

FOLDS = 6
ROUNDS, RATE, DECAY, CHANCE_DECAY = 400, 0.3, 0.004, 0.03
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
Positions = tuple[int, ...]


class Example(NamedTuple):
    """Figures for the places of one question's formula."""

    question: str
    company: str
    field: Field
    right: frozenset[Positions]
    """One position for each place; none where the question was read as another one."""

    @property
    def by_rules(self) -> bool:
        """Whether rules are right."""
        return self.holds(self.field.ruled)

    def holds(self, chosen: Sequence[Evidence]) -> bool:
        """Whether these figures are right, wherever they stand."""
        figures = self.field.figures
        return any(
            all(same_amount(figures[k], own) for k, own in zip(each, chosen, strict=True))
            for each in self.right
        )


def gathered(home: Path) -> list[Example]:
    """What is to be chosen among for every question, whichever way it is asked of the figures."""
    found, encoder = list[Example](), LineItemEncoder()
    asked = [each for name in COMPUTED for each in questions(DATA / f"{name}.jsonl")]
    with Assistant.open(home) as assistant:
        index, engine = assistant.current(), assistant.engine
        for each in asked:
            reading, fields = engine.reader.read(each.question, index, Scope()), list[Field]()
            figures = Figures(index.graph, Scope(), encoder, _kept_in(fields))
            for made in engine.planner.plan(reading, index.catalog, Scope()).calculations:
                compute(made.asked, figures, index.catalog, made.companies, dict(made.periods))
            found += [_example(each, field) for field in fields if field.figures]
    return found


def _kept_in(fields: list[Field]) -> Chooser:
    """Keeps what is to be chosen among, and leaves it to rules."""

    def kept(field: Field) -> Sequence[Evidence]:
        fields.append(field)
        return ()

    return kept


def _example(asked: Computed, field: Field) -> Example:
    return Example(asked.question, field.figures[0].company_key, field, _right(asked, field))


def _right(asked: Computed, field: Field) -> frozenset[Positions]:
    """The positions of the operands that the question's formula has in these places."""
    at = {number: _printed(operand, field.figures) for number, operand in enumerate(asked.operands, start=1)}
    if len(field.wished.places) == 1:
        return frozenset((k,) for own in at.values() for k in own)
    signs = "-<>" if field.wished.kind == "difference" else "/<>"
    pairs = [(int(m[1]), int(m[3])) for m in OF_TWO.finditer(asked.formula) if m[2] in signs]
    return frozenset((a, b) for one, other in pairs for a in at.get(one, ()) for b in at.get(other, ()))


def _printed(operand: Mapping[str, Any], figures: Sequence[Evidence]) -> list[int]:
    """Where an operand is printed: its amount in its document, and the same amounts elsewhere."""
    amount = abs(Decimal(str(operand["value"])))
    own = [
        each
        for each in figures
        if abs(Decimal(fact_of(each).value)) == amount and source_of(each.document) == operand["source"]
    ]
    return [k for k, each in enumerate(figures) if any(same_amount(each, one) for one in own)]


def learn(examples: Sequence[Example]) -> Weights:
    """Weights of figures, of pairs of the likeliest, and of what they stand for."""
    known = [each for each in examples if each.right]
    figures = _listwise(list(_figure_groups(known)))
    pairs = _listwise(list(_pair_groups(known, figures)))
    weights = Weights(figures, pairs, {})
    stood = [_stands(each, weights) for each in examples]
    right = np.array([holds for _, holds in stood], float)
    standing = [found for found, _ in stood]
    chance = chances_of(standing, right, np.ones(len(right)), CHANCE_DECAY, ROUNDS, RATE)
    return Weights(figures, pairs, {name: round(value, 4) for name, value in chance.items()})


def _stands(example: Example, weights: Weights) -> tuple[Features, bool]:
    """How the likeliest choice stands, and whether it is right."""
    choices = example.field.choices(weights)
    return example.field.standing(choices), bool(choices) and example.holds(choices[0].figures)


_Group = tuple[list[str], Matrix, Matrix]
"""Names of features, values (candidates, features), and which candidates are right."""


def _figure_groups(examples: Sequence[Example]) -> Iterator[_Group]:
    for each in examples:
        for place, own in enumerate(each.field.places):
            right = np.zeros(len(each.field.figures), bool)
            right[[positions[place] for positions in each.right]] = True
            yield list(own), np.stack(list(own.values()), axis=1), right


def _pair_groups(examples: Sequence[Example], figures: Features) -> Iterator[_Group]:
    for each in examples:
        if len(each.field.places) < 2:
            continue
        pairs = each.field.pairs(each.field.scores(figures))
        right = np.array([own in each.right for own, _ in pairs], bool)
        if right.any():
            names = list(pairs[0][1])
            yield names, np.array([[found[name] for name in names] for _, found in pairs]), right


def _listwise(groups: Sequence[_Group]) -> dict[str, float]:
    """Feature -> weight for which most of each group's softmax falls on what is right."""
    every = sorted({name for names, _, _ in groups for name in names})
    place = {name: k for k, name in enumerate(every)}
    given = [([place[name] for name in names], values, right) for names, values, right in groups]

    def slope_at(weights: Matrix) -> Matrix:
        slope = np.zeros(len(every))
        for columns, values, right in given:
            scores = values @ weights[columns]
            shares = np.exp(scores - scores.max())
            shares /= shares.sum()
            wanted = shares * right
            slope[columns] += values.T @ (shares - wanted / max(float(wanted.sum()), 1e-12))
        found: Matrix = slope / max(1, len(given)) + DECAY * weights
        return found

    weights = descend(np.zeros(len(every)), slope_at, ROUNDS, RATE)
    return {name: round(float(weights[k]), 4) for name, k in place.items()}


def tried(examples: Sequence[Example]) -> list[tuple[Example, float, bool]]:
    """Chance and truth of every likeliest choice, learnt from other companies."""
    companies = sorted({each.company for each in examples})
    order = np.random.default_rng(0).permutation(len(companies))
    fold = {company: int(k) % FOLDS for company, k in zip(companies, order, strict=True)}
    found = []
    for number in range(FOLDS):
        weights = learn([each for each in examples if fold[each.company] != number])
        for each in examples:
            if fold[each.company] == number:
                standing, holds = _stands(each, weights)
                found.append((each, float(1 / (1 + np.exp(-dot(weights.chance, standing)))), holds))
    return found


def told(found: Sequence[tuple[Example, float, bool]]) -> str:
    """How many are right, beside rules, and from which probability on."""
    known = [(each, holds) for each, _, holds in found if each.right]
    lines = [
        f"{sum(holds for _, holds in known)} of {len(known)} right, by rules {sum(e.by_rules for e, _ in known)}"
    ]
    for least in LEAST:
        kept = [(each, holds) for each, chance, holds in found if chance >= least]
        gained = sum(holds and not each.by_rules for each, holds in kept)
        lost = sum(each.by_rules and not holds for each, holds in kept)
        lines.append(f"from {least}: {gained} gained and {lost} lost in place of what rules find")
    return "\n".join(lines)


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_operands", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--try", dest="trial", action="store_true", help="tell companies left out in turn")
    args = parser.parse_args()
    examples = gathered(args.home)
    if args.trial:
        print(told(tried(examples)))
    else:
        WEIGHTS.write_text(json.dumps(asdict(learn(examples)), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
