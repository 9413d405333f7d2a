"""A turn that asks several questions: what of it the answer to the whole leaves open is asked by itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from graphs.contracts import Answer, Route, Verdict
from graphs.drafts.claims import QUOTE, cited_markers
from graphs.drafts.words import verbatim
from graphs.engine import Engine
from graphs.index import Index
from graphs.state import Context, State
from graphs.steps.condense import cleared, history
from graphs.steps.timing import overdue
from tools.model_files import ModelFileError

MIN_CHANCE = 0.7
"""Probability from which a question is taken to be answered by what was said before it was put by itself."""


def asked_now(state: State) -> str:
    """The question in hand in the turn's words: the turn, or the one of it that was last put by itself."""
    passed = state.get("passed")
    return passed[-1][0] if passed else state["question"]


def next_question(
    state: State, context: Context, answered: Sequence[Answer], index: Index, engine: Engine
) -> dict[str, Any]:
    """What changes for the next question of the turn that `answered` leaves open; {} where none is left, or time is.

    Each may lean on those before it and their answers, as in a conversation; where none was answered none is that does.
    """
    waiting, passed = list(state.get("waiting", ())), list(state.get("passed", ()))
    if not waiting or overdue(state, context) or answered[0].reason == "ambiguous":
        return {}
    condenser = engine.condenser(index.catalog, index.known_names)
    told = {each.standalone_question: each.answer for each in answered}
    before = history(state["messages"][:-1])
    before += [(question, told.get(question, answered[0].answer)) for _, question in passed]
    while waiting:
        asked = waiting.pop(0)
        question = condenser.condense(asked, before, leans=bool(passed))
        passed.append((asked, question))
        before.append((question, answered[0].answer))
        none = len(answered) > 1 and all(each.status == "abstained" for each in answered)
        lost = none and question != asked
        if not (lost or any(_answers(each, question, state, index, engine) for each in answered)):
            return {"standalone_question": question, "waiting": waiting, "passed": passed, **cleared()}
    return {}


def _answers(answer: Answer, question: str, state: State, index: Index, engine: Engine) -> bool:
    """Whether an answer shows every line of what it cites that answers a question, by the learned fit."""
    ranks = set(cited_markers(answer.answer))
    cited = [item for item in answer.evidence if item.rank in ranks]
    if engine.ranker is None or answer.status == "abstained" or answer.calculations or not cited:
        return False
    reading = engine.reader.read(question, index, state["user_scope"])
    with suppress(ModelFileError):  # the ranker has said that it ranks roughly
        ranked = engine.ranker.rank(reading, cited)
        lines = [
            (item, line) for item in ranked for line in item.lines if line.shown and line.chance >= MIN_CHANCE
        ]
        text = verbatim(answer.answer)
        return bool(lines) and all(item.fact or verbatim(line.text) in text for item, line in lines)
    return False


def together(answers: Sequence[Answer], question: str, *, parts: int, left: Sequence[str] = ()) -> Answer:
    """The answers to the turn and to what it asks as one to `question`, the turn: what one of them says again is left
    out, and of what stays open it is said. Partial if anything does, or any of them is.

    `parts`: how many questions the turn asks; `left`: those of them for which there was no time.
    """
    first = answers[0]
    whole = first.question == question
    kept = [each for each in answers if each.status != "abstained"]
    asked_all = len(answers) - whole == parts
    if whole and asked_all and not first.calculations and any(each.calculations for each in kept):
        kept = [each for each in kept if each is not first]  # it took printed words for what is computed
    if not kept or (len(answers) == 1 and not left):
        return first.model_copy(update={"question": question})
    texts = _said_once([each.answer for each in kept])
    lacking = [each.question for each in answers[whole:] if each.status == "abstained"]
    if lacking:
        texts.append(f"Nothing found for: {_listed(lacking)}.")
    if left:
        texts.append(f"Not looked up, since the question's time was up: {_listed(left)}.")
    text = "\n\n".join(filter(None, texts))
    citations = {c.marker: c for each in kept for c in each.citations}
    statements = {s.text: s for each in kept for s in each.faithfulness.statements}
    held = sum(statement.supported for statement in statements.values())
    evidence = {item.rank: item for each in answers for item in each.evidence}
    reasons = [each.reason for each in kept if each.reason]
    reasons += ["part of what was asked was not found"] if lacking or left else []
    return answers[-1].model_copy(
        update={
            "question": question,
            "standalone_question": first.standalone_question
            if whole
            else " ".join(each.standalone_question for each in answers),
            "status": "partial"
            if lacking or left or any(each.status == "partial" for each in kept)
            else "answered",
            "reason": "; ".join(dict.fromkeys(reasons)) or None,
            "answer": text,
            "route": _joined([each.route for each in kept]),
            "citations": tuple(citations[marker] for marker in cited_markers(text)),
            "nearest": (),
            "evidence": tuple(evidence[rank] for rank in sorted(evidence)),
            "calculations": tuple(c for each in kept for c in each.calculations),
            "faithfulness": Verdict(
                statements=tuple(statements.values()), score=held / len(statements) if statements else None
            ),
            "gaps": tuple(dict.fromkeys(gap for each in answers for gap in each.gaps)),
        }
    )


def _listed(questions: Sequence[str]) -> str:
    return "; ".join(f"“{each}”" for each in questions)


def _said_once(texts: Sequence[str]) -> list[str]:
    """The texts without lines that an earlier one has, or all of whose quotations stand in another line's."""
    lines = [(at, line) for at, text in enumerate(texts) for line in text.split("\n")]
    quoted = {line: [verbatim(quote.group()) for quote in QUOTE.finditer(line)] for _, line in lines}

    def is_said(at: int, line: str) -> bool:
        if any(before < at and other.lstrip("- ") == line.lstrip("- ") for before, other in lines if line):
            return True
        others = (verbatim(other) for _, other in lines if other != line and len(other) > len(line))
        quotes = quoted[line]
        return bool(quotes) and any(all(quote in other for quote in quotes) for other in others)

    return [
        "\n".join(line for line in text.split("\n") if not is_said(at, line)).strip()
        for at, text in enumerate(texts)
    ]


def _joined(routes: Sequence[Route]) -> Route:
    """One route of several: of the kind they share, or uncertain."""
    kinds = {route.kind for route in routes}
    return Route(
        kind=kinds.pop() if len(kinds) == 1 else "uncertain",
        tools=tuple(dict.fromkeys(tool for route in routes for tool in route.tools)),
        reason="; then ".join(route.reason for route in routes),
        confidence=min(route.confidence for route in routes),
        widened=any(route.widened for route in routes),
    )
