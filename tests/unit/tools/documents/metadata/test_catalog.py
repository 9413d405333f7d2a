from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tools.documents.metadata.catalog import Catalog
from tools.documents.types import DocType, Document
from tools.periods import Period
from tools.scope import Scope


def document(
    key: str,
    name: str,
    *aliases: str,
    doc_type: DocType = "10-Q",
    year: int = 2023,
    quarter: int = 3,
    end: date | None = None,
) -> Document:
    return Document(
        id=f"{key}{year}{quarter}{doc_type}",
        name=f"{year} Q{quarter} {key}.pdf",
        path=f"{year} Q{quarter} {key}.pdf",
        title=name,
        company=name,
        company_key=key,
        ticker=key,
        aliases=(*aliases, key),
        doc_type=doc_type,
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=end,
        pages=1,
    )


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    comparative = Period(date(2022, 6, 25), 3, 2022, 3)
    return Catalog(
        [
            document("AAPL", "Apple Inc.", "Apple", end=date(2023, 7, 1)),
            document("AAPL", "Apple Inc.", "Apple", year=2022, quarter=4, end=date(2022, 9, 24)),
            document("AMZN", "AMAZON.COM, INC.", "Amazon.com", end=date(2023, 9, 30)),
            document("MSFT", "Microsoft Corporation", end=date(2023, 3, 31)),
            document("NVDA", "NVIDIA CORPORATION", end=date(2022, 10, 30)),
            document("NOW", "ServiceNow", doc_type="call", year=2021, quarter=2),
            document("AIR", "AAR Corp.", doc_type="call", year=2021, quarter=2),
            document("GL", "Globe Life Inc.", doc_type="call", year=2021, quarter=2),
            document("MAC", "Macerich Company", doc_type="call", year=2021, quarter=2),
            document("MMM", "3M", doc_type="call", year=2021, quarter=2),
            document("MMC", "Marsh & McLennan Companies", doc_type="call", year=2021, quarter=2),
            document("CFR", "Cullen/Frost Bankers, Inc.", doc_type="call", year=2021, quarter=2),
            document("FNB", "F.N.B. Corporation", doc_type="call", year=2021, quarter=2),
            document("GWW", "W.W. Grainger, Inc.", doc_type="call", year=2021, quarter=2),
        ],
        {"AAPL": {comparative, Period(date(2023, 7, 1), 9, 2023, 3)}},
    )


def keys(catalog: Catalog, text: str) -> list[str]:
    return [mention.key for mention in catalog.link(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What was Apple's revenue?", ["AAPL"]),
        ("apple’s revenue", ["AAPL"]),
        ("wat were apples sales", ["AAPL"]),
        ("Amazon and Amazon.com and AMAZON.COM, INC.", ["AMZN", "AMZN", "AMZN"]),
        ("Microsoft Corp revenue", ["MSFT"]),
        ("Marsh McLennan, Marsh & McLennan, Marsh and McLennan", ["MMC", "MMC", "MMC"]),
        ("Cullen/Frost's loans", ["CFR"]),
        ("F.N.B. or FNB", ["FNB", "FNB"]),
        ("grainger's margin", ["GWW"]),
    ],
)
def test_a_company_is_linked_by_any_form_of_its_name(
    catalog: Catalog, text: str, expected: list[str]
) -> None:
    assert keys(catalog, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("NOW guidance for the year", ["NOW"]),
        ("what is the guidance now", []),
        ("WHAT IS THE CURRENT REVENUE NOW OF AAPL", ["AAPL"]),
        ("How were Mac sales?", []),
        ("get me apple's mac sales", ["AAPL"]),
        ("apple's and mac's sales", ["AAPL", "MAC"]),
        ("MAC leasing", ["MAC"]),
        ("GL premiums", ["GL"]),
        ("air traffic", []),
        ("aapl q3 rev", ["AAPL"]),
    ],
)
def test_a_ticker_that_is_also_a_word_needs_capitals(
    catalog: Catalog, text: str, expected: list[str]
) -> None:
    assert keys(catalog, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nvdia and Microsft", ["NVDA", "MSFT"]),
        ("Amzon capex", ["AMZN"]),
        ("Apply the new rule", []),
        ("Ample liquidity", []),
        ("Tesla revenue", []),
    ],
)
def test_a_misspelt_name_is_linked_and_an_ordinary_word_is_not(
    catalog: Catalog, text: str, expected: list[str]
) -> None:
    assert keys(catalog, text) == expected
    assert all(not mention.exact for mention in catalog.link(text))


def test_a_duration_is_not_taken_for_the_company_of_that_name(catalog: Catalog) -> None:
    assert keys(catalog, "3M ended July 1, 2023 at 3M") == ["MMM"]


def test_a_mention_carries_its_span_without_the_possessive(catalog: Catalog) -> None:
    text = "Is Apple's cash growing?"
    [mention] = catalog.link(text)
    assert text[mention.start : mention.end] == "Apple"
    assert mention.possessive


def test_a_short_name_shared_by_two_companies_names_neither() -> None:
    catalog = Catalog([document("TRN", "Trinity Industries, Inc."), document("TRIN", "Trinity Capital Inc.")])
    assert catalog.link("Trinity backlog") == []
    assert [mention.key for mention in catalog.link("Trinity Industries backlog")] == ["TRN"]


def test_a_whole_name_a_ticker_and_a_key_find_their_company(catalog: Catalog) -> None:
    assert [catalog.find(name) for name in ("apple", "Apple Inc.", "aapl", "Tesla")] == [
        "AAPL",
        "AAPL",
        "AAPL",
        None,
    ]


def test_periods_of_documents_and_of_facts_are_known(catalog: Catalog) -> None:
    assert [period.end for period in catalog.document_periods("AAPL")] == [
        date(2022, 9, 24),
        date(2023, 7, 1),
    ]
    assert catalog.ends("AAPL") == (date(2022, 6, 25), date(2022, 9, 24), date(2023, 7, 1))
    assert catalog.fact_periods("AMZN") == frozenset()


def test_the_latest_period_is_a_documents_own_and_may_have_no_date(catalog: Catalog) -> None:
    assert catalog.latest("AAPL") == Period(date(2023, 7, 1), None, 2023, 3)
    assert catalog.latest("GL") == Period(None, None, 2021, 2)
    assert catalog.latest("TSLA") is None


def test_a_dated_period_is_the_latest_before_an_undated_one_of_the_same_label() -> None:
    filing = document("CDTH", "Calderith Corporation", year=2024, quarter=2, end=date(2024, 3, 30))
    call = document("CDTH", "Calderith Corporation", doc_type="call", year=2024, quarter=2)
    earlier = document("CDTH", "Calderith Corporation", doc_type="call", year=2024, quarter=1)
    catalog = Catalog([filing, call, earlier])
    assert catalog.latest("CDTH") == filing.period
    assert catalog.document_periods("CDTH") == (earlier.period, call.period, filing.period)


def test_a_share_counts_day_is_no_periods_end_and_a_year_before_is_one() -> None:
    facts = {Period(date(2023, 7, 21), 0), Period(date(2022, 7, 2), 3), Period(date(2023, 7, 1), 3)}
    catalog = Catalog([document("KAW", "Kestrel Airworks", end=date(2023, 7, 1))], {"KAW": facts})
    assert catalog.ends("KAW") == (date(2022, 7, 2), date(2023, 7, 1))


def test_an_event_report_is_not_the_latest_period() -> None:
    quarter = document("KAW", "Kestrel Airworks", end=date(2023, 3, 25))
    event = document("KAW", "Kestrel Airworks", doc_type="8-K", year=2023, quarter=4)
    catalog = Catalog([quarter, event])
    assert catalog.latest("KAW") == quarter.period
    assert Catalog([event]).latest("KAW") == event.period
    assert catalog.companies["KAW"].doc_types == {"10-Q", "8-K"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Service Now's margin", ["NOW"]),
        ("Cullen-Frost's loans and Microsfot's cloud", ["CFR", "MSFT"]),
        ("How is customer service now?", []),
        ("Should I sell my Microsoft shares?", ["MSFT"]),
        ("What do Frank and Boston say of R&R?", []),
    ],
)
def test_what_people_write_finds_its_company_in_a_sentence(
    catalog: Catalog, text: str, expected: list[str]
) -> None:
    assert keys(catalog, text) == expected
    assert all(
        mention.text in ("Service Now", "Cullen-Frost", "Microsfot", "Microsoft")
        for mention in catalog.link(text)
    )


def test_within_a_scope_the_latest_period_is_that_of_its_types_and_documents() -> None:
    quarter = document("KAW", "Kestrel Airworks", year=2023, quarter=3, end=date(2023, 9, 30))
    before = document("KAW", "Kestrel Airworks", year=2023, quarter=2, end=date(2023, 7, 1))
    call = document("ORL", "Orla Foods", doc_type="call", year=2024, quarter=1)
    catalog = Catalog([quarter, before, call])
    one = catalog.within(Scope(documents=(before.id,)))
    assert one.latest("KAW") == before.period and catalog.latest("KAW") == quarter.period
    assert one.latest("ORL") == call.period, "what a company without such documents has is not unknown"
    assert catalog.within(Scope(doc_types=("10-Q",))).latest("KAW") == quarter.period
    assert one.find("Orla Foods") == "ORL"
    assert catalog.holding(Scope()) == ["KAW", "ORL"] and catalog.holding(Scope(doc_types=("call",))) == [
        "ORL"
    ]
    assert catalog.holding(Scope(companies=("ORL",), doc_types=("10-Q",))) == []


def filed(key: str, *files: str) -> list[Document]:
    """Documents of one company in files of these names."""
    own = document(key, f"{key} Group")
    return [replace(own, id=each, name=each, path=each) for each in files]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("ORLA_2023_10K.pdf", "Orla"),
        ("orla 10-K 2023.pdf", "ORLA"),
        ("Orla-8K.pdf", "orla"),
        ("Best Lamps_2023.pdf", "Best Lamps"),
        ("BEST-LAMPS 2023 Q3.pdf", "Best Lamps"),
        ("BestLamps_10Q.pdf", "best lamps"),
    ],
)
def test_a_company_is_known_by_what_its_files_are_called_before_any_number(file: str, name: str) -> None:
    catalog = Catalog([*filed("ODV", file), *filed("OTHR", "Tilbrook_2023_10K.pdf")])
    assert catalog.find(name) is None
    assert catalog.filed_under(name) == "ODV"


def test_what_files_of_two_companies_are_called_names_neither() -> None:
    files = "Orla_2022_10K.pdf", "Orla_2023_10K.pdf"
    assert Catalog(filed("ODV", *files)).filed_under("Orla") == "ODV"
    assert Catalog([*filed("ODV", *files), *filed("OFD", "ORLA 2023.pdf")]).filed_under("Orla") is None
    longer = Catalog([*filed("ODV", *files), *filed("OFD", "OrlaFoods_2023.pdf")])
    assert (longer.filed_under("Orla"), longer.filed_under("Orla Foods")) == ("ODV", "OFD")


@pytest.mark.parametrize("name", ["Orl", "Orla Devices", "2023", "", "Tilbrook"])
def test_no_file_is_called_by_half_its_name_nor_by_a_number(name: str) -> None:
    assert Catalog(filed("ODV", "Orla_2023_10K.pdf", "2023.pdf")).filed_under(name) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Level: what were sales in 2023?", ["LVL"]),
        ("level: what were sales in 2023?", []),
        ("What level of sales was there?", []),
        ("Level with Tilbrook in sales?", ["TILB"]),
        ("LEVEL OF SALES IN 2023", []),
    ],
)
def test_a_name_that_is_an_ordinary_word_opens_a_text_that_names_no_other(
    text: str, found: list[str]
) -> None:
    catalog = Catalog(
        [document("LVL", "Orla Devices", "Level"), document("TILB", "Tilbrook Stores", "Tilbrook")]
    )
    assert keys(catalog, text) == found
