"""Lines of a file, looked up in it: what was written comes back, by number and by name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.knowledge.graph import lines_on_disk
from tools.knowledge.graph.lines_on_disk import Lines, SortedLines, mapped, write_sorted

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
tables = st.dictionaries(texts, st.lists(st.integers(0, 99), max_size=3), max_size=12)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=tables, other=tables, unknown=texts)
def test_every_name_is_found_in_its_own_table_and_no_other(
    one: dict[str, list[int]], other: dict[str, list[int]], unknown: str, tmp_path: Path
) -> None:
    file = tmp_path / "lines"
    with file.open("wb") as out:
        write_sorted(out, [("a", one), ("b", other), ("c", {"last": [1]})])
    for letter, held in (("a", one), ("b", other)):
        read = SortedLines(mapped(file), letter)
        assert dict(read) == held and len(read) == len(held)
        assert {key: read[key] for key in held} == held
        assert read.get(unknown) == held.get(unknown)
    assert SortedLines(mapped(file), "d").get("last") is None


@pytest.mark.parametrize("most", [1, 100])
def test_lines_are_read_by_number_as_often_as_they_are_asked_for(
    most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_on_disk, "MAX_KEPT", most)
    data = [orjson.dumps([number, "x" * number]) + b"\n" for number in range(5)]
    (tmp_path / "lines").write_bytes(b"".join(data))
    starts = np.cumsum([0, *map(len, data)])
    read = Lines(mapped(tmp_path / "lines"), starts[1:], lambda line: int(line[0]))
    for _ in range(2):
        assert [read[at] for at in range(4)] == list(read) == read[:] == [1, 2, 3, 4]
    assert (read[-1], read[1:3], len(read)) == (4, [2, 3], 4)
    with pytest.raises(IndexError):
        read[4]
