"""Small pieces of evidence of a fictional company, as both tools return them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tools.evidence import Evidence, EvidenceKind, Fact
from tools.periods import Period
from tools.quantities import render_quantity

NOW = date(2024, 6, 29)
THEN = date(2023, 7, 1)


def _fact(
    rank: int,
    metric: str,
    value: str,
    *,
    end: date = NOW,
    months: int | None = 3,
    path: tuple[str, ...] = (),
    unit: str = "USD",
    scale: int = 6,
    company: str = "Orla Devices, Inc.",
    key: str = "ORLA",
    match: float = 0.95,
    statement: str = "income",
    title: str = "CONSOLIDATED STATEMENTS OF OPERATIONS",
    document: str = "orla.pdf",
    concept: str = "",
) -> Evidence:
    """A figure of a table."""
    period = Period(end, months, end.year, 2)
    name = ", ".join((company, *path, metric, period.describe()))
    return Evidence(
        rank=rank,
        source="graph",
        text=f"{name}: {render_quantity(value, unit, scale)} ({title})",
        document=document,
        document_id=document,
        page=4,
        score=match,
        item_id=f"f{rank}",
        kind="fact",
        company_key=key,
        company=company,
        doc_type="10-Q",
        period=period,
        section=title,
        fact=Fact(
            metric=metric,
            path=path,
            value=value,
            unit=unit,
            scale=scale,
            printed=value,
            period=period,
            concept=concept,
            statement=statement,
            match=match,
        ),
    )


def _chunk(
    rank: int,
    text: str,
    kind: EvidenceKind = "prose",
    section: str = "Part I, Item 2 - MD&A",
    company: str = "Orla Devices, Inc.",
    key: str = "ORLA",
    score: float = 0.7,
) -> Evidence:
    """A passage."""
    return Evidence(
        rank=rank,
        source="vector" if kind != "relation" else "graph",
        text=text,
        document="orla.pdf",
        document_id="orla.pdf",
        page=7,
        score=score,
        item_id=f"c{rank}",
        kind=kind,
        company_key=key,
        company=company,
        doc_type="10-Q",
        period=Period(NOW, None, 2024, 2),
        section=section,
    )


@pytest.fixture
def fact() -> Callable[..., Evidence]:
    """`fact(rank, metric, value, ...)`: a figure of a table."""
    return _fact


@pytest.fixture
def chunk() -> Callable[..., Evidence]:
    """`chunk(rank, text, kind, ...)`: a passage."""
    return _chunk


@pytest.fixture
def orla() -> list[Evidence]:
    """Figures, prose, an exchange and a table of one fictional company."""
    return [
        _fact(1, "Total net revenue", "4812"),
        _fact(2, "Total net revenue", "4390", end=THEN),
        _fact(3, "Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0),
        _fact(4, "Net income (loss)", "-212", months=6),
        _fact(5, "Gross margin percentage", "44.5", unit="percent", scale=0),
        _fact(6, "Total assets", "20318", months=0, statement="balance", title="CONSOLIDATED BALANCE SHEETS"),
        _chunk(
            7,
            "Net revenue increased $422 million, or 10%, in the second quarter of fiscal 2024 compared to "
            "the second "
            "quarter of fiscal 2023, driven by higher sensor shipments to automotive customers. The "
            "increase was "
            "partially offset by a decline in industrial sales. We did not repurchase any shares during "
            "the quarter. "
            "Gross margin improved 120 basis points to 44.5%, primarily due to a more favorable product mix.",
        ),
        _chunk(
            8,
            "Ana Reyes: How do you see inventories?\nMarta Lindqvist: Channel inventories came down by "
            "about two "
            "weeks. We expect to be at normal levels by year end, and pricing has held up better than we "
            "feared.\n"
            "Tom Birch: Our capital expenditures will be approximately $1.5 billion this year.",
            "exchange",
            "Questions and Answers > Ana Reyes",
        ),
        _chunk(
            9,
            "Condensed balance\n(In millions)\n| | June 29, 2024 | December 30, 2023 |\n| --- | --- | --- |\n"
            "| Inventories | $ 1,204 | $ 1,377 |\n| Goodwill | 800 | 790 |",
            "table",
        ),
    ]
