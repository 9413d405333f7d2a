"""Every mistake a user can make: a sentence that says what, why and what to do; exit code 2; nothing lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfWriter

from tools.store.disk.lock import WriterLock

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


def pdf(objects: list[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalog."""
    out, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + tail


def page_of(content: bytes, filters: bytes = b"/FlateDecode") -> bytes:
    """One page that shows `content`, which is compressed already."""
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 5 0 R"
            b" /Resources << /Font << /F1 4 0 R >> >> >>",
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            b"<< /Length %d /Filter %s >>\nstream\n" % (len(content), filters) + content + b"\nendstream",
        ]
    )


def text_pdf(line: bytes = b"Net sales rose.") -> bytes:
    return page_of(zlib.compress(b"BT /F1 10 Tf 1 0 0 1 72 720 Tm (" + line + b") Tj ET"))


def encrypted() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt(user_password="secret", algorithm="AES-256")
    return _written(writer)


def scanned() -> bytes:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    return _written(writer)


def no_pages() -> bytes:
    return pdf([b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [] /Count 0 >>"])


def cyclic() -> bytes:
    return pdf(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 /Parent 3 0 R >>",
            b"<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>",
        ]
    )


def bomb() -> bytes:
    """300 MB of blanks in 1 KB: packed twice."""
    packer = zlib.compressobj(9)
    once = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(300)) + packer.flush()
    return page_of(zlib.compress(once, 9), b"[/FlateDecode /FlateDecode]")


def _written(writer: PdfWriter) -> bytes:
    import io

    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


BAD_FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "encrypted.pdf": (encrypted, "password"),
    "truncated.pdf": (lambda: text_pdf()[:-120], "truncated|damaged"),
    "empty.pdf": (lambda: b"", "empty|no bytes"),
    "scanned.pdf": (scanned, "text"),
    "no-pages.pdf": (no_pages, "page"),
    "renamed.pdf": (lambda: b"Just a text.\n", "not a PDF|PDF"),
    "cyclic.pdf": (cyclic, "."),
    "bomb.pdf": (bomb, "holds text"),  # unpacked within the limits, and nothing on it
    "latin-1.txt": (lambda: "caf\xe9 cr\xe8me".encode("latin-1"), "UTF-8"),
}


def test_bad_files_are_named_with_the_reason_and_the_good_one_is_indexed(
    hybridrag: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, (make, _) in BAD_FILES.items():
        (folder / name).write_bytes(make())
    (folder / "good.pdf").write_bytes(text_pdf(b"Net sales of Quillfeather rose to 12 million dollars."))
    (folder / "table.ods").write_bytes(b"PK")
    (tmp_path / "outside.txt").write_text("Not to be read.", encoding="utf-8")
    (folder / "out.txt").symlink_to(tmp_path / "outside.txt")

    ran = hybridrag("index", folder, "--json", "--home", tmp_path / "home")
    assert ran.code == 2
    (report,) = ran.objects
    files = {Path(f["file"]).name: f for f in report["files"]}
    assert files["good.pdf"]["state"] == "indexed" and report["documents"] == 1
    assert (files["table.ods"]["state"], files["out.txt"]["state"]) == ("skipped", "skipped")
    assert "leads out" in files["out.txt"]["reason"]
    import re

    for name, (_, told) in BAD_FILES.items():
        assert files[name]["state"] == "failed", name
        assert re.search(told, files[name]["reason"]), files[name]["reason"]
        assert name in files[name]["reason"]
    plain = hybridrag("index", folder, "--home", tmp_path / "home")
    assert plain.code == 2
    for name in BAD_FILES:
        assert f"failed: {folder / name}" in plain.out


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_named_and_the_rest_go_on(hybridrag: Any, tmp_path: Path) -> None:
    (tmp_path / "closed.txt").write_text("Secret.", encoding="utf-8")
    (tmp_path / "closed.txt").chmod(0)
    (tmp_path / "open.txt").write_text("Net sales rose.", encoding="utf-8")
    ran = hybridrag("index", tmp_path / "closed.txt", tmp_path / "open.txt")
    assert ran.code == 1 and "failed: " in ran.out and "closed.txt" in ran.out
    assert "The index holds 1 document," in ran.out


@pytest.mark.parametrize("make", ["missing", "empty", "only others", "link to nowhere"])
def test_paths_with_nothing_to_index_are_refused_and_no_home_is_made(
    hybridrag: Any, tmp_path: Path, make: str
) -> None:
    folder = tmp_path / "in"
    if make != "missing":
        folder.mkdir()
    if make == "only others":
        (folder / "a.rtf").write_bytes(b"PK")
    if make == "link to nowhere":
        (folder / "a.pdf").symlink_to(tmp_path / "gone.pdf")
    ran = hybridrag("index", folder)
    assert ran.code == 2 and ran.out == ""
    assert str(folder) in ran.err
    assert ("Check the path" if make == "missing" else "Give a folder that holds documents") in ran.err
    assert not Path(".hybridrag").exists()


def test_a_second_writer_is_refused_and_told_who_is_first(
    hybridrag: Any, home_copy: Callable[[str], Path], samples: Path
) -> None:
    home = home_copy("home")
    code = (
        "import sys, pathlib\nfrom tools.store.disk.lock import WriterLock\n"
        "lock = WriterLock.take(pathlib.Path(sys.argv[1]))\nprint('held', flush=True)\nsys.stdin.read()"
    )
    words = [sys.executable, "-c", code, str(home)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout.readline() == "held\n"
        for command in (("index", samples), ("remove", "CDTH")):
            ran = hybridrag(*command, "--home", home)
            assert ran.code == 2 and f"process {first.pid}" in ran.err and "wait" in ran.err
        assert hybridrag("ask", "--home", home, REVENUE).code == 0
        first.communicate("")
    assert hybridrag("index", "--home", home, samples).code == 0


def test_the_writers_lock_is_not_left_behind(hybridrag: Any, home_copy: Callable[[str], Path]) -> None:
    home = home_copy("home")
    assert hybridrag("remove", "--home", home, "HRWM").code == 0
    WriterLock.take(home).release()


def test_a_home_of_another_format_names_the_command_that_mends_it(
    hybridrag: Any, home_copy: Callable[[str], Path], samples: Path
) -> None:
    home = home_copy("home")
    manifest = json.loads((home / "manifest.json").read_text(encoding="utf-8"))
    (home / "manifest.json").write_text(json.dumps({**manifest, "format": 99}), encoding="utf-8")
    for words in (("ask", REVENUE), ("index", samples), ("remove", "CDTH"), ("documents",)):
        ran = hybridrag(*words, "--home", home)
        assert ran.code == 2 and "format version 99" in ran.err and "hybridrag index PATH --home" in ran.err


EMPTY = ["", "   ", "\n\t", "\x01\x02\x07", "\u200b\u202e"]


@pytest.mark.parametrize("question", EMPTY)
def test_an_empty_question_is_refused(hybridrag: Any, sample_home: Path, question: str) -> None:
    ran = hybridrag("ask", "--home", sample_home, "--json", question)
    assert ran.code == 2 and "question is empty" in ran.err
    assert [set(o) for o in ran.objects] == [{"error", "type"}]


def test_a_question_of_100_kb_is_refused_with_its_length(hybridrag: Any, sample_home: Path) -> None:
    question = "What was the revenue of Calderith? " * 3000
    (answer,) = hybridrag("ask", "--home", sample_home, "--json", question).objects
    assert (answer["status"], answer["reason"]) == ("abstained", "out_of_scope")
    assert answer["route"]["tools"] == [], "nothing was looked for"
    assert "too long" in answer["answer"] and f"{len(question.strip()):,}" in answer["answer"]
    assert len(json.dumps(answer)) < 20_000


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie hoch war der Umsatz von Calderith im zweiten Quartal?", "English"),
        ("¿Cuáles fueron los ingresos totales de Calderith?", "English"),
        ("カルデリスの売上高はいくらでしたか", "English"),
        ("Какова была выручка компании Calderith?", "English"),
    ],
)
def test_a_question_in_another_language_is_told_that_english_is_read(
    hybridrag: Any, sample_home: Path, question: str, told: str
) -> None:
    (answer,) = hybridrag("ask", "--home", sample_home, "--json", question).objects
    assert (answer["status"], answer["reason"]) == ("abstained", "out_of_scope")
    assert told in answer["answer"]


def test_control_and_direction_characters_in_a_question_change_nothing(
    hybridrag: Any, sample_home: Path
) -> None:
    dirty = REVENUE.replace("total", "to\u200btal\x07").replace("revenue", "\u202erevenue\x1b")
    (answer,) = hybridrag("ask", "--home", sample_home, "--json", dirty).objects
    assert answer["question"] == REVENUE and "1,284.6" in answer["answer"]


def test_bytes_that_are_no_text_in_an_argument_are_survived(hybridrag: Any, sample_home: Path) -> None:
    assert hybridrag("ask", "--home", sample_home, "--json", "revenue \udcff of Calderith?").code == 0
    ran = hybridrag("ask", "--home", sample_home, "--json", "--company", "\udcff", "revenue?")
    assert ran.code == 2 and "No company" in ran.err and len(ran.objects) == 1


def test_an_unknown_company_is_told_as_filter_and_in_the_question(hybridrag: Any, sample_home: Path) -> None:
    ran = hybridrag("ask", "--home", sample_home, "--company", "Foo", "What was revenue?")
    assert ran.code == 2 and ran.out == ""
    assert "No company 'Foo'" in ran.err and "CDTH" in ran.err and "HRWM" in ran.err
    (answer,) = hybridrag("ask", "--home", sample_home, "--json", "What was Foo's revenue in 2024?").objects
    assert (answer["status"], answer["reason"], answer["citations"]) == ("abstained", "no_evidence", [])
    assert "Foo" in answer["answer"]


@pytest.mark.parametrize("words", [("ask", REVENUE), ("documents",), ("remove", "x"), ("graph", "stats"),
                                   ("graph", "show", "x"), ("graph", "export", "x.graphml")])  # fmt: skip
def test_without_an_index_every_command_says_what_to_run(hybridrag: Any, words: tuple[str, ...]) -> None:
    ran = hybridrag(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "No index at '.hybridrag'" in ran.err and "hybridrag index PATH" in ran.err
    assert not Path(".hybridrag").exists()


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("HYBRIDRAG_FOO", "1", "HYBRIDRAG_FOO is not a setting"),
        ("HYBRIDRAG_TOP_K", "0", "HYBRIDRAG_TOP_K=0"),
        ("HYBRIDRAG_TOP_K", "many", "HYBRIDRAG_TOP_K=many"),
        ("HYBRIDRAG_ENGINE", "gpt", "HYBRIDRAG_ENGINE=gpt"),
        ("HYBRIDRAG_DENSE_WEIGHT", "1.5", "HYBRIDRAG_DENSE_WEIGHT=1.5"),
    ],
)
def test_a_setting_that_does_not_exist_or_fit_is_named(
    hybridrag: Any, monkeypatch: pytest.MonkeyPatch, name: str, value: str, told: str
) -> None:
    monkeypatch.setenv(name, value)
    ran = hybridrag("ask", REVENUE)
    assert ran.code == 2 and told in ran.err
    assert "pydantic" not in ran.err and len(ran.err.splitlines()) == 1


def test_a_wrong_name_in_an_env_file_is_named(hybridrag: Any) -> None:
    Path(".env").write_text("HYBRIDRAG_HOMES=/tmp\n", encoding="utf-8")
    ran = hybridrag("documents")
    assert ran.code == 2 and "HYBRIDRAG_HOMES is not a setting. Known: HYBRIDRAG_HOME," in ran.err


@pytest.mark.parametrize("end", ["2024-13-01", "yesterday", "2024"])
def test_a_period_end_that_is_no_date_is_refused(hybridrag: Any, samples: Path, end: str) -> None:
    ran = hybridrag("index", samples, "--period-end", end)
    assert ran.code == 2 and "--period-end must be a date such as 2024-03-30" in ran.err
    assert not Path(".hybridrag").exists()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("frobnicate",),
        ("ask", "q", "--quarter", "5"),
        ("ask", "q", "--year", "soon"),
        ("ask", "q", "--pipeline", "magic"),
        ("index",),
        ("graph",),
    ],
)
def test_arguments_that_do_not_parse_show_the_usage(hybridrag: Any, words: tuple[str, ...]) -> None:
    ran = hybridrag(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("usage: hybridrag")


def test_removing_what_is_not_there_names_it(hybridrag: Any, home_copy: Callable[[str], Path]) -> None:
    ran = hybridrag("remove", "--home", home_copy("home"), "nothing.pdf")
    assert ran.code == 2 and "nothing.pdf" in ran.err


def test_a_home_that_is_a_file_is_refused(hybridrag: Any, samples: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for words in (("ask", REVENUE), ("index", samples)):
        ran = hybridrag(*words, "--home", tmp_path / "file")
        assert ran.code == 2 and str(tmp_path / "file") in ran.err


def test_a_file_whose_name_is_not_utf_8_is_named_and_the_rest_go_on(hybridrag: Any, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / os.fsdecode(b"caf\xe9.txt")).write_text("Net sales rose by 5 percent.", encoding="utf-8")
    (folder / "plain.txt").write_text("Costs fell by 3 percent.", encoding="utf-8")
    for options in ((), ("--json",)):
        ran = hybridrag("index", folder, "--home", tmp_path / "home", *options)
        assert ran.code == 0
        assert "caf" in ran.out and "rename it" in ran.out
    assert "plain.txt" in hybridrag("documents", "--home", tmp_path / "home").out
