"""Forms of the curated verbs."""

from __future__ import annotations

import pytest

from tools.knowledge.lexicon.verbs import BASE_OF, PAST_OF


@pytest.mark.parametrize(
    ("base", "forms"),
    [
        ("acquire", ("acquires", "acquired", "acquiring")),
        ("supply", ("supplies", "supplied", "supplying")),
        ("launch", ("launches", "launched", "launching")),
        ("win", ("wins", "won", "winning")),
        ("ship", ("ships", "shipped", "shipping")),
        ("pay", ("pays", "paid", "paying")),
        ("grow", ("grows", "grew", "grown", "growing")),
    ],
)
def test_every_form_leads_to_its_verb_and_the_past_names_the_relation(
    base: str, forms: tuple[str, ...]
) -> None:
    assert {form: BASE_OF.get(form) for form in (base, *forms)} == dict.fromkeys((base, *forms), base)
    assert PAST_OF[base] == forms[1]


def test_every_past_form_leads_back_to_its_own_verb() -> None:
    assert {base: BASE_OF[past] for base, past in PAST_OF.items()} == {base: base for base in PAST_OF}
