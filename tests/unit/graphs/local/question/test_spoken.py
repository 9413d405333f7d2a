"""Questions put as on a call: which are such, what is read from them, what answers them, and when nothing does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from graphs.contracts import Draft, Reading
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.question.about_index import IndexGuide
from graphs.local.question.reading import read_question
from graphs.local.question.router import LocalRouter
from graphs.local.question.spoken_questions import is_spoken, without_courtesies
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope
from tools.vector.embeddings import LocalEmbeddings

Make = Callable[..., Evidence]

INVENTORIES = (
    "Good morning, Marta, and congrats. I was hoping you could talk about stock at your distributors, how far it "
    "has come down by now, and whether you think it gets back to a normal level this year?"
)
EXCHANGE = (
    "Ana Reyes: Hi Marta, where are channel inventories, and when are they normal again?\n"
    "Marta Lindqvist: Thank you, Ana. Channel inventories at our distributors came down by about two weeks in the "
    "quarter. We expect inventories to be back at normal levels by the end of the year. "
    "Pricing at distributors has held up better than we feared.\n"
    "Ana Reyes: Great, thanks."
)
SHIPYARD = (
    "Marta Lindqvist: The foundry in Ostrava will be finished next spring, and the first wafers will leave it in "
    "autumn. We have spent about half of the money that we set aside for it."
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog([_call("ORLA", "Orla Devices, Inc."), _call("KEST", "Kestrel Stores, Inc.")])


def _call(key: str, name: str) -> Document:
    return Document(
        id=key,
        name=f"{key}.pdf",
        path=f"{key}.pdf",
        title=key,
        company=name,
        company_key=key,
        ticker=key,
        aliases=(key,),
        doc_type="call",
        fiscal_year=2024,
        fiscal_quarter=2,
        period_end=None,
        pages=9,
    )


def said(make: Make, rank: int, text: str, relevance: float) -> Evidence:
    found = make(rank, text, "exchange", "Questions and Answers > Ana Reyes")
    return found.model_copy(update={"relevance": relevance, "doc_type": "call"})


def draft(question: str, evidence: Sequence[Evidence]) -> Draft:
    """The draft of a spoken question to Orla, after it has passed the checker."""
    asked = Reading(question=question, scope=Scope(companies=("ORLA",)), spoken=True)
    made = LocalAnswerer().draft(asked, evidence)
    if made.abstained is None:
        verdict = LocalChecker().check(asked, made, evidence)
        assert verdict.score == 1, [s for s in verdict.statements if not s.supported]
    return made


@pytest.mark.parametrize(
    "question",
    [
        INVENTORIES,
        "Marta, thanks. Just curious how you're thinking about pricing into the back half, the puts and takes.",
        "Could you guys give us a sense of what your customers in autos are telling you about orders for next year?",
    ],
)
def test_an_analysts_words_are_spoken(question: str) -> None:
    assert is_spoken(question)


@pytest.mark.parametrize(
    "question",
    [
        "What was Orla's total net revenue in the quarter ended June 29, 2024, and how did it change on the year?",
        "Hi, could you please tell me what Orla's gross margin was in Q2 2024 and why it rose? Thanks!",
        "Summarize what Orla's management said about inventories, pricing and the outlook for the rest of the year.",
        "How are you thinking about pricing?",
    ],
)
def test_a_question_to_the_assistant_is_not_spoken(question: str) -> None:
    assert not is_spoken(question)


def test_courtesies_are_no_part_of_the_question() -> None:
    told = without_courtesies(
        "Good morning, everyone. Thanks for taking my question. How is pricing? Thank you."
    )
    assert told == "How is pricing?"


def test_names_and_times_in_a_spoken_question_are_not_looked_up(catalog: Catalog) -> None:
    question = (
        "Marta, thanks. Norvale's management said that Tessaly Group is building stock for the fourth quarter of 2025. "
        "Should we think you guys see the same at Kestrel and others, or is it different for you?"
    )
    user = Scope(companies=("ORLA",), periods=(PeriodFilter(fiscal_year=2024, fiscal_quarter=2),))
    read = read_question(question, catalog, user, known_names=frozenset())
    assert read.spoken and read.scope == user
    assert not (read.unknown_companies or read.unknown_periods or read.out_of_scope)


def test_a_spoken_question_is_for_the_one_company_it_names(catalog: Catalog) -> None:
    question = (
        "Good morning. For Orla, I was wondering how you think about your prices as the market softens?"
    )
    read = read_question(question, catalog, known_names=frozenset())
    assert read.spoken and read.scope.companies == ("ORLA",)


def test_open_to_which_company_it_is_put_it_is_read_as_any_other(catalog: Catalog) -> None:
    assert not read_question(INVENTORIES, catalog, known_names=frozenset()).spoken


def test_advice_for_oneself_is_not_spoken_on_a_call(catalog: Catalog) -> None:
    question = "Hi, thanks. I was just curious, should I buy your stock for my pension now, or do you think it falls?"
    read = read_question(question, catalog, Scope(companies=("ORLA",)), known_names=frozenset())
    assert not read.spoken
    assert IndexGuide(LocalEmbeddings()).off_topic(read, catalog)


def test_a_spoken_question_is_searched_for_in_what_people_say() -> None:
    route = LocalRouter().route(Reading(question=INVENTORIES, spoken=True))
    assert (route.kind, route.tools) == ("abstractive", ("vector_search",))


def test_the_executives_answer_is_quoted_and_not_the_analysts_words(chunk: Make) -> None:
    evidence = [said(chunk, 1, SHIPYARD, 0.35), said(chunk, 2, EXCHANGE, 0.7)]
    text = draft(INVENTORIES, evidence).text
    assert text.startswith(
        "Marta Lindqvist (Orla Devices, Inc.): “Channel inventories at our distributors came down"
    )
    assert "back at normal levels by the end of the year" in text and text.endswith("[2]")
    assert "where are channel inventories" not in text and "Ostrava" not in text


def test_words_in_common_make_up_for_meaning_that_is_less_near(chunk: Make) -> None:
    same_words = (
        "Marta, thanks. When do you expect channel inventories at your distributors back at normal levels?"
    )
    assert "two weeks" in draft(same_words, [said(chunk, 1, EXCHANGE, 0.5)]).text
    assert draft(same_words, [said(chunk, 1, SHIPYARD, 0.5)]).abstained == "no_evidence"


def test_a_call_that_does_not_speak_of_it_gives_no_answer(chunk: Make) -> None:
    question = (
        "Marta, maybe one on the cruise ships. How are bookings for your next summer, and are guests still asking "
        "you for refunds rather than taking the credits?"
    )
    evidence = [said(chunk, 1, SHIPYARD, 0.4), said(chunk, 2, EXCHANGE, 0.42)]
    made = draft(question, evidence)
    assert made.abstained == "no_evidence" and "cruise ships" in made.detail


def test_without_passages_there_is_no_answer(fact: Make) -> None:
    assert draft(INVENTORIES, [fact(1, "Inventories", "1204")]).abstained == "no_evidence"


def test_what_breaks_off_between_two_sentences_is_not_quoted_as_if_it_ran_on(chunk: Make) -> None:
    broken = EXCHANGE.replace("We expect inventories", "-- We expect inventories")
    text = draft(INVENTORIES, [said(chunk, 1, broken, 0.7)]).text
    assert "two weeks" in text and "normal levels" in text and text.count("Marta Lindqvist") > 1
