"""Which printed tables a question is about."""

from __future__ import annotations

from dataclasses import replace

from builders import END, LAST_YEAR, QUARTER, document, figure, parsed, table

from tools.documents.types import Chunk, ParsedDocument, Table
from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.search.table_search import MAX_REPORTS, tables_about
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

ORLA = Scope(("ORLA",))


def shown(item: Table, name: str) -> tuple[Table, Chunk]:
    """A table and the chunk that shows it."""
    chunk = Chunk(name, "", f"{name} table", f"{name} table", (item.page,), "", "table", "")
    return replace(item, markdown=f"{name} table"), chunk


def report(number: int, *tables: tuple[Table, Chunk], key: str = "ORLA", end: object = END) -> ParsedDocument:
    doc = document(key, number=number, company=f"{key.title()} Corporation", aliases=(), end=end)  # type: ignore[arg-type]
    chunks = tuple(replace(chunk, document_id=doc.id) for _, chunk in tables)
    return parsed(doc, *(item for item, _ in tables), chunks=chunks)


def build(*items: ParsedDocument) -> KnowledgeGraph:
    triplets = [triplet for item in items for triplet in table_triplets(item)]
    return KnowledgeGraph.build(triplets, {item.document.id: item.document for item in items})


def income(name: str = "income", end: Period = QUARTER) -> tuple[Table, Chunk]:
    return shown(table("income", figure("Net sales", "900", end), figure("Net income", "90", end)), name)


def leases(name: str = "leases") -> tuple[Table, Chunk]:
    return shown(
        table(
            "other",
            figure("Operating lease cost", "7"),
            figure("Variable lease cost", "2"),
            title="Lease cost",
        ),
        name,
    )


def regions(name: str = "regions") -> tuple[Table, Chunk]:
    facts = (figure("Northlands", "600"), figure("Southmark", "300"))
    return shown(table("other", *facts, title="Net sales by geographic region"), name)


GRAPH = build(report(1, income(), leases(), regions()))


def test_the_table_that_holds_what_is_asked_for_comes_first() -> None:
    assert tables_about(GRAPH, "What made up Orla's variable lease cost?", ORLA, 3)[0] == "leases"
    assert tables_about(GRAPH, "What were Orla's net income and net sales?", ORLA, 3)[0] == "income"


def test_a_breakdown_that_is_asked_for_lifts_the_table_that_gives_it() -> None:
    assert tables_about(GRAPH, "Orla's net sales and net income", ORLA, 3)[0] == "income"
    assert tables_about(GRAPH, "Orla's net sales and net income by region", ORLA, 3)[0] == "regions"


def test_a_statement_is_found_by_its_name_alone() -> None:
    assert tables_about(GRAPH, "Orla's income statement?", ORLA, 3) == ["income"]
    assert tables_about(GRAPH, "Orla's balance sheet?", ORLA, 3) == []


def test_a_question_that_no_table_covers_finds_none() -> None:
    assert tables_about(GRAPH, "Who leads Orla?", ORLA, 3) == []


def test_without_a_company_nothing_is_looked_at() -> None:
    assert tables_about(GRAPH, "What were net sales?", Scope(), 3) == []


def test_the_latest_report_is_taken_unless_a_period_is_named() -> None:
    before = report(2, income("earlier", Period(LAST_YEAR, 3, 2022, 3)), end=LAST_YEAR)
    graph = build(report(1, income()), before)
    assert tables_about(graph, "What were Orla's net sales?", ORLA, 3) == ["income"]
    then = Scope(("ORLA",), (PeriodFilter(end=LAST_YEAR),))
    assert tables_about(graph, "What were Orla's net sales?", then, 3) == ["earlier"]


def test_reports_take_turns_and_few_of_them_have_one_table_each_also_beyond_k() -> None:
    two = build(report(1, income("one"), regions("one more")), report(2, income("two"), key="KEST"))
    both = Scope(("ORLA", "KEST"))
    found = tables_about(two, "net sales", both, 2)
    assert sorted(found) in (["one", "two"], ["one more", "two"])
    assert len(tables_about(two, "net sales", both, 1)) == 2
    many = [f"K{n}" for n in range(MAX_REPORTS + 1)]
    graph = build(*(report(n, income(key), key=key) for n, key in enumerate(many)))
    assert len(tables_about(graph, "net sales", Scope(tuple(many)), 1)) == 1


def test_a_table_whose_figures_may_not_answer_is_found_all_the_same() -> None:
    item = shown(
        table("other", figure("Backlog", "900", Period()), figure("Orders", "9", unit="?")), "backlog"
    )
    graph = build(report(1, item, income()))
    found = tables_about(graph, "What was the backlog?", ORLA, 1)
    assert [graph_chunk.split(" ")[0] for graph_chunk in found] == ["backlog"]
