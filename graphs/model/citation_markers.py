"""Citation markers: the shapes that models write brought to `[n]`, and missing ones found by the local check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graphs.drafts.claims import MARKER, Claim, read_claims
from graphs.drafts.draft_guard import DraftGuard
from graphs.drafts.words import content, is_generic
from tools.evidence import Evidence

MAX_CLAIMS = 60
"""Statements of a draft for which evidence is looked for."""
MAX_RANGE = 10
"""Longest '[3-7]' that is read as a range."""
_WORD = (
    r"(?:(?:sources?|evidences?|documents?|docs?|ref(?:erence)?s?|citations?|passages?|pieces?|items?|markers?"
    r"|no|see)\b\.?[\s:#]*)"
)
_LIST = rf"\^?#?\s*\[?\d{{1,3}}\]?(?:\s*(?:,|;|and|&|-|–|to)\s*{_WORD}?#?\[?\d{{1,3}}\]?)*"
_PAGE = r"(?:\s*[,:]?\s*(?:pp?|pages?)\.?\s*\d+(?:\s*[-–]\s*\d+)?)?"
_BRACKETED = re.compile(rf"\[\s*{_WORD}*({_LIST}){_PAGE}\s*\]", re.IGNORECASE)
_PARENTHESISED = re.compile(rf"\(\s*{_WORD}+({_LIST}){_PAGE}\s*\)", re.IGNORECASE)
_LENTICULAR = re.compile(r"【\s*(\d{1,3})[^】\n]{0,40}】")
_NAMED = re.compile(rf"[\[(]\s*(?:{_WORD})?([^\[\]()\n]{{3,200}})[\])]", re.IGNORECASE)
_EMPTY = re.compile(rf"[\[(]\s*{_WORD}(?::[^\[\]()\n]{{0,120}}|[a-z]?\s*)[\])]", re.IGNORECASE)
_AROUND = re.compile(r"\(\s*(?:see\s+|sources?:?\s+)?((?:\[\d{1,3}\][\s,;]*(?:and\s+)?)+)\)", re.IGNORECASE)
_SOURCE_HEADER = re.compile(
    r"[\s*]*(?:sources?|evidence|ref(?:erence)?s?|citations?|markers?|no\.?)[\s*]*", re.IGNORECASE
)
_LEADING = re.compile(r"^(\s*(?:[-*•+]\s+|\d{1,2}[.)]\s+)?)((?:\[\d{1,3}\]\s*)+):?\s*(?=\S)")
_PIECE = re.compile(r"((?:\[\d{1,3}\]\s*)+):?\s*([^\[\]]*[^\[\]\s.!?])([.!?]*)\s*(?=\[|\Z)")


def canonical(text: str, evidence: Sequence[Evidence]) -> str:
    """`text` with every marker as `[n]` behind what it supports; one that names a document is that of its only
    piece of evidence, or goes. Numbers that no evidence has stay, to be counted."""
    text = re.sub(r"\[\[([^\[\]\n]*)\]\]", r"[\1]", _LENTICULAR.sub(r"[\1]", text))
    text = _BRACKETED.sub(lambda m: _expanded(m[1]), text)
    text = _PARENTHESISED.sub(lambda m: _expanded(m[1]), text)
    text = _NAMED.sub(lambda m: _by_document(m, evidence), text)
    text = _EMPTY.sub(lambda m: m.group() if re.fullmatch(r"\[\d{1,3}\]", m.group()) else "", text)
    text = _AROUND.sub(lambda m: "".join(f"[{n}]" for n in MARKER.findall(m[1])), text)
    text = "\n".join(_behind(line) for line in _source_columns(text.split("\n")))
    text = re.sub(r"(\[\d{1,3}\])[,;]?\s+(?=\[\d{1,3}\])", r"\1", text)
    return re.sub(r"(\[\d{1,3}\])(?:\1)+", r"\1", re.sub(r"[ \t]+([.,;])(?=\s|$)", r"\1", text))


def _expanded(text: str) -> str:
    """'1, 3-5' -> '[1][3][4][5]'."""
    numbers: list[int] = []
    parts = re.findall(r"\d+|-|–|\bto\b", text)
    for at, part in enumerate(parts):
        if not part.isdigit():
            low, high = int(parts[at - 1]), int(parts[at + 1])
            numbers += range(low + 1, high) if low < high <= low + MAX_RANGE else []
        else:
            numbers.append(int(part))
    return "".join(f"[{n}]" for n in dict.fromkeys(numbers))


def _by_document(match: re.Match[str], evidence: Sequence[Evidence]) -> str:
    """'[orla.pdf, p. 4]' -> the marker of the one piece that stands there; '' where several do, or where the page is
    of no document of the evidence."""
    inside = match[1].lower()
    named = [item for item in evidence if item.document and item.document.lower() in inside]
    page = re.search(r"\b(?:pp?|page)\.?\s*(\d+)", inside)
    if not named:
        return "" if page else match.group()
    placed = [item for item in named if page and item.page == int(page[1])] or named
    return f"[{placed[0].rank}]" if len(placed) == 1 else ""


def _source_columns(lines: Sequence[str]) -> list[str]:
    """Tables whose column of sources holds bare numbers: '| 300 | 2 |' -> '| 300 | [2] |'."""
    kept: list[str] = []
    column: int | None = None
    inside = False
    for line in lines:
        cells = line.split("|") if line.lstrip().startswith("|") else []
        if not cells:
            column, inside = None, False
        elif not inside:
            inside = True
            column = next((n for n, cell in enumerate(cells) if _SOURCE_HEADER.fullmatch(cell)), None)
        elif column is not None and column < len(cells) and re.fullmatch(r"[\s\d,;&]*\d\s*", cells[column]):
            cells[column] = f" {_expanded(cells[column])} "
            line = "|".join(cells)
        kept.append(line)
    return kept


def _behind(line: str) -> str:
    """A line whose statements come after their markers: '[1] Sales rose.' -> 'Sales rose [1].'"""
    lead = _LEADING.match(line)
    if lead is None or re.search(r"\]\s*[.!?]?\s*$", line):
        return line
    rest = line[lead.end(1) :]
    return lead[1] + re.sub(r"\s+$", "", _PIECE.sub(lambda m: f"{m[2]} {m[1].strip()}{m[3] or '.'} ", rest))


def with_markers(text: str, evidence: Sequence[Evidence], guard: DraftGuard) -> tuple[str, int]:
    """`text` in which every statement that cites nothing, or what does not support it, cites the first evidence that
    supports it by the whole local check; and how many wrong citations were replaced.

    A statement that nothing supports stays as it is. Markers of the sentences around are tried first.
    """
    by_rank = {item.rank: item for item in evidence}
    claims = read_claims(text)[:MAX_CLAIMS]
    replaced = 0
    for at, claim in enumerate(claims):
        if claim.markers and not guard.find(claim, by_rank).fault:
            continue
        near = [n for other in (*claims[at + 1 :], *reversed(claims[:at])) for n in other.markers]
        ranks = [n for n in dict.fromkeys((*near, *by_rank)) if n in by_rank]
        found = next((n for n in ranks if _supports(claim, n, by_rank, guard)), None)
        if found is not None:
            text = marked(text, claim, found)
            replaced += bool(claim.markers)
    return text, replaced


def _supports(claim: Claim, rank: int, by_rank: dict[int, Evidence], guard: DraftGuard) -> bool:
    """By figures, names and wording; nothing supports a claim of nothing but general words."""
    if not any(not is_generic(word) for word in content(claim.text)):
        return False
    found = guard.find(replace(claim, markers=(rank,)), by_rank)
    return not (found.fault or found.doubt)


def marked(text: str, claim: Claim, rank: int) -> str:
    """`text` with `[rank]` as the one marker of `claim`: behind its words, or in the last cell of its row."""
    gap = r"(?:[\s*_]|\[\d{1,3}\])*"
    words = gap.join(map(re.escape, claim.text.split()))
    found = re.search(rf"(?:\[\d{{1,3}}\]\s*)*{words}(?:\s*\[\d{{1,3}}\])*", text)
    if found is None:
        return text
    bare = re.sub(r"[ \t]*\[\d{1,3}\]", "", found.group())
    if claim.kind != "row":
        return f"{text[: found.start()]}{bare} [{rank}]{text[found.end() :]}"
    head, bar, tail = bare.rpartition("|")
    cell = f"{head.rstrip()} [{rank}] {bar}{tail}" if bar and not tail.strip() else f"{bare} [{rank}]"
    return text[: found.start()] + cell + text[found.end() :]
