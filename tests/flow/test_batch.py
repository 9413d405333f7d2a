"""ask --batch: output in input order, one line an item, a failure is a line and the rest go on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


@pytest.fixture
def batch(hybridrag: Any, sample_home: Path, tmp_path: Path) -> Any:
    """Runs a batch of raw lines."""

    def run(*lines: str | bytes | dict[str, Any], options: tuple[str, ...] = ("--json",)) -> Any:
        file = tmp_path / "batch.jsonl"
        raw = [json.dumps(line) if isinstance(line, dict) else line for line in lines]
        file.write_bytes(b"\n".join(r if isinstance(r, bytes) else r.encode("utf-8") for r in raw) + b"\n")
        return hybridrag("ask", "--home", sample_home, "--batch", file, *options)

    return run


def test_answers_come_in_input_order_with_their_ids_as_given(batch: Any) -> None:
    ran = batch(
        {"question": REVENUE, "id": "first"},
        {"question": "Who is the chief financial officer of Harrowmere?", "id": 7},
        {"question": "What is the capital of France?"},
    )
    assert (ran.code, ran.err) == (0, "")
    assert [a["id"] for a in ran.objects] == ["first", 7, None]
    assert [a["status"] for a in ran.objects] == ["answered", "answered", "abstained"]
    assert "1,284.6" in ran.objects[0]["answer"]


def test_each_line_has_its_own_filters(batch: Any) -> None:
    ran = batch(
        {"question": "What was net income?", "company": "CDTH", "year": 2024, "quarter": 2},
        {"question": "What was net income?", "company": "hrwm", "year": 2024, "quarter": 3},
    )
    companies = [{e["company_key"] for e in a["evidence"]} for a in ran.objects]
    assert companies == [{"CDTH"}, {"HRWM"}]


def test_a_filter_of_the_command_holds_for_lines_without_one(batch: Any) -> None:
    ran = batch(
        {"question": "What was net income?"},
        {"question": "What was net income?", "company": "CDTH"},
        options=("--json", "--company", "HRWM", "--year", "2024"),
    )
    companies = [{e["company_key"] for e in a["evidence"]} for a in ran.objects]
    assert companies == [{"HRWM"}, {"CDTH"}]


BAD_LINES: list[tuple[str | bytes, str]] = [
    ("not json", "not JSON"),
    ('{"question": "revenue?"', "not JSON"),
    ('["a list"]', "not an object"),
    ('{"quesion": "revenue?"}', "unknown field 'quesion'"),
    ('{"id": "x"}', "'question' is missing or empty"),
    ('{"question": "   "}', "'question' is missing or empty"),
    ('{"question": "\\u0007\\u200b"}', "'question' is missing or empty"),
    ('{"question": 5}', "'question' must be text"),
    ('{"question": "revenue?", "year": "2024"}', "'year' must be a whole number"),
    ('{"question": "revenue?", "year": true}', "'year' must be a whole number"),
    ('{"question": "revenue?", "quarter": 5}', "'quarter' must be 1, 2, 3 or 4"),
    ('{"question": "revenue?", "id": 1.5}', "'id' must be text or a whole number"),
    ('{"question": "revenue?", "company": "Foo"}', "No company 'Foo'"),
    (b'{"question": "caf\xe9?"}', "not JSON"),
]


@pytest.mark.parametrize(("line", "told"), BAD_LINES)
def test_a_malformed_line_is_named_and_the_rest_go_on(batch: Any, line: str | bytes, told: str) -> None:
    ran = batch({"question": REVENUE, "id": "a"}, line, {"question": REVENUE, "id": "b"})
    assert ran.code == 2
    first, error, last = ran.objects
    assert (first["id"], last["id"]) == ("a", "b")
    assert error["line"] == 2 and told in error["error"]


def test_the_id_of_a_bad_line_is_kept_where_it_can_be_read(batch: Any) -> None:
    (error,) = batch({"question": "revenue?", "id": "q9", "company": "Foo"}).objects
    assert (error["id"], error["line"]) == ("q9", 1)


def test_blank_lines_a_byte_order_mark_and_unusual_line_separators_do_no_harm(batch: Any) -> None:
    text = REVENUE.replace(" in the", "\u2028in the")
    line = json.dumps({"question": text}, ensure_ascii=False)
    ran = batch(b"\xef\xbb\xbf" + line.encode("utf-8") + b"\r", "", "  ", {"question": REVENUE})
    assert ran.code == 0
    assert [a["status"] for a in ran.objects] == ["answered", "answered"]


def test_null_fields_are_the_same_as_absent_ones(batch: Any) -> None:
    ran = batch({"question": REVENUE, "id": None, "company": None, "year": None, "quarter": None})
    assert [a["status"] for a in ran.objects] == ["answered"]


def test_without_json_each_answer_stands_under_its_question(batch: Any) -> None:
    ran = batch({"question": REVENUE}, "nonsense", options=())
    assert ran.code == 2
    assert f"> {REVENUE}" in ran.out and "1,284.6" in ran.out
    assert "line 2: not JSON" in ran.out


def test_a_batch_file_that_is_not_there_or_a_folder_is_refused(
    hybridrag: Any, sample_home: Path, tmp_path: Path
) -> None:
    for path in (tmp_path / "nowhere.jsonl", tmp_path):
        ran = hybridrag("ask", "--home", sample_home, "--batch", path, "--json")
        assert ran.code == 2 and "Can't read batch file" in ran.err
        assert "Can't read batch file" in ran.objects[0]["error"]


def test_an_empty_batch_is_no_answers(batch: Any) -> None:
    ran = batch("")
    assert (ran.code, ran.out) == (0, "")


def test_a_batch_without_an_index_fails_as_a_whole(hybridrag: Any, tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"question": "revenue?"}\n', encoding="utf-8")
    ran = hybridrag("ask", "--batch", tmp_path / "b.jsonl", "--json")
    assert ran.code == 2 and len(ran.objects) == 1 and "No index" in ran.objects[0]["error"]


@pytest.mark.parametrize("words", [(), ("a question", "--batch", "b.jsonl")])
def test_a_question_or_a_batch_is_needed_and_not_both(hybridrag: Any, words: tuple[str, ...]) -> None:
    ran = hybridrag("ask", *words)
    assert ran.code == 2 and "one of the two" in ran.err
