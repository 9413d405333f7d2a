"""The local checker: paraphrases that hold pass, and each way of making them false is flagged with a
reason."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from graphs.contracts import Draft, Reading, Verdict
from graphs.drafts.claims import read_claims
from graphs.local.check.checker import LocalChecker
from graphs.steps.answer import trim
from tools.evidence import Evidence

READING = Reading(question="What happened?")

SOUND = [
    "Orla's net revenue was $4.8 billion in the second quarter of fiscal 2024, up 9.6% from $4.39 billion "
    "a year earlier [1][2].",
    "Net revenue grew about 10% year over year in Q2 of fiscal 2024, helped by higher sensor shipments to "
    "automotive customers [7].",
    "Diluted EPS came in at $1.26 for the quarter ended June 29, 2024 [3].",
    "For the first six months of fiscal 2024 the company posted a net loss of $212 million [4].",
    "Gross margin rose 120 basis points to 44.5% on a more favorable product mix [7].",
    "The gross margin percentage was 44.5% for the three months ended June 29, 2024 [5].",
    "As of June 29, 2024, Orla Devices had total assets of $20.3 billion [6].",
    "Orla did not repurchase shares in the quarter [7].",
    "Industrial sales declined, which partly offset the increase [7].",
    "Marta Lindqvist said channel inventories fell by about two weeks and expects normal levels by year "
    "end [8].",
    "Tom Birch expects capital expenditures of about $1.5 billion this year [8].",
    "Inventories were $1,204 million as of June 29, 2024, down from $1,377 million at December 30, 2023 [9].",
    "Net revenue increased by $422 million (10%), from $4,390 million to $4,812 million [1][2][7].",
    "| Metric | Q2 FY2024 | Q2 FY2023 |\n|---|---|---|\n| Net revenue (USD million) | 4,812 | 4,390 | "
    "[1][2] |",
    "| Metric | Q2 FY2024 | Q2 FY2023 |Source|\n|---|---|---|---|\n| Net revenue | $4,812 million | "
    "$4,390 million | [1][2] |",
    "**Net revenue:** $4,812 million for the quarter ended June 29, 2024 [1]",
    "4,812 - 4,390 = 422 million USD (+9.6 %) [1] [2].",
    "Revenue grew by 422 million USD, i.e. 4,812 - 4,390 = 422 million USD [1][2].",
    "Pricing has held up better than management had feared [8].",
]

FALSE = [
    "Orla's net revenue was $4.8 billion in the second quarter of fiscal 2023 [1].",
    "Orla's net revenue fell 9.6% to $4.8 billion from $4.39 billion [1][2].",
    "Kestrel's net revenue was $4.8 billion in the second quarter of fiscal 2024 [1].",
    "Net revenue was $4.8 million in Q2 FY2024 [1].",
    "Net revenue was 4,812 million shares [1].",
    "Net revenue was $4.9 billion [1].",
    "Net revenue for the six months ended June 29, 2024 was $4,812 million [1].",
    "Basic EPS came in at $1.26 for the quarter ended June 29, 2024 [3].",
    "For the first six months of fiscal 2024 the company posted net income of $212 million [4].",
    "Gross margin fell 120 basis points to 44.5% [7].",
    "Gross margin rose 1,200 basis points to 44.5% [7].",
    "Operating margin rose 120 basis points to 44.5% [7].",
    "Orla repurchased shares in the quarter [7].",
    "Industrial sales grew [7].",
    "Tom Birch said channel inventories came down by about two weeks [8].",
    "Ana Reyes said pricing has held up better than feared [8].",
    "Marta Lindqvist said channel inventories fell by about three weeks [8].",
    "Inventories were $1,377 million as of June 29, 2024 [9].",
    "Goodwill was $1,204 million as of June 29, 2024 [9].",
    "Inventories rose to $1,204 million from $1,377 million [9].",
    "Net revenue was $4,812 million.",
    "Net revenue was $4,812 million [12].",
    "Net revenue was $4,812 million [6].",
    "| Metric | Q2 FY2024 | Q2 FY2023 |\n|---|---|---|\n| Net revenue (USD million) | 4,390 | 4,812 | "
    "[1][2] |",
    "4,812 - 4,390 = 432 million USD (+9.6 %) [1] [2].",
    "4,812 - 4,390 = 422 million USD (+9.9 %) [1] [2].",
    "Pricing has not held up better than management had feared [8].",
    "Orla's CEO resigned in June [7].",
    "Orla plans to open a plant in Ohio [7].",
    "Total liabilities were $20.3 billion as of June 29, 2024 [6].",
    "Orla did repurchase shares during the quarter [7].",
    "Gross margin improved 120 basis points due to a less favorable product mix [7].",
    "Capital expenditures will be approximately $1.5 billion next year [8].",
    "Net revenue increased 10% in the third quarter of fiscal 2024 [7].",
    "Net revenue increased 10% driven by lower sensor shipments [7].",
    "Orla's sales in Japan increased 10% [7].",
    "As of June 29, 2024, total assets were 20.3 billion shares [6].",
    "Net revenue did not increase in the second quarter of fiscal 2024 [7].",
    "Orla's revenue did not grow: 4,812 million USD versus 4,390 million USD [1][2].",
    "Inventories fell 12.6% to $1.2 billion between December 30, 2023 and June 29, 2024 [9].",
]


def verdict(text: str, evidence: list[Evidence]) -> Verdict:
    return LocalChecker().check(READING, Draft(text=text), evidence)


@pytest.mark.parametrize("text", SOUND)
def test_a_true_statement_in_other_words_is_supported(text: str, orla: list[Evidence]) -> None:
    found = verdict(text, orla)
    assert found.score == 1, [s.reason for s in found.statements]


@pytest.mark.parametrize("text", FALSE)
def test_a_false_or_uncited_statement_is_flagged_with_a_reason(text: str, orla: list[Evidence]) -> None:
    found = verdict(text, orla)
    assert found.score is not None and found.score < 1
    assert all(s.reason for s in found.statements if not s.supported)


def test_a_quotation_is_supported_only_word_for_word_and_by_its_speaker(orla: list[Evidence]) -> None:
    said = "We expect to be at normal levels by year end, and pricing has held up better than we feared."
    assert verdict(f"Marta Lindqvist (Orla Devices, Inc.): “{said}” [8]", orla).score == 1
    assert verdict(f"Tom Birch (Orla Devices, Inc.): “{said}” [8]", orla).score == 0
    assert verdict(f"Marta Lindqvist: “{said.replace('normal', 'record')}” [8]", orla).score == 0
    assert verdict(f"Marta Lindqvist (Kestrel Stores): “{said}” [8]", orla).score == 0


def test_the_reason_names_what_failed(orla: list[Evidence]) -> None:
    found = verdict("Net revenue was $4.9 billion [1].", orla)
    assert found.statements[0].reason == "$4.9 billion is not in the cited evidence"


def test_supporting_evidence_is_recorded_by_rank(orla: list[Evidence]) -> None:
    assert verdict("Net revenue was $4.8 billion [1].", orla).statements[0].evidence == (1,)


def test_a_draft_without_statements_has_no_score(orla: list[Evidence]) -> None:
    assert verdict("", orla).score is None


def test_the_lead_of_a_table_is_checked_with_every_row(orla: list[Evidence]) -> None:
    table = (
        "{}:\n\n| Line item | Value | Source |\n| --- | --- | --- |\n| Total net revenue | 4,812 "
        "million USD | [1] |"
    )
    assert verdict(table.format("Orla Devices, Inc., three months ended June 29, 2024"), orla).score == 1
    assert verdict(table.format("Kestrel Stores, Inc., three months ended June 29, 2024"), orla).score == 0
    assert verdict(table.format("Orla Devices, Inc., six months ended June 29, 2024"), orla).score == 0


def test_a_marker_behind_the_full_stop_belongs_to_the_sentence_before_it() -> None:
    claims = read_claims("Sales rose. [1] Costs fell. [2][3]")
    assert [(c.text, c.markers) for c in claims] == [("Sales rose", (1,)), ("Costs fell", (2, 3))]


def test_an_unsupported_statement_can_be_cut_out_of_the_draft(orla: list[Evidence]) -> None:
    text = (
        "Net revenue was $4.8 billion [1]. Net revenue fell [2].\n\n| Item | Value |\n|---|---|\n| "
        "Goodwill | $1 | [9] |"
    )
    bad = [s.text for s in verdict(text, orla).statements if not s.supported]
    assert len(bad) == 2
    trimmed = trim(text, bad)
    assert (
        trimmed is not None
        and "fell" not in trimmed
        and "Goodwill" not in trimmed
        and "$4.8 billion" in trimmed
    )


def test_a_period_inside_a_line_item_is_part_of_the_label(fact: Callable[..., Evidence]) -> None:
    item = fact(
        1, "Debt due within 12 months or in fiscal 2025", "40", path=("Not designated as hedges",), months=0
    )
    text = (
        "Orla Devices, Inc.'s Not designated as hedges, Debt due within 12 months or in fiscal 2025, as of "
        "June 29, 2024 was 40 million USD [1]."
    )
    assert verdict(text, [item]).score == 1
    assert verdict(text.replace("Not designated", "Designated"), [item]).score == 0


def test_a_day_that_no_calendar_has_is_flagged(orla: list[Evidence]) -> None:
    assert (
        verdict(
            "Net revenue for the three months ended February 30, 2024 was 4,812 million USD [1].", orla
        ).score
        == 0
    )


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Marta Lindqvist holds the role Executive Vice President and Chief Financial Officer [1].", 1),
        ("Marta Lindqvist is Orla's Chief Financial Officer [1].", 1),
        ("Tom Birch holds the role Executive Vice President and Chief Financial Officer [1].", 0),
        ("Marta Lindqvist holds the role Executive Vice President and Chief Operating Officer [1].", 0),
        ("Marta Lindqvist is not Orla's Chief Financial Officer [1].", 0),
    ],
)
def test_a_role_belongs_to_the_person_who_holds_it(
    chunk: Callable[..., Evidence], text: str, score: int
) -> None:
    held = "Marta Lindqvist holds the role Executive Vice President and Chief Financial Officer (Orla call)."
    assert verdict(text, [chunk(1, held, "relation")]).score == score


def test_rows_that_exchange_their_companies_are_flagged(fact: Callable[..., Evidence]) -> None:
    evidence = [
        fact(1, "Net income", "310"),
        fact(2, "Net income", "41", company="Kestrel Stores, Inc.", key="KEST"),
    ]
    text = (
        "Net income, three months ended June 29, 2024:\n\n| Company | Value | Source |\n| --- | --- | --- |\n"
        "| {} | 310 million USD | [1] |\n| {} | 41 million USD | [2] |"
    )
    assert verdict(text.format("Orla Devices, Inc.", "Kestrel Stores, Inc."), evidence).score == 1
    assert verdict(text.format("Kestrel Stores, Inc.", "Orla Devices, Inc."), evidence).score == 0


def test_a_period_in_a_cited_files_name_is_none_of_the_figures(fact: Callable[..., Evidence]) -> None:
    both = [
        fact(1, "Other financing", "140", document="2023 Q2 ORLA.pdf", end=date(2023, 7, 1)),
        fact(2, "Other financing", "776", document="2024 Q2 ORLA.pdf", end=date(2023, 7, 1)),
    ]
    text = (
        "The documents disagree on Orla Devices, Inc.'s other financing for the three months ended July 1, 2023: "
        "140 million USD (2023 Q2 ORLA.pdf) [1] and {} million USD (2024 Q2 ORLA.pdf) [2]."
    )
    assert verdict(text.format(776), both).score == 1
    assert verdict(text.format(777), both).score == 0


@pytest.mark.parametrize(
    ("row", "supported"),
    [
        ("| Orla | 4,812 million USD [1] | 20,318 million USD [6] |", True),
        ("| Orla Devices | 4,812 million USD | 20,318 million USD | [1][6] |", True),
        ("| Orla | 20,318 million USD [6] | 4,812 million USD [1] |", False),
        ("| Orla | 4,813 million USD [1] | 20,318 million USD [6] |", False),
        ("| Kestrel | 4,812 million USD [1] | 20,318 million USD [6] |", False),
    ],
)
def test_a_column_that_names_a_line_item_is_checked_with_its_figures(
    row: str, supported: bool, orla: list[Evidence]
) -> None:
    table = f"| Company | Total net revenue | Total assets | Source |\n| --- | --- | --- | --- |\n{row}"
    assert verdict(table, orla).statements[0].supported is supported
