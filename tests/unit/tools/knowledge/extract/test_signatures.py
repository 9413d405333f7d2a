"""Who signs a report, or certifies it, holds the role that is printed with the signature."""

from __future__ import annotations

import time

import pytest
from builders import document, parsed

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.extract.cover_facts import cover_triplets
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.extract.signatures import signature_triplets, signatures

PURSUANT = (
    "Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report "
    "to be signed on its behalf by the undersigned.\n"
)
CERTIFY = "I, Ada Quill, certify that I have reviewed this report of the registrant.\n"


def read(*pages: str) -> list[tuple[str, str]]:
    found = signatures([Page(number, text) for number, text in enumerate(pages, 1)])
    return [(each.name, each.title) for each in found]


@pytest.mark.parametrize(
    "printed",
    [
        "By: /s/ Ada Quill\nAda Quill\nPresident and\nChief Executive Officer",
        "Date: May 4, 2024 By: /s/ ADA QUILL\nAda Quill\nPresident and Chief Executive Officer\nAcme Inc.",
        "/s/ Ada Quill President and Chief Executive Officer May 4, 2024\nADA QUILL",
        "/s/ ADA QUILL Ada Quill President and Chief Executive Officer May 4, 2024",
        "By /s/ Ada Quill\nName: Ada Quill\nTitle: President and Chief Executive Officer",
        "/s/ ADA QUILL\nDate:\nMay 4, 2024\nAda Quill\nPresident and Chief Executive Officer",
        "/s/ Ada Quill\n(Ada Quill)\nPresident and Chief Executive Officer",
        "/ s / Ada Quill\nAda Quill,\nPresident and Chief Executive Officer\n45",
        "/s/ Ada Quill Dated: May 4, 2024\nAda Quill,\nas President and Chief Executive Officer",
    ],
)
def test_a_signature_is_read_however_it_is_printed(printed: str) -> None:
    assert read(PURSUANT + printed) == [("Ada Quill", "President and Chief Executive Officer")]


def test_a_title_goes_on_over_lines_and_ends_with_itself() -> None:
    text = (
        "/s/ Ada Quill Executive Vice President, May 4, 2024\nAda Quill and Chief Financial Officer\n"
        "/s/ Tom Reed\nTom Reed\nVice President, Controller, and Chief\nAccounting Officer\n(Principal Accounting\n"
        "Officer)\n/s/ Bo Lund\nBo Lund\nDirector\n"
    )
    assert read(PURSUANT + text) == [
        ("Ada Quill", "Executive Vice President and Chief Financial Officer"),
        (
            "Tom Reed",
            "Vice President, Controller, and Chief Accounting Officer (Principal Accounting Officer)",
        ),
        ("Bo Lund", "Director"),
    ]


def test_a_certification_is_signed_on_its_own_page_or_on_the_next() -> None:
    signed = "/s/ Ada Quill\nAda Quill\nChief Executive Officer"
    assert read(CERTIFY + signed) == read(CERTIFY, signed) == [("Ada Quill", "Chief Executive Officer")]


def test_directors_sign_on_the_page_after() -> None:
    first = PURSUANT + "/s/ Ada Quill\nAda Quill\nChief Executive Officer"
    assert read(first, "/s/ Tom Reed\nTom Reed\nDirector")[1] == ("Tom Reed", "Director")


@pytest.mark.parametrize(
    "text",
    [
        "This credit agreement is made.\nCITYBANK, N.A.\nBy: /s/ Tom Reed\nName: Tom Reed\nTitle: Vice President",
        PURSUANT + "/s/ Quill & Reed LLP\nQuill & Reed LLP\nSpringfield, May 4, 2024",
        PURSUANT + "* By /s/ Tom Reed\nTom Reed, Attorney-in-fact",
        PURSUANT + "By /s/ ADA QUILL By /s/ TOM REED\nAda Quill Tom Reed\nDirector Chairman of the Board",
        PURSUANT + "Signatures Titles Date\nChief Executive Officer\n/s/ Ada Quill\nAda Quill\nController\n",
        PURSUANT + "/s/ Ada Quill",
        PURSUANT + "/s/ , ,\n, ,\nDirector",
        PURSUANT + "/s/ ____ ____\n____ ____\nDirector",
        PURSUANT + "Chief Executive Officer:\n/s/ Ada Quill\nAda Quill\nDirector:\n/s/ Bob Bell\nBob Bell",
        "The officer certifies to the lenders this report.\n/s/ Tom Reed\nTom Reed\nTreasurer",
    ],
)
def test_nobody_is_given_a_title_that_may_be_anothers(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    "head", ["IN WITNESS WHEREOF", "BIGBANK N.A., as Administrative Agent", "CREDIT AGREEMENT"]
)
def test_a_contract_behind_the_signatures_is_signed_by_others(head: str) -> None:
    report = PURSUANT + "/s/ Ada Quill\nAda Quill\nDirector"
    assert read(report, f"{head}\n/s/ Zed Zorro\nZed Zorro\nVice President") == [("Ada Quill", "Director")]


def test_below_a_title_only_what_stands_beside_the_name_is_taken() -> None:
    text = (
        "Signature Capacity\nChairman of the Board,\n/s/ Ada Quill Chief Executive Officer\nAda Quill\n"
        "Chief Financial Officer\n/s/ Tom Reed (Principal Financial Officer)\nTom Reed\nDirector\n"
    )
    assert read(PURSUANT + text) == [
        ("Ada Quill", "Chief Executive Officer"),
        ("Tom Reed", "Principal Financial Officer"),
    ]


def test_a_heading_with_a_colon_is_no_title_above_a_signature() -> None:
    text = "Capacities\nPRINCIPAL FINANCIAL OFFICER:\n/s/ Tom Reed\nTom Reed\nChief Financial Officer\n"
    assert read(PURSUANT + text) == [("Tom Reed", "Chief Financial Officer")]


def made(text: str, **fields: str) -> ParsedDocument:
    return ParsedDocument(document(**fields), (Page(1, text),), (), ())


def test_a_list_of_certifications_names_officers() -> None:
    text = (
        "31.1 Certification of Ada B. Quill, President and Chief Executive Officer of Acme Inc., pursuant to\nRule "
        "13a-14(a). 31.2 Certification of Principal Financial Officer pursuant to Rule 13a-14(a). 32.1 Certification "
        "of Chief Executive Officer, Ada B. Quill, President, pursuant to Section 906."
    )
    found = [(each.head, each.relation, each.tail) for each in signature_triplets(made(text))]
    assert found == [
        ("Ada B. Quill", "holds role", "President and Chief Executive Officer"),
        ("Ada B. Quill", "works for", "Acme Inc."),
    ]


def test_officers_are_named_once_with_their_page_and_no_chunk_and_the_extractor_reads_them() -> None:
    text = PURSUANT + "/s/ Ada Quill\nAda Quill\nDirector\n/s/ Ada Quill\nAda Quill\nDirector"
    found = [each for each in LocalExtractor().extract(made(text)) if each.relation == "holds role"]
    assert [(each.head, each.tail, each.page, each.chunk_id) for each in found] == [
        ("Ada Quill", "Director", 1, "")
    ]


def test_a_call_and_a_document_of_nobody_are_signed_by_none() -> None:
    text = PURSUANT + "/s/ Ada Quill\nAda Quill\nDirector"
    assert not list(signature_triplets(made(text, doc_type="call")))
    nobody = parsed(document(doc_type="other", ticker=None))
    assert not list(signature_triplets(ParsedDocument(nobody.document, (Page(1, text),), (), ())))


@pytest.mark.parametrize(
    "hostile",
    [
        "pursuant to the requirements of the report ",
        "I, Ada Quill, certify ",
        "certifies ",
        "Certification of Ada Quill, President of Acme ",
        "/s/ Ada Quill ",
        "SECURITIES AND EXCHANGE COMMISSION the aggregate market value of ",
        "address Common Stock ACME ",
    ],
)
def test_a_hostile_page_is_read_in_time_that_grows_with_its_length(hostile: str) -> None:
    seconds = []
    for count in (500, 4_000):
        page = made(hostile * count, doc_type="10-K")
        started = time.process_time()
        list(signature_triplets(page)) + list(cover_triplets(page))
        seconds.append(time.process_time() - started)
    assert seconds[1] < 30 * max(seconds[0], 0.01)
