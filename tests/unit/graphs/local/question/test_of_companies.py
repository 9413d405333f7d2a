"""Questions that ask for companies: which they are, and what they say of them."""

from __future__ import annotations

import pytest

from graphs.contracts import Reading
from graphs.local.question.about_index import IndexGuide
from graphs.local.question.said_of_companies import said_of_companies
from tools.vector.embeddings import LocalEmbeddings


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which companies ran short of chips?", "ran short of chips"),
        ("How many of the companies use Ernst & Young?", "use Ernst & Young"),
        ("Please list all firms that hedge fuel.", "hedge fuel"),
        ("any of these holding bitcoin?", "holding bitcoin"),
        ("Retailers hit by theft", "Retailers hit by theft"),
        ("Which companies?", "Which companies?"),
    ],
)
def test_what_is_said_of_the_companies_is_the_question_without_asking_for_them(
    question: str, said: str
) -> None:
    assert said_of_companies(question) == said


@pytest.fixture(scope="module")
def guide() -> IndexGuide:
    return IndexGuide(LocalEmbeddings())


@pytest.mark.parametrize(
    ("question", "of_companies"),
    [
        ("Which companies complain about the weather?", True),
        ("How many of the firms had a strike?", True),
        ("Who is audited by KPMG or RSM?", True),
        ("Where does the word ransomware come up?", True),
        ("Who is the finance chief?", False),
        ("Who audits the books?", False),
        ("Why did the margin fall?", False),
        ("How did the second segment do?", False),
    ],
)
def test_what_asks_for_companies_is_told_from_other_questions(
    guide: IndexGuide, question: str, of_companies: bool
) -> None:
    assert bool(guide.of_companies(Reading(question=question))) == of_companies


def test_beside_the_name_of_a_company_it_is_to_be_sure_that_others_are_asked_for(guide: IndexGuide) -> None:
    def said(question: str) -> str:
        return guide.of_companies(Reading(question=question, companies=("ORLA",)))

    assert said("Who sells to Walmart?") == "sells to Walmart"
    assert said("Which companies name Walmart as a partner?")
    assert not said("Who are Walmart's rivals in toys?") and not said("Where does Walmart sell its toys?")


def test_a_question_that_sounds_like_one_about_the_index_is_what_it_is_likelier_to_be(
    guide: IndexGuide,
) -> None:
    assert guide.of_companies(Reading(question="which are shipping lines?"), told=True)
    assert not guide.of_companies(Reading(question="which companies do you know?"), told=True)


def test_where_a_company_may_be_described_only_what_surely_asks_for_companies_is_taken_to(
    guide: IndexGuide,
) -> None:
    surely = "Which companies talk about the storm that struck the harbor?"
    perhaps = "Who runs the water utility whose business in Ohio was sold?"
    assert guide.of_companies(Reading(question=surely), doubtful=True)
    assert not guide.of_companies(Reading(question=perhaps), doubtful=True)
