"""Who audits a company: the firm that signs its report on the accounts, or that the tags name."""

from __future__ import annotations

from builders import document

from tools.documents.types import Page, ParsedDocument
from tools.knowledge.extract.auditors import auditor_triplets

REPORT = "Report of Independent Registered Public Accounting Firm\nTo the Shareholders of Acme Inc."


def audited(
    *texts: str, named: tuple[tuple[str, str], ...] = (), doc_type: str = "10-K"
) -> list[tuple[str, int, str]]:
    pages = tuple(Page(n, text, named=named if n == 1 else ()) for n, text in enumerate(texts, 1))
    read = ParsedDocument(document(doc_type=doc_type), pages, (), ())
    return [(each.tail, each.page, each.quote) for each in auditor_triplets(read)]


def test_the_firm_that_signs_the_report_of_auditors_is_named_once() -> None:
    signed = f"{REPORT}\n/s/ Quill & Lund LLP\nDenver, Colorado"
    assert audited("Cover", signed, signed) == [("Quill & Lund LLP", 2, "/s/ Quill & Lund LLP")]


def test_the_signature_may_stand_on_the_page_behind_and_in_capitals() -> None:
    assert audited(REPORT, "critical matters.\n/S/ QUILL & LUNDQVIST LLP") == [
        ("Quill & Lundqvist LLP", 2, "/S/ QUILL & LUNDQVIST LLP")
    ]
    assert audited(REPORT, "x\n/s/ QLMN LLP")[0][0] == "QLMN LLP"


def test_the_auditor_of_the_years_before_is_left_out() -> None:
    before = f"{REPORT}\nWe served as the Company's auditor from 2011 to 2019.\n/s/ Oldroyd LLP"
    now = f"{REPORT}\nWe have served as the Company's auditor since 2019.\n/s/ Quill LLP"
    assert [firm for firm, *_ in audited(now, before)] == ["Quill LLP"]


def test_what_the_tags_name_comes_before_signatures_of_others() -> None:
    text = f"{REPORT}\n/s/ Oldroyd LLP"
    assert audited("Cover", text, named=(("dei:AuditorName", "Quill LLP"),)) == [
        ("Quill LLP", 1, "Quill LLP")
    ]


def test_whose_time_is_over_is_told_by_the_sentence_beside_the_signature() -> None:
    both = f"""{REPORT}
/s/ Oldroyd LLP
We served as the Partnership's auditor from 2005 to 2018.
{"The consolidated statements of the years after. " * 20}
/s/ Quill, P.C.
We have served as the Partnership's auditor since 2018."""
    assert [firm for firm, *_ in audited(both)] == ["Quill, P.C."]


def test_a_tagged_firm_is_cited_where_it_is_printed() -> None:
    pages = ("Cover", "Our auditor is Quill LLP.")
    assert audited(*pages, named=(("dei:AuditorName", "Quill LLP"),)) == [("Quill LLP", 2, "Quill LLP")]


def test_officers_and_pages_without_an_auditor_name_no_firm() -> None:
    assert audited("SIGNATURES\n/s/ Ada Quill\nPresident", f"{REPORT}\n/s/ Ada Quill") == []
    assert audited("Indenture\n/s/ Quill Trustee LLP") == []
    assert audited(f"{REPORT}\n/s/ Quill LLP", "Consent\n/s/ Oil Engineers LLP")[0][0] == "Quill LLP"
    assert audited(f"{REPORT}\nIn witness whereof\n/s/ Lund Bank, Inc.") == []
    assert audited(f"{REPORT}\n/s/ Quill LLP", doc_type="call") == []
