"""XML entities of an RDF/XML file, looked at before any parser does: nested ones unfold to gigabytes, outer ones read
other files."""

from __future__ import annotations

import re

PROLOGUE_BYTES = 1 << 20
"""Of a file, within which its DOCTYPE stands; FIBO's longest end after 8 KB."""
MAX_VALUE_BYTES = 2_000
"""Of one entity; they are the beginnings of IRIs."""
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_OUTER = re.compile(rb"<!DOCTYPE[^\[>]*\b(?:SYSTEM|PUBLIC)\b", re.IGNORECASE)
_DECLARATION = re.compile(rb"<!ENTITY", re.IGNORECASE)
_ENTITY = re.compile(
    rb"<!ENTITY\s+(?P<parameter>%\s*)?[^\s\"']+\s+(?:(?P<outer>SYSTEM|PUBLIC)|(?P<value>\"[^\"]*\"|'[^']*')\s*>)",
    re.IGNORECASE,
)
_REFERENCE = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)|%\w")


class EntityRefusedError(ValueError):
    """A declaration that would not stay what it looks like."""


def check_entities(data: bytes) -> None:
    """EntityRefusedError for a DOCTYPE with an outer subset, or with an entity that is outer, a parameter's, nested in
    another or long; flat ones, as OWL files have them, pass.

    The whole file is looked at, comments and values too: parsers differ on where those end, and this one's takes a
    declaration that stands in a comment."""
    doctypes = list(_DOCTYPE.finditer(data))
    if not doctypes:
        return
    if len(doctypes) > 1 or doctypes[0].start() > PROLOGUE_BYTES:
        raise EntityRefusedError("its DOCTYPE does not stand once, at its beginning")
    if _OUTER.search(data):
        raise EntityRefusedError("its DOCTYPE names another file")
    entities = list(_ENTITY.finditer(data))
    if len(entities) != len(_DECLARATION.findall(data)):
        raise EntityRefusedError("it declares an entity that can't be read")
    for entity in entities:
        if entity["parameter"] or entity["outer"]:
            raise EntityRefusedError("it declares an entity of another file")
        if _REFERENCE.search(entity["value"]):
            raise EntityRefusedError("it declares an entity within another")
        if len(entity["value"]) > MAX_VALUE_BYTES:
            raise EntityRefusedError("it declares an entity that is long")
