"""Tables of the real 10-Q filings: arithmetic within a filing, agreement between filings."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from multiprocessing import get_context
from pathlib import Path
from site import addsitedir

import pypdfium2
import pytest

from tools.documents.metadata.document_metadata import Overrides, read_metadata
from tools.documents.read.pdf import page_texts
from tools.documents.tables import find_tables
from tools.documents.types import Page, ParsedDocument, Table, TableFact

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(__file__).parents[3] / "shared" / "data" / "sec-10q" / "docs"
PAGES = 10
PRIMARY = ("income", "balance", "cash_flow", "comprehensive_income", "equity")

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason=f"no filings at {DATA.parent}")


def _parse(path: Path) -> ParsedDocument:
    """The filing's first pages, which hold its primary statements."""
    pages = []
    with pypdfium2.PdfDocument(path) as filing:
        for number in range(1, min(PAGES, len(filing)) + 1):
            pages.append(Page(number, *page_texts(filing[number - 1])))
    document = read_metadata(path, path.name, "0" * 16, pages, Overrides())
    return ParsedDocument(document, tuple(pages), tuple(find_tables(pages, document)), ())


@pytest.fixture(scope="module")
def filings() -> list[ParsedDocument]:
    """All filings, read in two processes."""
    # spawned: a fork of a process with threads may wait for ever
    with ProcessPoolExecutor(2, get_context("spawn"), addsitedir, (str(ROOT),)) as pool:
        return list(pool.map(_parse, sorted(DATA.glob("*.pdf"))))


@dataclass(frozen=True)
class Reading:
    """A figure with the filing and table it was read from."""

    filing: str
    company: str
    table: Table
    fact: TableFact

    @property
    def amount(self) -> Decimal:
        return Decimal(self.fact.value).scaleb(self.fact.scale)

    def __str__(self) -> str:
        return f"{self.filing} p.{self.fact.page} {self.fact.metric}: {self.fact.printed}"


def readings(filings: list[ParsedDocument]) -> Iterator[Reading]:
    for parsed in filings:
        for table in parsed.tables:
            for fact in table.facts:
                yield Reading(parsed.document.name, parsed.document.company_key, table, fact)


def statement(parsed: ParsedDocument, kind: str) -> list[TableFact]:
    return [fact for table in parsed.tables if table.statement == kind for fact in table.facts]


def test_every_filing_has_its_four_statements(filings: list[ParsedDocument]) -> None:
    for parsed in filings:
        kinds = {table.statement for table in parsed.tables}
        assert kinds >= {"income", "balance", "cash_flow", "comprehensive_income"}, parsed.document.name


def test_assets_equal_liabilities_and_equity_at_every_balance_sheet_date(
    filings: list[ParsedDocument],
) -> None:
    for parsed in filings:
        sheet = statement(parsed, "balance")
        assets = {f.period.end: f.value for f in sheet if f.metric.lower() == "total assets"}
        both = {f.period.end: f.value for f in sheet if f.metric.lower().startswith("total liabilities and")}
        assert len(assets) == 2, parsed.document.name
        assert assets == both, parsed.document.name
        assert {f.period.months for f in sheet} == {0}, parsed.document.name
        assert parsed.document.period_end in assets, parsed.document.name


def test_net_income_agrees_between_the_income_and_the_comprehensive_income_statement(
    filings: list[ParsedDocument],
) -> None:
    for parsed in filings:
        names = ("net income", "net income (loss)")
        income = {f.period: f.value for f in statement(parsed, "income") if f.metric.lower() in names}
        other = {
            f.period: f.value for f in statement(parsed, "comprehensive_income") if f.metric.lower() in names
        }
        assert income, parsed.document.name
        assert income == other, parsed.document.name


def test_income_statements_cover_quarters_and_year_to_date_of_two_years(
    filings: list[ParsedDocument],
) -> None:
    for parsed in filings:
        quarter = parsed.document.fiscal_quarter
        assert quarter is not None
        periods = {f.period for f in statement(parsed, "income")}
        assert {p.months for p in periods} == {3, 3 * quarter}, parsed.document.name
        assert {p.fiscal_year for p in periods} == {
            parsed.document.fiscal_year,
            (parsed.document.fiscal_year or 0) - 1,
        }, parsed.document.name
        assert {p.fiscal_quarter for p in periods} == {quarter}, parsed.document.name


def test_earnings_per_share_are_income_divided_by_shares(filings: list[ParsedDocument]) -> None:
    for parsed in filings:
        facts = statement(parsed, "income")
        per_share = [f for f in facts if f.unit == "USD/share"]
        shares = [f for f in facts if f.unit == "shares"]
        assert len(per_share) == len(shares) > 0, parsed.document.name
        earned = {
            f.period: Decimal(f.value).scaleb(f.scale)
            for f in facts
            if f.metric.lower() in ("net income", "net income (loss)")
            or f.metric.lower().startswith("net income (loss) attributable to ")
        }
        for eps, count in zip(per_share, shares, strict=True):
            assert eps.period == count.period
            quotient = earned[eps.period] / Decimal(count.value).scaleb(count.scale)
            assert abs(quotient - Decimal(eps.value)) < Decimal("0.011"), f"{parsed.document.name} {eps}"


def test_totals_of_current_assets_and_liabilities_add_up(filings: list[ParsedDocument]) -> None:
    for parsed in filings:
        sheet = statement(parsed, "balance")
        for side in ("current assets", "current liabilities"):
            for end in {f.period.end for f in sheet}:
                parts = [
                    Decimal(f.value)
                    for f in sheet
                    if f.period.end == end
                    and f.path
                    and f.path[-1].lower() == side
                    and not f.metric.lower().startswith("total")
                ]
                (total,) = [
                    Decimal(f.value)
                    for f in sheet
                    if f.period.end == end and f.metric.lower() == f"total {side}"
                ]
                assert sum(parts) == total, f"{parsed.document.name} {side} {end}"


def test_like_figures_of_two_filings_are_equal_but_for_what_a_filer_recast(
    filings: list[ParsedDocument],
) -> None:
    """One filing's current column is another's prior-year column: a misread period or sign differs.

    The differences that remain are lines that the filers reclassified between filings; there are few.
    """
    values: dict[tuple[object, ...], list[Reading]] = {}
    for reading in readings(filings):
        fact = reading.fact
        if fact.period.end is None or reading.table.statement not in PRIMARY:
            continue
        path = tuple(p.lower().replace("’", "'") for p in fact.path)
        name = fact.metric.lower().replace("’", "'")
        key = (
            reading.company,
            reading.table.statement,
            name,
            path,
            fact.period.end,
            fact.period.months,
            fact.unit,
        )
        values.setdefault(key, []).append(reading)
    shared = [group for group in values.values() if len({r.filing for r in group}) > 1]
    unequal = [group for group in shared if len({r.amount for r in group}) > 1]
    within = [
        g for g in values.values() if len({r.filing for r in g}) == 1 and len({r.amount for r in g}) > 1
    ]
    print(f"{len(shared)} figures printed by two filings, {len(unequal)} of them differ")
    assert len(shared) > 600
    assert not within, "; ".join(str(r) for r in within[0])
    assert len(unequal) <= 0.02 * len(shared), [" / ".join(map(str, group)) for group in unequal]


def test_no_figure_is_implausible_for_its_unit(filings: list[ParsedDocument]) -> None:
    for reading in readings(filings):
        fact = reading.fact
        if fact.unit == "USD/share":
            assert abs(reading.amount) < 1000, str(reading)
        elif fact.unit == "shares":
            assert abs(reading.amount) < 10**11, str(reading)
        elif fact.unit == "USD":
            assert abs(reading.amount) < 10**13, str(reading)
        assert fact.metric
        assert fact.scale in (0, 3, 6, 9), str(reading)


def test_nearly_all_figures_have_a_period(filings: list[ParsedDocument]) -> None:
    every = list(readings(filings))
    without = [r for r in every if r.fact.period.end is None]
    assert len(every) > 6_500
    assert len(without) < 0.01 * len(every)


def test_contents_pages_and_covers_state_nothing(filings: list[ParsedDocument]) -> None:
    for parsed in filings:
        assert not [t for t in parsed.tables if t.page <= 2], parsed.document.name
