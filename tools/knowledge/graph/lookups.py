"""By what a graph's entities, triplets and companies are found: tables of names, made of all of it once, and kept
beside its lines, so that a question reads only what it looks up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.knowledge.graph import triplet_rows as r
from tools.knowledge.graph.lines_on_disk import UNREADABLE, Damaged, Lines, SortedLines, mapped, write_sorted
from tools.knowledge.graph.resolution import fold_company, fold_name, person_words
from tools.knowledge.lexicon.word_forms import kept_words_of
from tools.knowledge.types import EntityType
from tools.private_files import open_private

NAMED_TYPES: frozenset[EntityType] = frozenset(
    {"company", "person", "product", "location", "event", "regulation"}
)
"""Types whose entities a question may name; metrics are found by their line items."""
STARTS_FILE, COLUMNS_FILE, LOOKUPS_FILE = "starts.npy", "columns.npy", "lookups.tsv"
HEAD_ENTITY, TAIL_ENTITY, CONTEXT, DOCUMENT, PERIOD, FIGURE = range(6)
"""Of `Columns`; the last is 1 for a triplet that states a figure."""
Columns = NDArray[np.int32]
"""(6, triplets): what of each is asked of many at a time."""
Positions = Mapping[str, list[int]]


def columns_of(tables: r.Tables) -> Columns:
    """Of all rows."""
    found = np.array(
        [
            (row[r.HEAD_ENTITY], row[r.TAIL_ENTITY], row[r.CONTEXT], row[r.DOCUMENT], row[r.PERIOD],
             row[r.VALUE] is not None)
            for row in tables.rows
        ],
        dtype=np.int32,
    )  # fmt: skip
    return np.ascontiguousarray(found.reshape(-1, 6).T)


def names(tables: r.Tables) -> Positions:
    """Folded name or alias of a company, person, product, place, event or regulation -> entity positions."""
    found: dict[str, list[int]] = defaultdict(list)
    for position, entity in enumerate(tables.entities):
        if entity.type not in NAMED_TYPES:
            continue
        spoken = {entity.name, *(alias for alias, _ in entity.aliases)}
        folded = {fold_company(n) if entity.type == "company" else fold_name(n) for n in spoken}
        if entity.type == "person":
            folded |= {" ".join(person_words(n)) for n in spoken}
            words = person_words(entity.name)
            if len(words) > 2:
                folded.add(f"{words[0]} {words[-1]}")
        for name in folded:
            if name:
                found[name].append(position)
    return dict(found)


def surnames(tables: r.Tables) -> Positions:
    """Folded first and last names of people -> entity positions."""
    found: dict[str, list[int]] = {}
    for position, entity in enumerate(tables.entities):
        words = entity.key.split(":", 2)[2].split() if entity.type == "person" else []
        for word in {words[0], words[-1]} if len(words) > 1 else ():
            found.setdefault(word, []).append(position)
    return found


def line_items(tables: r.Tables) -> Positions:
    """Folded name or alias of a metric -> entity positions."""
    found: dict[str, list[int]] = defaultdict(list)
    for position, entity in enumerate(tables.entities):
        if entity.type == "metric":
            for name in {fold_name(n) for n in (entity.name, *(alias for alias, _ in entity.aliases))}:
                found[name].append(position)
    return dict(found)


def chunks(tables: r.Tables) -> Positions:
    """Chunk id -> positions of the triplets read from it."""
    found: dict[str, list[int]] = defaultdict(list)
    for position, row in enumerate(tables.rows):
        if row[r.CHUNK]:
            found[row[r.CHUNK]].append(position)
    return dict(found)


def ids(tables: r.Tables) -> Positions:
    """Triplet id -> its position."""
    return {row[r.ID]: [position] for position, row in enumerate(tables.rows)}


def companies_of(tables: r.Tables) -> tuple[str, ...]:
    """Keys of the companies whose documents are read; what the next two give are positions among these."""
    return tuple(sorted({document.company_key for document in tables.documents}))


def label_words(tables: r.Tables) -> Positions:
    """Word of a figure's label or heading -> positions of the companies that print it."""
    found: dict[str, set[int]] = defaultdict(set)
    of_document, figures = _of_document(tables), _figures(tables)
    for at, label in {(of_document[row[r.DOCUMENT]], row[r.HEAD]) for row in figures}:
        for word in kept_words_of(label):
            found[word].add(at)
    for at, context in {(of_document[row[r.DOCUMENT]], row[r.CONTEXT]) for row in figures}:
        for heading in tables.contexts[context][5]:
            for word in kept_words_of(heading):
                found[word].add(at)
    return {word: sorted(held) for word, held in found.items()}


def label_metrics(tables: r.Tables) -> Positions:
    """Canonical metric -> positions of the companies that print a figure of it."""
    found: dict[str, set[int]] = defaultdict(set)
    of_document = _of_document(tables)
    for at, metric in {(of_document[row[r.DOCUMENT]], row[r.HEAD_ENTITY]) for row in _figures(tables)}:
        found[tables.entities[metric].key.split(":", 2)[-1]].add(at)
    return {metric: sorted(held) for metric, held in found.items()}


def _of_document(tables: r.Tables) -> list[int]:
    places = {key: at for at, key in enumerate(companies_of(tables))}
    return [places[document.company_key] for document in tables.documents]


def _figures(tables: r.Tables) -> list[r.Row]:
    return [row for row in tables.rows if row[r.VALUE] is not None]


LETTERS: Mapping[Callable[[r.Tables], Positions], str] = {
    chunks: "c", line_items: "i", label_metrics: "m", names: "n", surnames: "s", ids: "t", label_words: "w",
}  # fmt: skip
"""Table -> how its lines begin; they ascend."""


class Saved:
    """The parts that `save` wrote beside a graph's lines."""

    def __init__(self, folder: Path, damaged: Damaged) -> None:
        """GraphFormatError or OSError where they cannot be read; FileNotFoundError where an earlier version wrote none.
        `damaged`: raised where what is read later cannot be."""
        try:
            self.starts: NDArray[np.int64] = np.load(folder / STARTS_FILE, allow_pickle=False)
            self.columns: Columns = np.load(folder / COLUMNS_FILE, mmap_mode="r", allow_pickle=False)
        except (EOFError, ValueError) as error:
            raise r.GraphFormatError(
                f"The knowledge graph is damaged ({error}). Build the index again."
            ) from error
        self._lookups = mapped(folder / LOOKUPS_FILE)
        self.damaged = damaged

    def fits(self, counts: Sequence[int], size: int) -> bool:
        """Whether they are those of a file of so many lines of each part, and so many bytes."""
        return (
            self.starts.shape == (sum(counts) + 2,)
            and (self.starts[0], self.starts[-1]) == (0, size)
            and bool((np.diff(self.starts) > 0).all())
            and self.columns.shape == (6, counts[-1])
            and self._lookups[-1:] == (b"\n" if counts[-1] else b"")
        )

    def lookup(self, table: Callable[[r.Tables], Positions]) -> Positions:
        """One of the tables of `LETTERS`."""
        return SortedLines(self._lookups, LETTERS[table], self.damaged)


def save(folder: Path, tables: r.Tables, lines: bytes) -> None:
    """Write the tables of a graph, and where its `lines` begin, into its folder. OSError."""
    ends = np.flatnonzero(np.frombuffer(lines, dtype=np.uint8) == ord("\n"))
    with open_private(folder / STARTS_FILE, "wb") as file:
        np.save(file, np.concatenate([[0], ends + 1]).astype("<i8"), allow_pickle=False)
    with open_private(folder / COLUMNS_FILE, "wb") as file:
        np.save(file, columns_of(tables).astype("<i4"), allow_pickle=False)
    with open_private(folder / LOOKUPS_FILE, "wb") as file:
        write_sorted(file, ((letter, table(tables)) for table, letter in LETTERS.items()))


def opened(path: Path, saved: Saved) -> r.Tables:
    """The tables of a saved graph, whose long ones are read line by line when they are asked for. GraphFormatError,
    OSError."""
    with path.open("rb") as file:
        counts = r.counts_of(file.readline())
    starts, damaged = saved.starts, saved.damaged
    if not saved.fits(counts, path.stat().st_size):
        raise r.GraphFormatError("The knowledge graph is cut short. Build the index again.")
    data = mapped(path)
    bounds = np.cumsum([1, *counts])
    parts = [starts[start : end + 1] for start, end in pairwise(bounds.tolist())]
    whole = data[starts[1] : parts[0][-1]].split(b"\n")[:-1]
    try:
        documents = r.read_documents(whole)
    except UNREADABLE as error:
        raise damaged(f"a document of the graph cannot be read ({error})") from error
    return r.Tables(
        documents,
        Lines(data, parts[1], lambda line: r.read_entity(line, documents), damaged),
        Lines(data, parts[2], r.read_context, damaged),
        list(Lines(data, parts[3], r.read_period, damaged)),
        Lines(data, parts[4], _as_it_is, damaged),
    )


def _as_it_is(line: r.Row) -> r.Row:
    return line
