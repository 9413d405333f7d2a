"""A model that obeys every instruction it reads, wherever it stands, and calls everything supported.

Where it has read none it answers as a good model would, so that a run gets as far as it can.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field

from prompts.loading import load
from tests.endpoint import KEY, Asked, Said
from tests.injection.documents import Case

PROMPTS = ("condense", "plan", "answer", "revise", "verdicts", "rerank", "refine", "extract", "relations")
STEPS = {load(name).system.template.split("\n")[0]: name for name in PROMPTS}
FENCED = re.compile(r"^<<<DATA ([0-9a-f]{12})\n(.*?)\n\1 DATA>>>$", re.MULTILINE | re.DOTALL)
ENTRY = re.compile(r"^\[(\d{1,3})\] ", re.MULTILINE)
TOOL_CALL = {
    "tool_calls": [
        {
            "id": "c1",
            "type": "function",
            "function": {"name": "shell", "arguments": '{"command": "rm -rf /"}'},
        }
    ]
}


def plain(text: str) -> str:
    """Letters and digits alone, those of the tag block included: what a model could make out."""
    shown = "".join(chr(ord(c) - 0xE0000) if 0xE0020 <= ord(c) < 0xE007F else c for c in text)
    return "".join(c for c in shown if c.isalnum()).casefold()


@dataclass
class Obedient:
    """The replies of one run and what it has read."""

    case: Case
    steps: list[str] = field(default_factory=list)
    """Prompts asked, in order."""
    read_in: list[str] = field(default_factory=list)
    """Prompts in which the instruction stood."""
    unfenced: list[str] = field(default_factory=list)
    """Prompts in which it stood outside of a fence."""

    errors: list[Exception] = field(default_factory=list)
    """Its own, which a server's thread would swallow."""

    def __call__(self, asked: Asked) -> str | Said:
        try:
            return self._reply(asked)
        except Exception as error:
            self.errors.append(error)
            raise

    def _reply(self, asked: Asked) -> str | Said:
        system, user = asked.messages[0]["content"], asked.messages[-1]["content"]
        step = next(step for start, step in STEPS.items() if system.startswith(start))
        payload = self.case.payload
        word = plain(self.case.codeword)
        told = "\n".join(message["content"] for message in asked.messages)
        obeys = word in plain(told)
        self.steps.append(step)
        if obeys:
            self.read_in.append(step)
            if word in plain(FENCED.sub(" ", told)):
                self.unfenced.append(step)
            if payload.calls_tool and step in ("answer", "revise"):
                return Said(None, finish="tool_calls", message=TOOL_CALL)
            reply = payload.replies.get("answer" if step == "revise" else step)
            if isinstance(reply, tuple):
                reply = reply[("body", "table", "entity", "metadata").index(self.case.place) % len(reply)]
            if reply is not None:
                return self._filled(reply, system, user)
        return self._honest(step, system, user)

    def _filled(self, reply: str, system: str, user: str) -> str:
        case, entries = self.case, _entries(user)
        holding = next((n for n, text in entries if plain(case.codeword) in plain(text)), 1)
        values = {
            "n": str(holding),
            "f": str(_figure(entries) or holding),
            "company": case.report.word,
            "figure": case.report.revenue,
            "other": case.report.other.word,
            "ticker": case.report.ticker,
            "foreigner": case.report.other.ticker,
            "foreign": case.report.other.revenue,
            "question": case.question,
            "system": system,
            "key": KEY,
            "word": case.codeword,
        }
        if reply.lstrip().startswith("{"):
            values = {name: json.dumps(value)[1:-1] for name, value in values.items()}
        return re.sub(r"@(\w+)@", lambda m: values[m[1]], reply)

    def _honest(self, step: str, system: str, user: str) -> str:
        if step == "plan":
            lookups = [
                {"tool": tool, "query": self.case.question, "companies": [self.case.report.ticker]}
                for tool in ("kg_search", "vector_search")
            ]
            plan = {"kind": "uncertain", "reason": "a figure and prose", "confidence": 0.9}
            return json.dumps({**plan, "form": "figure", "lookups": lookups})
        if step == "condense":
            return f"What was {self.case.report.word}'s net income in the quarter ended June 30, 2024?"
        if step in ("answer", "revise"):
            found = _figure(_entries(user))
            if not found:
                return "NOT_IN_EVIDENCE"
            said = f"{self.case.report.word}'s revenue for the three months ended June 30, 2024 was"
            return f"{said} {self.case.report.revenue} million USD [{found}]."
        if step == "verdicts":
            count = len(re.findall(r"^\d+\. ", _fenced(user)[-1], re.MULTILINE))
            told = [{"sentence": n + 1, "reason": "it says so", "verdict": "supported"} for n in range(count)]
            return json.dumps({"verdicts": told})
        if step == "rerank":
            scores = [{"passage": n, "score": 2} for n, _ in _entries(user)]
            return json.dumps({"scores": scores})
        if step == "refine":
            return _fenced(user)[-1] if _fenced(user) else "Nothing."
        return json.dumps({"triplets": []})


def _fenced(text: str) -> list[str]:
    return [match[2] for match in FENCED.finditer(text)]


def _entries(user: str) -> list[tuple[int, str]]:
    """(number, text) of every piece of evidence in a prompt."""
    text = "\n".join(_fenced(user)[:1])
    starts = list(ENTRY.finditer(text))
    ends = [*(match.start() for match in starts[1:]), len(text)]
    return [(int(m[1]), text[m.start() : end]) for m, end in zip(starts, ends, strict=False)]


def _figure(entries: list[tuple[int, str]]) -> int:
    """The number of the piece that states the revenue of the quarter; 0 for none."""
    wanted = re.compile(r"Revenue\b[^\n]*\b\d{3}\.6\b")
    return next((n for n, text in entries if wanted.search(unicodedata.normalize("NFKC", text))), 0)
