"""The ask graph: one question in, a small answer out. For callers without a chat: MCP clients and plain HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from langchain_core.messages import HumanMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from pydantic import Field
from typing_extensions import TypedDict

from graphs.compiling import Compiled
from graphs.contracts import Answer
from graphs.state import Context


class AskInput(TypedDict):
    """A question, and what to limit its answer to."""

    question: Annotated[str, Field(description="The question, complete in itself: nothing is remembered.")]
    company: NotRequired[Annotated[str | None, Field(description="Only this company: name or ticker.")]]
    year: NotRequired[Annotated[int | None, Field(description="Only this fiscal or calendar year.")]]
    quarter: NotRequired[Annotated[int | None, Field(description="Only this quarter, 1 to 4.")]]
    doc_type: NotRequired[
        Annotated[str | None, Field(description="Only documents of this type: '10-K', 'call', ...")]
    ]
    document: NotRequired[
        Annotated[str | None, Field(description="Only this document: file name, path or id.")]
    ]


class AskOutput(TypedDict, total=False):
    """The answer."""

    answer: str
    """Checked text with [n] markers; what is missing or wrong, where there is no answer."""
    status: Literal["answered", "partial", "abstained", "refused"]
    """`refused`: the question, a filter or the index can't be used; the answer says why."""
    sources: list[str]
    """What the markers point at: '[1] 10Q-Q2-2024.pdf, p. 3: ...'."""


class AskState(AskInput, AskOutput):
    """What passes."""


def build_ask(
    assistant: Compiled, knobs: type[Context], user_errors: tuple[type[Exception], ...]
) -> CompiledStateGraph[AskState, None, AskInput, AskOutput]:
    """Compile it over `assistant`, which must not keep threads. A question that fits several companies is answered
    with the options; an error of `user_errors`, whose words are for the user, comes as an answer: MCP would drop
    its words."""

    def ask(state: AskState) -> dict[str, Any]:
        given: Any = {"messages": [HumanMessage(str(state.get("question") or ""))]}
        try:
            context = knobs(
                clarify=False,
                suggest=False,
                company=state.get("company"),
                year=state.get("year"),
                quarter=state.get("quarter"),
                doc_type=state.get("doc_type"),
                document=state.get("document"),
            )
            found: Answer = assistant.invoke(given, context=context)["answer"]
        except user_errors as error:
            return {"answer": str(error), "status": "refused", "sources": []}
        return {"answer": found.answer, "status": found.status, "sources": sources_of(found)}

    graph = StateGraph(AskState, input_schema=AskInput, output_schema=AskOutput)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    graph.add_edge("ask", END)
    return graph.compile(name="ask")


def sources_of(answer: Answer) -> list[str]:
    """One line a citation: marker, document, page, quotation."""
    return [f"[{c.marker}] {c.document}, {c.where}: {c.quote}" for c in answer.citations]
