"""`hybridrag graph view` and `graph export`: what they write where, and what they refuse."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

KINDS = ("g.graphml", "g.jsonld", "g.zip", "g.csv", "folder")


def drawn(file: Path) -> dict[str, Any]:
    """What the page draws."""
    (data,) = re.findall(r'id="data">(.*?)</script>', file.read_text("utf-8"), re.DOTALL)
    found: dict[str, Any] = json.loads(data)
    return found


def test_view_writes_a_page_named_after_the_entity_and_says_what_it_holds(
    hybridrag: Any, sample_home: Path
) -> None:
    ran = hybridrag("graph", "view", "--home", sample_home, "Daniel Marsh", "--company", "HRWM")
    assert ran.code == 0 and "wrote daniel-marsh.html" in ran.out
    made = drawn(Path("daniel-marsh.html"))
    assert f"{len(made['facts']):,} facts" in ran.out
    quotes = [place for fact in made["facts"] for place in fact["places"]]
    assert quotes and all(place["page"] >= 1 and place["document"].endswith(".pdf") for place in quotes)
    assert "Bellhaven" not in json.dumps(made)


def test_view_without_an_entity_draws_the_whole_without_its_figures(
    hybridrag: Any, sample_home: Path
) -> None:
    (told,) = hybridrag("graph", "view", "--home", sample_home, "--json").objects
    made = drawn(Path("graph.html"))
    assert told["file"] == "graph.html" and told["figures_left_out"] > 0
    assert (told["nodes"], told["facts"]) == (len(made["nodes"]), len(made["facts"]))
    (stats,) = hybridrag("graph", "stats", "--home", sample_home, "--json").objects
    assert sum(len(edge["facts"]) for edge in made["edges"]) <= stats["triplets"] - told["figures_left_out"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Nobody Atall"], "No entity 'Nobody Atall'"),
        (["--out", "graph.png"], "'graph.png' must end in .html"),
        (["--depth", "2"], "--depth says how far to go from an entity"),
        (["--out", "no/such/folder/x.html"], "Can't write 'no/such/folder/x.html'"),
        (["--company", "Foo"], "No company 'Foo'"),
    ],
)
def test_view_refuses_what_it_cannot_draw_with_words(
    hybridrag: Any, sample_home: Path, words: list[str], told: str
) -> None:
    ran = hybridrag("graph", "view", "--home", sample_home, *words)
    assert ran.code == 2 and told in ran.err
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize("command", [["view", "--out", "g.html"], *(["export", kind] for kind in KINDS)])
def test_nothing_is_overwritten_unasked_and_nothing_but_the_files_is_left(
    hybridrag: Any, sample_home: Path, command: list[str]
) -> None:
    def files() -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in Path().rglob("*") if path.is_file()}

    assert hybridrag("graph", *command, "--home", sample_home).code == 0
    written = files()
    one = next(iter(written))
    Path(one).write_bytes(b"mine")
    ran = hybridrag("graph", *command, "--home", sample_home)
    assert ran.code == 2 and "exists and is not overwritten" in ran.err and Path(one).read_bytes() == b"mine"
    assert hybridrag("graph", *command, "--home", sample_home, "--force").code == 0
    assert set(files()) == set(written) and Path(one).read_bytes() != b"mine"


def test_tables_are_two_files_beside_one_another_in_a_folder_or_in_a_zip(
    hybridrag: Any, sample_home: Path
) -> None:
    for kind in KINDS[2:]:
        assert hybridrag("graph", "export", "--home", sample_home, kind).code == 0
    nodes = Path("g-nodes.csv").read_bytes()
    edges = Path("g-edges.csv").read_bytes()
    with ZipFile("g.zip") as packed:
        assert {name: packed.read(name) for name in packed.namelist()} == {
            "nodes.csv": nodes,
            "edges.csv": edges,
        }
    assert Path("folder/nodes.csv").read_bytes() == nodes
    (stats,) = hybridrag("graph", "stats", "--home", sample_home, "--json").objects
    with Path("g-edges.csv").open(encoding="utf-8", newline="") as file:
        assert len([*csv.DictReader(file)]) == stats["triplets"]


def test_an_ending_that_is_none_of_the_formats_is_named_before_anything_is_opened(hybridrag: Any) -> None:
    for name in ("graph.xlsx", "graph.json"):
        ran = hybridrag("graph", "export", "--home", "none", name)
        assert ran.code == 2 and ".graphml, .jsonld, .csv" in ran.err
    assert list(Path().iterdir()) == []
