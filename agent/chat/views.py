"""What a chat shows besides answers, as lines of styled text; piped output has the same lines without style."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from agent.display.reading_order import numbered
from agent.display.render import shorten, tools_asked
from agent.threads.thread_records import Thread, Turn
from graphs.contracts import Answer, Clarification, Suggestion
from tools.store.errors import command

SHOWN_CHARS = 400
"""Of a piece of evidence in /sources."""
KEYS = "/help lists the commands; Ctrl-C stops an answer, Ctrl-D leaves."


def block(lines: Sequence[Text]) -> RenderableType:
    """Lines for a terminal: what is indented stays so where it wraps."""

    def one(line: Text) -> RenderableType:
        indent = len(line.plain) - len(line.plain.lstrip(" "))
        return Padding(line[indent:], (0, 0, 0, indent)) if indent else line

    return Group(*map(one, lines))


def dim(text: str) -> Text:
    """A line that matters less."""
    return Text(text, style="dim")


def greeting(thread: Thread, last: Turn | None) -> list[Text]:
    """The thread, and where it was left."""
    turns = f"{thread.turns} question{'' if thread.turns == 1 else 's'} so far" if thread.turns else "new"
    lines = [Text.assemble("Thread ", (thread.name, "bold"), f" ({turns})")]
    return [*lines, dim(f"Last question: {shorten(last.question)}")] if last else lines


def parting(thread: Thread, home: Path) -> Text:
    """How to come back; `home`: the default one where the settings name a database."""
    words = command(home, f"chat --thread {shlex.quote(thread.name)}")
    return Text.assemble("Thread ", (thread.name, "bold"), f" is kept. Go on with: {words}")


def understood(question: str) -> Text:
    """The standalone question."""
    return dim(f"understood as: {question}")


def asked_back(asked: Clarification) -> list[Text]:
    """A question back, with its options by number."""
    return [
        Text(asked.question, style="bold"),
        *(Text(f"  {number}. {option}") for number, option in enumerate(asked.options, 1)),
        dim("Reply with a number or a name; an empty line drops the question."),
    ]


def suggested(named: Sequence[Suggestion]) -> list[Text]:
    """Next questions, by number, with what others did."""
    return [
        dim("Next, by number:"),
        *(
            dim(f"  {number}. {each.question}{f' ({each.why})' if each.why else ''}")
            for number, each in enumerate(named, 1)
        ),
    ]


def sources(answer: Answer) -> list[Text]:
    """The evidence of an answer, document by document and page by page; what is cited stands out."""
    if not answer.evidence:
        return [Text("The last answer rests on no evidence: nothing was found.")]
    answer = numbered(answer)
    cited = {citation.marker for citation in answer.citations}
    found = sorted(answer.evidence, key=lambda item: (item.document, item.page, item.rank))
    lines: list[Text] = []
    for (document, page), items in groupby(found, key=lambda item: (item.document, item.page)):
        lines.append(Text(f"{document}, p. {page}", style="bold"))
        for item in items:
            head = f"  [{item.rank}] {item.source}{', cited' if item.rank in cited else ''}: "
            told = Text(shorten(item.text, SHOWN_CHARS), style="" if item.rank in cited else "dim")
            lines.append(Text.assemble(head, told))
            lines += [dim(f"      led to by: {item.why}")] if item.why else []
    return lines


def route(answer: Answer) -> list[Text]:
    """Which way the last question went, why, and how long each step took."""
    chosen = answer.route
    steps = ", ".join(f"{step} {seconds:.2f} s" for step, seconds in answer.seconds.items())
    return [
        Text(f"question: {answer.standalone_question}"),
        Text(f"route: {chosen.kind} -> {tools_asked(chosen)}, confidence {chosen.confidence:.2f}"),
        Text(f"reason: {chosen.reason}"),
        *(
            [Text("widened: too little was found at first, so both tools were asked")]
            if chosen.widened
            else []
        ),
        Text(f"pipeline: {answer.pipeline}, {answer.engine} engine"),
        dim(f"seconds: {steps}"),
    ]


def why(answer: Answer) -> list[Text]:
    """Every statement of the last draft with its support; what was left out, and why."""
    answer = numbered(answer)
    lines: list[Text] = []
    cited = {citation.marker for citation in answer.citations}
    for statement in answer.faithfulness.statements:
        if statement.supported:
            marks = "".join(f"[{rank}]" for rank in statement.evidence)
            lines.append(Text.assemble((f"supported {marks}: ", "green"), statement.text))
        else:
            reason = f" ({statement.reason})" if statement.reason else ""
            lines.append(Text.assemble(("left out: ", "red"), statement.text, (reason, "dim")))
    lines += [
        dim(f"[{item.rank}] was led to by: {item.why}")
        for item in answer.evidence
        if item.why and item.rank in cited
    ]
    if not lines:
        unchecked = answer.pipeline != "agent"
        lines.append(
            Text(f"The '{answer.pipeline}' pipeline checks nothing." if unchecked else "Nothing was stated.")
        )
    told = f"{answer.status} · {answer.reason}" if answer.reason else answer.status
    return [*lines, dim(told), *(dim(gap) for gap in answer.gaps if gap not in (answer.reason or ""))]


def threads(found: Sequence[Thread], current: str = "") -> list[Text]:
    """Names, turns and last use, in local time; `current` is the id of the open one."""
    if not found:
        return [Text("No threads yet.")]
    return [
        Text.assemble(
            "* " if thread.id == current else "  ",
            (thread.name, "bold"),
            dim(f"  {thread.turns} turn{'' if thread.turns == 1 else 's'}, {local(thread)}"),
        )
        for thread in found
    ]


def local(thread: Thread) -> str:
    """When a thread was last used, by the clock on the wall."""
    return f"{thread.used.astimezone():%Y-%m-%d %H:%M}"


def helped(usages: Sequence[tuple[str, str]]) -> list[Text]:
    """Slash commands and what they do."""
    width = max(len(usage) for usage, _ in usages)
    return [Text.assemble((f"  {usage:{width}}", "bold"), dim(f"  {does}")) for usage, does in usages]
