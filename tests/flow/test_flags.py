"""Flags of `index` hold for later runs over the same files."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.light_index import index_light
from tools.documents.metadata.document_metadata import Overrides
from tools.store.disk.home import MANIFEST, Home
from tools.store.reading.flags import flags_of
from tools.store.runs.removal import remove


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for name in ("orla", "kestrel"):
        (tmp_path / "in" / f"{name}.txt").write_text(f"{name.title()} grew in the year.\n", encoding="utf-8")
    return tmp_path / "in"


def said(home: Path) -> dict[str, dict[str, Any]]:
    return {entry.name: flags_of(entry.flags) for entry in Home(home).manifest().entries}


def test_a_plain_run_undoes_no_flag_and_forgetting_does(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    index_light(home, [folder / "orla.txt"], overrides=Overrides(company="Orla Ltd", quarter=2))
    report = index_light(home, [folder])
    assert report.counts == {"unchanged": 1, "indexed": 1}
    assert said(home) == {"orla.txt": {"company": "Orla Ltd", "quarter": 2}, "kestrel.txt": {}}
    (folder / "orla.txt").write_text("Orla grew again.\n", encoding="utf-8")
    changed = index_light(home, [folder], overrides=Overrides(year=2024)).outcomes
    assert {o.document.company for o in changed if o.document and o.document.name == "orla.txt"} == {
        "Orla Ltd"
    }
    assert said(home)["orla.txt"] == {"company": "Orla Ltd", "quarter": 2, "year": 2024}
    report = index_light(home, [folder / "orla.txt"], forget_flags=True)
    assert report.counts == {"replaced": 1} and said(home) == {"orla.txt": {}, "kestrel.txt": {"year": 2024}}


def test_flags_of_an_older_manifest_are_taken_from_the_records(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    index_light(home, [folder / "orla.txt"], overrides=Overrides(company="Orla Ltd"))
    stored = orjson.loads((home / MANIFEST).read_bytes())
    for item in stored["documents"]:
        del item["flags"]
    body = orjson.dumps(stored["documents"])
    sealed = hashlib.sha256(stored["embedder"].encode() + b"\n" + body).hexdigest()
    (home / MANIFEST).write_bytes(orjson.dumps({**stored, "format": 1, "sha256": sealed}))
    assert said(home) == {"orla.txt": {"company": "Orla Ltd"}}
    assert index_light(home, [folder]).counts == {"unchanged": 1, "indexed": 1}
    assert orjson.loads((home / MANIFEST).read_bytes())["format"] == 2


def test_a_document_taken_out_takes_its_flags_along(folder: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    index_light(home, [folder], overrides=Overrides(company="Orla Ltd"))
    remove(home, "orla.txt")
    index_light(home, [folder])
    assert said(home) == {"orla.txt": {}, "kestrel.txt": {"company": "Orla Ltd"}}
