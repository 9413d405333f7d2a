"""What the cover page of an SEC form says of its filer: where it is incorporated and where its offices are, its
telephone, what of it is listed where, and what its shares in other hands are worth."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.documents.metadata.cover import COVER_PAGES, EXCHANGE
from tools.documents.text.cleaning import sentences
from tools.documents.types import Page, ParsedDocument
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import (
    HAS_NUMBER,
    HEADQUARTERS_AT,
    INCORPORATED_IN,
    LISTED_AS,
    PROFILE_TITLE,
    TELEPHONE,
    WORTH,
    YEAR_ENDED,
)
from tools.knowledge.lexicon.stopwords import STOP_WORDS
from tools.knowledge.types import EntityType, Triplet

FORMS = frozenset({"10-K", "10-Q", "8-K", "annual"})
LINES_TO_LABEL = 4
"""Lines above "(Address of principal executive offices)" among which the address ends."""
_FORM = re.compile(r"securities\s+and\s+exchange\s+commission", re.IGNORECASE)
_STATE = re.compile(r"^\s*(?P<state>[A-Za-z][A-Za-z. ]{1,30}?)\s+(?P<number>\d{2}-\d{7})\s*$")
_ADDRESS = re.compile(r"[A-Za-z.]{2},?\s+\d{5}(?:-\d{4})?$")
"""A state and its ZIP code at the end of a line."""
_OF_THE_SEC = re.compile(r"\b20549\b")
_LABEL = re.compile(
    r"\baddress\b.{0,80}\b(?:principal|executive)\b|\bprincipal\s+executive\s+offices?\b", re.IGNORECASE
)
_TELEPHONE = re.compile(r"\(?\b\d{3}\)?[ -]\s?\d{3}-\d{4}\b")
_LISTED = re.compile(
    r"^.{4,160}?\s+(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z])?\d{0,2}[A-Za-z]?)\s+"
    rf"(?P<exchange>(?i:{EXCHANGE})\b.{{0,60}})$"
)
_VALUE = re.compile(r"\baggregate\s+market\s+values?\b.{0,600}?\bnon-?affiliates\b", re.IGNORECASE)
_BOXES = re.compile(r"^(?:.*[☐☒☑þ¨])?(?:\s*\b(?:yes|no|[ox])\b)*", re.IGNORECASE | re.DOTALL)
"""Of the questions before, ticked."""
_AMOUNT = re.compile(
    r"\$\s?\d[\d.,]*\s(?:million|billion|trillion)\b|\$\s?\d{1,3}(?:,\d{3}){2,}", re.IGNORECASE
)
"""Of a whole company."""
_YEAR_ENDED = re.compile(
    r"for\s+the\s+fiscal\s+year\s+ended:?\s+(?P<day>[A-Z]\w+\s+\d{1,2},\s+\d{4})", re.IGNORECASE
)


def cover_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """Relations of the filer, each with the printed line; none of a document without the cover of such a form."""
    document = parsed.document
    pages = parsed.pages[:COVER_PAGES]
    if document.doc_type not in FORMS or not document.is_of_company or not pages:
        return
    if not _FORM.search(pages[0].text):
        return
    found: set[str] = set()
    for page in pages:
        for relation, tail, kind, quote in _said(page, document.ticker):
            once = tail if relation == LISTED_AS else relation
            if once in found:
                continue
            found.add(once)
            head: tuple[str, EntityType] = (document.company, "company")
            yield make_triplet(
                document, head, relation, (tail, kind), page=page.number, quote=quote, title=PROFILE_TITLE
            )


Said = tuple[str, str, EntityType, str]
"""(relation, tail, its type, the printed words)."""


def _said(page: Page, ticker: str | None) -> Iterator[Said]:
    lines = [" ".join(line.split()) for line in page.text.splitlines() if line.strip()]
    if page.number == 1:
        yield from _of_lines(lines)
    for line in lines:
        listed = _LISTED.match(line)
        if listed and (listed["symbol"] == ticker or _is_symbol(listed["symbol"])):
            yield LISTED_AS, f"{listed['symbol']} on {listed['exchange']}", "value", line
    flowing = " ".join(lines)
    worth = next((each for each in sentences(flowing) if _VALUE.search(each)), "")
    worth = _BOXES.sub("", worth).strip()
    if amount := _AMOUNT.search(worth):
        yield WORTH, amount[0], "value", worth
    if ended := _YEAR_ENDED.search(flowing):
        yield YEAR_ENDED, ended["day"], "value", ended[0]


def _is_symbol(word: str) -> bool:
    return bool(re.fullmatch("[A-Z.-]{2,}", word)) and word.lower() not in STOP_WORDS


def _of_lines(lines: list[str]) -> Iterator[Said]:
    """What stands on a line of its own, before the securities."""
    end = next((at for at, line in enumerate(lines) if "12(b)" in line.lower()), len(lines))
    lines = lines[:end]
    if address := _address(lines):
        yield HEADQUARTERS_AT, address, "location", address
    for line in lines:
        if state := _STATE.match(line):
            name = state["state"]
            name = name.title() if name.isupper() and len(name) > 2 else name
            yield INCORPORATED_IN, name, "location", line
            yield HAS_NUMBER, state["number"], "value", line
        if telephone := _TELEPHONE.search(line):
            yield TELEPHONE, telephone[0], "value", line


def _address(lines: list[str]) -> str:
    """The address above its label; without a label the first one that is not the commission's; '' for none."""
    ends = [at for at, line in enumerate(lines) if _ADDRESS.search(line) and not _OF_THE_SEC.search(line)]
    label = next((at for at, line in enumerate(lines) if _LABEL.search(line)), None)
    if label is not None:
        ends = [at for at in ends if label - LINES_TO_LABEL <= at < label][-1:]
    if not ends:
        return ""
    line, before = lines[ends[0]], lines[ends[0] - 1] if ends[0] else ""
    whole = re.match(r"\d|one\b|p\.?o\b", line, re.IGNORECASE)
    return (line if whole else f"{before}, {line}").replace(",,", ",")
