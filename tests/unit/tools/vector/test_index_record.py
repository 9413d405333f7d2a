from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tools.documents.types import Chunk, Document
from tools.vector.index_record import (
    FormatError,
    IndexRecord,
    Row,
    describe,
    digest,
    fold,
    keep_first,
    metadata,
    text_hash,
)

ORLA = Document(
    "d" * 16, "orla.pdf", "orla.pdf", "", "Orla", "ORL", "ORL", (), "10-Q", 2023, 2, date(2023, 7, 1), 9
)  # fmt: skip
RECORD = IndexRecord(
    "words-64", 64, 1, (describe(ORLA),), (Row("c1", ORLA.id, "f", "e"),), {"vectors": "sha"}, "digest"
)


def chunk(id: str, text: str, document: Document = ORLA, page: int = 3) -> Chunk:
    return Chunk(id, document.id, text, text, (page, page + 1), "Item 2", "prose")


def test_a_record_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    RECORD.save(tmp_path / "record")
    assert IndexRecord.load(tmp_path / "record") == RECORD


def test_a_changed_record_and_one_of_another_format_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "record"
    RECORD.save(path)
    path.write_text(path.read_text().replace("words-64", "words-65"))
    with pytest.raises(ValueError, match="not what was written"):
        IndexRecord.load(path)
    replace(RECORD, format=99).save(path)
    with pytest.raises(FormatError):
        IndexRecord.load(path)


def test_what_is_not_known_is_left_out_of_the_metadata() -> None:
    known = metadata(chunk("c", "Orla grew."), ORLA)
    assert (known["page"], known["period_end"], known["year"], known["quarter"]) == (3, "2023-07-01", 2023, 3)
    unknown = metadata(chunk("c", "Orla grew."), replace(ORLA, period_end=None, fiscal_year=None))
    assert not {"period_end", "fiscal_year", "year", "quarter"} & set(unknown)


def test_of_chunks_that_say_the_same_the_first_by_path_and_page_is_kept() -> None:
    later = replace(ORLA, id="e" * 16, path="z.pdf")
    other = replace(ORLA, id="f" * 16, path="y.pdf", fiscal_quarter=3)
    chunks = [
        chunk("c1", "Orla  GREW.", page=5),
        chunk("c2", "orla grew.", page=2),
        chunk("c3", "Orla grew.", later, page=1),
        chunk("c4", "Orla grew.", other),
        chunk("c0", "Orla shrank."),
    ]
    kept = keep_first(chunks, {document.id: document for document in (ORLA, later, other)})
    assert [chunks[number].id for number in kept] == ["c0", "c2", "c4"]
    assert fold(" Orla\n GREW. ") == "orla grew."


def test_a_digest_changes_with_every_part_of_the_content() -> None:
    vector = np.ones(2, np.float32)
    whole = digest("m", [describe(ORLA)], {"k": "s"}, [("c", "text", {"page": 1}, vector)])
    others = {
        digest("n", [describe(ORLA)], {"k": "s"}, [("c", "text", {"page": 1}, vector)]),
        digest("m", [], {"k": "s"}, [("c", "text", {"page": 1}, vector)]),
        digest("m", [describe(ORLA)], {"k": "t"}, [("c", "text", {"page": 1}, vector)]),
        digest("m", [describe(ORLA)], {"k": "s"}, [("c", "text", {"page": 2}, vector)]),
        digest("m", [describe(ORLA)], {"k": "s"}, [("c", "text", {"page": 1}, 2 * vector)]),
    }
    assert len(others) == 5 and whole not in others
    assert len(text_hash("a\ud800")) == 32
