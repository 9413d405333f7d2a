"""Accounts of two invented companies, small enough to compute with by hand: what there is of them to calculate from.

Orla's fiscal year ends in December. Its third and fourth quarters are printed only within longer spans, research of the
half year only by quarters. Tilbrook pays its interest in euros and prints no current liabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from tools.calculate.compute import compute
from tools.calculate.operands import Figures
from tools.calculate.types import Asked, Calculation, Computed, When
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import DocType, Document
from tools.evidence import Evidence
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

NAMES = {"ORLA": "Orla Devices, Inc.", "TILB": "Tilbrook Stores, Inc."}


def document(key: str, end: date, doc_type: DocType) -> Document:
    return Document(
        id=f"{key}-{doc_type}-{end}",
        name=f"{key}-{end}.pdf",
        path=f"{key}-{end}.pdf",
        title=NAMES[key],
        company=NAMES[key],
        company_key=key,
        ticker=key,
        aliases=(NAMES[key].split()[0],),
        doc_type=doc_type,
        fiscal_year=end.year,
        fiscal_quarter=None if doc_type == "10-K" else end.month // 3,
        period_end=end,
        pages=90,
    )


def ended(year: int, month: int = 12, months: int | None = 12) -> Period:
    day = 30 if month in (6, 9) else 31
    return Period(date(year, month, day), months, year, month // 3)


def line(
    source: Document,
    label: str,
    values: dict[Period, str],
    *,
    statement: str = "income",
    page: int = 40,
    path: tuple[str, ...] = (),
    unit: str = "USD",
    scale: int = 6,
    title: str = "CONSOLIDATED STATEMENTS",
) -> list[Triplet]:
    """A row of a table: a figure for each of its columns."""
    return [
        make_triplet(
            source,
            (label, "metric"),
            "was",
            (value, "value"),
            page=page,
            quote=f"{label} {value}",
            chunk_id=f"{source.id}-{page}",
            period=period,
            value=value,
            unit=unit,
            scale=scale,
            printed=value,
            path=path,
            statement=statement,
            title=title,
        )
        for period, value in values.items()
    ]


ANNUAL = document("ORLA", date(2023, 12, 31), "10-K")
THIRD = document("ORLA", date(2023, 9, 30), "10-Q")
SECOND = document("ORLA", date(2023, 6, 30), "10-Q")
FIRST = document("ORLA", date(2023, 3, 31), "10-Q")
TILBROOK = document("TILB", date(2023, 12, 31), "10-K")
Y21, Y22, Y23 = ended(2021), ended(2022), ended(2023)
AT22, AT23 = ended(2022, months=0), ended(2023, months=0)
Q1, Q2 = ended(2023, 3, 3), ended(2023, 6, 3)
SIX, NINE = ended(2023, 6, 6), ended(2023, 9, 9)

BALANCE: dict[str, Any] = {"statement": "balance", "page": 42}
PARTS: dict[str, Any] = {
    "statement": "segment",
    "page": 60,
    "title": "Information by geographic segment",
}

TRIPLETS: list[Triplet] = [
    *line(ANNUAL, "Total net revenue", {Y23: "4000", Y22: "3200", Y21: "2500"}),
    *line(ANNUAL, "Cost of sales", {Y23: "2400", Y22: "2000", Y21: "1500"}),
    *line(ANNUAL, "Research and development", {Y23: "500", Y22: "450", Y21: "400"}),
    *line(ANNUAL, "Operating income", {Y23: "900", Y22: "-100", Y21: "300"}),
    *line(ANNUAL, "Net income", {Y23: "640", Y22: "-150", Y21: "210"}),
    *line(ANNUAL, "Total current assets", {AT23: "1800", AT22: "1500"}, **BALANCE),
    *line(ANNUAL, "Total current liabilities", {AT23: "1200", AT22: "1250"}, **BALANCE),
    *line(ANNUAL, "Inventories", {AT23: "300", AT22: "200"}, **BALANCE),
    *line(ANNUAL, "Total assets", {AT23: "5000", AT22: "4500"}, **BALANCE),
    *line(ANNUAL, "Effective tax rate", {Y23: "21.5"}, unit="percent", scale=0, page=55, statement="other"),
    *line(ANNUAL, "Provision for income taxes", {Y23: "160"}),
    *line(ANNUAL, "Income before income taxes", {Y23: "800"}),
    *line(ANNUAL, "Net revenue", {Y23: "2200", Y22: "1900"}, path=("Americas",), **PARTS),
    *line(ANNUAL, "Net revenue", {Y23: "1100", Y22: "800"}, path=("Europe",), **PARTS),
    *line(ANNUAL, "Net revenue", {Y23: "700", Y22: "500"}, path=("Asia Pacific",), **PARTS),
    *line(ANNUAL, "Total net revenue", {Y23: "4000", Y22: "3200"}, **PARTS),
    *line(FIRST, "Total net revenue", {Q1: "900"}),
    *line(FIRST, "Research and development", {Q1: "120"}),
    *line(SECOND, "Total net revenue", {Q2: "950", SIX: "1850"}),
    *line(SECOND, "Research and development", {Q2: "130"}),
    *line(THIRD, "Total net revenue", {NINE: "2850"}),
    *line(THIRD, "Restructuring charges", {NINE: "30"}),
    *line(TILBROOK, "Total net revenue", {Y23: "900", Y22: "1000"}),
    *line(TILBROOK, "Net income", {Y23: "90", Y22: "80"}),
    *line(TILBROOK, "Operating income", {Y23: "120", Y22: "110"}),
    *line(TILBROOK, "Interest expense", {Y23: "10"}, unit="EUR"),
    *line(TILBROOK, "Total current assets", {AT23: "400"}, **BALANCE),
]
DOCUMENTS = {each.id: each for each in (ANNUAL, THIRD, SECOND, FIRST, TILBROOK)}
CATALOG = Catalog(
    list(DOCUMENTS.values()),
    {key: {each.period for each in TRIPLETS if each.company_key == key} for key in NAMES},
)
GRAPH = KnowledgeGraph.build(TRIPLETS, DOCUMENTS)


def graph_of(*rows: list[Triplet]) -> KnowledgeGraph:
    """Another graph of the same documents, for what the accounts above do not have."""
    return KnowledgeGraph.build([each for row in rows for each in row], DOCUMENTS)


def year(number: int) -> When:
    return When((PeriodFilter(fiscal_year=number),), 12)


def quarter(number: int, of: int = 2023) -> When:
    return When((PeriodFilter(fiscal_year=of, fiscal_quarter=number),), 3)


def of_any_length(number: int) -> When:
    return When((PeriodFilter(fiscal_year=number),))


HALF = When((PeriodFilter(fiscal_year=2023, fiscal_quarter=2),), 6)


def made(
    asked: Asked,
    *whens: When,
    companies: Sequence[str] = ("ORLA",),
    within: Scope | None = None,
    graph: KnowledgeGraph = GRAPH,
) -> tuple[list[Evidence], tuple[str, ...]]:
    """What `compute` finds, each piece with its rank, and what it missed."""
    figures = Figures(graph, within or Scope())
    found, missing = compute(asked, figures, CATALOG, companies, dict.fromkeys(companies, whens))
    return [item.model_copy(update={"rank": n}) for n, item in enumerate(found, start=1)], missing


def calculation(asked: Asked, *whens: When, **more: Any) -> Calculation:
    """The calculation that comes out, where one does."""
    found, missing = made(asked, *whens, **more)
    assert found and found[0].calculation is not None, missing
    return found[0].calculation


def result(asked: Asked, *whens: When, **more: Any) -> Computed:
    """Its only result."""
    (only,) = calculation(asked, *whens, **more).results
    return only


def ranks_of(found: Sequence[Evidence]) -> dict[str, str]:
    """Item id -> marker."""
    return {item.item_id: f"[{item.rank}]" for item in found}
