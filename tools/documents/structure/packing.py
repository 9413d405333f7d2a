"""Sentences and rows packed to texts of a size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

Piece = tuple[str, tuple[int, ...], str]
"""(text, pages, what joins it to the piece before: ' ', newline or blank line)."""


def pack(pieces: Iterable[Piece], target: int, maximum: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Pieces (sentences) joined to texts near `target` characters and not above `maximum`.

    A paragraph's end within the last third before `target` closes a text early; a short remainder joins the
    text before it where that fits; a piece longer than `maximum` is cut at clause ends or blanks.
    """
    held: tuple[str, frozenset[int]] | None = None
    text, pages, opening = "", frozenset[int](), ""
    for piece, piece_pages, joint in short_pieces(pieces, maximum):
        full = len(text) + len(joint) + len(piece) > maximum or len(text) >= target
        rounded = joint != " " and len(text) >= target * 2 // 3
        if text and (full or rounded):
            if held:
                yield held[0], tuple(sorted(held[1]))
            held = (text, pages)
            text, pages = "", frozenset()
        opening = opening if text else joint
        text = f"{text}{joint}{piece}" if text else piece
        pages |= set(piece_pages)
    if held and text and len(text) < target // 5 and len(held[0]) + 1 + len(text) <= maximum:
        text, pages, held = f"{held[0]}{opening}{text}", held[1] | pages, None
    for last in filter(None, (held, (text, pages))):
        if last[0]:
            yield last[0], tuple(sorted(last[1]))


def short_pieces(pieces: Iterable[Piece], maximum: int) -> Iterator[Piece]:
    for text, pages, joint in pieces:
        start = 0
        while len(text) - start > maximum:
            half, end = start + maximum // 2, start + maximum
            at = max(text.rfind(mark, half, end) + 1 for mark in ("; ", ", ", " "))
            at = at if at > 0 else end
            yield text[start:at].rstrip(), pages, joint
            start, joint = at, " "
            while start < len(text) and text[start].isspace():
                start += 1
        if text[start:]:
            yield text[start:], pages, joint


def row_groups(rows: Sequence[str], maximum: int) -> list[list[str]]:
    """Consecutive rows in groups of at most `maximum` characters, as even as that allows."""
    total = sum(len(row) + 1 for row in rows)
    share = total / max(1, -(-total // maximum))
    groups: list[list[str]] = [[]]
    size = 0
    for row in rows:
        if groups[-1] and size + len(row) > share * 1.05:
            groups.append([])
            size = 0
        groups[-1].append(row)
        size += len(row) + 1
    return groups if groups != [[]] else []
