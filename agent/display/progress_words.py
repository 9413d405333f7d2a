"""Where an indexing run is, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tools.store.reading.pace import FileAt
    from tools.store.reading.report import Progress

STAGE_WORDS = {"pages": "page", "facts": "looking for facts", "passages": "embedding passage"}


def file_words(at: FileAt) -> str:
    """'10-Q.pdf, page 12 of 28'; 'page 12' where nobody knows of how many."""
    count = f" {at.done:,} of {at.total:,}" if at.total else f" {at.done:,}" if at.done else ""
    return f"{at.file}, {STAGE_WORDS[at.stage]}{count}"


def in_hand_words(at: Progress) -> str:
    """The files being read and the time to go; '' where nothing is known of either."""
    return "; ".join([*map(file_words, at.in_hand), *filter(None, [left_words(at)])])


def left_words(at: Progress) -> str:
    """'about 3 min left'; '' while that would be a guess."""
    if at.seconds_left is None or not at.in_hand:
        return ""
    seconds = round(at.seconds_left)
    if seconds < 60:
        return f"about {max(10, -(-seconds // 10) * 10)} s left"
    minutes = -(-seconds // 60)
    hours, rest = divmod(minutes, 60)
    return f"about {f'{hours} h {rest} min' if hours else f'{minutes} min'} left"


def published_words(at: Progress) -> str:
    """What can be asked since a moment ago; '' where nothing new can be."""
    if at.published is None:
        return ""
    ready, total = at.published
    return f"{ready:,} of {total:,} documents can be asked now"


def spent_words(at: Progress) -> str:
    """Calls and tokens so far, if there were any."""
    return f" ({at.spent.calls:,} calls, {at.spent.tokens:,} tokens)" if at.spent.calls else ""
