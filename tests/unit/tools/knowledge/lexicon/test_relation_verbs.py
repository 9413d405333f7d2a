from __future__ import annotations

import pytest

from tools.knowledge.extract.said_verbs import says_as
from tools.knowledge.lexicon.relation_verbs import CURATED, Status, any_relation
from tools.knowledge.lexicon.verb_forms import base_form, forms_pattern, past_of


@pytest.mark.parametrize(
    ("said", "status", "name"),
    [
        ("acquire", "done", "acquired"),
        ("will launch", "done", "plans to launch"),
        ("may acquire", "done", "may acquire"),
        ("did not certify", "done", "did not certify"),
        ("certify", "planned", "plans to certify"),
        ("has recently certified", "done", "certified"),
        ("take over", "done", "took over"),
        ("hold in", "not done", "did not hold in"),
        ("be approved in", "planned", "will be approved in"),
        ("was fined for", "conditional", "may be fined for"),
        ("is a subsidiary of", "done", "is subsidiary of"),
        ("supplier of", "not done", "is not supplier of"),
        ("consist of", "done", "consisted of"),
        ("has", "done", "has"),
        ("jointly_develop", "done", "developed"),
    ],
)
def test_a_relation_may_have_any_verb_and_its_name_says_the_status(
    said: str, status: Status, name: str
) -> None:
    relation = any_relation(said, status)
    assert relation is not None
    assert relation.name == name


@pytest.mark.parametrize("said", ["is", "", "was not", "acquire " * 20, "2023"])
def test_what_holds_no_verb_is_no_relation(said: str) -> None:
    assert any_relation(said) is None


def test_the_curated_verbs_have_the_names_that_they_always_had() -> None:
    found = {verb: any_relation(verb) for verb in CURATED}
    assert {verb: relation.name for verb, relation in found.items() if relation} == {v: v for v in CURATED}


def test_by_turns_head_and_tail() -> None:
    swapped = {
        said: any_relation(said) for said in ("was certified by", "certified by", "certify", "stand by")
    }
    assert [relation.swapped for relation in swapped.values() if relation] == [True, True, False, True]


@pytest.mark.parametrize(
    ("text", "base", "status", "expected"),
    [
        ("Orla held talks with Kestrel.", "hold", "done", True),
        ("Orla withheld talks.", "hold", "done", False),
        ("The certification of the plant is complete.", "certify", "done", True),
        ("That is certain.", "certify", "done", False),
        ("Orla may certify it.", "certify", "done", False),
        ("Orla may certify it.", "certify", "conditional", True),
        ("In May Orla certified it.", "certify", "conditional", False),
        ("In May Orla certified it.", "certify", "done", True),
        ("Subject to approval, Orla certifies it.", "certify", "conditional", True),
        ("Orla refused to certify it.", "certify", "not done", True),
        ("Orla certified it.", "certify", "not done", False),
        ("Orla intends to certify it.", "certify", "planned", True),
    ],
)
def test_a_text_says_a_verb_in_any_form_with_its_status(
    text: str, base: str, status: Status, expected: bool
) -> None:
    assert says_as(text, base, status) is expected


def test_forms_of_verbs() -> None:
    words = {
        "held": "hold",
        "certifies": "certify",
        "located": "locate",
        "planning": "plan",
        "passes": "pass",
    }
    assert {word: base_form(word) for word in words} == words
    assert [past_of(verb) for verb in ("certify", "base", "hold", "resign", "certified")] == [
        "certified", "based", "held", "resigned", "certified"
    ]  # fmt: skip
    assert forms_pattern("run").fullmatch("running")
    assert not forms_pattern("base").fullmatch("basic")
