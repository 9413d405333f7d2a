"""What a question describes instead of naming it: 'the company that took over One Medical'.

Such a question takes two hops: who or what is described, then the question with that name in the description's place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphs.contracts import Reading
from graphs.drafts.words import content
from graphs.local.question.unknown_names import capitalised_spans
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.knowledge.graph.resolution import fold_name

_FUNCTION = r"(?:of|the|an?|in|on|at|for|by|to|from|with|and|or|as|is|was|that|which|who|whom|whose|where)"
_CLAUSE = re.compile(
    rf"\b(?:the|an?)\s+(?P<noun>(?:(?!{_FUNCTION}\b)[\w&’'-]+\s+){{0,5}}?(?!{_FUNCTION}\b)[\w-]+)\s+"
    r"(?:(?P<relative>(?:[a-z]+\s+)?which|that|who|whose)\b|(?P<subject>it|they|he|she)\b|(?=[a-z]+\s+by\b))"
    r"\s*(?P<clause>(?:[^,;?]|,(?=\s*\d))+?)\s*[?.!]*$",
    re.IGNORECASE,
)
"""A noun with a clause of its own that ends the question: of one that stands before other words the end is not sure."""
_ASKING = re.compile(r"\b(?:who|whom|whose|what|which|where|when|how|why)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Described:
    """A stretch of a question that describes somebody or something; a `graphs.protocols.Description`."""

    question: str
    start: int
    end: int
    asked: str
    """The question for the name."""
    is_filer: bool
    """A company of whose documents one says what is described; else something of a company that is named."""

    @property
    def words(self) -> str:
        """As the question writes it."""
        return self.question[self.start : self.end]

    def named(self, name: str) -> str:
        """The question with the name in place of the description."""
        return f"{self.question[: self.start]}{name}{self.question[self.end :]}"

    def name_in(self, line: str, item: Evidence) -> str:
        """What a line that answers `asked` says the name is: the company whose document it is of, or the first name in
        it that the question does not hold; '' where there is none."""
        if self.is_filer:
            return item.company
        known = {*fold_name(item.company).split(), *fold_name(self.question).split()}
        names = (span.text for span in capitalised_spans(line, ()))
        return next((name for name in names if not known >= set(fold_name(name).split())), "")


def description_in(reading: Reading, catalog: Catalog) -> Described | None:
    """What a question ends by describing: a company, where it names none, or something of one that it names; None where
    it asks for just that."""
    question = reading.question
    starts = [each.start() for each in re.finditer(r"\b(?:the|an?)\b", question, re.IGNORECASE)]
    # of a description within another the inner one is found first
    match = next(filter(None, (_CLAUSE.match(question, start) for start in reversed(starts))), None)
    if match is None:
        return None
    start, end = match.start(), match.end("clause")
    rest = f"{question[:start]} {question[end:]}"
    if not _ASKING.search(rest) or not content(rest):
        return None
    mentions = catalog.link(question)
    clause = match["clause"]
    if match["subject"]:
        before = [each.text for each in mentions if each.end <= start]
        if not before:
            return None
        clause = f"{before[-1]} {clause}"
    joined = "'s " if (match["relative"] or "").lower() == "whose" else " "
    return Described(question, start, end, f"Which {match['noun']}{joined}{clause}?", is_filer=not mentions)
