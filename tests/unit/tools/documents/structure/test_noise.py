"""Noise is dropped and counted; facts stay."""

from __future__ import annotations

from tools.documents.structure.noise import Kept, Line, drop_noise


def drop(*pages: str, cover: bool = False, company: str = "") -> Kept:
    lines = [[Line(n, text) for text in page.split("\n")] for n, page in enumerate(pages, 1)]
    return drop_noise(lines, cover, company)


def texts(kept: Kept) -> list[str]:
    return [line.text for line in kept.lines]


def test_running_headers_and_page_numbers_are_dropped_and_counted() -> None:
    pages = [
        f"Table of Contents\nPART I\nItem {n} of the text is here.\nAurora | Q3 Form | {n}"
        for n in range(1, 7)
    ]
    kept = drop(*pages)
    assert texts(kept) == [f"Item {n} of the text is here." for n in range(1, 7)]
    assert kept.dropped == {"running_header": 18}


def test_a_footer_whose_words_change_is_known_by_its_running_number() -> None:
    """A real filing's footers name the statement on the page above."""
    names = ["Statements of Income", "Balance Sheets", "Cash Flows", "Notes", "Key Terms"]
    kept = drop(
        *[f"Text {name} here.\nSales were {n}.\nFinancial {name} {n + 3}" for n, name in enumerate(names)]
    )
    assert kept.dropped == {"running_header": 5}
    assert "Sales were 2." in texts(kept)


def test_unit_notes_and_amounts_at_the_edge_of_many_pages_stay() -> None:
    """'(In millions)' stands at the top of every statement, a total may stand at the foot of several."""
    kept = drop(*[f"(In millions)\nWords of page {n} here.\nTotal $ 5 $ 4" for n in range(6)])
    assert kept.dropped == {}


def test_a_year_alone_on_a_line_is_no_page_number() -> None:
    kept = drop("2023\n2022\nNet sales rose.\n17")
    assert texts(kept) == ["2023", "2022", "Net sales rose."]
    assert kept.dropped == {"page_number": 1}


CONTENTS = """Aurora, Inc.
INDEX
Page
PART I. FINANCIAL INFORMATION
Item 1. Financial Statements
a) Statements of Income for the three months ended October 27, 2023 and October
30, 2022 3
b) Balance Sheets as of October 27, 2023 and 2022 5
Item 2. Management’s Discussion and Analysis 25
Item 4. Controls and Procedures 35
Signature 48
ABOUT OUR WEBSITE
Our website holds more on our products and on the people who make them; it is no part of this."""


def test_a_table_of_contents_is_dropped_with_its_wrapped_entries_and_nothing_after_it() -> None:
    kept = drop("cover", CONTENTS, cover=True, company="Aurora, Inc.")
    assert texts(kept) == ["cover", *CONTENTS.split("\n")[-2:]]
    assert kept.dropped == {"contents": 10, "running_header": 1}
    assert "item 4. controls and procedures" in kept.contents


def test_a_list_of_figures_is_no_table_of_contents() -> None:
    kept = drop("Contents\nWe sell phones in 12 countries.\nSales rose by 5\n")
    assert "We sell phones in 12 countries." in texts(kept)
    assert "Sales rose by 5" in texts(kept)


COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
FORM 10-Q
☒ QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
For the quarterly period ended July 1, 2023
Aurora, Inc.
(Exact name of Registrant as specified in its charter)
Indicate by check mark whether the Registrant is a shell company.
Yes  ☐     No  ☒
247,913,600 shares of common stock were outstanding as of July 20, 2023."""


def test_cover_forms_go_and_cover_facts_stay() -> None:
    kept = drop(COVER, "text", cover=True)
    assert texts(kept)[:3] == [
        "For the quarterly period ended July 1, 2023",
        "Aurora, Inc.",
        "247,913,600 shares of common stock were outstanding as of July 20, 2023.",
    ]
    assert kept.dropped["cover"] == 6


def test_exhibits_and_signatures_after_part_two_are_dropped() -> None:
    body = "PART II\nItem 5. Other\nNone.\nItem 6. Exhibits\n31.1 Certification\nSIGNATURES\nBy: Ann Lee"
    kept = drop(COVER, "Long text here.\n" * 3, body, "CERTIFICATION\nI certify that:", cover=True)
    assert texts(kept)[-1] == "None."
    assert kept.dropped["exhibits"] == 2
    assert kept.dropped["signatures"] == 4


def test_statements_and_notes_behind_exhibits_and_signatures_stay_and_exhibits_do_not() -> None:
    """Annual reports that print them last lost every note."""
    notes = [f"Note {n} tells of what the company owns and owes to others." for n in range(14)]
    terms = [f"Clause {n} of what the company agreed upon with others." for n in range(14)]
    exhibits = ["PART II", "Item 15. Exhibits", "31.1 Certification", "32.1 Certification"]
    signed = ["SIGNATURES", "Pursuant to the law, duly authorized,", "By: Ann Lee", "Ann Lee, Director"]
    own = ["Consolidated Statements of Income", *notes]
    kept = drop(
        "\n".join(["Sales rose.", *exhibits, *own]),
        "\n".join([*signed, *terms, "Notes to Consolidated Financial Statements", *notes]),
        "\n".join(["Exhibit 10.3", *terms]),
        cover=True,
    )
    assert [text for text in texts(kept) if text.startswith("Note ")] == [*notes, *notes]
    assert not any(word in text for text in texts(kept) for word in ("Certification", "Ann Lee", "Clause"))
    assert kept.dropped["attached"] == 29


def test_a_sentence_about_the_statements_ends_no_exhibit() -> None:
    signed = ["PART II", "SIGNATURES", "By: Ann Lee"]
    oath = [f"Certified line {n} of what I say." for n in range(14)]
    told = [
        "financial statements, and other financial information included in",
        "this report present fairly.",
    ]
    kept = drop("\n".join(["Sales rose.", *signed, *oath, *told, *oath]), cover=True)
    assert texts(kept)[-1] == "PART II"
