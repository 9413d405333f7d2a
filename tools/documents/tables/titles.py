"""Title, caption, unit note and kind of statement of a table, from the lines printed above it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.documents.tables.table_parts import Block
from tools.documents.tables.unit_notes import NOTE, note_text
from tools.documents.types import Document

_STATEMENTS = (
    (
        "comprehensive_income",
        r"statements? of (?:consolidated )?comprehensive (?:income|loss|earnings)"
        r"|comprehensive income (?:\(loss\) )?statements?",
    ),
    ("cash_flow", r"statements? of (?:consolidated )?cash flows?|cash flows? statements?"),
    ("balance", r"balance sheets?|statements? of financial (?:position|condition)"),
    (
        "equity",
        r"statements? of (?:\w+ ){0,3}(?:(?:share|stock)holders?['’]?s?['’]? )?(?:equity|deficit)"
        r"|(?:share|stock)holders['’]? equity statements?|statements? of changes in equity",
    ),
    (
        "income",
        r"statements? of (?:consolidated )?(?:operations|income|earnings)|income statements?"
        r"|statements? of profit (?:and|or) loss|profit and loss statements?",
    ),
)
_SEGMENT = re.compile(r"\bsegments?\b", re.IGNORECASE)
_QUALIFIED = re.compile(
    r"^(?:(?:interim|condensed|consolidated|unaudited|the|company|of|and)\W+)*", re.IGNORECASE
)
_FOLLOWS = re.compile(
    r"\b(?:follows|following|shows?|presents?|below|summar\w+|components?)\b", re.IGNORECASE
)
_FURNITURE = re.compile(
    r"table of contents|part i+v?\b.*|item \d+[a-c]?\.?|\(?unaudited\)?|notes to .*|page|\d+"
    r"|form 10-[qk].*|financial statements",
    re.IGNORECASE,
)
_FILER = re.compile(
    r"[\w&.,’' -]+(?: and subsidiaries|,? inc\.?|,? corp(?:oration|\.)?|,? ltd\.?|,? plc|,? llc"
    r"| company| group| n\.v\.)",
    re.IGNORECASE,
)
_UNAUDITED = re.compile(r"\s*\(?\bunaudited\b\)?|\s*\(continued\)", re.IGNORECASE)
_SENTENCE_END = re.compile('(?:(?<=[a-z0-9)%][.;])|(?<=[.][”"]))\\s+(?=[A-Z(“])')
MIN_STATEMENT_ROWS = 8
"""Rows from which a table under a statement's name is that statement, or a part of it, whatever they hold."""
_CORE = {
    "balance": r"total (?:current )?assets|total liabilities",
    "cash_flow": r"(?:operating|investing|financing) activities|net cash|cash (?:generated"
    r"|provided|used)|cash from operations",
    "income": r"net (?:income|loss|earnings)|operating income",
    "comprehensive_income": r"comprehensive (?:income|loss)",
    "equity": r"balances?\b|(?:share|stock)holders['’]? equity|retained earnings",
}


_SIGNATURES = {
    "balance": (r"\btotal assets\b", r"\bliabilities\b", r"\b(?:equity|deficit|capital)\b"),
    "cash_flow": (r"\boperating activities\b", r"\binvesting activities\b", r"\bfinancing activities\b"),
    "income": (
        r"\b(?:sales|revenues?|interest income)\b",
        r"\btax(?:es|ation)?\b",
        r"\bnet (?:\w+ )?(?:income|loss|earnings)\b|\bprofit\b.*\bfor the (?:year|period)\b",
    ),
}
"""Lines that a statement cannot be without."""


def _last_sentence(text: str) -> str:
    parts = _SENTENCE_END.split(text)
    return parts[-1] if parts else text


def _stub_title(block: Block) -> str:
    """A title printed in the label column of the header ('Other Assets:')."""
    for text in block.stub:
        bare = NOTE.sub("", text).strip(" ()")
        if bare.endswith(":") and bare[0].isupper():
            return bare.rstrip(" :")
    return ""


def _split_heading(lines: Sequence[str]) -> tuple[str, list[str]]:
    """The last heading that stands on its paragraph without a blank line between, and the paragraph."""
    longest = max((len(line) for line in lines), default=0)
    for k in range(len(lines) - 2, -1, -1):
        line, below = lines[k], lines[k + 1]
        numbered = re.match(r"(?:note|item) \d", line, re.IGNORECASE) is not None
        short = len(line) <= 70 and (len(line) < 0.7 * longest or numbered)
        heads = short and line[0].isupper() and line[-1] not in ".,;:" and below[0].isupper()
        if heads and (k == 0 or lines[k - 1][-1] in ".:)" or _is_furniture(lines[k - 1])):
            return line, list(lines[k + 1 :])
    return "", [line for line in lines if not _is_furniture(line)]


def _is_furniture(line: str) -> bool:
    return _FURNITURE.fullmatch(line.strip(" ()")) is not None or _FILER.fullmatch(line) is not None


def _paragraph(lead: Sequence[str]) -> list[str]:
    """The last run of printed lines without a blank between, and the heading above it."""
    lines = list(lead)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def read_titles(block: Block, document: Document) -> None:
    """Fill title, caption, note and statement of a block whose header lines are known."""
    lead = _paragraph(block.lead)
    printed = [t for t in lead if t]
    stub = " ".join(block.stub)
    head = " ".join(printed[-3:])
    block.note = _note(stub) or _note(" ".join(_tail(lead))) or _note(head)
    kind, title = _statement(printed, block, document.company)
    if kind is None:
        heading, caption = _caption(lead)
        title = _title(printed, heading, caption, document)
        block.caption = " ".join([caption or title, stub])
        kind = "segment" if _is_segment(block, title, caption) else "other"
    else:
        block.caption = " ".join([*printed[-3:], stub])
    block.title = _UNAUDITED.sub("", NOTE.sub("", title)).strip(" :,;")
    block.title = re.sub(r"\s+", " ", block.title) or _stub_title(block)
    block.statement = kind


def _note(text: str) -> str:
    match = next(reversed(list(NOTE.finditer(text))), None)
    if match is None:
        opened = re.search(r"\(((?:\w+ ){0,3}in (?:millions|thousands|billions)[^()]*)$", text, re.IGNORECASE)
        return _UNAUDITED.sub("", opened[1]).strip(" ;,") if opened else ""
    return _UNAUDITED.sub("", note_text(match)).strip(" ;,")


def _tail(lead: Sequence[str]) -> list[str]:
    """The paragraph directly above, as lines."""
    tail: list[str] = []
    for text in reversed(lead):
        if not text:
            break
        tail.append(text)
    return tail[::-1]


def _caption(lead: Sequence[str]) -> tuple[str, str]:
    """Heading and sentence that introduce the table; '' for what is not there."""
    lines = list(lead)
    for _ in range(3):
        while lines and not lines[-1]:
            lines.pop()
        tail = _tail(lines)
        heading, body = _split_heading(tail)
        sentence = _last_sentence(" ".join(body))
        if sentence.endswith((":", "):")) or (_FOLLOWS.search(sentence) and len(sentence) > 50):
            return heading, sentence
        if len(tail) != 1 or len(sentence) >= 80:
            break
        lines.pop()
    return "", ""


def _title(printed: Sequence[str], heading: str, caption: str, document: Document) -> str:
    """The heading nearest above the table, else the sentence that introduces it."""
    if heading:
        return heading
    for text in reversed(printed[-4:]):
        bare = NOTE.sub("", text).strip(" ()")
        if (
            not bare
            or _FURNITURE.fullmatch(bare)
            or _FILER.fullmatch(bare)
            or bare.lower() == document.company.lower()
        ):
            continue
        if len(bare) <= 110 and bare[-1] not in ".,:" and not bare[0].islower() and bare not in caption:
            return bare
        if caption:
            return caption
    return caption


def _statement(printed: Sequence[str], block: Block, company: str) -> tuple[str | None, str]:
    """One of the primary statements, if its name stands as a heading above and its rows are of that kind."""
    labels = " | ".join(row.label for row in block.rows).lower()
    filer = re.compile(rf"\b{re.escape(company)}\b.*?(?:\bsubsidiar\w+(?: companies)?|$)", re.IGNORECASE)
    for text in reversed(printed[-5:]):
        bare = _UNAUDITED.sub("", NOTE.sub("", text)).strip(" ()")
        bare = (filer.sub("", bare) if company else bare).strip(" ,") or bare
        if len(bare) > 110 or bare.endswith((".", ":", ",")):
            break
        for kind, pattern in _STATEMENTS:
            match = re.search(pattern, bare, re.IGNORECASE)
            if match is None:
                continue
            before = bare[: match.start()]
            core = len(block.rows) >= MIN_STATEMENT_ROWS or re.search(_CORE[kind], labels) is not None
            if _QUALIFIED.sub("", before).strip() == "" and core and len(bare) - match.end() < 30:
                return kind, bare
            break
    return None, ""


def name_by_content(blocks: Sequence[Block]) -> None:
    """Take for a primary statement that no heading names the first table that holds all its lines."""
    for kind, lines in _SIGNATURES.items():
        if not any(block.statement == kind for block in blocks):
            found = next((block for block in blocks if _holds(block, lines)), None)
            if found is not None:
                found.statement = kind


def _holds(block: Block, lines: Sequence[str]) -> bool:
    if block.statement not in ("other", "segment") or len(block.rows) < MIN_STATEMENT_ROWS:
        return False
    labels = " | ".join(row.label for row in block.rows)
    return all(re.search(line, labels, re.IGNORECASE) for line in lines)


def _is_segment(block: Block, title: str, caption: str) -> bool:
    if _SEGMENT.search(title) or _SEGMENT.search(caption):
        return True
    return any(_SEGMENT.search(t) for t in block.stub)
