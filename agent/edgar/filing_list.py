"""Which filings a company has made, by EDGAR's documented JSON: company_tickers.json and submissions/CIK….json.

What is listed becomes a part of addresses and file names, so each part must be what EDGAR documents, or it is an error.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeVar

from pydantic import BaseModel, StringConstraints, TypeAdapter, ValidationError

from agent.edgar.edgar_client import EdgarClient, EdgarError, EdgarMissingError
from agent.errors import UsageError

TICKERS = "{site}/files/company_tickers.json"
SUBMISSIONS = "{data}/submissions/{name}"
DOCUMENT = "{site}/Archives/edgar/data/{cik}/{folder}/{name}"

_DATE = r"\d{4}-\d{2}-\d{2}"
_NAME = r"[\w-]+(?:\.[\w-]+)*"
_ROW = re.compile(rf"\d{{10}}-\d{{2}}-\d{{6}}\n{_DATE}\n(?:{_DATE})?\n(?:{_NAME}(?:/{_NAME})?)?", re.ASCII)
"""Accession number, date of filing, end of the period, primary document; a line each."""


class _Listed(BaseModel):
    """Columns of equal length, one row a filing, the newest first."""

    accessionNumber: list[str]
    filingDate: list[str]
    reportDate: list[str]
    form: list[str]
    primaryDocument: list[str]


class _Page(BaseModel):
    name: Annotated[str, StringConstraints(pattern=r"^[\w-]+\.json$")]


class _Filings(BaseModel):
    recent: _Listed
    files: list[_Page] = []


class _Submissions(BaseModel):
    name: str
    filings: _Filings


class _Ticker(BaseModel):
    cik_str: int
    ticker: str


Kind = TypeVar("Kind")
_TICKERS = TypeAdapter(dict[str, _Ticker])


@dataclass(frozen=True, slots=True)
class Filing:
    """One filing, as listed."""

    company: str
    cik: int
    accession: str
    form: str
    filed: str
    """YYYY-MM-DD."""
    report_date: str
    """End of the period reported, YYYY-MM-DD; '' where the form has none."""
    url: str
    """Of its primary document; '' where an old filing names none."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where EDGAR is."""

    site: str
    """Tickers and documents: https://www.sec.gov"""
    data: str
    """Lists of filings: https://data.sec.gov"""


CIK_DIGITS = 10


class UnknownFilerError(UsageError):
    """No company has this ticker or number."""


def find_cik(client: EdgarClient, addresses: Addresses, wanted: str) -> int:
    """A company's number at EDGAR, of a ticker in any case or of that number. UnknownFilerError, EdgarError."""
    if wanted.isdecimal() and len(wanted) <= CIK_DIGITS:
        return int(wanted)
    folded = wanted.casefold().replace(".", "-")  # EDGAR writes BRK-B
    listed = _read(_TICKERS, client.get(TICKERS.format(site=addresses.site)), "its list of tickers")
    found = next((each.cik_str for each in listed.values() if each.ticker.casefold() == folded), None)
    if found is None:
        raise UnknownFilerError(
            f"EDGAR lists no company with the ticker '{wanted}'. Its number (CIK) can be given, too."
        )
    return found


def newest(
    client: EdgarClient, addresses: Addresses, cik: int, forms: Sequence[str], last: int
) -> list[Filing]:
    """The `last` newest filings of each form, the newest first; amendments only where their form ('10-Q/A') is asked
    for. Older pages of the list are read only as far as needed. UnknownFilerError, EdgarError."""
    found: dict[str, list[Filing]] = {form: [] for form in forms}
    for filing in _filings(client, addresses, cik, found):
        if len(found[filing.form]) < last:
            found[filing.form].append(filing)
        if all(len(each) == last for each in found.values()):
            break
    return [filing for form in found for filing in found[form]]


def _filings(client: EdgarClient, addresses: Addresses, cik: int, forms: Container[str]) -> Iterator[Filing]:
    """Those of `forms`, the newest first."""
    name = f"CIK{cik:010d}.json"
    try:
        body = client.get(SUBMISSIONS.format(data=addresses.data, name=name))
    except EdgarMissingError as error:
        raise UnknownFilerError(f"EDGAR lists no filer with the number (CIK) {cik}.") from error
    submissions = _read(TypeAdapter(_Submissions), body, f"the list {name}")
    for listed in _pages(client, addresses, submissions.filings):
        columns = (listed.accessionNumber, listed.filingDate, listed.reportDate, listed.primaryDocument)
        if {len(column) for column in columns} != {len(listed.form)}:
            raise EdgarError("EDGAR's list of filings is not as documented: its columns differ in length.")
        for form, *row in zip(listed.form, *columns, strict=True):
            if form not in forms:
                continue
            if not _ROW.fullmatch("\n".join(row)):
                raise EdgarError(f"EDGAR's list of filings is not as documented: {row}.")
            accession, filed, report_date, document = row
            folder = accession.replace("-", "")
            url = DOCUMENT.format(site=addresses.site, cik=cik, folder=folder, name=document)
            yield Filing(submissions.name, cik, accession, form, filed, report_date, url if document else "")


def _pages(client: EdgarClient, addresses: Addresses, filings: _Filings) -> Iterator[_Listed]:
    yield filings.recent
    for page in filings.files:
        body = client.get(SUBMISSIONS.format(data=addresses.data, name=page.name))
        yield _read(TypeAdapter(_Listed), body, f"the list {page.name}")


def _read(kind: TypeAdapter[Kind], body: bytes, what: str) -> Kind:
    try:
        return kind.validate_json(body)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise EdgarError(f"EDGAR sent {what} otherwise than documented: {where}: {first['msg']}.") from error
