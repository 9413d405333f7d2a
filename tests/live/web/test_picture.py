"""The picture of the knowledge graph, opened as the file that it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from agent.pictures.picture import picture
from agent.pictures.picture_page import page as page_of
from tests.drawn_graphs import HOSTILE, SENTENCE, concepts, graph
from tests.page_driver import needs_browser
from tools.scope import Scope

pytestmark = needs_browser
ZOOM = 1.2
"""At which so small a graph is shown."""


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """The page of the whole graph. It reports nothing, fails nowhere and asks for nothing but itself."""
    file = tmp_path / "graph.html"
    file.write_bytes(page_of(picture(graph(), concepts(), [], Scope(), 1)))
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    faults: list[str] = []
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("console", lambda line: faults.append(line.text))
    context.on("request", lambda asked: faults.append(asked.url) if asked.url != file.as_uri() else None)
    page = context.new_page()
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-begun]")
    yield page
    context.close()
    assert faults == []


def visited(page: Page, name: str) -> None:
    page.fill("#search", name)
    page.press("#search", "Enter")


def click_beside_the_middle(page: Page, x: float, y: float) -> None:
    box = page.locator("#drawing").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2 + x, box["y"] + box["height"] / 2 + y)


def test_a_click_on_a_line_shows_its_sentences_with_document_and_page(shown: Page) -> None:
    places = {
        node["name"]: (node["x"], node["y"])
        for node in json.loads(shown.locator("#data").text_content() or "")["nodes"]
    }
    visited(shown, "acme")
    ends = zip(places["Acme Inc."], places["Bolt Corporation"], strict=True)
    away = [(there - here) * ZOOM / 2 for here, there in ends]
    click_beside_the_middle(shown, *away)
    expect(shown.locator("#details h2")).to_have_text("Acme Inc. — acquired → Bolt Corporation")
    expect(shown.locator("#details blockquote")).to_have_text(
        [SENTENCE, "Bolt was bought by Acme in May 2023."]
    )
    expect(shown.locator("#details .place")).to_have_text(["ACME.pdf, p. 2", "BOLT.pdf, p. 7"])


def test_a_click_on_a_thing_shows_what_is_said_of_it_and_a_click_on_nothing_changes_nothing(
    shown: Page,
) -> None:
    visited(shown, "ann")
    visited(shown, "net sales")
    click_beside_the_middle(shown, 0, 0)
    expect(shown.locator("#details h2")).to_have_text("Net sales")
    expect(shown.locator("#details .place")).to_have_text("ACME.pdf, p. 4")
    click_beside_the_middle(shown, -400, 350)
    expect(shown.locator("#details h2")).to_have_text("Net sales")


def test_filters_leave_what_they_admit_in_the_drawing_and_beside_it(shown: Page) -> None:
    count = shown.locator("#count")
    expect(count).to_contain_text("4 of 5 lines")
    shown.select_option("#period", "2022 Q3")
    expect(count).to_contain_text("2 of 7 things, 1 of 5 lines")
    visited(shown, "bolt")
    expect(shown.locator("#details li")).to_have_count(1)
    expect(shown.locator("#details")).to_contain_text("1 more outside the filters")
    outside = shown.locator("#details", has_text="Not drawn: outside the filters.")
    expect(outside).to_have_count(0)
    visited(shown, "net sales")
    expect(outside).to_contain_text("Net sales")
    click_beside_the_middle(shown, 0, 0)
    expect(shown.locator("#details h2")).to_have_text("Bolt Corporation")  # where it was
    visited(shown, "net sales")
    shown.select_option("#period", "")
    expect(shown.locator("#details h2")).to_have_text("Net sales")
    expect(outside).to_have_count(0)
    shown.select_option("#relation", "sued")
    expect(count).to_contain_text("1 of 5 lines")
    shown.select_option("#relation", "")
    shown.select_option("#company", "Bolt Corporation")
    expect(count).to_contain_text("2 of 5 lines")
    shown.get_by_label("people").uncheck()
    expect(count).to_contain_text("1 of 5 lines")


def test_a_hostile_name_is_text_wherever_it_is_shown(shown: Page) -> None:
    visited(shown, "onerror")
    expect(shown.locator("#details h2")).to_contain_text("</script><img src=x onerror=")
    expect(shown.locator("#details blockquote")).to_contain_text("& Sons")
    expect(shown.locator("#found button")).to_contain_text("</script>")
    assert shown.locator("img").count() == 0 and shown.title() == "The knowledge graph"
    assert HOSTILE in shown.evaluate(
        "JSON.parse(document.getElementById('data').textContent).nodes.map((n) => n.name)"
    )


def test_concepts_are_a_layer_that_leads_to_the_facts_beside_them_and_to_broader_ones(shown: Page) -> None:
    visited(shown, "acquisition")
    assert shown.get_by_label("concepts").is_checked()
    expect(shown.locator("#details")).to_contain_text("Every acquisition.")
    expect(shown.locator("#details blockquote").first).to_have_text(SENTENCE)
    shown.locator("#details").get_by_role("button", name="deal").click()
    expect(shown.locator("#details h2")).to_have_text("deal")
    expect(shown.locator("#count")).to_contain_text("5 of 5 lines")
    shown.select_option("#period", "2022 Q3")
    expect(shown.locator("#count")).to_contain_text("2 of 7 things, 1 of 5 lines")
    shown.select_option("#period", "")
    shown.get_by_label("concepts").uncheck()
    expect(shown.locator("#count")).to_contain_text("4 of 5 lines")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(shown: Page, scheme: Literal["light", "dark"]) -> None:
    shown.emulate_media(color_scheme=scheme)
    visited(shown, "acquisition")
    assert Axe().run(shown).response["violations"] == []
