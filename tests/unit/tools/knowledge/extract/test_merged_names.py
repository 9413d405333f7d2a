"""What a model names in several chunks and documents is one node of the graph."""

from __future__ import annotations

import json
import re
from pathlib import Path

from builders import document, parsed, prose

from tools.documents.types import Document
from tools.knowledge.extract.model_extractor import ModelExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.triplets import dump_triplet, load_triplet
from tools.knowledge.search.kg_search import kg_search
from tools.knowledge.types import Triplet
from tools.model.types import Message, Reply
from tools.scope import Scope

ORLA = {"company": "Orla Devices, Inc.", "aliases": ("Orla Devices", "Orla")}
FIRST, SECOND = (document("ORLA", number=n, title="Orla Devices", **ORLA) for n in (1, 2))
OTHER = document("BOLT")


class Fixed:
    """Says these (head, head type, relation, tail, tail type, quote), of which each chunk keeps its own."""

    id = "fixed"
    context = None

    def __init__(self, *rows: tuple[str, ...]) -> None:
        names = ("head", "head_type", "relation", "tail", "tail_type", "quote")
        self.items = [dict(zip(names, row, strict=True)) for row in rows]

    def complete(
        self, messages: tuple[Message, ...], *, schema: object = None, max_tokens: int | None = None
    ) -> Reply:
        return Reply(json.dumps({"triplets": self.items}))


def extracted(of: Document, text: str, *rows: tuple[str, ...]) -> list[Triplet]:
    found = ModelExtractor(chat=Fixed(*rows)).extract(parsed(of, chunks=(prose(of, text),)))
    return [t for t in found if re.match(r"hire|certif|acquire|lead|led", t.relation)]


def graph() -> KnowledgeGraph:
    one = extracted(
        FIRST,
        "Orla Devices, Inc. acquired Kestrel Pumps LLC in May. The Company hired Ada M. Quill as its treasurer.",
        ("Orla Devices, Inc.", "company", "acquire", "Kestrel Pumps LLC", "company", "acquired Kestrel Pumps LLC"),
        ("the Company", "company", "hire", "Ada M. Quill", "person", "The Company hired Ada M. Quill"),
    )  # fmt: skip
    two = extracted(
        SECOND,
        "Ada Quill led the Vela line of pumps at Orla Devices. Kestrel Pumps was certified by Dogwood Labs in June.",
        ("Ada Quill", "person", "lead", "Vela line", "product", "Ada Quill led the Vela line"),
        ("Dogwood Labs", "company", "certify", "Kestrel Pumps", "company", "certified by Dogwood Labs"),
    )  # fmt: skip
    three = extracted(
        OTHER,
        "We hired Ada Quill in May of that year. Orla Devices acquired the Gum line of valves from Bolt Corporation.",
        ("we", "company", "hire", "Ada Quill", "person", "We hired Ada Quill"),
        ("Orla Devices", "company", "acquire", "Gum line", "product", "Orla Devices acquired the Gum line"),
    )
    assert [len(found) for found in (one, two, three)] == [2, 2, 2]
    return KnowledgeGraph.build([*one, *two, *three], {d.id: d for d in (FIRST, SECOND, OTHER)})


def nodes(of: KnowledgeGraph, kind: str) -> dict[str, set[str]]:
    """Key -> the names under which the documents have it."""
    return {entity.key: {name for name, _ in entity.aliases} for entity in of.entities if entity.type == kind}


def test_a_company_is_one_node_whether_it_is_named_in_full_in_short_or_as_the_company() -> None:
    companies = nodes(graph(), "company")
    assert companies["company:ORLA"] == {"Orla Devices, Inc.", "Orla Devices"}
    assert companies["company:kestrel pumps"] == {"Kestrel Pumps LLC", "Kestrel Pumps"}
    assert len(companies) == 4


def test_a_person_of_two_documents_is_one_node_within_a_company_and_another_one_elsewhere() -> None:
    assert nodes(graph(), "person") == {
        "person:ORLA:ada m quill": {"Ada M. Quill", "Ada Quill"},
        "person:BOLT:ada quill": {"Ada Quill"},
    }


def test_what_merged_names_relate_to_is_one_neighbourhood() -> None:
    found = graph().neighbourhood("person:ORLA:ada m quill")
    assert {(t.head, t.relation, t.tail, t.document) for t in found} == {
        ("Orla Devices, Inc.", "hired", "Ada M. Quill", FIRST.name),
        ("Ada Quill", "led", "Vela line", SECOND.name),
    }


def test_a_question_finds_a_relation_by_a_verb_outside_the_curated_set() -> None:
    for question in ("Who certified Kestrel Pumps?", "Who certified what for Orla Devices?"):
        found = kg_search(graph(), question, Scope(companies=("ORLA",)))
        assert any(item.text.startswith("Dogwood Labs certified Kestrel Pumps") for item in found), question


def test_dates_and_amounts_survive_the_graphs_file(tmp_path: Path) -> None:
    text = "Orla Devices, Inc. acquired Kestrel Pumps LLC in May 2022 for $52 million."
    fixed = Fixed(("Orla", "company", "acquire", "Kestrel Pumps LLC", "company", text[:-1]))
    fixed.items[0] |= {"date": "in May 2022", "amount": "$52 million"}
    found = ModelExtractor(chat=fixed).extract(parsed(FIRST, chunks=(prose(FIRST, text),)))
    (kept,) = [t for t in found if t.relation == "acquired"]
    assert (kept.date, kept.amount) == ("in May 2022", "$52 million")
    KnowledgeGraph.build(found, {FIRST.id: FIRST}).save(tmp_path)
    assert kept in KnowledgeGraph.load(tmp_path).triplets()
    assert load_triplet(dump_triplet(kept)) == kept
