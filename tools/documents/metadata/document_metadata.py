"""What is known about a document, each field from the most trusted source that has it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Literal, cast

from tools.documents.metadata.call_intro import Intro, read_intro
from tools.documents.metadata.cover import Cover, read_cover
from tools.documents.metadata.fiscal import fiscal_position
from tools.documents.metadata.paths import PathLabel, read_path
from tools.documents.metadata.registrant_names import (
    aliases,
    display_name,
    name_in_text,
    slug,
    symbol_in_text,
)
from tools.documents.metadata.release import Report, read_report
from tools.documents.metadata.report_title import read_own_title
from tools.documents.metadata.tagged_cover import read_tagged_cover
from tools.documents.text.language import detect_language
from tools.documents.types import KINDS, YEARLY, DocType, Document, Page

_HEAD_CHARACTERS = 400_000
_RELEASE_WITHIN = 8
"""Pages of an 8-K in which the release of results that it furnishes begins."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """Metadata that the user gives, above what the document says; None leaves a field to be read."""

    company: str | None = None
    ticker: str | None = None
    doc_type: DocType | None = None
    year: int | None = None
    """Fiscal year."""
    quarter: Literal[1, 2, 3, 4] | None = None
    """Fiscal quarter."""
    period_end: date | None = None


NO_OVERRIDES = Overrides()


class _Fields:
    """Values with their sources; the first source to offer a value keeps it."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}

    def offer(self, source: str, **values: object) -> None:
        for field, value in values.items():
            if value is not None and field not in self.values:
                self.values[field] = value
                self.sources[field] = source


def read_metadata(
    path: Path, relative_path: str, sha256_id: str, pages: Sequence[Page], overrides: Overrides
) -> Document:
    """The Document of a file whose pages were read; chunk noise (`dropped`) is added later.

    Most trusted first: `overrides`, the filer's tags, the cover page (or a transcript's title and opening, or a
    release's headline), the text, the path. `period_end` is a printed date and never guessed from a label; a path's
    year and quarter are taken only if the document states neither its period's end nor its own label.
    """
    text = "\n".join(page.text for page in pages)[:_HEAD_CHARACTERS]
    label = read_path(relative_path)
    fields = _Fields()
    fields.offer(
        "flag",
        company=overrides.company,
        ticker=overrides.ticker.upper() if overrides.ticker else None,
        doc_type=overrides.doc_type,
        fiscal_year=overrides.year,
        fiscal_quarter=overrides.quarter,
        period_end=overrides.period_end,
    )
    intro = read_intro(pages, label.ticker)
    cover = Cover() if intro is not None else read_cover(pages)
    fields.offer("tags", **read_tagged_cover(pages, cover.registrant, text))
    report = None
    if intro is not None:
        _offer_intro(fields, intro)
    elif cover.doc_type is not None:
        report = read_report(pages[1:_RELEASE_WITHIN], text) if cover.doc_type == "8-K" else None
        _offer_cover(fields, cover, report, pages, text)
    elif (report := read_report(pages, text)) is not None:
        _offer_report(fields, report, pages)
    else:
        named, listed = name_in_text(text)
        fields.offer("text", company=named, ticker=listed)
    own = read_own_title(path, pages)
    if intro is None and cover.doc_type is None:
        fields.offer("text", company=own.company)
    plain = (
        intro is None
        and cover.doc_type is None
        and report is None
        and fields.sources.get("doc_type") != "tags"
    )
    if plain:
        fields.offer("text", fiscal_year=own.fiscal_year, period_end=own.period_end)
    _offer_path(fields, label, names_owner=not plain or label.is_labelled)
    others = [*(intro.aliases if intro else ()), *([cover.former] if cover.former else [])]
    return _document(
        path, relative_path, sha256_id, pages, fields, text, own.title if plain else path.stem, others
    )


def _offer_cover(
    fields: _Fields, cover: Cover, released: Report | None, pages: Sequence[Page], text: str
) -> None:
    """A cover's words; an 8-K with a release of results among its exhibits is of the release's period, another is of
    the year in which its event was."""
    company = display_name(cover.registrant, text) if cover.registrant else None
    fields.offer(
        "cover", doc_type=cover.doc_type, company=company, ticker=cover.ticker, period_end=cover.period_end
    )
    fields.offer("text", ticker=symbol_in_text(text))
    if released is not None:
        _offer_report(fields, released, pages)
    elif cover.doc_type == "8-K":
        fields.offer("cover", fiscal_year=cover.reported.year if cover.reported else None)
    else:
        _offer_position(fields, pages)


def _offer_report(fields: _Fields, report: Report, pages: Sequence[Page]) -> None:
    fields.offer(
        "text",
        doc_type=report.doc_type,
        company=report.company,
        ticker=report.ticker,
        fiscal_year=report.fiscal_year,
        fiscal_quarter=report.fiscal_quarter,
        period_end=report.period_end,
    )
    _offer_position(fields, pages)


def _offer_position(fields: _Fields, pages: Sequence[Page]) -> None:
    kind: DocType = "release" if fields.values["doc_type"] == "8-K" else fields.values["doc_type"]
    end, quarter = fields.values.get("period_end"), fields.values.get("fiscal_quarter")
    position = fiscal_position(pages, end, kind, quarter)
    if position is not None:
        fields.offer("text", fiscal_year=position[0], fiscal_quarter=position[1])


def _offer_intro(fields: _Fields, intro: Intro) -> None:
    fields.offer("cover", doc_type="call", ticker=intro.ticker)
    fields.offer(
        "cover" if intro.titled else "text",
        fiscal_year=intro.fiscal_year,
        fiscal_quarter=intro.fiscal_quarter,
    )
    fields.offer("text", company=intro.company, period_end=intro.period_end)


def _offer_path(fields: _Fields, label: PathLabel, *, names_owner: bool) -> None:
    """`names_owner`: words of the path that are no labels are its company; in 'Handbook.docx' they are its title."""
    fields.offer("path", doc_type=label.doc_type, company=label.company if names_owner else None)
    if "company" not in fields.values or "ticker" not in fields.values:
        fields.offer("path", ticker=label.ticker)
    read = {fields.sources.get(field) for field in ("period_end", "fiscal_year")} & {"tags", "cover", "text"}
    if not read:
        fields.offer("path", fiscal_year=label.year, fiscal_quarter=label.quarter)


def _document(
    path: Path,
    relative_path: str,
    sha256_id: str,
    pages: Sequence[Page],
    fields: _Fields,
    text: str,
    title: str,
    others: Sequence[str],
) -> Document:
    values = fields.values
    ticker = cast("str | None", values.get("ticker"))
    company = cast("str", values.get("company") or ticker or title)
    doc_type = cast("DocType", values.get("doc_type", "other"))
    quarter = values.get("fiscal_quarter") if doc_type not in YEARLY else None
    names = dict.fromkeys([*aliases(company, ticker, text), *others])
    return Document(
        id=sha256_id,
        name=path.name,
        path=relative_path,
        title=_title(company, doc_type, values.get("fiscal_year"), quarter, values.get("period_end"), title),
        company=company,
        company_key=ticker or slug(company),
        ticker=ticker,
        aliases=tuple(alias for alias in names if alias != company),
        doc_type=doc_type,
        fiscal_year=values.get("fiscal_year"),
        fiscal_quarter=quarter,
        period_end=values.get("period_end"),
        pages=len(pages),
        language=detect_language(text),
        sources={field: fields.sources[field] for field in sorted(fields.sources)},
    )


def _title(
    company: str,
    doc_type: DocType,
    year: int | None,
    quarter: int | None,
    end: date | None,
    own: str,
) -> str:
    """'Apple Inc. 10-Q, quarter ended July 1, 2023', 'Aurora Inc. earnings call, fiscal Q2 2021'."""
    if doc_type == "other":
        return own
    kind = KINDS.get(doc_type, doc_type)
    if end is not None:
        span = "fiscal year" if doc_type in YEARLY else "quarter"
        return f"{company} {kind}, {span} ended {end:%B} {end.day}, {end.year}"
    if year is None:
        return f"{company} {kind}"
    return f"{company} {kind}, fiscal {f'Q{quarter} ' if quarter else ''}{year}"
