"""What a turn is doing, in words, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from langchain_core.messages import AIMessage, AnyMessage

from agent.display.render import tools_asked
from agent.threads.turn_parts import Step
from graphs.contracts import Route, Verdict
from tools.documents.text.cleaning import clean, squeeze

BEGIN = "reading the question"
WAIT = "waiting for another chat's answer on this thread"
AFTER = {
    "condense": ("planning",),
    "generate": ("checking",),
    "revise": ("checking again",),
}
"""What begins when a step has ended; `plan`, `merge` and `check` say more."""


def route_words(route: Route) -> str:
    """'routing: extractive, names Apple -> kg_search'."""
    return f"routing: {route.kind}, {route.reason} -> {tools_asked(route)}"


class Progress:
    """Of one turn."""

    def __init__(self, told: Callable[[Route], str] = route_words) -> None:
        """`told`: the words for a route."""
        self._revised = False
        self._told = told

    def after(self, step: Step) -> tuple[str, ...]:
        """What `step` came to, where that is worth a word, and what is done next."""
        self._revised |= step.name == "revise"
        match step.fields:
            case {"route": Route() as route} if step.name == "plan":
                sought = _sought(step.fields.get("lookups", ()))
                return (self._told(route), *sought, "searching") if route.tools else (self._told(route),)
            case {"evidence": [*evidence]} if step.name == "merge":
                many = f"{len(evidence)} piece{'' if len(evidence) == 1 else 's'} of evidence"
                return f"found {many}", "writing"
            case {"verdict": Verdict(statements=statements)} if step.name == "check" and statements:
                held = sum(statement.supported for statement in statements)
                count = f"{len(statements)} statement{'s' if len(statements) > 1 else ''}"
                told = f"checking {count}: {held} supported"
                return (told,) if self._revised or held == len(statements) else (told, "revising")
        return AFTER.get(step.name, ())


def _sought(lookups: Sequence[AnyMessage]) -> Iterator[str]:
    """'looking for Net sales (AAPL, FY2022)', of calls with filters of their own."""
    for call in (call for each in lookups if isinstance(each, AIMessage) for call in each.tool_calls):
        if "companies" in (asked := call["args"]):
            within = ", ".join((*asked["companies"], *asked.get("periods", ())))
            yield f"looking for {asked['question']}{f' ({within})' if within else ''}"


def same_question(one: str, other: str) -> bool:
    """Do two questions differ in blanks, case and a question mark at most?"""
    first, second = (squeeze(clean(text)).rstrip(" ?.").casefold() for text in (one, other))
    return first == second
