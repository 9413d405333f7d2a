"""The contract of every step that needs language; each has a local implementation, most a model's, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from graphs.contracts import Answer, Clarification, Draft, Lookup, Plan, Reading, Suggestion, Verdict
from graphs.index import Index
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.ranking.company_fit import Seen
from tools.scope import Scope


class Condenser(Protocol):
    """Follow-up -> standalone question."""

    def condense(self, question: str, history: Sequence[tuple[str, str]], *, leans: bool = False) -> str:
        """`history`: the last (user, assistant) turns, oldest first, each question as it was understood where that is
        known; without any the question comes back as it is. `leans`: it surely goes on from the last of them."""
        ...

    def apart(self, turn: str) -> tuple[str, ...]:
        """The questions that a turn asks, in order and in its own words, each to be condensed with those before it; the
        turn itself where it asks one, or is answered as a whole."""
        ...


class Description(Protocol):
    """A stretch of a question that describes a company instead of naming it."""

    @property
    def words(self) -> str:
        """As the question writes it."""
        ...

    @property
    def asked(self) -> str:
        """The question for its name."""
        ...

    def named(self, name: str) -> str:
        """The question with the name in place of the description."""
        ...


class Reader(Protocol):
    """Question -> what it says about itself, held against an index."""

    def read(self, question: str, index: Index, within: Scope) -> Reading:
        """`within`: the user's own filters; nothing of the reading reaches beyond them. Raises what the index's
        searches raise."""
        ...

    def described(self, reading: Reading, catalog: Catalog) -> Description | None:
        """The company that has to be found before the question can be looked up; None where none is described."""
        ...

    def plainly(self, reading: Reading, kind: str, catalog: Catalog) -> Reading:
        """The reading of a question that asks for a kind of `PLAIN_WORDS` in `tools.knowledge.lexicon.company_profile`,
        in those words, of the same companies and periods."""
        ...

    def lookups(self, question: str, catalog: Catalog) -> tuple[Lookup, ...]:
        """The figures that a text asks for, one by one; () where it names none."""
        ...

    def other_periods(self, question: str, scope: Scope, catalog: Catalog) -> tuple[PeriodFilter, ...]:
        """Periods outside `scope` that the question's label may mean as well ('Q3 2023', fiscal or calendar)."""
        ...


class OpenQuestion(Protocol):
    """A question that fits several things equally."""

    @property
    def asked(self) -> Clarification:
        """What the user is asked back."""
        ...

    def settled(self, reply: str, catalog: Catalog) -> str:
        """The question as the reply means it; the reply itself, without blanks around it, where it is a question of
        its own and no answer to this; '' where it does not say."""
        ...


class Clarifier(Protocol):
    """Reading -> what has to be asked back before anything is searched."""

    def left_open(
        self, reading: Reading, index: Index, turns: Sequence[str], read: Callable[[str], Reading]
    ) -> OpenQuestion | None:
        """None where nothing is open. `turns`: what the user said before in this conversation; `read` reads another
        wording of the question within the user's filters."""
        ...

    def options(self, reading: Reading, index: Index) -> Clarification | None:
        """The companies that fit an ambiguous question; None where fewer than two do or the index can't be
        searched."""
        ...


class Order(Protocol):
    """What was done -> what is done next, as it was learned from the histories of many."""

    @property
    def has_learned(self) -> bool:
        """Whether there is anything to be asked."""
        ...

    def after(self, past: Sequence[tuple[str, float]]) -> Iterable[tuple[str, str]]:
        """Items that may come next, the likeliest first, none of the past ones, each with the reason in words; none
        where nothing was learned about the past. `past`: items and their times in Unix seconds, oldest first."""
        ...


Turns = Callable[[], Sequence[tuple[str, float]]]
"""Questions as they were understood, with their times in Unix seconds, oldest first."""


class Suggester(Protocol):
    """Answer -> next questions."""

    def suggest(
        self,
        answer: Answer,
        index: Index,
        within: Scope,
        asked: Sequence[str],
        turns: Turns,
        stopped: Callable[[], bool],
    ) -> tuple[Suggestion, ...]:
        """At most three questions that the index answers within the user's filters, none of them in `asked`; those
        found so far where `stopped` says so. `turns`: of the conversation, the answer's own left out; read where an
        order has learned. Raises SEARCH_FAILURES where the index can't be searched."""
        ...

    def examples(self, index: Index, within: Scope, stopped: Callable[[], bool]) -> tuple[str, ...]:
        """At most four questions to begin with, which the index answers within the user's filters. `stopped`, and
        raises, as `suggest`."""
        ...


class Planner(Protocol):
    """Question -> what is looked up for it, and in which tools."""

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """`within`: the user's own filters, which bind every call."""
        ...

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """What to look up besides, where `draft`, written from `found`, leaves something open. A plan without calls:
        nothing else is worth looking up; None: this planner looks wider, and does not look for something else."""
        ...


class Answerer(Protocol):
    """Evidence -> draft."""

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        """From the evidence alone; every statement carries the [rank] markers of what supports it."""
        ...

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict) -> Draft:
        """A second draft without, or with mended, unsupported statements."""
        ...


class FaithfulnessChecker(Protocol):
    """Draft -> verdict."""

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], before: Verdict | None = None
    ) -> Verdict:
        """`before`: of an earlier draft from the same evidence, whose statements need no second judgement."""
        ...


class Reranker(Protocol):
    """Evidence -> the evidence that helps, the best first."""

    def rerank(self, reading: Reading, evidence: Sequence[Evidence]) -> list[Evidence]:
        """Some or all of `evidence` in another order; nothing is added or changed."""
        ...


class Guide(Protocol):
    """Speaks for the assistant, its index and the conversation."""

    def tell(
        self,
        reading: Reading,
        catalog: Catalog,
        sources: Sequence[str] | None = None,
        said: Sequence[tuple[str, str]] = (),
    ) -> str:
        """What answers a question about them; '' for a question about what the documents say. `sources`: what the
        last answer cites, None where there is none; `said`: the turns before, as of `Condenser`. ModelFileError
        where the model's files are missing or not the expected ones."""
        ...

    def of_table(self, reading: Reading) -> bool:
        """Whether a turn asks to see the table that the last answer's figures stand in. Raises as `tell`."""
        ...

    def otherwise(self, reading: Reading, catalog: Catalog) -> str:
        """What answers a question that may be about the index, if the documents hold no answer; '' where it surely is
        about what they say. Raises as `tell`."""
        ...

    def off_topic(self, reading: Reading, catalog: Catalog) -> str:
        """Why documents like these do not answer a question, whatever they say; '' if they may. Raises as `tell`."""
        ...

    def of_companies(self, reading: Reading, *, told: bool = False, doubtful: bool = False) -> str:
        """What a question that asks for companies says of them; '' for any other question, or one that is likelier
        about the index, if `told` so. `doubtful`: it may be off the topic, or describe the one company it is about, so
        that only what surely asks for companies does. Raises as `tell`."""
        ...

    def profile(self, reading: Reading, catalog: Catalog) -> tuple[str, ...]:
        """`Reading.profile` of a question. Raises as `tell`."""
        ...


class Ranker(Protocol):
    """Evidence -> the same, ordered by a learned fit."""

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        """All of `evidence`, what holds the line that answers best first, with those lines; ModelFileError where
        the model's files are missing or not the expected ones. `roughly`: without those files."""
        ...

    def profile_kinds(self, reading: Reading) -> tuple[str, ...]:
        """The kinds of `tools.knowledge.lexicon.company_profile` that `reading.of_companies` may ask for, the likeliest
        first: what they list of a company is among its evidence. Raises as `rank`."""
        ...

    def is_listed(self, reading: Reading) -> bool:
        """Whether what is listed of any company settles `reading.of_companies`, so that nothing is to be computed: a
        number of people above a bound. Raises as `rank`."""
        ...

    def seen_of_company(self, reading: Reading, evidence: Sequence[Evidence], *, read: bool = True) -> Seen:
        """What one company's evidence has for `reading.of_companies`; without `read` its passages as they were found,
        none of their lines. Raises as `rank`."""
        ...

    def of_companies(
        self, reading: Reading, looked: Sequence[tuple[Seen, Sequence[Evidence]]], perhaps: int = 0
    ) -> list[Evidence]:
        """Of each company of which `reading.of_companies` surely is true the evidence that shows it, with the line that
        does, the surest first; the companies are weighed against each other. `perhaps`: besides, of every company that
        no list rules out, so many lines that may show it, which are not `likely`. Raises as `rank`."""
        ...


class CompanyJudge(Protocol):
    """Evidence of companies -> that of those of which it is true."""

    def true_of(self, reading: Reading, found: Sequence[Evidence]) -> list[Evidence]:
        """Of each company of which `reading.of_companies` is true one piece of `found` with the line that shows it, in
        their order; `found`: see `Ranker.of_companies`, with `perhaps`."""
        ...
