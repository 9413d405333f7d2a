"""`hybridrag fetch`: a company's newest filings from EDGAR into a folder, then into the index."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.cli.index_command import index_paths
from agent.display.printable import printable
from agent.display.screen import Screen
from agent.errors import UsageError
from agent.settings import Settings

if TYPE_CHECKING:
    from agent.edgar.fetching import Fetched

DEFAULT_FORMS = ("10-K", "10-Q")


def fetch(args: argparse.Namespace, screen: Screen) -> int:
    """Fetch, then index the folder. Exit code 2 also where something asked for is not at EDGAR or not read."""
    from agent.edgar.edgar_client import EdgarError

    assistant = Assistant.open(args.home)
    try:
        skipped = _fetch_all(args, assistant.settings, screen)
    except EdgarError as error:
        raise EdgarError(
            f"{error} What was fetched is kept in '{args.out}'; to go on, run the command again."
        ) from error
    if args.no_index:
        return 2 if skipped else 0
    report = index_paths(assistant, [args.out], None, screen)
    return 1 if report.counts.get("incomplete") else 2 if skipped or report.counts.get("failed") else 0


def _fetch_all(args: argparse.Namespace, settings: Settings, screen: Screen) -> int:
    """How much of what was asked for is not there."""
    from agent.edgar.edgar_client import EdgarClient
    from agent.edgar.fetching import fetch, one_at_a_time
    from agent.edgar.filing_list import Addresses, find_cik, newest

    addresses = Addresses(settings.edgar_url.rstrip("/"), settings.edgar_data_url.rstrip("/"))
    forms = [form.upper() for form in args.form or DEFAULT_FORMS]
    skipped = 0
    with EdgarClient(addresses.site, _identity(settings)) as client, one_at_a_time(args.out):
        for company in args.companies:
            filings = newest(client, addresses, find_cik(client, addresses, company), forms, args.last)
            if not filings:
                skipped += 1
                screen.note(f"{company}: EDGAR lists no {' or '.join(forms)}.")
            for filing in filings:
                done = fetch(client, filing, args.out, company.upper())
                skipped += done.state == "skipped"
                screen.json(_record(done))
                where = done.path or f"{filing.accession} ({done.reason})"
                screen.line(f"{done.state}: {filing.form} of {filing.report_date or filing.filed}: {where}")
    return skipped


def _identity(settings: Settings) -> str:
    """Name and e-mail address, as EDGAR asks for them."""
    said = settings.edgar_identity or ""
    if "@" not in said or not (said.isascii() and said.isprintable()):
        raise UsageError(
            "EDGAR wants to know who asks: set EDGAR_IDENTITY to your name and e-mail address in plain letters, "
            'as in EDGAR_IDENTITY="Ada Lovelace ada@example.com".'
        )
    return said


def _record(done: Fetched) -> dict[str, Any]:
    filing = done.filing
    return {
        "state": done.state,
        "document": printable(str(done.path)) if done.path else None,
        "reason": done.reason or None,
        "company": filing.company,
        "form": filing.form,
        "report_date": filing.report_date or None,
        "accession": filing.accession,
        "url": filing.url or None,
    }
