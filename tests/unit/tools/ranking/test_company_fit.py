"""Companies are weighed against each other: what stands out says more than what all have."""

from __future__ import annotations

from dataclasses import replace

from tools.ranking.company_fit import Seen, SeenLine, best_lines, chances, compared, learnt


def line(nearness: float, logit: float | None = None, place: int = 0) -> SeenLine:
    return SeenLine(f"line {place}", place, nearness, logit)


def seen(*lines: SeenLine, words: float = 0.1) -> Seen:
    return Seen(lines, words=words, relevance=0.4)


def test_the_same_words_say_more_where_nobody_else_uses_them() -> None:
    own, others = seen(words=0.5), seen(words=0.1)
    alone = compared([own, others, others])[0]
    among = compared([own, own, own])[0]
    assert alone["words"] == among["words"] == 0.5
    assert alone["words, out"] > among["words, out"] == 0.0


def test_the_line_that_is_shown_is_the_one_that_was_read_as_the_best() -> None:
    unread, weak, strong = line(0.9), line(0.8, -3.0, place=1), line(0.4, 2.0, place=2)
    assert best_lines(seen(unread, weak, strong)) == [strong, weak, unread]
    assert best_lines(seen()) == []


def test_a_company_of_which_nothing_is_found_has_no_chance_beside_one_of_which_much_is() -> None:
    found = seen(line(0.9, 6.0), line(0.8, 4.0), words=0.7)
    much, nothing = chances([replace(found, relevance=0.9), Seen((), 0.0, 0.0)])
    assert 0 <= nothing < 0.2 < much <= 1
    assert chances([]) == []


def test_the_weights_that_come_with_the_program_are_of_what_is_compared() -> None:
    assert set(learnt()) == set(compared([seen(line(0.5, 0.0))])[0])
