"""A question asked with the model engine, through the real client and a scripted server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from agent.assistant import Assistant
from agent.display.render import plain_answer
from agent.endpoint.limits import Pace
from agent.endpoint.models import chat_model
from agent.engines import model_engine
from agent.settings import Settings
from graphs.contracts import Answer
from graphs.engine import Engine
from graphs.routed import build_routed
from graphs.state import Context
from tests.endpoint import Server, serving
from tests.scripted import (
    Replies,
    Script,
)

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
GOOD = "Calderith's total revenue for the three months ended March 30, 2024 was 1,284.6 million USD [1]."
FALSE = GOOD.replace("1,284.6", "999.9")
QUICK = Pace(first=0.01, factor=1, jitter=0)
LOOKUP = {
    "lookups": [
        {
            "tool": "kg_search",
            "query": "Total revenue",
            "companies": ["CDTH"],
            "periods": ["2024-03-30"],
        }
    ]
}
STRAIGHT = ["plan", "answer"]
"""A figure that code finds in the evidence needs no judge."""


@dataclass
class Asked:
    """An answer, and what it took."""

    answer: Answer
    steps: list[str]
    """Prompts, in the order in which they were sent; with retries."""
    server: Server
    shown: str


def quick_engine(settings: Settings) -> Engine:
    return model_engine(chat_model(settings, QUICK))


def ask(assistant: Assistant, told: Script, question: str = REVENUE, *history: str, **more: Any) -> Asked:
    """A question, through a server that replies so, over the shared sample index."""
    replies = Replies(told)
    with serving(replies) as server:
        graph = build_routed(assistant.shelf, quick_engine(server.settings(**more)), InMemorySaver())
        thread: Any = {"configurable": {"thread_id": "t"}}
        for text in (*history, question):
            found = graph.invoke({"messages": [HumanMessage(text)]}, thread, context=Context(deadline=120))
    answer: Answer = found["answer"]
    assert found["usage"] == answer.usage
    assert found["messages"][-1].text == answer.answer
    return Asked(answer, replies.steps, server, plain_answer(answer))


def is_right(answer: Answer) -> bool:
    """The figure asked for, cited to the page on which it stands."""
    pages = {(c.document, c.page) for c in answer.citations}
    return (
        answer.status == "answered"
        and "1,284.6 million USD" in answer.answer
        and ("10Q-Q2-2024.pdf", 3) in pages
        and answer.faithfulness.score == 1
    )
