"""Learn which line answers a question: the weights of `tools.ranking`, and which printed line words mean.

Run as `python -m evals.learn_fit --home HOME [--try | --beside | --about]`, with the documents of the tuning halves of
evals/data/natural indexed in HOME and the extra `recommend`. What the assistant finds for each question is read line by
line; a line answers if it holds what a right answer holds. Companies are parted in two: an encoder of printed lines
and a change of the cross-encoder are learnt from each part, and what they are worth for the other part's questions
teaches the weights on top of them, so that no score is trusted more than it deserves on what is new. The program has
the averages of the two. With --beside the weights of what answers are averaged with those that are there: they hold up
better on what is new. Takes some two hours on two cores. --about learns in a minute which questions are about the
index, and nothing else. --try prints, in place of writing, how often an answer is
shown, and how well its probability is known, for companies left out of all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from evals import asked_lines, learn_line_items
from evals.fit_descent import (
    FOLDS,
    KINDS,
    learn,
    learn_about,
    learn_chance,
    learn_kinds,
    learn_lines,
    standing,
    wanted_by,
)
from evals.found_lines import Example, companies_of, gather, split
from evals.learn_cross_encoder import Asked, States, learn_change, lower_states
from evals.learning import Matrix
from evals.line_item_batches import rows
from evals.low_rank import averaged, floats
from evals.natural import ABOUT, SETS, Natural, load
from evals.records import DATA
from graphs.drafts.words import content
from tools.ranking.cross_encoder import LEARNT, CrossEncoder
from tools.ranking.cross_encoder import learnt as learnt_change
from tools.ranking.fit import WEIGHTS, Weights, dot, learnt, shortlist
from tools.vector import line_item_encoder
from tools.vector.embeddings import LocalEmbeddings
from tools.vector.line_item_encoder import LineItemEncoder

PARTS = 2
"""Of the companies, with models of their own: two are averaged."""
TRIED_FLOORS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)


def guessed(examples: Sequence[Example], kinds: Matrix, guess: dict[str, float]) -> list[Example]:
    """Each with the lines that the cross-encoder is to read."""
    kept = [shortlist(each.text, each.lines, content, wanted_by(kinds, each), guess)[0] for each in examples]
    return [each.of(positions) for each, positions in zip(examples, kept, strict=True)]


def read_by(examples: Sequence[Example], change: dict[str, Matrix]) -> list[Example]:
    """Each with the scores of the cross-encoder with this change."""
    scorer = CrossEncoder(threads=2, learnt=floats(change))
    return [
        replace(each, logits=tuple(scorer.scores(each.text, [line.shown for line in each.lines])))
        for each in examples
    ]


def lower_states_of(examples: Sequence[Example]) -> dict[str, States]:
    """By question what the cross-encoder's lower layers make of its lines."""
    asked = [
        Asked(
            each.text,
            [line.shown for line in (*each.lines, *each.unfound)],
            (*each.answers, *(True for _ in each.unfound)),
        )
        for each in examples
    ]
    return dict(zip((each.question.id for each in examples), lower_states(asked), strict=True))


def questions_about() -> list[Natural]:
    """Questions about the assistant and its index, and others: such as sound like them, such as documents answer, such
    as nothing does, be they off the topic or not, and those whose routes are known."""
    others = [
        Natural(id=row["id"], kind="contrast", question=row["question"])
        for name in ("unanswerable", "routes", "natural/off_topic")
        for row in map(json.loads, (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
        if row["half"] == "tune"
    ]
    return [*load(ABOUT, "tune"), *load(SETS, "tune"), *others]


def about_index(home: Path) -> list[float]:
    """Weights that tell questions about the index, as `Weights.about`; names of companies do not count. The store's
    errors."""
    from agent.assistant import Assistant

    embedder, questions = LocalEmbeddings(threads=2), questions_about()
    with Assistant.open(home) as assistant:
        catalog = assistant.current().catalog
        texts = [catalog.without_names(each.question) for each in questions]
    given = np.stack([np.append(embedder.embed_query(text), 1.0) for text in texts]).astype(np.float64)
    weights = learn_about(given, np.array([each.kind == "about" for each in questions], float))
    return [round(float(weight), 4) for weight in weights]


def try_out(read: Sequence[Example]) -> str:
    """How often an answer is shown, and what each floor of the probability leaves, on companies left out in turn."""
    firsts, asked = Counter[str](), Counter[str](each.question.kind for each in read)
    judged: list[tuple[float, bool, str]] = []
    for fold in range(FOLDS):
        rest, own = split(read, fold, FOLDS)
        kinds = learn_kinds(rest)
        weights, likely = learn_lines(rest, kinds), learn_chance(rest, rest)
        for each in own:
            place, answers = standing(each, kinds, weights)
            chance = 1 / (1 + float(np.exp(-dot(likely, place))))
            firsts[each.question.kind] += answers
            judged.append((chance, answers, each.question.kind))
    lines = [
        f"lines to be shown answer: {', '.join(f'{kind} {firsts[kind]} of {asked[kind]}' for kind in KINDS)}"
    ]
    for floor in TRIED_FLOORS:
        shown = Counter[str](kind for chance, _, kind in judged if chance >= floor)
        right = Counter[str](kind for chance, answers, kind in judged if chance >= floor and answers)
        each_kind = ", ".join(f"{kind} {right[kind]} of {shown[kind]}" for kind in KINDS)
        lines.append(f"from {floor}: {each_kind}; {shown['absent']} of {asked['absent']} absent ones shown")
    return "\n".join(lines)


def write(weights: Weights) -> None:
    """Puts weights where the program reads them. OSError if it cannot."""
    WEIGHTS.write_text(json.dumps(asdict(weights), indent=0) + "\n", encoding="utf-8")


def between(one: Weights, other: Weights) -> Weights:
    """Weights half way between two; what one of them leaves out counts 0 there."""
    return Weights(**{key: _between(value, asdict(other)[key]) for key, value in asdict(one).items()})


def _between(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return {key: _between(one.get(key, 0.0), other.get(key, 0.0)) for key in {**other, **one}}
    if isinstance(one, list) or isinstance(other, list):
        return [_between(*each) for each in zip(_long(one, other), _long(other, one), strict=True)]
    return round((one + other) / 2, 4)


def _long(one: Any, other: Any) -> list[float]:
    return one if isinstance(one, list) else [one] * len(other)


def found_by_parts(home: Path) -> tuple[list[list[Example]], dict[str, Matrix]]:
    """What is found for each part's questions with an encoder of printed lines that was learnt without them, and the
    average of these encoders' changes."""
    asked, lines = asked_lines.gather(home)
    questions = load(SETS, "tune")
    companies = companies_of(home, questions)
    numbers = {company: number for number, company in enumerate(sorted({*companies.values()}))}
    changes, found = list[dict[str, Matrix]](), list[list[Example]]()
    for part in range(PARTS):
        seen = [each for each in asked if numbers.get(each.company, 0) % PARTS != part]
        change = learn_line_items.learn(rows(), seen, lines, seed=part)
        encoder = LineItemEncoder(floats(change))
        unseen = [each for each in asked if each not in seen]
        print(f"part {part}: {learn_line_items.found(unseen, lines, encoder)}", file=sys.stderr, flush=True)
        own = {id: company for id, company in companies.items() if numbers[company] % PARTS == part}
        found.append(gather(home, [each for each in questions if each.id in own], own, encoder))
        changes.append(change)
    return found, averaged(*changes)


def main() -> int:
    """Learn, or try what is learnt on companies left out."""
    parser = argparse.ArgumentParser(prog="python -m evals.learn_fit", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--beside", action="store_true", help="average with the weights that are there")
    either.add_argument("--try", dest="trial", action="store_true", help="leave companies out in turn")
    either.add_argument("--about", action="store_true", help="which questions are about the index, alone")
    args = parser.parse_args()
    if args.about:
        write(replace(learnt(), about=about_index(args.home)))
        return 0
    parts, of_lines = found_by_parts(args.home)
    found = [each for own in parts for each in own]
    kinds = learn_kinds(found)
    guess = learn_lines(found, kinds)
    short = [guessed(own, kinds, guess) for own in parts]
    changes, read = list[dict[str, Matrix]](), list[Example]()
    for part, own in enumerate(short):
        others = [each for number, rest in enumerate(short) if number != part for each in rest]
        changes.append(learn_change(list(lower_states_of(others).values()), seed=part))
        read += read_by(own, changes[-1])
    if args.trial:
        print(try_out(read))
        return 0
    weights, change = learn(read, found, about_index(args.home)), averaged(*changes)
    if args.beside:
        weights, change = between(weights, learnt()), averaged(change, learnt_change())
    write(weights)
    line_item_encoder.save(of_lines)
    stored: Any = change
    np.savez_compressed(LEARNT, **stored)
    print(f"{len(found)} questions -> {WEIGHTS.name}, {line_item_encoder.WEIGHTS.name}, {LEARNT.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
