"""Chosen sentences as cited lines of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Reading
from graphs.drafts.sentences import SHOWN_CHARS, Sentence, is_quotable, quoted, split
from graphs.drafts.words import verbatim
from graphs.local.text.sentence_kind import is_bare
from tools.evidence import Evidence

_GOES_ON = re.compile(
    r"(?:This|That|These|Those|It|They|Both|But|And|So|Also|Until|Then|The (?:increase|decrease|decline|"
    r"improvement|growth|rise|"
    r"reduction|change|rate|rest)s?)\b"
)
_SETS_OFF = re.compile(r"(?:This|That|These|Those|It|They|The \w+)\b.{0,60}\boffset\b", re.IGNORECASE)
_MORE_ITEMS = re.compile(r";(?:\s+(?:and|or|as well as))?$")


def with_antecedents(
    chosen: Sequence[Sentence], evidence: Sequence[Evidence] = (), reach: int = 2
) -> list[Sentence]:
    """`chosen`, and before a sentence that cannot stand alone ('The increase was driven by ...') the ones of its
    speaker that say what it speaks of, at most `reach`; after an item of a list that goes on its other items, and after
    it all what sets it off ('This was partially offset by ...'), which may begin the next passage of the `evidence`:
    without that, it is half of what is told."""
    found: list[Sentence] = []
    for sentence in chosen:
        every = split(sentence.item)
        first = sentence.position
        while goes_on(every[first].text) and 0 < first > sentence.position - reach:
            before = every[first - 1]
            if before.speaker != sentence.speaker or not is_quotable(before):
                break
            first -= 1
        last = _last_of(every, sentence.position)
        found += every[first : last + 1]
        if last + 1 == len(every):
            found += _set_off_in(evidence, sentence.item)
    return list({(each.item.rank, each.position): each for each in found}.values())


def _last_of(every: Sequence[Sentence], position: int) -> int:
    """Where the list ends in which an item at `position` stands, or what sets off the sentence there, as far as can be
    shown; its own place for any other."""
    last, room = position, SHOWN_CHARS[1] - len(every[position].text)
    while last + 1 < len(every) and room > 0:
        following = every[last + 1]
        sets_off = _SETS_OFF.match(following.text) and following.speaker == every[last].speaker
        if not (_MORE_ITEMS.search(every[last].text) or (sets_off and is_quotable(following))):
            break
        last += 1
        room -= len(following.text)
    return last


def _set_off_in(evidence: Sequence[Evidence], before: Evidence) -> list[Sentence]:
    """What sets off the end of a passage at the beginning of another of its document, heading and page."""
    where = (before.document_id, before.section, before.page)
    others = [
        item
        for item in evidence
        if item.kind == before.kind
        and item.rank != before.rank
        and (item.document_id, item.section, item.page) == where
    ]
    firsts = [split(item)[:1] for item in others]
    return next(
        (each for each in firsts if each and _SETS_OFF.match(each[0].text) and is_quotable(each[0])), []
    )


def quotations(chosen: Sequence[Sentence]) -> list[str]:
    """Cited lines: neighbouring sentences joined, speakers named, in order of the first mention of their
    evidence."""
    order = {item: n for n, item in enumerate(dict.fromkeys(s.item.rank for s in chosen))}
    ordered = sorted(chosen, key=lambda s: (order[s.item.rank], s.position))
    groups: list[list[Sentence]] = []
    for sentence in ordered:
        last = groups[-1][-1] if groups else None
        joins = last and last.item.rank == sentence.item.rank and last.speaker == sentence.speaker
        if last and joins and sentence.position == last.position + 1 and _runs_on([*groups[-1], sentence]):
            groups[-1].append(sentence)
        else:
            groups.append([sentence])
    return [_line(group) for group in groups]


def _runs_on(group: Sequence[Sentence]) -> bool:
    """Whether the sentences stand so in their passage: a dash between two, as of one who breaks off, is in neither."""
    return verbatim(" ".join(s.text for s in group)) in verbatim(group[0].item.text)


MAX_PART_HEADING_CHARS = 60
"""Characters of a heading that names a part of the company."""
_PLAIN_SECTION = re.compile(
    r"\b(?:item|part|note|notes|md&a|results|operations|overview|summary|highlights|income|margin|revenues?|sales|profit|"
    r"expenses?|costs?|loss|growth|liquidity|statements?|terms|trends?)\b",
    re.IGNORECASE,
)


def part_of(sentence: Sentence) -> str:
    """The heading that says of what part of the company a bare 'Revenue increased' is; '' for any other heading."""
    section = sentence.item.section
    heading = quoted(section.rpartition(" > ")[2]) if " > " in section else ""
    return "" if _PLAIN_SECTION.search(heading) or len(heading) > MAX_PART_HEADING_CHARS else heading


def goes_on(text: str) -> bool:
    """True for a sentence that cannot stand alone: 'This was due to ...'."""
    return bool(_GOES_ON.match(text))


def _line(group: Sequence[Sentence]) -> str:
    first = group[0]
    who = quoted(first.speaker) or quoted(first.item.company)
    if first.speaker and first.speaker != first.item.company:
        who = f"{quoted(first.speaker)} ({quoted(first.item.company)})"
    elif is_bare(first.text) and first.item.doc_type != "call" and (part := part_of(first)):
        who = f"{who}, {part}"
    return f"{who}: “{quoted(' '.join(s.text for s in group))}” [{first.item.rank}]"


def relation_sentence(item: Evidence) -> str:
    """The relation's sentence, its quotation kept as one; the source in brackets goes, since the citation
    names it."""
    head, mark, said = item.text.partition("“")
    if mark:
        return f"{quoted(head)} “{quoted(said.rpartition('”')[0] or said)}”"
    return quoted(re.sub(r"\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\.?$", "", item.text)).rstrip(".")


def hop_lines(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """For each thing that the question describes the cited line that says what it is called."""
    found = []
    for hop in reading.hops:
        item = next((each for each in evidence if each.item_id == hop.item.item_id), None)
        if item is not None and item.kind in ("fact", "relation"):
            found.append(f"{relation_sentence(item)} [{item.rank}].")
        elif item is not None:
            found += quotations([each for each in split(item) if each.text == hop.line][:1])
    return found
