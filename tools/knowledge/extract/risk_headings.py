"""The risks that a report names one by one: the headings of its risk factors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from tools.documents.text.cleaning import sentences, squeeze
from tools.documents.types import Chunk, ParsedDocument
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import NAMES_RISK, PROFILE_TITLE
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.types import EntityType, Triplet

_FACTORS = re.compile(r"\bItem\s+1A\b", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:for\s+(?:example|information)|in\s+addition|additionally|however|moreover|furthermore|further|such|these|this|those"
    r"|any\s+of|other\s+than|on\s+the\s+other|as\s+a\s+result|see)\b",
    re.IGNORECASE,
)
"""Begins a paragraph that goes on with the one before."""
MIN_WORDS, MAX_WORDS = 5, 70
MIN_HEADINGS = 5
"""A report with fewer prints them in a way that was not recognised, and would be told by a few."""
BEGINNING = 40
"""Characters by which a heading is found on its page."""


def risk_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`names as a risk` of the filer, once for each heading of its risk factors (a paragraph of one sentence before one
    of several) and with its place among them as path; none where fewer than `MIN_HEADINGS` are recognised."""
    document = parsed.document
    if document.doc_type == "call" or not document.is_of_company:
        return
    pages = {page.number: squeeze(page.text) for page in parsed.pages}
    begun = {
        page.number: {squeeze(line)[:BEGINNING] for line in page.text.splitlines()} for page in parsed.pages
    }
    paragraphs = [
        (line.strip(), chunk)
        for chunk in parsed.chunks
        if chunk.kind != "table" and _FACTORS.search(chunk.section)
        for line in chunk.text.split("\n")
        if line.strip()
    ]
    found: dict[str, tuple[int, Chunk]] = {}
    for (text, chunk), (following, _) in pairwise(paragraphs):
        if not _may_head(text, following):
            continue
        start = squeeze(text)[:BEGINNING]
        starts = {start[:length] for length in range(1, len(start) + 1)}
        page = next((n for n in chunk.pages if not starts.isdisjoint(begun.get(n, ()))), None)
        if page is not None and start in pages[page]:
            found.setdefault(text, (page, chunk))
    if len(found) < MIN_HEADINGS:
        return
    for place, (text, (page, chunk)) in enumerate(found.items(), 1):
        head: tuple[str, EntityType] = (document.company, "company")
        yield make_triplet(
            document,
            head,
            NAMES_RISK,
            (text, "value"),
            page=page,
            quote=text,
            chunk_id=chunk.id,
            title=PROFILE_TITLE,
            path=(f"{place} of {len(found)}",),
        )


def _may_head(text: str, following: str) -> bool:
    words = text.split()
    return (
        MIN_WORDS <= len(words) <= MAX_WORDS
        and text[0].isupper()
        and not _GOES_ON.match(text)
        and len(following) > len(text)
        and len(list(sentences(text))) == 1
        and len(list(sentences(following))) > 1
        and any(word.lower() in STOP_WORDS for word in words)
    )
