from __future__ import annotations

import pytest

from tools.documents.tables.table_parts import Block, Row
from tools.documents.tables.titles import read_titles
from tools.documents.types import Document


def titled(filing: Document, *lead: str, label: str = "Desks", stub: str = "") -> Block:
    block = Block(1, [Row(9, label, 0)], lead=list(lead), stub=[stub] if stub else [])
    read_titles(block, filing)
    return block


@pytest.mark.parametrize(
    ("heading", "label", "kind"),
    [
        ("CONDENSED CONSOLIDATED STATEMENTS OF OPERATIONS (Unaudited)", "Net income", "income"),
        ("Consolidated Balance Sheets", "Total assets", "balance"),
        ("Consolidated Statements of Cash Flows", "Net cash used", "cash_flow"),
        ("Statements of Comprehensive Income", "Comprehensive income", "comprehensive_income"),
    ],
)
def test_a_statement_is_known_by_its_heading_and_its_rows(
    heading: str, label: str, kind: str, filing: Document
) -> None:
    assert titled(filing, "Bexley Corp.", heading, label=label).statement == kind
    assert titled(filing, "Bexley Corp.", heading, label="Desks").statement == "other"


def test_a_note_gives_the_unit_and_leaves_the_title(filing: Document) -> None:
    block = titled(filing, "Desks by Region (in millions) (unaudited)")
    assert (block.title, block.note) == ("Desks by Region", "in millions")


def test_without_a_heading_the_sentence_that_introduces_the_table_names_it(filing: Document) -> None:
    caption = "The following table shows desks that were sold by region in the period:"
    block = titled(filing, "Orla sells desks. " + caption)
    assert (block.title, block.statement) == (caption.rstrip(":"), "other")
    assert titled(filing, caption.replace("region", "segment")).statement == "segment"


def test_the_filers_name_and_furniture_are_no_title(filing: Document) -> None:
    for name in ("Bexley Corp.", "Orla Furniture and Subsidiaries"):
        assert titled(filing, "Desks Sold", "", name, "(unaudited)").title == "Desks Sold"
    assert titled(filing, stub="Other Assets:").title == "Other Assets"
