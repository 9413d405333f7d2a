"""Chosen sentences as cited lines of an answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.drafts.sentences import Sentence, quoted
from graphs.drafts.words import verbatim
from graphs.local.text.sentence_kind import gives_reason, is_bare
from graphs.local.text.sentence_ranking import Ranked
from tools.evidence import Evidence

_GOES_ON = re.compile(
    r"(?:This|That|These|Those|It|They|Both|But|And|So|Also|Until|Then|The (?:increase|decrease|decline|"
    r"improvement|growth|rise|"
    r"reduction|change|rate|rest))\b"
)


def with_sequels(chosen: Sequence[Ranked], pool: Sequence[Ranked], most: int = 2) -> list[Ranked]:
    """`chosen` with up to `most` sentences that carry one of them on ('This was due to ...')."""
    by_place = {_place(r): r for r in pool}
    found = list(chosen)
    taken = set(map(_place, chosen))
    for ranked in chosen:
        sentence = ranked.sentence
        place = (sentence.item.rank, sentence.position + 1)
        following = by_place.get(place)
        if following is None or place in taken or following.sentence.speaker != sentence.speaker:
            continue
        if goes_on(following.sentence.text) and len(found) < len(chosen) + most:
            found.append(following)
            taken.add(place)
    return found


def with_antecedents(chosen: Sequence[Ranked], pool: Sequence[Ranked], reach: int = 2) -> list[Ranked]:
    """`chosen`, and before a sentence that cannot stand alone ('The increase was driven by ...') the one that says
    what it speaks of, at most `reach` sentences back. One whose antecedent may not be quoted is left out, if others
    remain: nobody could tell what 'It rose' speaks of."""
    by_place = {_place(r): r for r in pool}
    found: list[Ranked] = []
    for ranked in chosen:
        chain = [ranked]
        while goes_on(chain[-1].sentence.text) and len(chain) <= reach:
            last = chain[-1].sentence
            before = by_place.get((last.item.rank, last.position - 1))
            if before is None or before.sentence.speaker != last.speaker:
                break
            chain.append(before)
        if not goes_on(chain[-1].sentence.text) or chain[-1].sentence.position == 0:
            found += chain
    return list({id(r): r for r in found or chosen}.values())


def with_reasons(chosen: Sequence[Ranked], pool: Sequence[Ranked], reach: int = 3) -> list[Ranked]:
    """`chosen`, and behind a sentence that gives no reason the next one of its speaker that does, if it is near:
    'Orla returned to profit. ... Three things made the difference: ...'."""
    by_place = {_place(r): r for r in pool}
    taken = set(map(_place, chosen))
    found = list(chosen)
    for ranked in chosen[:2]:
        sentence = ranked.sentence
        places = [(sentence.item.rank, sentence.position + step) for step in range(1, reach + 1)]
        following = [by_place[place] for place in places if place in by_place]
        if gives_reason(sentence.text) or any(_place(r) in taken for r in following):
            continue
        near = [
            r for r in following if gives_reason(r.sentence.text) and r.sentence.speaker == sentence.speaker
        ]
        found += near[:1]
        taken |= set(map(_place, near[:1]))
    return found


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


def _place(ranked: Ranked) -> tuple[int, int]:
    """Rank of its evidence, and its position there."""
    return ranked.sentence.item.rank, ranked.sentence.position


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
