"""What a turn of a conversation wants, as learnt from turns: told by its embedding, and by the words of sums."""

from __future__ import annotations

import re

from graphs.local.followup.leaning import EVERYONE, is_elliptical
from graphs.local.followup.slots import Slots
from graphs.local.question.question_forms import without_context
from tools.calculate.questions import ENDS, AskedSum, SumReader
from tools.model_files import ModelFileError
from tools.ranking.fit import Vector, kinds_wanted, learnt
from tools.ranking.profile_kinds import profile_kind
from tools.ranking.turn_kinds import TurnKind, is_turn, turn_chance
from tools.vector.embeddings import Embedder

MIN_CHANCE_OF_SUM = 0.7
"""Probability from which a turn that names no figure asks for what is made of those that were told."""
_OF_TOLD = ("growth", "change", "difference", "ratio")
_ASIDE: tuple[TurnKind, ...] = ("about_answer", "of_conversation", "of_table")
_WHICH = re.compile(r"^\W*(?:(?:and|but|so)\W+)*which\b", re.IGNORECASE)


class TurnReader:
    """Nothing is wanted of any kind where there is no embedder, or its files are missing: the guide says so in the
    answer, and the planner of what reads sums."""

    def __init__(self, embedder: Embedder | None, sums: SumReader | None) -> None:
        self._embedder, self._sums = embedder, sums

    def is_aside(self, asked: str) -> bool:
        """What is off the topic, or about the answer before it, neither leans on a question nor is leant on."""
        text = without_context(asked)
        vector = self._vector(text)
        if vector is None:
            return False
        off = is_turn("off_topic", vector)
        off = off and turn_chance("off_topic", vector) > turn_chance("of_figures", vector)
        return off or any(is_turn(kind, vector) for kind in _ASIDE)

    def wants(self, turn: str) -> str:
        """The kind of answer that a turn most likely asks for; '' where that cannot be told."""
        vector = self._vector(turn)
        wanted = kinds_wanted(vector, learnt()) if vector is not None else {}
        return max(wanted, key=lambda kind: wanted[kind]) if wanted else ""

    def asks_why(self, turn: str) -> bool:
        """Whether it asks for reasons, not how figures compare."""
        return self.wants(turn) == "reason" and ("why" in turn.lower() or not self._is("of_figures", turn))

    def asks_of_company(self, turn: str) -> bool:
        """Whether it is what people ask of any company: 'how many people work there?'."""
        vector = self._vector(turn)
        return vector is not None and bool(profile_kind(vector)) and not EVERYONE.search(turn)

    def wants_more(self, turn: str) -> bool:
        """Whether more is asked for of what was told last, not all that was said once more."""
        vector = self._vector(turn)
        if vector is None or not is_turn("of_more", vector) or is_turn("off_topic", vector):
            return False
        return turn_chance("of_more", vector) > turn_chance("of_conversation", vector)

    def sum_asked(self, turn: str) -> AskedSum | None:
        """What a turn asks to be computed; None where that cannot be told."""
        try:
            return self._sums.read(turn, ()) if self._sums is not None else None
        except ModelFileError:
            return None

    def is_of_told(self, asked: AskedSum, now: Slots) -> bool:
        """Whether a turn that names nothing wants something made of the figures that were told."""
        if asked.set_words or asked.operation in ("share", "period"):
            return False
        plain = asked.use == "value" and not asked.a and asked.chance >= MIN_CHANCE_OF_SUM
        made = plain and asked.operation in _OF_TOLD
        return made or (not is_elliptical(now) and self._is("of_figures", now.text))

    def _is(self, kind: TurnKind, text: str) -> bool:
        vector = self._vector(text)
        return vector is not None and is_turn(kind, vector)

    def _vector(self, text: str) -> Vector | None:
        try:
            return self._embedder.embed_query(text) if self._embedder is not None else None
        except ModelFileError:
            return None


def ranked_set(asked: AskedSum, last: Slots) -> str:
    """'Which of the regions is the largest?' after a figure of one, as a question; '' where none is asked."""
    sure = asked.operation == "none" and asked.use in ENDS and asked.chance >= MIN_CHANCE_OF_SUM
    if not (sure and asked.set_words and last.metrics and last.companies):
        return ""
    what = f"{asked.set_words} had the {asked.use} {last.metric} {last.period}"
    return f"Which of {last.company}'s {what}".rstrip() + "?"


def is_among(asked: AskedSum, turn: str) -> bool:
    """Whether it asks which of several."""
    return asked.use in (*ENDS, "list") or bool(_WHICH.match(turn))
