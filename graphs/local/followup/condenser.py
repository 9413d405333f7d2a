"""Follow-up -> standalone question: company, metric and period are carried over from the turns before."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from graphs.local.followup.carried_periods import carried, spelled
from graphs.local.followup.completion import IT_ALONE, ITS, SHE, appended, completed, filled_in
from graphs.local.followup.context import asks_figure, in_context, part_like
from graphs.local.followup.leaning import (
    EVERYONE,
    POINTING,
    asks_on,
    brought_up,
    does_lean,
    is_bare,
    is_elliptical,
    with_kind,
)
from graphs.local.followup.pointers import ROLE, more_of, pointed, why_of
from graphs.local.followup.slots import PREPOSITION, Slots, find_slots
from graphs.local.followup.substitution import LEAD, substituted
from graphs.local.followup.told_figures import PART_OF_IT, compared, figure_told, is_compared, part_of
from graphs.local.followup.told_things import thing_told
from graphs.local.followup.turn_reader import TurnReader, is_among, ranked_set
from graphs.local.question.question_forms import ABOUT
from graphs.local.question.several_questions import questions_in
from graphs.local.question.spoken_questions import is_spoken
from graphs.local.question.unreadable import unreadable
from tools.calculate.questions import SumReader
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.graph.resolution import fold_name
from tools.vector.embeddings import Embedder

MAX_TURNS_BACK = 8
"""Turns looked back on; what a question refers to is rarely further away."""
_CORRECTION = re.compile(
    r"^\W*(?:(?:no|nope|sorry|oops|pardon|actually|wait|wrong|hm+)\W+)*"
    r"(?:not\s+[\w&'’. ]{1,30}?(?:,|\s+but)\s+)?"
    r"(?:(?:i\s+mean|(?:i\s+)?meant|i\s+wanted)(?:\s+(?:to\s+(?:say|ask)(?:\s+(?:about|for))?))?\b"
    r"|(?:it\s+|that\s+)?should\s+(?:be|have\s+been)\b|make\s+(?:that|it)\b)?\s*",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"^\W*who\s+(?:is|are|was|were|['’]s)\b|^\W*who['’]s\b", re.IGNORECASE)
"""Asks who somebody is: figures that follow are those of the subject before."""
_WAS_IT = re.compile(
    r"\b(?:how|what)\b[^?]*\b(?:is|was|are|were)\s+(?:it|that|they|those)"
    r"(?:\s+(?:in|for|at|as|on|during|the|a|an|one|last)\b[^?]*)?\W*$",
    re.IGNORECASE,
)
"""Asks what something is: 'how high was it?'; what it earned or has is another thing."""


class _Before(NamedTuple):
    """What the conversation is at before a turn."""

    question: str
    """The last question, as it was understood."""
    answer: str
    subject: str
    """The last one that was about more than who somebody is."""
    whole: str
    """The last one that was understood without what stands in brackets."""
    previous: str
    """The one of those before it."""

    def then(self, question: str, answer: str) -> _Before:
        """After one more turn."""
        leans = ABOUT in question
        subject = self.subject if leans or _ASKS_WHO.search(question) else question
        if leans or is_compared(question):
            return self._replace(question=question, answer=answer, subject=subject)
        return _Before(question, answer, subject, question, self.whole)


class LocalCondenser:
    """A `Condenser` without a model: an elliptical follow-up replaces its part of the question before, the one nearest
    in meaning where it is of no known kind; a figure gets the company and period that it leaves out; one that only
    points ('why?') is spelled out; any other has the question before behind it in brackets."""

    def __init__(
        self,
        catalog: Catalog | None = None,
        known_names: Container[str] = frozenset(),
        embedder: Embedder | None = None,
        sums: SumReader | None = None,
    ) -> None:
        """With a catalog, companies are recognised by any name and periods counted in dates; without, by capitals
        and in words. `known_names`: folded names of products, segments and people. `embedder`: says what of the
        question before a turn names another of, and what kind of turn it is; `sums`: what it asks to be computed."""
        self._catalog, self._known, self._embedder = catalog, known_names, embedder
        self._turns = TurnReader(embedder, sums)
        self._read: dict[str, Slots] = {}

    def condense(self, question: str, history: Sequence[tuple[str, str]], *, leans: bool = False) -> str:
        """See `graphs.protocols.Condenser`."""
        before = _Before("", "", "", "", "")
        turns = history[-MAX_TURNS_BACK:]
        for asked, answer in turns[max(0, self._first(turns) - 1) :]:  # two figures may be compared
            if not self._turns.is_aside(asked):
                before = self._after(before, asked, answer)
        joined = self._join(question, before)
        if not leans or joined != question or not before.question:
            return joined
        now = self._slots(question)
        return joined if now.companies else in_context(now, self._base(before.question, before.answer), "")

    def apart(self, turn: str) -> tuple[str, ...]:
        """See `graphs.protocols.Condenser`."""
        return questions_in(turn)

    def _first(self, turns: Sequence[tuple[str, str]]) -> int:
        """Where to begin: the last question that surely stands alone, so that nothing before it matters."""
        return next((at for at in reversed(range(len(turns))) if self._stands_alone(turns[at][0])), 0)

    def _stands_alone(self, asked: str) -> bool:
        if _ASKS_WHO.search(asked) or LEAD.match(asked) or POINTING.search(asked) or ITS.search(asked):
            return False
        now = self._slots(asked)
        return bool(now.companies and now.metrics) and not is_elliptical(now)

    def _after(self, before: _Before, asked: str, answer: str) -> _Before:
        """The conversation one turn later: a turn that points at something and was not resolved is passed over."""
        question = self._join(asked, before)
        now = self._slots(question)
        empty = not (now.companies or now.metrics or now.names or now.asks)
        if before.question and empty and question == asked and POINTING.search(asked):
            return before
        return before.then(self._with_figure(now, answer), answer)

    def _with_figure(self, asked: Slots, answer: str) -> str:
        """'How much did Orla make in 2023?' as the question for what its answer tells: 'What was Orla's net income in
        2023?'; as it is where it names a figure itself, or its answer tells none of a company, or several."""
        if (
            asked.metrics
            or not asked.companies
            or not asks_figure(asked)
            or self._turns.wants(asked.text) == "reason"
        ):
            return asked.text
        told = figure_told(asked.text, answer)
        return f"What was {asked.company}'s {told} {asked.period}".rstrip() + "?" if told else asked.text

    def _join(self, question: str, before: _Before) -> str:
        if not question.strip():
            return before.question or question
        if _is_alone(question, before):
            return question
        turn = _CORRECTION.sub("", question) or question
        turn = turn if SHE.search(turn) else spelled(turn)  # where he worked before that is no quarter
        then = is_compared(before.question)  # whose figure it is asked on about
        earlier = self._base(before.whole if then else before.question, before.answer)
        if (thing := thing_told(turn, before.answer, earlier)) and earlier.companies:
            return completed(replace(self._turn(thing), companies=()), earlier, self._catalog)
        now = self._turn(turn)
        about = self._subject(before, earlier)
        if spelled_out := self._spelled_out(now, earlier, about, before):
            return spelled_out
        now = with_kind(now, about, self._slots)
        if now.metrics or now.asks or not ROLE.search(before.question):
            earlier = about
        if is_elliptical(now):
            return self._replaced(now, earlier, before)
        if now.companies:
            it = IT_ALONE.search(turn) if earlier.company else None
            return filled_in(it, turn, now, earlier) if it else question
        return self._filled(now, earlier, before) if self._leans(now, question) else question

    def _leans(self, now: Slots, question: str) -> bool:
        """Whether a question without a company goes on from the one before."""
        turn = now.text
        leans = does_lean(now) or asks_on(now) or is_bare(turn) or self._turns.asks_of_company(turn)
        return leans and (bool(SHE.search(turn)) or not self._turns.is_aside(question))

    def _filled(self, now: Slots, earlier: Slots, before: _Before) -> str:
        """A question that leans on the one before, with what it leaves out."""
        turn = now.text
        of_figure = bool(earlier.metrics and earlier.companies) and not now.metrics and _WAS_IT.search(turn)
        if of_figure and self._turns.wants(turn) == "fact":
            return self._of_figure(now, earlier, before)
        whose = ITS.search(turn) and earlier.metrics  # a company's: it is what has figures
        meant = any(pattern.search(turn) for pattern in (SHE, IT_ALONE, PART_OF_IT))
        itself = now.names and not meant  # it names what it is about
        if now.metrics or ((whose or itself) and earlier.companies):
            return completed(now, earlier, self._catalog) if earlier.companies else turn
        return in_context(now, earlier, *brought_up(turn, before.answer))

    def _spelled_out(self, now: Slots, earlier: Slots, about: Slots, before: _Before) -> str:
        """A turn that only points at what was said before it, or asks how that compares; '' for any other."""
        if found := part_of(now, earlier, self._embedder):
            return found
        if found := pointed(now, earlier, before.answer, about, self._catalog):
            return found
        names_none = not (now.companies or now.metrics or now.names) and bool(before.question)
        return self._of_told(now, earlier, before) if names_none else ""

    def _of_told(self, now: Slots, earlier: Slots, before: _Before) -> str:
        """A turn that names nothing and wants more of what was told, or something made of it; '' for any other."""
        turns, last = self._turns, self._slots(before.whole)
        on_result = is_compared(before.question) and last.metrics and not now.asks
        if on_result and turns.wants(now.text) == "reason":
            return why_of(now.text, last)
        if last.companies and turns.wants_more(now.text):
            return more_of(last)
        asked = turns.sum_asked(now.text)
        if asked is None:
            return ""
        ranked = ranked_set(asked, last)
        if ranked or not turns.is_of_told(asked, now):
            return ranked
        base = PREPOSITION.sub("", carried(now, last, self._catalog)) if now.asks else ""
        previous, among = self._slots(before.previous), is_among(asked, now.text)
        found = compared(asked.operation, last, previous, before.answer, base, among=among)
        return in_context(now, earlier, "") if found and turns.asks_why(now.text) else found

    def _of_figure(self, now: Slots, earlier: Slots, before: _Before) -> str:
        """'How high was it the year before?' as the question for the figure of the question before."""
        asked = f"What was {earlier.company}'s {earlier.figure} {earlier.period}".rstrip() + "?"
        if not now.asks:
            return asked
        turn = self._slots(f"And {now.text[now.asks[0].start : now.asks[-1].end]}?")
        return self._replaced(turn, self._slots(asked), before._replace(question=asked, whole=asked))

    def _replaced(self, now: Slots, earlier: Slots, before: _Before) -> str:
        """The question before, with what a turn of a few words names in place of its own."""
        if before.whole != before.question:
            earlier = self._base(before.whole, before.answer)
        like = partial(part_like, earlier=earlier, embedder=self._embedder)
        return substituted(now, earlier, self._catalog, like) or in_context(now, earlier, "")

    def _subject(self, before: _Before, earlier: Slots) -> Slots:
        """What the conversation is about, where the question before only asked who somebody is."""
        about = self._base(before.subject, before.answer) if _ASKS_WHO.search(before.question) else earlier
        if earlier.companies and about.indexed != earlier.indexed:
            return earlier  # another company's CEO: its call is the subject now
        return about

    def _slots(self, text: str) -> Slots:
        if text not in self._read:
            self._read[text] = find_slots(text, self._catalog, self._known)
        return self._read[text]

    def _turn(self, text: str) -> Slots:
        """As `_slots`; 'and department stores?' names what the index knows, though its words are ordinary ones."""
        now = self._slots(text)
        lead = LEAD.match(text)
        rest = PREPOSITION.sub("", text[lead.end() if lead else 0 :].strip(" ?.!,"))
        named = now.companies or now.names or now.metrics or now.asks or not rest
        if named or ROLE.search(rest) or fold_name(rest) not in self._known:
            return now
        at = text.index(rest, lead.end() if lead else 0)
        return replace(now, names=((at, at + len(rest)),))

    def _base(self, before: str, answer: str) -> Slots:
        """The question before; where it names no company, with the one that its answer is about."""
        earlier = self._slots(before)
        if earlier.companies or self._catalog is None or EVERYONE.search(before):
            return earlier
        keys = {mention.key for mention in self._catalog.link(answer)}
        return (
            self._slots(appended(before, f" at {self._catalog.name(keys.pop())}"))
            if len(keys) == 1
            else earlier
        )


def _is_alone(question: str, before: _Before) -> bool:
    """Whether nothing comes before a question, or it is none; what is put as on a call leans on no filter."""
    return not before.question or bool(unreadable(question)) or (not before.answer and is_spoken(question))
