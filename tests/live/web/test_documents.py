"""A real Chromium on the page's documents, hostile ones too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.page_driver import asked, entered, marked, needs_browser
from tests.web_page import Served, serving_page

pytestmark = needs_browser
HOSTILE = "<img src=x onerror=document.title='caught'>.md"
HOSTILE_TEXT = """# Alder Corporation

Alder Corporation opened a plant in <script>document.title='caught'</script> Lisbon in May 2024.
[Click](javascript:document.title='caught') ![x](http://elsewhere.example/x.png)
"""
HOSTILE_TEXT += "In Porto it has none. " * 20
HOSTILE_PAGE = """<html><head><style>body{display:none}</style><script>document.title='caught'</script>
<link rel=stylesheet href=http://elsewhere.example/x.css></head>
<body onload="document.title='caught'"><p style="background:url(http://elsewhere.example/y.png);text-align:right">
Alder Corporation opened a plant in Lisbon in May 2024.</p><img src=http://elsewhere.example/x.png onerror=alert(1)>
<a href="javascript:alert(1)">a</a><iframe src=http://elsewhere.example></iframe><form action=http://elsewhere.example>
<input name=q></form><svg onload=alert(1)></svg>PARTS</body></html>"""
HOSTILE_PAGE = HOSTILE_PAGE.replace(
    "PARTS", "".join(f"<p>Part {n}. {f'Part {n} of the report is dull. ' * 40}</p>" for n in range(1, 7))
)


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


def wrapped(page: Page) -> None:
    """No line is longer than the pane is wide."""
    assert page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth === clientWidth)(" + SOURCE + ")")


def turned(page: Page) -> None:
    """A page of a web page is turned to where it begins."""
    for button, number in (("Page after", "2"), ("Page before", "1")):
        page.click(f"[aria-label='{button}']")
        expect(page.locator("[aria-label='Page']")).to_have_value(number)
        while page.evaluate(f"{SOURCE}.scrollTop > 0") != (number == "2"):
            page.wait_for_timeout(
                20
            )  # a wait for a function is forbidden by the page's policy after the first look


SOURCE = "document.querySelector('#source-body')"


@pytest.mark.parametrize(
    ("name", "text", "given", "shown"),
    [(HOSTILE, HOSTILE_TEXT, dropped, wrapped), ("page.html", HOSTILE_PAGE, chosen, turned)],
)
def test_a_hostile_document_is_dropped_read_shown_and_removed_and_nothing_of_it_acts(
    context: BrowserContext,
    tmp_path: Path,
    vectors_here: None,
    name: str,
    text: str,
    given: Callable[[Page, Path], None],
    shown: Callable[[Page], None],
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
        shown(page)
        assert page.title() != "caught" and page.locator("#main img, #main script, #main iframe").count() == 0
        page.click("#open-documents")
        page.click("#documents .list button")
        page.evaluate(  # who leaves the dialog at once is told all the same
            """() => { document.querySelector('#prompt button.main').click();
            document.querySelector('#documents').close() }"""
        )
        expect(page.locator("#notice.hint")).to_contain_text(f"Removed {name}")
        page.click("#open-documents")
        expect(page.locator(".told")).to_contain_text("Conversations still quote it")
        expect(page.locator("#source")).to_be_hidden()  # of what is removed nothing stays on view
        page.click(".told a")
        expect(page.locator("#documents")).to_be_hidden()
        page.click(".answer .cite")
        expect(page.locator("#notice.bad")).to_contain_text("No index at")
        expect(page.locator("#source")).to_be_hidden()
        page.click("#new-thread")  # which it does not concern
        expect(page.locator("#notice.hint")).to_contain_text("Nothing is indexed yet")


def test_a_raised_note_stands_in_the_line_of_its_row(context: BrowserContext, served: Served) -> None:
    page = entered(context, served)
    lines = page.evaluate(
        """async () => {
            const { visualLines } = await import('/static/pdf_source.js');
            const at = (text, x, y, height) => ({ node: text, item: { transform: [1, 0, 0, 1, x, y], height } });
            const drawn = [at('Interest paid', 10, 100, 10), at('(a)', 80, 97, 5), at('1,043', 200, 100, 10),
                at('Taxes paid', 10, 112, 10), at('977', 200, 112, 10)];
            return visualLines(drawn, { transform: [1, 0, 0, 1, 0, 0], scale: 1 });
        }"""
    )
    assert lines == [["Interest paid", "(a)", "1,043"], ["Taxes paid", "977"]]
