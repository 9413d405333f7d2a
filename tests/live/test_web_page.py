"""A real Chromium on the page: what an analyst does, and what a hostile document or a dying server does to it."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from agent.threads.sessions import Session
from evals.page_speed import PageSpeedError, measured
from evals.report.report_files import write_reports
from tests.eval_runs import item, results, row
from tests.restated import ALIKE, RESTATED
from tests.web_page import BROWSER, Command, Served, serving_page

pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium to open the page with")
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that the colours decide."""
UNCLEAR = "What was total revenue in the most recent quarter?"
HOSTILE = "<img src=x onerror=document.title='caught'>.md"
HOSTILE_TEXT = """# Alder Corporation

Alder Corporation opened a plant in <script>document.title='caught'</script> Lisbon in May 2024.
[Click](javascript:document.title='caught') ![x](http://elsewhere.example/x.png)
"""
HOSTILE_PAGE = """<html><head><style>body{display:none}</style><script>document.title='caught'</script>
<link rel=stylesheet href=http://elsewhere.example/x.css></head>
<body onload="document.title='caught'"><p style="background:url(http://elsewhere.example/y.png);text-align:right">
Alder Corporation opened a plant in Lisbon in May 2024.</p><img src=http://elsewhere.example/x.png onerror=alert(1)>
<a href="javascript:alert(1)">a</a><iframe src=http://elsewhere.example></iframe><form action=http://elsewhere.example>
<input name=q></form><svg onload=alert(1)></svg></body></html>"""


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
    expected = ("status of 4", "ERR_CONNECTION", "ERR_INCOMPLETE_CHUNKED", "blob:http://127.0.0.1")
    assert [fault for fault in faults if not any(words in fault for words in expected)] == []


def entered(context: BrowserContext, served: Served, path: str = "") -> Page:
    page = context.new_page()
    page.goto(served.first_address)
    if path:
        page.goto(served.address + path)
    page.wait_for_selector("body[data-begun]")
    return page


def asked(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.press("#question", "Enter")
    expect(page.locator(".turn").last.locator(".answer, .options")).to_be_visible(timeout=120_000)


def marked(page: Page) -> str:
    """How much of the source is marked, once it is shown."""
    page.wait_for_selector('#source[data-marked]:not([data-marked=""])', timeout=60_000)
    return page.get_attribute("#source", "data-marked") or ""


def test_a_question_is_answered_and_a_click_on_its_citation_marks_the_printed_row(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    assert "token" not in page.url
    asked(page, REVENUE)
    expect(page.locator(".answer")).to_contain_text("1,284.6")
    thread = page.url
    page.click(".answer .cite")
    assert marked(page) == "1"
    assert re.fullmatch(re.escape(thread) + r"/1/\d+", page.url)
    assert row_below_the_mark(page).startswith("Total revenue") and "1,284.6" in row_below_the_mark(page)
    address = page.url
    page.keyboard.press("Escape")
    expect(page.locator("#source")).to_be_hidden()
    page.goto(address)  # a citation has an address of its own
    assert marked(page) == "1"


def row_below_the_mark(page: Page) -> str:
    """The words of the page's text whose middle lies under the mark."""
    return str(
        page.evaluate(
            """() => { const mark = document.querySelector('.sheet .mark').getBoundingClientRect();
            return [...document.querySelectorAll('.textLayer span')].filter((span) => {
              const box = span.getBoundingClientRect(); const middle = (box.top + box.bottom) / 2;
              return middle > mark.top && middle < mark.bottom; }).map((span) => span.textContent).join(' ') }"""
        )
    )


def test_what_is_asked_back_is_buttons_and_the_answer_says_why_it_may_be_believed(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    asked(page, UNCLEAR)
    page.click(".options button >> nth=0")
    expect(page.locator(".turn .answer")).to_contain_text("Calderith", timeout=120_000)
    page.click(".why summary >> nth=0")
    expect(page.locator(".statements .held").first).to_contain_text("Supported:")
    page.click("text=Draw what the knowledge graph gave")
    expect(page.locator("#graph .facts li").first).to_contain_text("10Q-Q2-2024.pdf, p. ")
    expect(page.locator("#graph canvas").first).to_be_visible()


def test_values_on_which_documents_disagree_stand_side_by_side_and_each_opens_its_page(
    context: BrowserContext, restated_home: Path, tmp_path: Path
) -> None:
    with serving_page(Path(shutil.copytree(restated_home, tmp_path / "home"))) as served:
        page = entered(context, served)
        asked(page, ALIKE)
        page.click(".why summary >> nth=0")
        asked(page, RESTATED)
        page.locator(".turn").last.locator(".why summary").first.click()
        values = page.locator(".conflict .values > li")
        expect(values).to_have_count(2)
        expect(page.locator(".values .newest")).to_contain_text("409.6 million USD newest")
        boxes = [values.nth(n).bounding_box() for n in (0, 1)]
        assert boxes[0] and boxes[1] and boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
        page.click(".values .newest a")
        page.wait_for_url("**/d/*/1")
        expect(page.locator("#source-name")).to_have_text("alder-2024.html")
        expect(page.locator("#source-body")).to_contain_text("409.6")
        expect(page.locator(".turn").first.locator(".conflicts")).to_be_empty()


def test_a_report_of_an_eval_run_is_drawn_in_a_frame_of_its_own_and_the_list_comes_back(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    page.click("#open-reports")
    page.click("#reports li button")
    report = page.frame_locator("#reports iframe")
    expect(report.locator("h1")).to_be_visible()
    report.locator("#bars, .chart").first.scroll_into_view_if_needed()
    expect(report.locator(".main-svg").first).to_be_visible(timeout=30_000)
    assert [frame.evaluate("self.origin") for frame in page.frames] == [served.address, "null"]
    page.click("text=‹ All reports")
    expect(page.locator("#reports li")).to_have_text(re.compile("^calls"))


def test_tables_are_sorted_by_a_click_and_kept_as_csv(context: BrowserContext, served: Served) -> None:
    page = entered(context, served)
    asked(
        page, "Compare Calderith's total revenue and net income in the second quarter of fiscal 2024 and 2023"
    )
    heads = page.locator(".answer th .sort")
    assert heads.count() > 1
    heads.nth(0).click()
    expect(page.locator(".answer th").first).to_have_attribute("aria-sort", "ascending")
    with page.expect_download() as kept:
        page.click(".answer .csv")
    rows = kept.value.path().read_text("utf-8").splitlines()
    assert rows[0] == "Line item,Period,Value (million USD),Source"  # figures that can be computed with
    assert rows[1] == 'Net income,"three months ended March 30, 2024",200.4,"10Q-Q2-2024.pdf, p. 3"'
    assert len(rows) == page.locator(".answer tbody tr").count() + 1


def test_threads_are_renamed_searched_and_deleted_and_filters_stay(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    page.select_option("[name=doc_type]", "10-Q")
    expect(page.locator("[name=document] option")).to_have_text(["All documents", "10Q-Q3-2024.pdf"])
    page.select_option("[name=document]", label="10Q-Q3-2024.pdf")
    asked(page, UNCLEAR)
    expect(page.locator(".answer")).to_contain_text("Harrowmere")
    page.click("text=Rename")
    page.fill("#prompt input", "The stores")
    page.press("#prompt input", "Enter")
    expect(page.locator("#title")).to_have_text("The stores")
    page.fill("#search", "harrowmere STORES")
    expect(page.locator("#threads a")).to_have_count(1)
    page.reload()
    page.wait_for_selector("body[data-begun]")
    expect(page.locator("[name=company]")).to_have_value("HRWM")
    expect(page.locator("[name=doc_type]")).to_have_value("10-Q")
    expect(page.locator("[name=document] option:checked")).to_have_text("10Q-Q3-2024.pdf")
    page.click("text=Delete")
    page.click("#prompt button.main")
    expect(page.locator("#title")).to_have_text("New conversation")
    assert "The stores" not in [each["name"] for each in served.client.get("/api/threads").json()]


def test_a_second_page_on_the_thread_sees_the_answer_come(
    context: BrowserContext, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = entered(context, served), context.new_page()
    opened, real = threading.Event(), Session.ask

    def waiting(self: Session, *given: object, **more: object) -> Iterator[object]:
        assert opened.wait(60)
        yield from real(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Session, "ask", waiting)
    first.fill("#question", REVENUE)
    first.press("#question", "Enter")
    first.wait_for_url("**/t/*")
    second.goto(first.url)
    expect(second.locator(".progress .now")).to_be_visible()
    opened.set()
    for page in (first, second):
        expect(page.locator(".answer")).to_contain_text("1,284.6", timeout=120_000)


def chosen(page: Page, file: Path) -> None:
    page.click("#open-documents")
    page.set_input_files("#files", file)


def dropped(page: Page, file: Path) -> None:
    """Somewhere on the page."""
    page.evaluate(
        """([name, text]) => { const held = new DataTransfer(); held.items.add(new File([text], name));
        const more = { dataTransfer: held, bubbles: true, cancelable: true };
        document.querySelector('#talk').dispatchEvent(new DragEvent('drop', more)); }""",
        [file.name, file.read_text("utf-8")],
    )


@pytest.mark.parametrize(
    ("name", "text", "given"), [(HOSTILE, HOSTILE_TEXT, dropped), ("page.html", HOSTILE_PAGE, chosen)]
)
def test_a_hostile_document_is_dropped_read_shown_and_removed_and_nothing_of_it_acts(
    context: BrowserContext,
    tmp_path: Path,
    vectors_here: None,
    name: str,
    text: str,
    given: Callable[[Page, Path], None],
) -> None:
    file = tmp_path / "in" / name
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    with serving_page(tmp_path / "home") as served:
        page = entered(context, served)
        expect(page.locator("#notice")).to_contain_text("Nothing is indexed yet")
        given(page, file)
        expect(page.locator(".outcomes")).to_contain_text(f"indexed: {name}", timeout=120_000)
        page.keyboard.press("Escape")
        asked(page, "Where did Alder Corporation open a plant in May 2024?")
        expect(page.locator(".answer")).to_contain_text("Lisbon")
        page.click(".answer .cite")
        assert int(marked(page)) >= 1
        expect(page.locator("#source-name")).to_have_text(name)
        assert page.title() != "caught" and page.locator("#main img, #main script, #main iframe").count() == 0
        page.click("#open-documents")
        page.click("#documents .list button")
        page.click("#prompt button.main")
        expect(page.locator(".told")).to_contain_text("Conversations still quote it")


def test_nothing_runs_over_the_edge_and_axe_finds_nothing_serious_whatever_the_width_and_the_light(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    seen_well(page)
    asked(page, REVENUE)
    page.click(".why summary >> nth=0")
    page.click(".why details summary")
    seen_well(page)
    page.emulate_media(media="print", color_scheme="dark")  # paper is white
    assert serious(page, runOnly=COLOURS) == []
    page.emulate_media(media="screen")
    page.click(".answer .cite")
    assert marked(page) == "1"
    seen_well(page)
    # on a narrow page the source lies over the conversation
    assert page.evaluate("document.querySelector('#source').getBoundingClientRect().width") == 390
    page.set_viewport_size({"width": 1440, "height": 844})
    page.click("#open-documents")
    page.click("#documents .list summary >> nth=0")
    seen_well(page)
    page.keyboard.press("Escape")
    page.set_viewport_size({"width": 1440, "height": 844})
    page.click("#new-thread")
    asked(page, UNCLEAR)
    seen_well(page)
    page.evaluate("document.querySelector('#send').style.color = '#2a6a88'")  # and it would find one
    assert serious(page) == ["color-contrast"]


def seen_well(page: Page) -> None:
    """What the page shows fits and can be read, wide and narrow, in the dark and in the light; it stays narrow."""
    wide = "['html', '#main'].every((place) => document.querySelector(place).scrollWidth <= innerWidth)"
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="dark")
        assert serious(page, runOnly=COLOURS) == [], (width, "dark")  # the others see no difference
        page.emulate_media(color_scheme="light")
        assert serious(page) == [], width
        assert page.evaluate(wide), width


def serious(page: Page, **options: object) -> list[str]:
    """Rules of axe-core that the page breaks, of the impacts that shut people out."""
    broken = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [each["id"] for each in broken if each["impact"] in ("serious", "critical")]


def test_by_keys_alone_a_source_is_opened_read_and_left_and_another_thread_asked(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    for question in (UNCLEAR.replace("total revenue", "Calderith's net income"), REVENUE):
        page.keyboard.type(question)  # the question has the focus, as it has in a new conversation
        page.keyboard.press("Enter")
        expect(page.locator(".turn .answer")).to_be_visible(timeout=120_000)
        if question != REVENUE:
            page.focus("#new-thread")
            page.keyboard.press("Enter")
            expect(page.locator("#title")).to_have_text("New conversation")
    page.focus(".answer .cite")
    page.keyboard.press("Enter")
    assert marked(page) == "1"
    expect(page.locator("#source-body")).to_be_focused()  # arrows scroll it
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#close-source")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".answer .cite")).to_be_focused()
    page.focus("#threads a:not([aria-current])")
    page.keyboard.press("Enter")
    expect(page.locator(".turn h2")).to_contain_text("net income")
    expect(page.locator("#question")).to_be_focused()
    expect(page.locator(".next button").first).to_be_visible()
    page.focus(".next button")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .answer")).to_have_count(2, timeout=120_000)
    expect(page.locator("#question")).to_be_focused()  # the button is gone


def test_a_page_opened_without_the_token_says_which_address_to_open(
    context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    page.goto(served.address)
    expect(page.locator("#notice")).to_contain_text("Open the address that 'hybridrag web' has printed")
    page.goto(f"{served.address}/?token=wrong")
    expect(page.locator("body")).to_contain_text("not this server's")


def test_a_server_killed_in_the_middle_of_an_answer_goes_on_with_it_when_it_is_started_again(
    context: BrowserContext, untouched_home: Path, tmp_path: Path
) -> None:
    home = Path(shutil.copytree(untouched_home, tmp_path / "home"))
    first = Command(home, 0)
    try:
        page = context.new_page()
        page.goto(first.address)
        page.wait_for_selector("body[data-begun]")
        page.fill("#question", REVENUE)
        page.press("#question", "Enter")
        expect(page.locator(".progress")).to_contain_text("reading", timeout=120_000)
    finally:
        first.kill()
    expect(page.locator(".ended.bad")).to_contain_text("start it again", timeout=30_000)
    second = Command(home, first.port)
    try:
        page.get_by_role("button", name="Go on").click()  # the browser is still known
        expect(page.locator(".answer")).to_contain_text("1,284.6", timeout=120_000)
    finally:
        second.kill()


def test_the_measured_speeds_are_of_a_page_that_answers_and_marks_and_no_thread_is_left(
    browser: Browser, served: Served
) -> None:
    before = served.client.get("/api/threads").json()
    seconds = measured(browser, served.first_address, REVENUE)
    assert set(seconds) == {"page load", "first step", "cited page"} and min(seconds.values()) > 0
    with pytest.raises(PageSpeedError, match="no answer with a source"):
        measured(browser, served.first_address, "What is the weather in Oslo?")
    assert served.client.get("/api/threads").json() == before
