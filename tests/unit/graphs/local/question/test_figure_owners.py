"""figure_owners: a product, person or place of which one company alone speaks tells whose question it is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from graphs.contracts import Reading
from graphs.local.question.reader import LocalReader
from tests.pieces import piece
from tools.calculate.questions import AskedSum, Operation, SumReader
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import Document
from tools.evidence import Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope

SAID = {
    "ORLA": ("Glimmer lamps sold well.", "Orla opened Glimmer shops.", "Lamps compete with Vantor's."),
    "VNTR": ("Vantor was founded in Brisk Bay.", "Vantor sells lamps.", "Brisk Bay is home."),
}


def document(key: str) -> Document:
    name, end = {"ORLA": "Orla Inc.", "VNTR": "Vantor plc"}[key], date(2024, 3, 30)
    return Document(key, f"{key}.pdf", f"{key}.pdf", key, name, key, key, (), "10-Q", 2024, 1, end, 1)


class _Passages:
    """An index of a few sentences, which finds all of them within the scope."""

    catalog = Catalog([document(key) for key in SAID])
    known_names: frozenset[str] = frozenset()

    def vector_search(self, question: str, scope: Scope, *_: Any) -> list[Evidence]:
        return [
            piece(1, text).model_copy(update={"company_key": key})
            for key, texts in SAID.items()
            if not scope.companies or key in scope.companies
            for text in texts
        ]

    def kg_search(self, *_: Any) -> list[Evidence]:
        return []


def read(question: str, within: Scope = Scope()) -> Reading:  # noqa: B008  (frozen)
    index: Any = _Passages()
    return LocalReader().read(question, index, within)


@pytest.mark.parametrize(
    ("operation", "chance", "spoken"), [("ratio", 0.95, False), ("ratio", 0.8, True), ("none", 0.99, True)]
)
def test_a_sum_put_in_many_words_is_not_put_to_management(
    operation: Operation, chance: float, spoken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "Okay, so if you add Orla's debts and leases and divide by equity, what ratio do you get to?"
    index: Any = _Passages()
    assert LocalReader().read(question, index, Scope()).spoken
    sums = SumReader()
    monkeypatch.setattr(sums, "read", lambda *_: AskedSum(operation, "value", (), chance))
    assert LocalReader(sums).read(question, index, Scope()).spoken == spoken

    def damaged(*_: object) -> None:
        raise ModelFileError("questions.npz is damaged")

    monkeypatch.setattr(sums, "read", damaged)
    assert LocalReader(sums).read(question, index, Scope()).spoken


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("Why did Glimmer do well?", ("ORLA",)),
        ("What is made in Brisk Bay?", ("VNTR",)),
        ("Where do lamps sell?", ()),
        ("Does Glimmer sell in Brisk Bay?", ()),
        ("Does Glimmer compete with Lamps?", ("ORLA",)),
        ("Why did Sunder do well?", ()),
    ],
)
def test_a_name_that_one_company_alone_uses_is_of_that_company(
    question: str, companies: Sequence[str]
) -> None:
    assert read(question).scope.companies == companies


def test_a_product_is_no_unknown_company() -> None:
    assert read("What was Glimmer's revenue?").unknown_companies == ()
    assert read("What was Sunder's revenue?").unknown_companies == ("Sunder",)


def test_a_named_or_pinned_company_stays() -> None:
    assert read("Does Vantor sell Glimmer lamps?").scope.companies == ("VNTR",)
    assert read("Why did Glimmer do well?", Scope(companies=("VNTR",))).scope.companies == ("VNTR",)
