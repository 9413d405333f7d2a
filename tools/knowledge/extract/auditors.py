"""Who audits a company: as its report's tags name the firm, and as the firm signs its own report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import AUDITED_BY, PROFILE_TITLE
from tools.knowledge.types import EntityType, Triplet

_TAG = "dei:AuditorName"
_OF_AUDITORS = re.compile(
    r"\bindependent\s+registered\s+public\s+accounting\s+firm\b|\bPCAOB\b", re.IGNORECASE
)
"""Said in an auditor's report or consent, which may end on the next page."""
_SIGNED = re.compile(r"/\s?s\s?/\s*(?P<firm>[^\n/]{3,80})", re.IGNORECASE)
FORMS_OF_FIRMS = frozenset({"llp", "pc", "pa"})
"""Legal forms of the firms that audit; agents and banks that sign beside them have others."""
MAX_ABBREVIATION = 4
_SERVED = re.compile(r"\bserved\s+as\s+[^.\n]{1,60}?\bauditors?\s+(?P<since>since|from)\b", re.IGNORECASE)
"""An auditor of the years before signs, too: 'from 2011 to 2019'."""
NEAR = 600
"""Characters between that sentence and the signature that it belongs to."""


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
    tagged = [_tagged(text, found, pages) for concept, text in pages[0].named if concept == _TAG]
    return [each for each in tagged if each.key not in before] or found


def _tagged(firm: str, signed: Sequence[_Named], pages: Sequence[Page]) -> _Named:
    """The firm where it signs, else where it is printed first."""
    own = _Named(firm, next((page.number for page in pages if firm in page.text), 1), firm)
    return next((each for each in signed if each.key == own.key), own)


def _signed(pages: Sequence[Page]) -> Iterator[_Named]:
    goes_on = False
    for page in pages:
        own, firms = bool(_OF_AUDITORS.search(page.text)), 0
        served = list(_SERVED.finditer(page.text))
        for found in _SIGNED.finditer(page.text) if own or goes_on else ():
            firm = " ".join(found["firm"].split()).strip(" ,")
            if firm.split()[-1].casefold().replace(".", "") in FORMS_OF_FIRMS:
                near = min(served, key=lambda said: abs(said.start() - found.start()), default=None)
                far = near is None or abs(near.start() - found.start()) > NEAR
                ended = not far and near is not None and near["since"].lower() == "from"
                yield _Named(_as_written(firm), page.number, " ".join(found[0].split()), ended)
                firms += 1
        goes_on = own and not firms


def _as_written(firm: str) -> str:
    """Without the capitals of a signature; what is no longer than 'KPMG' may be an abbreviation."""
    if not firm.isupper():
        return firm
    return " ".join(word.title() if len(word) > MAX_ABBREVIATION else word for word in firm.split())
