"""Figures of an answer that its contexts do not bear out."""

from __future__ import annotations

import pytest
from metric_rows import abstained, context, failed, item, row, score, value

LEDGER = "Berth revenue was $4,217 million in 2031 and $3,988 million in 2030. The net loss was $85 million."
TABLE = """Tonnage fees
| (in millions) | 2031 | 2030 |
| --- | --- | --- |
| Fees, north pier | $ 640 | $ 500 |
| Operating loss | (312) | (85) |"""


def rate(answer: str, *texts: str) -> float | None:
    return value("wrong_number_rate", item(), row(*(texts or (LEDGER,)), answer=answer))


@pytest.mark.parametrize(
    "answer",
    [
        "Berth revenue was $4,217 million [1].",
        "Berth revenue was 4,217 million USD ($4.2 billion) [1].",
        "The company had a net loss of $85 million [1].",
        "Change: 4,217 - 3,988 = 229 million USD (5.7 %) [1].",
        "Revenue rose by 5.7 % from $3,988 million to $4,217 million [1].",
        "Revenue rose from $3,988 million to $4,217 million, an increase of $229 million [1].",
    ],
)
def test_what_the_contexts_print_or_what_follows_from_it_is_right(answer: str) -> None:
    assert rate(answer) == 0


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Berth revenue was $4,271 million [1].", 1),
        ("Berth revenue was $4,217 thousand [1].", 1),
        ("Berth revenue was 4,217 % [1].", 1),
        ("Revenue was $4,217 million and costs were $17 million [1].", 0.5),
        ("Change: 4,217 - 3,988 = 239 million USD [1].", 1),
        ("Change: 4,217 - 3,900 = 317 million USD [1].", 1),
        ("Revenue rose by 9.9 % from $3,988 million to $4,217 million [1].", 1 / 3),
        ("Revenue fell by 5.7 % from $3,988 million to $4,217 million [1].", 1 / 3),
        ("Revenue rose by 5.7 % [1].", 1),
        ("Revenue rose by 2.9 % from $4,100 million to $4,217 million [1].", 2 / 3),
    ],
)
def test_what_they_do_not_bear_out_is_wrong(answer: str, expected: float) -> None:
    assert rate(answer) == pytest.approx(expected)


def test_a_figure_more_exact_than_its_source_is_invented() -> None:
    assert rate("Revenue was $4.23 billion [1].", "Revenue was $4.2 billion.") == 1
    assert rate("Revenue was $4.2 billion [1].", "Revenue was $4.23 billion.") == 0


def test_a_loss_must_be_told_as_one() -> None:
    assert rate("The operating loss was $312 million [1].", TABLE) == 0
    assert rate("North pier earned $312 million in profit [1].", TABLE) == 1


def test_cells_of_an_answers_table_are_judged_one_by_one() -> None:
    table = "| Line | 2031, USD million | Source |\n| --- | --- | --- |\n| Fees | 640 | [1] |\n| Dues | 641 | [1] |"
    assert rate(table, TABLE) == 0.5


def test_a_scale_noted_in_one_context_does_not_scale_another() -> None:
    assert rate("Fees were $500 million [1].", "Dues (in millions)", "Fees 500 in all") == 1


def test_a_files_name_states_nothing() -> None:
    document = "2031 fees 77 million.pdf"
    got = row(context(LEDGER, document), answer=f"Revenue was $4,217 million in the report ({document}) [1].")
    assert value("wrong_number_rate", item(), got) == 0


def test_a_company_called_by_a_figure_is_none() -> None:
    assert rate("- 5M: “Berth revenue was $4,217 million” [1]") == 0
    assert rate("- 5K: “Berth revenue was $4,217 million” [1]") == 0
    assert rate("It sold 5M shares for $5M [1].") == 1


def test_a_figure_in_any_context_counts_cited_or_not() -> None:
    assert rate("Fees were $640 million [1].", LEDGER, TABLE) == 0


def test_the_reason_names_the_wrong_figures() -> None:
    got = score("wrong_number_rate", item(), row(LEDGER, answer="It cost $17 million and 3 berths [1]."))
    assert got.value == 1
    assert "$17 million" in got.reason


@pytest.mark.parametrize(
    "got",
    [row(LEDGER, answer="Revenue rose in 2031 [1]."), abstained(LEDGER), failed()],
    ids=["no figure", "abstained", "failed"],
)
def test_without_a_stated_figure_there_is_nothing_to_judge(got: object) -> None:
    assert value("wrong_number_rate", item(), got) is None  # type: ignore[arg-type]


def test_the_check_of_a_lead_and_its_list() -> None:
    answer = (
        "Revenue, of $4,217 million in 2031:\n- the year before: $3,988 million [1]\n- loss: $86 million [1]"
    )
    assert rate(answer) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("+5.7 %", 0),
        ("229 million USD", 0),
        ("-5.7 %", 1 / 3),
        ("+5.8 %", 1 / 3),
        ("+6 %", 0),
    ],
)
def test_a_column_of_changes_is_computed_from_its_row(change: str, expected: float) -> None:
    head = "| Line item | Value | Year before | Change | Source |\n| --- | --- | --- | --- | --- |\n"
    cells = f"| Berth revenue | 4,217 million USD | 3,988 million USD | {change} | [1] |"
    assert rate(head + cells) == pytest.approx(expected)


def test_other_columns_are_computed_from_nothing() -> None:
    head = "| Line item | Value | Year before | Margin | Source |\n| --- | --- | --- | --- | --- |\n"
    assert rate(
        head + "| Berth revenue | 4,217 million USD | 3,988 million USD | +5.7 % | [1] |"
    ) == pytest.approx(1 / 3)
