"""Reading files: pages out of good ones, a named error out of every kind of bad one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from tools.documents import errors
from tools.documents.read.child import Limits
from tools.documents.read.page_reader import read_pages

FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
ROWS = [
    (700, b"Revenue", b"1,200", b"1,100"),
    (686, b"Cost", b"700", b"650"),
    (672, b"Profit", b"500", b"450"),
]


def build_pdf(objects: list[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalog."""
    out = b"%PDF-1.7\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)


def stream(data: bytes, entries: bytes = b"") -> bytes:
    packed = zlib.compress(data, 9)
    head = b"<< /Length %d /Filter /FlateDecode %s >>" % (len(packed), entries)
    return head + b"\nstream\n" + packed + b"\nendstream"


def one_page(content: bytes, resources: bytes = b"<< /Font << /F1 4 0 R >> >>", *more: bytes) -> bytes:
    return build_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R /Resources %s >>"
            % resources,
            FONT,
            stream(content),
            *more,
        ]
    )


def lines_of_text(*lines: str) -> bytes:
    shown = b"".join(b"1 0 0 1 72 %d Tm (%s) Tj\n" % (720 - 14 * i, x.encode()) for i, x in enumerate(lines))
    return b"BT /F1 10 Tf\n" + shown + b"ET"


def write(folder: Path, data: bytes, name: str = "a.pdf") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_each_page_is_told_of_as_it_comes(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    data = one_page(lines_of_text("Net sales rose."))
    read_pages(write(tmp_path, data), on_page=lambda page, total: told.append((page.number, total)))
    read_pages(
        write(tmp_path, b"One.\fTwo.", "a.txt"), on_page=lambda page, total: told.append((page.number, total))
    )
    assert told == [(1, 1), (1, 2), (2, 2)]


def test_a_page_of_prose_is_read_as_plain_text_without_layout(tmp_path: Path) -> None:
    pages = read_pages(write(tmp_path, one_page(lines_of_text("Net sales rose.", "Costs fell."))))
    assert [page.number for page in pages] == [1]
    assert pages[0].text.split("\n") == ["Net sales rose.", "Costs fell."]
    assert pages[0].layout == ""


def test_a_page_with_rows_of_figures_has_layout_too(tmp_path: Path) -> None:
    content = b"BT /F1 10 Tf\n" + b"".join(
        b"1 0 0 1 72 %d Tm (%s) Tj 1 0 0 1 300 %d Tm (%s) Tj 1 0 0 1 400 %d Tm (%s) Tj\n" % (y, a, y, b, y, c)
        for y, a, b, c in ROWS
    )  # fmt: skip
    (page,) = read_pages(write(tmp_path, one_page(content + b"ET")))
    rows = page.layout.split("\n")
    assert rows[0].split() == ["Revenue", "1,200", "1,100"]
    assert rows[0].index("1,200") > rows[0].index("Revenue") + 15


def test_layout_is_found_on_a_page_drawn_as_one_form(tmp_path: Path) -> None:
    """The cover pages of several real filings: layout mode alone reads nothing there."""
    content = lines_of_text("Revenue 1,200 1,100", "Cost 700 650", "Profit 500 450")
    resources = b"<< /XObject << /Page0 6 0 R >> >>"
    form = stream(
        content, b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F1 4 0 R >> >>"
    )
    path = write(tmp_path, one_page(b"q /Page0 Do Q", resources, form))
    assert PdfReader(path).pages[0].extract_text(extraction_mode="layout") == ""
    (page,) = read_pages(path)
    assert [line.split() for line in page.layout.split("\n") if line.strip()] == [
        ["Revenue", "1,200", "1,100"],
        ["Cost", "700", "650"],
        ["Profit", "500", "450"],
    ]


def test_forms_that_draw_each_other_end(tmp_path: Path) -> None:
    rows = lines_of_text("Revenue 1,200 1,100", "Cost 700 650", "Profit 500 450")
    resources = b"<< /Font << /F1 4 0 R >> /XObject << /A 6 0 R >> >>"
    form = stream(
        rows + b" /A Do /A Do /A Do", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources " + resources
    )
    with pytest.raises(errors.OverLimitError):
        read_pages(write(tmp_path, one_page(b"/A Do", resources, form)))


def test_an_array_longer_than_the_librarys_default_is_read(tmp_path: Path) -> None:
    """A real 10-Q of Microsoft holds arrays of more than 100,000 elements."""
    content = b"BT /F1 10 Tf 1 0 0 1 72 720 Tm [" + b"(a) 1 " * 60_000 + b"] TJ ET"
    (page,) = read_pages(write(tmp_path, one_page(content)))
    assert page.text.count("a") == 60_000


def test_a_pdf_encrypted_with_an_empty_password_is_read(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=write(tmp_path, one_page(lines_of_text("Open to all."))))
    writer.encrypt(user_password="", owner_password="owner", algorithm="AES-256")
    writer.write(tmp_path / "open.pdf")
    assert read_pages(tmp_path / "open.pdf")[0].text == "Open to all."


def test_a_pdf_encrypted_with_a_password_is_refused_by_name(tmp_path: Path) -> None:
    writer = PdfWriter(clone_from=write(tmp_path, one_page(lines_of_text("Closed."))))
    writer.encrypt(user_password="secret", algorithm="AES-256")
    writer.write(tmp_path / "closed.pdf")
    with pytest.raises(errors.EncryptedError, match=r"closed\.pdf.*password.*Save a copy"):
        read_pages(tmp_path / "closed.pdf")


def test_a_truncated_pdf_is_refused_and_not_read_in_part(tmp_path: Path) -> None:
    whole = one_page(lines_of_text("Net sales rose."))
    with pytest.raises(errors.DamagedError, match="truncated"):
        read_pages(write(tmp_path, whole[: len(whole) - 200]))


def test_a_pdf_without_a_page_tree_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.NoPagesError):
        read_pages(write(tmp_path, build_pdf([b"<< /Type /Catalog >>"])))


def test_a_pdf_without_pages_is_named(tmp_path: Path) -> None:
    data = build_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])
    with pytest.raises(errors.NoPagesError):
        read_pages(write(tmp_path, data))


def test_a_scanned_pdf_is_named_as_scanned(tmp_path: Path) -> None:
    image = stream(
        b"\0" * 100,
        b"/Type /XObject /Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray",
    )
    data = one_page(b"q 612 0 0 792 0 0 cm /Im0 Do Q", b"<< /XObject << /Im0 6 0 R >> >>", image)
    with pytest.raises(errors.ScannedError, match="OCR"):
        read_pages(write(tmp_path, data))


def test_an_empty_file_is_named_as_empty(tmp_path: Path) -> None:
    for name in ("a.pdf", "a.txt"):
        with pytest.raises(errors.EmptyFileError):
            read_pages(write(tmp_path, b"", name))
    with pytest.raises(errors.EmptyFileError, match="blanks"):
        read_pages(write(tmp_path, b" \n\n ", "b.txt"))


def test_a_text_file_named_pdf_is_not_a_pdf(tmp_path: Path) -> None:
    with pytest.raises(errors.NotPdfError, match="not a PDF"):
        read_pages(write(tmp_path, b"Total net sales rose.\n"))


def test_a_missing_file_and_a_folder_are_named_as_missing(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pdf", tmp_path):
        with pytest.raises(errors.MissingPathError):
            read_pages(path)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind the superuser")
def test_an_unreadable_file_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, b"text", "a.txt")
    path.chmod(0)
    with pytest.raises(errors.UnreadableError, match="ermission"):
        read_pages(path)


def test_limits_on_file_size_pages_and_text_say_which(tmp_path: Path) -> None:
    path = write(tmp_path, one_page(lines_of_text("Net sales rose.")))
    with pytest.raises(errors.OverLimitError, match="file size"):
        read_pages(path, limits=Limits(file_bytes=100))
    with pytest.raises(errors.OverLimitError, match="number of pages"):
        read_pages(path, limits=Limits(pages=0))
    with pytest.raises(errors.OverLimitError, match="amount of text"):
        read_pages(path, limits=Limits(characters=10))


def test_a_decompression_bomb_that_prints_nothing_is_taken_for_a_scan(tmp_path: Path) -> None:
    with pytest.raises(errors.ScannedError):
        read_pages(write(tmp_path, one_page(b" " * 90_000_000)))


def test_a_cyclic_page_tree_is_refused(tmp_path: Path) -> None:
    data = build_pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Pages /Kids [2 0 R] /Parent 2 0 R /Count 1 >>",
        ]
    )
    with pytest.raises(errors.DocumentError):
        read_pages(write(tmp_path, data))


def test_a_million_operators_are_read(tmp_path: Path) -> None:
    (page,) = read_pages(write(tmp_path, one_page(lines_of_text("Hello.") + b" 0 0 m" * 1_000_000)))
    assert page.text == "Hello."


def test_the_text_of_a_text_file_is_limited_too(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("Words. " * 20, encoding="utf-8")
    with pytest.raises(errors.OverLimitError, match="140 characters"):
        read_pages(path, limits=Limits(characters=100))


def test_a_text_page_longer_than_a_printed_one_is_cut_at_the_end_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    lines = [f"Line {number} of a page that never ends." for number in range(2_000)]
    path.write_text("\n".join(lines), encoding="utf-8")
    pages = read_pages(path)
    assert max(len(page.text) for page in pages) <= 20_001
    assert "".join(page.text for page in pages).split("\n") == lines


@pytest.mark.skipif(sys.platform == "win32", reason="processor time is not limited there")
def test_a_slow_page_ends_at_the_time_limit(tmp_path: Path) -> None:
    content = lines_of_text("Slow.") + b"BT /F1 10 Tf 1 0 0 1 72 700 Tm " + b"(a b) Tj " * 500_000 + b"ET"
    with pytest.raises(errors.TimeLimitError, match=r"longer than 1 s"):
        read_pages(write(tmp_path, one_page(content)), limits=Limits(seconds=1, seconds_per_page=0))


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux")
def test_a_file_that_needs_too_much_memory_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.MemoryLimitError, match="MiB"):
        read_pages(write(tmp_path, one_page(b" " * 70_000_000)), limits=Limits(memory_bytes=120 << 20))


def test_errors_survive_the_trip_between_processes() -> None:
    error = errors.ScannedError("a.pdf", "no text.", "Use OCR.")
    kind, arguments = error.__reduce__()
    assert str(kind(*arguments)) == "a.pdf: no text. Use OCR."


def test_code_lying_in_the_current_folder_is_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("raise SystemExit('taken over')", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert read_pages(write(tmp_path, one_page(lines_of_text("Safe."))))[0].text == "Safe."


@pytest.mark.skipif(sys.platform != "linux", reason="parent-death signals are Linux's")
def test_the_reading_process_dies_with_its_parent(tmp_path: Path) -> None:
    path = write(tmp_path, one_page(lines_of_text("Slow.") + b" q Q" * 900_000))
    root = Path(__file__).resolve().parents[5]
    code = f"import pathlib, tools.documents.read.page_reader as r; r.read_pages(pathlib.Path({str(path)!r}))"
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, env={**os.environ, "PYTHONPATH": str(root)}
    )
    child = _wait_for_child(parent.pid)
    time.sleep(0.5)  # let the child ask for the signal
    parent.kill()
    parent.wait()
    for _ in range(100):
        if not _runs(child):
            return
        time.sleep(0.05)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the reader outlived its parent")


def _wait_for_child(parent: int) -> int:
    for _ in range(200):
        children = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()
        if children:
            return int(children[0])
        time.sleep(0.05)
    raise AssertionError("no child was started")


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_text_files_are_paged_at_form_feeds(tmp_path: Path) -> None:
    pages = read_pages(write(tmp_path, b"First page.\fSecond page.\n", "a.txt"))
    assert [(page.number, page.text) for page in pages] == [(1, "First page."), (2, "Second page.\n")]


def test_long_text_files_are_paged_at_paragraph_ends(tmp_path: Path) -> None:
    paragraph = "A sentence of a report. " * 50
    pages = read_pages(write(tmp_path, "\n\n".join([paragraph] * 10).encode(), "a.md"))
    assert len(pages) == 4
    assert all(page.text.strip().startswith("A sentence") for page in pages)
    assert "".join(page.text for page in pages).count("report") == 500


def test_a_text_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.NotTextError, match="UTF-8"):
        read_pages(write(tmp_path, "Umsatzerlöse".encode("latin-1"), "a.txt"))
    with pytest.raises(errors.NotTextError, match="NUL"):
        read_pages(write(tmp_path, b"a\0b", "a.txt"))


def test_invisible_characters_of_a_file_are_gone_from_its_pages(tmp_path: Path) -> None:
    text = "﻿Net\u200b sales\u202e rose\u2069.\n"
    assert read_pages(write(tmp_path, text.encode(), "a.txt"))[0].text == "Net sales rose.\n"
