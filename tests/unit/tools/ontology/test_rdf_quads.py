"""What is read from a file's triples: concepts, names, and relations through blank nodes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tools.ontology import types
from tools.ontology.rdf_files import Ontology
from tools.ontology.rdf_quads import MAX_TEXT, OWL, RDF, RDFS, content_of
from tools.ontology.types import Concept, Link, name_of_iri

Read = Callable[..., Ontology]
E = "http://e.example/"
PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> . @prefix an: <http://a.example/annotations/> . @prefix : <http://e.example/> .
"""


def concepts(ontology: Ontology) -> dict[str, Concept]:
    return {concept.iri.removeprefix(E): concept for concept in ontology.concepts}


def links(ontology: Ontology) -> set[tuple[str, str, str]]:
    return {
        (link.source.removeprefix(E), link.relation.removeprefix(E), link.target.removeprefix(E))
        for link in ontology.links
    }


def test_kinds_names_and_definitions_of_owl_and_skos(read: Read) -> None:
    text = """<http://e.example/> a owl:Ontology; owl:versionIRI :v2; rdfs:label "the ontology itself";
      dct:description "no concept"; owl:imports :elsewhere, <http://e.example/> .
    :Loan a owl:Class; rdfs:label "loan"@en-GB, "Darlehen"@de; skos:definition "money lent"@en, "Geld"@de;
      rdfs:comment "a comment"; skos:altLabel "lending"; an:synonym "credit"; an:abbreviation "LN"; an:acronym "LOAN" .
    :Old a rdfs:Class; rdfs:comment "what is old" .
    :has a owl:ObjectProperty; rdfs:label "has" .
    :near a owl:SymmetricProperty .
    :when a owl:DatatypeProperty .
    :note a owl:AnnotationProperty; rdfs:label "editorial note"; skos:definition "a note of an editor" .
    :Scheme a skos:ConceptScheme; skos:prefLabel "all concepts"; skos:definition "a scheme" .
    :Swap a skos:Concept; skos:prefLabel "swap"; rdfs:label "swap contract"; skos:hiddenLabel "swop" .
    :Orla a :Company; rdfs:label "Orla Inc." .
    :named a owl:NamedIndividual .
    :aside rdfs:label "told of its name alone" ."""
    ontology = read({"a.ttl": PREFIXES + text})
    found = concepts(ontology)
    assert {iri: concept.kind for iri, concept in found.items()} == {
        "Loan": "class",
        "Old": "class",
        "has": "property",
        "near": "property",
        "when": "property",
        "Swap": "concept",
        "Orla": "individual",
        "named": "individual",
        "Company": "class",
        "aside": "class",
    }
    loan = found["Loan"]
    assert (loan.label, loan.definition) == ("loan", "money lent")
    assert (loan.synonyms, loan.abbreviations) == (("lending", "credit"), ("LN", "LOAN"))
    assert (loan.file, loan.version) == ("a.ttl", f"{E}v2")
    assert (found["Swap"].label, found["Swap"].synonyms) == ("swap", ("swap contract", "swop"))
    assert (found["Old"].label, found["Old"].unlabelled, found["Old"].definition) == (
        "old",
        True,
        "what is old",
    )
    assert [iri for iri, concept in found.items() if not concept.file] == ["Company"]
    assert ontology.foreign == 2
    assert ontology.outside == (f"{E}elsewhere",)


def test_an_ontology_without_labels_has_concepts_named_by_their_iris(read: Read) -> None:
    found = concepts(read({"a.ttl": PREFIXES + ":DebtInstrument a owl:Class; rdfs:subClassOf :IOU ."}))
    assert [(each.label, each.unlabelled) for each in found.values()] == [
        ("debt instrument", True),
        ("IOU", True),
    ]
    assert name_of_iri("http://e.example/2024#") == "2024"
    assert name_of_iri("urn:x:\u202e…") == "urn:x:…", "as it may be shown"


def test_blank_nodes_are_followed_to_the_classes_that_they_are_made_of(read: Read) -> None:
    text = """
    :Loan rdfs:subClassOf :Debt, [ a owl:Restriction; owl:onProperty :has; owl:someValuesFrom :Lender ],
        [ a owl:Restriction; owl:onProperty :paidBy; owl:onClass [ owl:unionOf ( :Person :Firm ) ] ],
        [ owl:intersectionOf ( :Contract [ owl:onProperty :in; owl:hasValue :Euro ] ) ],
        [ owl:unionOf ( :Long :Short ) ],
        [ owl:complementOf :Gift ] .
    :Debt owl:equivalentClass :Liability, [ owl:unionOf ( :Bond :Note ) ] .
    :Weekday owl:equivalentClass [ owl:oneOf ( :Monday :Tuesday ) ] .
    :has a owl:ObjectProperty; rdfs:domain :Loan; rdfs:range [ owl:unionOf ( :Person :Firm ) ]; owl:inverseOf :of;
        rdfs:subPropertyOf :relates; owl:equivalentProperty :holds .
    :Orla a :Firm, owl:NamedIndividual; :locatedIn :Dublin; owl:sameAs :OrlaInc; rdfs:seeAlso :Nothing .
    :Cap skos:broader :Option; skos:narrower :Cap2; skos:related :Floor; skos:exactMatch :Ceiling ."""
    assert links(read({"a.ttl": PREFIXES + text})) == {
        ("Loan", types.NARROWER, "Debt"),
        ("Loan", "has", "Lender"),
        ("Loan", "paidBy", "Person"),
        ("Loan", "paidBy", "Firm"),
        ("Loan", types.NARROWER, "Contract"),
        ("Loan", "in", "Euro"),
        ("Loan", types.PART_OF_UNION, "Long"),
        ("Loan", types.PART_OF_UNION, "Short"),
        ("Debt", types.SAME, "Liability"),
        ("Bond", types.NARROWER, "Debt"),
        ("Note", types.NARROWER, "Debt"),
        ("Monday", types.INSTANCE, "Weekday"),
        ("Tuesday", types.INSTANCE, "Weekday"),
        ("has", types.HAS_DOMAIN, "Loan"),
        ("has", types.HAS_RANGE, "Person"),
        ("has", types.HAS_RANGE, "Firm"),
        ("has", types.INVERSE, "of"),
        ("has", types.NARROWER, "relates"),
        ("has", types.SAME, "holds"),
        ("Orla", types.INSTANCE, "Firm"),
        ("Orla", "locatedIn", "Dublin"),
        ("Orla", types.SAME, "OrlaInc"),
        ("Cap", types.NARROWER, "Option"),
        ("Cap2", types.NARROWER, "Cap"),
        ("Cap", types.RELATED, "Floor"),
        ("Cap", types.SAME, "Ceiling"),
    }


def test_circles_of_classes_of_lists_and_of_blank_nodes_end(read: Read) -> None:
    text = """:A a owl:Class; rdfs:subClassOf :B, :A, _:one . :B rdfs:subClassOf :A .
    _:one owl:unionOf _:list . _:list rdf:first :C; rdf:rest _:more . _:more rdf:first _:one; rdf:rest _:list ."""
    assert links(read({"a.ttl": PREFIXES + text})) == {
        ("A", types.NARROWER, "B"),
        ("B", types.NARROWER, "A"),
        ("A", types.PART_OF_UNION, "C"),
    }


def test_blank_nodes_that_lead_to_each_other_many_ways_are_followed_once() -> None:
    """Two ways on each of forty floors: 2 to the 40th ways down."""
    triples = [(f"{E}A", f"{RDFS}subClassOf", "_:0"), (f"{E}A", f"{RDF}type", f"{OWL}Class")]
    for floor in range(40):
        for way in ("intersectionOf", "unionOf"):
            triples += [
                (f"_:{floor}", f"{OWL}{way}", f"_:{floor}{way}"),
                (f"_:{floor}{way}", f"{RDF}first", f"_:{floor + 1}"),
            ]
    triples += [("_:15", f"{OWL}unionOf", "_:end"), ("_:end", f"{RDF}first", f"{E}End")]
    assert content_of(triples, "").links == [Link(f"{E}A", types.PART_OF_UNION, f"{E}End")]


def test_an_ontology_without_an_iri_gives_its_concepts_no_version_that_differs_each_time(read: Read) -> None:
    ontology = read({"a.ttl": PREFIXES + "[] a owl:Ontology; owl:imports :x . :Loan a owl:Class ."})
    assert [concept.version for concept in ontology.concepts] == [""]
    assert ontology.outside == (f"{E}x",)


@pytest.mark.parametrize("first", ["a", "z"])
def test_what_several_files_say_of_a_concept_is_put_together_whichever_comes_first(
    read: Read, first: str
) -> None:
    ontology = read(
        {
            f"{first}.ttl": PREFIXES
            + ':has rdfs:label "has lender", "lent by" . :Loan skos:definition "money lent" .',
            "m.ttl": PREFIXES + ':has a owl:ObjectProperty; skos:altLabel "of" . :Loan a skos:Concept .',
            "n.ttl": PREFIXES
            + ':has a owl:ObjectProperty; rdfs:label "has lender"; skos:altLabel "lent by" .',
        }
    )
    found = concepts(ontology)
    assert (found["has"].kind, found["has"].label, found["has"].file) == ("property", "has lender", "m.ttl")
    assert sorted(found["has"].synonyms) == ["lent by", "of"]
    loan = found["Loan"]
    assert (loan.kind, loan.definition, loan.file) == ("concept", "money lent", f"{first}.ttl")


def test_a_hostile_text_is_kept_as_a_document_s_text_is(read: Read) -> None:
    text = r'''"\u001B[31mred\u001B[0m\u202E \u0000nae\u200Bd\n\n<script>alert(1)</script>  "'''
    ontology = read(
        {
            "a.ttl": PREFIXES + f":Loan a owl:Class; rdfs:label {text}; skos:definition {text} .",
            "b.ttl": PREFIXES + ':Blank a owl:Class; rdfs:label "\\u200B \\n" .',
            "c.ttl": PREFIXES + f':Huge a owl:Class; rdfs:label "{"long " * 400_000}" .',
        }
    )
    found = concepts(ontology)
    assert found["Loan"].label == found["Loan"].definition == "red naed <script>alert(1)</script>"
    assert (found["Blank"].label, found["Blank"].unlabelled) == ("blank", True)
    assert len(found["Huge"].label) <= MAX_TEXT
