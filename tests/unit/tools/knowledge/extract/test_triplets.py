from __future__ import annotations

from datetime import date

import pytest
from builders import BALANCE, QUARTER, document, figure, filing, parsed, prose, table

from tools.documents.types import Document, ParsedDocument, Participant
from tools.knowledge.extract.cited_sentences import passages
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.prose_relations import prose_triplets
from tools.knowledge.extract.statements import statement_triplets
from tools.knowledge.extract.table_triplets import table_triplets
from tools.knowledge.types import Triplet
from tools.periods import Period

CALL = document(doc_type="call", end=None)


def said(text: str, doc: Document = CALL) -> list[tuple[str, str, str | None, str]]:
    """(metric, relation, value, unit) of what a sentence states."""
    item = parsed(doc, chunks=(prose(doc, text),))
    return [
        (t.head, t.relation, t.value, t.unit)
        for passage in passages(item)
        for t in statement_triplets(doc, passage)
    ]


def related(text: str, *, speaker: str = "") -> set[tuple[str, str, str, str]]:
    item = parsed(CALL, chunks=(prose(CALL, text, speaker=speaker),))
    return {(t.head, t.relation, t.tail, t.tail_type) for t in prose_triplets(item) if t.value is None}


def test_every_table_fact_becomes_a_triplet_with_its_metadata() -> None:
    item = filing()
    figures = [t for t in table_triplets(item) if t.relation == "was"]
    assert len(figures) == sum(len(one.facts) for one in item.tables)
    first = figures[0]
    assert (first.head, first.path, first.value, first.unit, first.scale) == (
        "Products",
        ("Net sales",),
        "60584",
        "USD",
        6,
    )
    assert (first.period, first.statement, first.title, first.page) == (
        QUARTER,
        "income",
        "STATEMENTS OF OPERATIONS",
        4,
    )
    assert first.tail == "60,584 million USD"


def test_a_company_reports_a_metric_once_a_document() -> None:
    item = parsed(document(), table("income", figure("Net sales", "1"), figure("Revenue", "2", BALANCE)))
    assert [t.tail for t in table_triplets(item) if t.relation == "reports"] == ["Net sales"]


def test_a_label_without_words_yields_nothing() -> None:
    assert list(table_triplets(parsed(document(), table("other", figure("—", "1"))))) == []


def test_participants_hold_roles_and_work_for_firms() -> None:
    people = (
        Participant("Nigel Dally", "Analyst", "Morgan Stanley", 1, True),
        Participant("Max Broden", "CFO", "", 1, False),
    )
    triplets = LocalExtractor().extract(parsed(CALL, people=people))
    found = {(t.head, t.relation, t.tail) for t in triplets}
    assert ("Nigel Dally", "works for", "Morgan Stanley") in found
    assert ("Max Broden", "works for", "Acme Inc.") in found
    assert ("Max Broden", "holds role", "CFO") in found


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Our sales decreased 28% from $561 million to $404 million.",
            [("sales", "fell", "-28", "percent"), ("sales", "was", "404", "USD")],
        ),
        ("Q2 adjusted EPS of $0.40 was a record for us.", [("adjusted EPS", "was", "0.40", "USD/share")]),
        (
            "Adjusted earnings per share increased 24.2% to $1.59.",
            [
                ("Adjusted earnings per share", "grew", "24.2", "percent"),
                ("Adjusted earnings per share", "was", "1.59", "USD/share"),
            ],
        ),
        (
            "We generated $1.2 billion of free cash flow this quarter.",
            [("free cash flow", "was", "1.2", "USD")],
        ),
        ("The pre-tax margin in the quarter was 26.5%.", [("pre-tax margin", "was", "26.5", "percent")]),
        ("We recorded a net loss of $3 million in the quarter.", [("net loss", "was", "-3", "USD")]),
    ],
)
def test_a_stated_figure_is_read(sentence: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "We need about $190 million of revenue a quarter to break even.",
        "Revenue of $190 million a quarter is what it takes.",
        "Their revenue was $90 million.",
        "It had about $18 million of revenue last year.",
        "We could reach revenue of $5 billion.",
        "If revenue was $5 million we would stop.",
        "Revenue was $2.5 billion and $2.8 billion as of December 31, 2022 and September 30, 2023.",
        "Net sales were $5 million and $6 million for Q3 2022 and Q3 2023, respectively.",
        "Adjusted investment income was $45 million lower than last year.",
        "Revenue was up compared to $5 million in the prior year.",
        "Revenue was 12% of our total mix of things.",
        "Was revenue of $5 million enough?",
    ],
)
def test_what_is_no_figure_of_the_period_is_left_out(sentence: str) -> None:
    assert said(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We expect revenue of $4.5 billion next quarter.", ("revenue", "guided", "4.5", "USD")),
        (
            "Our guidance calls for adjusted EPS of $7.30 for the year.",
            ("adjusted EPS", "guided", "7.30", "USD/share"),
        ),
    ],
)
def test_what_a_company_expects_is_guided_not_reported(
    sentence: str, expected: tuple[str, str, str, str]
) -> None:
    assert said(sentence) == [expected]


def test_guidance_is_never_of_the_documents_own_period() -> None:
    triplet = first("For the third quarter of 2024, we expect revenue of $4.5 billion.")
    assert (triplet.path, triplet.period.end) == (("guidance",), None)
    assert (triplet.period.fiscal_year, triplet.period.fiscal_quarter) == (2024, 3)


def test_an_analysts_question_states_nothing() -> None:
    chunk = prose(
        CALL,
        "Nigel Dally: I saw that revenue was $5 million this time.\n"
        "Max: Revenue was $6 million in the quarter.",
        speaker="Nigel Dally",
        kind="exchange",
    )
    people = (Participant("Max", "CFO", "Acme", 1, False),)
    triplets = LocalExtractor().extract(parsed(CALL, people=people, chunks=(chunk,)))
    assert [t.value for t in triplets if t.value] == ["6"]


def first(sentence: str, doc: Document = CALL) -> Triplet:
    item = parsed(doc, chunks=(prose(doc, sentence),))
    return next(t for passage in passages(item) for t in statement_triplets(doc, passage))


def test_a_segment_before_or_after_the_metric_is_kept_as_path() -> None:
    assert first("The pre-tax margin for Japan in the quarter was 26.5%.").path == ("Japan",)
    assert first("Sales in Imaging & ID improved 20% organically.").path == ("Imaging & ID", "change")
    assert first("Our cloud revenue was $5 million in the quarter.").path == ("cloud",)


def test_the_stated_period_wins_over_the_documents() -> None:
    doc = document(fiscal_year=2021, fiscal_quarter=2, doc_type="call", end=None)
    assert first("For the quarter, revenue was $5 million.", doc).period == Period(None, 3, 2021, 2)
    assert first("Revenue was $5 million in the first quarter.", doc).period == Period(None, 3, 2021, 1)
    assert first("Revenue for the first six months was $9 million.", doc).period.months == 6
    assert first("In 2019 our revenue was $5 million.", doc).period == Period(None, None, 2019, 2)


def test_a_filings_statement_carries_its_period_end() -> None:
    period = first("Revenue was $5 million in the quarter.", document()).period
    assert (period.end, period.months) == (date(2023, 7, 1), 3)


def test_we_is_the_company_and_i_the_speaker() -> None:
    assert ("Acme Inc.", "acquired", "Globex Corporation", "company") in related(
        "In May we acquired Globex Corporation."
    )
    assert ("Acme Inc.", "acquired", "Globex Corporation", "company") in related(
        "The Company acquired Globex Corporation."
    )
    assert ("Max Broden", "joined", "Globex Corporation", "company") in related(
        "Last year I joined Globex Corporation.", speaker="Max Broden"
    )


def test_plans_denials_and_possibilities_are_said() -> None:
    assert ("Acme Inc.", "plans to acquire", "Globex Corporation", "company") in related(
        "We will acquire Globex Corporation."
    )
    assert ("Acme Inc.", "did not acquire", "Globex Corporation", "company") in related(
        "We did not acquire Globex Corporation."
    )
    assert ("Acme Inc.", "may acquire", "Globex Corporation", "company") in related(
        "We may acquire Globex Corporation at some point."
    )


def test_pronouns_and_dates_are_no_entities() -> None:
    found = related(
        "They launched it on Tuesday, and this increased the second quarter for everyone at Acme."
    )
    assert not {name.lower() for head, _, tail, _ in found for name in (head, tail)} & {
        "they",
        "it",
        "this",
        "tuesday",
    }


def test_a_role_in_apposition_is_read() -> None:
    found = related("Eric Kirsch, Global Chief Investment Officer, will join us and take questions.")
    assert ("Eric Kirsch", "holds role", "Global Chief Investment Officer", "value") in found


def test_extraction_is_deterministic() -> None:
    item: ParsedDocument = parsed(
        CALL, chunks=(prose(CALL, "In May we acquired Globex Corporation. Revenue was $5 million."),)
    )
    assert LocalExtractor().extract(item) == LocalExtractor().extract(item)
