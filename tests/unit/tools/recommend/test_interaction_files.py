"""tools.recommend.interaction_files: who did what when, line by line."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from tools.recommend.errors import InteractionFileError
from tools.recommend.interaction_files import (
    MAX_LINE_BYTES,
    BadLine,
    Interaction,
    read_events,
    read_interactions,
)
from tools.recommend.types import Event

NOW = 1_700_000_000.0
HEAD = "user_id:token\titem_id:token\ttimestamp:float\n"


def file(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_the_three_forms_of_a_file_say_the_same(tmp_path: Path) -> None:
    inter = (
        "rating:float\titem_id:token\tuser_id:token\ttimestamp:float\n5\tx\tann\t1000.5\n4\tx\tann\t1000.5\n"
    )
    paths = [
        file(tmp_path, "a.inter", inter.replace("\n", "\r\n")),
        file(tmp_path, "a.csv", '\ufeffUser,Time,note,Item\nann,1000.5,"a, b",x\n\nann,1970-01-01T00:16:40.5Z,,x\n'),
        file(tmp_path, "a.jsonl", '{"user":"ann","time":1000.5,"item":"x"}\n{"user":"ann","time":"1000.5","item":"x"}'),
    ]  # fmt: skip
    wrong: list[BadLine] = []
    for path in paths:
        assert list(read_events(path, wrong.append, NOW)) == [Event("ann", 1000.5, "x")] * 2
    assert wrong == []


def test_a_question_may_stand_in_place_of_an_item(tmp_path: Path) -> None:
    lines = (
        '{"user":7,"time":"2020-01-01","question":" What? "}\n{"user":"b","time":1,"item":2,"question":"q"}'
    )
    path = file(tmp_path, "a.jsonl", lines)
    assert list(read_interactions(path, NOW)) == [
        Interaction(1, "7", 1577836800.0, None, "What?"),
        Interaction(2, "b", 1.0, "2", None),
    ]
    wrong: list[BadLine] = []
    assert list(read_events(path, wrong.append, NOW)) == [Event("b", 1.0, "2")]
    assert wrong == [BadLine(1, "no item")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("ann\tx", "2 columns where the head has 3"),
        (" \tx\t1", "no user"),
        ("ann\t\t1", "neither item nor question"),
        ("ann\tx\t", "no time"),
        ("ann\tx\tnan", "the time is not finite"),
        ("ann\tx\t-1e300", "the time lies before the year 1"),
        ("ann\tx\t0001-01-01T00:00+14:00", "the time lies before the year 1"),
        ("ann\tx\tyesterday", "the time is neither Unix seconds nor ISO 8601"),
        ("ann\tx\t1700000000000", "the time lies in the future (Unix seconds are read, not milliseconds)"),
        ("ann\tx\t2400-01-01", "the time lies in the future (Unix seconds are read, not milliseconds)"),
        (b"ann\t\xff\t1", f"not UTF-8 text, or longer than {MAX_LINE_BYTES:,} bytes"),
        ("ann\t" + "x" * MAX_LINE_BYTES + "\t1", f"not UTF-8 text, or longer than {MAX_LINE_BYTES:,} bytes"),
    ],
)
def test_a_bad_line_is_named_and_the_others_are_read(tmp_path: Path, line: str | bytes, reason: str) -> None:
    bad = line if isinstance(line, bytes) else line.encode()
    path = file(tmp_path, "a.inter", HEAD.encode() + b"ann\tx\t2\n" + bad + b"\nann\ty\t1\n")
    wrong: list[BadLine] = []
    assert [each.item for each in read_events(path, wrong.append, NOW)] == ["x", "y"]
    assert wrong == [BadLine(3, reason)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"user":"a","item":"x"}', "no time"),
        ('{"user":"a","item":"x","time":true}', "the time is neither a number nor text"),
        ('{"user":"a","item":["x"],"time":1}', "the item is not text"),
        ('{"user":"a","question":"","time":1}', "neither item nor question"),
        ('{"user":"a","item":"x","time":1e999}', "not JSON"),
        ('{"user":"a","item":"x","time":"-inf"}', "the time is not finite"),
    ],
)
def test_a_bad_object_is_named(tmp_path: Path, line: str, reason: str) -> None:
    assert list(read_interactions(file(tmp_path, "a.jsonl", line), NOW)) == [BadLine(1, reason)]


def test_an_open_quotation_mark_spoils_its_line_alone(tmp_path: Path) -> None:
    path = file(tmp_path, "a.csv", 'user,time,item\na,1,"x\nb,2,y\n')
    first, second = read_interactions(path, NOW)
    assert isinstance(first, BadLine) and "quotation mark" in first.reason
    assert second == Interaction(3, "b", 2.0, "y", None)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.inter", "", "is empty"),
        ("a.jsonl", "\n \n", "is empty"),
        ("a.csv", "a,b,c\n1,2,3\n", "no head with the columns user, time and item"),
        ("a.inter", "1\t2\t3\n", "no head with the columns user_id, item_id and timestamp"),
        ("a.csv", "user,time,item\n".encode("utf-16"), "no head"),
        ("a.txt", "user", "ends in none of .inter, .csv, .jsonl"),
    ],
)
def test_a_file_that_is_none_is_refused_in_words(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(InteractionFileError, match=words):
        list(read_interactions(file(tmp_path, name, text), NOW))


def test_a_file_that_is_missing_or_a_folder_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "b.csv").mkdir()
    for name in ("a.csv", "b.csv"):
        with pytest.raises(InteractionFileError, match="Can't read"):
            list(read_interactions(tmp_path / name))


def test_a_line_of_any_length_is_read_in_little_memory(tmp_path: Path) -> None:
    path = file(tmp_path, "a.inter", HEAD + "x" * 20_000_000 + "\nann\tx\t1\n")
    tracemalloc.start()
    try:
        found = list(read_interactions(path, NOW))
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()
    assert [type(each) for each in found] == [BadLine, Interaction]
