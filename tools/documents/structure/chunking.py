"""Documents to chunks: filings by section, calls by turn and exchange, tables whole; or plain pieces for
baselines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from tools.documents.ids import chunk_id
from tools.documents.structure.noise import drop_noise
from tools.documents.structure.packing import Piece, pack, row_groups, short_pieces
from tools.documents.structure.place import place_tables
from tools.documents.structure.sections import Block, Sentence, read_blocks
from tools.documents.structure.transcript import Exchange, Turn, read_transcript
from tools.documents.text.cleaning import join_lines, sentences, squeeze
from tools.documents.types import Chunk, ChunkKind, Document, Page, Participant, Table

TARGET_CHARS = 1_000
MAX_CHARS = 1_200
MAX_EXCHANGE = 3_000
MAX_TABLE = 4_000
MAX_CAPTION = 400


@dataclass(frozen=True, slots=True)
class Chunked:
    """What chunking yields."""

    chunks: tuple[Chunk, ...]
    participants: tuple[Participant, ...]
    dropped: dict[str, int]
    """Noise left out, by kind, in lines."""


def chunk(
    document: Document,
    pages: Sequence[Page],
    tables: Sequence[Table],
    *,
    target: int = TARGET_CHARS,
    maximum: int = MAX_CHARS,
) -> Chunked:
    """Chunks in reading order, with ids unique within the document.

    Prose is cut at sentence ends near `target` characters and only a sentence longer than `maximum` is cut
    inside. A chunk lies within one section but may span pages, and lists them all. A call's question and
    whole answer are one `exchange`, cut at turn or sentence ends only above 3,000 characters. A table is one
    chunk, cut between rows only above 4,000 characters. Dropped noise is counted, by kind.
    """
    maker = _Maker(document)
    if document.doc_type == "call":
        call = read_transcript(pages, document.company)
        for part in call.parts:
            if isinstance(part, Exchange):
                _add_exchange(maker, part)
            else:
                _add_turn(maker, part, target, maximum)
        return Chunked(tuple(maker.chunks), call.participants, call.dropped)
    by_page: dict[int, list[tuple[int, Table]]] = {}
    for index, table in enumerate(tables):
        by_page.setdefault(table.page, []).append((index, table))
    placed = [place_tables(page, by_page.get(page.number, [])) for page in pages]
    kept = drop_noise(placed, cover=document.doc_type in ("10-Q", "10-K"), company=document.company)
    before: Block | None = None
    for block in read_blocks(kept.lines, kept.cover_pages, kept.contents):
        if block.kind == "table" and block.table is not None:
            caption = _take_caption(before) if before and before.section == block.section else []
            if before is not None:
                _add_prose(maker, before, target, maximum)
            _add_table(maker, tables[block.table], block.section, caption)
            before = None
            continue
        if before is not None:
            _add_prose(maker, before, target, maximum)
        before = block
    if before is not None:
        _add_prose(maker, before, target, maximum)
    return Chunked(tuple(maker.chunks), (), kept.dropped)


def _take_caption(block: Block) -> list[Sentence]:
    """Remove from prose before a table the sentence that leads up to it ('... were as follows:'), else all
    of it where that is one or two short sentences without amounts: worth nothing without the table."""
    if block.pieces[-1][0].endswith(":") and len(block.pieces[-1][0]) <= MAX_CAPTION:
        return [block.pieces.pop()]
    words = " ".join(text for text, _, _ in block.pieces)
    if len(block.pieces) <= 2 and len(words) <= MAX_CAPTION // 2 and not re.search(r"[$€£%]", words):
        caption, block.pieces = block.pieces, []
        return caption
    return []


def recursive_chunks(
    document: Document, pages: Sequence[Page], size: int = 1024, overlap: int = 0
) -> tuple[Chunk, ...]:
    """The paper's plain splitter: pieces of at most `size` characters, cut between words, a longer word inside,
    each beginning with up to `overlap` characters of the piece before.

    White space is folded first: a PDF's lines end where the page does, not where a paragraph does. No context line,
    no tables, no sections: what the baselines of HybridRAG index.
    """
    if not 0 <= overlap < size:
        raise ValueError("overlap must be at least 0 and smaller than size")
    maker = _Maker(document, context=False)
    texts = [(page.number, squeeze(page.text)) for page in pages]
    text = " ".join(words for _, words in texts)
    numbers = [number for number, _ in texts]
    starts = list(accumulate((len(words) + 1 for _, words in texts), initial=0))[:-1]
    begin = 0
    while begin < len(text):
        end = _cut(text, begin, size)
        piece = text[begin:end]
        if piece.strip():
            first, last = (numbers[bisect_left(starts, at) - 1] for at in (begin + 1, end))
            maker.add("prose", piece.strip(), tuple(range(first, last + 1)), "")
        if end >= len(text):
            break
        begin = max(end - overlap, begin + 1)
        while begin < len(text) and text[begin].isspace():
            begin += 1
    return tuple(maker.chunks)


def _cut(text: str, begin: int, size: int) -> int:
    """Where a piece that begins at `begin` ends."""
    if begin + size >= len(text):
        return len(text)
    at = text.rfind(" ", begin + 1, begin + size + 1)
    return begin + size if at < 0 else at


class _Maker:
    """Collects chunks: ids, and the context line that is embedded before each text."""

    def __init__(self, document: Document, context: bool = True) -> None:
        self._document = document
        self._context = context
        self._copies: Counter[tuple[tuple[int, ...], str, str]] = Counter()
        self.chunks: list[Chunk] = []

    def add(
        self,
        kind: ChunkKind,
        text: str,
        pages: Iterable[int],
        section: str,
        *,
        speaker: str = "",
        embedded: str | None = None,
    ) -> None:
        numbers = tuple(sorted(set(pages)))
        key = (numbers, kind, text)
        identity = chunk_id(self._document.id, numbers, kind, text, self._copies[key])
        self._copies[key] += 1
        embed_text = text if embedded is None else embedded
        if self._context:
            embed_text = f"{context_line(self._document, section)}\n{embed_text}"
        self.chunks.append(
            Chunk(identity, self._document.id, text, embed_text, numbers, section, kind, speaker)
        )


def context_line(document: Document, section: str) -> str:
    """'Apple Inc. 10-Q, quarter ended July 1, 2023 (fiscal Q3 2023), Part I, Item 2 - MD&A > Revenue'."""
    label = ""
    if document.period_end is not None and document.fiscal_year is not None:
        quarter = f"Q{document.fiscal_quarter} " if document.fiscal_quarter else ""
        label = f" (fiscal {quarter}{document.fiscal_year})"
    return ", ".join(filter(None, [f"{document.title}{label}", section]))


def _add_prose(maker: _Maker, block: Block, target: int, maximum: int) -> None:
    pieces = [(text, pages, "\n" if new_line else " ") for text, pages, new_line in block.pieces]
    for text, pages in pack(pieces, target, maximum):
        maker.add("prose", text, pages, block.section)


def _add_table(maker: _Maker, table: Table, section: str, caption: Sequence[Sentence]) -> None:
    """A table as title, note and Markdown; a very large one in parts, each with title and header row. A short
    sentence that leads up to it (`caption`) stands before it."""
    lead = " ".join(text for text, _, _ in caption)
    title = "" if lead and squeeze(table.title) in lead else table.title
    note = "" if not table.note or table.note in lead else f"({table.note.strip('()')})"
    heading = "\n".join(filter(None, [lead, title, note]))
    rows = table.markdown.split("\n")
    header = rows[:2] if len(rows) > 2 and set(rows[1]) <= set("|-: ") else []
    body = rows[len(header) :]
    parts = row_groups(body, MAX_TABLE)
    lines_each = -(-len(table.lines) // len(parts)) if parts else 0
    pages = {table.page, *(page for _, on, _ in caption for page in on)}
    for n, part in enumerate(parts):
        text = "\n".join(filter(None, [heading, *header, *part]))
        lines = table.lines if len(parts) == 1 else table.lines[n * lines_each : (n + 1) * lines_each]
        embedded = "\n".join(filter(None, [heading, *lines])) if lines else text
        maker.add("table", text, sorted(pages), section, embedded=embedded)


def _turn_pieces(turn: Turn, named: bool) -> Iterator[Piece]:
    """A turn's sentences; with `named`, the first after 'Speaker: '."""
    text = join_lines([line for _, line in turn.lines])
    ends = list(accumulate(len(squeeze(line)) + (1 if n else 0) for n, (_, line) in enumerate(turn.lines)))
    at = 0
    for n, sentence in enumerate(sentences(text)):
        stop = at + len(sentence)
        lines = {min(bisect_left(ends, x), len(ends) - 1) for x in (at + 1, stop)}
        pages = {turn.lines[line][0] for line in lines}
        lead = f"{turn.speaker}: " if named and n == 0 and turn.speaker else ""
        yield f"{lead}{sentence}", tuple(sorted(pages)), "\n" if n == 0 else " "
        at = stop + 1


def _add_turn(maker: _Maker, turn: Turn, target: int, maximum: int) -> None:
    section = "Questions and Answers" if turn.in_questions else "Prepared Remarks"
    where = f"{section} > {turn.speaker}" if turn.speaker else section
    for text, pages in pack(_turn_pieces(turn, named=False), target, maximum):
        maker.add("prose", text, pages, where, speaker=turn.speaker)


def _add_exchange(maker: _Maker, exchange: Exchange) -> None:
    """One chunk or, above the limit, parts that begin where the analyst asks again; an answer too long for
    one part is cut at sentence ends. Every part names the asker, and a cut turn its speaker again."""
    section = f"Questions and Answers > {exchange.asker}"
    lead = f"[{exchange.asker}'s question, continued]\n"
    room = MAX_EXCHANGE - len(lead) - 60
    rounds: list[list[Turn]] = [[]]
    for turn in exchange.turns:
        if turn.speaker == exchange.asker and any(
            t.speaker not in (exchange.asker, "Operator") for t in rounds[-1]
        ):
            rounds.append([])
        rounds[-1].append(turn)
    parts: list[tuple[str, frozenset[int]]] = []
    for turns in rounds:
        for n, (text, pages) in enumerate(_round_parts(turns, room)):
            if n == 0 and parts and len(parts[-1][0]) + len(text) < room:
                parts[-1] = (f"{parts[-1][0]}\n{text}", parts[-1][1] | pages)
            else:
                parts.append((text, pages))
    for n, (text, pages) in enumerate(parts):
        maker.add("exchange", f"{lead if n else ''}{text}", pages, section, speaker=exchange.asker)


def _round_parts(turns: Sequence[Turn], room: int) -> list[tuple[str, frozenset[int]]]:
    """One question and its answer, whole if it has room, else in parts of about equal length."""
    total = sum(len(line) + 1 for turn in turns for _, line in turn.lines)
    share = room if total <= room else total // -(-total // room) + 200
    parts: list[tuple[str, frozenset[int]]] = [("", frozenset())]
    for turn in turns:
        for n, (sentence, pages, joint) in enumerate(short_pieces(_turn_pieces(turn, named=True), room)):
            text, seen = parts[-1]
            if text and len(text) + len(sentence) + 1 > share:
                again = f"{turn.speaker}: " if n and turn.speaker else ""
                parts.append((f"{again}{sentence}", frozenset(pages)))
            else:
                parts[-1] = (f"{text}{joint}{sentence}" if text else sentence, seen | set(pages))
    return [part for part in parts if part[0]]
