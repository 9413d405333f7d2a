"""What a question describes instead of naming it: 'the company that took over One Medical', 'Corning's CEO'.

Such a question takes two hops: who or what is described, then the question with that name in the description's place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphs.contracts import Reading
from graphs.drafts.words import content
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.knowledge.graph.resolution import fold_name
from tools.knowledge.search.roles import ROLES, role_words, title_words

_FUNCTION = r"(?:of|the|an?|in|on|at|for|by|to|from|with|and|or|as|is|was|that|which|who|whom|whose|where)"
_CLAUSE = re.compile(
    rf"\b(?:the|an?)\s+(?P<noun>(?:(?!{_FUNCTION}\b)[\w&’'-]+\s+){{0,5}}?(?!{_FUNCTION}\b)[\w-]+)\s+"
    r"(?:(?P<relative>that|which|who|whose)\b|(?P<subject>it|they|he|she)\b|(?=[a-z]+\s+by\b))"
    r"\s*(?P<clause>[^,;?]+?)\s*[?.!]*$",
    re.IGNORECASE,
)
"""A noun with a clause of its own that ends the question: of one that stands before other words the end is not sure."""
_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why)\b", re.IGNORECASE)
_ROLE = rf"(?:{'|'.join(sorted(map(re.escape, ROLES), key=len, reverse=True))})\b"
_ROLE_AFTER = re.compile(rf"['’]s?\s+(?:[a-z]+\s+)?{_ROLE}(?!\s+(?:and|or|[A-Z])\b)", re.IGNORECASE)
_ROLE_BEFORE = re.compile(rf"\bthe\s+(?:[a-z]+\s+)?{_ROLE}\s+(?:of|at)\s+$", re.IGNORECASE)
_NAME = re.compile(r"(?:[A-Z][\w.’'-]*\s+){1,3}[A-Z][\w’'-]+")


@dataclass(frozen=True, slots=True)
class Described:
    """A stretch of a question that describes somebody; a `graphs.protocols.Description`."""

    question: str
    start: int
    end: int
    asked: str
    """The question for the name."""
    role: frozenset[str] = frozenset()
    """Words of the title by which a person is described; empty for a company that is described by what it did."""

    @property
    def words(self) -> str:
        """As the question writes it."""
        return self.question[self.start : self.end]

    def named(self, name: str) -> str:
        """The question with the name in place of the description."""
        return f"{self.question[: self.start]}{name}{self.question[self.end :]}"

    def name_in(self, line: str, item: Evidence) -> str:
        """What a line that answers `asked` says the name is: the company whose document it is of, or the person beside
        the title; '' where it names none."""
        if not self.role:
            return item.company
        own = set(fold_name(item.company).split())
        for match in _NAME.finditer(line):
            words = set(fold_name(match.group()).split())
            if not words & own and not title_words(match.group()) & self.role:
                return match.group()
        return ""


def description_in(reading: Reading, catalog: Catalog) -> Described | None:
    """The company that a question ends by describing, where it names none, or the person whom a title at a named
    company stands for; None where the question asks for just that."""
    question = reading.question
    mentions = catalog.link(question)
    if not mentions:
        match = _CLAUSE.search(question)
        if match is None or match["subject"]:
            return None
        joined = "'s " if (match["relative"] or "").lower() == "whose" else " "
        asked = f"Which {match['noun']}{joined}{match['clause']}?"
        return _described(question, match.start(), match.end("clause"), asked)
    for mention in mentions:
        after = _ROLE_AFTER.match(question, mention.end)
        before = _ROLE_BEFORE.search(question[: mention.start])
        if after or before:
            start = before.start() if before else mention.start
            end = after.end() if after else mention.end
            words = question[start:end]
            return _described(question, start, end, f"Who is {words}?", frozenset(role_words(words)))
    return None


def _described(
    question: str, start: int, end: int, asked: str, role: frozenset[str] = frozenset()
) -> Described | None:
    rest = f"{question[:start]} {question[end:]}"
    return Described(question, start, end, asked, role) if _ASKING.search(rest) and content(rest) else None
