"""What a cover page of an SEC form says of its filer, as relations with the printed line."""

from __future__ import annotations

import pytest
from builders import document

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.lexicon.company_profile import (
    HAS_NUMBER,
    HEADQUARTERS_AT,
    INCORPORATED_IN,
    LISTED_AS,
    PROFILE_TITLE,
    TELEPHONE,
    WORTH,
    YEAR_ENDED,
)

COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
FORM 10-K
For the fiscal year ended July 1, 2023
For the transition period from to
Commission File Number 001-36743
Acme Inc.
(Exact name of Registrant as specified in its charter)
NORTH CAROLINA 94-2404110
(State or other jurisdiction of incorporation) (I.R.S. Employer Identification No.)
One Acme Way
Springfield, North Carolina 27601
(Address of principal executive offices) (Zip Code)
(408) 996-1010
(Registrant's telephone number, including area code)
Securities registered pursuant to Section 12(b) of the Act:
Title of each class Trading symbol(s) Name of each exchange on which registered
Common Stock, $0.00001 par value per share ACME The Nasdaq Stock Market LLC
1.375% Notes due 2024 ACME24 The Nasdaq Stock Market LLC
Indicate by check mark if the registrant is a well-known seasoned issuer. Yes ☒ No ☐
The aggregate market value of Acme, Inc. common stock, $0.00001 par value, held by non-affiliates as of January 1,
2023 was $2.7 billion (based on the closing price of $41.20).
"""


def read(text: str, **fields: str) -> ParsedDocument:
    return ParsedDocument(document(**fields), (Page(1, text),), (), ())


def told(text: str) -> dict[str, str]:
    return {each.relation: each.tail for each in cover_triplets(read(text))}


def test_each_field_of_a_cover_is_a_relation_of_its_filer() -> None:
    assert told(COVER) == {
        INCORPORATED_IN: "North Carolina",
        HAS_NUMBER: "94-2404110",
        HEADQUARTERS_AT: "One Acme Way, Springfield, North Carolina 27601",
        TELEPHONE: "(408) 996-1010",
        LISTED_AS: "ACME on The Nasdaq Stock Market LLC",
        WORTH: "$2.7 billion",
        YEAR_ENDED: "July 1, 2023",
    }


def test_each_is_quoted_as_it_is_printed_without_the_boxes_before() -> None:
    quotes = {each.relation: each.quote for each in cover_triplets(read(COVER))}
    assert quotes[INCORPORATED_IN] == "NORTH CAROLINA 94-2404110"
    assert quotes[WORTH].startswith("The aggregate market value")
    assert {(each.title, each.page, each.head) for each in cover_triplets(read(COVER))} == {
        (PROFILE_TITLE, 1, "Acme Inc.")
    }


@pytest.mark.parametrize(
    ("printed", "address"),
    [
        ("12 Acme Way, Springfield, NC 27601-1234", "12 Acme Way, Springfield, NC 27601-1234"),
        ("P.O. Box 9, Springfield NC 27601", "P.O. Box 9, Springfield NC 27601"),
        ("Number One Acme Way\nSpringfield, NC 27601", "Number One Acme Way, Springfield, NC 27601"),
    ],
)
def test_an_address_is_read_on_one_line_or_two(printed: str, address: str) -> None:
    text = COVER.replace("One Acme Way\nSpringfield, North Carolina 27601", printed)
    assert told(text)[HEADQUARTERS_AT] == address


def test_only_an_amount_of_a_whole_company_is_its_worth() -> None:
    assert WORTH not in told(COVER.replace("$2.7 billion", "unknown"))


def test_other_documents_have_no_cover() -> None:
    assert told("Acme Inc. reports results\nNORTH CAROLINA 94-2404110") == {}
    nobody = read(COVER, doc_type="other", ticker=None)  # type: ignore[arg-type]
    assert list(cover_triplets(nobody)) == []


def address_of(text: str) -> str | None:
    return told(text).get(HEADQUARTERS_AT)


def test_the_commissions_address_and_an_agents_are_not_the_filers() -> None:
    capital = COVER.replace("Washington, D.C. 20549", "WASHINGTON, DC 20549")
    assert address_of(capital) == "One Acme Way, Springfield, North Carolina 27601"
    agents = "Quill & Reed LLP\n28 Liberty Street, New York, NY 10005\n(Name of agent for service)\n"
    assert address_of(
        COVER.replace("Securities registered", f"{agents}Securities registered", 1)
    ) == address_of(COVER)
    abroad = COVER.replace(
        "One Acme Way\nSpringfield, North Carolina 27601", "9 Quai Neuf, 75001 Paris, France"
    )
    assert address_of(abroad.replace("Securities registered", f"{agents}Securities registered", 1)) is None


def test_an_exchange_is_no_symbols_neighbour_in_a_sentence() -> None:
    line = "SHARES ARE LISTED ON THE NEW YORK STOCK EXCHANGE\n"
    assert told(COVER + line)[LISTED_AS].startswith("ACME on")


@pytest.mark.parametrize("kind", ["call", "release", "other"])
def test_what_only_mentions_the_commission_has_no_cover(kind: str) -> None:
    assert list(cover_triplets(read(COVER, doc_type=kind))) == []
