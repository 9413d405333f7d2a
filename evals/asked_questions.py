"""A run's questions with the model's calls that they took, and what a reader says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.errors import UsageError
from evals.draft_sentences import is_shown, sentences
from evals.rows import Row
from tools.model.recorded import Call

DRAFT_STEP = "generate"
"""The step whose first reply is the draft."""
Grade = Literal["right", "partly", "wrong", "abstained"]


class GradedSentence(BaseModel):
    """A sentence of the first draft."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str
    sound: bool


class Graded(BaseModel):
    """What a reader says of a question."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    grade: Grade
    sentences: tuple[GradedSentence, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the run with the calls that it took."""

    row: Row
    calls: tuple[Call, ...]
    draft: str
    """The first reply of the step that drafts; '' where there was none."""

    @property
    def sentences(self) -> list[tuple[str, bool]]:
        """The draft's, each with whether the answer shows it."""
        return [(text, self.shows(text)) for text in sentences(self.draft)]

    def shows(self, text: str) -> bool:
        """Whether a sentence of the draft stands in what the user was given."""
        return self.row.status in ("answered", "partial") and is_shown(text, self.row.answer)

    def why_dropped(self, text: str) -> str:
        """What the run says of a sentence that is not shown."""
        for statement in self.row.statements:
            if not statement.supported and is_shown(text, statement.text):
                return statement.reason or "not supported"
        if self.row.status in ("abstained", "failed"):
            return f"nothing was shown: {self.row.reason or self.row.error or 'no reason'}"
        if self.row.engine == "local":
            return next(
                (gap for gap in self.row.gaps if "local engine" in gap), "the local engine's was used"
            )
        return "in other words, or left out, in a later draft"


def asked_of(rows: Iterable[Row], calls: Mapping[str, Call], draft_step: str = DRAFT_STEP) -> list[Asked]:
    """The rows with their calls. UsageError where the recording lacks some."""
    found = []
    for row in rows:
        lacking = [key for key in row.replies if key not in calls]
        if lacking:
            raise UsageError(
                f"The recording lacks {len(lacking)} replies of '{row.id}': it is of another run."
            )
        own = tuple(calls[key] for key in row.replies)
        draft = next((call.text for call in own if call.step == draft_step), "")
        found.append(Asked(row, own, draft))
    return found


def read_grades(path: Path, ids: Iterable[str]) -> dict[str, Graded]:
    """Grades by question. UsageError for a file that can't be read, a bad line, or a question of another run."""
    known, found = set(ids), {}
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"Can't read '{path}': {error}.") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            graded = Graded.model_validate_json(line)
        except ValidationError as error:
            raise UsageError(f"{path} line {number}: {error.errors()[0]['msg']}.") from error
        if graded.id not in known:
            raise UsageError(f"{path} line {number}: the run has no question '{graded.id}'.")
        found[graded.id] = graded
    return found


def sheet_line(one: Asked) -> dict[str, Any]:
    """A question as a reader needs it to grade it."""
    row = one.row
    return {
        "id": row.id,
        "question": row.question,
        "status": row.status,
        "reason": row.reason,
        "engine": row.engine,
        "answer": row.answer,
        "sentences": [{"text": text, "shown": shown} for text, shown in one.sentences],
        "gaps": list(row.gaps),
        "citations": [citation.model_dump(mode="json") for citation in row.citations],
        "evidence": [context.model_dump(mode="json") for context in row.contexts],
    }
