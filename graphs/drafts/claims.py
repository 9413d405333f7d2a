"""A draft taken apart into claims: sentences, list items and table rows, each with its markers and its
context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tools.documents.text.cleaning import sentences, squeeze
from tools.evidence import Evidence

MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
"""Cites evidence by its rank: '[1]', '[2, 3]'. The one pattern of it; `evals` has its own, to measure this one."""
QUOTE = re.compile(r"“([^“”]+)”|\"([^\"]+)\"|„([^„“”]+)[“”]")
_RULE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?\s*)?\|?")
_ITEM = re.compile(r"^\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_HEADING = re.compile(r"^\s*#{1,6}\s+|^\s*\*\*[^*]+\*\*:?\s*$")
_MARKS_AFTER_END = re.compile(rf"([.!?][')]*)\s*((?:{MARKER.pattern}\s*)+)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable statement."""

    text: str
    """As in the draft, without markers, on one line."""
    markers: tuple[int, ...]
    kind: Literal["sentence", "row"]
    context: str = ""
    """The lead ('Apple Inc., total net sales:') that it stands under; '' where it stands alone."""
    cells: tuple[tuple[str, str], ...] = ()
    """Of a row: (column header, cell), the source column left out."""

    @property
    def quotes(self) -> tuple[str, ...]:
        """Passages in quotation marks."""
        return tuple(next(part for part in match.groups() if part) for match in QUOTE.finditer(self.text))


def cited_markers(text: str) -> tuple[int, ...]:
    """The ranks that a text cites, each once, in the order in which they stand."""
    return tuple(dict.fromkeys(int(n) for match in MARKER.findall(text) for n in re.findall(r"\d+", match)))


def cited_in(text: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence that a text cites, in its own order."""
    ranks = set(cited_markers(text))
    return tuple(item for item in evidence if item.rank in ranks)


def without_markers(text: str) -> str:
    """`text` without its markers, on one line with single spaces."""
    return squeeze(MARKER.sub(" ", text))


def read_claims(text: str) -> list[Claim]:
    """The claims of a draft, in order.

    A line that ends with a colon and states no figure is the lead of what follows: it is checked with each item or row
    under it, whose markers default to its own. Headings and table headers are context, never claims.
    """
    claims: list[Claim] = []
    lead = ""
    lead_marks: tuple[int, ...] = ()
    header: list[str] | None = None
    for line in text.split("\n"):
        if not line.strip():
            continue
        if "|" in line and line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if _RULE.fullmatch(line.strip()):
                continue
            if header is None:
                header = cells
                continue
            claims.append(_row(line, cells, header, lead, lead_marks))
            continue
        if header is not None:  # a lead is that of its table, not of a list behind it
            header, lead, lead_marks = None, "", ()
        item = _ITEM.match(line)
        if not item and is_lead(line):
            lead, lead_marks = without_markers(_plain(line)), cited_markers(line)
            continue
        if not item:
            lead, lead_marks = "", ()
        claims += _sentences(line[item.end() :] if item else line, lead, lead_marks)
    return claims


def is_lead(line: str) -> bool:
    """Is a line a heading or the lead of what follows, and so no claim?"""
    if _HEADING.match(line):
        return True
    return _plain(without_markers(line)).rstrip().endswith(":") and not QUOTE.search(line)


def _plain(line: str) -> str:
    return re.sub(r"^\s*#{1,6}\s+|\*\*|__", "", line)


def _row(line: str, cells: list[str], header: list[str], lead: str, lead_marks: tuple[int, ...]) -> Claim:
    pairs: list[tuple[str, str]] = []
    for n, cell in enumerate(cells):
        bare = without_markers(_plain(cell))
        name = without_markers(_plain(header[n])) if n < len(header) else ""
        if bare:
            pairs.append((name, bare))
    text = without_markers(line)
    return Claim(text, cited_markers(line) or lead_marks, "row", lead, tuple(pairs))


def _sentences(line: str, lead: str, lead_marks: tuple[int, ...]) -> list[Claim]:
    line = _MARKS_AFTER_END.sub(lambda m: f" {m[2].strip()}{m[1]} ", line)
    masked = QUOTE.sub(lambda m: re.sub(r"[.!?]", "\x00", m.group()), line)
    found: list[Claim] = []
    at = 0
    whole = squeeze(line)
    for part in sentences(masked):
        original = whole[at : at + len(part)]
        at += len(part) + 1
        bare = re.sub(r"[\s.]+$", "", without_markers(original))
        if not re.search(r"\w", bare):
            if found and cited_markers(original):
                last = found[-1]
                found[-1] = Claim(
                    last.text, (*last.markers, *cited_markers(original)), "sentence", last.context
                )
            continue
        found.append(Claim(bare, cited_markers(original) or (lead_marks if lead else ()), "sentence", lead))
    return found
