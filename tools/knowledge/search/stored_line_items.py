"""The line items of all companies, kept beside the graph: a question reads the few that it looks at, where telling them
from the graph takes a twentieth of a second a company.

line_items.jsonl  {"code": ..., "companies": {company key: [where its index begins, and ends]}}, then for each company
                  its index, [lengths of its other lines, how many are titles, headings, and then the other fields of
                  `CompanyFacts`], and a line for each title, for each heading, and for each item, which names title and
                  heading by number

Positions of items are one string for each word, "3 14": a list for each would keep the collector of garbage busy for
longer than reading takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.lines_on_disk import UNREADABLE, Damaged, Data, Lines, mapped
from tools.knowledge.search.line_items import CompanyFacts, LineItem, read_line_items, told_from_graph
from tools.private_files import open_private

FILE = "line_items.jsonl"
_TITLE = ("title", "title_canonicals", "title_words")
_PATH = ("path", "path_canonicals", "path_words")
_ITEM = tuple(each.name for each in fields(LineItem) if each.name not in (*_TITLE, *_PATH))
_INDEX = tuple(each.name for each in fields(CompanyFacts) if each.name != "items")
_POSITIONS = tuple(name for name in _INDEX if name.startswith("by_"))


class _Items(Lines[LineItem]):
    """A company's items, kept as they are gone through: one question does so several times."""

    def __iter__(self) -> Iterator[LineItem]:
        return (self[at] for at in range(len(self)))


class _Positions(Mapping[str, list[int]]):
    """Positions of items by name."""

    def __init__(self, joined: dict[str, str], items: int, damaged: Damaged) -> None:
        """`items`: how many there are."""
        self._joined, self._items, self._damaged = joined, items, damaged
        self._asked: dict[str, list[int]] = {}

    def __getitem__(self, name: str) -> list[int]:
        if name not in self._asked:
            joined = self._joined[name]
            try:
                found = [range(self._items)[int(at)] for at in joined.split()]
            except UNREADABLE as error:
                raise self._damaged(f"the line items called '{name}' cannot be read ({error})") from error
            self._asked[name] = found
        return self._asked[name]

    def __contains__(self, name: object) -> bool:
        return name in self._joined

    def __iter__(self) -> Iterator[str]:
        return iter(self._joined)

    def __len__(self) -> int:
        return len(self._joined)


def _joined(positions: Mapping[str, list[int]]) -> dict[str, str]:
    return {name: " ".join(map(str, held)) for name, held in positions.items()}


def save_line_items(graph: KnowledgeGraph, folder: Path, code: str) -> None:
    """Write those of every company into the folder of a saved graph; `code`: the version of what told them. The same
    graph gives the same bytes. OSError."""
    companies: dict[str, bytes] = {}
    places: dict[str, tuple[int, int]] = {}
    end = 0
    for key in graph.companies:
        facts = told_from_graph(graph, key)
        titles, headings = (
            list(dict.fromkeys(_fields(item, names) for item in facts.items)) for names in (_TITLE, _PATH)
        )
        title_at, heading_at = ({told: at for at, told in enumerate(table)} for table in (titles, headings))
        items = (
            [title_at[_fields(item, _TITLE)], heading_at[_fields(item, _PATH)], *_fields(item, _ITEM)]
            for item in facts.items
        )
        lines = [_line(each) for each in (*titles, *headings, *items)]
        told = [
            _joined(getattr(facts, name)) if name in _POSITIONS else getattr(facts, name) for name in _INDEX
        ]
        index = _line([list(map(len, lines)), len(titles), len(headings), *told])
        companies[key] = index + b"".join(lines)
        places[key] = end, end + len(index)
        end += len(companies[key])
    with open_private(folder / FILE, "wb") as file:
        file.write(_line({"code": code, "companies": places}))
        file.writelines(companies.values())


def use_line_items(graph: KnowledgeGraph, folder: Path, code: str, damaged: Damaged) -> None:
    """From now on `company_facts` reads those that were saved with the graph; where there are none, or other code told
    them, it goes on telling them from the graph. `damaged`: raised where one cannot be read. OSError, ValueError."""
    if not (folder / FILE).is_file():
        return
    data = mapped(folder / FILE)
    begin = data.find(b"\n") + 1
    try:
        head = orjson.loads(data[:begin])
        if head["code"] != code:
            return
        places = {key: (begin + start, begin + end) for key, (start, end) in head["companies"].items()}
    except UNREADABLE as error:
        raise ValueError(f"the line items of the graph cannot be read ({error})") from error

    def facts_of(company_key: str) -> CompanyFacts:
        try:
            return _facts(data, *places[company_key], damaged)
        except UNREADABLE as error:
            raise damaged(f"the line items of {company_key} cannot be read ({error})") from error

    read_line_items(graph, facts_of)


def _fields(of: LineItem | CompanyFacts, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(getattr(of, name) for name in names)


def _line(value: Any) -> bytes:
    options = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SORT_KEYS
    return orjson.dumps(value, default=sorted, option=options)  # a set has no order of its own


def _facts(data: Data, start: int, end: int, damaged: Damaged) -> CompanyFacts:
    lengths, titles, headings, *told = orjson.loads(data[start:end])
    index = dict(zip(_INDEX, told, strict=True))
    first = titles + headings
    count = len(lengths) - first
    index |= {name: _Positions(index[name], count, damaged) for name in _POSITIONS}
    index |= {name: frozenset(index[name]) for name in ("guided", "phrases", "balances", "labels")}
    index["acronyms"] = {short: tuple(words) for short, words in index["acronyms"].items()}
    starts = end + np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    of_titles = Lines(data, starts[: titles + 1], _title, damaged)
    of_headings = Lines(data, starts[titles : first + 1], _heading, damaged)
    items = _Items(data, starts[first:], partial(_item, of_titles, of_headings), damaged)
    return CompanyFacts(items=items, **index)


def _title(line: list[Any]) -> dict[str, Any]:
    printed, canonicals, words = line
    return dict(zip(_TITLE, (printed, frozenset(canonicals), frozenset(words)), strict=True))


def _heading(line: list[Any]) -> dict[str, Any]:
    path, canonicals, words = line
    told = (tuple(path), tuple(canonicals), tuple(map(frozenset, words)))
    return dict(zip(_PATH, told, strict=True))


def _item(titles: Lines[dict[str, Any]], headings: Lines[dict[str, Any]], line: list[Any]) -> LineItem:
    title, heading, *told = line
    item = dict(zip(_ITEM, told, strict=True))
    item["rows"], item["unstated"] = tuple(item["rows"]), tuple(item["unstated"])
    item["label_words"], item["leader"] = frozenset(item["label_words"]), frozenset(item["leader"])
    return LineItem(**item, **titles[title], **headings[heading])
