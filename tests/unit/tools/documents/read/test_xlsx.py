"""Workbooks: sheets as pages, cells as shown, places by address; what keeps one from being read is named."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from tools.documents import errors
from tools.documents.read.page_reader import Limits, read_pages
from tools.documents.read.sheet_pages import ROWS_A_PAGE, column_letters


def saved(book: Workbook, folder: Path, name: str = "book.xlsx") -> Path:
    book.save(folder / name)
    return folder / name


def rewritten(source: Path, part: str, change: Callable[[bytes], bytes]) -> Path:
    """A copy of an office file with one part changed."""
    target = source.with_name(f"changed{source.suffix}")
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, change(old.read(name)) if name == part else old.read(name))
    return target


def test_a_sheet_is_a_page_with_its_name_and_the_rows_of_its_lines(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    sheet.title = "Revenue"
    for row in (["Region", 2023, 2022], ["Europe", 512.5, 498], [], [], ["Total", 1704.6, 1606]):
        sheet.append(row)
    (page,) = read_pages(saved(book, tmp_path))
    assert page.label == "Sheet 'Revenue'"
    assert page.rows == (1, 2, 0, 5)
    assert page.text.split("\n") == ["Region 2023 2022", "Europe 512.5 498", "", "Total 1704.6 1606"]
    assert [page.layout.split("\n")[1][c.start : c.end].strip() for c in page.columns] == [
        "Europe",
        "512.5",
        "498",
    ]


def test_a_heading_over_two_columns_stands_over_each_in_the_layout_and_once_in_the_text(
    tmp_path: Path,
) -> None:
    book = Workbook()
    sheet = book.active
    sheet["B1"] = "Year ended 31 December"
    sheet.merge_cells("B1:C1")
    sheet.append(["Revenue", 12, 11])
    (page,) = read_pages(saved(book, tmp_path))
    assert page.text.split("\n")[0] == "Year ended 31 December"
    assert page.layout.split("\n")[0].count("Year ended 31 December") == 2


def test_a_label_over_two_rows_stands_before_the_figures_of_each(tmp_path: Path) -> None:
    book = Workbook()
    sheet = book.active
    for row in (["Europe", "Sales", 12], [None, "Profit", 3]):
        sheet.append(row)
    sheet.merge_cells("A1:A2")
    (page,) = read_pages(saved(book, tmp_path))
    assert page.layout.split("\n")[1].split() == ["Europe", "Profit", "3"]
    assert page.text.split("\n")[1] == "Profit 3"


def test_hidden_and_empty_sheets_are_left_out_and_hidden_ones_counted(tmp_path: Path) -> None:
    book = Workbook()
    book.active["A1"] = "shown"
    hidden = book.create_sheet("Scratch")
    hidden["A1"] = "secret"
    hidden.sheet_state = "hidden"
    book.create_sheet("Empty")
    book.create_sheet("Last")["A1"] = "also shown"
    told: list[tuple[int, int]] = []
    pages = read_pages(saved(book, tmp_path), on_page=lambda page, total: told.append((page.number, total)))
    assert [(page.number, page.text) for page in pages] == [(1, "shown"), (2, "also shown")]
    assert [page.left_out for page in pages] == [(("hidden sheet", 1),), ()]
    assert told == [(1, 0), (2, 0)]


def test_a_long_sheet_is_cut_and_each_page_has_its_header(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append(["Site", "Employees"])
    for number in range(ROWS_A_PAGE + 1):
        book.active.append([f"Site {number}", 1000 + number])
    first, second = read_pages(saved(book, tmp_path))
    assert len(first.rows) == ROWS_A_PAGE + 1
    assert second.text.split("\n") == ["Site Employees", f"Site {ROWS_A_PAGE} {1000 + ROWS_A_PAGE}"]
    assert second.rows == (1, ROWS_A_PAGE + 2)


def test_a_far_cell_costs_no_more_than_a_near_one(tmp_path: Path) -> None:
    book = Workbook()
    book.active["A1"], book.active["XFD1048576"] = "near", "far"
    (page,) = read_pages(saved(book, tmp_path), limits=Limits(seconds=10))
    assert page.text.split("\n") == ["near", "", "far"]
    assert (page.rows[-1], page.columns[-1].name) == (1048576, "XFD")


@pytest.mark.parametrize(("column", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (701, "ZZ"), (702, "AAA")])
def test_columns_are_named_as_in_a_sheet(column: int, letters: str) -> None:
    assert column_letters(column) == letters


def test_the_title_of_the_properties_stands_on_the_first_page(tmp_path: Path) -> None:
    book = Workbook()
    book.properties.title = "Group figures"
    book.active["A1"] = date(2023, 12, 31)
    assert [page.title for page in read_pages(saved(book, tmp_path))] == ["Group figures"]


def test_an_entity_in_a_workbook_is_not_resolved(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hunter2", encoding="utf-8")
    book = Workbook()
    book.active["A1"], book.active["A2"] = "Hello MARK", "plain"
    entity = b'<!DOCTYPE worksheet [<!ENTITY e SYSTEM "%s">]>' % secret.as_uri().encode()
    path = rewritten(
        saved(book, tmp_path), "xl/worksheets/sheet1.xml", lambda xml: entity + xml.replace(b"MARK", b"&e;")
    )
    with pytest.raises(errors.DamagedError, match="Entit"):
        read_pages(path)


def test_a_workbook_without_a_word_is_empty(tmp_path: Path) -> None:
    with pytest.raises(errors.EmptyFileError):
        read_pages(saved(Workbook(), tmp_path))


def test_other_content_an_old_format_and_a_password_are_named(tmp_path: Path) -> None:
    old = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600)
    for content, kind in (
        (b"%PDF-1.7", "wrong_content"),
        (old, "old_format"),
        (old + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
        (b"PK\x03\x04 and then nothing", "damaged"),
    ):
        for suffix in (".docx", ".xlsx"):
            path = tmp_path / f"a{suffix}"
            path.write_bytes(content)
            with pytest.raises(errors.DocumentError) as found:
                read_pages(path)
            assert found.value.kind == kind, (content[:8], suffix)
            assert path.name in str(found.value)


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    book = Workbook()
    book.active["A1"] = "x"
    path = saved(book, tmp_path)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/zeros.bin", bytes(5_000_000))
    with pytest.raises(errors.OverLimitError, match="unpacked size"):
        read_pages(path, limits=Limits(characters=1_000_000))
