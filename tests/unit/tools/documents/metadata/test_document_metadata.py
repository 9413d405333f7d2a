"""What a document says of itself, and which source is believed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tools.documents.metadata.document_metadata import NO_OVERRIDES, Overrides, read_metadata
from tools.documents.metadata.paths import PathLabel, read_path
from tools.documents.types import Document, Page

COVER = """FORM 10-Q
QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
For the quarterly period ended {end}
For the transition period from to .
Commission File Number: 001-12345
{name}
(Exact name of Registrant as specified in its charter)
Title of each class Trading symbol(s) Name of each exchange on which registered
Common Stock, $0.001 par value per share AURX The Nasdaq Stock Market LLC
1.375% Notes due 2024 — The Nasdaq Stock Market LLC
"""
BALANCE = "CONDENSED CONSOLIDATED BALANCE SHEETS\n(In millions)\n{end}\n{last}\nTotal assets $ 5 $ 4"


def read(*texts: str, path: str = "x.pdf", overrides: Overrides = NO_OVERRIDES) -> Document:
    pages = [Page(number, text) for number, text in enumerate(texts, 1)]
    return read_metadata(Path(path), path, "id", pages, overrides)


def filing(end: str, last: str, name: str = "AURORA DEVICES, INC.", path: str = "x.pdf") -> Document:
    return read(COVER.format(end=end, name=name), BALANCE.format(end=end, last=last), path=path)


def test_a_cover_gives_company_ticker_type_and_period_end() -> None:
    document = filing("July 1, 2023", "September 24, 2022")
    assert (document.company, document.ticker, document.company_key) == (
        "Aurora Devices, Inc.",
        "AURX",
        "AURX",
    )
    assert (document.doc_type, document.period_end) == ("10-Q", date(2023, 7, 1))
    assert document.title == "Aurora Devices, Inc. 10-Q, quarter ended July 1, 2023"
    assert document.aliases == ("Aurora Devices", "AURX")
    assert document.sources["period_end"] == "cover"


@pytest.mark.parametrize(
    ("end", "last", "year", "quarter"),
    [
        ("July 1, 2023", "September 24, 2022", 2023, 3),  # fiscal years that end in September
        ("December 31, 2022", "September 24, 2022", 2023, 1),
        ("December 31, 2022", "June 30, 2022", 2023, 2),  # June
        ("September 30, 2022", "June 30, 2022", 2023, 1),
        ("October 29, 2023", "January 29, 2023", 2024, 3),  # January
        ("September 30, 2023", "December 31, 2022", 2023, 3),
        ("April 1, 2023", "December 31, 2022", 2023, 1),
        (
            "April 3, 2021",
            "January 2, 2021",
            2021,
            1,
        ),  # 52/53 weeks: the year that ended on January 2 was 2020
        ("Oct 1, 2022", "Dec 25, 2021", 2022, 3),
    ],
)
def test_fiscal_year_and_quarter_come_from_the_balance_sheet(
    end: str, last: str, year: int, quarter: int
) -> None:
    document = filing(end, last)
    assert (document.fiscal_year, document.fiscal_quarter) == (year, quarter)


def test_a_path_label_never_overrules_what_the_document_says() -> None:
    """Real file names say calendar quarters, fiscal ones or neither."""
    document = filing("December 31, 2022", "June 30, 2022", path="2023 Q1 AURX.pdf")
    assert (document.fiscal_year, document.fiscal_quarter) == (2023, 2)
    undated = read("Some notes.", path="2023 Q1 AURX.txt")
    assert (undated.fiscal_year, undated.fiscal_quarter, undated.ticker) == (2023, 1, "AURX")
    assert undated.period_end is None
    assert undated.sources["fiscal_year"] == "path"


def test_the_statements_span_decides_where_no_balance_sheet_date_does() -> None:
    text = "STATEMENTS OF INCOME\nThree Months Ended Nine Months Ended\nSeptember 30, 2023"
    document = read(COVER.format(end="September 30, 2023", name="Aurora, Inc."), text)
    assert (document.fiscal_year, document.fiscal_quarter) == (2023, 3)


def test_an_annual_report_has_a_year_and_no_quarter() -> None:
    cover = COVER.replace("10-Q", "10-K").replace("quarterly period", "fiscal year").format
    document = read(cover(end="September 30, 2023", name="Aurora, Inc."), path="AURX_2022_10K.pdf")
    assert (document.doc_type, document.fiscal_year, document.fiscal_quarter) == ("10-K", 2023, None)
    assert document.period_end == date(2023, 9, 30)


def test_the_registrants_name_is_found_over_ruled_lines_and_without_the_charter_line() -> None:
    ruled = COVER.replace("{name}\n", "____________\n{name}\n____________\n")
    assert read(ruled.format(end="July 1, 2023", name="AMBER.COM, INC.")).company == "Amber.com, Inc."
    bare = COVER.replace("(Exact name of Registrant as specified in its charter)\n", "")
    assert read(bare.format(end="July 1, 2023", name="AURORA CORPORATION")).company == "Aurora Corporation"


def test_a_name_in_capitals_takes_the_spelling_of_the_text() -> None:
    text = "iRobotics and ORBIA Corporation agreed. ORBIA makes chips. " * 6
    assert (
        read(COVER.format(end="July 1, 2023", name="ORBIA CORPORATION"), text).company == "ORBIA Corporation"
    )


def test_what_the_filing_calls_its_company_is_an_alias_unless_any_filer_says_it() -> None:
    text = (
        "Aurora Devices, Inc. and its subsidiaries (collectively “Aurora,” “Aurora Devices” or the “Company”)"
    )
    document = read(COVER.format(end="July 1, 2023", name="Aurora Devices, Inc."), text)
    assert set(document.aliases) == {"Aurora Devices", "Aurora", "AURX"}


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("2023 Q3 AAPL.pdf", PathLabel(None, "AAPL", None, 2023, 3)),
        ("ADM/2021/ECT/ECT-Q2-2021.pdf", PathLabel(None, "ADM", "call", 2021, 2)),
        ("docs/ADM/2021/ECT/ECT-Q2-2021.pdf", PathLabel(None, "ADM", "call", 2021, 2)),
        ("Apple/2023/10Q_10K/10Q-Q2-2023.pdf", PathLabel("Apple", None, "10-Q", 2023, 2)),
        ("3M_2022_10K.pdf", PathLabel("3M", None, "10-K", 2022, None)),
        ("AAPL 10-Q 2023Q1.pdf", PathLabel(None, "AAPL", "10-Q", 2023, 1)),
        ("notes.txt", PathLabel()),
        ("Annual Report 2022.pdf", PathLabel(None, None, None, 2022, None)),
        ("ORLAVIX_2022Q4_EARNINGS.pdf", PathLabel("ORLAVIX", None, "release", 2022, 4)),
        ("Orlavix_2023_8-K.pdf", PathLabel("Orlavix", None, "8-K", 2023, None)),
        ("Block_2020_10K.pdf", PathLabel("Block", None, "10-K", 2020, None)),
    ],
)
def test_paths_are_read(path: str, label: PathLabel) -> None:
    assert read_path(path) == label


CALL = """{title}
Call participants
Ann Lee--President and Chief Executive Officer
Bob Roy--Harbor Bank -- Analyst
Prepared Remarks
Operator
{opening}
Ann Lee
Thank you. {reply}
"""


WELCOME = "Welcome to the"


@pytest.mark.parametrize(
    ("opening", "reply", "company"),
    [
        (f"{WELCOME} Aurora Incorporated 2021 Second Quarter Conference Call.", "", "Aurora Incorporated"),
        ("Good day, and welcome to AUR's Fiscal 2021 Second Quarter Earnings Call.", "", "AUR"),
        (f"{WELCOME} Second Quarter 2021 Aurora Technologies Earnings Call.", "", "Aurora Technologies"),
        (f"{WELCOME} Second Quarter Call for Aurora, Inc. If you wish, dial 1.", "", "Aurora, Inc."),
        (f"{WELCOME} Q2 2021 AuroraNow earnings conference call.", "", "AuroraNow"),
        (f"{WELCOME} Aurora Golf Company's call.", "Welcome to Aurora's call.", "Aurora Golf Company"),
        (f"{WELCOME} Aurora Industries' Second Quarter Results Call.", "", "Aurora Industries"),
        (f"{WELCOME} Auroa, Inc. call.", "Welcome to the call for Aurora, Inc. Aurora grew.", "Aurora, Inc."),
        (
            f"{WELCOME} Aurora Incorporated call.",
            "Dan, President of Aurora Global Metals, and Al, CFO of Aurora U.S., are here. Aurora grew.",
            "Aurora Incorporated",
        ),
        (f"{WELCOME} earnings conference call.", "Aurora's results were good. At Aurora we try.", "Aurora"),
    ],
)
def test_a_call_names_its_company_in_its_opening(opening: str, reply: str, company: str) -> None:
    text = CALL.format(title="AUR Q2 2021 Earnings Call Transcript", opening=opening, reply=reply)
    document = read(text, path="AUR/2021/ECT/ECT-Q2-2021.pdf")
    assert document.company == company
    assert document.company_key == "AUR"


def test_a_call_that_names_no_company_goes_by_its_ticker() -> None:
    text = CALL.format(title="ZQX Q2 2021 Earnings Call Transcript", opening="Welcome to the call.", reply="")
    assert read(text).company == "ZQX"


def test_a_calls_period_end_is_taken_only_when_it_is_that_of_its_own_quarter() -> None:
    title = "AUR Q2 2021 Earnings Call Transcript"
    stated = "Welcome to Aurora's call on the second quarter ended June 30, 2021."
    assert read(CALL.format(title=title, opening=stated, reply="")).period_end == date(2021, 6, 30)
    boilerplate = (
        "See Form 10-K for the year ended May 30, 2019, and Form 10-Q for the quarter ended August 29, 2019."
    )
    assert read(CALL.format(title=title, opening=boilerplate, reply="")).period_end is None
    other = "Welcome. In the first quarter ended March 31, 2021 we grew."
    assert read(CALL.format(title=title, opening=other, reply="")).period_end is None


def test_a_titles_ticker_may_stand_in_brackets() -> None:
    text = CALL.format(
        title="Aurora Inc. (NASDAQ: AUR) Q2 2021 Earnings Call Transcript", opening="Hello.", reply=""
    )
    document = read(text)
    assert (document.company, document.ticker, document.fiscal_quarter) == ("Aurora Inc.", "AUR", 2)


def test_another_kind_of_document_keeps_to_what_is_known() -> None:
    document = read("Minutes of a meeting about the weather.", path="notes.txt")
    assert (document.doc_type, document.ticker, document.fiscal_year, document.period_end) == (
        "other",
        None,
        None,
        None,
    )
    assert document.title == "notes"


def test_a_press_release_is_about_the_company_it_keeps_naming() -> None:
    release = (
        "BOISE, May 2. Aurora Devices, Inc. (NASDAQ: AUR) today reported results. Aurora Devices grew 5%."
    )
    document = read(release, path="release.md")
    assert (document.company, document.ticker, document.doc_type) == (
        "Aurora Devices, Inc.",
        "AUR",
        "release",
    )
    assert read("We met Deloitte LLC once.", path="notes.txt").company == "notes"


def test_a_call_that_cites_a_form_stays_a_call() -> None:
    cited = "Form 10-K for the year ended December 31, 2020\nFiled pursuant to Section 13 of the Act."
    title = f"AUR Q3 2021 Earnings Call Transcript\n{cited}"
    document = read(CALL.format(title=title, opening=f"{WELCOME} Aurora third quarter call.", reply=""))
    assert (document.doc_type, document.fiscal_year, document.fiscal_quarter) == ("call", 2021, 3)


def test_an_8_k_with_a_release_is_of_the_releases_quarter_and_another_of_its_events_year() -> None:
    cover = COVER.replace("10-Q", "8-K").format(end="July 1, 2023", name="Aurora, Inc.")
    cover += "Date of Report (Date of earliest event reported): August 3, 2023\n"
    bare = read(cover, "Item 5.07. Votes were cast.")
    assert (bare.doc_type, bare.fiscal_year, bare.period_end) == ("8-K", 2023, None)
    released = read(
        cover,
        "Aurora Reports Second Quarter 2023 Results\nAurora today reported its quarter ended July 1, 2023.",
    )
    assert (released.doc_type, released.fiscal_quarter, released.period_end) == ("8-K", 2, date(2023, 7, 1))
    assert (released.company, released.sources["company"]) == ("Aurora, Inc.", "cover")


def test_what_the_user_says_is_kept_over_a_release() -> None:
    text = "Aurora Reports Second Quarter 2023 Results\nFor immediate release: Aurora grew."
    document = read(text, overrides=Overrides(doc_type="other", company="Kestrel", year=2020))
    assert (document.doc_type, document.company, document.fiscal_year) == ("other", "Kestrel", 2020)
