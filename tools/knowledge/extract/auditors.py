"""Who audits a company: as its report's tags name the firm, and as the firm signs its own report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.graph.resolution import LEGAL_FORMS
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import AUDITED_BY, PROFILE_TITLE
from tools.knowledge.types import EntityType, Triplet

_TAG = "dei:AuditorName"
_AUDITOR = r"independent\s+registered\s+public\s+accounting\s+firm"
_OF_AUDITORS = re.compile(rf"\b{_AUDITOR}\b|\bPCAOB\b", re.IGNORECASE)
"""Said in an auditor's report or consent, which may end on the next page."""
_AUDITED = re.compile(
    rf"\baudited\s+by\s+(?P<firm>[A-Z][\w&.,\s-]{{2,60}}?),?\s+(?:an?|our|the\s+Company\S{{0,2}})?\s*{_AUDITOR}\b"
)
_SIGNED = re.compile(r"/\s?s\s?/\s*(?P<firm>[^\n/]{3,80})", re.IGNORECASE)
MAX_ABBREVIATION = 4
_SERVED = re.compile(r"\bserved\s+as\s+the\s+Company.s\s+auditor\s+(?P<since>since|from)\b", re.IGNORECASE)
"""An auditor of the years before signs, too: 'from 2011 to 2019'."""


@dataclass(frozen=True, slots=True)
class _Named:
    firm: str
    page: int
    quote: str
    """The printed words."""
    ended: bool = False
    """True if it says that it is the auditor no more."""

    @property
    def key(self) -> str:
        return re.sub(r"\W+", "", self.firm).casefold()


def auditor_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`is audited by` of the filer: the firm that the tags of its report name, else those that sign a report of
    auditors in it, each once; who says that it served until some year is left out."""
    document = parsed.document
    if document.doc_type == "call" or not document.is_of_company or not parsed.pages:
        return
    for each in {each.key: each for each in reversed(_named(parsed.pages))}.values():
        head: tuple[str, EntityType] = (document.company, "company")
        tail: tuple[str, EntityType] = (each.firm, "company")
        yield make_triplet(
            document, head, AUDITED_BY, tail, page=each.page, quote=each.quote, title=PROFILE_TITLE
        )


def _named(pages: Sequence[Page]) -> list[_Named]:
    signed = list(_signed(pages))
    before = {each.key for each in signed if each.ended}
    found = [each for each in signed if each.key not in before]
    if tagged := dict(pages[0].named).get(_TAG, ""):
        own = _Named(tagged, 1, tagged)
        return [next((each for each in found if each.key == own.key), own)]
    return found or [
        _Named(" ".join(said["firm"].split()), page.number, " ".join(said[0].split()))
        for page in pages
        for said in _AUDITED.finditer(page.text)
    ]


def _signed(pages: Sequence[Page]) -> Iterator[_Named]:
    goes_on = False
    for page in pages:
        own = bool(_OF_AUDITORS.search(page.text))
        served = _SERVED.search(page.text)
        ended = served is not None and served["since"].lower() == "from"
        for found in _SIGNED.finditer(page.text) if own or goes_on else ():
            firm = " ".join(found["firm"].split()).strip(" ,")
            if firm and firm.split()[-1].casefold().strip(".") in LEGAL_FORMS:
                yield _Named(_as_written(firm), page.number, " ".join(found[0].split()), ended)
        goes_on = own


def _as_written(firm: str) -> str:
    """Without the capitals of a signature; what is no longer than 'KPMG' may be an abbreviation."""
    if not firm.isupper():
        return firm
    return " ".join(word.title() if len(word) > MAX_ABBREVIATION else word for word in firm.split())
