"""Filters for types and documents, against a catalogue."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from graphs.contracts import Plan, PlannedCall, Reading, Route
from graphs.steps.filters import UncoveredPeriodError, UnknownDocumentError, scope_from_filters, scope_of_call
from graphs.steps.readings import as_planned
from tests.filings import filing
from tools.documents.metadata.catalog import Catalog
from tools.periods import Period
from tools.scope import Scope

QUARTER = filing("Orla Devices, Inc.", date(2023, 7, 1), 2023, 3)
CALLS = [  # of two companies, under one name
    replace(
        filing(name, None, 2023, 3, "call"),
        name="ECT-Q3-2023.pdf",
        path=f"{name[:4].upper()}/ECT-Q3-2023.pdf",
        id=f"{number}bad1dea5ca1ab1e",
    )
    for number, name in enumerate(("Orla Devices, Inc.", "Tilbrook Stores, Inc."))
]
CATALOG = Catalog([QUARTER, *CALLS])


def scope(**filters: str) -> Scope:
    return scope_from_filters(CATALOG, filters.pop("company", None), None, None, **filters)


@pytest.mark.parametrize("name", [CALLS[1].path, "TILB\\ECT-Q3-2023.pdf", CALLS[1].id[:6]])
def test_a_document_is_named_by_its_path_or_id_and_brings_its_company(name: str) -> None:
    assert scope(document=name) == Scope(companies=("TILB",), documents=(CALLS[1].id,))


def test_a_name_that_two_documents_bear_needs_a_path_or_a_company() -> None:
    with pytest.raises(
        UnknownDocumentError, match=r"several documents: ORLA/ECT.*; TILB/ECT.* Give an id or a path"
    ):
        scope(document="ECT-Q3-2023.pdf")
    assert scope(document="ect-q3-2023.pdf", company="Orla").documents == (CALLS[0].id,)


def test_a_period_after_the_documents_that_are_left_is_refused_and_one_before_them_is_not() -> None:
    later = filing("Orla Devices, Inc.", date(2024, 6, 29), 2024, 3)
    catalog = Catalog([QUARTER, later], {"ORLA": {Period(date(2022, 7, 2), 3)}})
    for year in (2022, 2023):  # printed for comparison, its own
        assert scope_from_filters(catalog, None, year, None, document=QUARTER.name).documents
    with pytest.raises(UncoveredPeriodError, match="is of a time before 2024"):
        scope_from_filters(catalog, None, 2024, None, document=QUARTER.name)
    assert scope_from_filters(catalog, None, 2024, None, "10-Q").doc_types == ("10-Q",)


def test_a_type_is_one_that_the_company_has_however_it_is_written() -> None:
    assert scope(doc_type="10q") == Scope(doc_types=("10-Q",))
    with pytest.raises(
        UnknownDocumentError, match="No document of Tilbrook Stores, Inc is of the type '10-Q'"
    ):
        scope(doc_type="10-Q", company="Tilbrook")
    with pytest.raises(UnknownDocumentError, match=r"'ORLA-2023-07-01\.pdf' is a document of Orla Devices"):
        scope(doc_type="call", document="ORLA-2023-07-01.pdf")
    assert scope(doc_type=" ", document="") == Scope()


def test_what_a_model_plans_stays_within_the_users_types_and_documents() -> None:
    own = scope(document=CALLS[1].path)
    call = PlannedCall(tool="kg_search", question="net sales", companies=("TILB",), doc_types=("10-Q",))
    route = Route(kind="extractive", tools=("kg_search",), reason="planned", confidence=1.0)
    reading = as_planned(
        Reading(question="What were net sales?"), Plan(route=route, calls=(call,)), CATALOG, own
    )
    assert reading.scope == own
    assert scope_of_call(CATALOG, call.companies, (), call.doc_types, own).documents == own.documents
