from __future__ import annotations

import pytest

from tools.ontology.names import ConceptNames
from tools.ontology.types import Concept, ConceptKind


def concept(label: str, kind: ConceptKind = "class", **more: object) -> Concept:
    return Concept(f"http://e.example/{label}", kind, label, **more)  # type: ignore[arg-type]


def found(text: str, *concepts: Concept) -> list[str]:
    return [text[each.start : each.end] for each in ConceptNames(concepts).find(text)]


FACILITY = concept("credit facility", synonyms=("line of credit",))
SHARE = concept("share")
ORLA = concept("Orla Holdings Inc.", "individual", synonyms=("Orla",))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Two Credit Facilities and lines of credit.", ["Credit Facilities", "lines of credit"]),
        ("its credit\nfacility, its credit-facility", ["credit\nfacility", "credit-facility"]),
        ("its credit, facility; credit. Facility | credit (facility)", []),
        ("creditfacility accredit facility", []),
        ("", []),
    ],
)
def test_names_are_found_by_lemma_within_one_phrase(text: str, names: list[str]) -> None:
    assert found(text, FACILITY) == names


@pytest.mark.parametrize(
    "text", ["share-based", "share\u2011based", "share\u2010based", "cross-share", "per-share amounts"]
)
def test_a_part_of_a_hyphenated_word_is_no_name(text: str) -> None:
    assert found(text, SHARE) == []
    assert found(f"a share – {text} – a share-", SHARE) == ["share", "share"]


def test_the_longest_name_is_found_and_the_first_of_those_that_overlap() -> None:
    names = [concept(label) for label in ("interest", "interest rate", "interest rate swap", "swap contract")]
    assert found("An interest rate swap contract, interest rates.", *names) == [
        "interest rate swap",
        "interest rates",
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Orla Holdings Inc.", ["Orla Holdings Inc"]),
        ("by Orla\nHoldings Inc", ["Orla\nHoldings Inc"]),
        ("orla holdings inc", []),
        ("Orla", []),
    ],
)
def test_individuals_are_found_to_the_letter_and_by_several_words(text: str, names: list[str]) -> None:
    assert found(text, ORLA) == names


def test_abbreviations_are_found_in_capitals_and_of_three_letters() -> None:
    swap = concept("overnight index swap", abbreviations=("OIS", "OI", "Ois", "360", "O I S"))
    assert found("OIS ois Ois OI 360 O I S (OIS)", swap) == ["OIS", "OIS"]


def test_a_name_that_is_also_an_ordinary_one_of_its_concept_need_not_stand_to_the_letter() -> None:
    assert found("emir EMIR", concept("regulation", abbreviations=("EMIR",), synonyms=("emir",))) == [
        "emir",
        "EMIR",
    ]


@pytest.mark.parametrize(("text", "modifies"), [
    ("lease liabilities", True),
    ("lease\u00a0liabilities", True),
    ("leases liabilities", False),
    ("lease, liabilities", False),
    ("lease and liabilities", False),
    ("lease", False),
    ("lease zzyzx", False),
])  # fmt: skip
def test_a_name_before_the_next_noun_only_tells_which_kind_of_it_is_meant(text: str, modifies: bool) -> None:
    (name,) = ConceptNames([concept("lease")]).find(text)
    assert name.modifies == modifies


def test_properties_and_labels_made_of_an_iri_are_not_looked_for_and_glosses_are_left_out() -> None:
    assert found("has", concept("has", "property")) == []
    assert found("debt instrument", concept("debt instrument", unlabelled=True)) == []
    assert found("a bond", concept("bond (instrument)")) == ["bond"]
    assert found("a bond", concept("(bond)"), concept("")) == ["bond"]


def test_concepts_of_one_name_are_found_together() -> None:
    names = ConceptNames(
        [concept("net asset"), SHARE, concept("Net Assets"), concept("net assets", "individual")]
    )
    assert [each.concepts for each in names.find("net assets, Net Assets")] == [(0, 2, 3), (0, 2)]


def test_a_label_as_long_as_a_text_is_no_name() -> None:
    assert found("very long " * 500, concept("very long " * 500)) == []
