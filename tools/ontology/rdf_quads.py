"""Triples of one RDF file -> its concepts and links. Blank nodes are followed to the classes that they are made of:
restrictions, unions and intersections hold most of what relates classes (W3C OWL 2 mapping to RDF graphs)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tools.documents.text.cleaning import clean, squeeze
from tools.ontology import types
from tools.ontology.types import Concept, ConceptKind, Link, name_of_iri

OWL, RDF = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS, SKOS = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2004/02/skos/core#"
DCT, OBO = "http://purl.org/dc/terms/", "http://purl.obolibrary.org/obo/"
VOCABULARIES = (OWL, RDF, RDFS, SKOS, "http://www.w3.org/2001/XMLSchema#")

_KINDS: dict[str, ConceptKind] = {
    f"{OWL}Class": "class",
    f"{RDFS}Class": "class",
    f"{OWL}ObjectProperty": "property",
    f"{OWL}DatatypeProperty": "property",
    f"{RDF}Property": "property",
    f"{OWL}SymmetricProperty": "property",
    f"{OWL}TransitiveProperty": "property",
    f"{OWL}InverseFunctionalProperty": "property",
    f"{OWL}NamedIndividual": "individual",
    f"{SKOS}Concept": "concept",
}
_LABELS = (f"{SKOS}prefLabel", f"{RDFS}label")
_SYNONYMS = frozenset({f"{SKOS}altLabel", f"{SKOS}hiddenLabel"})
_SYNONYM_NAMES = frozenset({"synonym", "hasExactSynonym", "preferredDesignation", "commonDesignation"})
"""How the annotation vocabularies of OMG Commons, FIBO and OBO call a synonym, whatever the version of their IRI."""
_ABBREVIATION_NAMES = frozenset({"abbreviation", "acronym"})
_DEFINITIONS = (f"{SKOS}definition", f"{OBO}IAO_0000115", f"{DCT}description", f"{RDFS}comment")
"""The first that there is counts."""
_FILLERS = tuple(
    f"{OWL}{name}" for name in ("someValuesFrom", "allValuesFrom", "onClass", "hasValue", "hasSelf")
)
MAX_NESTING = 20
"""Blank nodes within blank nodes that are followed."""
MAX_TEXT = 4_000
"""Characters of a name or definition that are kept; FIBO's longest definition has 2,219."""


@dataclass(frozen=True, slots=True)
class Literal:
    """The text of a literal in English or in no language."""

    text: str


Node = str | Literal
"""An IRI, a blank node ('_:' and its name) or a literal."""


@dataclass(slots=True)
class FileContent:
    """What one file says."""

    concepts: list[Concept] = field(default_factory=list)
    """What it says of each concept that it names by kind or label; others may say more."""
    links: list[Link] = field(default_factory=list)
    ontology: str = ""
    """IRI of the ontology that it is; '' for none, or for one without an IRI."""
    version: str = ""
    imports: list[str] = field(default_factory=list)


def content_of(triples: Iterable[tuple[str, str, Node]], file: str) -> FileContent:
    """The concepts and links of a file's triples. Names in other languages than English are not among the triples."""
    about: dict[str, dict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
    for subject, predicate, value in triples:
        about[subject][predicate].append(value)
    content = FileContent()
    for subject, said in about.items():
        if f"{OWL}Ontology" in said.get(f"{RDF}type", ()):
            content.ontology = "" if subject.startswith("_:") else subject
            content.version = next(_iris(said.get(f"{OWL}versionIRI", ())), content.ontology)
            content.imports += _iris(said.get(f"{OWL}imports", ()))
    for subject, said in about.items():
        if subject.startswith(("_:", *VOCABULARIES)):
            continue
        kind = _kind(said)
        if kind is None and f"{RDF}type" in said:
            continue  # an ontology, an annotation property, a scheme of concepts
        concept = _concept(subject, said, kind or "class", file, content.version)
        concept = replace(concept, typed=kind is not None)
        if kind or not concept.unlabelled or concept.synonyms or concept.abbreviations or concept.definition:
            content.concepts.append(concept)
        content.links += _links(subject, said, about, kind)
    content.links = [*dict.fromkeys(link for link in content.links if link.source != link.target)]
    return content


def _kind(said: dict[str, list[Node]]) -> ConceptKind | None:
    """What a subject is by its types; an individual where its only types are classes of an ontology."""
    typed = [*_iris(said.get(f"{RDF}type", ()))]
    known = [_KINDS[each] for each in typed if each in _KINDS]
    if known:
        return known[0]
    return "individual" if any(not each.startswith(VOCABULARIES) for each in typed) else None


def _concept(iri: str, said: dict[str, list[Node]], kind: ConceptKind, file: str, version: str) -> Concept:
    labels = [text for predicate in _LABELS for text in _texts(said.get(predicate, ()))]
    named = {predicate: predicate.rpartition("/")[2].rpartition("#")[2] for predicate in said}
    synonyms = [
        text
        for predicate, name in named.items()
        if predicate in _SYNONYMS or name in _SYNONYM_NAMES
        for text in _texts(said[predicate])
    ]
    short = [
        text
        for predicate, name in named.items()
        if name in _ABBREVIATION_NAMES
        for text in _texts(said[predicate])
    ]
    definitions = (text for predicate in _DEFINITIONS for text in _texts(said.get(predicate, ())))
    label = labels[0] if labels else name_of_iri(iri)
    return Concept(
        iri=iri,
        kind=kind,
        label=label,
        synonyms=tuple(dict.fromkeys(text for text in (*labels[1:], *synonyms) if text != label)),
        abbreviations=tuple(dict.fromkeys(text for text in short if text != label)),
        definition=next(definitions, ""),
        file=file,
        version=version,
        unlabelled=not labels,
    )


_Said = dict[str, dict[str, list[Node]]]


def _links(
    subject: str, said: dict[str, list[Node]], about: _Said, kind: ConceptKind | None
) -> Iterator[Link]:
    for predicate, values in said.items():
        for value in values:
            if isinstance(value, str):
                yield from _link(subject, predicate, value, about, kind)


_RELATIONS = {
    f"{RDFS}subPropertyOf": types.NARROWER,
    f"{SKOS}broader": types.NARROWER,
    f"{SKOS}broadMatch": types.NARROWER,
    f"{OWL}equivalentProperty": types.SAME,
    f"{OWL}sameAs": types.SAME,
    f"{SKOS}exactMatch": types.SAME,
    f"{SKOS}related": types.RELATED,
    f"{SKOS}closeMatch": types.RELATED,
    f"{OWL}inverseOf": types.INVERSE,
    f"{RDF}type": types.INSTANCE,
}
"""Predicates whose subject has the relation to their object."""
_TURNED = frozenset({f"{SKOS}narrower", f"{SKOS}narrowMatch"})
"""Those whose object falls under their subject."""


def _link(subject: str, predicate: str, value: str, about: _Said, kind: ConceptKind | None) -> Iterator[Link]:
    """What one triple relates its subject to."""
    if predicate == f"{RDFS}subClassOf":
        yield from (Link(subject, relation, target) for relation, target in _expression(value, about))
    elif predicate == f"{OWL}equivalentClass":
        yield from _equivalent(subject, value, about)
    elif predicate in _RELATIONS:
        yield from _named(subject, _RELATIONS[predicate], value)
    elif predicate in _TURNED:
        yield from (Link(link.target, types.NARROWER, subject) for link in _named(subject, "", value))
    elif predicate in (f"{RDFS}domain", f"{RDFS}range"):
        relation = types.HAS_DOMAIN if predicate.endswith("domain") else types.HAS_RANGE
        yield from (Link(subject, relation, target) for _, target in _expression(value, about))
    elif kind == "individual" and not predicate.startswith((*VOCABULARIES, DCT)):
        yield from _named(subject, predicate, value)


def _equivalent(subject: str, value: str, about: _Said) -> Iterator[Link]:
    """A class that is another one, or what an expression says: the members of a union, or of an enumeration, are all
    that there is of it."""
    if not value.startswith("_:"):
        yield from _named(subject, types.SAME, value)
        return
    for relation, target in _expression(value, about):
        if relation == types.PART_OF_UNION:
            yield Link(target, types.NARROWER, subject)
        elif relation == types.HAS_INSTANCE:
            yield Link(target, types.INSTANCE, subject)
        else:
            yield Link(subject, relation, target)


def _named(subject: str, relation: str, value: str) -> Iterator[Link]:
    if not value.startswith(("_:", *VOCABULARIES)):
        yield Link(subject, relation, value)


def _expression(
    value: str, about: _Said, depth: int = 0, seen: set[str] | None = None
) -> Iterator[tuple[str, str]]:
    """(relation, IRI) of each named concept that a class expression is made of. A blank node is followed once: OWL's
    are trees, and what else leads to one twice may lead there any number of times."""
    seen = set() if seen is None else seen
    if depth > MAX_NESTING or value in seen or value.startswith(VOCABULARIES):
        return
    if not value.startswith("_:"):
        yield types.NARROWER, value
        return
    seen.add(value)
    said = about.get(value, {})
    for member in _members(said.get(f"{OWL}intersectionOf", ()), about):
        yield from _expression(member, about, depth + 1, seen)
    for member in _members(said.get(f"{OWL}unionOf", ()), about):
        for relation, target in _expression(member, about, depth + 1, seen):
            yield (types.PART_OF_UNION if relation == types.NARROWER else relation), target
    for member in _members(said.get(f"{OWL}oneOf", ()), about):
        yield from ((types.HAS_INSTANCE, target) for _, target in _expression(member, about, depth + 1, seen))
    for related in _iris(said.get(f"{OWL}onProperty", ())):
        fillers = (filler for predicate in _FILLERS for filler in _iris(said.get(predicate, ()), blank=True))
        for filler in fillers:
            for relation, target in _expression(filler, about, depth + 1, seen):
                if relation in (types.NARROWER, types.PART_OF_UNION):
                    yield related, target


def _members(heads: Iterable[Node], about: _Said) -> Iterator[str]:
    """The items of RDF lists; one that leads back to itself ends where it does."""
    for head in heads:
        at, seen = head, set[Node]()
        while isinstance(at, str) and at != f"{RDF}nil" and at not in seen:
            seen.add(at)
            said = about.get(at, {})
            yield from _iris(said.get(f"{RDF}first", ()), blank=True)
            at = next(iter(said.get(f"{RDF}rest", ())), f"{RDF}nil")


def _iris(values: Iterable[Node], *, blank: bool = False) -> Iterator[str]:
    return (each for each in values if isinstance(each, str) and (blank or not each.startswith("_:")))


def _texts(values: Iterable[Node]) -> Iterator[str]:
    """On one line, without characters that nobody can see: as documents' texts are, in which the names are looked for,
    and as they may be shown. Tags are text."""
    texts = (squeeze(clean(each.text[:MAX_TEXT])) for each in values if isinstance(each, Literal))
    return (text for text in texts if text)
