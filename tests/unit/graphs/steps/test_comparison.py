from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Lookup, Missing, Part, Reading
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.question.reader import LocalReader
from graphs.steps.comparison import Search, in_turns, looked_up, searches
from graphs.steps.missing import with_missing
from tests.accounts import made, result, year
from tests.filings import filing
from tools.calculate.types import Asked, Calculation
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]
NOW, THEN = date(2024, 6, 29), date(2023, 7, 1)
REVENUE = Lookup(name="Club revenue", question="Club revenue")
PROFIT = Lookup(name="Club operating income", question="Club operating income", bare="operating income")


def part(company: str, end: date | None = NOW, *lookups: Lookup) -> Part:
    periods = (PeriodFilter(end=end),) if end else ()
    return Part(
        company=company, name=f"{company.title()} Inc.", periods=periods, lookups=lookups or (REVENUE,)
    )


def reading(*parts: Part, question: str = "Compare revenue", **more: object) -> Reading:
    companies = tuple(dict.fromkeys(each.company for each in parts))
    periods = tuple(dict.fromkeys(p for each in parts for p in each.periods))
    scope = Scope(companies=companies, periods=periods)
    return Reading(question=question, companies=companies, scope=scope, parts=parts, **more)  # type: ignore[arg-type]


BOTH = reading(part("ORLA"), part("TILB", THEN))
READER = LocalReader()
NONE = Catalog([])


def test_each_part_is_searched_in_its_own_company_and_period() -> None:
    found = searches(BOTH.scope, Scope(), BOTH, BOTH.question, NONE, READER, compared=True)
    assert [each.scope for each in found] == [
        Scope(companies=("ORLA",), periods=(PeriodFilter(end=NOW),)),
        Scope(companies=("TILB",), periods=(PeriodFilter(end=THEN),)),
    ]


def test_after_widening_each_company_is_searched_in_the_loosened_periods() -> None:
    loose = Scope(companies=("ORLA", "TILB"), periods=(PeriodFilter(calendar_year=2024),))
    found = searches(loose, Scope(), BOTH, BOTH.question, NONE, READER, compared=True)
    assert [(each.scope.companies, each.scope.periods) for each in found] == [
        (("ORLA",), loose.periods),
        (("TILB",), loose.periods),
    ]


def test_periods_to_compare_with_are_added_for_figures_but_not_beside_the_users_own() -> None:
    year_ago = PeriodFilter(end=THEN)
    asked = reading(part("ORLA"), part("TILB"), compared_periods=(year_ago,))
    user = Scope(periods=(PeriodFilter(end=NOW),))
    assert (
        year_ago in searches(asked.scope, Scope(), asked, "q", NONE, READER, compared=True)[0].scope.periods
    )
    assert (
        year_ago
        not in searches(asked.scope, Scope(), asked, "q", NONE, READER, compared=False)[0].scope.periods
    )
    assert (
        year_ago not in searches(asked.scope, user, asked, "q", NONE, READER, compared=True)[0].scope.periods
    )


def test_a_part_is_not_compared_with_the_year_before_of_another() -> None:
    years = (PeriodFilter(end=THEN), PeriodFilter(end=date(2022, 7, 2)))
    asked = reading(part("ORLA"), part("TILB", THEN), compared_periods=years)
    found = searches(asked.scope, Scope(), asked, "q", NONE, READER, compared=True)
    assert [each.scope.periods[1:] for each in found] == [years[:1], years[1:]]


def test_a_question_without_parts_is_searched_as_it_is() -> None:
    asked = Reading(question="q", scope=Scope(companies=("ORLA",)))
    (only,) = searches(asked.scope, Scope(), asked, "q", NONE, READER, compared=True)
    assert (only.scope, [each.question for each in only.lookups]) == (asked.scope, ["q"])


def test_another_question_of_a_caller_is_not_replaced_by_the_parts_own() -> None:
    found = searches(BOTH.scope, Scope(), BOTH, "something else", NONE, READER, compared=True)
    assert [each.question for search in found for each in search.lookups] == ["something else"] * 2


def test_what_a_companys_passages_say_of_the_other_one_is_found_by_the_whole_question(chunk: Make) -> None:
    catalog = Catalog([filing(name, NOW, 2024, 2) for name in ("Orla Devices, Inc.", "Tilbury Stores")])
    asked = reading(
        part("ORLA", None), part("TILB", None), question="What did Orla pay for Tilbury?"
    ).model_copy(update={"company_names": ("Orla", "Tilbury")})
    orla, _ = searches(asked.scope, Scope(), asked, asked.question, catalog, READER, compared=False)
    assert "Tilbury" not in orla.lookups[0].question
    bought, other = chunk(1, "We bought Tilbury for $9 million."), chunk(2, "We pay suppliers.")
    given = {asked.question: [other, bought], orla.lookups[0].question: [other]}
    assert looked_up(orla, lambda question, scope: given[question]) == [[bought], [other]]


def test_every_list_has_its_turn_and_at_least_one_place(fact: Make) -> None:
    lists = [[fact(n * 10 + i, "Revenue", "1") for i in range(3)] for n in range(3)]
    assert [item.item_id for item in in_turns(lists, 4)] == ["f0", "f10", "f20", "f1"]
    assert [item.item_id for item in in_turns(lists, 1)] == ["f0", "f10", "f20"]
    assert [item.rank for item in in_turns(lists, 4)] == [1, 2, 3, 4]
    assert [item.item_id for item in in_turns(lists, 1, least=2)] == ["f0", "f10", "f20", "f1", "f11", "f21"]


def test_a_piece_found_twice_is_kept_as_found_where_it_fits_best(fact: Make) -> None:
    weak = fact(1, "Revenue", "1", match=0.4).model_copy(update={"lookup": "weak"})
    strong = fact(1, "Revenue", "1", match=0.9).model_copy(update={"lookup": "strong"})
    (kept,) = in_turns([[weak], [strong]], 8)
    assert kept.lookup == "strong"


@pytest.mark.parametrize(
    ("match", "asked"),
    [
        (0.9, ["Club revenue", "Club operating income"]),
        (0.5, ["Club revenue", "Club operating income", "operating income"]),
    ],
)
def test_the_companys_own_figure_is_looked_up_only_where_the_qualified_one_is_not_there(
    fact: Make, match: float, asked: list[str]
) -> None:
    questions: list[str] = []

    def ask(question: str, scope: Scope) -> list[Evidence]:
        questions.append(question)
        return [fact(len(questions), "Operating income", "5", match=match)]

    lists = looked_up(Search(Scope(), (REVENUE, PROFIT)), ask)
    assert questions == asked
    assert lists[1][0].lookup == asked[-1]


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("left_out", "Left out, since a comparison has at most four parts: Kestrel."),
        ("not_indexed", "Not in the indexed documents: Kestrel."),
        ("filtered", "Outside the filter that is set: Kestrel."),
    ],
)
def test_what_is_missing_is_said_in_the_answer_and_the_reason(why: str, words: str) -> None:
    asked = Reading(question="q", missing=(Missing(what="Kestrel", why=why),))  # type: ignore[arg-type]
    assert with_missing("Revenue was 5 [1].", "answered", asked, []) == (
        f"Revenue was 5 [1].\n\n{words}",
        "partial",
        words,
    )


def test_a_refusal_stays_one_and_names_what_is_missing_besides() -> None:
    asked = Reading(question="q", missing=(Missing(what="Kestrel", why="not_indexed"),))
    _, status, told = with_missing("Nothing found.", "abstained", asked, [])
    assert (status, told) == ("abstained", "Not in the indexed documents: Kestrel.")


def test_a_year_in_parts_is_said_beside_figures_and_with_a_refusal_and_not_beside_reasons(
    fact: Make, chunk: Make
) -> None:
    asked = Reading(question="q", years_in_parts=("Orla Inc., all of 2024",))
    evidence = [fact(1, "Revenue", "5"), chunk(2, "Revenue fell because of the rain.")]
    told = "Not in the indexed documents: Orla Inc., all of 2024."
    assert with_missing("Revenue was 5 [1].", "answered", asked, evidence)[1:] == ("partial", told)
    assert with_missing("Nothing found.", "abstained", asked, evidence)[1:] == ("abstained", told)
    assert with_missing("It rained [2].", "answered", asked, evidence)[1:] == ("answered", "")
    balance = [fact(1, "Total assets", "5", months=0)]
    assert with_missing("Assets were 5 [1].", "answered", asked, balance)[1:] == ("answered", "")


def test_a_part_that_the_answer_cites_nothing_of_is_said_to_lack(fact: Make) -> None:
    evidence = [fact(1, "Revenue", "5", key="ORLA"), fact(2, "Revenue", "6", key="TILB", end=THEN)]
    assert with_missing("5 [1] and 6 [2].", "answered", BOTH, evidence) == (
        "5 [1] and 6 [2].",
        "answered",
        "",
    )
    text, status, _ = with_missing("Revenue was 5 [1].", "answered", BOTH, evidence)
    assert status == "partial"
    assert text.endswith("\n\nNothing found for: Tilb Inc., period ended July 1, 2023.")


def test_an_answer_that_is_a_calculation_tells_itself_what_it_lacks(fact: Make) -> None:
    asked = Asked(formula="a", items=(("a", "revenue"),))
    told = result(asked, year(2023))
    made = Calculation(asked=asked, title="revenue", shown="amount", results=(told,))
    operand = fact(1, "Revenue", "5", key="ORLA").model_copy(update={"item_id": told.operands[0].item_id})
    computed = fact(2, "Revenue", "5", key="ORLA").model_copy(update={"calculation": made})
    assert with_missing("Revenue was 5 [1].", "answered", BOTH, [operand, computed])[1] == "answered"
    assert with_missing("Revenue was 5 [1].", "answered", BOTH, [operand])[1] == "partial"


def test_figures_of_companies_for_unlike_spans_are_said_to_be_so(fact: Make) -> None:
    year = fact(1, "Revenue", "5", company="Orla", months=12)
    quarter, half = (fact(n, "Revenue", "6", company="Tilb", months=m) for n, m in ((2, 3), (3, 6)))
    asked = Reading(question="q")
    text, status, told = with_missing("5 [1] and 6 [2].", "answered", asked, [year, quarter])
    assert (status, told) == ("answered", "")
    assert "unlike length (Orla: twelve months; Tilb: three months)" in text
    for cited, evidence in (
        ("5 [1].", [year, quarter]),
        ("5 [2] and 6 [3].", [quarter, half]),
        ("5 [1] and 6 [4].", [year, fact(4, "Revenue", "6", company="Tilb", months=12)]),
    ):
        assert with_missing(cited, "answered", asked, evidence)[0] == cited


def test_a_figure_between_those_of_a_change_is_found_though_not_told(fact: Make, chunk: Make) -> None:
    ends = (NOW, date(2024, 3, 30), THEN)
    asked = reading(*(part("ORLA", end) for end in ends))
    evidence = [fact(n, "Revenue", "5", end=end) for n, end in enumerate(ends, start=1)]
    assert with_missing("From 5 [3] to 5 [1].", "answered", asked, evidence)[1] == "answered"
    evidence[1] = chunk(2, "Revenue rose.")
    assert with_missing("From 5 [3] to 5 [1].", "answered", asked, evidence)[1] == "partial"


def test_a_passage_covers_every_period_of_its_company(chunk: Make) -> None:
    asked = reading(part("ORLA"), part("ORLA", THEN))
    assert with_missing("Both rose [1].", "answered", asked, [chunk(1, "Both rose.")])[1] == "answered"


def two_figures(fact: Make, lookup: str) -> list[Evidence]:
    revenue = fact(1, "Net sales", "90", path=("Club",)).model_copy(update={"lookup": REVENUE.question})
    profit = fact(2, "Operating income", "12").model_copy(update={"lookup": lookup})
    return [revenue, profit]


@pytest.mark.parametrize(
    ("lookup", "status", "told"),
    [
        (PROFIT.question, "answered", ""),
        (
            PROFIT.bare,
            "partial",
            "Stated for the whole company, since nothing was found as asked: Club operating income of Orla Inc., "
            "period ended June 29, 2024.",
        ),
    ],
)
def test_a_figure_of_the_company_in_place_of_a_segments_is_said_to_be_one(
    fact: Make, lookup: str, status: str, told: str
) -> None:
    asked = reading(part("ORLA", NOW, REVENUE, PROFIT), question="Orla's Club revenue and operating income")
    evidence = two_figures(fact, lookup)
    draft = LocalAnswerer().draft(asked, evidence)
    assert "90 million" in draft.text and "12 million" in draft.text
    assert LocalChecker().check(asked, draft, evidence).score == 1
    assert with_missing(draft.text, "answered", asked, evidence)[1:] == (status, told)


@pytest.mark.parametrize(("name", "status"), [("dividends", "answered"), ("rent", "partial")])
def test_a_figure_that_another_ones_line_names_is_told_with_it(fact: Make, name: str, status: str) -> None:
    interest, other = (Lookup(name=each, question=f"How much {each}?") for each in ("interest", name))
    evidence = [fact(1, "Interest and dividend income", "9").model_copy(update={"lookup": interest.question})]
    asked = reading(part("ORLA", NOW, interest, other))
    assert with_missing("It was 9 [1].", "answered", asked, evidence)[1] == status


def test_rows_stand_in_the_order_of_parts_and_figures_whatever_fits_best(fact: Make) -> None:
    evidence = [
        fact(1, "Operating income", "12", end=THEN, match=1.0).model_copy(update={"lookup": PROFIT.question}),
        fact(2, "Operating income", "15", match=0.9).model_copy(update={"lookup": PROFIT.question}),
        fact(3, "Net sales", "90", end=THEN, match=0.85).model_copy(update={"lookup": REVENUE.question}),
        fact(4, "Net sales", "95", match=0.95).model_copy(update={"lookup": REVENUE.question}),
    ]
    asked = reading(part("ORLA", NOW, REVENUE, PROFIT), part("ORLA", THEN, REVENUE, PROFIT))
    text = LocalAnswerer().draft(asked, evidence).text
    rows = [line for line in text.split("\n") if "million" in line]
    assert [row.split("[")[1][0] for row in rows] == ["4", "2", "3", "1"]


def test_the_unit_that_one_figure_asks_for_is_not_asked_of_the_other(fact: Make) -> None:
    income, share = (Lookup(name=name, question=f"Orla's {name}") for name in ("net income", "EPS"))
    evidence = [
        fact(1, "Net income", "212").model_copy(update={"lookup": income.question}),
        fact(2, "Diluted", "1.26", path=("Earnings per share",), unit="USD/share", scale=0).model_copy(
            update={"lookup": share.question}
        ),
    ]
    asked = reading(part("ORLA", NOW, income, share), question="Orla's net income and EPS")
    text = LocalAnswerer().draft(asked, evidence).text
    assert "212 million USD" in text and "1.26 USD per share" in text


def test_a_change_is_told_of_each_figure(fact: Make) -> None:
    evidence = [
        fact(n, metric, value, end=end).model_copy(update={"lookup": lookup.question})
        for n, (metric, value, end, lookup) in enumerate(
            [
                ("Net sales", "95", NOW, REVENUE),
                ("Net sales", "90", THEN, REVENUE),
                ("Operating income", "15", NOW, PROFIT),
                ("Operating income", "12", THEN, PROFIT),
            ],
            start=1,
        )
    ]
    asked = reading(
        part("ORLA", NOW, REVENUE, PROFIT),
        part("ORLA", THEN, REVENUE, PROFIT),
        question="How much did Orla's net sales and operating income change?",
        metrics=("net sales", "operating income"),
    )
    text = LocalAnswerer().draft(asked, evidence).text
    assert "95 - 90 = 5" in text and "15 - 12 = 3" in text


def test_a_company_whose_result_is_stated_is_not_said_to_be_missing() -> None:
    both = Asked(measure="net margin", over="company", pick="highest")
    found, _ = made(both, year(2023), companies=("ORLA", "TILB"))
    gone = Missing(what="Tilbrook Stores, Inc.", why="not_indexed")
    reading = Reading(question="Which had the highest net margin?", missing=(gone,))
    cited = " ".join(f"[{item.rank}]" for item in found[1:])
    assert with_missing(f"Orla had it {cited}.", "answered", reading, found)[1] == "answered"
    assert with_missing("Orla had it [2].", "answered", reading, found)[1] == "partial"
