"""The sample documents are what their sources say, add up, and hold what the question set expects of them."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from evals.samples.render import DOCS, SOURCES, render_all
from evals.samples.sample_figures import Book, TableSource, growth, load_book
from evals.samples.sample_tables import print_number

COMPANIES = ("calderith", "harrowmere")
QUESTIONS = DOCS.parent.parent / "data" / "sample.jsonl"


@cache
def book_of(company: str) -> Book:
    return load_book(SOURCES / company / "figures.yaml")


@cache
def pages(name: str, layout: bool = False) -> tuple[str, ...]:
    """Text of every page of the sample called `name`."""
    (path,) = DOCS.rglob(name)
    mode: Any = "layout" if layout else "plain"
    return tuple(page.extract_text(extraction_mode=mode) for page in PdfReader(path).pages)


@cache
def questions() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines())


def fold(text: str) -> str:
    return " ".join(text.split())


def filing_name(book: Book) -> str:
    return Path(str(book.company["filing"])).name


def value(company: str, ref: str, column: str) -> Decimal:
    return book_of(company).value(ref, column)


def test_rendering_the_sources_gives_the_kept_files_byte_for_byte(tmp_path: Path) -> None:
    rendered = {path.relative_to(tmp_path): path.read_bytes() for path in render_all(tmp_path)}
    kept = {path.relative_to(DOCS): path.read_bytes() for path in DOCS.rglob("*.pdf")}
    assert rendered.keys() == kept.keys()
    assert [str(name) for name in kept if rendered[name] != kept[name]] == []


def test_the_samples_are_small_and_their_names_are_unique() -> None:
    files = list(DOCS.rglob("*.pdf"))
    assert sum(path.stat().st_size for path in files) < 300_000
    assert len({path.name for path in files}) == len(files) == 4


@pytest.mark.parametrize("company", COMPANIES)
def test_the_balance_sheet_balances(company: str) -> None:
    for column in ("now", "then"):
        assert value(company, "balance.assets", column) == value(company, "balance.funding", column)


@pytest.mark.parametrize("company", COMPANIES)
def test_the_cash_flow_statement_explains_the_change_of_the_balance_sheet(company: str) -> None:
    def change(item: str) -> Decimal:
        return value(company, f"balance.{item}", "now") - value(company, f"balance.{item}", "then")

    def flow(item: str) -> Decimal:
        return value(company, f"cash_flow.{item}", "now")

    assert flow("closing") == value(company, "balance.cash", "now")
    assert flow("opening") == value(company, "balance.cash", "then")
    assert [-change(item) for item in ("receivables", "inventories", "prepaid")] == [
        flow(item) for item in ("receivables", "inventories", "prepaid")
    ]
    assert [change(item) for item in ("payables", "accrued")] == [
        flow(item) for item in ("payables", "accrued")
    ]
    borrowed = flow("borrow") if company == "harrowmere" else Decimal(0)
    assert change("debt") + change("debt_current") == borrowed + flow("repay")
    assert change("capital") == flow("stock_comp") + flow("issuance")
    assert change("retained") == flow("net_income") + flow("dividends") + flow("buyback")


def test_long_lived_assets_move_by_what_was_bought_sold_and_written_off() -> None:
    used = value("calderith", "cash_flow.depreciation", "now") - value(
        "calderith", "income.amortization", "y"
    )
    bought = -value("calderith", "cash_flow.capex", "now")
    before = value("calderith", "balance.property", "then")
    assert value("calderith", "balance.property", "now") == before + bought - used
    flows = [value("harrowmere", f"cash_flow.{item}", "now") for item in ("capex", "sales_property")]
    costs = [value("harrowmere", f"cash_flow.{item}", "now") for item in ("depreciation", "impairment")]
    opening = value("harrowmere", "balance.property", "then")
    assert value("harrowmere", "balance.property", "now") == opening - sum(flows) - sum(costs)


@pytest.mark.parametrize("company", COMPANIES)
def test_net_income_is_the_same_in_both_statements(company: str) -> None:
    for here, there in (("now", "y"), ("then", "py")):
        income = value(company, "income.net_income", there)
        assert value(company, "cash_flow.net_income", here) == income


@pytest.mark.parametrize(
    ("company", "part", "whole"),
    [
        ("calderith", "segments.revenue", "income.revenue"),
        ("calderith", "segments.operating_income", "income.operating_income"),
        ("calderith", "geography.revenue", "income.revenue"),
        ("harrowmere", "segments.sales", "income.sales"),
        ("harrowmere", "segments.operating_income", "income.operating_income"),
        ("harrowmere", "sales_mix.sales", "income.sales"),
    ],
)
def test_segments_and_categories_add_up_to_the_income_statement(company: str, part: str, whole: str) -> None:
    for column in ("q", "pq", "y", "py"):
        assert value(company, part, column) == value(company, whole, column)


def test_notes_agree_with_the_statements() -> None:
    for column in ("now", "then"):
        for company in COMPANIES:
            assert value(company, "debt.long", column) == value(company, "balance.debt", column)
        total = value("calderith", "inventories.total", column)
        assert total == value("calderith", "balance.inventories", column)
    for column in ("q", "pq", "y", "py"):
        thousands = value("calderith", "stock_comp.total", column)
        millions = -value("calderith", "segments.stock_comp", column)
        assert abs(thousands / 1000 - millions) <= Decimal("0.05")
    assert value("calderith", "cash_flow.stock_comp", "now") == -value(
        "calderith", "segments.stock_comp", "y"
    )
    stores = book_of("harrowmere").tables["stores"]
    for row in stores.rows:
        before, opened, closed, after, _ = row.values
        assert before + opened + closed == after


def printed_order(book: Book, table: TableSource) -> list[int]:
    """Canonical index of the value in each printed column."""
    if not isinstance(table.columns, str):
        return list(range(len(table.columns)))
    pairs = 2 if table.columns == "duration" else 1
    pair = [1, 0] if book.style["prior_first"] else [0, 1]
    return [2 * i + j for i in range(pairs) for j in pair]


@pytest.mark.parametrize("company", COMPANIES)
def test_every_row_of_every_table_is_printed_with_its_columns_apart(company: str) -> None:
    book = book_of(company)
    text = pages(filing_name(book), layout=True)
    lines = {
        re.sub(r" {2,}", "  ", line.strip().replace("$", "  ")) for page in text for line in page.splitlines()
    }
    lines = {re.sub(r" {2,}", "  ", line) for line in lines}
    missing: list[str] = []
    for table in book.tables.values():
        for row in table.rows:
            if not row.values:
                continue
            places = row.spec.get("column_places") or [
                row.spec.get("places", max(-int(v.as_tuple().exponent) for v in row.values))
            ] * len(row.values)
            cells = [print_number(row.values[i], places[i]) for i in printed_order(book, table)]
            cells = [cell + str(row.spec.get("suffix", "")) for cell in cells]
            if table.columns == "change":
                cells.append(print_number(growth(*row.values[:2]), 1) + "%")
            if "  ".join([row.label, *cells]) not in lines:
                missing.append(f"{table.key}.{row.id}")
    assert missing == []


def test_one_company_prints_the_prior_year_first() -> None:
    calderith, harrowmere = (
        fold(pages(filing_name(book_of(company)))[i]) for company, i in zip(COMPANIES, (2, 3), strict=True)
    )
    assert "March 30, April 1, March 30, April 1, 2024 2023 2024 2023" in calderith
    assert "September 30, September 30, 2023 2024 2023 2024" in harrowmere


@pytest.mark.parametrize("company", COMPANIES)
def test_the_table_of_contents_names_the_page_on_which_each_item_stands(company: str) -> None:
    book = book_of(company)
    text = [fold(page) for page in pages(filing_name(book))]
    offset = int(book.company["unnumbered_pages"])
    entries = re.findall(r"(Item \d+A?\. \D+?) (\d+) (?=Item|PART|Sign)", text[1])
    assert len(entries) == 9
    for title, page in entries:
        assert title in text[int(page) + offset - 1]


def test_no_placeholder_is_left_and_no_character_is_out_of_the_ordinary() -> None:
    ordinary = re.compile(r"[\n\x20-\x7e’“”—–]*")
    for path in DOCS.rglob("*.pdf"):
        for text in pages(path.name):
            assert "{{" not in text
            assert "[[" not in text
            assert ordinary.fullmatch(text), set(ordinary.sub("", text))


def test_the_question_set_has_the_promised_form() -> None:
    assert len(questions()) >= 64
    assert sum(not item["answerable"] for item in questions()) >= 12
    for key in ("id", "question"):
        assert len({item[key] for item in questions()}) == len(questions())
    assert {item["route"] for item in questions()} == {"extractive", "abstractive", "uncertain"}
    for item in questions():
        assert item["company"] in {None, "CDTH", "HRWM"}
        if item["answerable"]:
            assert "reason" not in item
            assert item["expected_numbers"] or item["gold_sentences"]
        else:
            assert item["reason"] in {"no_evidence", "out_of_scope"}
            assert not (item["expected_numbers"] or item["gold_sentences"] or item["source"] or item["page"])
        for number in item["expected_numbers"]:
            assert number.keys() == {"value", "unit", "scale"}
            assert number["unit"] in {"USD", "USD/share", "percent", "shares", ""}
            assert number["scale"] in {"one", "thousand", "million", "billion"}


def stands_on(number: dict[str, str], text: str) -> bool:
    """Whether the figure is printed there: a negative one in brackets, or called a loss."""
    amount = Decimal(number["value"])
    digits = re.escape(f"{abs(amount):,}")
    if amount < 0 and re.search(rf"\({digits}\)", text):
        return True
    if amount < 0 and "loss" not in text:
        return False
    return re.search(rf"(?<![\d.,(]){digits}(?!\d|[.,]\d|\))", text) is not None


def test_every_gold_sentence_and_number_stands_on_a_stated_page() -> None:
    missing: list[str] = []
    for item in questions():
        if not item["answerable"]:
            continue
        places = [item, *item.get("also", [])]
        texts = [fold(pages(place["source"])[place["page"] - 1]) for place in places]
        missing += [
            f"{item['id']}: {s}" for s in item["gold_sentences"] if not any(s in text for text in texts)
        ]
        missing += [
            f"{item['id']}: {number['value']}"
            for number in item["expected_numbers"]
            if not any(stands_on(number, text) for text in texts)
        ]
        for text in texts:
            held = [s in text for s in item["gold_sentences"]]
            held += [stands_on(number, text) for number in item["expected_numbers"]]
            assert any(held), f"{item['id']}: a stated page holds nothing of the answer"
    assert missing == []


def test_every_alternate_page_holds_all_expected_numbers() -> None:
    for item in questions():
        for place in item.get("alternates", []):
            text = fold(pages(place["source"])[place["page"] - 1])
            assert all(stands_on(number, text) for number in item["expected_numbers"]), item["id"]


def test_a_changed_digit_or_sentence_would_be_noticed() -> None:
    text = fold(pages("10Q-Q2-2024.pdf")[2])
    assert stands_on({"value": "1284.6", "unit": "USD", "scale": "million"}, text)
    assert not stands_on({"value": "1284.7", "unit": "USD", "scale": "million"}, text)
    assert not stands_on({"value": "284.6", "unit": "USD", "scale": "million"}, text)
    assert stands_on({"value": "-13.9", "unit": "USD", "scale": "million"}, text)
    assert not stands_on({"value": "13.9", "unit": "USD", "scale": "million"}, text)
