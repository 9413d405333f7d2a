"""Web pages as files: each ends within its limits, whatever it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.documents import errors
from tools.documents.read.child import DEFAULT_LIMITS, Limits
from tools.documents.read.page_reader import read_pages
from tools.documents.types import Page


def pages_of(
    folder: Path, content: str | bytes, limits: Limits = DEFAULT_LIMITS, name: str = "a.htm"
) -> tuple[Page, ...]:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_pages(path, limits=limits)


def test_htm_and_html_files_are_read_with_their_tags(tmp_path: Path) -> None:
    content = (
        '<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:x="http://www.xbrl.org/2003/instance"><body>'
        '<x:context id="c"><x:instant>2024-09-28</x:instant></x:context>'
        '<x:unit id="u"><x:measure>iso4217:USD</x:measure></x:unit>'
        '<p>Cash was <ix:nonFraction name="us-gaap:Cash" contextRef="c" unitRef="u">5</ix:nonFraction>.</p>'
        "</body></html>"
    )
    for name in ("a.htm", "B.HTML"):
        (page,) = pages_of(tmp_path, content, name=name)
        assert "Cash was 5." in page.text and [tag.value for tag in page.tags] == ["5"]


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"%PDF-1.7", errors.NotHtmlError, r"a\.htm: it is named like a web page"),
        (b"", errors.EmptyFileError, r"a\.htm: the file is empty"),
        (b"<html><body><p> </p></body></html>", errors.EmptyFileError, r"a\.htm: the file holds only blanks"),
        (
            b"<html><body>" + b"<div>" * 100_000,
            errors.OverLimitError,
            r"a\.htm: it exceeds .* guards .*depth",
        ),
    ],
)
def test_an_error_names_the_file_and_what_is_wrong(
    tmp_path: Path, content: bytes, error: type[errors.DocumentError], words: str
) -> None:
    with pytest.raises(error, match=words):
        pages_of(tmp_path, content)


def test_limits_on_pages_text_memory_and_time_hold(tmp_path: Path) -> None:
    many = "<html><body>" + '<p>a</p><hr style="page-break-after:always"/>' * 30 + "</body></html>"
    with pytest.raises(errors.OverLimitError, match="number of pages"):
        pages_of(tmp_path, many, Limits(pages=20))
    long = "<html><body>" + f"<p>{'word ' * 100}</p>" * 100 + "</body></html>"
    with pytest.raises(errors.OverLimitError, match="amount of text"):
        pages_of(tmp_path, long, Limits(characters=20_000))
    wide = "<html><body>" + "<p>a</p>" * 1_000_000 + "</body></html>"
    with pytest.raises(errors.MemoryLimitError, match="memory"):
        pages_of(tmp_path, wide, Limits(memory_bytes=150 << 20))
    with pytest.raises(errors.TimeLimitError, match="longer than"):
        pages_of(tmp_path, wide, Limits(seconds=1, seconds_per_page=0))


@pytest.mark.parametrize(
    "body",
    [
        f'<img src="data:{"A" * 50_000_000}"/>',
        "<table>" + ("<tr>" + "<td colspan=1000000 rowspan=1000000>1</td>" * 50 + "</tr>") * 100 + "</table>",
        "<table>" + ("<tr>" + "<td>1</td>" * 1_500 + "</tr>") * 20 + "</table>",
        f"<table><tr><td>{'(' * 399}</td><td>5</td><td>5</td></tr></table>",
        f'<p style="{"padding:1px " * 100_000}">a</p>',
        "&nbsp;" * 500_000,
    ],
    ids=["picture", "spans", "cells", "brackets", "style", "blanks"],
)
def test_hostile_pages_are_read_within_the_limits(tmp_path: Path, body: str) -> None:
    pages = pages_of(tmp_path, f"<html><body>{body}<p>the end</p></body></html>", Limits(seconds=20))
    assert pages[-1].text.endswith("the end")


def test_nothing_outside_the_file_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush", encoding="utf-8")
    content = (
        f'<?xml version="1.0"?><!DOCTYPE html SYSTEM "{secret.as_uri()}" [<!ENTITY s SYSTEM "{secret.as_uri()}">]>'
        "<html><body><p>a &s; b</p></body></html>"
    )
    assert [page.text for page in pages_of(tmp_path, content)] == ["a b"]
