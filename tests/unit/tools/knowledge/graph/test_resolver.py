"""Which names become one node, on what evidence, and which stay apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders import document

from tools.knowledge.graph.decisions import read_decisions
from tools.knowledge.graph.knowledge_graph import KnowledgeGraph
from tools.knowledge.graph.mentions import SHORT_FOR
from tools.knowledge.graph.merge_lines import load_merges
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.types import EntityType, Triplet

COMPANIES = ("ACME", "BOLT", "CEDR")
DOCUMENTS = {key: document(key, doc_type="call", end=None) for key in COMPANIES}


def said(
    company: str,
    head: str,
    kind: EntityType,
    relation: str = "opened",
    tail: str = "Ohio",
    to: EntityType = "location",
) -> Triplet:
    return make_triplet(
        DOCUMENTS[company], (head, kind), relation, (tail, to), page=3, quote=f"{head} {relation} {tail}."
    )


def analyst(company: str, name: str, firm: str) -> list[Triplet]:
    return [
        said(company, name, "person", "took part in", f"{company} call", "event"),
        said(company, name, "person", "holds role", "Analyst", "value"),
        said(company, name, "person", "works for", firm, "company"),
    ]


def officer(company: str, name: str) -> list[Triplet]:
    return analyst(company, name, DOCUMENTS[company].company)


def graph(*triplets: Triplet, decisions: str = "") -> KnowledgeGraph:
    by_id = {each.id: each for each in DOCUMENTS.values()}
    return KnowledgeGraph.build(triplets, by_id, read_decisions(decisions.encode()))


def nodes(of: KnowledgeGraph, kind: EntityType) -> list[set[str]]:
    """The names of each node of a type."""
    return [{alias for alias, _ in each.aliases} for each in of.entities if each.type == kind]


def together(of: KnowledgeGraph, kind: EntityType, one: str, other: str) -> bool:
    return any({one, other} <= names for names in nodes(of, kind))


def test_an_analyst_of_one_firm_is_one_person_over_calls_whatever_form_his_name_has() -> None:
    one = graph(
        *analyst("ACME", "Robert J. Quill", "Elm Bank"), *analyst("BOLT", "Bob Quill", "Elm Bank, Inc.")
    )
    assert together(one, "person", "Robert J. Quill", "Bob Quill")


def test_same_named_analysts_of_two_firms_and_officers_of_two_companies_stay_two() -> None:
    firms = graph(*analyst("ACME", "Ada Quill", "Elm Bank"), *analyst("BOLT", "Ada Quill", "Dogwood Trust"))
    assert len(nodes(firms, "person")) == 2
    assert len(nodes(graph(*officer("ACME", "Ada Quill"), *officer("BOLT", "Ada Quill")), "person")) == 2


def test_a_name_that_two_colleagues_fit_is_with_neither() -> None:
    three = graph(
        *analyst("ACME", "John Quill", "Elm Bank"),
        *analyst("BOLT", "Jane Quill", "Elm Bank"),
        *analyst("CEDR", "J. Quill", "Elm Bank"),
    )
    assert len(nodes(three, "person")) == 3


def test_other_middle_initials_are_other_people() -> None:
    two = graph(
        *officer("ACME", "James J. Burke"), *officer("ACME", "Jim R. Burke"), *officer("ACME", "Jim J. Burke")
    )
    assert sorted(map(sorted, nodes(two, "person"))) == [["James J. Burke", "Jim J. Burke"], ["Jim R. Burke"]]


def test_who_says_his_own_name_is_called_without_the_words_before_it() -> None:
    (person,) = (
        each
        for each in graph(*officer("ACME", "Larry Quill"), said("ACME", "I'm Larry Quill", "person")).entities
        if each.type == "person"
    )
    assert person.name == "Larry Quill"


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("Elm", "Elm Capital Markets"),
        ("Quillon", "Robert W. Quillon"),
        ("KDW", "Kestrel, Dogwood & Wren, Inc."),
        ("J.P. Morrow", "JPMorrow"),
        ("Bank of Elm", "Bank of Elm / Dogwood Lynch"),
    ],
)
def test_a_firm_of_analysts_is_one_under_shorter_and_longer_names(short: str, long: str) -> None:
    assert together(
        graph(*analyst("ACME", "Ada Quill", short), *analyst("BOLT", "Max Wren", long)),
        "company",
        short,
        long,
    )


def test_firms_that_share_only_a_word_are_two() -> None:
    two = graph(
        *analyst("ACME", "Ada Quill", "Elm Capital Markets"),
        *analyst("BOLT", "Max Wren", "Oak Capital Markets"),
    )
    assert not together(two, "company", "Elm Capital Markets", "Oak Capital Markets")


def test_an_abbreviation_is_what_its_documents_define_it_for() -> None:
    defined = said("BOLT", "ACME", "company", SHORT_FOR, "Association of Canal Mills and Engines", "company")
    own = graph(defined, said("BOLT", "ACME", "company"), said("CEDR", "Acme", "company"))
    assert together(own, "company", "ACME", "Association of Canal Mills and Engines")
    assert together(own, "company", "Acme", "Acme") and not together(own, "company", "ACME", "Acme")


def test_an_abbreviation_that_is_defined_in_one_way_only_means_that_everywhere() -> None:
    defined = said("ACME", "BQW", "company", SHORT_FOR, "Bureau of Quiet Waters", "company")
    everywhere = graph(defined, said("BOLT", "BQW", "company"), said("CEDR", "Bqw", "company"))
    assert {"BQW", "Bureau of Quiet Waters"} in nodes(everywhere, "company")
    assert {"Bqw"} in nodes(everywhere, "company"), "a word is no abbreviation"


def test_titles_of_ordinary_words_are_each_companys_own_and_names_are_not() -> None:
    shared = graph(
        *(said(company, "Data Center", "company") for company in COMPANIES),
        *(said(company, "Kestrel Pumps", "company") for company in COMPANIES),
    )
    assert sorted(e.key for e in shared.entities if e.type == "company") == [
        "company:data center@ACME", "company:data center@BOLT", "company:data center@CEDR", "company:kestrel pumps",
    ]  # fmt: skip


def test_what_longer_names_end_with_is_a_title_too() -> None:
    courts = ("Elm Kreis Court", "Oak Kreis Court")
    own = graph(
        *(said("ACME", name, "company") for name in (*courts, "Kreis Court")),
        said("BOLT", "Kreis Court", "company"),
    )
    assert sum("Kreis Court" in names for names in nodes(own, "company")) == 2


def test_a_name_has_the_type_that_the_documents_together_read() -> None:
    voted = graph(
        said("ACME", "Vela", "product"),
        said("ACME", "Vela", "product", "sold in"),
        said("BOLT", "Vela", "company"),
        said("ACME", "Orla Marques SE", "product"),
        said("BOLT", "Orla Marques", "product"),
    )
    assert nodes(voted, "product") == [{"Vela"}]
    assert nodes(voted, "company") == [{"Orla Marques SE", "Orla Marques"}]
    assert {t.head_type for t in voted.triplets() if t.head == "Vela"} == {"product"}


def test_what_has_ordinary_words_or_figures_in_it_is_no_person_and_who_is_on_the_call_is() -> None:
    kinds = graph(
        said("ACME", "Cash App", "person"),
        said("ACME", "COVID-19", "person"),
        said("ACME", "Ajay K. Puri", "person"),
        *officer("ACME", "Christa Quill"),
        said("ACME", "Christa Quill", "company"),
        said("ACME", "Christa", "product"),
    )
    assert sorted(map(sorted, nodes(kinds, "person"))) == [["Ajay K. Puri"], ["Christa", "Christa Quill"]]
    assert sorted(map(sorted, nodes(kinds, "product"))) == [["COVID-19"], ["Cash App"]]


def test_a_thing_is_the_same_with_its_makers_name_before_it() -> None:
    one = graph(said("ACME", "Acme Illustron", "company"), said("ACME", "Illustron", "company"))
    assert together(one, "product", "Acme Illustron", "Illustron"), "whatever it was read as"
    apart = graph(
        said("ACME", "Acme Financial Services", "company"), said("ACME", "Financial Services", "company")
    )
    assert not together(apart, "company", "Acme Financial Services", "Financial Services")


def test_in_others_documents_a_company_is_called_by_the_first_word_of_its_name() -> None:
    kestrel = document("KSTL", company="Kestrelon Pumps Inc.", aliases=("Kestrelon Pumps",))
    triplets = [said("ACME", "Kestrelon", "company")]
    of = KnowledgeGraph.build(triplets, {d.id: d for d in (*DOCUMENTS.values(), kestrel)})
    assert [each.key for each in of.entities if each.type == "company"] == ["company:KSTL"]


def test_a_first_word_that_another_companys_name_has_there_too_is_nobody_sure() -> None:
    kestrel = document("KSTL", company="Kestrelon Pumps Inc.", aliases=("Kestrelon Pumps",))
    triplets = [said("ACME", "Kestrelon", "company"), said("ACME", "Kestrelon Shoes", "company")]
    of = KnowledgeGraph.build(triplets, {d.id: d for d in (*DOCUMENTS.values(), kestrel)})
    assert not any(each.key == "company:KSTL" for each in of.entities)


def test_a_name_of_which_folding_leaves_nothing_is_a_name(tmp_path: Path) -> None:
    assert nodes(graph(said("ACME", "Dotcom", "company")), "company") == [{"Dotcom"}]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Castlerock Pharmaceuticals", "Castlerock Pharmaceutical", True),
        ("Castlerock Pharmaceuticals", "Castlerock Pharmacueticals", True),
        ("Mapleton Northwestern Railway", "Mapleton Northeastern Railway", False),
        ("Twenty Fifth Amendment Trust", "Twenty Sixth Amendment Trust", False),
    ],
)
def test_one_letter_is_a_spelling_and_two_are_another_word(one: str, other: str, same: bool) -> None:
    of = graph(said("ACME", one, "company"), said("ACME", other, "company"))
    assert together(of, "company", one, other) == same


def test_groups_that_were_put_apart_have_keys_of_their_own() -> None:
    elms = [said(key, "Elm", "company") for key in ("ACME", "BOLT")]
    crossed = graph(
        *elms,
        said("ACME", "Oak", "company"),
        decisions="different company: Elm [ACME] != Elm [BOLT]\nsame company: Elm [BOLT] = Oak [ACME]",
    )
    assert len([names for names in nodes(crossed, "company") if "Elm" in names]) == 2
    filed = document("elm", company="Elm Pumps", ticker=None, aliases=())
    of = KnowledgeGraph.build(
        elms,
        {each.id: each for each in (*DOCUMENTS.values(), filed)},
        read_decisions(b"different company: Elm [ACME] != Elm [BOLT]"),
    )
    assert len(nodes(of, "company")) == 2


def test_lines_of_decisions_mean_the_same_in_any_order() -> None:
    triplets = [said("ACME", name, "company") for name in ("Elm", "Oak", "Yew")]
    lines = [
        "same company: Elm = Oak",
        "same company: Oak = Yew",
        "different company: Elm != Yew",
    ]
    one, other = (graph(*triplets, decisions="\n".join(order)) for order in (lines, lines[::-1]))
    assert one.digest() == other.digest()


def test_a_place_with_the_first_word_of_a_companys_name_stays_a_place() -> None:
    rogers = document("ROGR", company="Rogersia Corporation", aliases=())
    triplets = [said("ACME", "Rogersia", "location", "lies in")]
    of = KnowledgeGraph.build(triplets, {d.id: d for d in (*DOCUMENTS.values(), rogers)})
    assert [each.key for each in of.entities if each.name == "Rogersia"] == ["location:rogersia"]


def test_a_section_and_another_with_the_same_digits_are_two() -> None:
    two = graph(said("ACME", "Exhibit 10.1", "product"), said("ACME", "Exhibit 101", "product"))
    assert len(nodes(two, "product")) == 2


def test_contracts_that_parses_take_for_laws_are_each_companys_own_and_laws_are_not() -> None:
    shared = graph(
        *(
            said("ACME", name, "regulation")
            for name in ("Kreis Credit Pact", "Revolver Credit Pact", "Credit Pact")
        ),
        said("BOLT", "Revolver Credit Pact", "regulation"),
        *(said(company, "Quiet Waters Act", "regulation") for company in COMPANIES),
    )
    keys = [each.key for each in shared.entities if each.type == "regulation"]
    assert {"regulation:revolver credit pact@ACME", "regulation:revolver credit pact@BOLT"} <= set(keys)
    assert "regulation:quiet waters act" in keys


FORCED = "same company: Elm = Dogwood\n"


def test_a_decision_goes_before_all_evidence_and_what_follows_from_it() -> None:
    triplets = [
        said("ACME", "Elm", "company"),
        said("BOLT", "Elm", "company"),
        said("BOLT", "Dogwood", "company"),
    ]
    assert {"Elm", "Dogwood"} in nodes(graph(*triplets, decisions=FORCED), "company")
    apart = "different company: Elm [ACME] != Elm [BOLT]"
    assert len(nodes(graph(*triplets, decisions=apart), "company")) == 3
    both = graph(*triplets, decisions=f"{FORCED}different company: Elm [ACME] != Elm [BOLT]")
    assert len([names for names in nodes(both, "company") if "Elm" in names]) == 2


def test_a_decision_that_splits_an_analyst_holds_however_many_calls_there_are() -> None:
    calls = [triplet for key in COMPANIES for triplet in analyst(key, "Ada Quill", "Elm Bank")]
    assert len(nodes(graph(*calls), "person")) == 1
    split = graph(*calls, decisions="different person: Ada Quill [ACME] != Ada Quill [Bolt Corporation]")
    assert len(nodes(split, "person")) == 2


def test_two_filers_are_never_one_unless_nothing_else_is_said() -> None:
    forced = graph(
        said("CEDR", "Acme", "company"),
        said("CEDR", "Bolt", "company"),
        decisions="same company: Acme = Bolt",
    )
    assert {e.key for e in forced.entities if e.type == "company"} == {"company:ACME", "company:BOLT"}


def test_merges_are_listed_with_their_reasons_and_places(tmp_path: Path) -> None:
    graph(
        *analyst("ACME", "Robert Quill", "Elm Bank"),
        *analyst("BOLT", "Bob Quill", "Elm Bank Securities"),
        said("ACME", "Cash App", "person"),
    ).save(tmp_path)
    told = {(line.one.name, line.other.name): line for line in load_merges(tmp_path)}
    person = told[("Robert Quill", "Bob Quill")]
    assert person.entity == "person:ACME:robert quill" and "firm" in person.reason
    assert {(each.document, each.page) for each in (person.one, person.other)} == {
        ("ACME-1.pdf", 3),
        ("BOLT-1.pdf", 3),
    }
    assert ("Elm Bank", "Elm Bank Securities") in told
    assert told[("Cash App", "Cash App")].one.type == "person"


def test_the_same_triplets_in_any_order_give_the_same_graph() -> None:
    triplets = [
        *analyst("ACME", "Robert J. Quill", "Elm Bank"), *analyst("BOLT", "Bob Quill", "Elm Bank Securities"),
        *analyst("CEDR", "R. Quill", "Elm"), said("ACME", "Vela", "product"), said("BOLT", "Vela", "company"),
    ]  # fmt: skip
    assert graph(*triplets).digest() == graph(*triplets[::-1]).digest()
