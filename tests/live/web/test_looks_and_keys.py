"""A real Chromium on the page: how it looks, wide and narrow, light and dark, and how it is used by keys alone."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.page_driver import REVENUE, asked, entered, marked, needs_browser
from tests.web_page import Served

pytestmark = needs_browser
UNCLEAR = "What was total revenue in the most recent quarter?"
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe-core that the colours decide."""


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
