"""A model's draft may be true to its evidence and state another figure than the one asked for."""

from __future__ import annotations

from collections.abc import Callable

from graphs.contracts import Draft
from graphs.model.draft_relevance import cites_weak_facts_only, omits_sure_figures, rests_on_facts
from tools.evidence import Evidence

Make = Callable[..., Evidence]


def draft(text: str) -> Draft:
    return Draft(text=text, engine="model")


def test_a_draft_with_another_figure_omits_the_sure_one(fact: Make) -> None:
    evidence = [fact(1, "Total net revenue", "4812"), fact(2, "Net income", "310")]
    sure = draft("Total net revenue was 4,812 million USD [1].")
    assert omits_sure_figures(draft("Net income was 310 million USD [2]."), sure, evidence)
    assert not omits_sure_figures(draft("Revenue came to $4.812 billion [1]."), sure, evidence)
    assert not omits_sure_figures(draft("Net income was 310 million USD [2]."), draft("It rose."), evidence)


def test_a_draft_rests_on_facts_where_it_cites_nothing_else(fact: Make, chunk: Make) -> None:
    evidence = [fact(1, "Total net revenue", "4812"), chunk(2, "Revenue rose on higher shipments.")]
    assert rests_on_facts(draft("Revenue was 4,812 million USD [1]."), evidence)
    assert not rests_on_facts(draft("Revenue was 4,812 million USD [1]. It rose [2]."), evidence)
    assert not rests_on_facts(draft("Revenue was 4,812 million USD."), evidence)


def test_figures_far_from_the_question_are_told_from_near_ones(fact: Make, chunk: Make) -> None:
    weak, near = fact(1, "Total assets", "9", match=0.59), fact(2, "Total net revenue", "4812", match=0.6)
    said = chunk(3, "Assets were 9 million USD.")
    assert cites_weak_facts_only(draft("Assets were 9 [1]."), [weak, near, said])
    assert not cites_weak_facts_only(draft("Assets were 9 [1], revenue 4,812 [2]."), [weak, near, said])
    assert not cites_weak_facts_only(draft("Assets were 9 [1] [3]."), [weak, near, said])
