"""Citations against expected pages, gold sentences and documents."""

from __future__ import annotations

import pytest
from metric_rows import abstained, citation, context, failed, item, row, value

from evals.datasets.types import Item, Place
from evals.rows import Row

GOLD = "The dredging contract was cancelled after the channel silted up again in May."
OTHER = "The canteen was painted green by volunteers over one long and rainy weekend."


def both(expected: Item, got: Row) -> tuple[float | None, float | None]:
    return value("citation_precision", expected, got), value("citation_recall", expected, got)


def test_a_citation_is_right_on_an_expected_page_and_wrong_on_another() -> None:
    wanted = item(places=(Place(document="harbour.pdf", page=4),))
    got = row(citations=(citation(1, page=4), citation(2, page=5), citation(3, "quay.pdf", 4)))
    assert both(wanted, got) == (pytest.approx(1 / 3), 1)


def test_recall_is_the_share_of_places_cited() -> None:
    wanted = item(places=(Place(document="harbour.pdf", page=4), Place(document="quay.pdf", page=2)))
    assert both(wanted, row(citations=(citation(1, page=4), citation(2, page=4)))) == (1, 0.5)


def test_an_alternate_page_is_as_good_and_stands_in_for_one_place() -> None:
    places = (Place(document="harbour.pdf", page=4), Place(document="quay.pdf", page=2))
    wanted = item(places=places, alternates=(Place(document="harbour.pdf", page=9),))
    assert both(wanted, row(citations=(citation(1, page=9),))) == (1, 0.5)
    assert both(wanted, row(citations=(citation(1, page=9), citation(2, page=4)))) == (1, 1)


def test_a_place_without_a_page_is_any_page_of_its_document() -> None:
    wanted = item(places=(Place(document="harbour.pdf"), Place(document="quay.pdf")))
    assert both(wanted, row(citations=(citation(1, page=77), citation(2, "pier.pdf")))) == (0.5, 0.5)


def test_without_pages_a_citation_is_right_if_its_context_holds_a_gold_sentence() -> None:
    wanted = item(places=(Place(document="harbour.pdf"),), gold=(f"{GOLD} {OTHER}",))
    got = row(context(GOLD), context("The tide rose."), citations=(citation(1), citation(2), citation(9)))
    assert both(wanted, got) == (pytest.approx(1 / 3), 0.5)


def test_pages_come_before_gold_sentences() -> None:
    wanted = item(places=(Place(document="harbour.pdf", page=4),), gold=(GOLD,))
    assert both(wanted, row(context(GOLD), citations=(citation(1, page=5),))) == (0, 0)


def test_an_answer_without_citations_is_worth_nothing_in_both() -> None:
    wanted = item(places=(Place(document="harbour.pdf", page=4),))
    assert both(wanted, row(answer="It was cancelled.")) == (0, 0)
    assert both(wanted, failed()) == (0, 0)


def test_who_abstains_cites_nothing() -> None:
    wanted = item(places=(Place(document="harbour.pdf", page=4),))
    assert both(wanted, abstained(GOLD)) == (None, 0)


def test_without_anything_known_or_for_an_unanswerable_question_citations_are_not_judged() -> None:
    assert both(item(), row(citations=(citation(1),))) == (None, None)
    unanswerable = item(places=(Place(document="harbour.pdf"),), answerable=False)
    assert both(unanswerable, row(citations=(citation(1),))) == (None, None)
