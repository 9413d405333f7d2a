"""The line items of all companies, kept beside the graph: a question reads the few that it looks at, where telling them
from the graph takes a twentieth of a second a company.

line_items.jsonl  {"code": ..., "companies": {company key: [where its index begins, and ends]}}, then for each company
                  its index, [lengths of its items' lines, its titles, its headings, then the other fields of
                  `CompanyFacts`], and its items, a line each, which name title and headings by number
"""

from __future__ import annotations

from collections.abc import Sequence
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


def save_line_items(graph: KnowledgeGraph, folder: Path, code: str) -> None:
    """Write those of every company into the folder of a saved graph; `code`: the version of what told them. The same
    graph gives the same bytes. OSError."""
    companies: dict[str, bytes] = {}
    places: dict[str, tuple[int, int]] = {}
    end = 0
    for key in sorted(graph.rows_of_company):
        facts = told_from_graph(graph, key)
        titles, paths = ({_fields(item, names): 0 for item in facts.items} for names in (_TITLE, _PATH))
        for table in (titles, paths):
            table |= {told: number for number, told in enumerate(table)}
        items = [
            _line([titles[_fields(item, _TITLE)], paths[_fields(item, _PATH)], *_fields(item, _ITEM)])
            for item in facts.items
        ]
        index = _line([list(map(len, items)), list(titles), list(paths), *_fields(facts, _INDEX)])
        companies[key] = index + b"".join(items)
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
    lengths, titles, paths, *told = orjson.loads(data[start:end])
    index = dict(zip(_INDEX, told, strict=True))
    index |= {name: frozenset(index[name]) for name in ("guided", "phrases", "balances", "labels")}
    index["acronyms"] = {short: tuple(words) for short, words in index["acronyms"].items()}
    starts = end + np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return CompanyFacts(items=Lines(data, starts, partial(_item, titles, paths), damaged), **index)


def _item(titles: list[Any], paths: list[Any], line: list[Any]) -> LineItem:
    title, path, *told = line
    item = dict(zip(_ITEM, told, strict=True))
    item["rows"], item["unstated"] = tuple(item["rows"]), tuple(item["unstated"])
    item["label_words"], item["leader"] = frozenset(item["label_words"]), frozenset(item["leader"])
    printed, canonicals, words = titles[title]
    item |= {"title": printed, "title_canonicals": frozenset(canonicals), "title_words": frozenset(words)}
    headings, of_headings, words = paths[path]
    item |= {"path": tuple(headings), "path_canonicals": tuple(of_headings)}
    return LineItem(**item, path_words=tuple(map(frozenset, words)))
