"""A model's relations, read generously and offered strictly."""

from __future__ import annotations

from typing import get_args

import pytest
from pydantic import ValidationError

from tools.knowledge.extract.relation_replies import MAX_RELATIONS, NamedType, ReadTriplet, ReadTriplets
from tools.knowledge.lexicon.relation_verbs import CURATED

ITEM = {
    "head": "Orla",
    "head_type": "company",
    "relation": "acquired",
    "status": "done",
    "tail": "Kestrel",
    "tail_type": "company",
}


@pytest.mark.parametrize(
    ("status", "phrase"),
    [
        ("done", "build"),
        ("planned", "plans to build"),
        ("not done", "did not build"),
        (" Planned ", "plans to build"),
    ],
)
def test_the_status_is_said_before_the_verb(status: str, phrase: str) -> None:
    assert ReadTriplet.model_validate({**ITEM, "relation": "build", "status": status}).verb_phrase == phrase


def test_the_papers_list_and_types_in_capitals_are_read_as_an_object() -> None:
    read = ReadTriplet.model_validate(["Orla", "COMPANY", "acquired", "Kestrel", " Company", "extra"])
    assert (read.head, read.head_type, read.tail, read.tail_type, read.status) == (
        "Orla",
        "company",
        "Kestrel",
        "company",
        "done",
    )


@pytest.mark.parametrize(
    "broken", [{**ITEM, "head_type": "value"}, {"head": "Orla"}, ["Orla", "company"], "Orla"]
)
def test_what_is_no_relation_of_the_seven_types_is_refused(broken: object) -> None:
    with pytest.raises(ValidationError):
        ReadTriplet.model_validate(broken)


def test_a_bare_list_is_a_reply_and_a_bad_item_stays_for_its_own_check() -> None:
    assert ReadTriplets.model_validate([ITEM, "no relation"]).triplets == [ITEM, "no relation"]


def test_the_schema_offers_the_curated_verbs_and_the_papers_types_only() -> None:
    schema = ReadTriplets.model_json_schema()
    triplets = schema["properties"]["triplets"]
    fields = triplets["items"]["properties"]
    assert triplets["maxItems"] == MAX_RELATIONS
    assert fields["relation"]["enum"] == list(CURATED)
    assert fields["head_type"]["enum"] == fields["tail_type"]["enum"] == list(get_args(NamedType))
