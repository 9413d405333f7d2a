"""The page in a browser, driven as a user does."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.web_page import BROWSER, Served

needs_browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium to open the page with")
REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"


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
