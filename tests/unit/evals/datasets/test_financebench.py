"""FinanceBench, from a copy of its repository."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evals.datasets.all_datasets import load_dataset

TABLE = "Orla Company\n(Millions)\n2031\n2030\nPurchases of plant\n \n(1,577) \n \n(1,373)\nPlant, net\n8,738\n8,866"
ASKED = {
    "financebench_id": "fb-1",
    "company": "Orla",
    "doc_name": "ORLA_2031_10K",
    "question_type": "metrics-generated",
    "question": "What did Orla spend on plant in FY2031 (in USD millions)?",
    "answer": "$1577.00",
    "justification": None,
    "evidence": [{"evidence_text": TABLE, "doc_name": "ORLA_2031_10K", "evidence_page_num": 59}],
}


@pytest.fixture
def bench(put: Callable[..., Path], tmp_path: Path) -> Callable[..., Path]:
    """bench(changes...): a copy with two PDFs, and ASKED with these changes."""

    def write(*changes: dict[str, Any], at: str = "data/") -> Path:
        for name in ("ORLA_2031_10K", "PELL_2030_10K"):
            put(f"fb/pdfs/{name}.pdf", name)
        put(f"fb/{at}financebench_open_source.jsonl", [ASKED | change for change in changes or ({},)])
        return tmp_path / "fb"

    return write


@pytest.mark.parametrize("at", ["", "data/"])
def test_a_question_has_its_passage_its_page_counted_from_one_and_the_document_it_needs(
    bench: Callable[..., Path], at: str
) -> None:
    dataset = load_dataset("financebench", bench(at=at))
    (item,) = dataset.items
    assert item.id == "fb-1"
    assert item.gold == (TABLE,)
    assert [(place.document, place.page) for place in item.places] == [("ORLA_2031_10K.pdf", 60)]
    assert [path.name for path in dataset.documents] == ["ORLA_2031_10K.pdf"]
    assert (item.answerable, item.kind) == (True, "metrics-generated")


def test_a_figure_takes_the_scale_its_question_asks_for_and_loses_cents_that_mean_nothing(
    bench: Callable[..., Path],
) -> None:
    billions = {
        "financebench_id": "fb-2",
        "question": "What is the year-end net plant of Orla? Answer in USD billions.",
        "answer": "$8.70",
    }
    first, second = load_dataset("financebench", bench({}, billions)).items
    assert [(str(n.value), n.unit, n.scale) for n in first.numbers] == [("1577", "USD", 6)]
    assert [(str(n.value), n.unit, n.scale) for n in second.numbers] == [("8.7", "USD", 9)]


def test_a_figure_that_its_passages_do_not_print_is_not_expected_and_a_note_says_so(
    bench: Callable[..., Path],
) -> None:
    dataset = load_dataset("financebench", bench({"question": "What is the ratio?", "answer": "0.18"}))
    assert dataset.items[0].numbers == ()
    assert dataset.notes[0].startswith("Questions without expected figures: 1;")


def test_the_type_of_the_document_is_part_of_the_kind_where_it_is_known(
    bench: Callable[..., Path], put: Callable[..., Path]
) -> None:
    put("fb/data/financebench_document_information.jsonl", [{"doc_name": "ORLA_2031_10K", "doc_type": "10k"}])
    assert load_dataset("financebench", bench()).items[0].kind == "metrics-generated, 10k"


def test_passages_of_several_documents_make_all_of_them_needed(bench: Callable[..., Path]) -> None:
    both = [
        *ASKED["evidence"],
        {"evidence_text": "Sales.", "doc_name": "PELL_2030_10K", "evidence_page_num": 0},
    ]  # type: ignore[misc]
    dataset = load_dataset("financebench", bench({"evidence": both}))
    assert [path.stem for path in dataset.documents] == ["ORLA_2031_10K", "PELL_2030_10K"]
    assert [place.page for place in dataset.items[0].places] == [60, 1]


def test_a_question_without_passages_keeps_its_document(bench: Callable[..., Path]) -> None:
    (item,) = load_dataset("financebench", bench({"evidence": []})).items
    assert [(place.document, place.page) for place in item.places] == [("ORLA_2031_10K.pdf", None)]


def test_a_missing_pdf_is_named_with_the_line_that_needs_it(
    bench: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    told = refusal("financebench", bench({}, {"financebench_id": "fb-2", "doc_name": "GONE_2030_10K"}))
    assert "line 2: field 'doc_name'" in told
    assert "GONE_2030_10K.pdf" in told


def test_a_passage_of_another_shape_is_named_by_its_place_in_the_line(
    bench: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    page = [{"evidence_text": "Sales.", "doc_name": "ORLA_2031_10K", "evidence_page_num": "59"}]
    told = refusal("financebench", bench({"evidence": page}))
    assert "line 1: field 'evidence[0].evidence_page_num' must be a valid integer" in told


def test_a_folder_without_the_questions_is_refused(
    put: Callable[..., Path], refusal: Callable[..., str]
) -> None:
    folder = put("fb/pdfs/ORLA_2031_10K.pdf").parent.parent
    assert "financebench_open_source.jsonl" in refusal("financebench", folder)
