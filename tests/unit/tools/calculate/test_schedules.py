"""What falls due in years to come, and its share in all that does."""

from __future__ import annotations

import pytest

from tests.accounts import ANNUAL, AT23, ended, graph_of, line, made, result, year
from tools.calculate.types import Asked
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.types import Triplet


def schedule(heading: str, *rows: tuple[str, str], page: int = 70) -> list[Triplet]:
    return [
        each
        for label, value in rows
        for each in line(
            ANNUAL, label, {AT23: value}, statement="other", page=page, path=(heading,), title="Commitments"
        )
    ]


DEBT = schedule("Maturities of debt", *zip(("2024", "2025", "2026", "Thereafter"), "1234", strict=True))
LEASES = schedule(
    "Operating lease payments",
    ("2024 (excluding the three months ended March 31, 2024)", "10"),
    ("2025", "20"),
    ("2026", "30"),
    ("After 2026", "40"),
    page=71,
)
BOTH = graph_of(DEBT, LEASES)


def due(
    said: str, *, share: bool = False, across: str = "", graph: KnowledgeGraph = BOTH, whole: str = ""
) -> str:
    """What comes out, in millions or as a ratio; '' where nothing is computed."""
    whole = whole or ("operating lease payments" if "lease" in said else "debt")
    formula, items = ("a / b", {"a": "due", "b": whole}) if share else ("a", {"a": whole})
    asked = Asked.model_validate(
        {"formula": formula, "items": items, "is_share": share, "across": across, "said": said}
    )
    found, _ = made(asked, year(2023), graph=graph)
    if not found or found[0].calculation is None:
        return ""
    (only,) = found[0].calculation.results
    return only.value if share else str(int(float(only.value) / 10**6)) if only.value else ""


@pytest.mark.parametrize(
    ("said", "share", "across", "value"),
    [
        ("What share of Orla's debt maturities comes due in 2025?", True, "", "0.2"),
        ("What share of Orla's maturing debt falls due after 2025?", True, "", "0.7"),
        ("What share of Orla's debt maturities is due by the end of 2025?", True, "", "0.3"),
        ("Orla's debt maturing in 2024 and 2026, in all", False, "sum", "4"),
        ("Average of Orla's debt maturities in 2024 to 2026", False, "average", "2"),
        ("Orla's debt maturing 2024 thru 2026", False, "sum", "6"),
        ("Orla's debt maturities, 2024-26 in all", False, "sum", "6"),
        ("What of Orla's operating lease payments is due after 2026?", False, "", "40"),
        ("What share of Orla's operating lease payments is due in 2024?", True, "", "0.1"),
    ],
)
def test_rows_of_the_years_asked_for_are_put_together(
    said: str, share: bool, across: str, value: str
) -> None:
    assert due(said, share=share, across=across) == value


@pytest.mark.parametrize(
    "said",
    [
        "What share of Orla's debt maturities comes due in 2031?",  # no row of it
        "What share of Orla's debt maturities was due in 2022?",  # a year that is over
        "What share of Orla's pensions comes due in 2025?",  # another thing
    ],
)
def test_what_no_schedule_tells_is_not_computed(said: str) -> None:
    assert due(said, share=True) == ""


def test_the_years_after_the_last_row_are_no_single_year() -> None:
    assert due("What share of Orla's debt maturities comes due in 2027?", share=True) == ""
    assert due("What share of Orla's debt maturities comes due after 2030?", share=True) == ""


def test_a_share_of_something_else_is_not_told_from_a_schedule() -> None:
    asked = "What share of Orla's total assets are the debt maturities due in 2025?"
    assert due(asked, share=True, whole="total assets") == ""


def test_of_schedules_of_several_dates_the_one_asked_for_is_read() -> None:
    newer = [
        each
        for label, value in (("2025", "5"), ("2026", "6"), ("2027", "7"))
        for each in line(
            ANNUAL,
            label,
            {ended(2024, months=0): value},
            statement="other",
            page=72,
            path=("Maturities of debt",),
        )
    ]
    said = "How much debt matures in 2026, of Orla's maturities of debt?"
    assert due(said, graph=graph_of(DEBT, newer)) == "3"


def test_a_year_that_has_been_reported_is_not_to_come() -> None:
    older = [
        each
        for label, value in (("2022", "5"), ("2023", "6"), ("2024", "7"))
        for each in line(
            ANNUAL, label, {ended(2021, months=0): value}, statement="other", path=("Maturities of debt",)
        )
    ]
    said = "What share of Orla's debt maturities was due in 2023?"
    assert due(said, share=True, graph=graph_of(older)) == ""


def test_two_schedules_that_fit_alike_tell_nothing() -> None:
    alike = graph_of(
        DEBT, schedule("Maturities of debt", ("2024", "7"), ("2025", "8"), ("2026", "9"), page=72)
    )
    assert due("What share of Orla's debt maturities comes due in 2025?", share=True, graph=alike) == ""


def test_rows_with_a_gap_are_no_schedule() -> None:
    gap = graph_of(schedule("Maturities of debt", ("2024", "1"), ("2025", "2"), ("2027", "3")))
    assert due("What share of Orla's debt maturities comes due in 2025?", share=True, graph=gap) == ""


def test_every_row_is_an_operand() -> None:
    asked = Asked.model_validate(
        {
            "formula": "a / b",
            "items": {"a": "due", "b": "debt"},
            "is_share": True,
            "said": "What share of Orla's debt maturities comes due in 2025?",
        }
    )
    found = result(asked, year(2023), graph=BOTH)
    assert [each.label.rpartition(", ")[2] for each in found.operands] == [
        "2024",
        "2025",
        "2026",
        "Thereafter",
    ]
