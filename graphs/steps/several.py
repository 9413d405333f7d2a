"""A turn that asks several questions: what of it the answer to the whole leaves open is asked by itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from graphs.contracts import Answer, Route, Statement, Verdict
from graphs.drafts.claims import MARKER, Claim, cited_markers, keep_lines, read_claims
from graphs.drafts.words import verbatim
from graphs.engine import Engine
from graphs.index import Index
from graphs.state import Context, State
from graphs.steps.condense import cleared, history
from graphs.steps.missing import LEFT_OPEN
from graphs.steps.timing import overdue
from tools.model_files import ModelFileError

MIN_CHANCE = 0.7
"""Probability from which a question is taken to be answered by what was said before it was put by itself."""
MIN_QUOTED = 0.5
"""Share of a claim that its quotations make up where it is one of them and nothing else."""
UNFOUND = ("no_evidence", "unsupported")
"""Reasons for which it is enough to say that nothing was found; any other is told as it stands."""


def asked_now(state: State) -> str:
    """The question in hand in the turn's words: the turn, or the one of it that was last put by itself."""
    passed = state.get("passed")
    return passed[-1][0] if passed else state["question"]


def next_question(
    state: State, context: Context, answered: Sequence[Answer], index: Index, engine: Engine
) -> tuple[dict[str, Any], list[str]]:
    """What changes for the next question of the turn that `answered` leaves open, {} where none is asked any more; and
    those for which there is no time.

    Each may lean on those before it and their answers, as in a conversation; where none was answered none is that does.
    """
    waiting, passed = list(state.get("waiting", ())), list(state.get("passed", ()))
    whole = not passed or answered[0].question == state["question"]
    if not waiting or (whole and (state["reading"].told or answered[0].reason == "ambiguous")):
        return {}, []
    condenser = engine.condenser(index.catalog, index.known_names)
    told = {each.question: each.answer for each in answered}
    before = history(state["messages"][:-1])
    before += [(understood, told.get(asked, answered[0].answer)) for asked, understood in passed]
    late, left = overdue(state, context), list[str]()
    while waiting:
        asked = waiting.pop(0)
        understood = condenser.condense(asked, before, leans=bool(passed))
        passed.append((asked, understood))
        before.append((understood, answered[0].answer))
        none = len(answered) > 1 and all(each.status == "abstained" for each in answered)
        if any(_answers(each, understood, state, index, engine) for each in answered):
            continue
        if late:
            left.append(asked)
        elif not (none and understood != asked):
            return {"standalone_question": understood, "waiting": waiting, "passed": passed, **cleared()}, []
    return {}, left


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


def together(answers: Sequence[Answer], question: str, left: Sequence[str] = ()) -> Answer:
    """The answers to the turn and to what it asks as one to `question`, the turn: what one of them says again is left
    out, and of what stays open it is said. Partial if anything does, or any of them is. `left`: what there was no time
    for."""
    first, last = answers[0], answers[-1]
    whole = first.question == question
    kept = _without_printed([each for each in answers if each.status != "abstained"], question)
    gaps = tuple(dict.fromkeys(gap for each in answers for gap in each.gaps))
    shared = {"question": question, "gaps": gaps, "usage": last.usage, "seconds": last.seconds}
    if not kept or (len(answers) == 1 and not left):
        return first.model_copy(update=shared)
    lacking = [each for each in answers[whole:] if each.status == "abstained"]
    text = "\n\n".join(filter(None, (*_said_once([each.answer for each in kept]), *_open(lacking, left))))
    citations = {c.marker: c for each in reversed(kept) for c in each.citations}
    evidence = {item.rank: item for each in answers for item in each.evidence}
    in_part = lacking or left or any(each.status == "partial" for each in kept)
    understood = [each.standalone_question for each in answers]
    return last.model_copy(
        update={
            **shared,
            "standalone_question": understood[0] if whole else " ".join(understood),
            "status": "partial" if in_part else "answered",
            "reason": _reason(kept, lacking, left),
            "answer": text,
            "route": _joined([each.route for each in kept]),
            "citations": tuple(citations[marker] for marker in cited_markers(text) if marker in citations),
            "nearest": (),
            "evidence": tuple(evidence[rank] for rank in sorted(evidence)),
            "calculations": tuple(dict.fromkeys(c for each in kept for c in each.calculations)),
            "faithfulness": _joint_verdict(kept),
        }
    )


def _without_printed(kept: list[Answer], question: str) -> list[Answer]:
    """Without the answer to the whole where it quotes words in place of what is computed for a part of it."""
    first = kept[0] if kept else None
    if first is None or first.question != question or first.calculations:
        return kept
    cited = cited_markers(first.answer)
    stated = any(item.fact and item.rank in cited for item in first.evidence)
    return kept[1:] if any(each.calculations for each in kept) and not stated else kept


def _open(lacking: Sequence[Answer], left: Sequence[str]) -> list[str]:
    """What is said of questions that stay open."""
    unfound = [each.question for each in lacking if each.reason in UNFOUND]
    told = [each.answer for each in lacking if each.reason not in UNFOUND]
    told += [f"Nothing found for: {_listed(unfound)}."] if unfound else []
    return told + ([f"Not looked up, since the question's time was up: {_listed(left)}."] if left else [])


def _reason(kept: Sequence[Answer], lacking: Sequence[Answer], left: Sequence[str]) -> str | None:
    reasons = [each.reason for each in kept if each.reason]
    reasons += [LEFT_OPEN] if lacking else []
    reasons += ["the question's time was up"] if left else []
    return "; ".join(dict.fromkeys(reasons)) or None


def _joint_verdict(kept: Sequence[Answer]) -> Verdict:
    """Each statement once, as it was first judged."""
    judged: dict[str, Statement] = {}
    for each in (statement for answer in kept for statement in answer.faithfulness.statements):
        judged.setdefault(each.text, each)
    statements = list(judged.values())
    held = sum(statement.supported for statement in statements)
    return Verdict(statements=tuple(statements), score=held / len(statements) if statements else None)


def _listed(questions: Sequence[str]) -> str:
    return "; ".join(f"“{MARKER.sub('', each).strip()}”" for each in questions)


def _said_once(texts: Sequence[str]) -> list[str]:
    """The texts without claims that another one makes: under the same lead, or by quotations that it has, too."""
    claims = [read_claims(text) for text in texts]
    kept: list[str] = []
    for at, text in enumerate(texts):
        earlier = [claim for own in claims[:at] for claim in own]
        others = [*earlier, *(claim for own in claims[at + 1 :] for claim in own)]
        kept.append(keep_lines(text, partial(_is_new, earlier=earlier, others=others)))
    return kept


def _is_new(claim: Claim, earlier: Sequence[Claim], others: Sequence[Claim]) -> bool:
    if any((claim.text, claim.context) == (each.text, each.context) for each in earlier):
        return False
    quotes = [verbatim(quote) for quote in claim.quotes]
    if sum(map(len, quotes)) < MIN_QUOTED * len(claim.text):
        return True
    longer = [verbatim(each.text) for each in others if len(each.text) > len(claim.text)]
    return not any(all(quote in text for quote in quotes) for text in longer)


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
