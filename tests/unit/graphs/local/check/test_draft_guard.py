"""What vetoes a model's sentence, and what is only a question to a judge: hard facts against everything else."""

from __future__ import annotations

from datetime import date

import pytest

from graphs.drafts.claims import Claim
from graphs.drafts.draft_guard import Finding
from graphs.local.check.guard import ModelDraftGuard
from tests.pieces import piece
from tools.evidence import Evidence, Fact
from tools.periods import Period

Q2 = Period(end=date(2024, 3, 30), months=3, fiscal_year=2024, fiscal_quarter=2)
TABLE = """Condensed statements
(Millions)
| (Millions) | three months ended March 30, 2024 | three months ended April 1, 2023 |
| --- | --- | --- |
| Net sales | $ 1,284.7 | $ 1,160.0 |
| Cost of sales | (640.2) | (601.9) |
| Research and development | 312.8 | 287.4 |
| Pump sales | 742.5 | 826.4 |
| Valve sales | 542.2 | 333.6 |
| Operating margin | 18.4% | 17.1% |
| Earnings per share | $ 1.26 | $ 0.98 |"""
PROSE = (
    "Revenue increased $124.7 million, or 10.8%, because more customers renewed their contracts. The board approved"
    " the purchase of Kestrel Valves for $3.0 million in March 2024. We have not recorded an accrual for the lawsuit"
    " that Tessaly Pumps filed. Gross margin was 50.2%, down from 51.9%. The plant in Leeds employs 870 people."
)
SPREE = Fact(
    metric="Deferred revenue", value="86.1", unit="USD", scale=6, printed="86.1", period=Q2, match=1.0
)
EVIDENCE = (
    piece(1, TABLE).model_copy(update={"kind": "table"}),
    piece(2, PROSE),
    piece(3, "Orla Inc., Deferred revenue, three months ended March 30, 2024: 86.1 million USD", SPREE),
    piece(4, "Harrowmere's revenue was $77.7 million.").model_copy(
        update={"company": "Harrowmere Stores, Inc.", "company_key": "HRWM"}
    ),
)


def found(text: str, evidence: tuple[Evidence, ...] = EVIDENCE, *, question: str = "") -> Finding:
    claim = ModelDraftGuard().claims(text)[0]
    return ModelDraftGuard().find(claim, {e.rank: e for e in evidence}, question=question)


@pytest.mark.parametrize(
    "text",
    [
        "Yes [1].",
        "No figure for net income is given [1].",
        "Net sales in 2Q24 were $1,284.7 million [1].",
        "In Q2 FY24, net sales came to $1.28bn [1].",
        "Net sales rose 10.8% in the second quarter of fiscal 2024 (1,284.7 / 1,160.0 − 1 = 10.8%) [1].",
        "Research and development was 24.3% of net sales (312.8 / 1,284.7 = 24.3%) [1].",
        "Pumps and valves averaged $642.35 million ((742.5 + 542.2) / 2 = 642.35) [1].",
        "R&D spending was $312.8 million [1].",
        "It grew by $25.4 million [1].",
        "Cost of sales was $640.2 million [1].",
        "Orla paid $3 million for Kestrel [2].",
        "Pump sales fell 10.2% to $742.5 million, and valve sales rose by $208.6 million [1].",
        "The operating margin widened by 1.3 percentage points, i.e. 130 basis points, to 18.4% [1].",
        "Earnings per share climbed from $0.98 to $1.26 [1].",
        "Renewals drove the increase of $124.7 million [2].",
        "About 870 people work in Leeds [2].",
        "Deferred revenue was more than $86 million [3].",
    ],
)
def test_a_hard_fact_may_be_written_in_many_ways(text: str) -> None:
    question = "What did Orla spend on research and development in Q2 2024?"
    assert found(text, question=question).fault == ""


def test_a_denial_over_a_table_is_a_question_to_the_judge() -> None:
    finding = found("Orla does not report net income in this table [1].")
    assert finding.fault == ""
    assert finding.doubt != ""


def test_a_name_put_together_otherwise_is_a_question_to_the_judge() -> None:
    assert found("Kestrel Pumps was bought in March 2024 [2].").fault == ""


def test_digits_of_a_companys_name_are_no_figure() -> None:
    evidence = piece(1, "The Company had net sales of $34 million.").model_copy(
        update={"company": "3M Company", "company_key": "MMM"}
    )
    assert found("3M had net sales of $34 million [1].", (evidence,)).fault == ""


def test_a_pronoun_as_subject_is_no_fault() -> None:
    finding = found("They were up 10.8% [2].")
    assert finding.fault == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Net sales were $1,248.7 million [1].", "not in the cited evidence"),
        ("Net sales were $1,284.7 billion [1].", "not in the cited evidence"),
        ("Net sales were $1.28 million [1].", "not in the cited evidence"),
        ("The operating margin was $18.4 million [1].", "not in the cited evidence"),
        ("Net sales were 1,284.7 million shares [1].", "not in the cited evidence"),
        ("Net sales were €1,284.7 million [1].", "not in the cited evidence"),
        ("Net sales in 3Q24 were $1,284.7 million [1].", "3Q24"),
        (
            "Net sales were $1,284.7 million in the three months ended April 1, 2023 [1].",
            "not the figure for",
        ),
        ("Net sales were $1,284.7 million in fiscal 2021 [1].", "fiscal 2021"),
        ("Kestrel was bought in March 2019 [2].", "does not speak of"),
        ("Net sales fell to $1,284.7 million [1].", "not what the cited figures show"),
        ("Pump sales rose from $742.5 million to $826.4 million [1].", "each other's place"),
        ("Gross margin was up 10.8%, or $3.0 million [2].", "not given for one thing"),
        ("Revenue decreased by $124.7 million [2].", "movement up, not down"),
        ("Harrowmere's deferred revenue was $86.1 million [3].", "not of the company"),
        ("Brelloway paid $3.0 million for Kestrel [2].", "not named in the evidence"),
        ("R&D was 24.3% of net sales (312.8 / 1,160.0 = 24.3%) [1].", "the calculation gives"),
        ("The board said “we have approved a far larger purchase of valves” [2].", "quoted words"),
        ("Net sales were $1,284.7 million [9].", "marker [9] points at no evidence"),
        ("Net sales were $1,284.7 million.", "no evidence is cited"),
    ],
)
def test_a_hard_fact_that_the_evidence_lacks_vetoes(text: str, why: str) -> None:
    assert why in found(text).fault


def test_a_figure_of_the_question_needs_no_evidence() -> None:
    assert (
        found("No, sales did not reach $2 billion [1].", question="Did sales reach $2 billion?").fault == ""
    )


def test_another_company_of_the_evidence_in_the_place_of_the_cited_ones_own_is_a_fault() -> None:
    text = "Harrowmere approved the purchase of Kestrel [2]."
    assert "not named" in found(text).fault
    assert found(text, question="What did Harrowmere and Orla buy?").fault == ""


def test_what_holds_word_for_word_is_no_question_to_a_judge() -> None:
    finding = found("Gross margin was 50.2%, down from 51.9% [2].")
    assert finding == Finding(plain=True, evidence=(2,), nearest="Gross margin was 50.2%, down from 51.9%.")
    assert not finding.is_open


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Orla's net sales were $1,284.7 million in Q2 FY24 [1].", True),
        ("Orla's net sales were $1,284.7 million in Q2 FY24, up from $1,160.0 million [1].", False),
        ("Pump sales were $542.2 million and valve sales were $742.5 million [1].", False),
        ("Cost of sales was $640.2 million [1].", False),
        ("Net sales will be $1,284.7 million in Q2 FY24 [1].", False),
        ("Record net sales were $1,284.7 million [1].", False),
        ("Net sales last year were $1,284.7 million [1].", False),
        ("Net sales and net income were $1,284.7 million [1].", False),
        ("Deferred revenue was $86.1 million in Q2 FY24 [3].", True),
        ("Deferred revenue fell to $86.1 million [3].", False),
        ("Deferred revenue was -$86.1 million [3].", False),
        ("The board approved the purchase of Kestrel Valves for $3.0 million in March 2024 [2].", True),
        ("The purchase of Kestrel Valves for $3.0 million in March 2024 [2].", False),
        ("Net sales of $1,284.7 million were lifted by renewals [1][2].", False),
        ("Customers renewed their contracts [2].", False),
        ("Yes [2].", False),
    ],
)
def test_what_says_more_than_the_labels_of_its_figures_is_for_a_judge(text: str, plain: bool) -> None:
    finding = found(text)
    assert finding.fault == ""
    assert finding.plain is plain
    assert plain or finding.is_open


def test_other_words_are_a_question_to_the_judge_with_the_nearest_line() -> None:
    finding = found("Valves sold splendidly at $542.2 million [1].")
    assert finding.fault == "" and finding.doubt != ""
    assert finding.nearest.startswith("| Valve sales")


def test_each_cell_of_a_row_is_held_against_its_column() -> None:
    rows = "| Item | Q2 FY24 | Q2 FY23 |\n| --- | --- | --- |\n| Net sales | $1,284.7 million | {} [1] |"
    assert found(rows.format("$1,160.0 million")).fault == ""
    assert "not in the cited evidence" in found(rows.format("$1,610.0 million")).fault


def test_a_claim_keeps_its_lead() -> None:
    claim = Claim("Net sales: $1,284.7 million", (1,), "sentence", "Fiscal 2021:")
    assert "not the figure for" in ModelDraftGuard().find(claim, {e.rank: e for e in EVIDENCE}).fault


def test_what_a_claim_computes_may_be_said_in_many_words_and_in_steps() -> None:
    shown = "Pump and valve sales of $742.5 million + {} = ${} million"
    assert found(f"{shown.format('valve sales of $542.2 million', '1,284.7')} [1].").fault == ""
    assert "not" in found(f"{shown.format('valve sales of $542.2 million', '1,294.7')} [1].").fault
    steps = "The ratio was 2.00, net sales of $1,284.7 million over average sales of ($742.5 million + $542.2 million)"
    assert found(f"{steps} / 2 = $642.35 million [1].").fault == ""
    assert found(f"{steps} / 2 = $652.35 million [1].").fault


def test_what_another_sentence_of_the_draft_computes_may_be_stated() -> None:
    guard, by_rank = ModelDraftGuard(), {e.rank: e for e in EVIDENCE}
    first, second = guard.claims(
        "Net sales of $1,284.7 million were 2.00 times the average of $642.35 million [1]. "
        "The average is ($742.5 million + $542.2 million) / 2 [1]."
    )
    assert guard.find(first, by_rank).fault
    assert guard.find(first, by_rank, beside=[first, second]).fault == ""


@pytest.mark.parametrize(
    "text",
    [
        "Net sales were 1.2847e3 million USD [1].",
        "Net sales were ninety thousand million USD [1].",
        "1,284.8 [1].",
    ],
)
def test_what_is_no_figure_or_too_rough_to_follow_from_anything_is_a_fault(text: str) -> None:
    assert found(text).fault


def test_a_result_in_another_scale_or_unit_than_its_figures_is_a_fault() -> None:
    shown = "Pump sales fell by $83.9 million (826.4 - 742.5 = 83.9 {}) [1]."
    assert found(shown.format("million USD")).fault == ""
    assert "the calculation gives" in found(shown.format("thousand USD")).fault
    assert "the calculation gives" in found(shown.format("million shares")).fault
    assert found("Net sales were $1.2847 billion (1,284.7 million / 1,000 = 1.2847 billion) [1].").fault == ""


@pytest.mark.parametrize("rough", ["$0.2bn", "$0.2 billion"])
def test_a_rough_figure_follows_from_figures_that_the_claim_states_alone(rough: str) -> None:
    assert (
        found(f"Pump sales of $742.5 million exceeded valve sales of $542.2 million by {rough} [1].").fault
        == ""
    )
    assert found("The two came to nine hundred million in all [1].").fault
