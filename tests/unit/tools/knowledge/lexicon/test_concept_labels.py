from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.knowledge.lexicon import concept_labels
from tools.knowledge.lexicon.concept_labels import concept_name, labels_of


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
    concept_labels._table.cache_clear()
    yield
    concept_labels._table.cache_clear()


@pytest.mark.usefixtures("table")
def test_a_concept_is_called_as_most_filings_print_it_or_by_its_own_words() -> None:
    assert labels_of("us-gaap:Revenues") == ("Revenue", "Net sales", "Total")
    assert concept_name("us-gaap:Revenues") == "Revenue"
    assert (concept_name("orla:SalesOfDesksToEMEA"), labels_of("orla:X")) == ("Sales of desks to EMEA", ())


def test_the_filer_itself_is_no_part_of_a_name() -> None:
    assert concept_name("dei:EntityCommonStockSharesOutstanding") == "Common stock shares outstanding"


def test_the_table_that_comes_along_knows_common_concepts() -> None:
    assert concept_name("us-gaap:Assets") == "Total assets"
    assert "Net income" in labels_of("us-gaap:NetIncomeLoss")
