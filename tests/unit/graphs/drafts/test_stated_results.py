"""Lines that may give what was to be computed, as pages do."""

from __future__ import annotations

import pytest

from graphs.contracts import PlannedCalculation
from graphs.drafts.calculations import states_result
from tests.accounts import year
from tests.pieces import piece
from tools.calculate.shares import share_items
from tools.calculate.types import Asked, When
from tools.evidence import AnswerLine, Evidence

GROWTH = Asked(formula="a", items={"a": "online sales"}, across="growth", title="growth of online sales")


def said(text: str, *, likely: bool = True) -> Evidence:
    return piece(1, text).model_copy(
        update={"lines": (AnswerLine(text=text, share=0.9, chance=0.9, shown=True, likely=likely),)}
    )


@pytest.mark.parametrize(
    ("text", "whens", "stated"),
    [
        ("Online sales rose 12% in 2023.", (year(2023),), True),
        ("Online sales rose 12% in 2023.", (year(2022), year(2023)), True),
        ("Online sales rose 12% in 2023.", (year(2021), year(2023)), False),
        ("Sales rose 12% in 2023.", (year(2023),), False),
        ("Online sales were 12 million in 2023.", (year(2023),), False),
    ],
)
def test_a_growth_is_printed_by_a_line_with_all_its_words_of_neighbouring_years(
    text: str, whens: tuple[When, ...], stated: bool
) -> None:
    planned = PlannedCalculation(asked=GROWTH, companies=("ORLA",), periods=(("ORLA", whens),))
    assert states_result(planned, [said(text)]) is stated
    assert not states_result(planned, [said(text, likely=False)])


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Online orders brought 12% of sales.", True),
        ("Online orders brought 12 million.", False),
        ("Orders brought 12% of sales.", False),
    ],
)
def test_a_share_is_printed_by_a_line_with_all_words_of_the_part_and_a_percentage(
    text: str, stated: bool
) -> None:
    asked = Asked(
        formula="a / b", items=share_items("online orders", "sales"), shown="percent", is_share=True
    )
    planned = PlannedCalculation(asked=asked, companies=("ORLA",))
    assert states_result(planned, [said(text)]) is stated


def test_no_line_prints_a_ranking_or_a_ratio() -> None:
    lines = [said("Online sales rose 12% in 2023.")]
    for update in ({"over": "part"}, {"yes_no": True}, {"across": ""}):
        planned = PlannedCalculation(asked=GROWTH.model_copy(update=update), companies=("ORLA",))
        assert not states_result(planned, lines)
