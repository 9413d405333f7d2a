from __future__ import annotations

from graphs.drafts.sentences import Sentence
from graphs.drafts.words import content
from graphs.local.text.sentence_ranking import Wanted, choose, mentioned, rank
from tests.pieces import piece


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(text, piece(rank, text), "", 0) for rank, text in enumerate(texts, 1)]


def test_the_sentence_that_holds_the_rare_words_asked_for_comes_first() -> None:
    pool = sentences(
        "The company sells tractors.", "The company was hit by the recall of ploughs.", "The company is old."
    )
    ranked = rank(Wanted(tuple(content("company recall"))), pool)
    assert ranked[0].sentence is pool[1]
    assert ranked[0].coverage == 1.0
    assert 0 < ranked[-1].coverage < ranked[0].coverage


def test_another_word_of_finance_for_the_same_counts_as_meant_but_not_as_held() -> None:
    (ranked,) = rank(Wanted(tuple(content("turnover"))), sentences("Sales were strong."))
    assert (ranked.coverage, ranked.meant) == (0.0, 1.0)


def test_another_name_of_the_metric_asked_for_counts_as_its_words() -> None:
    wanted = Wanted(tuple(content("revenue")), (("revenue", frozenset(content("revenue"))),))
    (ranked,) = rank(wanted, sentences("Net sales were 4 million."))
    assert "revenue" in mentioned(ranked.sentence.text)
    assert ranked.coverage == 1.0


def test_near_twins_are_chosen_once() -> None:
    pool = sentences(
        "Dealer demand for tractors was weak in Europe.",
        "Dealer demand for tractors was weak across Europe.",
        "A recall of ploughs cost 4 million.",
    )
    chosen = choose(rank(Wanted(tuple(content("dealer demand tractors"))), pool), 3)
    assert [each.sentence.text for each in chosen] == [pool[0].text, pool[2].text]
