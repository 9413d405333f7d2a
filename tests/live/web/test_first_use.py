"""A real Chromium on what a person meets who opens the page for the first time, wide and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

from agent.assistant import Assistant
from tests.page_driver import REVENUE, asked, entered, marked, needs_browser
from tests.web_page import Served, serving_page

pytestmark = needs_browser
COMPARED = "Compare Calderith's total revenue and net income in the second quarter of fiscal 2024 and 2023"
PHONE = {"width": 390, "height": 844}
FACILITIES = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix ex: <https://example.org/facilities/> .
<https://example.org/facilities> a owl:Ontology .
ex:Facility a owl:Class ; rdfs:label "logistics facility" ; skos:definition "a place from which goods are sent out" .
ex:Center a owl:Class ; rdfs:subClassOf ex:Facility ; rdfs:label "distribution center" .
"""


def test_the_first_page_offers_questions_that_answer_within_the_limits(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    expect(page.locator(".examples button").first).to_be_visible(timeout=120_000)
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    expect(page.locator(".examples button", has_text="Calderith")).to_have_count(0)
    page.click(".examples button >> nth=0")
    expect(page.locator(".turn .answer")).to_contain_text("Harrowmere", timeout=120_000)
    expect(page.locator(".turn .status")).to_have_count(0)  # neither in part nor not at all


def test_questions_of_other_limits_are_not_offered_where_none_can_be_tried(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    expect(page.locator(".examples button").first).to_be_visible(timeout=120_000)
    page.route("**/api/examples?*", lambda route: route.fulfill(status=409, json={"detail": "no"}), times=1)
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    expect(page.locator(".examples button")).to_have_count(0)
    page.select_option("[name=company]", "")
    expect(page.locator(".examples button").first).to_be_visible()
    page.route("**/api/examples?*", lambda route: route.fulfill(json=[]), times=1)
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    expect(page.locator(".examples button")).to_have_count(0)
    page.select_option("[name=company]", "")
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")  # tried anew
    expect(page.locator(".examples button").first).to_contain_text("Harrowmere", timeout=120_000)


def test_nothing_jumps_when_a_conversation_gets_its_controls_and_no_error_outlives_what_it_is_about(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    before = page.locator("#top").bounding_box()
    asked(page, REVENUE)
    expect(page.locator("text=Rename")).to_be_visible()
    assert page.locator("#top").bounding_box() == before
    question, ask = page.locator("#question").bounding_box(), page.locator("#send").bounding_box()
    assert question and ask and question["y"] + question["height"] == ask["y"] + ask["height"]
    page.goto(f"{page.url}/1/99")
    expect(page.locator("#notice.bad")).to_contain_text("no source")
    page.click(".answer .cite")
    assert marked(page) == "1"
    expect(page.locator("#notice")).to_be_hidden()


def test_citations_are_numbered_in_the_order_of_the_text_and_open_what_they_stand_for(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    asked(page, COMPARED)
    numbers = list(dict.fromkeys(page.locator(".answer .cite").all_inner_texts()))
    assert numbers == [str(n) for n in range(1, len(numbers) + 1)] and len(numbers) > 1
    assert page.locator(".sources .cite").all_inner_texts() == numbers
    page.click(".sources .cite >> nth=1")
    assert marked(page) == "1"
    expect(page.locator("#source-quote")).to_contain_text("[2] ")


def test_on_a_phone_a_table_a_page_and_the_menu_fit_and_no_keyboard_is_raised(
    context: BrowserContext, served: Served
) -> None:
    page = entered(context, served)
    asked(page, COMPARED)
    page.set_viewport_size(PHONE)
    page.click("#open-side")
    page.click("#threads a[aria-current]")
    expect(page.locator("#talk")).to_be_focused()
    period = page.locator(".answer td.long").first.bounding_box()
    assert period and period["width"] > 150  # two lines, not five
    expect(page.locator("[name=company]")).to_be_hidden()
    page.click("#open-filters")
    page.select_option("[name=company]", label="Harrowmere Stores, Inc.")
    expect(page.locator("#open-filters")).to_have_text("Limits: 1 set")
    page.click("#open-filters")
    expect(page.locator("text=Rename")).to_be_hidden()
    page.click("#more")
    expect(page.locator("text=Rename")).to_be_visible()
    page.keyboard.press("Escape")
    page.click("#open-side")
    page.click("#open-documents")
    page.keyboard.press("Escape")
    expect(page.locator("#side")).to_be_hidden()
    page.click(".answer .cite")
    assert marked(page) == "1"
    sheet = page.locator(".sheet").bounding_box()
    assert sheet and sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE["width"]


def test_a_piece_says_by_which_concepts_it_was_found_and_a_definition_is_quoted_without_a_page(
    context: BrowserContext, home_copy: Callable[[str], Path], tmp_path: Path
) -> None:
    file = tmp_path / "facilities.ttl"
    file.write_text(FACILITIES, encoding="utf-8")
    home = home_copy("home")
    with Assistant.open(home) as assistant:
        assistant.add_ontology(file)
    with serving_page(home) as served:
        page = entered(context, served)
        asked(page, "What does Harrowmere say about its logistics facilities?")
        page.click(".why summary >> nth=0")
        page.click("text=/^All .* found$/")
        led = "Found by way of: logistics facility, is broader than, distribution center"
        expect(page.locator(".found li", has_text=led).first).to_be_visible()
        page.click("#new-thread")
        asked(page, "What is a logistics facility?")
        expect(page.locator(".turn").last.locator(".answer")).to_contain_text(
            "a place from which goods are sent out"
        )
        expect(page.locator(".turn").last.locator(".sources a")).to_have_count(0)
