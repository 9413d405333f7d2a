"""Are citations marked on the line that they rest on? Every one is opened in the page by a click, in a headless
Chromium, and what is marked on the screen is compared with what the answer cites.

    python -m evals.page_citations --home DIR --questions FILE.jsonl [--most 200] [--out FILE.jsonl] [--shots FOLDER]
                                   [--browser PATH]

FILE has a question a line (`question`, as the sets of `evals.natural`); they are asked in its order until `--most`
citations are opened, a quarter of each kind of document. Marked is what lies under the marks that are drawn, word by
word, in the page's own text. Plainly right is a figure whose row's label and printed cell are both marked, on a line
that no other of the page equals in that, and a sentence all of whose letters are marked and no line besides; all else
is to be read, with `--out` and `--shots` (a picture a citation). The threads that it makes are deleted. Needs
`playwright` (the extra `dev`) and a Chromium.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.assistant import Assistant
from agent.errors import OUR_FAILURES, USER_MISTAKES
from evals.page_speed import ANSWER_MILLISECONDS, BROWSERS, START_MILLISECONDS, PageSpeedError, serving

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

KINDS = ("10-K or 10-Q", "EDGAR HTML", "call", "release or 8-K")
OUTCOMES = ("right", "several", "besides", "unlike", "unmarked", "unopened")
"""Plainly right; the page has several lines like the one marked; a line is marked that is not cited; what is cited is
not all marked; nothing is marked; the source did not open."""
TOLD: tuple[type[Exception], ...] = (PageSpeedError, *USER_MISTAKES, *OUR_FAILURES)
"""Failures that are told in a line."""
QUOTED = re.compile(r"“([^“”]+)”\s*((?:\[[\d,; ]+\]\s*)+)")
"""Words that an answer quotes, and the markers after them."""
OPENED = """(number) => {
    const pane = document.querySelector('#source');
    return pane.dataset.marked && document.querySelector('#source-quote').textContent.startsWith(`[${number}] `); }"""
OPEN_MILLISECONDS = 60_000
SCREEN = """() => {
    const body = document.querySelector('#source-body');
    const root = [...body.children].map((each) => each.shadowRoot).find(Boolean) ?? body;
    const marks = [...root.querySelectorAll('.mark, .line.marked')].map((each) => each.getBoundingClientRect());
    const text = document.createTreeWalker(root.querySelector('.textLayer, .paper, .text-page'), NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    const words = [];
    const under = (x, y) => marks.some((m) => m.left <= x && x <= m.right && m.top <= y && y <= m.bottom);
    while (text.nextNode()) {
        const { data } = text.currentNode;
        range.selectNodeContents(text.currentNode);
        const whole = range.getBoundingClientRect();
        const near = marks.some((m) => m.top < whole.bottom && whole.top < m.bottom);
        for (const piece of data.matchAll(near ? /[^\\s-]+-*|-+/g : /\\S[^]*/g)) {
            if (near) range.setStart(text.currentNode, piece.index);
            if (near) range.setEnd(text.currentNode, piece.index + piece[0].length);
            const { left, right, top, bottom } = near ? range.getBoundingClientRect() : whole;
            if (right === left) continue;
            const y = (top + bottom) / 2;
            words.push([piece[0], left, y, bottom - top, near && under((left + right) / 2, y)]);
        }
    }
    const page = document.querySelector('#source-tools input');
    return { words, page: page ? Number(page.value) : null, drawn: marks.length }; }"""
"""Words of the source that is shown, each with its left edge, middle, height, and whether it is under a mark, parted
at hyphens as lines are; pieces of text that lie beside no mark are whole."""


def opened(
    context: BrowserContext, address: str, question: str, left: Counter[str], shots: Path | None
) -> Iterator[dict[str, Any]]:
    """What each citation of the answer to a question leads to, as the screen has it; of each kind what is `left`, which
    it counts down. `address`: of the page, where this browser is let in already."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector("body[data-begun]", timeout=START_MILLISECONDS)
    page.fill("#question", question)
    page.press("#question", "Enter")
    page.wait_for_selector(".answer, .options, .ended", timeout=ANSWER_MILLISECONDS)
    thread = f"{address}/api/threads/{page.url.partition('/t/')[2].partition('/')[0]}"
    try:
        turns = context.request.get(f"{thread}/export?as=json").json()
        links = page.locator(".answer a.cite").all() if turns else []  # what is quoted whole leads nowhere
        for rank, link in {_rank(link): link for link in reversed(links)}.items():
            answer = turns[-1]["answer"]
            item = {each["rank"]: each for each in answer["evidence"]}[rank]
            cited = (*answer["citations"], *answer["nearest"])
            quotes = [each["quote"] for each in cited if each["marker"] == rank]
            kind = kind_of(item)
            if not left[kind]:
                continue
            left[kind] -= 1
            link.click()
            found = {
                "of": kind,
                "question": question,
                "marker": rank,
                "quotes": quotes,
                "answer": answer["answer"],
            }
            kept = ("document", "document_id", "doc_type", "page", "kind", "fact", "text")
            yield {**found, **{name: item[name] for name in kept}, **_shown(page, link.inner_text(), shots)}
    finally:
        context.request.delete(thread)
        page.close()


def questions_of(path: Path) -> list[str]:
    """The questions of a file, in its order. Raises PageSpeedError for another file, OSError where it can't be read."""
    try:
        return [json.loads(line)["question"] for line in path.read_text("utf-8").splitlines()]
    except (ValueError, KeyError, TypeError) as error:
        raise PageSpeedError(f"'{path}' does not have a question a line: {error!r}") from error


def _rank(link: Locator) -> int:
    """The rank of the piece that a link leads to, which is the end of its address; it shows its number in the text."""
    return int((link.get_attribute("href") or "").rpartition("/")[2])


def _shown(page: Page, number: str, shots: Path | None) -> dict[str, Any]:
    from playwright.sync_api import TimeoutError as LateError

    try:
        page.wait_for_function(OPENED, arg=number, timeout=OPEN_MILLISECONDS)
    except LateError:
        return {"told": page.locator("#notice").inner_text()}
    screen = page.evaluate(SCREEN)
    shot = shots / f"{len(list(shots.iterdir())):04}.png" if shots else None
    if shot:
        page.locator("#source").screenshot(path=shot)
    return {
        "page_shown": screen["page"],
        "drawn": screen["drawn"],
        "shot": str(shot or ""),
        "lines": _lines(screen["words"]),
    }


def _lines(words: Sequence[tuple[str, float, float, float, bool]]) -> list[tuple[str, str]]:
    """The screen's lines from above: all words, and those marked."""
    lines: list[list[Any]] = []
    for word in sorted(words, key=lambda each: each[2]):
        if lines and word[2] - lines[-1][-1][2] < min(word[3], lines[-1][-1][3]) / 2:
            lines[-1].append(word)
        else:
            lines.append([word])
    rows = [sorted(line, key=lambda each: each[1]) for line in lines]
    return [(" ".join(w[0] for w in row), " ".join(w[0] for w in row if w[4])) for row in rows]


def kind_of(found: dict[str, Any]) -> str:
    """Which of KINDS, by the catalogue's type and the file's name."""
    if not found["document"].lower().endswith(".pdf"):
        return KINDS[1]
    return {"10-K": KINDS[0], "10-Q": KINDS[0], "call": KINDS[2]}.get(found["doc_type"], KINDS[3])


def outcome(found: dict[str, Any]) -> str:
    """Which of OUTCOMES a citation has."""
    if "lines" not in found:
        return "unopened"
    marked = [part for _, part in found["lines"] if part]
    if not marked:
        return "unmarked"
    if found["fact"] and found["fact"]["statement"] != "prose":
        return _of_figure(
            found["fact"]["metric"], found["fact"]["printed"], marked, [line for line, _ in found["lines"]]
        )
    said = [
        words
        for words, after in QUOTED.findall(found["answer"])
        if str(found["marker"]) in re.findall(r"\d+", after)
    ]
    cited = [_letters(part) for quote in said or found["quotes"] for part in re.split(r"\.\.\.|…", quote)]
    seen = _letters("".join(marked))
    if any(part not in seen for part in cited):
        return "unlike"
    return "right" if len(seen) == sum(map(len, set(cited))) else "besides"


def _of_figure(label: str, cell: str, marked: Sequence[str], lines: Sequence[str]) -> str:
    """The outcome of a figure; its row may take up several lines."""
    rows = [each for each in marked if _holds(each, cell)]
    if not rows or any(_letters(word) not in _letters("".join(marked)) for word in label.split()):
        return "unlike"
    if len(rows) > 1 or any(_letters(each) not in _letters(label) for each in marked if each not in rows):
        return "besides"
    alike = sum(_letters(label) in _letters(each) or each == rows[0] for each in lines if _holds(each, cell))
    return "several" if alike > 1 else "right"


def _holds(line: str, cell: str) -> bool:
    digits = re.sub(r"[^\d.,]", "", cell).strip(".,") or cell.strip()
    return re.search(rf"(?<![\d.,]){re.escape(digits)}(?![\d]|[.,]\d)", line) is not None


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def main(arguments: Sequence[str] | None = None) -> int:
    """Open and print; exit code 1 where there is nothing to ask, or the page can not be served."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(
        prog="python -m evals.page_citations", description=__doc__.split("\n\n")[0]
    )
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--most", type=int, default=200)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--browser", default=next(filter(None, map(shutil.which, BROWSERS)), None))
    given = parser.parse_args(arguments)
    left = Counter(dict.fromkeys(KINDS, given.most // len(KINDS)))
    counts: Counter[tuple[str, str]] = Counter()
    try:
        questions = questions_of(given.questions)
        with Assistant.open(given.home) as assistant:
            assistant.current()
        if given.shots:
            given.shots.mkdir(parents=True, exist_ok=True)
        with serving(given.home) as first, sync_playwright() as started:
            browser = started.chromium.launch(executable_path=given.browser, args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            context.request.get(first)
            address = first.partition("/?")[0]
            for question in itertools.takewhile(lambda _: left.total(), questions):
                for found in opened(context, address, question, left, given.shots):
                    came = outcome(found)
                    counts[found["of"], came] += 1
                    if given.out:
                        with given.out.open("a", encoding="utf-8") as file:
                            file.write(json.dumps({"outcome": came, **found}) + "\n")
            browser.close()
    except TOLD as error:
        sys.stderr.write(f"{error}\n")
        return 1
    print(f"{'':16}{'citations':>11}" + "".join(f"{name:>10}" for name in OUTCOMES))
    for kind in itertools.chain(KINDS, ("all",)):
        row = [
            sum(n for (k, name), n in counts.items() if kind in (k, "all") and name == came)
            for came in OUTCOMES
        ]
        print(f"{kind:16}{sum(row):11}" + "".join(f"{n:10}" for n in row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
