"""Small PDFs that can hold any character: one font whose codes are mapped to Unicode by the file itself."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

LINE = 15
LEFT, TOP = 50, 740
COLUMNS = (330, 440)
"""Left edges of a table's figures."""
WRAP = 92
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Put:
    """A run of text on a page."""

    x: int
    y: int
    text: str


class PageWriter:
    """Fills a page from the top."""

    def __init__(self) -> None:
        self.put: list[Put] = []
        self._y = TOP

    def gap(self) -> None:
        """An empty line."""
        self._y -= LINE

    def line(self, text: str) -> None:
        """One line, not wrapped."""
        self.put.append(Put(LEFT, self._y, text))
        self._y -= LINE

    def paragraph(self, text: str) -> None:
        """Wrapped lines and a gap; blanks of the text that break no line stay as they are."""
        for part in text.split("\n"):
            for line in textwrap.wrap(part, WRAP, replace_whitespace=False) or [""]:
                self.line(line)
        self.gap()

    def row(self, label: str, *cells: str) -> None:
        """A table row."""
        self.put.append(Put(LEFT, self._y, label))
        self.put += [Put(x, self._y, cell) for x, cell in zip(COLUMNS, cells, strict=False)]
        self._y -= LINE


def write_pdf(path: Path, pages: Sequence[Sequence[Put]], info: Mapping[str, str]) -> None:
    """A file of `pages` with `info` (Title, Author, ...) in its document information."""
    codes = {c: n for n, c in enumerate(sorted({c for page in pages for put in page for c in put.text}), 1)}
    objects: list[bytes] = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{6 + 2 * n} 0 R" for n in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /ToUnicode 5 0 R"
        b" /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 500 /CIDSystemInfo"
        b" << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>] >>"
    )
    named = b" ".join(f"/{key} <{_hex(BOM + text)}>".encode() for key, text in info.items())
    objects.append(b"<< " + named + b" >>")
    objects.append(_stream(_to_unicode(codes)))
    for n, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {7 + 2 * n} 0 R"
            " /Resources << /Font << /F 3 0 R >> >> >>".encode()
        )
        objects.append(_stream("\n".join(_shown(put, codes) for put in page)))
    path.write_bytes(_file(objects))


def _shown(put: Put, codes: Mapping[str, int]) -> str:
    written = "".join(f"{codes[c]:04X}" for c in put.text)
    return f"BT /F 9 Tf 1 0 0 1 {put.x} {put.y} Tm <{written}> Tj ET"


def _hex(text: str) -> str:
    return text.encode("utf-16-be").hex().upper()


def _to_unicode(codes: Mapping[str, int]) -> str:
    pairs = [f"<{code:04X}> <{_hex(c)}>" for c, code in codes.items()]
    blocks = [pairs[at : at + 100] for at in range(0, len(pairs), 100)]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Any def /CMapType 2 def",
            "1 begincodespacerange <0000> <FFFF> endcodespacerange",
            *(f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks),
            "endcmap end end",
        ]
    )


def _stream(text: str) -> bytes:
    data = text.encode("ascii")
    return b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


def _file(objects: Iterable[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places: list[int] = []
    for n, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(places) + 1,
        start,
    )
    return bytes(out)
