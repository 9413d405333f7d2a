"""Parts of a company that a question names and what was computed leaves out."""

from __future__ import annotations

import pytest

from tests.accounts import ANNUAL, PARTS, Y22, Y23, graph_of, line, made, year
from tools.calculate.left_out import names_left_out, set_aside
from tools.calculate.types import Asked

PHRASES = frozenset({"spending", "rest of world", "europe", "world", "december", "free cash flow"})


@pytest.mark.parametrize(
    ("said", "covered", "left"),
    [
        ("Growth of spending in Rest of World?", frozenset(), ("Rest of World",)),
        ("Growth of spending in Rest of World?", frozenset({"rest", "world"}), ()),
        ("Growth of spending in rest of world?", frozenset(), ()),
        ("Europe: growth of spending?", frozenset(), ("Europe",)),
        ("Spending: growth in Europe?", frozenset({"europe"}), ()),
        ("Spending in Europe and the Rest of World?", frozenset({"rest", "world"}), ("Europe",)),
        ("Spending in December in Borduria?", frozenset(), ()),
    ],
)
def test_names_of_tables_that_nothing_covers_are_left_out(
    said: str, covered: frozenset[str], left: tuple[str, ...]
) -> None:
    assert names_left_out(said, PHRASES, covered) == left


SPENDING = line(ANNUAL, "Capital spending", {Y23: "90", Y22: "60"}, statement="cash_flow")
OVERSEAS = line(ANNUAL, "Net revenue", {Y23: "9", Y22: "6"}, **{**PARTS, "path": ("Overseas Trade",)})


@pytest.mark.parametrize(
    ("said", "computed"),
    [
        ("How much did Orla's capital spending grow in 2023?", True),
        ("How much did Orla's capital spending in Overseas Trade grow in 2023?", False),
    ],
)
def test_a_sum_of_the_whole_is_no_answer_about_a_part(said: str, computed: bool) -> None:
    asked = Asked(formula="a", items=(("a", "capital spending"),), across="growth", said=said)
    found, missing = made(asked, year(2023), graph=graph_of(SPENDING, OVERSEAS))
    values = [each.value for item in found if item.calculation for each in item.calculation.results]
    assert any(values) is computed
    assert missing == (() if computed else ("a figure of Overseas Trade",))


def test_what_is_set_aside_is_told_from_what_is_left() -> None:
    assert set_aside("Profit excluding the gain on sale, please?", (), frozenset()) == ("the gain on sale",)
    assert set_aside("Leaving the gain on sale out, how was it?", (), frozenset()) == ("the gain on sale",)
    assert set_aside("Profit after leaving the joint venture in 2021?", (), frozenset()) == ()
    assert set_aside("Profit excluding the gain on sale?", (), frozenset({"gain", "sale"})) == ()
