"""The process that reads RDF files and prints what each says as JSON lines.

Run as `python -m tools.ontology.rdf_process LIMITS PARENT`; the paths, one a line, come on standard input. A hostile
file can only exhaust this process. Protocol on stdout, one JSON object a line: {"begin": place in the list}, then
{"concept"} and {"link"} lines, then {"failed": why} or {"end": {"ontology", "version", "imports",
"triples", "foreign"}}.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from tools.documents.read.limited import bind_limits, die_with_parent
from tools.ontology.rdf_entities import EntityRefusedError, check_entities
from tools.ontology.rdf_quads import FileContent, Literal, Node, content_of


class _Counted:
    """Triples as `content_of` takes them, and how many there were."""

    def __init__(self, path: Path, data: bytes, most: int) -> None:
        import pyoxigraph

        kind = pyoxigraph.RdfFormat.from_extension(path.suffix.lstrip(".").lower())
        self._ox, self._most = pyoxigraph, most
        self._parser = pyoxigraph.parse(data, format=kind or pyoxigraph.RdfFormat.RDF_XML)
        self.triples = self.foreign = 0

    def __iter__(self) -> Iterator[tuple[str, str, Node]]:
        for quad in self._parser:
            self.triples += 1
            if self.triples > self._most:
                raise ValueError(f"it has more than {self._most:,} triples")
            value = self._node(quad.object)
            if value is None:
                self.foreign += 1
            elif not isinstance(quad.subject, self._ox.Triple):
                yield str(self._node(quad.subject)), quad.predicate.value, value

    def _node(self, term: Any) -> Node | None:
        """None for a text in another language than English, and for a triple about a triple."""
        if isinstance(term, self._ox.Literal):
            english = term.language is None or term.language.lower().split("-")[0] == "en"
            return Literal(term.value) if english else None
        if isinstance(term, self._ox.BlankNode):
            return f"_:{term.value}"
        return str(term.value) if isinstance(term, self._ox.NamedNode) else None


def _print(record: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(record) + b"\n")


def _read(path: Path, limits: dict[str, Any]) -> None:
    data = path.read_bytes()
    if len(data) > limits["file_bytes"]:
        raise ValueError(f"it has {len(data):,} bytes")
    check_entities(data)
    triples = _Counted(path, data, int(limits["triples"]))
    content: FileContent = content_of(triples, path.name)
    for concept in content.concepts:
        _print({"concept": dataclasses.asdict(concept)})
    for link in content.links:
        _print({"link": dataclasses.asdict(link)})
    _print(
        {
            "end": {
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
    for place, line in enumerate(sys.stdin.read().splitlines()):
        _print({"begin": place})
        sys.stdout.flush()
        try:
            _read(Path(line), limits)
        except EntityRefusedError as error:
            _print({"failed": str(error)})
        except MemoryError:
            _print({"failed": "reading it needs too much memory"})
        except (SyntaxError, ValueError) as error:
            _print({"failed": str(error).splitlines()[0][:300] if str(error) else "it can't be followed"})
        except OSError as error:
            _print({"failed": error.strerror or str(error)})
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
