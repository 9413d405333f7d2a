"""What a question describes instead of naming it: 'the company that took over One Medical'.

Such a question takes two hops: which company is described, then the question with its name in the description's place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphs.drafts.words import content
from tools.documents.metadata.catalog import Catalog

_FUNCTION = r"(?:of|the|an?|in|on|at|for|by|to|from|with|and|or|as|is|was|that|which|who|whom|whose|where)"
_CLAUSE = re.compile(
    rf"\b(?:the|an?)\s+(?P<noun>(?:(?!{_FUNCTION}\b)[\w&’'-]+\s+){{0,5}}?(?!{_FUNCTION}\b)[\w-]+)\s+"
    r"(?:(?P<relative>(?:[a-z]+\s+)?which|that|who|whose)\b|(?=[a-z]+\s+by\b))"
    r"\s*(?P<clause>[^\s,;?](?:[^,;?]|,(?=\s*\d))*)\Z",
    re.IGNORECASE,
)
"""A noun with a clause of its own that ends the question, whose mark is left out: of one that stands before other words
the end is not sure."""
_DOES = re.compile(r"\b(?:do|does|did)\s+\Z", re.IGNORECASE)
_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """A stretch of a question that describes a company; a `graphs.protocols.Description`."""

    question: str
    start: int
    end: int
    asked: str
    """The question for its name."""

    @property
    def words(self) -> str:
        """As the question writes it."""
        return self.question[self.start : self.end]

    def named(self, name: str) -> str:
        """The question with the name in place of the description."""
        return f"{self.question[: self.start]}{name}{self.question[self.end :]}"


def description_in(question: str, catalog: Catalog) -> Described | None:
    """The company that a question ends by describing, where it names none; None where it asks for just that. That it
    is a company at all is for whoever looks for it to find out."""
    if catalog.link(question):
        return None
    starts = [each.start() for each in re.finditer(r"\b(?:the|an?)\b", question, re.IGNORECASE)]
    # of a description within another the inner one is found first
    end = len(question.rstrip().rstrip("?.!").rstrip())
    match = next(filter(None, (_CLAUSE.match(question, start, end) for start in reversed(starts))), None)
    if match is None:
        return None
    start, end, clause = match.start(), match.end("clause"), match["clause"]
    if _DOES.search(question[:start]) and " " in clause:  # the question's own verb stands behind all
        clause = clause.rpartition(" ")[0].rstrip()
        end = match.start("clause") + len(clause)
    rest = f"{question[:start]} {question[end:]}"
    if not _ASKING.search(rest) or not content(rest):
        return None
    joined = "'s " if (match["relative"] or "").lower() == "whose" else " "
    return Described(question, start, end, f"Which {match['noun']}{joined}{clause}?")
