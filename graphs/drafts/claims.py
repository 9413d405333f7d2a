"""A draft taken apart into claims: sentences, list items and table rows, each with its markers and its
context."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tools.documents.text.cleaning import sentences, squeeze
from tools.evidence import Evidence

MARKER = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
"""Cites evidence by its rank: '[1]', '[2, 3]'. The one pattern of it; `evals` has its own, to measure this one."""
QUOTE = re.compile(
    r"“([^“”]+)(?:”|$)|\"([^\"]+)(?:\"|$)|„([^„“”]+)(?:[“”]|$)|«([^«»]+)(?:»|$)|‹([^‹›]+)(?:›|$)|「([^「」]+)(?:」|$)"
    r"|‘((?:[^‘’]|’(?=\w))+)’(?!\w)|(?<![\w'])'(?=\w)((?:[^']|'(?=\w))+)'(?!\w)",
    re.MULTILINE,
)
"""A passage in quotation marks; one that is not closed goes on to the line's end."""
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
    kind: Literal["sentence", "row", "head"]
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


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line of a draft and what it states. A draft is its lines joined by line ends: none is left out."""

    text: str
    """As in the draft."""
    kind: Literal["blank", "rule", "head", "table_head", "row", "sentences"]
    opening: str = ""
    """The indent and mark of a list item."""
    stated: tuple[tuple[str, Claim], ...] = ()
    """Each claim with its words in the line, markers included; of a head one of kind 'head', of a table's
    one a cell."""

    @property
    def is_head(self) -> bool:
        """A heading, a lead or a table's column names: it stands over other lines."""
        return self.kind in ("head", "table_head")


def read_claims(text: str, *, heads: bool = False) -> list[Claim]:
    """The claims of a draft, in order; `heads`: headings, leads and the heads of tables, too.

    A line that ends with a colon is the lead of what follows: it is checked with each item or row under it, whose
    markers default to its own.
    """
    lines = (line for line in read_lines(text) if heads or not line.is_head)
    return [claim for line in lines for _, claim in line.stated if claim.text]


def read_lines(text: str) -> list[DraftLine]:
    """Every line of a draft, in order."""
    found: list[DraftLine] = []
    lead = ""
    lead_marks: tuple[int, ...] = ()
    header: list[str] | None = None
    for line in text.split("\n"):
        if not line.strip():
            found.append(DraftLine(line, "blank"))
            continue
        if line.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if _RULE.fullmatch(line.strip()):
                found.append(DraftLine(line, "rule"))
            elif header is None:
                header = cells
                found.append(_head(line, "table_head"))
            else:
                row = _row(line, cells, header, lead, lead_marks)
                found.append(DraftLine(line, "row", "", ((line, row),)))
            continue
        if header is not None:  # a lead is that of its table, not of a list behind it
            header, lead, lead_marks = None, "", ()
        item = _ITEM.match(line)
        if not item and is_lead(line):
            lead, lead_marks = without_markers(_plain(line)), cited_markers(line)
            found.append(_head(line, "head"))
            continue
        if not item:
            lead, lead_marks = "", ()
        opening = item.group() if item else ""
        stated = _sentences(line.removeprefix(opening), lead, lead_marks)
        found.append(DraftLine(line, "sentences", opening, tuple(stated)))
    return found


def _head(line: str, kind: Literal["head", "table_head"]) -> DraftLine:
    cells = line.strip().strip("|").split("|") if kind == "table_head" else [line]
    said = [(cell, Claim(without_markers(_plain(cell)), cited_markers(cell), "head")) for cell in cells]
    return DraftLine(line, kind, "", tuple(each for each in said if each[1].text or kind == "table_head"))


def keep_lines(text: str, keeps: Callable[[Claim], bool]) -> str:
    """`text` made of the claims that are kept, and of nothing else that states something.

    A line of which all is kept stays as it is, a cell of a table's head that is not kept is empty, and a head with
    nothing left under it goes, too.
    """
    kept: list[str] = []
    under: list[int] = []
    """Levels of what was kept behind a line and is not yet under a head."""
    in_table = False
    for line in reversed(read_lines(text)):
        said, level = _kept(line, keeps), _level(line)
        if line.kind in ("rule", "table_head"):
            said = said if in_table else ""
        elif line.kind == "head":
            said = said if any(other > level for other in under) else ""
            under = [other for other in under if other <= level]
        in_table = line.kind in ("row", "rule") and (in_table or bool(said))
        if said and level:
            under.append(level)
        if said or line.kind == "blank":
            kept.append(said)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(reversed(kept))).strip()


_UNDER_ALL = 9
"""Level of a line that is no head."""


def _level(line: DraftLine) -> int:
    """How far a head stands over what follows, as in Markdown; 0 for a line that states nothing."""
    if line.kind in ("blank", "rule", "table_head"):
        return 0
    if line.kind != "head":
        return _UNDER_ALL
    marks = re.match(r"\s*(#+)", line.text)
    return len(marks[1]) if marks else 8 if line.text.rstrip("* ").endswith(":") else 7


def _kept(line: DraftLine, keeps: Callable[[Claim], bool]) -> str:
    parts = [said for said, claim in line.stated if keeps(claim)]
    if line.kind in ("blank", "rule") or (parts and len(parts) == len(line.stated)):
        return line.text
    if line.kind == "table_head":
        return "|" + "".join(f"{said if keeps(claim) else '  '}|" for said, claim in line.stated)
    return line.opening + " ".join(parts) if parts else ""


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


def _sentences(line: str, lead: str, lead_marks: tuple[int, ...]) -> list[tuple[str, Claim]]:
    line = _MARKS_AFTER_END.sub(lambda m: f" {m[2].strip()}{m[1]} ", line)
    masked = QUOTE.sub(lambda m: re.sub(r"[.!?]", "\x00", m.group()), line)
    found: list[tuple[str, Claim]] = []
    at = 0
    whole = squeeze(line)
    for part in sentences(masked):
        original = whole[at : at + len(part)]
        at += len(part) + 1
        bare = re.sub(r"[\s.]+$", "", without_markers(original))
        if not re.search(r"\w", bare):
            if found and cited_markers(original):
                said, last = found[-1]
                marks = (*last.markers, *cited_markers(original))
                found[-1] = f"{said} {original}", replace(last, markers=marks)
            continue
        marks = cited_markers(original) or (lead_marks if lead else ())
        found.append((original, Claim(bare, marks, "sentence", lead)))
    return found
