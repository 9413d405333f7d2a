"""Evidence as passages with figures."""

from __future__ import annotations

from decimal import Decimal

from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import CitedEvidence, passages, pool, whole
from tests.pieces import NOW, piece
from tools.evidence import Evidence, Fact

TABLE = (
    "Results (in millions)\n| Item | June 30, 2024 | June 30, 2023 | Change |\n| --- | --- | --- | --- |\n"
    "| Revenue | $ 120 | $ 100 | 20% |\n| Costs | 90 | (80) | 13 |"
)


def table(text: str = TABLE) -> Evidence:
    return piece(1, text).model_copy(update={"kind": "table"})


def test_a_cell_has_its_row_its_column_s_period_and_the_scale_of_the_note() -> None:
    figures = [f for f in whole(table()).figures if f.label == "Revenue" and f.quantity.unit == "USD"]
    assert [(f.quantity.amount, f.end and f.end.year) for f in figures] == [
        (Decimal(amount), year)
        for amount, year in ((120, 2024), (120_000_000, 2024), (100, 2023), (100_000_000, 2023))
    ]


def test_a_column_of_percentages_may_print_the_sign_once() -> None:
    costs = [f for f in whole(table()).figures if f.label == "Costs" and f.quantity.unit == "percent"]
    assert [f.quantity.value for f in costs] == [Decimal(13)]


def test_a_bracketed_cell_is_negative() -> None:
    assert Decimal(-80) in {f.quantity.value for f in whole(table()).figures if f.label == "Costs"}


def test_a_fact_has_its_line_item_and_its_own_period() -> None:
    fact = Fact(
        metric="Sensors", path=("Net sales",), value="5", unit="USD", scale=6, printed="5", period=NOW
    )
    (figure,) = whole(piece(1, "Orla Inc., Net sales, Sensors: 5 million USD", fact)).figures
    assert (figure.label, figure.period, figure.quantity.amount) == (
        "Net sales Sensors",
        NOW,
        Decimal(5_000_000),
    )


def test_the_sentence_nearest_to_a_claim_comes_first_with_what_stands_before_it_as_its_lead() -> None:
    item = piece(
        1, "Orla makes sensors. Its plant is in Ohio. Costs fell by $3 million. Nothing else changed."
    )
    found = passages(item, parsed("costs fell $3 million").marks)
    assert found[0].text == "Costs fell by $3 million."
    assert found[0].lead == "Orla makes sensors. Its plant is in Ohio."
    assert "Its plant is in Ohio. Costs fell by $3 million. Nothing else changed." in {p.text for p in found}


def test_figures_and_speakers_of_several_pieces_are_pooled() -> None:
    both = pool([whole(piece(1, "Sales were $5 million.")), whole(piece(2, "Costs were $3 million."))])
    assert [f.quantity.value for f in both.figures] == [5, 3]
    assert not both.structured


def test_sentences_are_those_of_running_text_alone() -> None:
    fact = Fact(metric="Sensors", value="5", unit="USD", scale=6, printed="5", period=NOW)
    cited = CitedEvidence(
        (piece(1, "Sales rose. Costs fell."), piece(2, "Sensors: 5 million USD", fact), table())
    )
    assert [s.text for s in cited.sentences] == ["Sales rose.", "Costs fell."]
