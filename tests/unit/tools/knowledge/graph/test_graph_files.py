from __future__ import annotations

import csv
import io
import tracemalloc
from pathlib import Path

import networkx as nx
import pyoxigraph

from tests.drawn_graphs import ACME, HOSTILE, graph, triplets
from tools.knowledge.graph.graph_files import write_edges, write_graphml, write_jsonld, write_nodes
from tools.knowledge.graph.triplets import make_triplet

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
GRAPH = graph()


def table(write: object) -> list[dict[str, str]]:
    assert callable(write)
    file = io.BytesIO()
    write(GRAPH, file)
    return list(csv.DictReader(io.StringIO(file.getvalue().decode(), newline="")))


def test_graphml_can_be_read_back_with_every_fact_and_its_page(tmp_path: Path) -> None:
    noisy = graph([*triplets(), make_triplet(
        ACME, ("Acme Inc.", "company"), "sold", ("a\x00b\ufffe\nc", "product"), page=5, quote="x",
    )])  # fmt: skip
    with (tmp_path / "graph.graphml").open("wb") as file:
        write_graphml(noisy, file)
    read = nx.read_graphml(tmp_path / "graph.graphml", force_multigraph=True)
    assert read.is_directed() and read.number_of_edges() == len(noisy)
    assert {data["name"] for _, data in read.nodes(data=True)} >= {HOSTILE, "ab\nc", "Acme Inc."}
    assert all(data["page"] >= 1 and data["document"] for _, _, data in read.edges(data=True))


def test_jsonld_is_statements_with_their_places_to_any_reader_of_rdf() -> None:
    file = io.BytesIO()
    write_jsonld(GRAPH, file)
    store = pyoxigraph.Store()
    store.load(file.getvalue(), pyoxigraph.RdfFormat.JSON_LD)
    facts = {quad.subject for quad in store.quads_for_pattern(
        None, None, pyoxigraph.NamedNode(f"{RDF}Statement"), None)}  # fmt: skip
    assert len(facts) == len(GRAPH)
    found = store.query(
        f"PREFIX rdf: <{RDF}> PREFIX : <urn:hybridrag:term:> SELECT ?value ?document ?page ?quote WHERE {{ ?fact "
        "rdf:subject [:name 'Net sales']; rdf:object ?tail; :value ?value; :document ?document; :page ?page; "
        ":quote ?quote }"
    )
    assert isinstance(found, pyoxigraph.QuerySolutions)
    ((value, where, page, quote),) = [tuple(row) for row in found]
    assert str(value) == '"81797"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    assert (where.value, page.value, quote.value) == ("ACME.pdf", "4", "Net sales 81,797")
    names = {quad.object.value for quad in store.quads_for_pattern(
        None, pyoxigraph.NamedNode("urn:hybridrag:term:name"), None, None)}  # fmt: skip
    assert HOSTILE in names


def test_both_ends_of_an_edge_are_ids_of_nodes_and_nothing_is_a_formula() -> None:
    nodes, edges = table(write_nodes), table(write_edges)
    ids = {node["id"] for node in nodes}
    assert len(ids) == len(nodes) == len(GRAPH.entities) and len(edges) == len(GRAPH)
    assert {edge[end] for edge in edges for end in ("head", "tail")} <= ids
    assert "'=1+1" in {edge["quote"] for edge in edges}
    assert HOSTILE in {node["name"] for node in nodes}


def test_a_negative_figure_stays_a_number_and_what_a_spreadsheet_computes_is_text() -> None:
    cells = {"-5": "-5", "-2+3": "'-2+3", "@SUM(A1)": "'@SUM(A1)", "\tx": "'\tx", "-1,234.5 %": "-1,234.5 %"}
    cells |= {computed: f"'{computed}" for computed in ("\n=1", "\uff1d1", "\uff0b1", "\uff20A1", "\uff0dA1")}
    made = [
        make_triplet(ACME, ("Acme Inc.", "company"), "sold", (f"p{at}", "product"), page=1, quote=cell)
        for at, cell in enumerate(cells)
    ]
    file = io.BytesIO()
    write_edges(graph(made), file)
    rows = csv.DictReader(io.StringIO(file.getvalue().decode(), newline=""))
    assert {row["quote"] for row in rows} == set(cells.values())


def test_a_large_graph_is_written_in_little_memory() -> None:
    class Nowhere(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            return len(data)  # type: ignore[arg-type]

    quote = "A sentence of a document that goes on and on. " * 12
    large = graph([
        make_triplet(ACME, ("Acme Inc.", "company"), "sold", (f"thing {at}", "product"), page=1, quote=f"{quote}{at}")
        for at in range(1_500)
    ])  # fmt: skip
    for write in (write_graphml, write_jsonld, write_edges):
        tracemalloc.start()
        write(large, Nowhere())  # type: ignore[arg-type]
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 200_000, write.__name__
