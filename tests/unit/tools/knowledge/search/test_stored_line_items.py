from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from builders import filing

from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.lines_on_disk import Lines
from tools.knowledge.graph.triplet_rows import GraphFormatError
from tools.knowledge.search.line_items import CompanyFacts, company_facts, told_from_graph
from tools.knowledge.search.stored_line_items import FILE, save_line_items, use_line_items

PARSED = (filing("ACME"), filing("BOLT"))


def graph() -> KnowledgeGraph:
    """A graph that nothing is known of yet."""
    triplets = [triplet for each in PARSED for triplet in LocalExtractor().extract(each)]
    return KnowledgeGraph.build(triplets, {each.document.id: each.document for each in PARSED})


def use(of: KnowledgeGraph, folder: Path, code: str = "one") -> None:
    use_line_items(of, folder, code, GraphFormatError)


def whole(facts: CompanyFacts) -> CompanyFacts:
    return replace(facts, items=tuple(facts.items))


def test_what_is_read_is_what_the_graph_tells(tmp_path: Path) -> None:
    asked = graph()
    save_line_items(asked, tmp_path, "one")
    use(asked, tmp_path)
    for key in ("ACME", "BOLT"):
        told, read = told_from_graph(asked, key), company_facts(asked, key)
        assert isinstance(read.items, Lines) and len(read.items) == len(told.items) > 10
        assert whole(read) == told
        for each in fields(CompanyFacts):
            if not isinstance(getattr(told, each.name), dict | tuple):
                assert type(getattr(read, each.name)) is type(getattr(told, each.name))
        assert hash(read.items[0]) == hash(told.items[0])
        assert next(iter(told.by_word)) in read.by_word and "no such" not in read.by_word


def test_items_that_were_gone_through_are_kept(tmp_path: Path) -> None:
    asked = graph()
    save_line_items(asked, tmp_path, "one")
    use(asked, tmp_path)
    items = company_facts(asked, "ACME").items
    assert all(one is other for one, other in zip(items, items, strict=True))


def test_a_company_that_is_not_there_has_none(tmp_path: Path) -> None:
    asked = graph()
    save_line_items(asked, tmp_path, "one")
    use(asked, tmp_path)
    assert company_facts(asked, "NOBODY").items == ()


@pytest.mark.parametrize("code", ["two", None])
def test_what_other_code_told_is_not_read(tmp_path: Path, code: str | None) -> None:
    asked = graph()
    if code:
        save_line_items(asked, tmp_path, code)
    use(asked, tmp_path)
    assert company_facts(asked, "ACME") == told_from_graph(asked, "ACME")


def test_the_same_graph_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        save_line_items(graph(), tmp_path / name, "one")
    assert (tmp_path / "a" / FILE).read_bytes() == (tmp_path / "b" / FILE).read_bytes()


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    asked = graph()
    told = told_from_graph(asked, "ACME")
    save_line_items(asked, tmp_path, "one")
    head, index, first, *rest = (tmp_path / FILE).read_bytes().splitlines(keepends=True)

    def damaged(*lines: bytes) -> KnowledgeGraph:
        (tmp_path / FILE).write_bytes(b"".join(lines))
        again = graph()
        use(again, tmp_path)
        return again

    with pytest.raises(ValueError, match="the line items of the graph cannot be read"):
        damaged(b"x" + head[1:], index, first, *rest)
    with pytest.raises(GraphFormatError, match="the line items of ACME cannot be read"):
        company_facts(damaged(head, b"x" * len(index), first, *rest), "ACME")
    other = re.sub(rb'(":")\d', rb"\1x", index, count=1)
    assert other != index
    with pytest.raises(GraphFormatError, match=r"the line items called '.*' cannot be read"):
        [
            company_facts(damaged(head, other, first, *rest), "ACME").by_canonical[name]
            for name in told.by_canonical
        ]
    again = damaged(head, index, b"[" + b"1" * (len(first) - 3) + b"]\n", *rest)
    with pytest.raises(GraphFormatError, match="line 1 of a part of the graph cannot be read"):
        company_facts(again, "ACME").items[0]
