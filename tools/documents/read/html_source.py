"""The bytes of a web page as a tree of elements: no entity, DTD or address is followed, the library's guards stay."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree

from tools.documents.read.xbrl import tag_name


class NotHtmlError(ValueError):
    """The bytes are no web page."""


def parse(content: bytes) -> Any:
    """The root element of a page: as XML where it is well-formed, as EDGAR demands, else as browsers read it.

    Raises NotHtmlError for what is no page, `lxml.etree.LxmlError` where the library's guards (depth, length of one
    text) stop it.
    """
    if b"\0" in content[:4096] and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise NotHtmlError("it holds NUL bytes")
    try:
        root = etree.fromstring(content, _xml_parser())
    except etree.XMLSyntaxError:
        root = _parse_loosely(content)
    if root is None or tag_name(root.tag) != "html":
        raise NotHtmlError("it holds no <html> element")
    return root


def _xml_parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, load_dtd=False, no_network=True, huge_tree=False, remove_pis=True
    )


def _parse_loosely(content: bytes) -> Any:
    text = _decode(content)
    if (
        re.search(r"<(?:!doctype html|html|head|body|div|p|table|h[1-6]|span|ul|br)\b", text, re.IGNORECASE)
        is None
    ):
        raise NotHtmlError("it holds no HTML element")
    # Pictures within the page exceed the guard on one text; the process's limits hold, and HTML declares no entities.
    parser = etree.HTMLParser(no_network=True, huge_tree=True, encoding="utf-8", remove_pis=True)
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    fatal = [error for error in parser.error_log if error.level_name == "FATAL"]
    if fatal and re.search(r"depth|huge|too long|lookup", str(fatal[0].message), re.IGNORECASE):
        raise etree.LxmlError(str(fatal[0].message))
    return root


def _decode(content: bytes) -> str:
    """By byte order mark, by the declared encoding, as UTF-8, as Windows-1252: the first that fits."""
    marks = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
    names = [name for mark, name in marks.items() if content.startswith(mark)]
    declared = re.search(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", content[:4096], re.IGNORECASE)
    names += [declared[1].decode("ascii", "replace")] if declared else []
    for name in (*names, "utf-8"):
        try:
            return content.decode(name)
        except (UnicodeError, LookupError):
            continue
    return content.decode("cp1252", "replace")
