"""Questions on quarterly reports, from a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.datasets.all_datasets import load_dataset

HEADER = ["Question", "Source Docs", "Question Type", "Source Chunk Type", "Answer"]
ROW = [
    "What were sales?",
    "*2031 Q3 ORLA*",
    "Single-Doc",
    "Table",
    "Sales were $7 million.\n\nSOURCE(S): 2031 Q3 ORLA.pdf",
]
REPORTS = ("2031 Q2 ORLA.pdf", "2031 Q3 ORLA.pdf", "2031 Q3 PELL.pdf")


@pytest.fixture
def reports(put: Callable[..., Path]) -> Callable[..., Path]:
    """reports(rows...): a set of three reports; each row is a list of cells."""

    def write(*rows: list[str], header: list[str] = HEADER, mark: bytes = b"\xef\xbb\xbf") -> Path:
        for name in REPORTS:
            put(f"tenq/docs/{name}", name)
        text = io.StringIO(newline="")
        csv.writer(text).writerows([header, *rows])
        return put("tenq/qna_data.csv", mark + text.getvalue().encode()).parent

    return write


def test_a_row_is_a_question_with_its_figures_its_document_and_its_kind(reports: Callable[..., Path]) -> None:
    dataset = load_dataset("sec-10q", reports(ROW, ROW))
    first, second = dataset.items
    assert first.question == "What were sales?"
    assert (first.company, first.year, first.quarter) == (None, None, None)
    assert [(str(n.value), n.unit, n.scale) for n in first.numbers] == [("7", "USD", 6)]
    assert [place.document for place in first.places] == ["2031 Q3 ORLA.pdf"]
    assert first.kind == "Single-Doc, Table"
    assert first.answerable is True
    assert first.id != second.id


def test_the_documents_of_an_answer_are_those_it_names_of_those_that_fit(
    reports: Callable[..., Path],
) -> None:
    unnamed = [*ROW[:4], "Nothing of the kind is said."]
    one, all_of_them = load_dataset(
        "sec-10q", reports([ROW[0], "*ORLA*", *ROW[2:]], [ROW[0], "*ORLA*", *unnamed[2:]])
    ).items
    assert [place.document for place in one.places] == ["2031 Q3 ORLA.pdf"]
    assert [place.document for place in one.alternates] == ["2031 Q2 ORLA.pdf"]
    assert [place.document for place in all_of_them.places] == ["2031 Q2 ORLA.pdf", "2031 Q3 ORLA.pdf"]
    assert all_of_them.alternates == ()


def test_an_answer_without_figures_may_say_that_the_reports_do_not_hold_it(
    reports: Callable[..., Path],
) -> None:
    (item,) = load_dataset("sec-10q", reports([*ROW[:4], "The report does not say."])).items
    assert item.answerable is None
    assert item.numbers == ()


def test_figures_left_out_as_worked_out_are_counted_in_a_note(reports: Callable[..., Path]) -> None:
    told = "They rose from $80 million to $100 million, an increase of $20 million."
    assert "not expected: 1." in load_dataset("sec-10q", reports([*ROW[:4], told])).notes[0]
    assert load_dataset("sec-10q", reports(ROW)).notes == ()


def test_characters_that_were_read_in_the_wrong_code_are_mended(reports: Callable[..., Path]) -> None:
    (item,) = load_dataset(
        "sec-10q", reports([*ROW[:4], "Orlaâ€™s cafÃ© made â€œ£5â€\x9d, naïve as Ã is."])
    ).items
    assert item.answer == "Orla’s café made “£5”, naïve as Ã is."


def test_rows_are_read_with_or_without_a_byte_order_mark_and_past_blank_lines(
    reports: Callable[..., Path],
) -> None:
    assert len(load_dataset("sec-10q", reports(ROW, [], ROW, mark=b"")).items) == 2


def test_a_fault_is_named_by_the_line_its_row_starts_in(
    reports: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    told = refusal("sec-10q", reports(ROW, [*ROW[:4], ""]))
    assert "qna_data.csv line 5: field 'Answer' is empty" in told


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (["?", "*2031 Q3 NOBODY*", *ROW[2:]], "line 2: field 'Source Docs': nothing in"),
        (ROW[:4], "line 2: 4 fields where the header names 5"),
    ],
)
def test_a_row_of_another_shape_is_refused(
    reports: Callable[..., Path], refusal: Callable[..., str], row: list[str], complaint: str
) -> None:
    assert complaint in refusal("sec-10q", reports(row))


@pytest.mark.parametrize(
    ("header", "complaint"),
    [
        ([*HEADER[:4], "Reply"], "line 1: column 'Answer' is missing"),
        ([*HEADER, "Answer"], "line 1: column 'Answer' is there twice"),
    ],
)
def test_a_header_without_each_column_once_is_refused(
    reports: Callable[..., Path], refusal: Callable[..., str], header: list[str], complaint: str
) -> None:
    assert complaint in refusal("sec-10q", reports(ROW, header=header))


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "holds no question"),
        ((",".join(HEADER) + "\r\n").encode(), "holds no question"),
        ((",".join(HEADER) + '\r\nWhy?,*,a,b,"never closed').encode(), "line 2: not CSV"),
        ((",".join(HEADER) + "\r\nWhy?,*,a,b,caf").encode() + b"\xe9\r\n", "line 2: not UTF-8 text"),
    ],
)
def test_a_file_that_is_no_such_table_is_refused(
    reports: Callable[..., Path],
    put: Callable[..., Path],
    refusal: Callable[..., str],
    content: bytes,
    complaint: str,
) -> None:
    folder = reports(ROW)
    put("tenq/qna_data.csv", content)
    assert complaint in refusal("sec-10q", folder)
