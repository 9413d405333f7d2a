"""Citations point at the page on which the quoted sentence stands, also where a chunk spans two."""

from __future__ import annotations

from pathlib import Path

from agent.assistant import Assistant
from tools.scope import Scope

LEAD = (
    "Inventory levels rose because suppliers delivered ahead of the holiday season and stores stocked early."
)
TAIL = "Warehouse automation lowered handling costs per parcel in the northern region by a wide margin."


def test_a_quotation_from_the_second_place_of_a_chunk_cites_that_page(tmp_path: Path) -> None:
    source = tmp_path / "notes.txt"
    source.write_text(f"Northwind Traders Inc. notes\n\n{LEAD}\f{TAIL}\n", encoding="utf-8")
    with Assistant.open(tmp_path / "home") as assistant:
        assistant.index([source])
        index = assistant.current()
        found = index.vector_search("Why did handling costs per parcel fall?", Scope(), 4, 0.8)
        item = next(item for item in found if TAIL in item.text)
        assert LEAD in item.text
        assert [index.place_of(item, quote) for quote in (LEAD, TAIL)] == [(1, ""), (2, "")]
        assert index.place_of(item, "A sentence that stands nowhere in the file.") == (item.page, "")


def test_files_of_one_name_are_cited_by_their_path(tmp_path: Path) -> None:
    for folder, text in (("north", LEAD), ("south", TAIL)):
        (tmp_path / "docs" / folder).mkdir(parents=True)
        (tmp_path / "docs" / folder / "call.txt").write_text(f"{folder} notes\n\n{text}\n", encoding="utf-8")
    with Assistant.open(tmp_path / "home") as assistant:
        assistant.index([tmp_path / "docs"])
        found = assistant.current().vector_search("handling costs per parcel", Scope(), 4, 0.8)
    assert {item.document for item in found if TAIL in item.text} == {"south/call.txt"}
