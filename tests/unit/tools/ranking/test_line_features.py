"""tools.ranking.line_features: what speaks for a line, without knowing any company or line item."""

from __future__ import annotations

import pytest

from tools.ranking.line_features import Line, features, overlap

QUESTION = "What did Orla pay for freight in 2023?"
WANTED = {"fact": 0.8, "reason": 0.2}


def stems(text: str) -> list[str]:
    return [word.strip(".,?:").lower() for word in text.split() if len(word) > 3]


def of(line: Line, question: str = QUESTION) -> dict[str, float]:
    return features(question, line, (0.5, 0.1), 2.0, 3.0, 0.9, WANTED)


def test_a_rare_word_in_common_counts_more_than_one_that_all_lines_have() -> None:
    lines = [
        Line("Freight rose.", "sentence"),
        *[Line(f"Orla paid {n} bills.", "sentence") for n in range(9)],
    ]
    shares = overlap("freight orla", lines, stems)
    assert shares[0][0] > shares[1][0] > 0


def test_words_around_a_line_count_apart_from_its_own() -> None:
    own, around = overlap("freight costs", [Line("It rose.", "sentence", heading="Freight costs")], stems)[0]
    assert own == 0 and around > 0


def test_no_lines_and_no_words_are_no_trouble() -> None:
    assert overlap("", [], stems) == [] and overlap("", [Line("", "sentence")], stems) == [(0.0, 0.0)]


@pytest.mark.parametrize(
    "text, name, value",
    [
        ("Freight cost $5 million in 2023.", "amount", 1.0),
        ("Freight cost 5 trucks.", "amount", 0.0),
        ("Freight cost more in 2023.", "year", 1.0),
        ("Freight cost more in 2021.", "year", -1.0),
        ("Freight cost more.", "year", 0.0),
        ("This was due to Ana Mora.", "names", 0.5),
        ("This was due to Orla.", "names", 0.0),
        ("This was due to fuel.", "goes on", 1.0),
    ],
)
def test_what_a_line_holds_is_told(text: str, name: str, value: float) -> None:
    assert of(Line(text, "sentence"))[name] == value


def test_what_counts_differently_by_the_kind_of_answer_is_weighted_by_how_likely_that_kind_is() -> None:
    found = of(Line("Freight: 5 million USD", "fact"))
    assert found["fact*fact"] == 0.8 and found["reason*fact"] == pytest.approx(0.2)


def test_a_sentence_is_read_with_its_company_speaker_and_heading() -> None:
    assert Line("It rose.", "sentence", "Freight", "Orla", "Ana").shown == "Orla, Ana. Freight: It rose."
    assert Line("Orla, freight: 5", "fact", "Freight", "Orla").shown == "Orla, freight: 5"


def test_a_figure_is_told_how_near_its_line_comes_and_how_far_behind_the_nearest() -> None:
    found = of(Line("Freight: 5 million USD", "fact", nearness=0.7))
    assert found["nearness"] == 0.7 and found["less near"] == pytest.approx(0.2)
    assert of(Line("Freight rose.", "sentence"))["less near"] == 0.0
