from __future__ import annotations

import pytest

from graphs.local.question.asked_together import asked_together, lookups_for
from graphs.local.question.period_phrases import find_asks
from tools.documents.metadata.catalog import CompanyMention


def mentioned(question: str, *names: str) -> list[CompanyMention]:
    return [
        CompanyMention(name.upper(), name, question.index(name), question.index(name) + len(name))
        for name in names
    ]


def asked(question: str, *names: str) -> list[str]:
    periods = [(ask.start, ask.end) for ask in find_asks(question)]
    return [each.lookup.question for each in asked_together(question, mentioned(question, *names), periods)]


@pytest.mark.parametrize(
    ("question", "lookups"),
    [
        ("AWS revenue and operating income in Q2", ["AWS revenue in Q2", "AWS operating income in Q2"]),
        ("revenue, R&D and net income of AWS", ["revenue of AWS", "R&D of AWS", "net income of AWS"]),
        ("iPad revenue and Mac revenue", ["iPad revenue", "Mac revenue"]),
        ("Compare iPad and Mac net sales", ["Compare iPad net sales", "Compare Mac net sales"]),
        ("iPhone and Services net sales in Q3", ["iPhone net sales in Q3", "Services net sales in Q3"]),
        (
            "Harbor, Union Club and Bay operating income",
            ["Harbor operating income", "Union Club operating income", "Bay operating income"],
        ),
    ],
)
def test_each_figure_is_looked_up_with_what_qualifies_it(question: str, lookups: list[str]) -> None:
    assert asked(question) == lookups


@pytest.mark.parametrize(
    "question",
    [
        "Net sales in Q2 and Q3 2023",
        "What was R&D as a share of revenue?",
        "Of inventories at year end, how much was raw materials?",
        "depreciation and amortization in Q2",
        "Orla's operating profit or loss (EBIT) in Q2",
        "Who is the treasurer?",
    ],
)
def test_one_figure_is_one_lookup_of_the_whole_question(question: str) -> None:
    assert asked(question) == [question]


@pytest.mark.parametrize(
    ("question", "lookup"),
    [
        ("Set net sales in Q3 2022 beside those of Q3 2023", "net sales in Q3 2022 Q3 2023"),
        ("Rank Orla and Tilbrook by revenue", "Orla and Tilbrook by revenue"),
        ("Which had the highest net income, Orla or Tilbrook?", "net income, Orla or Tilbrook?"),
        ("Which company reported the larger revenue, Orla or Tilbrook?", "revenue, Orla or Tilbrook?"),
    ],
)
def test_words_that_say_how_to_show_the_answer_are_not_looked_up(question: str, lookup: str) -> None:
    assert asked(question, *(name for name in ("Orla", "Tilbrook") if name in question)) == [lookup]


def test_a_name_with_an_and_in_it_is_one_name() -> None:
    question = "What was Data Center and AI revenue?"
    assert len(asked_together(question, [])) == 2
    (only,) = asked_together(question, [], known_names={"data center and ai"})
    assert only.lookup.question == question


def test_companies_in_a_list_are_no_names_of_segments() -> None:
    question = "Orla and Tilbrook net sales"
    assert asked(question, "Orla", "Tilbrook") == [question]


def test_figures_named_with_their_own_companies_are_asked_of_these_alone() -> None:
    question = "Orla's net sales and Tilbrook's operating income"
    found = asked_together(question, mentioned(question, "Orla", "Tilbrook"))
    assert [each.name for each in lookups_for("ORLA", found)] == ["net sales"]
    assert [each.name for each in lookups_for("TILBROOK", found)] == ["operating income"]


def test_figures_of_which_only_some_name_a_company_are_asked_of_all() -> None:
    question = "Orla's and Tilbrook's net sales and operating income"
    found = asked_together(question, mentioned(question, "Orla", "Tilbrook"))
    assert [each.name for each in lookups_for("ORLA", found)] == ["net sales", "operating income"]


def test_a_figure_that_shares_a_qualifier_can_do_without_it_but_the_first_cannot() -> None:
    first, second = asked_together("AWS revenue and operating income in Q2", [])
    assert (first.lookup.bare, second.lookup.bare) == ("", "operating income in Q2")
    assert second.lookup.name == "AWS operating income"


def test_a_sentence_ends_a_figures_name() -> None:
    question = "It gives net income for the year and net loss for a quarter. What must net income have been?"
    names = [each.lookup.name for each in asked_together(question, [])]
    assert names == ["net income", "net loss", "net income"]
