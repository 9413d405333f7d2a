"""Answers of ranked lines: the figure, the relation or the sentences that a learned fit found likely."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.answer.line_ranking import KEPT_LINES, LineRanker, lines_of
from graphs.local.answer.ranked_answer import MIN_CHANCE_FOR_SUM, lines_about_unknown, ranked_lines
from tests.unit.graphs.local.answer.checked import ByWords, Flat
from tools.evidence import AnswerLine, Evidence
from tools.periods import Period, PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]
READING = Reading(question="What happened to freight?")


def with_lines(
    item: Evidence, *lines: tuple[str, float], likely: bool = True, of_figure: bool = True
) -> Evidence:
    found = tuple(
        AnswerLine(text=text, share=share, chance=0.5, shown=share >= 0.1, likely=likely, of_figure=of_figure)
        for text, share in lines
    )
    return item.model_copy(update={"lines": found})


def test_what_was_not_ranked_or_is_unlikely_is_no_answer(chunk: Make) -> None:
    item = chunk(1, "Freight costs came down a lot this year.")
    assert ranked_lines(READING, [item]) == []
    assert ranked_lines(READING, [with_lines(item, (item.text, 1.0), likely=False)]) == []


def test_the_likeliest_sentence_is_quoted_with_those_that_come_near_it(chunk: Make) -> None:
    item = chunk(1, "Freight costs came down a lot. Prices held up well. Ships were on time again.")
    ranked = with_lines(
        item,
        ("Freight costs came down a lot.", 0.6),
        ("Ships were on time again.", 0.3),
        ("Prices held up well.", 0.01),
    )
    assert ranked_lines(READING, [ranked]) == [
        "Orla Devices, Inc.: “Freight costs came down a lot.” [1]",
        "Orla Devices, Inc.: “Ships were on time again.” [1]",
    ]


def test_figures_and_sentences_are_shown_in_the_order_of_their_shares(fact: Make, chunk: Make) -> None:
    item = chunk(2, "Freight costs came down a lot this year.")
    shown = [
        with_lines(item, (item.text, 0.4)),
        with_lines(fact(1, "Freight costs", "31"), ("Freight costs", 0.5)),
    ]
    first, second = ranked_lines(READING, shown)
    assert "31" in first and "[1]" in first and "“Freight costs came down" in second


def test_evidence_is_ordered_by_its_best_line_and_loses_nothing(fact: Make, chunk: Make) -> None:
    other = chunk(1, "Prices held up well in all of the regions.")
    right = chunk(2, "The weather was fine. Freight happened to cost far less than a year ago.")
    table = chunk(3, "| a | b |").model_copy(update={"kind": "table"})
    ranked = LineRanker(ByWords(), Flat()).rank(READING, [table, other, right])
    assert [item.rank for item in ranked] == [2, 1, 3]
    assert ranked[0].lines[0].text.startswith("Freight happened") and len(ranked[0].lines) <= KEPT_LINES
    assert ranked[2].lines == ()


def test_what_is_said_of_a_part_gives_way_where_the_whole_is_asked_about(chunk: Make) -> None:
    said, of_all = (
        "Operating profit fell on higher freight.",
        "Operating profit fell on weak demand for freight.",
    )
    part, whole = chunk(1, said, section="Item 7 > Sensors"), chunk(2, of_all, section="Item 7 > Results")
    for question, first in (("Why did operating profit fall?", 2), ("Why did profit of sensors fall?", 1)):
        ranked = LineRanker(ByWords(), Flat()).rank(Reading(question=question), [part, whole])
        assert ranked[0].rank == first
    [line] = lines_of(READING, [chunk(1, "Sensors did well on freight.", section="Item 7 > Sensors")])[0]
    assert not line.of_part, "it says itself what it speaks of"


def test_a_line_is_read_once_and_unusable_figures_are_not_read(fact: Make, chunk: Make) -> None:
    twice = chunk(1, "Freight costs came down a lot."), chunk(2, "Freight costs came down a lot.")
    unknown = fact(3, "Freight costs", "31", unit="?")
    lines, places = lines_of(READING, [*twice, unknown])
    assert [line.text for line in lines] == ["Freight costs came down a lot."] and places == [0]


def test_a_figure_of_another_period_or_length_is_not_stated_however_likely_it_is(fact: Make) -> None:
    asked = READING.model_copy(
        update={"scope": Scope(periods=(PeriodFilter(end=date(2024, 6, 29)),)), "months": 3}
    )
    earlier = fact(1, "Freight costs", "31", end=date(2023, 7, 1))
    longer = fact(2, "Freight costs", "62", months=6)
    right = fact(3, "Freight costs", "33")
    shown = [with_lines(item, ("Freight costs", 0.3)) for item in (earlier, longer, right)]
    assert [line for line in ranked_lines(asked, shown) if "[3]" in line] == ranked_lines(asked, shown) != []


def test_where_no_period_is_asked_for_a_figure_is_told_by_its_newest_one(fact: Make) -> None:
    old, new = date(2023, 7, 1), date(2024, 6, 29)
    freight_old, freight_new = fact(1, "Freight", "31", end=old), fact(2, "Freight", "33", end=new)
    tolls_old, tolls_year = fact(3, "Tolls", "7", end=old), fact(4, "Tolls", "29", end=new, months=12)
    shown = [with_lines(item, (item.text, 0.4)) for item in (freight_old, tolls_old)]
    newest = ranked_lines(READING, [*shown, freight_new, tolls_year])
    assert ["[2]" in newest[0], "[3]" in newest[1]] == [True, True], "a year is another figure than a quarter"
    dated = READING.model_copy(update={"scope": Scope(periods=(PeriodFilter(end=old),))})
    assert "[1]" in ranked_lines(dated, [*shown, freight_new])[0]
    series = [
        with_lines(item, (item.text, share)) for item, share in ((freight_old, 0.5), (freight_new, 0.4))
    ]
    assert [line[-4:] for line in ranked_lines(READING, series)] == ["[2].", "[1]."]


def test_one_amount_of_a_period_is_told_once_whatever_its_line_is_called(fact: Make) -> None:
    called = "Freight", "Total freight", "Freight of last year", "Tolls"
    amounts = ("31", {}), ("31", {}), ("31", {"end": date(2023, 7, 1)}), ("7", {})
    shown = [
        with_lines(fact(n, name, value, **more), (name, 0.4))
        for n, (name, (value, more)) in enumerate(zip(called, amounts, strict=True), 1)
    ]
    dated = READING.model_copy(
        update={"scope": Scope(periods=(PeriodFilter(fiscal_year=2024), PeriodFilter(fiscal_year=2023)))}
    )
    assert [line[-4:] for line in ranked_lines(dated, shown)] == ["[1].", "[3].", "[4]."]


ONE = "As of January 1, 2022, about half of the staff is in a union."
TOLD = "The fall is due to fewer orders than in the third quarter of 2022."


@pytest.mark.parametrize(
    ("asked", "text", "of_figure", "shown"),
    [
        ("2022", ONE, True, True),
        ("2021", ONE, True, False),
        ("the third quarter of 2022", TOLD, True, True),
        ("the second quarter of 2022", TOLD, True, False),
        ("2025", ONE, False, True),  # the report is of 2024
        ("2019", ONE, False, False),
    ],
)
def test_a_time_that_no_document_reports_on_may_be_one_of_which_a_passage_speaks(
    chunk: Make, asked: str, text: str, of_figure: bool, shown: bool
) -> None:
    item = chunk(1, text).model_copy(update={"period": Period(date(2024, 6, 29))})
    reading = READING.model_copy(update={"unknown_periods": (asked,)})
    found = lines_about_unknown(reading, [with_lines(item, (text, 0.9), of_figure=of_figure)])
    assert bool(found) == shown


def test_long_lists_of_names_may_be_shown_and_ordinary_sentences_are_told_from_them(chunk: Make) -> None:
    names = ", ".join(f"Harrow{n} Valley Partners" for n in range(40))
    item = chunk(1, f"Our principal rivals are {names}. Freight costs came down.")
    rivals, freight = lines_of(READING, [item])[0]
    assert len(rivals.text) > 600 and rivals.may_be_shown and not rivals.quotable
    assert freight.may_be_shown


def test_where_nothing_could_be_computed_a_likely_line_answers_and_else_what_was_missed_is_said(
    chunk: Make,
) -> None:
    asked = READING.model_copy(update={"uncomputed": "share of freight in costs"})
    item = chunk(1, "Freight was 12 % of all costs this year.")
    perhaps = with_lines(item, (item.text, 0.9))
    surely = perhaps.lines[0].model_copy(update={"chance": MIN_CHANCE_FOR_SUM})
    assert "12 %" in LocalAnswerer().draft(asked, [item.model_copy(update={"lines": (surely,)})]).text
    made = LocalAnswerer().draft(asked, [perhaps])
    assert made.abstained == "no_evidence" and "share of freight in costs" in made.detail


def test_growth_that_could_not_be_computed_is_quoted_where_somebody_says_it(fact: Make) -> None:
    def said(rank: int, metric: str, value: str, *path: str) -> Evidence:
        item = fact(rank, metric, value, path=path, unit="percent", scale=0, statement="prose")
        return item.model_copy(update={"text": f"{item.text}: “{' '.join((*path, metric))} rose {value}%.”"})

    asked = READING.model_copy(update={"uncomputed": "growth of freight revenue"})
    found = [
        said(1, "revenue", "9", "Organic freight", "change"),
        said(2, "revenue", "14", "Freight", "change"),
        said(3, "revenue", "31", "Freight"),
        said(4, "revenue", "5", "Total", "change"),
    ]
    assert "14%" in (text := LocalAnswerer().draft(asked, found).text) and "[2]" in text
    assert LocalAnswerer().draft(asked, found[2:]).abstained == "no_evidence"


def test_a_figure_found_by_its_name_gives_way_where_surely_none_is_asked_for(fact: Make, chunk: Make) -> None:
    asked = Reading(
        question="What is freight income?",
        metrics=("freight income",),
        companies=("ORLA",),
        scope=Scope(companies=("ORLA",), periods=(PeriodFilter(end=date(2024, 6, 29)),)),
    )
    figure = fact(1, "Freight income", "31")
    item = chunk(2, "Freight income is what customers pay for ships.")
    for of_figure in (True, False):
        told = with_lines(item, (item.text, 0.9), of_figure=of_figure)
        text = LocalAnswerer().draft(asked, [figure, told]).text
        assert ("31" in text) == of_figure and ("customers pay" in text) != of_figure


def test_a_figure_of_a_month_that_no_report_is_of_is_stated_and_none_that_is_an_unknown_companys(
    fact: Make,
) -> None:
    item = fact(1, "Kestrel freight costs", "31", end=date(2024, 10, 18), months=0)
    shown = [with_lines(item, ("Kestrel freight costs", 0.9))]
    for asked, stated in (("October 2024", True), ("November 2024", False), ("2024", False)):
        reading = READING.model_copy(update={"unknown_periods": (asked,)})
        assert bool(lines_about_unknown(reading, shown)) == stated
    assert not lines_about_unknown(READING.model_copy(update={"unknown_companies": ("Kestrel",)}), shown)


def test_a_figure_of_what_falls_due_in_a_year_that_no_report_is_of_is_stated(fact: Make) -> None:
    item = fact(1, "2027", "31", path=("Freight contracts",))
    shown = [with_lines(item, ("Freight contracts: 2027", 0.9))]
    for asked, stated in (("fiscal 2027", True), ("2026", False)):
        reading = READING.model_copy(update={"unknown_periods": (asked,)})
        assert bool(lines_about_unknown(reading, shown)) == stated


def test_of_a_year_to_come_a_balance_tells_nothing_unless_its_line_names_that_year(fact: Make) -> None:
    reading = READING.model_copy(update={"question": "What freight contracts have to be paid in 2031?"})
    for path, question, stated in (
        (("Freight contracts", "2031"), reading.question, True),
        (("Freight contracts",), reading.question, False),
        (("Freight contracts",), "What freight contracts are there?", True),
    ):
        shown = [with_lines(fact(1, "Total", "31", path=path), ("Total", 0.9))]
        assert bool(ranked_lines(reading.model_copy(update={"question": question}), shown)) == stated


def test_lines_called_by_another_year_than_the_one_asked_for_are_not_read(fact: Make) -> None:
    found = [fact(1, "2031", "31", path=("Freight",)), fact(2, "2032", "32", path=("Freight",))]
    for question, read in (("Freight due in 2032?", [1]), ("Freight due later?", [0, 1])):
        assert lines_of(Reading(question=question), found)[1] == read


@pytest.mark.parametrize(
    ("year", "text", "shown"),
    [
        (2020, "Freight fell in fiscal 2025 compared to fiscal 2024.", False),
        (2020, "Freight fell in fiscal 2025 compared to fiscal 2020.", True),
        (2020, "Freight fell since more ships were on time again.", True),  # names no year
        (2024, "The freight notes of that year fall due in 2035.", True),  # the report is of 2025
    ],
)
def test_a_quotation_of_other_years_from_a_report_of_other_years_is_no_answer(
    chunk: Make, year: int, text: str, shown: bool
) -> None:
    item = chunk(1, text).model_copy(update={"period": Period(date(2025, 5, 31), fiscal_year=2025)})
    asked = READING.model_copy(update={"scope": Scope(periods=(PeriodFilter(fiscal_year=year),))})
    assert bool(ranked_lines(asked, [with_lines(item, (text, 0.9))])) is shown


@pytest.mark.parametrize(
    ("form", "text", "shown"),
    [
        ("figure", "Plus members get free freight on every order that they place.", False),
        ("figure", "Plus members pay 110 dollars a year for free freight.", True),
        ("figure", "Plus members pay twelve dollars for free freight.", True),
        ("other", "Plus members get free freight on every order that they place.", True),
    ],
)
def test_a_sentence_without_a_number_is_no_figure(chunk: Make, form: str, text: str, shown: bool) -> None:
    asked = READING.model_copy(update={"form": form})
    assert bool(ranked_lines(asked, [with_lines(chunk(1, text), (text, 0.9))])) == shown


def test_money_is_no_number_of_things(fact: Make) -> None:
    item = with_lines(fact(1, "Freighters", "31"), ("Freighters", 0.9))
    asked = Reading(question="How many freighters did Orla sell?")
    assert ranked_lines(asked, [item]) == []
    assert ranked_lines(Reading(question="How much did Orla's freighters bring in?"), [item])


@pytest.mark.parametrize(("form", "quoted"), [("", True), ("percent", True), ("none", False)])
def test_what_no_page_prints_is_not_quoted_in_place_of_a_result(chunk: Make, form: str, quoted: bool) -> None:
    asked = READING.model_copy(update={"uncomputed": "share of freight in costs", "uncomputed_form": form})
    item = chunk(1, "Freight was 12 % of all costs this year.")
    surely = with_lines(item, (item.text, 0.9)).lines[0].model_copy(update={"chance": MIN_CHANCE_FOR_SUM})
    draft = LocalAnswerer().draft(asked, [item.model_copy(update={"lines": (surely,)})])
    assert (draft.abstained is None) == quoted
    bare = surely.model_copy(update={"text": "Freight was 12 million."})
    stated = chunk(1, "Freight was 12 million.").model_copy(update={"lines": (bare,)})
    assert (LocalAnswerer().draft(asked, [stated]).abstained is None) == (form == "")


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Freight costs rose 12% in 2023.", True),
        ("Freight costs were 12% of all costs in 2023.", False),
    ],
)
def test_growth_is_stated_by_a_sentence_that_says_it_alone(chunk: Make, text: str, quoted: bool) -> None:
    told = {"uncomputed": "growth", "uncomputed_form": "growth", "uncomputed_of": "freight costs"}
    item = with_lines(chunk(1, text), (text, 0.9))
    surely = item.lines[0].model_copy(update={"chance": MIN_CHANCE_FOR_SUM})
    draft = LocalAnswerer().draft(
        READING.model_copy(update=told), [item.model_copy(update={"lines": (surely,)})]
    )
    assert (draft.abstained is None) == quoted


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Freight costs were 12 million in the six months ended June 30, 2023.", True),
        ("Freight costs were 12 million in the second quarter of 2023.", False),
        ("Freight costs were 12 million in fiscal 2023.", False),
    ],
)
def test_half_a_year_is_told_by_a_sentence_of_half_a_year(chunk: Make, text: str, quoted: bool) -> None:
    half = Reading(
        question="What were Orla's freight costs in the first half of 2023?", form="figure", months=6
    )
    assert bool(ranked_lines(half, [with_lines(chunk(1, text), (text, 0.9))])) == quoted
    year = half.model_copy(update={"months": 12})
    assert ranked_lines(year, [with_lines(chunk(1, text), (text, 0.9))])


def test_a_line_without_the_part_that_is_named_is_no_share_of_it(chunk: Make) -> None:
    asked = READING.model_copy(update={"uncomputed": "share", "uncomputed_form": "percent"})
    item = with_lines(chunk(1, "Freight was 12 % of costs."), ("Freight was 12 % of costs.", 0.9))
    surely = item.lines[0].model_copy(update={"chance": MIN_CHANCE_FOR_SUM})
    found = [item.model_copy(update={"lines": (surely,)})]
    for entities, quoted in ((("Freight",), True), (("Storage",), False)):
        draft = LocalAnswerer().draft(asked.model_copy(update={"entities": entities}), found)
        assert (draft.abstained is None) == quoted


def test_a_sum_is_stated_by_a_line_with_all_its_words_alone(chunk: Make) -> None:
    told = {"uncomputed": "sum", "uncomputed_form": "words", "uncomputed_of": "freight storage"}
    asked = READING.model_copy(update=told)
    for text, quoted in (("Freight and storage were 12 million.", True), ("Freight was 12 million.", False)):
        item = with_lines(chunk(1, text), (text, 0.9))
        surely = item.lines[0].model_copy(update={"chance": MIN_CHANCE_FOR_SUM})
        draft = LocalAnswerer().draft(asked, [item.model_copy(update={"lines": (surely,)})])
        assert (draft.abstained is None) == quoted


def test_where_surely_reasons_are_asked_for_no_figure_is_stated(fact: Make, chunk: Make) -> None:
    text = "Freight costs fell because more ships were on time."
    found = [fact(1, "Freight costs", "31"), with_lines(chunk(2, text), (text, 0.9))]
    asked = Reading(
        question="What sank Orla's freight costs?", metrics=("freight costs",), companies=("ORLA",)
    )
    stated = LocalAnswerer().draft(asked.model_copy(update={"form": "reasons"}), found).text
    assert "ships were on time" in stated and "31" not in stated
    assert "31" in LocalAnswerer().draft(asked, found).text


@pytest.mark.parametrize(
    ("text", "of_figure", "shown"),
    [
        ("At the end of 2025, we had 31 ships.", True, False),
        ("At the end of 2025, we had 31 ships.", False, True),  # no figure is asked for
        ("At the end of 2025 and 2024, we had 31 and 30 ships.", True, True),
    ],
)
def test_a_sentence_that_says_its_report_s_year_has_no_figure_of_the_year_before(
    chunk: Make, text: str, of_figure: bool, shown: bool
) -> None:
    item = chunk(1, text).model_copy(update={"period": Period(date(2025, 5, 31), fiscal_year=2025)})
    asked = READING.model_copy(update={"scope": Scope(periods=(PeriodFilter(fiscal_year=2024),))})
    assert bool(ranked_lines(asked, [with_lines(item, (text, 0.9), of_figure=of_figure)])) is shown


@pytest.mark.parametrize(
    ("question", "shown"),
    [("What did Orla pay per common share?", [2]), ("What did Orla pay?", [1, 2])],
)
def test_what_is_asked_per_share_is_no_total(chunk: Make, question: str, shown: list[int]) -> None:
    total, each = "Orla paid dividends of 932 million.", "Orla paid 1.08 dollars a share."
    found = [with_lines(chunk(n, text), (text, 0.5)) for n, text in enumerate((total, each), start=1)]
    said = " ".join(ranked_lines(Reading(question=question), found))
    assert [n for n in (1, 2) if f"[{n}]" in said] == shown
