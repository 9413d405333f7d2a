"""A browser, the page's server, and a browser's context in which nothing may fail or leave this machine."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from evals.report.report_files import write_reports
from tests.eval_runs import item, results, row
from tests.web_page import BROWSER, Served, serving_page


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def served(untouched_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("web")
    home = Path(shutil.copytree(untouched_home, folder / "home"))
    (folder / "results" / "calls").mkdir(parents=True)
    write_reports(
        results([row("agent", scores={"context_recall": 0.5})], [item()]), folder / "results" / "calls"
    )
    with serving_page(home, reports=folder / "results") as started:
        yield started


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own, in which nothing of the page may fail or leave this machine."""
    opened = browser.new_context(viewport={"width": 1440, "height": 900})
    faults: list[str] = []
    opened.on("weberror", lambda error: faults.append(str(error.error)))
    opened.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    opened.on("request", lambda asked: faults.append(asked.url) if "://127.0.0.1" not in asked.url else None)
    yield opened
    opened.close()
    expected = (
        "status of 4",
        "ERR_CONNECTION",
        "ERR_SOCKET_NOT_CONNECTED",  # of a server that was killed, as the one above
        "ERR_EMPTY_RESPONSE",
        "ERR_INCOMPLETE_CHUNKED",
        "blob:http://127.0.0.1",
    )
    assert [fault for fault in faults if not any(words in fault for words in expected)] == []
