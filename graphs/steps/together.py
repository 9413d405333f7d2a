"""The answers to the questions of one turn as one answer."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Answer, Route, Verdict


def together(answers: Sequence[Answer], left: Sequence[str] = ()) -> Answer:
    """`answers` in order, the evidence of all of them ranked once. `left`: questions for which there was no time, in
    the turn's words. Partial if one was answered and another was not."""
    if len(answers) == 1 and not left:
        return answers[0]
    statuses = {each.status for each in answers} | ({"abstained"} if left else set())
    open_ones = [each.standalone_question for each in answers if each.status == "abstained"]
    reasons = [each.reason for each in answers if each.reason and each.status != "abstained"]
    reasons += [f"not answered: {question}" for question in (*open_ones, *left)]
    last, alone = answers[-1], len(statuses) == 1
    statements = tuple(s for each in answers for s in each.faithfulness.statements)
    held = sum(statement.supported for statement in statements)
    evidence = {item.rank: item for each in answers for item in each.evidence}
    return last.model_copy(
        update={
            "standalone_question": " ".join(each.standalone_question for each in answers),
            "status": last.status if alone else "partial",
            "reason": answers[0].reason
            if statuses == {"abstained"}
            else "; ".join(dict.fromkeys(reasons)) or None,
            "answer": "\n\n".join((*(each.answer for each in answers), *map(_unanswered, left))),
            "route": _joined([each.route for each in answers]),
            "citations": tuple({c.marker: c for each in answers for c in each.citations}.values()),
            "nearest": tuple({c.marker: c for each in answers for c in each.nearest}.values())
            if statuses == {"abstained"}
            else (),
            "evidence": tuple(evidence[rank] for rank in sorted(evidence)),
            "calculations": tuple(c for each in answers for c in each.calculations),
            "faithfulness": Verdict(
                statements=statements, score=held / len(statements) if statements else None
            ),
            "gaps": tuple(dict.fromkeys(gap for each in answers for gap in each.gaps)),
            "engine": "model" if any(each.engine == "model" for each in answers) else last.engine,
        }
    )


def _unanswered(question: str) -> str:
    return f"“{question}” was not looked up: the question's time is up."


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
