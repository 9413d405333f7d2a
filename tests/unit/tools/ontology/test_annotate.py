"""Names taken for concepts: at once where unmistakable, else where the pieces' meaning agrees (invented vectors: the
first number is nearness to loans, the second to rivers)."""

from __future__ import annotations

import numpy as np
import pytest

from tools.ontology.annotate import SURE, annotate
from tools.ontology.types import Concept
from tools.vector.embeddings import Vectors

LOANS, RIVERS = (1.0, 0.0), (0.0, 1.0)
BANK = Concept("http://e.example/bank", "class", "bank")
SHORE = Concept("http://e.example/shore", "class", "shore", synonyms=("bank",))
FACILITY = Concept("http://e.example/facility", "class", "credit facility")
ORLA = Concept("http://e.example/orla", "individual", "Orla Holdings")


def vectors(*rows: tuple[float, float]) -> Vectors:
    return np.array(rows, np.float32)


def labels(
    concepts: list[Concept], definitions: Vectors, pieces: dict[str, tuple[float, float]]
) -> list[list[str]]:
    found = annotate(concepts, definitions, list(pieces), vectors(*pieces.values()))
    return [[concepts[each.concept].label for each in of_text] for of_text in found]


def test_a_name_of_several_words_that_one_concept_bears_is_taken_whatever_the_meaning() -> None:
    (found,) = annotate([FACILITY], vectors(RIVERS), ["Two credit facilities."], vectors(LOANS))
    assert [(each.start, each.end, each.confidence) for each in found] == [(4, 21, SURE)]


def test_a_name_of_one_word_is_taken_where_the_documents_mean_the_concept_by_it() -> None:
    pieces = {
        "It owes the bank.": LOANS,
        "Its bank.": LOANS,
        "By the bank.": RIVERS,
        "A boat.": RIVERS,
        "Sea.": RIVERS,
    }
    assert labels([BANK], vectors(LOANS), pieces) == [["bank"], ["bank"], [], [], []]


def test_a_name_of_one_word_by_which_documents_mean_another_thing_is_taken_nowhere() -> None:
    pieces = {"It owes the bank.": LOANS, "By the bank.": RIVERS, "A bank, too.": RIVERS, "A loan.": LOANS}
    assert labels([BANK], vectors(LOANS), pieces) == [[], [], [], []]


def test_of_several_concepts_with_one_name_the_one_that_is_meant_is_taken() -> None:
    pieces = {"It owes the bank.": LOANS, "By the bank.": RIVERS, "The shore.": RIVERS, "A shore.": RIVERS}
    others = {
        "Her bank.": LOANS,
        "His bank.": LOANS,
        "A day.": (0.0, 0.0),
        "A year.": (0.0, 0.0),
        "A week.": (0.0, 0.0),
    }
    found = labels([BANK, SHORE], vectors(LOANS, RIVERS), {**pieces, **others})
    assert found[:4] == [["bank"], ["shore"], ["shore"], ["shore"]]


def test_a_concept_without_a_definition_is_not_taken_by_an_ambiguous_name() -> None:
    two = [ORLA, Concept("http://e.example/other", "individual", "Orla Holdings")]
    assert labels(two, vectors((0, 0), (0, 0)), {"Orla Holdings": LOANS, "A boat.": RIVERS}) == [[], []]


def test_a_name_that_modifies_the_next_noun_is_left_out() -> None:
    pieces = {"The credit facility agreement.": LOANS, "A credit facility.": LOANS}
    assert labels([FACILITY], vectors(LOANS), pieces) == [[], ["credit facility"]]


@pytest.mark.parametrize("concepts", [[], [FACILITY]])
def test_no_documents_and_no_concepts_give_no_annotations(concepts: list[Concept]) -> None:
    definitions = np.zeros((len(concepts), 2), np.float32)
    assert list(annotate(concepts, definitions, [], np.zeros((0, 2), np.float32))) == []
    assert len(list(annotate(concepts, definitions, ["A boat."], vectors(RIVERS)))) == 1


def test_the_same_pieces_give_the_same_annotations() -> None:
    pieces = {"A credit facility of the bank.": LOANS, "The bank.": LOANS, "A boat.": RIVERS}
    once, again = (
        list(annotate([BANK, FACILITY], vectors(LOANS, LOANS), list(pieces), vectors(*pieces.values())))
        for _ in range(2)
    )
    assert once == again and [len(found) for found in once] == [2, 1, 0]
    assert all(0 < each.confidence <= 1 for found in once for each in found)
