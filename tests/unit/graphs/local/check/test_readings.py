"""What holds in some reading of a claim is a question to a judge, no veto; what holds in none is one."""

from __future__ import annotations

import pytest

from graphs.local.check.guard import ModelDraftGuard, is_order
from tests.pieces import NOW, piece

EVIDENCE = (
    piece(1, "Dividends included a special one of $10.00 per share, an aggregate payment of about $4,430."),
    piece(2, "Orders for Class eight trucks were strong."),
    piece(
        3,
        "Revenues for the three and six months ended March 30, 2024 increased 16% and 14% as compared to the three"
        " and six months ended April 1, 2023, respectively.",
    ),
    piece(4, "Deposits shrank during the six months ended March 30, 2024.").model_copy(
        update={"period": NOW}
    ),
    piece(
        5,
        "| (Millions) | Six months ended March 30, 2024 |\n| --- | --- |\n| Dividends paid | 2,300 |\n"
        "| Share repurchases | 2,985 |\n| Cash provided by operations | 3,698 |\n| Current part | 2,226 |\n"
        "| Long-term part | 5,286 |",
    ).model_copy(update={"kind": "table"}),
    piece(6, "Net sales (in millions) were $1,694.6, up from $1,430.9."),
    piece(7, "Orla guides to adjusted earnings of $345 million to $360 million after $292 million so far."),
    piece(8, "Profit rose 46 percent to $391 million, compared to $268 million in fiscal 2023."),
    piece(
        11,
        "Profits were down, by 4% in Leeds and 43% in York. Revenue of the period ended March 25, 2024: $5.0 million.",
    ).model_copy(update={"document": "2023_Q3_ORLA.pdf"}),
)


def found(text: str) -> tuple[str, bool]:
    """(what vetoes it, whether a judge is asked)."""
    guard = ModelDraftGuard()
    finding = guard.find(guard.claims(text)[0], {item.rank: item for item in EVIDENCE})
    return finding.fault, finding.is_open


@pytest.mark.parametrize(
    "text",
    [
        "The special dividend came to about $4,430 million [1].",
        "Orders for Class 8 trucks were strong [2].",
        "Revenues for the three months ended March 30, 2024 increased 16% [3].",
        "Dividends and repurchases were 142.9% of cash provided by operations [5].",
        "Net sales were $1,694.6 million, up from $1,430.9 million [6].",
        "$60.5 million of earnings are left: ($345 million + $360 million) / 2 - $292 million = $60.5 million [7].",
        "Both parts were $2,226 million (the current part) + $5,286 million (the long-term part) = $7,512 million [5].",
        "It was 326.6%: (one part $2,226 million + the other $5,286 million) / dividends $2,300 million = 326.6% [5].",
        "Profit increased 46 percent to $391 million from $268 million in fiscal 2023 [8].",
        "Profits declined in all markets, from 4% in Leeds to 43% in York [11].",
        "Profits were 4% down in Leeds, so they were $5.0 million / 0.04 = $125 million before [11].",
        "In Q1 2023, profits were down by 43% in York [11].",
        "The 12 weeks ended March 25, 2024 brought revenue of $5.0 million [11].",
        "Of Orla's Q3 2023 report, revenue was $5.0 million [11].",
    ],
)
def test_what_a_reader_would_let_pass_is_not_vetoed(text: str) -> None:
    assert found(text) == ("", True)


@pytest.mark.parametrize(
    "text",
    [
        "The special dividend came to about $4,340 million [1].",
        "Orders for Class 80 trucks were strong [2].",
        "Revenues for the three months ended December 30, 2023 increased 16% [3].",
        "Dividends and repurchases were 129.4% of cash provided by operations [5].",
        "Net sales were $1,694.6 billion, up from $1,430.9 million [6].",
        "$65.5 million of earnings are left: ($345 million + $360 million) / 2 - $292 million = $65.5 million [7].",
        "Both parts were $2,226 million (the current part) + $5,286 million (the long-term part) = $7,612 million [5].",
        "It was 362.6%: (one part $2,226 million + the other $5,286 million) / dividends $2,300 million = 362.6% [5].",
    ],
)
def test_what_holds_in_no_reading_is_vetoed(text: str) -> None:
    assert found(text)[0]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Dividends paid for the six months ended March 30, 2024 were $2,300 million [5].", True),
        ("Dividends paid for the nine months ended March 30, 2024 (Q2 2024) were $2,300 million [5].", False),
        (
            "Dividends paid were $2,300 million in Q2 2024 and for the three months ended March 30, 2024 [5].",
            False,
        ),
    ],
)
def test_a_period_of_another_length_is_never_plain(text: str, plain: bool) -> None:
    fault, is_open = found(text)
    assert (not fault and not is_open) is plain


LABELS = piece(
    9,
    "| (Millions) | Q2 2024 |\n| --- | --- |\n| Income before income taxes | 55.5 |\n| Services net sales | 88.8 |\n"
    "| Net income (loss) | (12.4) |",
).model_copy(update={"kind": "table"})
UNSCALED = piece(10, "| Item | Q2 2024 |\n| --- | --- |\n| Net sales | 1,284.7 |").model_copy(
    update={"kind": "table"}
)


@pytest.mark.parametrize(
    "text",
    [
        "Income taxes were $55.5 million [9].",
        "Net sales were $88.8 million [9].",
        "Net income was $12.4 million [9].",
        "Net sales were $1,284.7 billion [10].",
    ],
)
def test_half_a_label_another_sign_or_a_scale_that_is_not_printed_is_never_plain(text: str) -> None:
    guard, by_rank = ModelDraftGuard(), {9: LABELS, 10: UNSCALED}
    finding = guard.find(guard.claims(text)[0], by_rank)
    assert finding.fault or finding.is_open


@pytest.mark.parametrize(
    "text",
    [
        "In the quarter ended April 1, 2021, dividends paid were $2,300 million - repurchases were $2,985 million [5].",
        "Dividends paid were $2,985 million - share repurchases were $2,300 million in Q2 2021 [5].",
    ],
)
def test_a_dash_between_two_statements_is_no_minus(text: str) -> None:
    assert found(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        " * ".join(["99,999,999,999,999 billion"] * 300) + " = 11 million [5].",
        ", and ".join(f"{n},111 billion" for n in range(1, 300)) + " [5].",
        "Net sales were " + " + ".join(["1"] * 1100) + " = 11 million [5].",
    ],
)
def test_figures_without_end_are_a_fault_and_no_wait(text: str) -> None:
    assert found(text)[0]


def test_a_number_that_the_evidence_prints_nowhere_is_a_fault_however_small() -> None:
    assert found("Orders for Class 9 trucks were strong [2].")[0]


def test_a_sentence_may_state_what_another_one_computes_or_is_told() -> None:
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in EVIDENCE}
    claims = guard.claims(
        "The midpoint is ($345 million + $360 million) / 2 = $352.5 million [7]. That leaves $352.5 million - $292"
        " million = $60.5 million [7]. That leaves $353.5 million [7]."
    )
    faults = [guard.find(claim, by_rank, beside=claims).fault for claim in claims]
    assert faults[:2] == ["", ""] and faults[2]


def test_a_session_of_questions_and_answers_is_no_order() -> None:
    assert not is_order("The company will host a live question and answer session with analysts.")


def test_a_thousand_repeated_sentences_are_checked_in_no_time() -> None:
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in EVIDENCE}
    claims = guard.claims("Net sales were $31,337 million [6].\n" * 1000)
    looked = _Counting(claims)
    assert guard.find(claims[500], by_rank, beside=looked).fault
    assert looked.taken <= 30


class _Counting(list[object]):
    """Claims that count how many of them are taken in a slice."""

    taken = 0

    def __getitem__(self, at: object) -> object:
        got = super().__getitem__(at)  # type: ignore[index]
        self.taken += len(got) if isinstance(got, list) else 1
        return got
