"""Who took part in a call, and what the analysts asked about."""

from __future__ import annotations

from dataclasses import replace

from builders import document, parsed, prose

from tools.documents.types import Participant
from tools.knowledge.extract.participants import MAX_TOPICS, call_name, people_triplets

CALL = document("HRWM", doc_type="call", company="Harrowmere Group", fiscal_quarter=2)
OFFICER = Participant("Ada Voss", "Chief Financial Officer", "", 1, is_analyst=False)
ANALYST = Participant("Ben Ruiz", "", "Orla Securities", 1, is_analyst=True)
STRANGER = Participant("Cy Long", "", "", 1, is_analyst=True)


def relations(*people: Participant) -> set[tuple[str, str, str]]:
    return {(t.head, t.relation, t.tail) for t in people_triplets(parsed(CALL, people=people))}


def test_an_executive_works_for_the_company_and_an_analyst_for_the_firm_that_is_named() -> None:
    event = "Harrowmere Group Q2 2023 earnings call"
    assert relations(OFFICER, ANALYST, STRANGER) == {
        ("Ada Voss", "holds role", "Chief Financial Officer"),
        ("Ada Voss", "works for", "Harrowmere Group"),
        ("Ada Voss", "took part in", event),
        ("Ben Ruiz", "holds role", "Analyst"),
        ("Ben Ruiz", "works for", "Orla Securities"),
        ("Ben Ruiz", "took part in", event),
        ("Cy Long", "holds role", "Analyst"),
        ("Cy Long", "took part in", event),
    }


def test_a_call_without_a_quarter_is_named_by_what_is_known() -> None:
    unknown = replace(CALL, fiscal_quarter=None, fiscal_year=None)
    assert call_name(parsed(unknown)) == "Harrowmere Group earnings call"


def asked(text: str, speaker: str) -> list[str]:
    chunk = prose(CALL, text, speaker=speaker, kind="exchange")
    item = parsed(CALL, people=(OFFICER, ANALYST), chunks=(chunk,))
    return [t.tail for t in people_triplets(item) if t.relation == "asked about"]


def test_an_analyst_asked_about_each_metric_once() -> None:
    text = "How should we think about gross margin and revenue? Will gross margin recover in the second half?"
    assert asked(text, "Ben Ruiz") == ["gross margin", "revenue"]


def test_what_an_executive_or_an_unlisted_speaker_says_is_no_question() -> None:
    text = "How should we think about gross margin and revenue in the second half?"
    assert asked(text, "Ada Voss") == asked(text, "Dee Moss") == []


def test_of_a_long_list_of_metrics_the_first_are_kept() -> None:
    text = (
        "Can you update us on revenue, gross margin, operating income, net income, free cash flow, inventories, "
        "goodwill, debt and headcount?"
    )
    assert len(asked(text, "Ben Ruiz")) == MAX_TOPICS
