"""XML entities of an RDF/XML file, looked at before any parser does: nested ones unfold to gigabytes, outer ones read
other files."""

from __future__ import annotations

import re

PROLOGUE_BYTES = 1 << 20
"""Of a file, within which its declarations end; FIBO's longest take 8 KB."""
_DOCTYPE = re.compile(rb"<!DOCTYPE", re.IGNORECASE)
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_ENTITY = re.compile(
    rb"<!ENTITY\s+(?P<parameter>%\s*)?[^\s\"']+\s+(?P<what>SYSTEM|PUBLIC|\"[^\"]*\"|'[^']*')", re.IGNORECASE
)
_REFERENCE = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)|%\w")
MAX_VALUE_BYTES = 2_000
"""Of one entity; they are the beginnings of IRIs."""


class EntityRefusedError(ValueError):
    """A declaration that would not stay what it looks like."""


def check_entities(data: bytes) -> None:
    """EntityRefusedError for a DOCTYPE with an outer subset, or with an entity that is outer, a parameter's, nested in
    another or long; flat ones, as OWL files have them, pass."""
    if _DOCTYPE.search(data) is None:
        return
    head = _COMMENT.sub(b"", data[:PROLOGUE_BYTES])
    found = _DOCTYPE.search(head)
    if found is None:  # behind a comment that does not end, or beyond what declarations take
        raise EntityRefusedError("its DOCTYPE does not stand at its beginning")
    subset, opened, _ = head[found.end() :].partition(b"[")
    if re.search(rb"\b(?:SYSTEM|PUBLIC)\b", subset.split(b">")[0]):
        raise EntityRefusedError("its DOCTYPE names another file")
    if not opened or b">" in subset:
        return
    declared = re.split(rb"\]\s*>", head[found.end() :], maxsplit=1)[0]
    declarations = len(re.findall(rb"<!ENTITY", declared, re.IGNORECASE))
    entities = list(_ENTITY.finditer(declared))
    if len(entities) != declarations:
        raise EntityRefusedError("it declares an entity that can't be read")
    for entity in entities:
        what = entity["what"]
        if entity["parameter"] or what.upper() in (b"SYSTEM", b"PUBLIC"):
            raise EntityRefusedError("it declares an entity of another file")
        if _REFERENCE.search(what):
            raise EntityRefusedError("it declares an entity within another")
        if len(what) > MAX_VALUE_BYTES:
            raise EntityRefusedError("it declares an entity that is long")
