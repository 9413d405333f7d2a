from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from builders import END, document, figure, filing, parsed, table

from tools.documents.types import ParsedDocument, Participant
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import GRAPH_FILE, KnowledgeGraph
from tools.knowledge.graph.lookups import COLUMNS_FILE, LOOKUPS_FILE, STARTS_FILE
from tools.knowledge.graph.triplet_rows import GraphFormatError
from tools.knowledge.graph.triplets import dump_triplet, load_triplet
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.types import Triplet
from tools.periods import PeriodFilter
from tools.scope import Scope

PEOPLE = (Participant("Max Broden", "Treasurer", "Acme Inc.", 1, False),)
A, B, C = filing("ACME"), filing("BOLT"), parsed(document(number=3, doc_type="call"), people=PEOPLE)


def triplets_of(*documents: ParsedDocument) -> list[Triplet]:
    return [triplet for item in documents for triplet in LocalExtractor().extract(item)]


def build(*documents: ParsedDocument) -> KnowledgeGraph:
    return KnowledgeGraph.build(
        triplets_of(*documents), {item.document.id: item.document for item in documents}
    )


def test_the_same_triplets_in_any_order_give_the_same_bytes() -> None:
    triplets = triplets_of(A, B, C)
    shuffled = random.Random(1).sample(triplets, len(triplets)) + triplets[:5]
    documents = {item.document.id: item.document for item in (C, A, B)}
    assert KnowledgeGraph.build(shuffled, documents).digest() == build(A, B, C).digest()


def test_a_graph_without_a_document_equals_one_that_never_had_it() -> None:
    kept = {item.document.id: item.document for item in (A, C)}
    removed = KnowledgeGraph.build(triplets_of(A, B, C), kept)
    assert removed.digest() == build(A, C).digest()
    assert not any("BOLT" in entity.key or "Bolt" in entity.name for entity in removed.entities)


def test_a_saved_graph_loads_equal(tmp_path: Path) -> None:
    graph = build(A, B, C)
    graph.save(tmp_path)
    loaded = KnowledgeGraph.load(tmp_path)
    assert loaded.digest() == graph.digest()
    assert loaded.triplets() == graph.triplets()
    assert sorted(loaded.triplets(), key=lambda t: t.id) == sorted(triplets_of(A, B, C), key=lambda t: t.id)


@pytest.mark.parametrize("kept", ["as it is asked", "whole"])
def test_a_saved_graph_is_asked_as_the_one_that_was_built(tmp_path: Path, kept: str) -> None:
    graph = build(A, B, C)
    graph.save(tmp_path)
    if kept == "whole":  # as an earlier version left it
        for name in (STARTS_FILE, COLUMNS_FILE, LOOKUPS_FILE):
            (tmp_path / name).unlink()
    loaded = KnowledgeGraph.load(tmp_path)
    for name in (
        "names", "surnames", "line_items", "rows_of_chunk", "rows_of_id", "label_words", "label_metrics",
        "rows_of_company", "edges_of", "entity_positions",
    ):  # fmt: skip
        built, read = getattr(graph, name), getattr(loaded, name)
        assert dict(read) == dict(built)
        assert built or name == "rows_of_chunk"
        assert len(read) == len(built)
        for unknown in (-1,) if name == "edges_of" else ("", "no such", "\ud800", "metric:zzz"):
            assert unknown not in read and read.get(unknown) is None
    assert list(loaded.entities) == list(graph.entities)
    assert (loaded.stats(), loaded.documents) == (graph.stats(), graph.documents)
    scope = Scope(("BOLT",))
    for row, triplet in enumerate(graph.triplets()):
        assert loaded.triplet(row) == triplet
        assert loaded.is_figure(row) == (triplet.value is not None)
        assert loaded.admits(row, scope) == (triplet.company_key == "BOLT")


def test_a_question_reads_the_triplets_it_looks_at_and_no_others(tmp_path: Path) -> None:
    graph = build(A, B)
    graph.save(tmp_path)
    file, starts = tmp_path / GRAPH_FILE, np.load(tmp_path / STARTS_FILE)
    data, first = bytearray(file.read_bytes()), len(starts) - 1 - len(graph)
    for row in graph.rows_of_company["ACME"]:
        start, end = starts[first + row : first + row + 2]
        data[start : end - 1] = b"x" * (end - 1 - start)
    file.write_bytes(data)
    loaded, bolt = KnowledgeGraph.load(tmp_path), Scope(("BOLT",))
    asked = "What were total net sales?"
    assert kg_search(loaded, asked, bolt) == kg_search(graph, asked, bolt) != []
    with pytest.raises(GraphFormatError, match="a part of the graph cannot be read"):
        kg_search(loaded, asked, Scope(("ACME",)))


@pytest.mark.parametrize(
    "documents", [(), (parsed(document()),)], ids=["no document", "a document without triplets"]
)
def test_a_graph_of_nothing_is_saved_and_finds_nothing(
    documents: tuple[ParsedDocument, ...], tmp_path: Path
) -> None:
    build(*documents).save(tmp_path)
    loaded = KnowledgeGraph.load(tmp_path)
    assert len(loaded) == len(loaded.names) == 0 and loaded.stats() == build(*documents).stats()
    assert kg_search(loaded, "What were total net sales?", Scope()) == loaded.find_entity("Acme Inc.") == []


@pytest.mark.parametrize("kept", [0, 50, -8])
@pytest.mark.parametrize("name", [GRAPH_FILE, STARTS_FILE, COLUMNS_FILE, LOOKUPS_FILE])
def test_a_file_that_was_cut_short_is_damage_before_anything_is_asked(
    name: str, kept: int, tmp_path: Path
) -> None:
    build(A).save(tmp_path)
    (tmp_path / name).write_bytes((tmp_path / name).read_bytes()[:kept])
    with pytest.raises(GraphFormatError, match="Build the index again"):
        KnowledgeGraph.load(tmp_path)


@pytest.mark.parametrize("harm", ["another order", "other columns"])
def test_what_lies_beside_a_graph_has_to_be_its_own(harm: str, tmp_path: Path) -> None:
    build(A).save(tmp_path)
    starts, columns = np.load(tmp_path / STARTS_FILE), np.load(tmp_path / COLUMNS_FILE)
    if harm == "another order":
        starts[3:5] = starts[4], starts[3]
    np.save(tmp_path / STARTS_FILE, starts)
    np.save(tmp_path / COLUMNS_FILE, columns[:, 1:] if harm == "other columns" else columns)
    with pytest.raises(GraphFormatError, match="Build the index again"):
        KnowledgeGraph.load(tmp_path)


def test_another_format_version_is_refused(tmp_path: Path) -> None:
    build(A).save(tmp_path)
    file = tmp_path / GRAPH_FILE
    file.write_bytes(file.read_bytes().replace(b'"version":3', b'"version":99', 1))
    with pytest.raises(GraphFormatError, match="version 99"):
        KnowledgeGraph.load(tmp_path)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-40], lambda data: data.replace(b"[", b"", 1), lambda _: b""]
)
def test_a_damaged_graph_is_refused(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    build(A).save(tmp_path)
    file = tmp_path / GRAPH_FILE
    file.write_bytes(damage(file.read_bytes()))
    with pytest.raises(GraphFormatError):
        KnowledgeGraph.load(tmp_path)


def test_a_triplet_survives_its_json_line() -> None:
    for triplet in triplets_of(A, C):
        assert load_triplet(dump_triplet(triplet)) == triplet


def test_every_edge_of_the_network_is_a_triplet_between_known_nodes() -> None:
    graph = build(A, B, C)
    assert graph.network.number_of_nodes() == len(graph.entities)
    assert graph.network.number_of_edges() == len(graph)
    assert all(graph.network.nodes[node]["entity"].key == node for node in graph.network)


def test_neighbourhood_keeps_to_the_scope_in_edges_and_nodes() -> None:
    graph = build(A, B)
    scope = Scope(("ACME",), (PeriodFilter(end=END, months=3),))
    found = graph.neighbourhood("company:ACME", depth=2, scope=scope)
    assert found
    assert all(t.company_key == "ACME" and t.period.months in {3, None} for t in found)


def test_a_walk_does_not_pass_through_a_shared_number() -> None:
    one = parsed(document("ACME"), table("income", figure("Net sales", "5")))
    other = parsed(document("BOLT"), table("income", figure("Net income", "5")))
    found = build(one, other).neighbourhood("metric:ACME:revenue", depth=4)
    assert {t.company_key for t in found} == {"ACME"}


def test_stats_name_the_documents_that_yielded_nothing() -> None:
    empty = parsed(document(number=9))
    stats = build(A, empty).stats()
    assert stats.without_triplets == ("ACME-9.pdf",)
    assert (
        stats.triplets == sum(stats.triplets_by_document.values()) == sum(stats.triplets_by_relation.values())
    )
    assert stats.nodes == sum(stats.nodes_by_type.values())


def test_find_entity_knows_names_aliases_and_metrics() -> None:
    graph = build(A, C)
    assert graph.find_entity("acme")[0].key == "company:ACME"
    assert graph.find_entity("Total revenue")[0].key == "metric:ACME:revenue"
    assert graph.find_entity("Broden")[0].name == "Max Broden"
    assert graph.find_entity("Broden", Scope(("BOLT",))) == []


def test_aliases_keep_the_document_they_came_from() -> None:
    metric = next(e for e in build(A).entities if e.key == "metric:ACME:revenue")
    assert ("Total net sales", A.document.id) in metric.aliases
