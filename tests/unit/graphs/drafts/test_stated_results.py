"""Lines that may give what was to be computed, as pages do."""

from __future__ import annotations

import pytest

from graphs.contracts import PlannedCalculation, Reading
from graphs.drafts.calculations import states_change, states_measure, words_in_print
from graphs.local.answer.ranked_answer import lines_for_sum
from graphs.steps.computed import form_in_print, said_in_print
from tests.accounts import made, year
from tests.pieces import piece
from tools.calculate.shares import share_items
from tools.calculate.types import Asked, When
from tools.evidence import AnswerLine, Evidence

GROWTH = Asked(formula="a", items={"a": "online sales"}, across="growth", title="growth of online sales")


def said(text: str, *, likely: bool = True) -> Evidence:
    return piece(1, text).model_copy(
        update={"lines": (AnswerLine(text=text, share=0.9, chance=0.5, shown=True, likely=likely),)}
    )


def is_stated(planned: PlannedCalculation, item: Evidence) -> bool:
    reading = Reading(
        question="How much was it?",
        uncomputed=planned.question,
        uncomputed_form=form_in_print([planned]),
        uncomputed_of=said_in_print([planned]),
    )
    return bool(lines_for_sum(reading, [item]))


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
    assert is_stated(planned, said(text)) is stated
    assert not is_stated(planned, said(text, likely=False))


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
    assert is_stated(planned, said(text)) is stated


def test_a_change_is_printed_in_any_unit() -> None:
    asked = GROWTH.model_copy(update={"across": "change"})
    planned = PlannedCalculation(asked=asked, companies=("ORLA",))
    assert states_change(planned, [said("Online sales rose 12 million in 2023.")])
    assert not states_change(planned, [said("Sales rose 12 million in 2023.")])
    grown = PlannedCalculation(asked=GROWTH, companies=("ORLA",))
    assert not states_change(grown, [said("Online sales rose 12% in 2023.")])


def test_no_line_prints_a_ranking_or_a_ratio() -> None:
    for update in ({"over": "part"}, {"yes_no": True}, {"across": ""}):
        planned = PlannedCalculation(asked=GROWTH.model_copy(update=update), companies=("ORLA",))
        assert words_in_print(planned) == frozenset()


MARGIN = Asked(measure="net margin")
"""It comes to 16 %."""


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("Our net margin was 16% in 2023.", True),
        ("Our net margin was 16.0% in 2023.", True),
        ("Net margin was (16)% of sales.", True),
        ("Net margin rose from 12.1% to 16.0%.", True),
        ("Our net margin was 12.1% in 2023.", False),
        ("Our net margin was 16.4% in 2023.", False),
        ("Our net margin fell by 16 percentage points, or 50%.", False),
        ("Taxes were 16% of sales.", False),
    ],
)
def test_a_line_states_a_measure_where_its_percentage_is_the_one_that_was_computed(
    text: str, stated: bool
) -> None:
    computed, _ = made(MARGIN, year(2023))
    assert states_measure([*computed, said(text)]) is stated
    assert not states_measure([*computed, said(text, likely=False)])


def test_a_line_that_names_a_measure_states_it_where_nothing_was_computed() -> None:
    (first, *others), _ = made(MARGIN, year(2023))
    assert first.calculation is not None
    (result,) = first.calculation.results
    blank = first.calculation.model_copy(update={"results": (result.model_copy(update={"value": ""}),)})
    nothing = [first.model_copy(update={"calculation": blank}), *others]
    assert states_measure([*nothing, said("Our net margin was 12.1% in 2023.")])
    assert not states_measure([*nothing, said("Taxes were 12.1% of sales.")])


@pytest.mark.parametrize("update", [{"part": "Europe"}, {"across": "change"}, {"pick": "highest"}])
def test_a_line_states_no_measure_of_a_part_nor_one_that_is_ranked_or_changed(
    update: dict[str, str],
) -> None:
    (first, *others), _ = made(MARGIN, year(2023))
    assert first.calculation is not None
    own = first.calculation.model_copy(update={"asked": MARGIN.model_copy(update=update)})
    computed = [first.model_copy(update={"calculation": own}), *others]
    assert not states_measure([*computed, said("Our net margin was 16% in 2023.")])
