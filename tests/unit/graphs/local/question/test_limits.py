"""Thresholds and how many are picked, in the words of questions."""

from __future__ import annotations

import pytest

from graphs.local.question.limits import how_many, limit_of, multiple_in, only_share


@pytest.mark.parametrize(
    ("question", "threshold"),
    [
        ("Was it above 12.5 %?", "12.5"),
        ("Did it exceed 40%?", "40"),
        ("Did it exceed twenty percent?", "20"),
        ("Was it more than a third of revenue?", "33.3333"),
        ("Did it make up over half of sales?", "50.0000"),
        ("Was it at least two thirds?", "66.6667"),
        ("Was it more than two-thirds?", "66.6667"),
        ("Did it exceed three-quarters of sales?", "75.0000"),
        ("Was it at least a quarter of revenue?", "25.0000"),
        ("Was it at least one fifth?", "20.0000"),
        ("Was it less than a sixth?", "16.6667"),
        ("Was it above an eighth or a tenth?", "12.5000"),
        ("Was it more than one tenth?", "10.0000"),
        ("Did it exceed 10 percent, a tenth?", "10"),
        ("Was it large?", ""),
        ("Was revenue above 12 million?", ""),
        ("", ""),
    ],
)
def test_a_threshold_is_read_from_percentages_and_fractions(question: str, threshold: str) -> None:
    assert limit_of(question)[0] == threshold


@pytest.mark.parametrize(
    ("question", "threshold"),
    [
        ("In the third quarter, was it more than half?", "50.0000"),
        ("Was the margin of the third quarter above that of the second?", ""),
        ("In the fourth quarter of 2023, did it exceed a third?", "33.3333"),
        ("In the first half of 2023, was it more than a third?", "33.3333"),
        ("Was the third largest segment profitable?", ""),
        ("Was it higher in the fourth quarter?", ""),
        ("Was it two-thirds?", ""),
        ("Was it a quarter of revenue?", ""),
        ("Was it an eighth or a tenth?", ""),
        ("Was it 40 %?", ""),
        ("How large was the share of the 20 % of shops that sold most?", ""),
    ],
)
def test_a_period_a_rank_and_what_stands_behind_no_comparison_are_no_threshold(
    question: str, threshold: str
) -> None:
    assert limit_of(question)[0] == threshold


@pytest.mark.parametrize(
    ("question", "bare", "limit"),
    [
        ("Was it above 1.5?", True, ("1.5", True)),
        ("Was it above 1.5?", False, ("", True)),
        ("Was it lower than 2?", True, ("2", False)),
        ("Was it lower than 2?", False, ("", False)),
        ("Was it 1.5?", True, ("", True)),
        ("Was it more than four times its depreciation?", True, ("4", True)),
        ("Was it more than four times its depreciation?", False, ("", True)),
        ("Was it less than twice the other?", True, ("2", False)),
        ("Was it more than one and a half times its depreciation?", True, ("1.5", True)),
        ("Was it above one of them?", True, ("", True)),
        ("Was it above 20 %?", True, ("20", True)),
        ("Was it at most a third?", False, ("33.3333", False)),
    ],
)
def test_a_number_without_a_unit_is_a_limit_only_where_it_may_be(
    question: str, bare: bool, limit: tuple[str, bool]
) -> None:
    assert limit_of(question, bare=bare) == limit


@pytest.mark.parametrize(
    ("question", "top"),
    [
        ("the top three segments", 3),
        ("its two segments, the bottom 2 of all", 2),
        ("the largest five", 5),
        ("the top segment", 0),
        ("which segment", 0),
    ],
)
def test_how_many_are_picked_is_read_from_the_words(question: str, top: int) -> None:
    assert (how_many(question) or 0) == top


def test_positive_and_negative_are_limits_of_amounts() -> None:
    assert limit_of("Was working capital positive?", money=True) == ("0", True)
    assert limit_of("Was working capital negative?", money=True) == ("0", False)
    assert limit_of("Was the margin positive?") == ("", True)
    assert limit_of("Was free cash flow not negative?", money=True) == ("", True)
    assert limit_of("Did cash exceed income despite the negative change?", money=True)[0] == ""


@pytest.mark.parametrize(
    ("question", "times"),
    [
        ("Did sales more than double?", 2),
        ("Sales tripled?", 3),
        ("Did sales grow?", None),
        ("Did sales grow at a double-digit rate?", None),
        ("Did Double Eagle's sales grow?", None),
    ],
)
def test_what_doubles_is_twice_as_much(question: str, times: int | None) -> None:
    assert multiple_in(question) == times


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("Was Orla's funded ratio better than 105%?", ("105", True)),
        ("Were Orla's margins thinner than 4%?", ("4", False)),
        ("Was it other than 5% of sales, or later than 2030?", ("", True)),
    ],
)
def test_a_limit_stands_behind_a_comparison(question: str, limit: tuple[str, bool]) -> None:
    assert limit_of(question) == limit


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("Did rent top 15% of sales?", "15"),
        ("Did rent bring in a fifth or more of sales?", "20.0000"),
        ("Did it reach two thirds of sales?", "66.6667"),
        ("Did it reach half of sales?", "50.0000"),
        ("Did it reach 15% or 20% of sales?", ""),
        ("Did it reach 15%, a fifth of sales?", ""),
        ("Did it rise in a quarter of 2023?", ""),
        ("Did it rise in the first half of the year?", ""),
        ("Did it rise in half of its fiscal year?", ""),
        ("Did interest on the 4.5% notes rise?", ""),
    ],
)
def test_the_only_part_of_a_hundred_is_neither_a_time_nor_a_name(question: str, share: str) -> None:
    assert only_share(question) == share
