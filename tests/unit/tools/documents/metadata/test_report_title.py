"""What plain documents call themselves, and whose they are."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tools.documents.metadata.document_metadata import NO_OVERRIDES, read_metadata
from tools.documents.metadata.report_title import read_own_title, title_words
from tools.documents.types import Document, Page

REPORT = """# Harlow Tools plc

Annual Report and Accounts 2023

Registered in England and Wales. Company No. 01234567

For the year ended 31 December 2023 revenue rose."""
MEMO = """MEMORANDUM

To: All department heads
From: Ruth Okafor
Subject: Office move to Bristol

The Bath office will move on 1 June 2024."""
MANUAL = """AquaBoil K200 Electric Kettle
User Manual

Do not immerse the base in water."""


def read(text: str, name: str = "scan-7.docx", title: str = "") -> Document:
    return read_metadata(Path(name), name, "id", [Page(1, text, title=title)], NO_OVERRIDES)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (REPORT, "Harlow Tools plc annual report, fiscal year ended December 31, 2023"),
        (MEMO, "Memorandum: Office move to Bristol"),
        (MANUAL, "AquaBoil K200 Electric Kettle, User Manual"),
        ("# Staff Handbook\n\n## Travel\n\nFly less.", "Staff Handbook"),
        ("We write to tell you that the price rises in May, as it did last year.", "scan-7"),
    ],
)
def test_a_document_is_called_by_its_own_title(text: str, title: str) -> None:
    assert read(text).title == title


def test_the_title_of_the_properties_counts_unless_a_program_wrote_it() -> None:
    assert read(MANUAL, title="Kettle guide").title == "Kettle guide"
    assert read(MANUAL, title="Microsoft Word - final_v3.docx").title.startswith("AquaBoil")


def test_a_report_has_company_and_period() -> None:
    document = read(REPORT)
    assert (document.company, document.is_of_company) == ("Harlow Tools plc", True)
    assert (document.fiscal_year, document.period_end) == (2023, date(2023, 12, 31))


def test_the_company_may_stand_before_the_kind_of_report() -> None:
    report = read_own_title(Path("x.pdf"), [Page(1, "Northgate Annual Report 2023/24\n\nWelcome.")])
    assert (report.company, report.fiscal_year) == ("Northgate", 2024)


def test_a_document_of_no_company_goes_by_its_title() -> None:
    document = read(MANUAL, name="Handbook.docx")
    assert document.company == document.title
    assert not document.is_of_company


def test_telling_words_of_title_and_file_mean_a_document() -> None:
    assert title_words(read(MANUAL, name="k200-leaflet.txt")) >= {"aquaboil", "kettle"}
    assert not title_words(read("FORM 10-Q\nCommission file number 1-2\nAquaBoil"))
