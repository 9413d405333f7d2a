"""Speed of the page in a headless Chromium on loopback: until it can be used, until a question's first step is shown,
and until a cited page of a PDF is drawn with its mark.

    python -m evals.page_speed --home DIR --question QUESTION [--runs 9] [--browser PATH] [--json]

QUESTION's first citation must lead to a row or sentence of a PDF. `hybridrag web` runs as a process of its own; times
are by the browser's own clock. Each run has a new browser profile, so nothing is in its cache; a first run is not
counted. The threads that it makes are deleted. Needs `playwright` (the extra `dev`) and a Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
RUNS = 9
START_MILLISECONDS = 120_000
"""And a server that is still opening a large index."""
ANSWER_MILLISECONDS = 300_000
"""How long an answer, which is not what is measured here, is waited for."""
USABLE = """new MutationObserver((_, watch) => { if (document.body?.dataset.begun) {
    watch.disconnect(); window.usable = performance.now(); } })
    .observe(document, { attributes: true, childList: true, subtree: true });"""
"""Notes when the page is drawn and takes questions, in milliseconds since it was called for."""
FIRST_STEP = """(question) => new Promise((done) => {
    const box = document.querySelector('#question');
    box.value = question;
    const begun = performance.now();
    new MutationObserver((_, watch) => { if (document.querySelector('.progress li')) {
        watch.disconnect(); requestAnimationFrame(() => done(performance.now() - begun)); } })
        .observe(document.querySelector('#talk'), { childList: true, subtree: true });
    document.querySelector('#send').click();
})"""
MARKED = """() => new Promise((done) => {
    const pane = document.querySelector('#source');
    const begun = performance.now();
    new MutationObserver((_, watch) => { if (pane.dataset.marked) {
        watch.disconnect();
        requestAnimationFrame(() => done([performance.now() - begun, Number(pane.dataset.marked)])); } })
        .observe(pane, { attributes: true });
    document.querySelector('.answer .cite').click();
})"""
"""The pane says how much is marked once the page is drawn."""


class PageSpeedError(Exception):
    """What was to be measured did not happen."""


def measured(browser: Browser, address: str, question: str) -> dict[str, float]:
    """Seconds of one run, by what was waited for. `address`: the one that lets a browser in. PageSpeedError where the
    answer cites nothing that is marked."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.add_init_script(USABLE)
    page = context.new_page()
    try:
        page.goto(address)
        page.wait_for_selector("body[data-begun]", timeout=START_MILLISECONDS)
        usable = page.evaluate("window.usable")
        step = page.evaluate(FIRST_STEP, question)
        page.wait_for_selector(".answer, .options, .ended", timeout=ANSWER_MILLISECONDS)
        if not page.locator(".answer .cite").count():
            raise PageSpeedError(f"'{question}' got no answer with a source.")
        opened, marks = page.evaluate(MARKED)
        if not marks or not page.locator("#source canvas").count():
            raise PageSpeedError(f"The first source of '{question}' is no PDF, or nothing is marked in it.")
    finally:
        thread = page.url.partition("/t/")[2].partition("/")[0]
        if thread:
            context.request.delete(page.url.partition("/t/")[0] + f"/api/threads/{thread}")
        context.close()
    return {"page load": usable / 1000, "first step": step / 1000, "cited page": opened / 1000}


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address that `hybridrag web` prints. Raises PageSpeedError where it prints none."""
    words = [sys.executable, "-m", "agent.cli.main", "web", "--home", str(home), "--port", "0"]
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, text=True, env={**os.environ, "HYBRIDRAG_ENGINE": "local"}
    )
    assert process.stdout is not None
    try:
        told = process.stdout.readline()
        if not told.startswith("Open "):
            raise PageSpeedError(f"'hybridrag web' did not start: {told.strip()}")
        yield told.removeprefix("Open ").strip()
    finally:
        process.terminate()
        process.communicate()


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; exit code 1 where what was to be measured did not happen."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(prog="python -m evals.page_speed", description=__doc__.split("\n\n")[0])
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--question", required=True)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--browser", default=next(filter(None, map(shutil.which, BROWSERS)), None))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    try:
        with serving(given.home) as address, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=given.browser, args=["--no-sandbox"])
            measured(browser, address, given.question)
            runs = [measured(browser, address, given.question) for _ in range(given.runs)]
            browser.close()
    except PageSpeedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    told: dict[str, Any] = {name: sorted(round(run[name], 4) for run in runs) for name in runs[0]}
    for name, seconds in told.items():
        middle, spread = statistics.median(seconds), f"{seconds[0]:.3f} to {seconds[-1]:.3f}"
        words = f"{name:10}  median {middle:.3f} s ({spread}), {given.runs} runs"
        print(json.dumps({"what": name, "seconds": seconds}) if given.json else words)
    return 0


if __name__ == "__main__":
    sys.exit(main())
