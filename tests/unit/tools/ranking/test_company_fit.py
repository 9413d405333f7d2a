"""Companies are weighed against each other: what stands out says more than what all have."""

from __future__ import annotations

import pytest

from tools.ranking.company_fit import Seen, SeenLine, best_line, chances, compared, learnt


def line(nearness: float, logit: float | None = None, stems: str = "", place: int = 0) -> SeenLine:
    return SeenLine(f"line {place}", place, frozenset(stems.split()), nearness, logit)


def seen(*lines: SeenLine) -> Seen:
    return Seen(lines, words=0.1, relevance=0.4)


def test_the_same_line_says_more_where_nobody_else_has_its_like() -> None:
    own, near, far = seen(line(0.6, 1.0)), seen(line(0.6, 1.0)), seen(line(0.2, -9.0))
    alone = compared(frozenset(), [own, far, far])[0]
    among = compared(frozenset(), [own, near, near])[0]
    assert alone["logit"] == among["logit"] == 1.0
    assert alone["logit, out"] > among["logit, out"] == 0.0


def test_how_far_a_company_is_behind_the_best_is_told() -> None:
    first, second = compared(frozenset(), [seen(line(0.6, 1.0)), seen(line(0.5, -1.0))])
    assert (first["logit, behind"], second["logit, behind"]) == (0.0, -2.0)
    assert second["nearness, best"] == pytest.approx(0.6)


def test_a_word_that_few_companies_use_is_worth_more() -> None:
    rare, usual = seen(line(0.5, stems="ransomwar")), seen(line(0.5, stems="report"))
    found = compared(frozenset({"ransomwar", "report"}), [rare, usual, usual, usual])
    assert found[0]["said"] > found[1]["said"] > 0


def test_the_line_that_is_shown_is_the_one_that_was_read_as_the_best() -> None:
    unread, weak, strong = line(0.9), line(0.8, -3.0, place=1), line(0.4, 2.0, place=2)
    assert best_line(seen(unread, weak, strong)) is strong
    assert best_line(seen()) is None


def test_a_company_of_which_nothing_is_found_has_no_chance_beside_one_of_which_much_is() -> None:
    much, nothing = chances(
        frozenset({"chip"}), [seen(line(0.9, 6.0, "chip"), line(0.8, 4.0, "chip")), seen()]
    )
    assert 0 <= nothing < 0.2 < much <= 1
    assert chances(frozenset(), []) == []


def test_the_weights_that_come_with_the_program_are_of_what_is_compared() -> None:
    assert set(learnt()) == set(compared(frozenset(), [seen(line(0.5, 0.0))])[0])
