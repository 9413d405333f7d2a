"""Of which companies something is true, as the model reads their likeliest lines: the map of a question put to all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pydantic import BaseModel

from graphs.contracts import Reading
from graphs.model.model_call import prompt, with_local_fallback
from tools.documents.text.cleaning import squeeze
from tools.evidence import AnswerLine, Evidence, format_evidence
from tools.model.fence import RULE, defused, fence
from tools.model.structured import ask_structured
from tools.model.types import ChatModel

COMPANIES_A_CALL = 12
"""At most; fewer where the model's context is small."""
TOKENS_A_COMPANY, RESERVED_TOKENS = 900, 1_500
"""What five lines with their heads take at most, and what is kept for the instructions and the reply."""
SHOWN = 500
"""Characters of a line that are shown."""


class CompaniesReply(BaseModel):
    """Numbers of the lines that show it, one of each company."""

    lines: list[int]


class ModelCompanyJudge:
    """A `CompanyJudge` in one call for some companies at a time, the likeliest first. What it chooses are lines of the
    documents: a number of no line counts for nothing. Where no usable reply comes, the learned fit has chosen."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    def true_of(self, reading: Reading, found: Sequence[Evidence]) -> list[Evidence]:
        """See `graphs.protocols.CompanyJudge`."""
        companies = list(dict.fromkeys(item.company_key for item in found))
        kept = list[Evidence]()
        room = (
            (self._model.context - RESERVED_TOKENS) // TOKENS_A_COMPANY
            if self._model.context
            else COMPANIES_A_CALL
        )
        many = min(max(1, room), COMPANIES_A_CALL)
        for start in range(0, len(companies), many):
            some = companies[start : start + many]
            own = [item for item in found if item.company_key in some]
            kept += with_local_fallback("merge", partial(self._shown, reading, own), partial(likely_of, own))
        return kept

    def _shown(self, reading: Reading, found: Sequence[Evidence]) -> list[Evidence]:
        lines = [_with_line(item, line) for item in found for line in item.lines]
        numbered = [
            item.model_copy(update={"rank": n, "text": item.lines[0].text[:SHOWN]})
            for n, item in enumerate(lines, start=1)
        ]
        messages = prompt(
            "companies",
            data_rule=RULE,
            question=defused(squeeze(reading.question)),
            lines=fence(format_evidence(numbered)),
        )
        reply = ask_structured(self._model, messages, CompaniesReply)
        shown = dict[str, Evidence]()
        for number in reply.lines:
            if 1 <= number <= len(lines):
                shown.setdefault(lines[number - 1].company_key, lines[number - 1])
        return [shown[key] for key in dict.fromkeys(item.company_key for item in lines) if key in shown]


def likely_of(found: Sequence[Evidence]) -> list[Evidence]:
    """Those that the learned fit takes to be true, each with the line that shows it."""
    return [
        item.model_copy(update={"lines": sure})
        for item in found
        if (sure := tuple(line for line in item.lines if line.likely))
    ]


def _with_line(item: Evidence, line: AnswerLine) -> Evidence:
    """The line is to be shown, whatever the learned fit thinks of it."""
    return item.model_copy(update={"lines": (line.model_copy(update={"shown": True, "likely": True}),)})
