"""Reading files as others give them: malformed, hostile, odd names, too many, unreadable."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tools.ontology import rdf_files
from tools.ontology.rdf_files import Ontology, OntologyError, RdfLimits, files_of, read_ontology

Read = Callable[..., Ontology]
PREFIXES = """@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://e.example/> .
"""
LOAN = PREFIXES + ':Loan a owl:Class; rdfs:label "loan" .\n'
XML_LOAN = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><owl:Class rdf:about="http://e.example/Xml"><rdfs:label>xml
</rdfs:label></owl:Class></rdf:RDF>"""
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
NT = '<http://e.example/{0}> {1} "{0}" .\n<http://e.example/{0}> ' + RDF_TYPE + " {2} .\n"
OWL_CLASS = "<http://www.w3.org/2002/07/owl#Class>"


def labels(ontology: Ontology) -> list[str]:
    return [concept.label for concept in ontology.concepts]


def test_every_format_is_read_and_what_is_malformed_is_named_with_its_reason(read: Read) -> None:
    triples = NT.format("triples", LABEL, OWL_CLASS)
    json_ld = '{{"@id": "http://e.example/{0}", "@type": "{1}", "{2}": "{0}"}}'
    ontology = read(
        {
            "a.ttl": LOAN,
            "b.rdf": XML_LOAN,
            "c.OWL": XML_LOAN.replace("Xml", "Owl").replace("xml\n", "owl"),
            "d.nt": triples,
            "e.nq": NT.format("quads", LABEL, OWL_CLASS).replace(" .\n", " <http://e.example/g> .\n"),
            "f.trig": PREFIXES + ':g { :T a owl:Class; rdfs:label "trig" }',
            "g.n3": LOAN.replace("Loan", "N").replace("loan", "n3"),
            "h.jsonld": json_ld.format("jsonld", OWL_CLASS[1:-1], LABEL[1:-1]),
            "i.ttl": LOAN + ":Half a owl:Class ; rdfs:lab",
            "j.rdf": XML_LOAN[:-20],
            "k.nt": NT.format("a b", LABEL, OWL_CLASS),
            "l.nt": NT.format("a\\u0007b", LABEL, OWL_CLASS),
            "m.jsonld": '{"@context": "http://127.0.0.1:9/context.jsonld", "@id": "http://e.example/m"}',
            "n.n3": PREFIXES + "{ :a :b ?x } => { ?x :c :d } .",
            "o.ttl": b"\xff\xfe\x00 not text",
            "p.rdf": "",
            "notes.txt": "no RDF",
            "below/q.ttl": LOAN.replace("Loan", "Below").replace('"loan"', '"below"'),
        }
    )
    assert sorted(labels(ontology)) == [
        "below", "jsonld", "loan", "n3", "owl", "quads", "trig", "triples", "xml"
    ]  # fmt: skip
    named = dict(ontology.failed)
    assert set(named) == {
        f"{name}" for name in ("i.ttl", "j.rdf", "k.nt", "l.nt", "m.jsonld", "n.n3", "o.ttl")
    }
    assert all(why and why.isprintable() for why in named.values())
    assert ontology.files == 10 and ontology.triples == 18


def test_the_digest_is_of_what_was_read_whatever_the_files_are_called(read: Read, tmp_path: Path) -> None:
    one = read({"a.ttl": LOAN, "b.rdf": XML_LOAN})
    other = tmp_path / "other"
    other.mkdir()
    (other / "z.ttl").write_text(LOAN)
    (other / "y.rdf").write_text(XML_LOAN)
    assert read_ontology(other).digest == one.digest
    (other / "half.ttl").write_text(LOAN + ":Half a")
    assert read_ontology(other).digest == one.digest
    (other / "z.ttl").write_text(LOAN + "\n")
    assert read_ontology(other).digest != one.digest


@pytest.mark.parametrize("text", ["", PREFIXES, PREFIXES + ":a :b :c .", PREFIXES + "<> a owl:Ontology ."])
def test_what_names_no_concept_is_no_ontology(read: Read, text: str) -> None:
    with pytest.raises(OntologyError, match="names no class"):
        read({"a.ttl": text})


def test_folders_links_and_pipes_named_like_rdf_are_left_alone(read: Read, tmp_path: Path) -> None:
    folder = tmp_path / "ontology"
    (folder / "folder.ttl").mkdir(parents=True)
    os.mkfifo(folder / "pipe.ttl")
    (tmp_path / "elsewhere.ttl").write_text(LOAN)
    (folder / "link.ttl").symlink_to(tmp_path / "elsewhere.ttl")
    (folder / "gone.ttl").symlink_to(tmp_path / "nowhere.ttl")
    (folder / "circle").symlink_to(folder)
    with pytest.raises(OntologyError, match="holds no RDF file"):
        read_ontology(folder)
    with pytest.raises(OntologyError, match="No file or folder"):
        read_ontology(folder / "pipe.ttl")
    with pytest.raises(OntologyError, match="No file or folder"):
        read_ontology(tmp_path / "nowhere")
    assert labels(read_ontology(folder / "link.ttl")) == ["loan"]
    assert read({"real.ttl": LOAN.replace("Loan", "Other")}).files == 1


def test_names_of_files_may_be_any_bytes(read: Read, tmp_path: Path) -> None:
    folder = tmp_path / "ontology"
    folder.mkdir()
    for at, name in enumerate((b"a\nb.ttl", b"c\xe2\x80\xa8d.ttl", b"\xff\xfe.ttl", b"\x1b[31me%.ttl")):
        text = LOAN.replace("Loan", f"Loan{at}") + f"<#relative{at}> a owl:Class ."
        (folder / os.fsdecode(name)).write_text(text)
    ontology = read({"z\x85\nz.ttl": "half"})
    assert ontology.files == 4 and len(ontology.concepts) == 8
    assert [name for name, _ in ontology.failed] == ["z z.ttl"]
    rdf_files.dump_lines(ontology.concepts, ontology.links)
    assert all(concept.file.isprintable() for concept in ontology.concepts)


def test_a_file_without_a_base_is_read_by_its_name(read: Read) -> None:
    ontology = read({"my loans.ttl": LOAN + "<#Mine> a owl:Class ."})
    assert ontology.concepts[0].iri == "file:///my%20loans.ttl#Mine"


def test_a_folder_that_cannot_be_listed_is_said_and_not_left_out(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read({"a.ttl": LOAN, "below/b.ttl": LOAN})
    listed = os.scandir

    def refused(path: Any) -> Any:
        if Path(path).name == "below":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "scandir", refused)  # root, who may be testing, is refused nothing
    with pytest.raises(OntologyError, match=r"Cannot list '.*below': Permission denied"):
        read_ontology(tmp_path / "ontology")


def test_a_file_that_cannot_be_opened_is_named_and_the_rest_is_read(
    read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read({"a.ttl": LOAN})
    gone = tmp_path / "ontology" / "gone.ttl"
    monkeypatch.setattr(rdf_files, "files_of", lambda path: [gone, *files_of(path)])
    ontology = read_ontology(tmp_path / "ontology")
    assert ontology.failed == (("gone.ttl", "No such file or directory"),)
    assert labels(ontology) == ["loan"]


def test_more_files_or_bytes_or_triples_than_are_bearable_are_refused_before_they_are_read(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"a.ttl": LOAN, "b.ttl": LOAN + f"# {'b' * 3000}\n", "c.nt": NT.format("c", LABEL, OWL_CLASS) * 3}
    ontology = read(files, RdfLimits(file_bytes=2000, triples=4))
    assert labels(ontology) == ["loan"]
    assert [why[:12] for _, why in ontology.failed] == ["it has 3,233", "it has more "]
    monkeypatch.setattr(rdf_files, "MAX_FILES", 2)
    with pytest.raises(OntologyError, match="holds more than 2 RDF files"):
        read(files)


def test_a_file_that_takes_too_long_is_named_and_those_around_it_are_read(read: Read) -> None:
    slow = "".join(f":c{at} a owl:Class .\n" for at in range(250_000))
    files = {"a.ttl": LOAN, "b.ttl": PREFIXES + slow, "c.ttl": LOAN.replace("Loan", "Other")}
    ontology = read(files, RdfLimits(seconds=1.0))
    assert ontology.failed == (("b.ttl", rdf_files.TOO_MUCH),)
    assert ontology.files == 2


def test_a_process_that_does_not_begin_is_said_once_and_no_file_blamed(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(OntologyError, match="did not begin"):
        read({f"{at}.ttl": LOAN for at in range(3)})


def test_blank_nodes_nested_deep_end_no_process(read: Read) -> None:
    deep, deep_xml = 50_000, 2_000  # elements take the square of their depth
    nested = "[ :p " * deep + ":End" + " ]" * deep
    restrictions = (
        "[ a owl:Restriction; owl:onProperty :has; owl:someValuesFrom " * deep + ":End" + " ]" * deep
    )
    xml = "<rdf:Description><rdfs:seeAlso>" * deep_xml + "</rdfs:seeAlso></rdf:Description>" * deep_xml
    files = {
        "a.ttl": f"{LOAN} :Loan :p {nested} .",
        "b.ttl": f"{LOAN} :Loan rdfs:subClassOf {restrictions} .",
        "c.rdf": XML_LOAN.replace("</owl:Class>", f"</owl:Class>{xml}"),
        "d.jsonld": '{"http://e.example/p": ' * 500 + "1" + "}" * 500,  # some thousands end the process
        "z.ttl": LOAN.replace('"loan"', '"debt"'),
    }
    ontology = read(files)
    (loan,) = (each for each in ontology.concepts if each.iri == "http://e.example/Loan")
    assert (loan.label, loan.synonyms) == ("loan", ("debt",))
    assert ontology.failed == () and ontology.files == 5


def test_the_reading_process_goes_when_its_reader_is_killed(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(PREFIXES + "".join(f":c{at} a owl:Class .\n" for at in range(200_000)))
    script = (
        "import sys; from pathlib import Path; from tools.ontology.rdf_files import read_ontology; "
        "print('on', flush=True); read_ontology(Path(sys.argv[1]))"
    )
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as reader:
        assert reader.stdout is not None and reader.stdout.readline() == b"on\n"
        children = Path(f"/proc/{reader.pid}/task/{reader.pid}/children")
        while not (found := children.read_text().split()):
            assert reader.poll() is None
        reader.send_signal(signal.SIGKILL)
    child = Path(f"/proc/{found[0]}/stat")
    while child.exists() and child.read_text().rpartition(")")[2].split()[0] != "Z":
        pass
