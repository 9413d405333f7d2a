"""The scorer of comparisons, and the set itself."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from evals.comparisons import COMPARISONS, Comparison, Score, score
from evals.records import load
from graphs.contracts import Answer, Route
from tools.evidence import Evidence
from tools.periods import Period

END = date(2023, 6, 30)
TABLE = (
    "| Company | Value | Source |\n| --- | --- | --- |\n"
    "| Orla | 5,123 million USD | [1] |\n| Tilbrook | -21 million USD | [2] |"
)


def expected(company: str, value: str, **more: Any) -> dict[str, Any]:
    common = {"unit": "USD", "scale": "million", "period_end": END, "months": 3}
    return {"company": company, "value": value, **common, **more}


def evidence(rank: int, company: str, end: date = END) -> Evidence:
    return Evidence.model_validate(
        {
            "rank": rank,
            "source": "graph",
            "text": "x",
            "document": "q.pdf",
            "document_id": "q",
            "page": 1,
            "score": 1,
            "item_id": f"f{rank}",
            "kind": "fact",
            "company_key": company,
            "company": company,
            "doc_type": "10-Q",
            "period": Period(end, 3),
            "fact": {"metric": "m", "value": "1", "unit": "USD", "printed": "1", "period": Period(end, 3)},
        }
    )


def scored(
    text: str, *, missing: tuple[str, ...] = (), status: Any = "answered", reason: str = "", **more: Any
) -> Score:
    asked = Comparison.model_validate(
        {
            "id": "c",
            "question": "q",
            "half": "tune",
            "expected": [expected("ORLA", "5123"), expected("TLBK", "-21", **more)],
            "missing": missing,
        }
    )
    answer = Answer(
        question="q",
        standalone_question="q",
        status=status,
        reason=reason or None,
        answer=text,
        route=Route(kind="extractive", tools=("kg_search",), reason="", confidence=1),
        evidence=(evidence(1, "ORLA"), evidence(2, "TLBK"), evidence(3, "TLBK", date(2022, 6, 30))),
    )
    return score(asked, answer)


def test_all_figures_in_one_table_are_whole() -> None:
    assert scored(TABLE) == ("whole", True, ())


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (TABLE.replace("-21 million", "22 million"), "partly"),
        (TABLE.replace("[2]", "[1]"), "partly"),
        (TABLE.replace("[2]", "[3]"), "partly"),
        ("Orla: 5,123 million USD [1].\nTilbrook: -21 million USD [2].", "partly"),
        ("Orla: 5,124 million USD [1].", "wrong"),
    ],
)
def test_a_figure_that_is_wrong_of_another_company_or_period_or_beside_no_table_is_not(
    text: str, outcome: str
) -> None:
    assert scored(text).outcome == outcome


def test_a_figure_more_is_not_alone() -> None:
    more = f"{TABLE}\n| Orla | 7 million USD | [1] |"
    assert (scored(more).outcome, scored(more).alone) == ("whole", False)


def test_another_figure_of_the_same_name_is_as_good() -> None:
    text = TABLE.replace("-21 million", "-20 million")
    assert scored(text).outcome == "partly"
    assert scored(text, or_value=["-20"]).outcome == "whole"


@pytest.mark.parametrize(
    ("status", "reason", "outcome"),
    [
        ("partial", "Not there: Kestrel.", "whole"),
        ("answered", "Not there: Kestrel.", "partly"),
        ("partial", "", "partly"),
    ],
)
def test_what_is_missing_must_be_said(status: str, reason: str, outcome: str) -> None:
    text = f"{TABLE}\n\n{reason}"
    assert scored(text, missing=("Kestrel",), status=status, reason=reason).outcome == outcome


def test_partial_without_anything_missing_is_not_whole() -> None:
    assert scored(TABLE, status="partial").outcome == "partly"


def test_a_refusal_is_counted_as_one() -> None:
    assert scored("Nothing.", status="abstained").outcome == "abstained"


def test_the_half_to_tune_on_has_twenty_comparisons_of_two_figures_or_one_and_a_missing_name() -> None:
    asked = load(COMPARISONS, Comparison, "tune")
    assert len({each.id for each in asked}) == len({each.question for each in asked}) == len(asked) == 20
    for each in asked:
        assert len(each.expected) >= 2 or (each.expected and each.missing)
        parts = {(one.company, one.period_end) for one in each.expected}
        assert len(parts) <= 4
