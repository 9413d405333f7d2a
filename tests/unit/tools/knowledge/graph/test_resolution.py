from __future__ import annotations

from builders import document

from tools.knowledge.graph.people import resolve_people
from tools.knowledge.graph.resolution import fold_company, fold_name, own_aliases, same_person
from tools.knowledge.graph.resolver import Resolver
from tools.knowledge.graph.spelling import merge_similar
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import Triplet


def mention(name: str, *, key: str = "ACME", number: int = 1) -> Triplet:
    return make_triplet(
        document(key, number=number), (name, "person"), "works for", ("Acme", "company"), page=1, quote="q"
    )


def test_legal_suffixes_case_and_accents_do_not_separate_companies() -> None:
    assert fold_company("Apple Inc.") == fold_company("APPLE") == "apple"
    assert fold_company("The Procter & Gamble Company") == fold_company("Procter & Gamble Co.")
    assert fold_name("Nestlé's") == "nestle"
    assert fold_company("Amazon.com, Inc.") == "amazon"


def test_a_filer_is_one_node_under_name_ticker_and_alias() -> None:
    resolver = Resolver([], {"d": document()})
    keys = {resolver.key(name, "company", "ACME", "d") for name in ("Acme Inc.", "ACME", "Acme")}
    assert keys == {"company:ACME"}


def test_a_short_name_becomes_the_only_full_one_of_its_document() -> None:
    names = {"d1": {"Tim Cook", "Luca Maestri", "Mr. Cook", "Luca"}}
    assert resolve_people(names) == {("d1", "cook"): "tim cook", ("d1", "luca"): "luca maestri"}


def test_a_short_name_that_fits_two_people_stays_as_it_is() -> None:
    assert resolve_people({"d1": {"John Smith", "Mary Smith", "Smith"}}) == {}


def test_a_first_name_alone_is_resolved_only_within_its_document() -> None:
    assert resolve_people({"d1": {"Tim Cook"}, "d2": {"Tim"}}) == {}


def test_a_middle_name_or_shortened_first_name_is_the_same_person() -> None:
    assert same_person(["dan", "amos"], ["daniel", "paul", "amos"])
    assert same_person(["todd", "daniels"], ["james", "todd", "daniels"])
    assert not same_person(["ken", "amos"], ["daniel", "paul", "amos"])


def test_people_are_matched_within_one_company_only() -> None:
    triplets = [mention("Max Kristian Broden"), mention("Max Broden", key="BOLT")]
    resolver = Resolver(triplets, {})
    assert resolver.key("Max Broden", "person", "BOLT", triplets[1].document_id) == "person:BOLT:max broden"


def test_misspellings_merge_and_other_numbers_do_not() -> None:
    counts = {"goldman sachs": 5, "goldmann sachs": 1, "windows 10": 3, "windows 11": 4, "north america": 2}
    assert merge_similar(counts) == {"goldmann sachs": "goldman sachs"}


def test_resolution_does_not_depend_on_order() -> None:
    triplets = [mention(name) for name in ("Tim Cook", "Mr. Cook", "Timothy Cook", "Luca")]
    one, other = Resolver(triplets, {}), Resolver(triplets[::-1], {})
    for triplet in triplets:
        arguments = (triplet.head, "person", "ACME", triplet.document_id)
        assert one.key(*arguments) == other.key(*arguments)  # type: ignore[arg-type]


def test_a_subsidiary_among_the_aliases_is_not_the_company() -> None:
    doc = document(aliases=("Acme", "ACME", "Acme Life Insurance Japan", "Acme Inc"))
    assert own_aliases(doc) == ["Acme Inc.", "ACME", "Acme", "Acme Inc"]
