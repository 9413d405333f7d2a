"""Names that a question is read with: companies by the names of their files, names of the index and their pieces."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from datetime import date

import pytest

from graphs.contracts import Reading
from graphs.local.question.reading import read_question
from tests.filings import CATALOG, FILINGS, filing
from tools.documents.metadata.catalog import Catalog


def filed(*names: str) -> Catalog:
    """The filings, the first ones in files of these names: the first four are Orla's, the fifth is Tilbrook's."""
    named = [replace(each, name=name) for each, name in zip(FILINGS, names, strict=False)]
    return Catalog([*named, *FILINGS[len(named) :]])


def read(question: str, catalog: Catalog = CATALOG, known: Container[str] | None = None) -> Reading:
    return read_question(question, catalog, known_names=known)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What was Vesper's revenue in Q3 2023?", "Vesper"),
        ("What was Vesper’s revenue in Q3 2023?", "Vesper"),
        ("Vesper's revenue in Q3 2023?", "Vesper"),
        ("Vesper revenue, Q3 2023", "Vesper"),
        ("Vesper: revenue in Q3 2023?", "Vesper"),
        ("VESPER revenue, Q3 2023", "VESPER"),
        ("How much revenue did Vesper have in Q3 2023?", "Vesper"),
        ("what was vesper's revenue in q3 2023?", "vesper"),
    ],
)
@pytest.mark.parametrize("known", [None, frozenset({"glimmer"})])
def test_a_company_named_by_the_name_of_its_file_is_linked_and_not_refused(
    question: str, name: str, known: Container[str] | None
) -> None:
    reading = read(question, filed("VESPER_2023_10Q.pdf"), known)
    assert (reading.companies, reading.company_names) == (("ORLA",), (name,))
    assert (reading.unknown_companies, reading.nearest_companies) == ((), ())
    assert dict(reading.company_periods).keys() == {"ORLA"}
    assert reading.scope.companies == ("ORLA",)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("vesper-2023-q3.pdf", "Vesper"),
        ("Vesper_Lamps_10Q_2023.pdf", "Vesper Lamps"),
        ("VesperLamps2023.pdf", "Vesper Lamps"),
        ("VESPERLAMPS_2023.pdf", None),
    ],
)
def test_the_name_of_a_file_is_what_stands_before_its_first_number(name: str, said: str | None) -> None:
    reading = read(f"What was {said or 'Vesper'}'s revenue?", filed(name))
    assert reading.companies == (("ORLA",) if said else ())
    assert reading.unknown_companies == (() if said else ("Vesper",))


def test_a_name_that_files_of_two_companies_have_is_of_neither() -> None:
    files = [f"VESPER_{number}.pdf" for number in range(5)]
    assert read("What was Vesper's revenue?", filed(*files[:4])).companies == ("ORLA",)
    reading = read("What was Vesper's revenue?", filed(*files))
    assert (reading.companies, reading.unknown_companies) == ((), ("Vesper",))


@pytest.mark.parametrize(
    ("question", "companies", "names"),
    [
        ("Compare the revenue of Tilbrook and Vesper", ("TILB", "ORLA"), ("Tilbrook", "Vesper")),
        ("Compare the revenue of Vesper and Tilbrook", ("ORLA", "TILB"), ("Vesper", "Tilbrook")),
        ("Compare Tilbrook's and Vesper's revenue", ("TILB", "ORLA"), ("Tilbrook", "Vesper")),
        ("Was Vesper's revenue above Tilbrook's?", ("ORLA", "TILB"), ("Vesper", "Tilbrook")),
    ],
)
def test_companies_by_both_kinds_of_names_stand_in_the_order_of_the_question(
    question: str, companies: tuple[str, ...], names: tuple[str, ...]
) -> None:
    reading = read(question, filed("VESPER_2023_10Q.pdf"))
    assert (reading.companies, reading.company_names) == (companies, names)
    assert reading.unknown_companies == ()


def test_a_company_beside_one_that_is_named_by_its_file_is_still_refused() -> None:
    reading = read("Compare Vesper's and Harrowmere's revenue", filed("VESPER_2023_10Q.pdf"))
    assert (reading.companies, reading.unknown_companies) == (("ORLA",), ("Harrowmere",))


def test_a_name_in_full_that_links_a_company_by_its_file_is_no_entity_besides() -> None:
    question, known = "What was Vesper Inc's revenue from Glimmer?", {"vesper inc", "glimmer"}
    reading = read(question, filed("VESPER_INC_2023.pdf"), known)
    assert (reading.companies, reading.unknown_companies) == (("ORLA",), ())
    assert reading.entities == ("Glimmer",)


@pytest.mark.parametrize(
    "question",
    [
        "What was Glim-Vantor's revenue?",
        "Compare the revenue of Orla and Glim-Vantor",
    ],
)
def test_a_piece_of_a_hyphenated_name_that_the_index_knows_is_no_unknown_company(question: str) -> None:
    reading = read(question, known={"glim vantor"})
    assert (reading.unknown_companies, reading.entities) == ((), ("Glim-Vantor",))


def test_a_piece_of_a_hyphenated_name_that_the_index_does_not_know_is_one() -> None:
    assert read("What was Glim-Vantor's revenue?", known={"glimmer"}).unknown_companies == ("Vantor",)


@pytest.mark.parametrize(
    ("question", "name", "metrics"),
    [
        ("What was Orla's Cash App gross profit in Q3 2023?", "Cash App", ("gross profit",)),
        ("Cash App revenue of Orla, Q3 2023", "Cash App", ("revenue",)),
        ("What were Orla's Inventories Europe at the end of Q3 2023?", "Inventories Europe", ()),
    ],
)
def test_a_name_of_the_index_that_begins_with_a_metric_is_an_entity_and_no_metric(
    question: str, name: str, metrics: tuple[str, ...]
) -> None:
    reading = read(question, known={"cash app", "inventories europe"})
    assert (reading.entities, reading.metrics) == ((name,), metrics)


@pytest.mark.parametrize(
    ("question", "known", "metrics"),
    [
        ("What was Orla's Cash App gross profit in Q3 2023?", {"glimmer"}, ("Cash", "gross profit")),
        ("Goodwill held by Orla at the end of Q3 2023?", {"goodwill held"}, ("Goodwill",)),
        ("Orla's inventories Europe at the end of Q3 2023?", {"inventories europe"}, ("inventories",)),
        ("At the end of Q3 2023 Orla had how much Cash?", {"cash app"}, ("Cash",)),
    ],
)
def test_a_metric_stays_one_where_no_name_goes_on_behind_it(
    question: str, known: Container[str], metrics: tuple[str, ...]
) -> None:
    assert read(question, known=known).metrics == metrics


@pytest.mark.parametrize(
    ("question", "companies"),
    [
        ("Shift: revenue in Q2 2023?", ("SHIF",)),
        ("Shift revenue in Q2 2023?", ()),
        ("Shift Q2 2023 revenue?", ("SHIF",)),
        ("shift revenue in Q2 2023?", ()),
        ("SHIFT REVENUE IN Q2 2023?", ()),
        ("Shift in the revenue of Orla in Q3 2023?", ("ORLA",)),
    ],
)
def test_an_ordinary_word_that_opens_a_question_which_names_no_other_company_is_the_one_called_so(
    question: str, companies: tuple[str, ...]
) -> None:
    catalog = Catalog([*FILINGS, filing("Shift, Inc.", date(2023, 6, 30), 2023, 2)])
    assert read(question, catalog).companies == companies
