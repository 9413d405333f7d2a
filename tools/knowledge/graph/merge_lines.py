"""The merges of a graph as they are listed: which names became one entity, why, and where both stand. JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import orjson

from tools.documents.types import Document
from tools.knowledge.graph.groups import Name
from tools.knowledge.graph.resolver import Resolver
from tools.knowledge.types import EntityType
from tools.private_files import open_private

MERGES_FILE = "merges.jsonl"
READ_AS = "one name, read as {read} in one place and as {kind} by all of them together"


@dataclass(frozen=True, slots=True)
class MergedName:
    """One of the two names of a merge, and where it stands first."""

    name: str
    type: EntityType
    """As it was read there."""
    company: str
    """Key of the company whose documents have it; '' for the name of a filer itself."""
    document: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class MergeLine:
    """Two names that are one entity of the graph."""

    entity: str
    """Its key."""
    reason: str
    one: MergedName
    other: MergedName


def merge_lines(resolver: Resolver, documents: Mapping[str, Document]) -> list[MergeLine]:
    """The merges of a resolution, by entity and name."""
    titles = {document.company_key: document.company for document in documents.values()}

    def file(place: tuple[str, int]) -> tuple[str, int]:
        return (documents[place[0]].name, place[1]) if place[0] in documents else ("", 0)

    def named(name: Name) -> MergedName:
        if not name.company:
            return MergedName(titles.get(name.folded, name.folded), name.kind, "")
        return MergedName(resolver.printed(name), name.kind, name.company, *file(resolver.place(name)))

    lines = [
        MergeLine(resolver.key_of(each.other), each.reason, named(each.one), named(each.other))
        for each in resolver.merges()
    ]
    for (name, read), place in resolver.retyped.items():
        one = MergedName(resolver.printed(name), read, name.company, *file(place))
        lines.append(
            MergeLine(resolver.key_of(name), READ_AS.format(read=read, kind=name.kind), one, named(name))
        )
    return sorted(lines, key=lambda line: (line.entity, repr(line)))


def save_merges(folder: Path, lines: Iterable[MergeLine]) -> None:
    """Write the merges beside the graph. OSError."""
    with open_private(folder / MERGES_FILE, "wb") as file:
        for line in lines:
            file.write(orjson.dumps(asdict(line)) + b"\n")


def load_merges(folder: Path) -> list[MergeLine]:
    """The merges that were written beside the graph; none where an earlier version wrote it. OSError, ValueError."""
    try:
        data = (folder / MERGES_FILE).read_bytes()
    except FileNotFoundError:
        return []
    try:
        return [
            MergeLine(item["entity"], item["reason"], MergedName(**item["one"]), MergedName(**item["other"]))
            for item in map(orjson.loads, data.splitlines())
        ]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{MERGES_FILE}: {error}") from error
