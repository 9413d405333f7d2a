"""Figures into words: sentences, tables, changes with their calculation, and conflicts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.drafts import figures
from graphs.local.answer import fact_sentences
from tests.unit.graphs.conftest import THEN
from tools.evidence import Evidence

Make = Callable[..., Evidence]


@pytest.mark.parametrize(
    ("value", "scale", "unit", "rounded"),
    [
        ("4812", 6, "USD", "($4.8 billion)"),
        ("-4850", 6, "USD", "(-$4.9 billion)"),
        ("1250000", 6, "USD", "($1.3 trillion)"),
        ("812", 6, "USD", ""),
        ("4.8", 9, "USD", ""),
        ("4812", 6, "shares", ""),
    ],
)
def test_only_large_dollar_amounts_are_given_rounded_too(
    fact: Make, value: str, scale: int, unit: str, rounded: str
) -> None:
    text = fact_sentences.figure(figures.fact_of(fact(1, "Revenue", value, scale=scale, unit=unit)))
    assert text.endswith(rounded) if rounded else "(" not in text


@pytest.mark.parametrize(
    ("label", "inside"),
    [
        ("Total net sales", "total net sales"),
        ("Diluted", "diluted"),
        ("EBITDA margin", "EBITDA margin"),
        ("Kestrel stores", "Kestrel stores"),
        ("Data Center", "Data Center"),
        ("Net income attributable to Kestrel", "net income attributable to Kestrel"),
    ],
)
def test_a_label_loses_its_first_capital_inside_a_sentence_but_no_name_does(label: str, inside: str) -> None:
    assert figures.in_sentence(label) == inside


@pytest.mark.parametrize(
    ("name", "word"),
    [("Net sales", "were"), ("Cost of sales", "was"), ("Net loss", "was"), ("Total assets, net", "were")],
)
def test_the_verb_agrees_with_the_line_item(name: str, word: str) -> None:
    assert fact_sentences.verb(name) == word


def test_what_all_rows_share_stands_in_the_lead_of_the_table(fact: Make) -> None:
    rows = [fact(1, "Net income", "310"), fact(2, "Net income", "280", end=THEN)]
    assert fact_sentences.table(rows).split("\n") == [
        "Orla Devices, Inc., Net income:",
        "",
        "| Period | Value | Source |",
        "| --- | --- | --- |",
        "| three months ended June 29, 2024 | 310 million USD | [1] |",
        "| three months ended July 1, 2023 | 280 million USD | [2] |",
    ]


def test_a_change_is_shown_with_both_figures_and_the_share(fact: Make) -> None:
    now, then = fact(1, "Net income", "310"), fact(2, "Net income", "280", end=THEN)
    assert fact_sentences.change(now, then) == (
        "Orla Devices, Inc.'s net income rose from 280 million USD in the three months ended July 1, 2023 to "
        "310 million USD in the three months ended June 29, 2024 [1] [2]. "
        "Change: 310 - 280 = 30 million USD (+10.7 %) [1] [2]."
    )


def test_a_change_from_a_loss_has_no_percentage(fact: Make) -> None:
    line = fact_sentences.change(fact(1, "Net income", "310"), fact(2, "Net income", "-20", end=THEN))
    assert line is not None and "310 - (-20) = 330 million USD [1] [2]." in line


def test_rates_differ_by_percentage_points(fact: Make) -> None:
    now, then = (fact(n, "Gross margin", v, unit="percent", scale=0) for n, v in ((1, "44.5"), (2, "46")))
    line = fact_sentences.change(now, then)
    assert line is not None and "44.5 - 46 = -1.5 percentage points" in line


def test_balances_are_compared_as_of_their_days(fact: Make) -> None:
    now = fact(1, "Total assets", "20", months=0)
    line = fact_sentences.change(now, fact(2, "Total assets", "18", months=0, end=THEN))
    assert (
        line is not None and "18 million USD as of July 1, 2023 to 20 million USD as of June 29, 2024" in line
    )


def test_figures_of_different_units_do_not_subtract(fact: Make) -> None:
    assert fact_sentences.change(fact(1, "Cash", "5"), fact(2, "Cash", "4000", scale=3)) is None


def test_every_source_that_disagrees_is_named(fact: Make) -> None:
    items = [fact(n, "Net income", v, document=f"{n}.pdf") for n, v in ((1, "310"), (2, "297"), (3, "300"))]
    assert fact_sentences.conflict(items).endswith(
        "310 million USD [1], 297 million USD [2] and 300 million USD [3]."
    )


def test_a_figure_of_running_text_is_quoted_with_its_company_and_period(fact: Make) -> None:
    item = fact(1, "capital expenditures", "2", scale=9, statement="prose")
    item = item.model_copy(update={"text": "Orla: “We will spend $2 billion.” (call)"})
    quote = "Orla Devices, Inc., three months ended June 29, 2024: “We will spend $2 billion.” [1]"
    assert fact_sentences.sentence(item) == quote


def test_evidence_without_a_figure_is_refused_by_its_rank(chunk: Make) -> None:
    with pytest.raises(ValueError, match="evidence 7"):
        figures.fact_of(chunk(7, "No figure here."))
