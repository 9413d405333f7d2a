"""A mirror of EDGAR for tests: a real HTTP server on loopback with made-up pages at EDGAR's documented addresses.

with mirroring() as mirror:
    mirror.company("KSTL", 1234567, {"10-Q": ["2024-03-30", "2023-12-30"]})
    mirror.faults["/files/company_tickers.json"] = [Reply(429, {"Retry-After": "1"})]   # before what is there
    run(mirror.environment)                     # HYBRIDRAG_EDGAR_URL and its kin, for hybridrag fetch
    assert mirror.asked == [...]                # paths, oldest first
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

IDENTITY = "Orla Kestrel orla@example.com"
PAGE = """<html><head><title>10-Q</title></head><body>
<p>FORM 10-Q</p><p>For the quarterly period ended {date}</p><p>{name}</p><p>Trading symbol {ticker}</p>
<p>Revenue of {name} rose because of higher demand for clocks.</p></body></html>"""


@dataclass(frozen=True)
class Reply:
    """A status, headers and a body; `promised`: the length that is said of it, where it is cut."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    promised: int | None = None


@dataclass
class Mirror:
    """What is served, and what was asked for."""

    url: str = ""
    pages: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[Reply]] = field(default_factory=dict)
    """Path -> what is answered first, one a request."""
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)

    @property
    def environment(self) -> dict[str, str]:
        """Variables that lead the command here."""
        return {
            "HYBRIDRAG_EDGAR_URL": self.url,
            "HYBRIDRAG_EDGAR_DATA_URL": f"{self.url}/data",
            "EDGAR_IDENTITY": IDENTITY,
        }

    def company(self, ticker: str, cik: int, filings: Mapping[str, list[str]], pages: int = 1) -> list[str]:
        """Serve a company with a filing of each form for each date, the newest first; its list is in so many pages.
        Returns the paths of the documents."""
        tickers = {"0": {"cik_str": cik, "ticker": ticker, "title": f"{ticker} Corp"}}
        self.pages["/files/company_tickers.json"] = json.dumps(tickers).encode()
        rows, paths = [], []
        for form, dates in filings.items():
            for date in dates:
                accession = f"{cik:010d}-{date[2:4]}-{len(rows):06d}"
                name = f"{ticker.lower()}-{date.replace('-', '')}.htm"
                rows.append((accession, date, date, form, name))
                paths.append(f"/Archives/edgar/data/{cik}/{accession.replace('-', '')}/{name}")
                page = PAGE.format(date=date, name=f"{ticker} Corp", ticker=ticker)
                self.pages[paths[-1]] = page.encode()
        self.listing(cik, rows, pages)
        return paths

    def listing(self, cik: int, rows: list[tuple[str, str, str, str, str]], pages: int = 1) -> None:
        """Serve a list of filings: (accession number, filed, report date, form, document)."""
        size = -(-len(rows) // pages) or 1
        first, *older = [rows[at : at + size] for at in range(0, len(rows) or 1, size)]
        names = [f"CIK{cik:010d}-submissions-{number:03d}.json" for number in range(1, len(older) + 1)]
        files = [{"name": name, "filingCount": len(part)} for name, part in zip(names, older, strict=True)]
        whole = {
            "cik": str(cik),
            "name": "Kestrel Corp",
            "filings": {"recent": columns(first), "files": files},
        }
        self.pages[f"/data/submissions/CIK{cik:010d}.json"] = json.dumps(whole).encode()
        for name, part in zip(names, older, strict=True):
            self.pages[f"/data/submissions/{name}"] = json.dumps(columns(part)).encode()


def columns(rows: list[tuple[str, str, str, str, str]]) -> dict[str, list[str]]:
    """Rows as EDGAR writes them."""
    names = ("accessionNumber", "filingDate", "reportDate", "form", "primaryDocument")
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


@contextmanager
def mirroring() -> Iterator[Mirror]:
    """A mirror that runs."""
    mirror = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            mirror.asked.append(self.path)
            mirror.agents.add(self.headers["User-Agent"])
            waiting = mirror.faults.get(self.path)
            if waiting:
                reply = waiting.pop(0)
            elif self.path in mirror.pages:
                reply = Reply(body=mirror.pages[self.path])
            else:
                reply = Reply(404)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            promised = len(reply.body) if reply.promised is None else reply.promised
            self.send_header("Content-Length", str(promised))
            self.end_headers()
            self.wfile.write(reply.body)
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    mirror.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield mirror
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
