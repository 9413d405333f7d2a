from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from builders import document, parsed, prose
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.documents.types import Page
from tools.knowledge.extract.windows import MAX_CHARACTERS, MAX_OVERLAP, SourceText, source_text, windows

CALL = document(doc_type="call", end=None)
WORDS = st.lists(
    st.sampled_from(["revenue", "rose", "Ohio", "We", "plants", "x" * 300]), min_size=1, max_size=80
)
TEXTS = st.lists(WORDS.map(lambda words: " ".join(words).capitalize() + "."), min_size=1, max_size=60)


def text_of(*texts: str, speaker: str = "") -> SourceText:
    return source_text(parsed(CALL, chunks=tuple(prose(CALL, text, speaker=speaker) for text in texts)))


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_windows_cover_every_character_within_their_size_and_overlap(texts: list[str]) -> None:
    source = text_of(*texts)
    found = list(windows(source))
    assert (found[0].start, found[-1].end) == (0, len(source.text))
    for window in found:
        assert window.text == source.text[window.start : window.end].strip()
        assert 0 < window.end - window.start <= MAX_CHARACTERS
    for one, other in pairwise(found):
        assert one.start < other.start <= one.end
        assert one.end - other.start <= MAX_OVERLAP


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_the_sentences_of_a_window_hold_its_text(texts: list[str]) -> None:
    source = text_of(*texts)
    for window in windows(source):
        whole = " ".join(passage.text for passage in window.passages)
        assert set(window.text.split()[1:-1]) <= set(whole.split())


def test_a_window_ends_and_begins_at_a_sentence_where_one_is_near() -> None:
    source = text_of(
        " ".join(f"Plant number {n} in Ohio opened and made many good pumps." for n in range(200))
    )
    for window in windows(source):
        assert window.text.startswith("Plant number")
        assert window.text.endswith("pumps.")


def test_the_page_of_every_character_is_known() -> None:
    first, second = "Alder opened a plant in Ohio in May.", "Birch opened a plant in Iowa in June."
    chunk = replace(prose(CALL, f"{first} {second}"), pages=(3, 4))
    item = replace(parsed(CALL, chunks=(chunk,)), pages=(Page(3, first), Page(4, second)))
    source = source_text(item)
    ends = (0, len(first) - 1, len(first) + 1, len(source.text) - 1)
    assert [source.between(at, at + 1)[0].page for at in ends] == [3, 3, 4, 4]


def test_a_speaker_is_named_where_a_turn_begins() -> None:
    source = text_of("We opened a plant in Ohio. We hired.", speaker="Ada Quill")
    assert source.text == "Ada Quill: We opened a plant in Ohio. We hired."


def test_a_document_without_prose_has_no_window() -> None:
    assert list(windows(text_of())) == []
