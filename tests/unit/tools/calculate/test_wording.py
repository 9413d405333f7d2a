"""How a calculation is put into words: digits, units, sources, and the figures that it was made from."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from tests.accounts import calculation, made, quarter, ranks_of, year
from tools.calculate.types import Asked, Calculation, Computed, Operand, Shown
from tools.calculate.wording import (
    answer_text,
    compared_value,
    evidence_text,
    figures_in,
    in_order,
    shown_number,
    shown_value,
)
from tools.periods import Period

MARGIN = Asked(measure="net margin")
CURRENT = Asked(measure="current ratio")
BOTH = ("ORLA", "TILB")


def said(asked: Asked, *years: int, companies: tuple[str, ...] = ("ORLA",)) -> str:
    found, _ = made(asked, *map(year, years), companies=companies)
    assert found[0].calculation is not None
    ranks = ranks_of(found)
    return answer_text(found[0].calculation, lambda item_id: ranks[item_id])


def put(value: str, shown: Shown, unit: str = "", *, scale: int = 6, operand_unit: str = "USD") -> str:
    """A value as it is shown, of one operand in millions."""
    operand = Operand(
        name="a",
        item_id="f1",
        label="Revenue",
        value="1",
        unit=operand_unit,
        scale=scale,
        period=Period(),
        company_key="ORLA",
        company="Orla",
        document="orla.pdf",
        page=1,
    )
    own = Computed(name="", company="Orla", formula="a", operands=(operand,), value=value, unit=unit)
    return shown_value(Calculation(asked=Asked(), title="x", shown=shown, results=(own,)), own)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("27.9051", "27.91"),
        ("27.905", "27.91"),
        ("27.9049", "27.90"),
        ("-27.905", "-27.91"),
        ("0.98165", "0.9817"),
        ("0.5", "0.5000"),
        ("0.01", "0.0100"),
        ("0.00123456", "0.0012346"),
        ("-0.00123456", "-0.0012346"),
        ("1", "1"),
        ("1.0000", "1"),
        ("1.5", "1.50"),
        ("999.994", "999.99"),
        ("999.999", "1,000.00"),
        ("1234.56", "1,234.6"),
        ("5370", "5,370"),
        ("1234567.89", "1,234,567.9"),
        ("0", "0"),
        ("-0.0", "0"),
        ("0E-28", "0"),
        ("1E+3", "1,000"),
    ],
)
def test_a_number_has_two_decimals_fewer_when_large_and_more_when_small(value: str, shown: str) -> None:
    assert shown_number(Decimal(value)) == shown


@pytest.mark.parametrize(
    ("value", "shown", "unit", "text"),
    [
        ("0.279051", "percent", "", "27.91 %"),
        ("44.5", "percent", "percent", "44.5 %"),
        ("0.048599", "points", "", "4.86 percentage points"),
        ("1.6", "points", "percent", "1.6 percentage points"),
        ("-0.1", "percent", "", "-10 %"),
        ("28.8012", "days", "", "28.8 days"),
        ("3.5", "times", "", "3.5 times"),
        ("0.98165", "ratio", "", "0.9817"),
        ("5370000000", "amount", "USD", "5,370 million USD"),
        ("-212500000", "amount", "USD", "-212.5 million USD"),
        ("50000", "amount", "USD", "50,000 USD"),
        ("16.04", "amount", "USD/share", "16.04 USD per share"),
        ("1.26", "ratio", "USD/share", "1.26 USD per share"),
        ("90000000", "amount", "EUR", "90 million EUR"),
    ],
)
def test_a_value_has_the_unit_that_it_is_shown_in(value: str, shown: Shown, unit: str, text: str) -> None:
    assert put(value, shown, unit) == text


def test_things_are_counted_and_not_paid() -> None:
    assert put("800", "amount", "", scale=0, operand_unit="") == "800"


def test_one_result_is_a_sentence_and_its_formula_with_two_labelled_figures() -> None:
    assert said(CURRENT, 2023).split("\n\n") == [
        "Orla Devices, Inc.'s current ratio as of December 31, 2023 was 1.50 [2] [3].",
        "Calculation: 1,800 / 1,200 (million USD) = 1.50 [2] [3]. "
        "Figures: Total current assets as of December 31, 2023: 1,800 million USD [2] and "
        "Total current liabilities as of December 31, 2023: 1,200 million USD [3].",
    ]


def test_more_than_two_operands_stand_in_a_table_with_their_sources() -> None:
    lines = said(Asked(measure="inventory turnover"), 2023).split("\n")
    assert lines[2] == "Calculation: 2,400 / ((300 + 200) / 2) (million USD) = 9.6 times [2] [3] [4]."
    assert lines[4:] == [
        "| Figure | Period | Value | Source |",
        "| --- | --- | --- | --- |",
        "| Cost of sales | twelve months ended December 31, 2023 | 2,400 million USD | [2] |",
        "| Inventories | as of December 31, 2023 | 300 million USD | [3] |",
        "| Inventories | as of December 31, 2022 | 200 million USD | [4] |",
    ]


def test_a_printed_measure_is_said_before_the_computed_one() -> None:
    lead = said(Asked(measure="effective tax rate"), 2023).split("\n")[0]
    assert lead.endswith("was 21.5 % as printed [4], and 20 % as computed [2] [3].")


@pytest.mark.parametrize(
    ("threshold", "above", "lead"),
    [
        ("15", True, "Yes: Orla Devices, Inc.'s net margin for the twelve months ended December 31, 2023 was "
         "16 %, above 15 % [2] [3]."),
        ("16", True, "No: Orla Devices, Inc.'s net margin for the twelve months ended December 31, 2023 was "
         "16 %, not above 16 % [2] [3]."),
        ("17", False, "Yes: Orla Devices, Inc.'s net margin for the twelve months ended December 31, 2023 was "
         "16 %, not above 17 % [2] [3]."),
        ("16", False, "No: Orla Devices, Inc.'s net margin for the twelve months ended December 31, 2023 was "
         "16 %, not above 16 % [2] [3]."),
        ("33.3333", True, "No: Orla Devices, Inc.'s net margin for the twelve months ended December 31, 2023 was "
         "16 %, not above 33.33 % [2] [3]."),
    ],
)  # fmt: skip
def test_yes_or_no_is_said_first_and_the_limit_with_it(threshold: str, above: bool, lead: str) -> None:
    asked = MARGIN.model_copy(update={"yes_no": True, "threshold": threshold, "above": above})
    assert said(asked, 2023).split("\n")[0] == lead


def test_yes_or_no_of_two_holds_the_first_against_the_second() -> None:
    asked = MARGIN.model_copy(update={"yes_no": True, "over": "company"})
    lead = "net margin: Orla Devices, Inc.: 16 % and Tilbrook Stores, Inc.: 10 % [2] [3] [4] [5]."
    assert said(asked, 2023, companies=BOTH).split("\n")[0] == f"Yes, {lead}"
    below = asked.model_copy(update={"above": False})
    assert said(below, 2023, companies=BOTH).split("\n")[0] == f"No, {lead}"


def test_results_beyond_a_threshold_are_listed_and_no_others() -> None:
    asked = MARGIN.model_copy(update={"over": "company", "threshold": "12"})
    lead = said(asked, 2023, companies=BOTH).split("\n")[0]
    assert lead == "Net margin above 12 %: Orla Devices, Inc. (16 %) [2] [3]."
    below = said(asked.model_copy(update={"above": False}), 2023, companies=BOTH).split("\n")[0]
    assert below == "Net margin below 12 %: Tilbrook Stores, Inc. (10 %) [4] [5]."
    none = said(asked.model_copy(update={"threshold": "42"}), 2023, companies=BOTH).split("\n")[0]
    assert none == "None had a net margin above 42 % [2] [3] [4] [5]."


def test_what_equals_a_threshold_lies_neither_above_nor_below() -> None:
    asked = MARGIN.model_copy(update={"over": "company", "threshold": "16", "above": False})
    lead = said(asked, 2023, companies=BOTH).split("\n")[0]
    assert lead == "Net margin below 16 %: Tilbrook Stores, Inc. (10 %) [4] [5]."


@pytest.mark.parametrize(
    ("pick", "top", "lead"),
    [
        ("highest", 0, "Americas had the highest revenue for the twelve months ended December 31, 2023: "
         "2,200 million USD [2]."),
        ("lowest", 1, "Asia Pacific had the lowest revenue for the twelve months ended December 31, 2023: "
         "700 million USD [3]."),
        ("highest", 2, "Highest revenue: Americas (2,200 million USD), Europe (1,100 million USD) [2] [4]."),
    ],
)  # fmt: skip
def test_the_picked_end_leads_a_table_in_its_order(pick: str, top: int, lead: str) -> None:
    asked = Asked.model_validate(
        {
            "formula": "a",
            "items": {"a": "net revenue"},
            "title": "revenue",
            "over": "part",
            "set_words": "geographic segments",
            "pick": pick,
            "top": top,
        }
    )
    first, _, head, _, *rows = said(asked, 2023).split("\n")
    assert (first, head) == (lead, "| Part | Revenue | Source |")
    names = [row.split(" | ")[0].strip("| ") for row in rows]
    best_first = ["Americas", "Europe", "Asia Pacific"]
    assert names == (best_first if pick == "highest" else best_first[::-1])


@pytest.mark.parametrize(
    ("years", "moved"),
    [
        ((2023, 2021), "rose by 7.6 percentage points, from 8.4 % (@) to 16 %"),
        ((2021, 2023), "rose by 7.6 percentage points, from 8.4 % (@) to 16 %"),
        ((2022, 2021), "fell by 13.09 percentage points, from 8.4 % (@) to -4.69 %"),
    ],
)  # fmt: skip
def test_of_two_periods_it_is_said_how_far_the_later_lies_from_the_earlier(
    years: tuple[int, ...], moved: str
) -> None:
    lead = said(MARGIN.model_copy(update={"over": "period"}), *years).split("\n")[0]
    assert moved.replace("@", "twelve months ended December 31, 2021") in lead


def test_what_can_not_be_computed_is_said_with_its_figures() -> None:
    growth = Asked(formula="a", items={"a": "operating income"}, across="growth", title="growth of profit")
    text = said(growth, 2023)
    assert text.startswith(
        "Orla Devices, Inc.'s growth of profit can't be computed: from a loss or from nothing"
    )
    assert "-100 million USD [3]" in text and "900 million USD [2]" in text
    assert "%" not in text


def test_an_answer_of_nothing_computed_and_nothing_found_is_empty() -> None:
    own = Computed(name="", company="Orla", formula="a / b", fault="b was not found")
    alone = Calculation(asked=CURRENT, title="current ratio", shown="ratio", results=(own,))
    assert answer_text(alone, lambda _: "[1]") == ""


def test_evidence_says_documents_and_pages_and_what_was_not_computed() -> None:
    text = evidence_text(calculation(CURRENT, year(2023), companies=BOTH))
    computed, failed = text.split("\n")
    assert computed == (
        "Orla Devices, Inc., current ratio, as of December 31, 2023: 1.50 = "
        "1,800 million USD (Total current assets, as of December 31, 2023) / "
        "1,200 million USD (Total current liabilities, as of December 31, 2023) (ORLA-2023-12-31.pdf, p. 42)"
    )
    assert failed.startswith("Tilbrook Stores, Inc., current ratio: not computed: ")


def test_a_loss_stands_in_brackets_in_a_formula() -> None:
    (only,) = calculation(MARGIN, year(2022)).results
    assert figures_in(only) == "(-150) / 3,200 (million USD)"


def test_a_loss_stands_in_one_pair_of_brackets() -> None:
    growth = Asked(formula="a", items={"a": "operating income"}, across="growth")
    (only,) = calculation(growth, year(2022)).results
    assert figures_in(only) == "(-100) / 300 - 1 (million USD)"


def test_figures_in_several_units_keep_each_its_own() -> None:
    items = {"a": "effective tax rate", "b": "net revenue"}
    (only,) = calculation(Asked(formula="b * 2", items=items), year(2023)).results
    mixed = only.model_copy(
        update={"operands": (*only.operands, _rate(only.operands[0])), "formula": "b * 2 + a"}
    )
    assert figures_in(mixed) == "4,000 million USD × 2 + 21.5 %"


def _rate(like: Operand) -> Operand:
    return like.model_copy(update={"name": "a", "value": "21.5", "unit": "percent", "scale": 0})


def test_a_threshold_is_held_against_the_value_as_it_is_shown() -> None:
    percent = calculation(MARGIN, year(2023))
    assert compared_value(percent, percent.results[0]) == 16
    ratio = calculation(CURRENT, year(2023))
    assert compared_value(ratio, ratio.results[0]) == Decimal("1.5")


def test_results_without_a_value_are_not_ordered() -> None:
    both = calculation(CURRENT, year(2023), companies=BOTH)
    assert [each.name for each in in_order(both)] == ["Orla Devices, Inc."]


def test_a_quarter_that_is_picked_is_called_one() -> None:
    asked = Asked(formula="a", items={"a": "net revenue"}, over="period", pick="lowest", title="net revenue")
    found = calculation(asked, quarter(1), quarter(2))
    assert answer_text(found, lambda _: "").startswith(
        "Fiscal Q1 2023 (quarter ended March 31, 2023) had the lowest net revenue: 900"
    )


@pytest.mark.parametrize(
    ("item", "shown"), [("net sales", "800 million USD (+25 %)"), ("net income", "790 million USD")]
)
def test_a_change_is_said_in_percent_too_where_it_begins_above_zero(item: str, shown: str) -> None:
    lead = said(Asked(formula="a", items={"a": item}, across="change"), 2023).splitlines()[0]
    assert lead.endswith(f"was {shown} [2] [3].")


def test_a_ratio_of_one_unit_is_said_in_percent_too() -> None:
    ratio = Asked(formula="a / b", items={"a": "net income", "b": "net revenue"}, title="profit to revenue")
    text = said(ratio, 2023)
    (digits, percent) = re.findall(r"was ([\d.]+) \(([\d.]+) %\) \[", text)[0]
    assert Decimal(digits) * 100 == pytest.approx(Decimal(percent), abs=Decimal("0.01"))
    over = Asked(formula="b / a", items=ratio.items, title="revenue to profit")
    assert "%" not in said(over, 2023).splitlines()[0]  # many times as much
    assert "%" not in said(CURRENT, 2023).splitlines()[0]


def test_two_that_lie_apart_are_told_with_how_far() -> None:
    apart = Asked(measure="net margin", over="company", apart=True)
    text = said(apart, 2023, companies=BOTH)
    lead = text.split("\n")[0]
    assert (
        "Orla Devices, Inc. lies 6 percentage points above Tilbrook Stores, Inc., 16 % against 10 %" in lead
    )
    asked = apart.model_copy(update={"yes_no": True, "above": False})
    assert said(asked, 2023, companies=BOTH).startswith("No, net margin: ")


def test_what_is_printed_is_no_calculation() -> None:
    asked = Asked(formula="a", items=(("a", "net income"),), title="net income")
    assert said(asked, 2023).splitlines()[2] == (
        "As printed: Net income twelve months ended December 31, 2023: 640 million USD [2]."
    )
