"""The process that reads RDF files and prints what each says as JSON lines.

Run as `python -m tools.ontology.rdf_process LIMITS PARENT`; the paths come on standard input, NUL between them, as
those may hold line ends. A hostile file can only exhaust this process. Protocol on stdout, one JSON object a line:
{"begin": place in the list}, then {"concept"} and {"link"} lines, then {"failed": why} or {"end": {"sha256",
"ontology", "version", "imports", "triples", "foreign"}}.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import orjson

from tools.documents.read.limited import bind_limits, die_with_parent
from tools.documents.text.cleaning import clean, squeeze
from tools.ontology.rdf_entities import check_entities
from tools.ontology.rdf_quads import FileContent, Literal, Node, content_of


class _Counted:
    """Triples as `content_of` takes them, and how many there were."""

    def __init__(self, path: Path, data: bytes, most: int) -> None:
        """EntityRefusedError, or a SyntaxError of the parser's."""
        import pyoxigraph

        rdf_xml = pyoxigraph.RdfFormat.RDF_XML
        kind = pyoxigraph.RdfFormat.from_extension(path.suffix.lstrip(".").lower()) or rdf_xml
        if kind == rdf_xml:
            check_entities(data)
        base = f"file:///{quote(os.fsencode(path.name))}"
        self._ox, self._most = pyoxigraph, most
        self._parser = pyoxigraph.parse(data, format=kind, base_iri=base)
        self.triples = self.foreign = 0

    def __iter__(self) -> Iterator[tuple[str, str, Node]]:
        for quad in self._parser:
            self.triples += 1
            if self.triples > self._most:
                raise ValueError(f"it has more than {self._most:,} triples")
            subject, value = self._node(quad.subject), self._node(quad.object)
            if isinstance(subject, str) and value is not None:
                yield subject, quad.predicate.value, value

    def _node(self, term: Any) -> Node | None:
        """None for a text in another language than English, which is counted, and for a triple about a triple."""
        if isinstance(term, self._ox.Literal):
            english = term.language is None or term.language.lower().split("-")[0] == "en"
            self.foreign += not english
            return Literal(term.value) if english else None
        if isinstance(term, self._ox.BlankNode):
            return f"_:{term.value}"
        return str(term.value) if isinstance(term, self._ox.NamedNode) else None


def _print(record: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(record) + b"\n")


def _read(path: Path, limits: dict[str, Any]) -> None:
    if (size := path.stat().st_size) > limits["file_bytes"]:
        raise ValueError(f"it has {size:,} bytes")
    data = path.read_bytes()
    triples = _Counted(path, data, int(limits["triples"]))
    content: FileContent = content_of(triples, squeeze(clean(path.name)))
    for concept in content.concepts:
        _print({"concept": dataclasses.asdict(concept)})
    for link in content.links:
        _print({"link": dataclasses.asdict(link)})
    _print(
        {
            "end": {
                "sha256": hashlib.sha256(data).hexdigest(),
                "ontology": content.ontology,
                "version": content.version,
                "imports": content.imports,
                "triples": triples.triples,
                "foreign": triples.foreign,
            }
        }
    )


def main(arguments: list[str]) -> None:
    """Print what the files say, or what is wrong with each."""
    limits = json.loads(arguments[0])
    die_with_parent(int(arguments[1]))
    bind_limits(limits, None)
    for place, name in enumerate(sys.stdin.buffer.read().split(b"\0")):
        # Each file has the time of the limits: those before it may have been large.
        bind_limits({**limits, "seconds": limits["seconds"] + time.process_time()}, 0)
        _print({"begin": place})
        sys.stdout.flush()
        try:
            _read(Path(os.fsdecode(name)), limits)
        except MemoryError:
            _print({"failed": "it takes too much memory"})
        except (SyntaxError, ValueError) as error:
            _print({"failed": squeeze(clean(str(error)))[:300] or "it can't be followed"})
        except OSError as error:
            _print({"failed": error.strerror or str(error)})
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
