from __future__ import annotations

import pytest

from tools.documents.read.html import read_html
from tools.documents.types import Page

HEAD = (
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
    ' xmlns:xbrli="http://www.xbrl.org/2003/instance" xmlns:xbrldi="http://xbrl.org/2006/xbrldi"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><body>'
)
CONTEXTS = (
    '<div style="display:none"><ix:header><ix:hidden>'
    '<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="y">2024</ix:nonNumeric></ix:hidden>'
    "<ix:resources>"
    '<xbrli:context id="y"><xbrli:period><xbrli:startDate>2023-10-01</xbrli:startDate>'
    "<xbrli:endDate>2024-09-28</xbrli:endDate></xbrli:period></xbrli:context>"
    '<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>'
    "</ix:resources></ix:header></div>"
)


def read(body: str, head: str = HEAD) -> tuple[Page, ...]:
    return tuple(read_html(f"{head}{body}</body></html>".encode()))


def fact(printed: str, name: str = "us-gaap:Revenues", extra: str = "") -> str:
    return f'<ix:nonFraction name="{name}" contextRef="y" unitRef="usd" scale="6" {extra}>{printed}</ix:nonFraction>'


def test_a_block_is_a_line_and_words_of_inline_elements_stay_together() -> None:
    (page,) = read("<h1>Orla <b>Inc</b>.</h1><p>We s<i>old</i>\n desks.</p><ul><li>Oak</li><li>Ash</li></ul>")
    assert page.text == "Orla Inc.\nWe sold desks.\nOak\nAsh"
    assert page.layout == ""


def test_a_paragraph_is_set_apart_by_blank_lines() -> None:
    long = "We make desks and chairs of oak, ash and beech for offices, schools and homes in nine countries."
    (page,) = read(f"<div>Business</div><div>{long}</div><div>Risk</div>")
    assert page.text == f"Business\n\n{long}\n\nRisk"


def test_what_is_not_shown_gives_no_text() -> None:
    (page,) = read(
        "<style>p {}</style><script>var a = '&lt;p&gt;no';</script><noscript>no</noscript>"
        '<p style="Display : none">no</p><p hidden="">no</p><p>yes <a href="javascript:alert(1)">link</a></p>'
    )
    assert page.text == "yes link"


def test_pages_end_at_page_break_marks_of_any_element() -> None:
    pages = read(
        '<p>one</p><hr style="page-break-after: always"/><p>two</p>'
        '<div style="page-break-before:always">three</div><p style="break-after:page">more</p><p>four</p>'
    )
    assert [(page.number, page.text) for page in pages] == [
        (1, "one"), (2, "two"), (3, "three\nmore"), (4, "four")
    ]  # fmt: skip


def test_a_page_break_within_a_table_takes_effect_below_it() -> None:
    pages = read('<table><tr><td>a<hr style="page-break-after:always"/></td><td>b</td></tr></table><p>c</p>')
    assert [page.text for page in pages] == ["a b", "c"]


def test_without_marks_a_page_ends_at_a_paragraph_after_3000_characters_and_short_lines_alone_end_one_too() -> (
    None
):
    prose = "".join(f"<p>{'word ' * 100}</p>" for _ in range(20))
    lengths = [len(page.text) for page in read(prose)]
    assert len(lengths) > 2 and all(3_000 <= n < 4_600 for n in lengths[:-1])
    assert len(read("<p>a word</p>" * 2_000)) > 2


def test_a_table_of_figures_is_laid_out_line_by_line_with_its_signs_beside_its_figures() -> None:
    (page,) = read(
        "<p>Orla Inc.</p><table>"
        '<tr><td colspan="2">(In millions)</td><td colspan="3">2024</td><td/><td colspan="3">2023</td></tr>'
        '<tr><td colspan="2" style="padding:2px 1pt 2px 10pt">Desks</td><td>$</td><td>5</td><td/><td/><td>$</td>'
        "<td>14</td><td/></tr>"
        '<tr><td colspan="2">Loss</td><td colspan="2">(3</td><td>)</td><td/><td colspan="2">2.5</td><td>%</td></tr>'
        "<tr><td/><td/><td/><td/><td/><td/><td/><td/><td/></tr></table>"
    )
    assert page.text.split("\n") == [
        "Orla Inc.",
        "",
        "(In millions) 2024 2023",
        "Desks $5 $14",
        "Loss (3) 2.5%",
    ]
    assert page.layout.split("\n") == [
        "Orla Inc.",
        "",
        "(In millions)    2024    2023",
        "  Desks            $5     $14",
        "Loss              (3)    2.5%",
    ]


def test_a_heading_over_several_columns_stands_over_their_middle() -> None:
    (page,) = read(
        "<table><tr><td/><td colspan='3'>Years ended</td></tr>"
        "<tr><td/><td>2024</td><td/><td>2023</td></tr><tr><td>Desks</td><td>1,000</td><td/><td>2,000</td></tr></table>"
    )
    assert page.layout.split("\n") == [
        "          Years ended",
        "          2024     2023",
        "Desks    1,000    2,000",
    ]


def test_a_cell_that_reaches_down_keeps_its_columns_in_the_rows_below() -> None:
    (page,) = read(
        "<table><tr><td rowspan='2'>Desks</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>"
    )
    assert page.layout.split("\n") == ["Desks    1    2", "         3    4"]


def test_tables_that_only_set_text_beside_text_are_plain_lines() -> None:
    (page,) = read(
        "<table><tr><td>•</td><td>Demand may fall.</td></tr></table>"
        "<table><tr><td><div>Ann Day</div><div>Chair</div><div>Joined in 2020</div></td><td>Bo Ek</td></tr></table>"
    )
    assert page.text.split("\n") == ["• Demand may fall.", "Ann Day", "Chair", "Joined in 2020", "Bo Ek"]
    assert page.layout == ""


def test_a_table_within_a_table_is_read_and_its_frame_is_not() -> None:
    inner = "<table><tr><td>Desks</td><td>1</td><td>2</td></tr></table>"
    (page,) = read(f"<table><tr><td><p>Sales</p>{inner}</td></tr></table><p>End</p>")
    assert page.layout.split("\n") == ["Sales", "", "Desks    1    2", "", "End"]


def test_a_tag_knows_its_place_in_prose_and_in_a_table() -> None:
    nil = fact("—", extra='format="ixt:fixed-zero"')
    (page,) = read(
        f"{CONTEXTS}<p>Sales were <b>${fact('7.7')}</b> billion.</p>"
        f"<table><tr><td>Sales</td><td>$</td><td> {fact('1,000')} </td><td>{nil}</td></tr>"
        "<tr><td>Cost</td><td/><td>(</td><td>5</td></tr></table>"
    )
    lines = page.layout.split("\n")
    assert [(t.line, lines[t.line][t.start : t.end], t.value) for t in page.tags] == [
        (0, "7.7", "7.7"), (2, "1,000", "1000"), (2, "—", "0")
    ]  # fmt: skip
    assert all(t.printed == lines[t.line][t.start : t.end] for t in page.tags)


def test_a_tag_within_a_tag_is_a_figure_of_its_own() -> None:
    (page,) = read(f"{CONTEXTS}<p>{fact(fact('500', 'us-gaap:Assets'), 'us-gaap:Liabilities')}</p>")
    assert [(t.concept, t.value, t.start, t.end) for t in page.tags] == [
        ("us-gaap:Assets", "500", 0, 3), ("us-gaap:Liabilities", "500", 0, 3)
    ]  # fmt: skip


def test_hidden_figures_count_and_stand_nowhere_and_facts_about_the_filer_go_with_the_first_page() -> None:
    first, second = read(
        f'{CONTEXTS}<p>one <ix:nonNumeric name="dei:TradingSymbol" contextRef="y">ORLA</ix:nonNumeric></p>'
        f'<hr style="page-break-after:always"/><p>two</p><p style="display:none">{fact("12")}</p>'
    )
    assert [(t.line, t.value, t.printed) for t in first.tags] == [(-1, "12", "12")] and second.tags == ()
    assert first.named == (("dei:DocumentFiscalYearFocus", "2024"), ("dei:TradingSymbol", "ORLA"))
    assert second.named == () and "12" not in second.text


def test_tags_are_read_alike_where_the_file_is_no_well_formed_xml() -> None:
    pages = read(f"{CONTEXTS}<p>Sales<br>were {fact('1,000')}")
    assert [(t.concept, t.value, t.scale, t.period.months) for t in pages[0].tags] == [
        ("us-gaap:Revenues", "1000", 6, 12)
    ]


@pytest.mark.parametrize("figure", ["(1,000)", "—", "12.5%", "$ 5", "€7"])
def test_figures_of_any_dress_make_a_table_of_figures(figure: str) -> None:
    row = f"<tr><td>Desks</td><td>{figure}</td></tr>"
    assert read(f"<table>{row}{row}</table>")[0].layout == f"Desks    {figure}\nDesks    {figure}"


def test_the_caption_of_a_table_stands_above_it() -> None:
    (page,) = read(
        "<table><caption>Sales (in millions)</caption><tr><td>Desks</td><td>5</td><td>7</td></tr></table>"
    )
    lines = [line for line in page.text.split("\n") if line]
    assert lines == ["Sales (in millions)", "Desks 5 7"]
