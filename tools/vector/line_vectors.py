"""Vectors of printed lines, kept with the index: a question is compared with a company's lines without reading them.

lines/  lines.json (which encoder, and the lines)  vectors.npy (a row for each)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from tools.private_files import FOLDER_MODE, open_private

RECORD, VECTORS = "lines.json", "vectors.npy"


@dataclass(frozen=True, slots=True)
class LineVectors:
    """Lines and their vectors, by one encoder."""

    encoder: str
    """`LineItemEncoder.id`."""
    places: Mapping[str, int]
    """Line -> row of `matrix`."""
    matrix: NDArray[np.float16]
    """(lines, width), each of length 1; may lie on the disk."""

    @classmethod
    def load(cls, folder: Path) -> LineVectors:
        """OSError, ValueError, KeyError or TypeError where they cannot be read."""
        record = orjson.loads((folder / RECORD).read_bytes())
        matrix = np.load(folder / VECTORS, mmap_mode="r", allow_pickle=False)
        return cls(record["encoder"], {line: at for at, line in enumerate(record["lines"])}, matrix)

    def save(self, folder: Path) -> None:
        """Write both files into a new folder. OSError if it cannot."""
        folder.mkdir(FOLDER_MODE)
        with open_private(folder / RECORD, "xb") as record, open_private(folder / VECTORS, "xb") as vectors:
            record.write(orjson.dumps({"encoder": self.encoder, "lines": list(self.places)}))
            np.save(vectors, self.matrix, allow_pickle=False)


NONE_STORED = LineVectors("", {}, np.zeros((0, 0), np.float16))
