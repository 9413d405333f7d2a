"""Relations in prose: entities of the seven types joined by a clause, found with spaCy's dependency parse.

spaCy is needed while indexing only, and loaded at the first use.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.extract.clauses import Link, links
from tools.knowledge.extract.named_things import Mention, NamedThings
from tools.knowledge.extract.sentence_parses import WE, parsed_sentences, small_words
from tools.knowledge.extract.short_forms import short_form_triplets
from tools.knowledge.extract.statements import statement_triplets
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.relation_verbs import LINKS
from tools.knowledge.lexicon.verbs import ROLE_WORDS
from tools.knowledge.types import EntityType, Triplet

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_OTHER_CLAUSES = frozenset({"conj", "relcl", "advcl", "ccomp", "parataxis"})
OWNED = ("company", "product")
"""What somebody may have without another word."""
DATES, AMOUNTS = ("DATE",), ("MONEY", "PERCENT")
"""What the model calls times and amounts."""

_OF_AUDITOR = re.compile(r"independent registered public accounting", re.IGNORECASE)
"""Sections in which 'we' is the auditor."""
_ROLE = re.compile(
    r"\b((?:[A-Z][\w.'\u2019-]+\s+){1,3}[A-Z][\w'\u2019-]+),\s+((?:our\s+|the\s+)?(?:[A-Z][\w&.'-]*|and|of|for|our|the)"
    r"(?:[\s,]+(?:[A-Z][\w&.'-]*|and|of|for|our|the|&))*)"
)


def prose_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """Metric-value statements, roles, relations, and the short forms of what they name."""
    everything = list(passages(parsed))
    found = [*_patterns(parsed.document, everything), *relation_triplets(parsed.document, everything)]
    yield from found
    yield from _topics(parsed.document, everything)
    yield from short_form_triplets(parsed.document, everything, found)


def pattern_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """What patterns read without spaCy, whichever engine reads the rest: figures, roles, topics of speakers."""
    everything = list(passages(parsed))
    yield from _patterns(parsed.document, everything)
    yield from _topics(parsed.document, everything)


def _patterns(document: Document, everything: Sequence[Passage]) -> Iterator[Triplet]:
    for passage in everything:
        yield from statement_triplets(document, passage)
        yield from _roles(document, passage)


def relation_triplets(document: Document, everything: Sequence[Passage]) -> Iterator[Triplet]:
    """What the clauses of these sentences say of two things with a name."""
    small = small_words(everything)
    own = [each for each in everything if not _OF_AUDITOR.search(each.section)]
    for passage, doc in parsed_sentences(own):
        yield from _relations(NamedThings(doc, document, passage, small), document, passage, doc)


def _said(
    document: Document, passage: Passage, head: Mention, relation: str, tail: str, kind: EntityType = "metric"
) -> Triplet:
    """A relation read from one sentence."""
    return make_triplet(
        document,
        (head.name, head.type),
        relation,
        (tail, kind),
        page=passage.page,
        quote=passage.text,
        chunk_id=passage.chunk_id,
    )


def _topics(document: Document, everything: Sequence[Passage]) -> Iterator[Triplet]:
    """`person --spoke about--> metric`, once, for the speakers who answer for the company."""
    seen: set[tuple[str, str]] = set()
    for passage in everything:
        if not passage.speaker or passage.asked or passage.speaker == "Operator":
            continue
        for mention in find_metrics(passage.text):
            if (passage.speaker, mention.canonical) not in seen:
                seen.add((passage.speaker, mention.canonical))
                yield _said(
                    document, passage, Mention(passage.speaker, "person"), "spoke about", mention.text
                )


def _roles(document: Document, passage: Passage) -> Iterator[Triplet]:
    """'Max Broden, Executive Vice President and CFO of Aflac Incorporated' as `holds role`."""
    for match in _ROLE.finditer(passage.text):
        role = re.sub(r"^(?:our|the)\s+", "", match[2].strip(" ,"))
        role = re.sub(r"(?:[\s,]+(?:and|of|for|our|the|&))+$", "", role)
        role = role if re.search(r"\b[A-Z]\.$", role) else role.rstrip(".")
        words = {word.strip(",.").lower() for word in role.split()}
        name = re.sub(r"^(?:[A-Z]\.){2,}\s+", "", match[1].strip())
        if not words & ROLE_WORDS or set(name.lower().split()) & (ROLE_WORDS | WE) or len(role) > 90:
            continue
        role = re.split(r",\s+(?=[A-Z][a-z]+ [A-Z][a-z]+$)", role)[0]
        yield _said(document, passage, Mention(name, "person"), "holds role", role, "value")


def _relations(things: NamedThings, document: Document, passage: Passage, doc: Doc) -> Iterator[Triplet]:
    """What its clauses say of two things with a name."""

    def named(token: Token, *, titled: bool = False) -> bool:
        return things.at(token, titled=titled) is not None

    said: dict[int, tuple[str, str]] = {}
    for link in links(doc, named):
        head, tail = (things.at(each, titled=True) for each in (link.head, link.tail))
        assert head is not None and tail is not None
        if link.predicate.i not in said:
            said[link.predicate.i] = _said_in(link.predicate, DATES), _said_in(link.predicate, AMOUNTS)
        date, amount = said[link.predicate.i]
        alone = {head.name, tail.name} <= {passage.speaker, document.company}
        if head.name != tail.name and not alone and _sensible(head, link, tail):
            yield make_triplet(
                document,
                (head.name, head.type),
                _called(link, tail),
                (tail.name, tail.type),
                page=passage.page,
                quote=passage.text,
                chunk_id=passage.chunk_id,
                date=date,
                amount=amount,
            )


def _called(link: Link, tail: Mention) -> str:
    """'has stores in' of 'our Canada stores'."""
    name, noun = link.relation.name, link.predicate
    its = link.relation.base == "have" and noun.tag_.startswith("NN") and name.split()[-1] == noun.lower_
    return f"{name} in" if its and tail.type == "location" else name


def _sensible(head: Mention, link: Link, tail: Mention) -> bool:
    """What a place does is not told, its parts are places, what is done to one is told with a preposition; what people
    on a call say to one another is none of a graph's."""
    places = [each.type == "location" for each in (head, tail)]
    bare = link.relation.name.split()[-1] not in LINKS and link.relation.base != "have"
    if head.type == tail.type == "person" or (link.relation.name == "has" and tail.type not in OWNED):
        return False
    return all(places) or not (places[0] or (places[1] and (link.relation.base == "part" or bare)))


def _said_in(predicate: Token, kinds: Collection[str]) -> str:
    """The first time or amount that is said with a predicate itself, as written; '' for none."""
    within: set[int] = set()
    waiting = [predicate]
    while waiting:
        token = waiting.pop()
        within.add(token.i)
        waiting += (
            child for child in token.children if child.dep_ not in _OTHER_CLAUSES or child.tag_[:2] != "VB"
        )
    found = (each for each in predicate.doc.ents if each.label_ in kinds and each.root.i in within)
    return next((each.text for each in found if any(c.isdigit() for c in each.text)), "")
