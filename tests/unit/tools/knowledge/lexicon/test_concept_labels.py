from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.knowledge.lexicon import concept_labels
from tools.knowledge.lexicon.concept_labels import concept_name, concept_of, labels_of, statements_of


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    path = tmp_path / "concepts.json"
    path.write_text(
        json.dumps(
            {
                "Revenues": {"labels": {"Net sales": 2, "Revenue": 5, "Total": 1}, "statements": ["income"]},
                "Assets": {"labels": {"Total assets": 6, "Total": 1}, "statements": ["balance"]},
                "Orders": {"labels": {"Net sales": 1}, "statements": []},
            }
        ),
        encoding="utf-8",
    )
    monkeypatch.setattr(concept_labels, "TABLE", path)
    for cached in (concept_labels._table, concept_labels._by_label):
        cached.cache_clear()
    yield
    for cached in (concept_labels._table, concept_labels._by_label):
        cached.cache_clear()


@pytest.mark.usefixtures("table")
def test_a_label_names_the_concept_that_most_companies_mean() -> None:
    assert concept_of("NET SALES", "income") == "Revenues"
    assert concept_of("Net sales:", "") == "Revenues"
    assert concept_of("Net sales", "balance") is None
    assert concept_of("Desks", "") is None


@pytest.mark.usefixtures("table")
def test_a_label_of_several_concepts_names_one_only_within_a_statement() -> None:
    assert concept_of("Total", "") is None
    assert concept_of("Total", "balance") == "Assets"


@pytest.mark.usefixtures("table")
def test_a_concept_has_labels_a_name_and_statements() -> None:
    assert labels_of("us-gaap:Revenues") == ("Revenue", "Net sales", "Total")
    assert (concept_name("us-gaap:Revenues"), statements_of("Revenues")) == ("Revenue", ("income",))
    assert (concept_name("orla:SalesOfDesksToEMEA"), labels_of("orla:X"), statements_of("orla:X")) == (
        "Sales of desks to EMEA", (), ()
    )  # fmt: skip


def test_the_filer_itself_is_no_part_of_a_name() -> None:
    assert concept_name("dei:EntityCommonStockSharesOutstanding") == "Common stock shares outstanding"


def test_the_table_that_comes_along_knows_the_three_statements() -> None:
    assert concept_of("Total assets", "balance") == "Assets"
    assert concept_of("Net income", "income") == "NetIncomeLoss"
    assert "cash_flow" in statements_of("NetCashProvidedByUsedInOperatingActivities")
