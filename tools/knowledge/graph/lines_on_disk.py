"""Lines of a file that lies in memory only as far as they are looked at: by number, or by the name they begin with."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from os import SEEK_END
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, overload

import numpy as np
import orjson
from numpy.typing import NDArray

T = TypeVar("T")
MAX_KEPT = 200_000
"""Lines kept as they were read; then they are read anew."""


Data = mmap.mmap | bytes
Damaged = Callable[[str], Exception]
"""The error of what cannot be read, of why."""
UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError)
"""What reading a line raises that is not what was written."""


def mapped(path: Path) -> Data:
    """The file's bytes, read as they are asked for; they stay where it is deleted. OSError."""
    with path.open("rb") as file:
        if not file.seek(0, SEEK_END):  # nothing can't be mapped
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


class Lines(Sequence[T]):
    """Lines of JSON, each read when it is asked for. Threads may share them."""

    def __init__(
        self, data: Data, starts: NDArray[np.int64], read: Callable[[Any], T], damaged: Damaged = ValueError
    ) -> None:
        """`starts`: where each begins, and where one after the last would; `read`: what a line's JSON stands for;
        `damaged`: raised where it stands for nothing."""
        self._data, self._starts, self._read, self._damaged = data, starts.data, read, damaged
        self._kept: dict[int, T] = {}

    def __len__(self) -> int:
        return len(self._starts) - 1

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        found = self._kept.get(at)
        if found is None:
            if len(self._kept) >= MAX_KEPT:
                self._kept = {}
            found = self._kept[at] = self._at(range(len(self))[at])
        return found

    def __iter__(self) -> Iterator[T]:
        """Each as it is read: who goes through all of them keeps none."""
        return map(self._at, range(len(self)))

    def _at(self, at: int) -> T:
        try:
            return self._read(orjson.loads(self._data[self._starts[at] : self._starts[at + 1]]))
        except UNREADABLE as error:
            raise self._damaged(f"line {at + 1} of a part of the graph cannot be read ({error})") from error


def write_sorted(file: BinaryIO, tables: Iterable[tuple[str, Mapping[str, list[int]]]]) -> None:
    """Tables of (letter, key -> numbers), letters ascending, as lines `letter"key"<TAB>[numbers]` sorted by their
    bytes. OSError."""
    for table, held in tables:
        lines = sorted((_key(table, key), numbers) for key, numbers in held.items())
        file.writelines(b"%s\t%s\n" % (key, orjson.dumps(numbers)) for key, numbers in lines)


def _key(table: str, key: str) -> bytes:
    return table.encode() + orjson.dumps(key)


class SortedLines(Mapping[str, list[int]]):
    """One of the tables that `write_sorted` wrote, each name looked up in the file by halving it."""

    def __init__(self, data: Data, table: str, damaged: Damaged = ValueError) -> None:
        """`damaged`: raised where a line cannot be read."""
        self._data, self._table, self._damaged = data, table, damaged

    def __getitem__(self, key: str) -> list[int]:
        try:
            sought = _key(self._table, key)
        except orjson.JSONEncodeError:  # half a character is in no name
            raise KeyError(key) from None
        start, end, name = self._place(sought)
        if name != sought:
            raise KeyError(key)
        numbers: list[int] = self._loaded(self._data[start + len(name) + 1 : end])
        return numbers

    def __iter__(self) -> Iterator[str]:
        lead = self._table.encode()
        _, end, name = self._place(lead)
        while name.startswith(lead):
            yield self._loaded(name[len(lead) :])
            _, end, name = self._line(end + 1)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _loaded(self, part: bytes) -> Any:
        try:
            return orjson.loads(part)
        except orjson.JSONDecodeError as error:
            raise self._damaged(f"a line of the graph's names cannot be read ({error})") from error

    def _place(self, sought: bytes) -> tuple[int, int, bytes]:
        """Of the first line whose name is not less: where it begins and ends, and its name, '' after the last."""
        low, high = 0, len(self._data)
        while low < high:
            start = self._data.rfind(b"\n", low, (low + high) // 2) + 1 or low
            _, end, name = self._line(start)
            if name < sought:
                low = end + 1
            else:
                high = start
        return self._line(low)

    def _line(self, start: int) -> tuple[int, int, bytes]:
        end = self._data.find(b"\n", start)
        end = len(self._data) if end < 0 else end
        return start, end, self._data[start : max(start, self._data.find(b"\t", start, end))]
