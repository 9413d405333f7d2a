from __future__ import annotations

import pytest
from lxml import etree

from tools.documents.read.html_source import NotHtmlError, parse


def text_of(content: bytes) -> str:
    return " ".join("".join(parse(content).itertext(tag=etree.Element)).split())


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"<html><body><p>It\x92s \x80 5</p></body></html>", "It’s € 5"),
        (b'<html><head><meta charset="windows-1252"></head><body><p>It\x92s</p></body></html>', "It’s"),
        (b'<?xml version="1.0" encoding="ISO-8859-1"?><html><body>caf\xe9</body></html>', "café"),
        (b'<?xml version="1.0" encoding="utf-8"?><html><body>It\x92s</body></html>', "It’s"),
        ("<html><body>déjà</body></html>".encode("utf-16"), "déjà"),
        ("<html><body>déjà<br></body></html>".encode("utf-8-sig"), "déjà"),
        (b"<p>One <p>two", "One two"),
    ],
)
def test_bytes_are_read_in_the_encoding_that_fits(content: bytes, text: str) -> None:
    assert text_of(content) == text


@pytest.mark.parametrize(
    "content",
    [
        b"%PDF-1.7",
        b"PK\x03\x04\x00\x00",
        b"only words, 3 < 5",
        b'<?xml version="1.0"?><schema xmlns="http://www.w3.org/2001/XMLSchema"/>',
        b'<?xml version="1.0"?><linkbase xmlns="http://www.xbrl.org/2003/linkbase"/>',
    ],
)
def test_what_is_no_page_is_refused(content: bytes) -> None:
    with pytest.raises(NotHtmlError):
        parse(content)


def test_no_entity_of_the_file_s_own_is_resolved() -> None:
    laughs = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    bomb = (
        f'<?xml version="1.0"?><!DOCTYPE html [<!ENTITY e0 "ha">{laughs}]><html><body>a &e12; b</body></html>'
    )
    root = parse(bomb.encode())
    assert "haha" not in "".join(root.itertext())


def test_elements_nested_without_end_hit_the_library_s_guard() -> None:
    with pytest.raises(etree.LxmlError, match="depth"):
        parse(b"<html><body>" + b"<div>" * 100_000)
