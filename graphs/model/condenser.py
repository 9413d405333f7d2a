"""Follow-up -> standalone question, rewritten by the model and held to the conversation's own words: what an answer
quotes is a document's."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.claims import QUOTE
from graphs.drafts.words import content
from graphs.model.model_call import prompt, with_local_fallback
from graphs.model.replies import unwrapped
from graphs.protocols import Condenser
from tools.documents.text.cleaning import squeeze
from tools.model.fence import RULE, defused, fence
from tools.model.types import ChatModel, MalformedReplyError

MAX_TURNS = 6
"""Turns shown to the model."""
MAX_ANSWER_CHARS = 600
"""Characters of an earlier answer that are shown."""
MAX_QUESTION_CHARS = 4000
"""Characters of a standalone question."""
MIN_KEPT_WORDS_SHARE = 0.5
"""Least share of the question's own words that its rewriting keeps."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"\b[A-Z][\w&'’.-]*")
_OWN = re.compile(
    r"\S\s+[^\W\d_a-z][\w&'’.-]+|\b(?i:companies|which\s+company|any\s+company|each\s+company|everyone)\b"
)
"""A name inside the question, or all companies."""
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|that|this|those|these|he|she|his|her|him|there|then|same|former|latter|both)\b"
    r"|^\W*(?:and|but|or|also|what\s+about|how\s+about|no|sorry)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"^\W*(?:(?:standalone|rewritten|last)\s+)?(?:question|reply|answer)\W*:\s*", re.IGNORECASE
)


class ModelCondenser:
    """A `Condenser` that asks the model only where there is a conversation."""

    def __init__(self, model: ChatModel, local: Condenser) -> None:
        """`local` rewrites where the model's rewriting can't be used."""
        self._model, self._local = model, local

    def condense(self, question: str, history: Sequence[tuple[str, str]], *, leans: bool = False) -> str:
        """See `graphs.protocols.Condenser`."""
        plain = self._local.condense(question, history, leans=leans)
        told = any(answer for _, answer in history)  # else there is no conversation, but what filters leave
        if not told or not question.strip() or len(question) > MAX_QUESTION_CHARS:
            return plain
        if plain == question and _opens_subject(question):
            return question
        shown = history[-MAX_TURNS:]
        return with_local_fallback("condense", lambda: self._rewritten(question, shown, plain), lambda: plain)

    def apart(self, turn: str) -> tuple[str, ...]:
        """The turn: a planner that is a model plans all that it asks."""
        return (turn,)

    def _rewritten(self, question: str, history: Sequence[tuple[str, str]], plain: str) -> str:
        conversation = "\n".join(
            f"User: {asked}\nAssistant: {answer[:MAX_ANSWER_CHARS]}" for asked, answer in history
        )
        messages = prompt("condense", data_rule=RULE, history=fence(conversation), question=defused(question))
        rewritten = _one_line(self._model.complete(messages).text)
        said = "\n".join(f"{asked}\n{QUOTE.sub(' ', answer)}" for asked, answer in history)
        fault = _fault(rewritten, question, f"{said}\n{question}")
        if not fault and _NUMBER.search(plain) and not _NUMBER.search(rewritten):
            fault = "lost the period"
        if fault:
            raise MalformedReplyError(f"the rewritten question {fault}")
        return rewritten


def _opens_subject(question: str) -> bool:
    """Does a question that rules leave as it is name a subject of its own, and point at nothing before it? Asking the
    model could only drag the last company or period along."""
    return bool(_OWN.search(question)) and not _POINTS.search(question)


def _one_line(text: str) -> str:
    """The question in a reply: without label, quotation marks, fence or JSON around it."""
    lines = [line for line in unwrapped(text).split("\n") if line.strip()]
    line = _LABEL.sub("", lines[0]).strip() if lines else ""
    if not line and len(lines) == 2:
        line, lines = lines[1].strip(), lines[1:]
    if len(lines) > 1:
        return "\n".join(lines)
    return squeeze(line.strip("\"'“”‘’`* "))


def _fault(rewritten: str, question: str, conversation: str) -> str:
    """Why the rewriting can't stand for the question; '' if it can."""
    if (
        not rewritten
        or "\n" in rewritten
        or len(rewritten) > MAX_QUESTION_CHARS
        or rewritten.count("?") > max(1, question.count("?"))
    ):
        return "is not one question"
    if not set(_NUMBER.findall(question)) <= set(_NUMBER.findall(rewritten)):
        return "lost a figure of the question"
    own = set(content(question))
    if own and len(own & set(content(rewritten))) < MIN_KEPT_WORDS_SHARE * len(own):
        return "is another question"
    if not set(_NUMBER.findall(rewritten)) <= set(_NUMBER.findall(conversation)):
        return "holds a figure that nobody said"
    said = {word.lower() for word in re.findall(r"[\w&]+", conversation)}
    names = [re.sub(r"['’]s$", "", name) for name in _NAME.findall(rewritten)]
    names = names[1:] if _NAME.match(rewritten) else names
    new = [name for name in names if not {w.lower() for w in re.findall(r"[\w&]+", name)} & said]
    return f"names '{new[0]}', which nobody said" if new else ""
