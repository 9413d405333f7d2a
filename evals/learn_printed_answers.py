"""Learn when what pages print answers a question that may ask for something to be computed: the weights of
`tools.calculate.printed_answers`.

Run as `python -m evals.learn_printed_answers --home HOME`. All tuning questions for a computed or a printed figure are
asked; learnt from are those that were answered with what is printed, right or wrong. Prints the weights, and what each
probability leaves out of parts of the questions that were not learnt from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from agent.assistant import Assistant
from evals.computed import grade
from evals.computed import questions as computed_questions
from evals.learning import chances_of
from evals.natural import SETS, judge, load
from evals.records import DATA
from graphs.contracts import Answer
from graphs.steps.tool_results import UNCOMPUTED
from tools.calculate import printed_answers
from tools.calculate.printed_answers import MIN_OF_SUM, features
from tools.calculate.questions import SumReader
from tools.ranking.fit import dot

FOLDS, ROUNDS, RATE, DECAY = 8, 400, 0.3, 0.01
LEAST = (0.3, 0.4, 0.5, 0.6, 0.7)


class Printed(NamedTuple):
    """An answer with what is printed."""

    found: Mapping[str, float]
    right: bool


def asked(home: Path) -> Iterator[tuple[str, Answer, bool]]:
    """Every question with its answer, and whether it is right; abstentions aside. The store's errors."""
    with Assistant.open(home) as assistant:
        for path in sorted(DATA.glob("computed_tune*.jsonl")):
            for each in computed_questions(path):
                answer = assistant.ask(each.question)
                if answer.status != "abstained" and each.choice != "cannot":
                    yield each.question, answer, grade(each, answer) == "right"
        for own in load((*SETS, "sixth"), "tune"):
            if own.kind != "fact":
                continue
            answer = assistant.ask(own.question)
            if (outcome := judge(own, answer)) in ("right", "wrong"):
                yield own.question, answer, outcome == "right"


def printed(answers: Iterable[tuple[str, Answer, bool]], reader: SumReader) -> Iterator[Printed]:
    """Those that compute nothing, where something may have to be computed. ModelFileError as the reader raises it."""
    for question, answer, right in answers:
        of_sum = reader.read(question).of_sum
        if of_sum >= MIN_OF_SUM and not answer.calculations:
            failed = any(UNCOMPUTED in gap for gap in answer.gaps)
            yield Printed(features(question, answer.answer, of_sum, uncomputed=failed), right)


def learn(examples: Sequence[Printed]) -> dict[str, float]:
    """Feature -> weight."""
    right = np.array([each.right for each in examples], float)
    return chances_of([each.found for each in examples], right, np.ones(len(right)), DECAY, ROUNDS, RATE)


def told(examples: Sequence[Printed]) -> str:
    """For each probability how many wrong and right ones it leaves out, of parts left out in turn."""
    fold = np.random.default_rng(1).integers(0, FOLDS, len(examples))
    chances = np.zeros(len(examples))
    for number in range(FOLDS):
        weights = learn([each for each, at in zip(examples, fold, strict=True) if at != number])
        for at in map(int, np.flatnonzero(fold == number)):
            chances[at] = 1 / (1 + np.exp(-dot(weights, examples[at].found)))
    right = np.array([each.right for each in examples])
    lines = [f"{len(examples)} answers with what is printed, {int((~right).sum())} of them wrong"]
    for least in LEAST:
        out = chances < least
        lines.append(f"below {least}: {int((out & ~right).sum())} wrong and {int((out & right).sum())} right")
    return "\n".join(lines)


def main() -> int:
    """Ask, learn, and tell."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_printed_answers", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    args = parser.parse_args()
    printed_answers.MIN_OF_SUM = 2.0  # nothing is kept back: what was is to be learnt from
    examples = list(printed(asked(args.home), SumReader()))
    print(told(examples))
    print({name: round(weight, 4) for name, weight in learn(examples).items()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
