"""Officers by their signatures: below a report, below a certification, and in the list of its certifications."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tools.documents.text.dates import find_dates
from tools.documents.types import Page, ParsedDocument
from tools.knowledge.graph.resolution import LEGAL_FORMS
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import EntityType, Triplet

_SIGNED = re.compile(r"/\s?s\s?/\s*(?P<signed>.+)", re.IGNORECASE)
_OF_THE_REPORT = re.compile(
    r"pursuant to the requirements of (?:section|the)\b.{0,300}?\b(?:report|statement)\b.{0,200}?\bsigned\b"
    r"|\bI,\s[^,]{3,60},.{0,200}?\bcertify\b"
    r"|\bcertif(?:y|ies)\b.{0,2000}?(?:\bSarbanes|\b18\s+U\.?\s?S\.?\s?C)",
    re.IGNORECASE | re.DOTALL,
)
"""Said on the page of a report's signatures, and in a certification. What lies between has bounds, here as below: a
hostile page would take the square of its length, or more."""
_OF_A_CONTRACT = re.compile(
    r"\bin\s+witness\s+whereof\b|\bborrowers?\b|\blenders?\b|\bas\s+(?:\w+\s+){0,2}(?:agent|trustee)\b|\bagreement\b",
    re.IGNORECASE,
)
"""Said on a page that is signed, and does not go on with the signatures of the report."""
_LIST_BEGINS = re.compile(r"\bpursuant to\b|\bcapacit(?:y|ies)\b|\bsignatures?\b", re.IGNORECASE)
_LABEL = re.compile(r"^\s*(?:name|title|its|by)\s*:\s*", re.IGNORECASE)
_NO_TITLE = re.compile(r"\b(?:by|date|dated|pursuant|registrant)\b|attorney.in.fact", re.IGNORECASE)
TITLE_NOUNS = frozenset(
    {
        "officer", "president", "director", "directors", "chairman", "chairwoman", "chairperson", "chair", "board",
        "controller", "comptroller", "treasurer", "secretary", "counsel", "trustee", "ceo", "cfo", "coo", "cto", "cao",
    }
)  # fmt: skip
"""Words of which every title that a report is signed with has one, and with one of which it may end."""
_JOINING = frozenset({"and", "of", "&"})
LINES_TO_NAME = 4
"""Lines below a signature among which the name is printed again."""
MAX_TITLE_LINES, MAX_TITLE_WORDS = 4, 30
MAX_NAME_WORDS = 6
_CERTIFIED = re.compile(
    r"\b[Cc]ertifications?\s+of\s+(?:the\s+)?"
    r"(?P<name>[^\W\d_a-z][\w.\u2019'-]*(?:\s+(?:[^\W\d_a-z][\w.\u2019'-]*|\([A-Z]\w+\))){1,4}(?:,\s(?:[JS]r\.?|I{2,3}|IV))?),"
    r"\s+(?P<title>[^;:()]{5,120}?)(?:,?\s+of\s+(?:the\s+)?(?:company|registrant|[A-Z][\w.,&\s]{1,80}?))?"
    r",?\s+(?:pursuant|required|under|furnished|filed)\b"
)
"""'Certification of Ada Quill, President and Chief Executive Officer of Acme Inc., pursuant to Rule 13a-14(a)'."""


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed, and as what."""

    name: str
    title: str
    page: int


def signature_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`holds role` and `works for` of each who signed a report of a known company, or certified it; each once."""
    document = parsed.document
    if document.doc_type == "call" or not document.is_of_company:
        return
    seen: set[tuple[str, str]] = set()
    for each in (*signatures(parsed.pages), *_certified(parsed.pages)):
        if (key := (_folded(each.name), _folded(each.title))) in seen:
            continue
        seen.add(key)
        head: tuple[str, EntityType] = (each.name, "person")
        said = f"{each.name}, {each.title}"
        yield make_triplet(document, head, "holds role", (each.title, "value"), page=each.page, quote=said)
        yield make_triplet(
            document, head, "works for", (document.company, "company"), page=each.page, quote=said
        )


def signatures(pages: Sequence[Page]) -> Iterator[Signature]:
    """Of the pages on which the report itself is signed or certified, and of those on which such a page goes on. Left
    out: who signs beside another on one line, since nothing says whose title stands below, and lists that print the
    title above the signature."""
    before = False
    for page in pages:
        lines = [line for line in page.text.splitlines() if line.strip()]
        own = bool(_OF_THE_REPORT.search(page.text))
        if own or (before and not _OF_A_CONTRACT.search(page.text)):
            yield from _on_page(lines, page.number)
        before = own


def _on_page(lines: Sequence[str], page: int) -> Iterator[Signature]:
    above, since = False, 0
    for at, line in enumerate(lines):
        found = _SIGNED.search(line)
        if found is None:
            continue
        if _SIGNED.search(found["signed"]):
            since = at + 1
            continue
        above = above or _stands_below_its_title(lines[since:at])
        name, beside, down = _named(found["signed"], lines[at + 1 : at + 1 + LINES_TO_NAME])
        since = at + 1 + down
        title = _title(beside, [] if above else lines[since : since + MAX_TITLE_LINES]) if name else ""
        if title:
            yield Signature(name, title, page)


def _stands_below_its_title(between: Sequence[str]) -> bool:
    """Whether a signature, by the lines between the one before and it, begins a list that prints titles first."""
    begins = any(_LIST_BEGINS.search(line) for line in between[:-1])
    return begins and _is_title(between[-1]) and not between[-1].rstrip().endswith(":")


def _named(signed: str, following: Sequence[str]) -> tuple[str, str, int]:
    """(name, what stands beside it, lines down to the end of the name printed again); '' for none: the name is what is
    written twice, side by side or at the beginning of the signature and of a line below it."""
    words = _without_date(signed).split()
    for count in range(MAX_NAME_WORDS, 1, -1):
        own, other = words[:count], words[count : 2 * count]
        if len(other) == count and all(map(_alike, own, other)):
            return _best_written(own, other), " ".join(words[2 * count :]), 0
    for down, line in enumerate(following, 1):
        if _SIGNED.search(line):
            break
        again = _without_date(_LABEL.sub("", line)).split()
        same = next(
            (n for n, (one, other) in enumerate(zip(words, again, strict=False)) if not _alike(one, other)),
            min(len(words), len(again)),
        )
        if 2 <= same <= MAX_NAME_WORDS and not {_folded(word) for word in words[:same]} & LEGAL_FORMS:
            beside = " ".join((*words[same:], *again[same:]))
            return _best_written(words[:same], again[:same]), beside, down
    return "", "", 0


def _best_written(one: Sequence[str], other: Sequence[str]) -> str:
    """A name that is written twice, as a reader writes it."""
    name = " ".join(one if " ".join(other).isupper() else other).strip(" ,:")
    name = name[1:-1] if name[0] == "(" and name[-1] == ")" else name
    return name.title() if name.isupper() else name


def _title(beside: str, below: Sequence[str]) -> str:
    """The title that begins beside a name, or else below it; '' where none does."""
    said = beside.strip(" ,")
    for line in below:
        line = _without_date(_LABEL.sub("", line)).strip()
        ends = said and _last_word(said) in TITLE_NOUNS and said.count("(") == said.count(")")
        goes_on = line[:1] == "(" or line[:1].islower() or said.endswith((",", "&", " and"))
        if (
            not line
            or line[-1] == ":"
            or _NO_TITLE.search(line)
            or _SIGNED.search(line)
            or (ends and not goes_on)
        ):
            break
        if not said and not _is_title(line) and _last_word(line) not in _JOINING:
            break
        said = f"{said} {line}".strip()
    return _whole(said)


def _whole(title: str) -> str:
    """The title without what is cut off or says nothing; '' where it is none."""
    if title.count("(") > title.count(")"):
        title = title[: title.rindex("(")]
    title = re.sub(r"^as\s+", "", title.strip(" ,*"))
    if title.startswith("(") and title.endswith(")"):
        title = title[1:-1]
    fits = title.count("(") == title.count(")") and len(title.split()) <= MAX_TITLE_WORDS
    return title if fits and _is_title(title) and not _NO_TITLE.search(title) else ""


def _certified(pages: Sequence[Page]) -> Iterator[Signature]:
    for page in pages:
        for found in _CERTIFIED.finditer(" ".join(page.text.split())):
            if _is_title(found["title"]) and not _is_title(found["name"]):
                yield Signature(found["name"], found["title"].strip(), page.number)


def _is_title(text: str) -> bool:
    return not TITLE_NOUNS.isdisjoint(re.findall(r"[a-z]+", text.lower()))


def _last_word(text: str) -> str:
    words = re.findall(r"[a-z&]+", text.lower())
    return words[-1] if words else ""


def _alike(one: str, other: str) -> bool:
    """Whether two words of a name are the same, and are words."""
    return bool(_folded(one)) and _folded(one) == _folded(other)


def _folded(word: str) -> str:
    return re.sub(r"[\W_]+", "", word).casefold()


def _without_date(text: str) -> str:
    dates = [mention for mention in find_dates(text) if mention.year]
    return (
        re.sub(r"(?:\bdated?\b)?[\s,:]*$", "", text[: dates[0].start], flags=re.IGNORECASE) if dates else text
    )
