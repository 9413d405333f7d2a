"""Which figures fit a question, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graphs.contracts import Reading
from graphs.drafts.figures import fact_match, quantity_of
from graphs.local.answer.fact_fit import good_facts
from graphs.local.question.answer_form import read_answer_form
from tests.unit.graphs.conftest import NOW
from tools.evidence import Evidence
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]


def ranks(
    question: str, evidence: Sequence[Evidence], *, metrics: tuple[str, ...] = (), named: bool = True
) -> list[int]:
    companies = ("ORLA",) if named else ()
    scope = Scope(companies=companies, periods=(PeriodFilter(end=NOW),))
    reading = Reading(question=question, companies=companies, metrics=metrics, scope=scope)
    form = read_answer_form(reading, frozenset({"orla"}))
    return [item.rank for item in good_facts(reading, form, evidence)]


def test_figures_come_by_fit_and_weak_ones_do_not_come(fact: Make) -> None:
    found = [fact(1, "Net income", "310", match=0.85), fact(2, "Net income", "9", match=0.95)]
    weak = fact(3, "Other income", "2", match=0.6)
    assert ranks("What was Orla's net income?", [*found, weak]) == [2, 1]


def test_a_question_for_a_rate_takes_no_amount(fact: Make) -> None:
    amount, rate = fact(1, "Gross margin", "900"), fact(2, "Gross margin", "44.5", unit="percent", scale=0)
    assert ranks("What percentage was Orla's gross margin?", [amount, rate]) == [2]


def test_how_many_asks_for_neither_money_nor_a_rate(fact: Make) -> None:
    money, count = fact(1, "Stores", "12"), fact(2, "Stores", "431", unit="", scale=0)
    assert ranks("How many stores did Orla have?", [money, count]) == [2]


def test_less_fit_is_enough_where_no_company_is_named_and_one_alone_comes_near(fact: Make) -> None:
    own = fact(1, "Goodwill", "800", match=0.75)
    other = fact(2, "Goodwill", "10", match=0.65, key="KEST", company="Kestrel Stores, Inc.")
    question = "What was goodwill at the quarter's end?"
    assert ranks(question, [own], named=False) == [1]
    assert ranks(question, [own, other], named=False) == []


def test_a_dash_gives_way_to_the_figure_printed_elsewhere(fact: Make) -> None:
    dash, printed = fact(1, "Impairment", "0"), fact(2, "Impairment", "14", match=0.72)
    assert ranks("What was Orla's impairment?", [dash, printed]) == [2]
    assert ranks("What was Orla's impairment?", [dash]) == [1]


def test_a_figure_that_nearly_fits_is_taken_only_without_a_rival(fact: Make) -> None:
    near = fact(1, "Sensor backlog", "310", match=0.7)
    far, close = fact(2, "Orders", "9", match=0.5), fact(3, "Orders", "9", match=0.65)
    assert ranks("What was Orla's sensor backlog worth abroad?", [near, far]) == [1]
    assert ranks("What was Orla's sensor backlog worth abroad?", [near, close]) == []


def test_the_line_that_the_question_spells_out_goes_first(fact: Make) -> None:
    known, spelt = fact(1, "Debt", "900"), fact(2, "Total debt", "950", match=0.75)
    assert ranks("What was Orla's total debt?", [known, spelt])[0] == 2


def test_a_figure_of_unknown_unit_or_period_answers_nothing(fact: Make) -> None:
    known, no_unit, no_period = fact(1, "Backlog", "700"), fact(2, "Backlog", "9"), fact(3, "Backlog", "8")
    assert no_unit.fact is not None and no_period.fact is not None
    no_unit = no_unit.model_copy(update={"fact": no_unit.fact.model_copy(update={"unit": "?"})})
    no_period = no_period.model_copy(update={"fact": no_period.fact.model_copy(update={"period": Period()})})
    assert ranks("What was Orla's backlog?", [no_unit, no_period]) == []
    assert ranks("What was Orla's backlog?", [no_unit, no_period, known]) == [1]
    assert [quantity_of(item.fact) for item in (no_unit, no_period) if item.fact] == [None, None]
    assert [fact_match(item) > 0 for item in (known, no_unit, no_period)] == [True, False, False]
