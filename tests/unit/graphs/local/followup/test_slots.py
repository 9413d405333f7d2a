from __future__ import annotations

import pytest

from graphs.local.followup.slots import Slots, find_slots
from tests.filings import CATALOG

NAMES = frozenset({"merrow", "cloud services"})


def slots(text: str) -> Slots:
    return find_slots(text, CATALOG, NAMES)


def test_a_question_names_companies_figures_periods_and_what_the_index_knows() -> None:
    found = slots("What was Orla's net income from Cloud Services in Q3 2023?")
    assert (found.company, found.metric, found.period) == ("Orla", "net income", "in Q3 2023")
    assert found.indexed == ("ORLA",)
    assert [found.text[slice(*span)] for span in found.names] == ["Cloud Services"]


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("What was Orla's Harrow Tools revenue?", "Harrow Tools revenue"),
        ("What was Orla's revenue of the Harrow segment?", "Harrow revenue"),
        ("What was Orla's revenue?", "revenue"),
        ("What was Orla's garden tools revenue in Q3 2023?", "garden tools revenue"),
        ("What was Orla's membership of clubs and revenue?", "revenue"),
        ("Who is Ann?", ""),
    ],
)
def test_a_figure_is_its_metric_with_what_qualifies_it(text: str, figure: str) -> None:
    assert slots(text).figure == figure


def test_a_name_goes_on_behind_its_point() -> None:
    found = find_slots("What did Orla pay for Merrow.io?", CATALOG, frozenset({"merrow"}))
    assert [found.text[slice(*span)] for span in found.names] == ["Merrow.io"]


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("Revenue for the six months ended July 1, 2023?", "for the six months ended July 1, 2023"),
        ("Revenue in Q2 and Q3 2023?", "in Q2 and Q3 2023"),
        ("Cash at July 1, 2023?", "at July 1, 2023"),
        ("Q3 revenue?", "in Q3"),
        ("Revenue?", ""),
    ],
)
def test_a_period_is_read_with_its_preposition_and_with_those_listed_beside_it(
    text: str, period: str
) -> None:
    assert slots(text).period == period


def test_without_a_catalog_a_company_is_what_has_a_capital_and_is_no_first_name() -> None:
    found = find_slots("What did Harrowmere earn, Tom?", None, frozenset())
    assert [found.text[slice(*span)] for span in found.companies] == ["Harrowmere"]
