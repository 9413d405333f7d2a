"""Which printed figure a line item means: tagged, called by its company's name, or by a usual label."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.accounts import ANNUAL, AT23, BALANCE, THIRD, Y22, Y23, graph_of, line, made, result, year
from tools.calculate.concept_rows import tagged_rows
from tools.calculate.measures import item_called
from tools.calculate.operands import _says_letters
from tools.calculate.types import Asked
from tools.knowledge.search.kg_search import fact_evidence
from tools.knowledge.types import Triplet

FLOWS: dict[str, Any] = {"statement": "cash_flow", "page": 44}


def tagged(rows: list[Triplet], concept: str) -> list[Triplet]:
    return [replace(each, concept=concept) for each in rows]


PAID = tagged(
    line(ANNUAL, "Distributions to holders", {Y23: "-30", Y22: "-20"}, **FLOWS), "us-gaap:PaymentsOfDividends"
)


def test_a_figure_is_found_by_its_concept_whatever_its_label() -> None:
    asked = Asked(formula="a", items={"a": "dividends paid"}, across="growth")
    found = result(asked, year(2023), graph=graph_of(PAID))
    assert [each.label for each in found.operands] == ["Distributions to holders"] * 2


def test_a_concept_counts_in_its_statement_alone_and_within_the_filter() -> None:
    graph = graph_of(
        tagged(line(ANNUAL, "Planned", {Y23: "9"}, statement="other"), "us-gaap:PaymentsOfDividends")
    )
    asked = Asked(formula="a", items={"a": "dividends paid"})
    assert made(asked, year(2023), graph=graph)[1] == ("Orla Devices, Inc.'s dividends paid of fiscal 2023",)
    assert made(asked, year(2019), graph=graph_of(PAID))[1] == (
        "Orla Devices, Inc.'s dividends paid of fiscal 2019",
    )


def test_rows_of_a_concept_are_those_of_the_first_that_is_tagged() -> None:
    graph = graph_of(PAID, line(THIRD, "Untagged", {Y23: "1"}, **FLOWS))
    names = ("PaymentsOfDividendsCommonStock", "PaymentsOfDividends")
    assert len(tagged_rows(graph, "ORLA", "cash_flow", names)) == 2
    assert tagged_rows(graph, "ORLA", "income", names) == tagged_rows(graph, "NONE", "cash_flow", names) == []


def test_a_line_with_its_companys_name_is_the_one_that_is_meant() -> None:
    graph = graph_of(
        line(ANNUAL, "Net income", {Y23: "60"}),
        line(ANNUAL, "Total Orla shareholders' equity", {AT23: "300"}, **BALANCE),
        line(ANNUAL, "Total equity", {AT23: "400"}, **BALANCE),
    )
    found = result(Asked(measure="return on equity", averaged=False), year(2023), graph=graph)
    assert [each.value for each in found.operands] == ["60", "300"]


def test_a_figure_of_an_investees_table_is_not_the_companys_own() -> None:
    lent: dict[str, Any] = {
        "statement": "other",
        "path": ("Rill",),
        "title": "Required summarized financial information of Rill is as follows",
    }
    graph = graph_of(line(ANNUAL, "Revenue", {Y23: "7"}, **lent))
    assert made(Asked(formula="a", items={"a": "revenue"}), year(2023), graph=graph)[1] == (
        "Orla Devices, Inc.'s revenue of fiscal 2023",
    )
    found = result(Asked(formula="a", items={"a": "Rill revenue"}), year(2023), graph=graph)
    assert [each.value for each in found.operands] == ["7"]


def test_words_that_are_a_usual_label_are_its_item() -> None:
    item = item_called("Dividends paid")
    assert item is not None and item.statement == "cash_flow" and "PaymentsOfDividends" in item.concepts
    assert item_called("moon dust") is None
    gross = item_called("gross profit")
    assert gross is not None and gross.instead
    called = gross.called("gross result")
    assert called.labels[0] == "gross result" and called.instead == gross.instead and not called.optional


def test_a_measure_stands_for_a_line_that_no_document_prints() -> None:
    graph = graph_of(
        line(ANNUAL, "Net cash provided by operating activities", {Y23: "90"}, **FLOWS),
        line(ANNUAL, "Capital expenditures", {Y23: "-30"}, **FLOWS),
        line(ANNUAL, "Dividends paid", {Y23: "-20"}, **FLOWS),
    )
    asked = Asked(formula="a / b", items={"a": "free cash flow", "b": "dividends paid"})
    found = result(asked, year(2023), graph=graph)
    assert (found.value, len(found.operands)) == ("3", 3)
    printed = graph_of(PAID, line(ANNUAL, "Free cash flow", {Y23: "55"}, statement="other"))
    asked = Asked(formula="a", items={"a": "free cash flow"}, across="")
    assert result(asked, year(2023), graph=printed).value == "55000000"


def test_an_abbreviation_is_the_line_that_begins_with_its_letters() -> None:
    graph = graph_of(
        line(ANNUAL, "Research, design and engineering costs", {Y23: "40"}),
        line(ANNUAL, "Repairs of devices", {Y23: "7"}),
    )
    found = result(Asked(formula="a", items={"a": "RD&E costs"}), year(2023), graph=graph)
    assert [each.value for each in found.operands] == ["40"]
    assert made(Asked(formula="a", items={"a": "RXQ costs"}), year(2023), graph=graph)[0] == []


def test_an_abbreviation_beside_what_it_stands_for_is_the_line() -> None:
    graph = graph_of(
        line(ANNUAL, "Northern Hills and Lakes (NHLA)", {Y23: "40"}, path=("Streaming revenue",)),
        line(ANNUAL, "Southern Hills", {Y23: "7"}, path=("Streaming revenue",)),
    )
    found = result(Asked(formula="a", items={"a": "NHLA streaming revenue"}), year(2023), graph=graph)
    assert [each.value for each in found.operands] == ["40"]


def test_a_line_found_by_meaning_has_the_letters_of_an_abbreviation() -> None:
    (cloud,) = [fact_evidence(each, 1.0) for each in line(ANNUAL, "Paper Cloud", {Y23: "40"})]
    (yearly,) = [fact_evidence(each, 1.0) for each in line(ANNUAL, "Annual running returns", {Y23: "40"})]
    assert not _says_letters(cloud, "Paper Cloud ARR")
    assert _says_letters(yearly, "Paper Cloud ARR") and _says_letters(cloud, "the EBIT of Paper Cloud")


@pytest.mark.parametrize("values", [("0", "-30"), ("-30", "0")])
def test_a_column_of_nothing_is_not_taken_beside_one_with_a_figure(values: tuple[str, str]) -> None:
    own: dict[str, Any] = {"statement": "equity", "page": 45}
    columns = [
        line(ANNUAL, "Dividends declared", {Y23: value}, path=(f"{kind} shares",), **own)
        for kind, value in zip(("Preferred", "Common"), values, strict=True)
    ]
    asked = Asked(formula="a", items={"a": "dividends declared"})
    found = result(asked, year(2023), graph=graph_of(*columns))
    assert [each.value for each in found.operands] == ["30"]


def test_a_line_with_nothing_but_nothing_is_zero() -> None:
    graph = graph_of(line(ANNUAL, "Hides lent", {AT23: "0"}, **BALANCE))
    assert result(Asked(formula="a", items={"a": "hides lent"}), year(2023), graph=graph).value == "0"


@pytest.mark.parametrize(
    ("words", "label", "statement", "found"),
    [
        ("wear of rented tools", "Wear of rented tools and of moulds lent by makers", "income", True),
        (
            "income from continuing operations before taxes",
            "Income from continuing operations before taxes and equity in earnings of partners",
            "income",
            True,
        ),
        ("wear of rented tools", "Moulds lent by makers and wear of rented tools", "income", False),
        ("wear of rented tools", "Wear of rented tools and of moulds lent by makers", "other", False),
        ("wear of tools", "Wear of tools and of moulds lent by makers", "income", False),
    ],
)
def test_a_line_of_a_statement_that_goes_on_behind_a_label_of_some_length_is_meant_by_it(
    words: str, label: str, statement: str, found: bool
) -> None:
    graph = graph_of(line(ANNUAL, label, {Y23: "26"}, statement=statement))
    evidence, _ = made(Asked(formula="a", items={"a": words}), year(2023), graph=graph)
    assert bool(evidence) is found


def test_a_measure_is_made_of_a_line_that_goes_on_behind_its_items_label() -> None:
    graph = graph_of(
        line(ANNUAL, "Total net revenue", {Y23: "1000"}),
        line(ANNUAL, "Income before provision for income taxes and minority interests", {Y23: "260"}),
    )
    assert result(Asked(measure="pretax margin"), year(2023), graph=graph).value == "0.26"
