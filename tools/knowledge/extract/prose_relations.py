"""Relations in prose: entities of the seven types joined by a curated verb, found with spaCy's dependency
parse.

spaCy is needed while indexing only, and loaded at the first use.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tools.documents.types import Document, ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, passages
from tools.knowledge.extract.sentence_parses import WE, parsed_sentences
from tools.knowledge.extract.statements import statement_triplets
from tools.knowledge.graph.resolution import LEGAL_FORMS, fold_company, fold_name, own_aliases
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.metric_names import MetricMention, find_metrics
from tools.knowledge.lexicon.verbs import (
    BASE_OF,
    FUTURE,
    HYPOTHETICAL,
    INTENTS,
    MAKING,
    PAST_OF,
    PREPOSITIONS,
    ROLE_WORDS,
)
from tools.knowledge.types import EntityType, Triplet

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

MAX_ENTITY_WORDS = 5
"""Longest entity kept, in words."""
MIN_MENTIONS = 2
"""Times a name must occur in a document before the document is said to mention it."""

_TYPES: dict[str, EntityType] = {
    "ORG": "company", "PERSON": "person", "GPE": "location", "LOC": "location", "FAC": "location",
    "PRODUCT": "product", "EVENT": "event", "LAW": "regulation",
}  # fmt: skip
_JUNK = re.compile(
    r"\d{3,}|%|\$|^(?:Q[1-4]|FY|GAAP|Non-GAAP|EPS|EBITDA|EBIT|FFO|NOI|AFFO|CapEx|OpEx|SG&A|R&D|M&A|COVID.*|ESG|IPO|CEO|CFO|"
    r"COO|SVP|EVP|IR|Q&A|LTM|TTM|ROE|ROIC|ASP|ASPs|RSUs?|VIE|LLC|ASU|FASB|OCI|YTD|MD&A|Slide|Page|Table|Note|Notes|"
    r"Company|Board|Committee|Treasury|Level|Part|Item|Exhibit|Operator|Inc|Corp|Co|Group|Segment|Total|Other|Net|"
    r"Phonetic|Indecipherable|Speech Overlap|Technical Difficulty)$|"
    r"\bAppendix\b|\bBoard of Directors\b|\bquarter\b|\bsegment\b|[^\w\s&'.\u2019/-]",
    re.IGNORECASE,
)
_DETERMINER = re.compile(
    r"^(?:the|a|an|our|their|its|this|that|these|those|his|her|my|your|all|both|each|every)\s+", re.IGNORECASE
)
_ROLE = re.compile(
    r"\b((?:[A-Z][\w.'\u2019-]+\s+){1,3}[A-Z][\w'\u2019-]+),\s+((?:our\s+|the\s+)?(?:[A-Z][\w&.'-]*|and|of|for|our|the)"
    r"(?:[\s,]+(?:[A-Z][\w&.'-]*|and|of|for|our|the|&))*)"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity in a sentence."""

    name: str
    type: EntityType


def prose_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """Metric-value statements, roles, relations by verb, and names the document mentions more than once."""
    everything = list(passages(parsed))
    yield from _patterns(parsed.document, everything)
    yield from relation_triplets(parsed.document, everything)
    yield from _topics(parsed.document, everything)


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
    """Relations by verb in these sentences, and names that they mention more than once."""
    found: dict[tuple[str, EntityType], list[Passage]] = defaultdict(list)
    for passage, doc in parsed_sentences(everything):
        for entity in doc.ents:
            mention = _named_entity(entity, document)
            if mention is not None and mention.type != "person" and mention.name != document.company:
                found[(mention.name, mention.type)].append(passage)
        if not passage.asked:
            yield from _relations(document, passage, doc)
    yield from _mentions(document, found)


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


def _mentions(document: Document, found: dict[tuple[str, EntityType], list[Passage]]) -> Iterator[Triplet]:
    for (name, kind), where in sorted(found.items()):
        if len(where) >= MIN_MENTIONS:
            yield _said(document, where[0], Mention(document.company, "company"), "mentions", name, kind)


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


def _relations(document: Document, passage: Passage, doc: Doc) -> Iterator[Triplet]:
    metrics = find_metrics(passage.text)
    for verb in doc:
        base = BASE_OF.get(verb.text.lower())
        if base is None or not verb.tag_.startswith("VB") or _is_unreal(verb):
            continue
        relation = _relation_name(verb, base)
        passive = any(child.dep_ in {"nsubjpass", "auxpass"} for child in verb.children)
        heads = _subject_mentions(verb, document, passage)
        for tail_token, preposition in _objects(verb):
            tail = _resolve(tail_token, document, passage, metrics, objects=True)
            if (
                base in MAKING
                and preposition == ""
                and tail
                and tail.type in {"company", "person", "location"}
            ):
                tail = Mention(tail.name, "product")  # what is launched is no organisation
            for head in heads:
                one, other = (tail, head) if passive and preposition == "by" else (head, tail)
                if one is None or other is None or one.name == other.name or not _sensible(one, other):
                    continue
                name = relation if preposition in {"", "by"} else f"{relation} {preposition}"
                yield _said(document, passage, one, name, other.name, other.type)


def _is_unreal(verb: Token) -> bool:
    words = {child.lower_ for child in verb.children if child.dep_ == "aux"}
    return bool(words & HYPOTHETICAL) or any(child.lower_ == "if" for child in verb.children)


def _relation_name(verb: Token, base: str) -> str:
    children = {child.lower_ for child in verb.children if child.dep_ in {"aux", "neg"}}
    negated = any(child.dep_ == "neg" for child in verb.children)
    if verb.dep_ == "xcomp" and verb.head.lower_ in INTENTS:
        return f"plans to {base}"
    if children & FUTURE:
        return f"will not {base}" if negated else f"will {base}"
    return f"did not {base}" if negated else PAST_OF[base]


def _subject_mentions(verb: Token, document: Document, passage: Passage) -> list[Mention | None]:
    """Entities that do it; a verb without a subject of its own takes that of the verb it is joined to."""
    for candidate in (verb, verb.head if verb.dep_ in {"conj", "xcomp"} else verb):
        subjects = [child for child in candidate.children if child.dep_ in {"nsubj", "nsubjpass"}]
        if subjects:
            return [_resolve(token, document, passage, [], objects=False) for token in subjects]
    return []


def _objects(verb: Token) -> Iterator[tuple[Token, str]]:
    """(object, preposition) of a verb; the preposition is '' for a direct object."""
    for child in verb.children:
        if child.dep_ in {"dobj", "attr", "oprd"}:
            yield child, ""
            yield from ((token, "") for token in child.conjuncts if token.i > child.i)
        elif child.dep_ in {"prep", "agent"} and child.lower_ in PREPOSITIONS:
            yield from ((token, child.lower_) for token in child.children if token.dep_ == "pobj")


def _resolve(
    token: Token, document: Document, passage: Passage, metrics: Sequence[MetricMention], *, objects: bool
) -> Mention | None:
    """The entity a subject or object names: 'we' is the filer, 'I' the speaker; pronouns and the like are
    None."""
    word = token.lower_
    if word in WE:
        own = word not in {"company", "registrant"} or any(c.lower_ in {"the", "our"} for c in token.children)
        return Mention(document.company, "company") if own else None
    if word in {"i", "me"}:
        return Mention(passage.speaker, "person") if passage.speaker else None
    for entity in token.doc.ents:
        if entity.start <= token.i < entity.end:
            return _named_entity(entity, document)
    end = token.idx + len(token)
    for mention in metrics:
        if mention.start <= token.idx < mention.end and end <= mention.end + 1:
            return Mention(mention.text, "metric")
    return _proper_phrase(token) if objects else None


def _named_entity(entity: Span, document: Document) -> Mention | None:
    """A named entity of the seven types, cleaned; None for junk."""
    kind = _TYPES.get(entity.label_)
    name = _entity_name(entity.text)
    if kind is None or not _is_name(name):
        return None
    if fold_company(name) in {fold_company(n) for n in own_aliases(document)}:
        return Mention(document.company, "company")
    if fold_name(name).split()[-1:] and fold_name(name).split()[-1] in LEGAL_FORMS and " " in name:
        kind = "company"
    if kind == "person" and len(name.split()) < 2:
        return None
    if kind == "company" and (find_metrics(name) or (name.isupper() and len(name) < 5 and "&" not in name)):
        return None  # the small model takes most abbreviations for organisations
    return Mention(name, kind)


def _entity_name(text: str) -> str:
    """A name without determiner, possessive and closing punctuation; 'U.S.' keeps its own."""
    name = _DETERMINER.sub("", text.strip())
    name = re.sub(r"['\u2019]s$|[,;:]+$", "", name).strip()
    return name if re.search(r"\b[A-Z]\.[A-Z]\.$", name) else name.rstrip(". ")


def _is_name(name: str) -> bool:
    words = name.split()
    if not words or len(words) > MAX_ENTITY_WORDS or len(name) < 2 or _JUNK.search(name):
        return False
    return name[0].isupper() and (len(words) > 1 or not name.isupper() or len(name) > 2)


def _proper_phrase(token: Token) -> Mention | None:
    """A capitalised noun phrase that the model left unnamed, taken for a product: 'the Optane memory
    business'."""
    words: list[Any] = [
        c for c in token.lefts if c.dep_ in {"compound", "nmod", "amod"} and c.text[0].isupper()
    ]
    words = [*words, token]
    name = _entity_name(" ".join(word.text for word in words))
    proper = token.tag_ in {"NNP", "NNPS"} and words[-1].i - words[0].i == len(words) - 1
    return Mention(name, "product") if proper and _is_name(name) and not find_metrics(name) else None


def _sensible(head: Mention, tail: Mention) -> bool:
    return head.type in {"company", "person", "product", "regulation", "event"} and tail.type != "value"
