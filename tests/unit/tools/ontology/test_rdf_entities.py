from __future__ import annotations

from pathlib import Path

import pytest

from tools.ontology.rdf_entities import EntityRefusedError, check_entities
from tools.ontology.rdf_files import OntologyError, RdfLimits, read_ontology

BODY = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns:owl="http://www.w3.org/2002/07/owl#">
<owl:Class rdf:about="http://e.example/Loan"><rdfs:label>loan &b;</rdfs:label></owl:Class></rdf:RDF>"""
NESTED = '<!ENTITY a "aaaa"> <!ENTITY b "&a;&a;">'


def doctype(declarations: str) -> str:
    return f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [{declarations}]>{BODY}'


@pytest.mark.parametrize(
    "text",
    [
        doctype('<!ENTITY b "http://e.example/ns#">'),
        doctype("<!ENTITY b 'flat'>\n\t<!ENTITY c 'flat, too' >"),
        doctype('<!-- what follows is short --><!ENTITY b "1 &amp; 2 &#169;">'),
        f"<!DOCTYPE rdf:RDF>{BODY}",
        BODY,
        "",
    ],
)
def test_flat_entities_pass(text: str) -> None:
    check_entities(text.encode())


@pytest.mark.parametrize(
    ("why", "text"),
    [
        ("within another", doctype(NESTED)),
        ("within another", doctype(NESTED).replace("DOCTYPE", "docType").replace("ENTITY", "entity")),
        ("within another", "\ufeff" + doctype(NESTED)),
        ("within another", f"<!-- a comment\n -->{doctype(NESTED)}"),
        ("within another", doctype('<!ENTITY a "aa"><!-- <!ENTITY b "&a;&a;"> -->')),
        ("within another", doctype('<!ENTITY x "<!--"><!ENTITY a "a"><!ENTITY b "&a;"><!ENTITY y "-->">')),
        ("within another", doctype(f'<!ENTITY x "]>">{NESTED}')),
        ("within another", doctype(f"<!--\n]>\n-->{NESTED}")),
        ("within another", doctype('<!ENTITY a "aa"><!ENTITY\n\tb\n"%a;"\n>')),
        ("can't be read", doctype('<!ENTITY a "aa"><!ENTITYb "&a;&a;">')),
        ("can't be read", doctype('<!ENTITY a "<!ENTITY b ">')),
        ("of another file", doctype('<!ENTITY b SYSTEM "file:///etc/hostname">')),
        ("of another file", doctype('<!ENTITY b PUBLIC "-//E" "http://e.example/x">')),
        ("of another file", doctype('<!ENTITY % b "c">')),
        ("names another file", f'<!DOCTYPE rdf:RDF SYSTEM "http://e.example/x.dtd">{BODY}'),
        ("names another file", f'<!DOCTYPE rdf:RDF\n PUBLIC "-//E" "x.dtd" [<!ENTITY b "b">]>{BODY}'),
        ("at its beginning", f"<?x <!-- ?>{doctype(NESTED)}<?x --> <!DOCTYPE x> ?>"),
        ("at its beginning", f"<!--{'x' * (1 << 20)}-->{doctype(NESTED)}"),
        ("is long", doctype(f'<!ENTITY b "{"b" * 3000}">')),
    ],
)
def test_entities_that_do_not_stay_what_they_look_like_are_refused(why: str, text: str) -> None:
    with pytest.raises(EntityRefusedError, match=why):
        check_entities(text.encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_entities_in_an_encoding_in_which_they_are_not_seen_are_not_parsed(
    tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "wide.rdf").write_bytes(doctype(NESTED).encode(encoding))
    with pytest.raises(OntologyError, match=r"wide\.rdf: "):
        read_ontology(tmp_path)


def test_a_flat_entity_that_is_repeated_until_memory_ends_costs_its_own_process_alone(tmp_path: Path) -> None:
    body = BODY.replace("&b;", "&b;" * 300_000)
    text = f'<!DOCTYPE rdf:RDF [<!ENTITY b "{"b" * 1900}">]>{body}'
    (tmp_path / "a.rdf").write_text(text)
    (tmp_path / "b.rdf").write_text(BODY.replace("&b;", ""))
    read = read_ontology(tmp_path, RdfLimits(memory_bytes=300 << 20))
    assert [name for name, _ in read.failed] == ["a.rdf"]
    assert [concept.label for concept in read.concepts] == ["loan"]


def test_a_doctype_that_turtle_speaks_of_is_text(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(
        "<http://e.example/x> a <http://www.w3.org/2002/07/owl#Class>; <http://www.w3.org/2000/01/rdf-schema#label> "
        '"system identifier", "<!DOCTYPE x SYSTEM \'y\'>" .'
    )
    assert read_ontology(tmp_path).concepts[0].synonyms == ("<!DOCTYPE x SYSTEM 'y'>",)
