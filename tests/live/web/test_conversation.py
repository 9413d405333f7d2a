"""A real Chromium on the page: what an analyst does in a conversation, and what a dying server does to it."""

from __future__ import annotations

import re
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from agent.assistant import Assistant
from agent.chat.export import file_name
from agent.settings import Settings
from agent.threads.sessions import Session, Sessions
from evals.page_citations import KINDS, opened, outcome
from evals.page_speed import PageSpeedError, measured
from tests.page_driver import REVENUE, asked, entered, marked, needs_browser
from tests.restated import ALIKE, RESTATED
from tests.web_page import Command, Served, serving_page

pytestmark = needs_browser
COMPARED = "Compare Calderith's total revenue and net income in the second quarter of fiscal 2024 and 2023"
CSV = """async (cells) => {
    const { csv } = await import('/static/tables.js');
    const table = document.createElement('table');
    table.createTHead().insertRow().append(Object.assign(document.createElement('th'), { textContent: 'Said' }));
    const body = table.createTBody();
    for (const words of cells) body.insertRow().insertCell().textContent = words;
    return csv(table); }"""
UNCLEAR = "What was total revenue in the most recent quarter?"


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
    held = page.locator(".statements .held").first
    expect(held).to_contain_text("From the documents:")
    expect(held.locator(".passage")).to_contain_text("Calderith Semiconductor Corporation")
    expect(page.locator(".why")).not_to_contain_text("kg_search", use_inner_text=True)  # for developers alone
    page.click("text=For developers")
    expect(page.locator(".why")).to_contain_text("kg_search", use_inner_text=True)
    page.click("text=Draw what the knowledge graph gave")
    expect(page.locator("#graph canvas").first).to_be_visible()
    page.click("#graph .facts a >> nth=0")  # opens where it is printed, as a citation does
    expect(page.locator("#graph")).to_be_hidden()
    expect(page.locator("#source-name")).to_contain_text("10Q-Q2-2024.pdf")
    assert marked(page) == "1"


def test_where_the_knowledge_graph_gave_whole_tables_the_page_says_that_nothing_can_be_drawn(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    asked(page, "Explain Harrowmere's merchandise inventory")
    expect(page.locator(".turn .answer")).to_be_visible(timeout=120_000)
    page.click(".why summary >> nth=0")
    expect(page.locator(".why")).to_contain_text("there is nothing to draw")
    expect(page.get_by_text("Draw what the knowledge graph gave")).to_have_count(0)


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
        boxes = values.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")
        assert boxes[0]["y"] == boxes[1]["y"] and boxes[0]["x"] < boxes[1]["x"]
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
    asked(page, COMPARED)
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
    assert kept.value.suggested_filename.startswith("Compare Calderith's total revenue and net income")
    assert kept.value.suggested_filename.endswith(".csv")
    with page.expect_download() as kept:
        page.click("text=Export")
    name = page.inner_text("#title")
    assert kept.value.suggested_filename == f"{name.strip(' .')}.md"
    assert kept.value.path().read_text("utf-8").startswith(f"# {name}\n")
    words = ["x" + "\U0001f4c8" * 80, "CON", "aux .2024", "../a\\b: 10-K", "x" * 300]
    named = (
        "async (all) => { const { fileName } = await import('/static/dom.js'); return all.map(fileName); }"
    )
    assert page.evaluate(named, words) == [file_name(each) for each in words]  # one rule on both sides
    cells = {each: f"'{each}" for each in ("\uff1d1", "\uff0dA1", "=1", "-2+3")} | {"-5 %": "-5 %"}
    saved = page.evaluate(CSV, list(cells))
    assert saved == "\r\n".join(("Said", *cells.values(), ""))


def test_threads_are_renamed_searched_and_deleted_and_filters_stay(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    page.select_option("[name=doc_type]", "10-Q")
    listed = "10Q-Q3-2024.pdf · Harrowmere Stores, Inc. · 10-Q · Q3 2024, ended September 30, 2024"
    expect(page.locator("[name=document] option")).to_have_text(["All documents", listed])
    page.select_option("[name=document]", label=listed)
    asked(page, UNCLEAR)
    expect(page.locator(".answer")).to_contain_text("Harrowmere")
    page.click("text=Rename")
    page.fill("#prompt input", "The stores")
    page.press("#prompt input", "Enter")
    expect(page.locator("#title")).to_have_text("The stores")
    page.fill("#search", "harrowmere 4,078 MILLION")
    expect(page.locator("#threads a")).to_have_count(1)
    page.reload()
    page.wait_for_selector("body[data-begun]")
    expect(page.locator("[name=company]")).to_have_value("HRWM")
    expect(page.locator("[name=doc_type]")).to_have_value("10-Q")
    expect(page.locator("[name=document] option:checked")).to_have_text(listed)
    page.click("text=Clear limits")
    expect(page.locator("[name=company]")).to_have_value("")
    expect(page.locator("text=Clear limits")).to_be_hidden()
    page.click("text=Delete")
    cancel, delete = (page.locator("#prompt .choice button").nth(n).bounding_box() for n in (0, 1))
    assert cancel and delete and cancel["x"] + cancel["width"] < delete["x"]  # they do not touch
    page.click("#prompt button.danger")
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


def test_a_page_opened_without_the_token_says_which_address_to_open(
    context: BrowserContext, served: Served
) -> None:
    page = context.new_page()
    page.goto(served.address)
    expect(page.locator("#notice")).to_contain_text("Open the address that 'hybridrag web' has printed")
    page.goto(f"{served.address}/?token=wrong")
    expect(page.locator("body")).to_contain_text("not this server's")


@pytest.mark.parametrize("moment", ["before the question is kept", "in the middle of the answer"])
def test_a_server_that_is_killed_goes_on_with_the_question_when_it_is_started_again(
    context: BrowserContext, untouched_home: Path, tmp_path: Path, moment: str
) -> None:
    home = Path(shutil.copytree(untouched_home, tmp_path / "home"))
    with ExitStack() as held:
        first = Command(home, 0)
        page = context.new_page()
        page.goto(first.address)
        page.wait_for_selector("body[data-begun]")
        if moment.startswith("before"):  # nothing is kept of a question that waits for its thread
            sessions = held.enter_context(Sessions(Assistant(Settings(_env_file=None, home=home))))
            thread = sessions.store.make("new")
            held.enter_context(sessions.held(thread, seconds=0))
            page.goto(f"http://127.0.0.1:{first.port}/t/{thread.id}")
            page.wait_for_selector("body[data-begun]")
        held.callback(first.kill)  # before the lock goes
        page.fill("#question", REVENUE)
        page.press("#question", "Enter")
        done = "waiting" if moment.startswith("before") else "planning"
        expect(page.locator(".progress")).to_contain_text(done, timeout=120_000)
    expect(page.locator(".ended.bad")).to_contain_text("start it again", timeout=30_000)
    second = Command(home, first.port)
    try:
        page.get_by_role("button", name="Go on").click()  # the browser is still known
        expect(page.locator(".answer")).to_contain_text("1,284.6", timeout=120_000)
        expect(page.locator(".turn")).to_have_count(1)
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


def test_a_citation_that_is_opened_is_read_off_the_screen_and_no_thread_is_left(
    context: BrowserContext, served: Served
) -> None:
    before = served.client.get("/api/threads").json()
    context.request.get(served.first_address)
    found = list(opened(context, served.address, REVENUE, Counter(dict.fromkeys(KINDS, 1)), None))
    assert [(each["of"], outcome(each)) for each in found] == [("10-K or 10-Q", "right")]
    assert found[0]["page_shown"] == found[0]["page"]
    assert served.client.get("/api/threads").json() == before
    several = list(opened(context, served.address, COMPARED, Counter(dict.fromkeys(KINDS, 9)), None))
    ranks = [each["marker"] for each in several]
    assert ranks != sorted(ranks, reverse=True), "by number, the last first, ranks are in no order"
    assert {outcome(each) for each in several} == {"right"}


def test_a_question_that_the_server_has_answered_meanwhile_is_not_asked_again(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    page.route("**/ask", lambda route: route.fulfill(body='{"kind": "stopped"}\n'))  # is not kept
    page.fill("#question", UNCLEAR)
    page.press("#question", "Enter")
    expect(page.locator(".ended")).to_contain_text("Stopped")
    thread = page.url.rpartition("/")[2]
    page.unroute("**/ask")

    def cut_off(route: Route) -> None:
        served.ask(thread, REVENUE)
        route.abort("connectionreset")

    page.route("**/ask", cut_off, times=1)
    page.fill("#question", REVENUE)
    page.press("#question", "Enter")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator(".answer")).to_contain_text("1,284.6")
    expect(page.locator(".turn")).to_have_count(1)


def test_what_is_wrong_with_the_index_is_said_while_it_is_and_a_question_can_be_asked(
    context: BrowserContext, served: Served
) -> None:
    context.route("**/api/state", lambda route: route.fulfill(status=409, json={"detail": "It is damaged."}))
    page = entered(context, served)
    expect(page.locator("#notice.bad")).to_contain_text("It is damaged.")
    asked(page, REVENUE)
    expect(page.locator(".answer")).to_contain_text("1,284.6")
