"""Chunks: whole sentences, whole tables, whole exchanges, with their section and pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from tools.documents.structure.chunking import Chunked, chunk, recursive_chunks
from tools.documents.structure.packing import pack
from tools.documents.types import DocType, Document, Page, Table

WORDS = "The company sold more devices in the quarter than it had planned to sell before the holidays began."


def document(doc_type: DocType = "10-Q") -> Document:
    return Document(
        id="d" * 16,
        name="a.pdf",
        path="a.pdf",
        title="Aurora, Inc. 10-Q, quarter ended July 1, 2023",
        company="Aurora, Inc.",
        company_key="AUR",
        ticker="AUR",
        aliases=(),
        doc_type=doc_type,
        fiscal_year=2023,
        fiscal_quarter=3,
        period_end=date(2023, 7, 1),
        pages=1,
    )


def chunk_pages(*texts: str, doc_type: DocType = "other", tables: tuple[Table, ...] = ()) -> Chunked:
    pages = [Page(number, text) for number, text in enumerate(texts, 1)]
    return chunk(document(doc_type), pages, tables)


def shape(chunked: Chunked) -> list[tuple[str, str]]:
    return [(c.section, c.text) for c in chunked.chunks]


def test_sections_follow_parts_items_notes_and_headings() -> None:
    text = f"""PART I — FINANCIAL INFORMATION
Item 1. Financial Statements
Note 2 – Revenue
{WORDS}
Contract Balances
{WORDS}
Item 2. Management’s Discussion and Analysis of Financial Condition
Gross Margin
Products Gross Margin
{WORDS}
PART II — OTHER INFORMATION
Item 1A. Risk Factors
{WORDS}"""
    assert shape(chunk_pages(text)) == [
        ("Part I, Item 1 - Financial Statements > Note 2 – Revenue", WORDS),
        ("Part I, Item 1 - Financial Statements > Note 2 – Revenue > Contract Balances", WORDS),
        ("Part I, Item 2 - MD&A > Gross Margin > Products Gross Margin", WORDS),
        ("Part II, Item 1A - Risk Factors", WORDS),
    ]


def test_capitalised_headings_are_made_readable_and_rank_above_others() -> None:
    text = f"SUMMARY RESULTS OF OPERATIONS (Unaudited)\n{WORDS}\nOther Income\n{WORDS}"
    assert [section for section, _ in shape(chunk_pages(text))] == [
        "Summary Results of Operations",
        "Summary Results of Operations > Other Income",
    ]


def test_a_reference_to_an_item_is_no_heading() -> None:
    text = f"Item 2. Properties\n{WORDS} See\nItem 1A of our annual report. {WORDS}"
    assert [section for section, _ in shape(chunk_pages(text))] == ["Item 2 - Properties"]


def test_a_product_name_with_a_small_first_letter_may_head_a_section() -> None:
    """A real filing has such a section, whose first sentence begins with the name too."""
    chunked = chunk_pages(
        f"Desks\n{WORDS}\neDesk\neDesk orders fell in spring, since the plant was closed for most of it."
    )
    assert [section for section, _ in shape(chunked)] == ["Desks", "eDesk"]


def test_prose_is_cut_at_sentence_ends_within_the_limit() -> None:
    chunked = chunk_pages(" ".join([WORDS] * 40))
    assert len(chunked.chunks) > 3
    for piece in chunked.chunks:
        assert len(piece.text) <= 1_200
        assert piece.text.endswith("began.")
        assert piece.text.startswith("The company")


def test_a_sentence_across_a_page_break_stays_whole_and_names_both_pages() -> None:
    head, tail = WORDS[:50], WORDS[50:]
    (piece,) = chunk_pages(f"{WORDS}\n{head}", f"{tail.strip()}\n{WORDS}").chunks
    assert piece.text.split() == " ".join([WORDS] * 3).split()
    assert piece.pages == (1, 2)


def test_the_context_line_is_embedded_and_not_shown() -> None:
    (piece,) = chunk_pages(f"Gross Margin\n{WORDS}").chunks
    assert piece.text == WORDS
    assert piece.embed_text == (
        f"Aurora, Inc. 10-Q, quarter ended July 1, 2023 (fiscal Q3 2023), Gross Margin\n{WORDS}"
    )


LAYOUT = """Revenue rose because of the new phone, which was launched in the spring of the year.
Net sales were as follows (in millions):

                         July 1,2023     June 24,2022
Products               $      71,204   $       70,118
Services®                     18,306           17,950

Services grew in every region of the world during the whole of the third quarter."""
PLAIN = "\n".join(" ".join(line.split()) for line in LAYOUT.split("\n"))
TABLE = Table(
    title="Net sales were as follows",
    statement="other",
    note="in millions",
    page=1,
    first_line=3,
    last_line=6,
    markdown="| (in millions) | 2023 |\n| --- | --- |\n| Products | $ 71,204 |\n| Services | 18,306 |",
    lines=("Products, three months ended July 1, 2023: 71,204 million USD", "Services: 18,306 million USD"),
    facts=(),
)


def test_a_table_stands_whole_in_its_place_and_prose_loses_its_lines() -> None:
    chunked = chunk(document("other"), [Page(1, PLAIN, LAYOUT)], [TABLE])
    first, table, last = chunked.chunks
    assert (first.kind, table.kind, last.kind) == ("prose", "table", "prose")
    assert last.text == "Services grew in every region of the world during the whole of the third quarter."
    assert table.text == f"Net sales were as follows (in millions):\n{TABLE.markdown}"
    assert "71,204 million USD" in table.embed_text
    assert "|" not in table.embed_text
    everything = " ".join(c.text for c in chunked.chunks if c.kind == "prose")
    assert "71,204" not in everything
    assert "June 24" not in everything


def test_a_short_sentence_before_a_table_goes_with_it() -> None:
    """A table that a heading and a few words announce, without a colon."""
    plain = PLAIN.replace(" (in millions):", ".").split("\n", 1)[1]
    layout = LAYOUT.replace(" (in millions):", ".").split("\n", 1)[1]
    chunked = chunk(document("other"), [Page(1, plain, layout)], [replace(TABLE, first_line=2, last_line=5)])
    assert chunked.chunks[0].kind == "table"
    assert chunked.chunks[0].text == f"Net sales were as follows.\n(in millions)\n{TABLE.markdown}"


def test_a_short_statement_of_an_amount_before_a_table_stays_a_chunk_of_its_own() -> None:
    fact = "Revenue was $1.5 billion."
    plain, layout = (f"{fact}\n" + text.split("\n", 2)[2] for text in (PLAIN, LAYOUT))
    chunked = chunk(document("other"), [Page(1, plain, layout)], [replace(TABLE, first_line=2, last_line=5)])
    assert (chunked.chunks[0].kind, chunked.chunks[0].text) == ("prose", fact)


def test_a_very_large_table_is_cut_between_rows_with_its_header_repeated() -> None:
    rows = [f"| Row {n} | {n * 1000} |" for n in range(400)]
    markdown = "\n".join(["| (in millions) | 2023 |", "| --- | --- |", *rows])
    table = Table("Big", "other", "", 1, 0, 1, markdown, tuple(f"Row {n}: {n}" for n in range(400)), ())
    chunked = chunk(document("other"), [Page(1, "Big", "Big")], [table])
    assert len(chunked.chunks) > 1
    assert all("| (in millions) | 2023 |\n| --- | --- |\n| Row" in c.text for c in chunked.chunks)
    assert [row for c in chunked.chunks for row in c.text.split("\n") if row.startswith("| Row")] == rows
    assert sum(c.embed_text.count("Row") for c in chunked.chunks) == 400


def test_rows_of_an_unrecognised_table_keep_their_lines() -> None:
    chunked = chunk_pages(f"{WORDS}\nProducts 71,204 70,118\nServices 18,306 17,950\n{WORDS}")
    assert "\nProducts 71,204 70,118\nServices 18,306 17,950\n" in chunked.chunks[0].text


def test_reconciliation_lines_that_begin_with_an_amount_are_kept_apart() -> None:
    """A real filing explains its operating income so, an amount and a reason a line."""
    lines = ["$ 31 Q3 Operating Income", "(212) Higher freight cost", "140 Fewer repairs"]
    (piece,) = chunk_pages("\n".join(["Operating income fell.", *lines])).chunks
    assert piece.text.split("\n")[1:] == lines


def test_ids_are_unique_even_for_equal_texts_and_stable_between_runs() -> None:
    text = f"Item 3. Defaults\nNone.\nItem 4. Mine Safety\nNone.\nItem 5. Other\n{WORDS}"
    once, twice = chunk_pages(text), chunk_pages(text)
    assert once == twice
    assert len({c.id for c in once.chunks}) == len(once.chunks) == 3


CALL = """AUR Q2 2021 Earnings Call Transcript
Call participants
Ann Lee--Chief Executive Officer
Bob Roy--Harbor Bank -- Analyst
Prepared Remarks
Ann Lee
{remarks}
Questions and Answers
Operator
Bob Roy of Harbor Bank.
Bob Roy
{question}
Ann Lee
{answer}
Bob Roy
And next year? We wonder.
Ann Lee
{answer}
"""


def call(remarks: str, question: str, answer: str) -> Chunked:
    return chunk_pages(CALL.format(remarks=remarks, question=question, answer=answer), doc_type="call")


def test_a_question_and_its_whole_answer_are_one_exchange() -> None:
    remarks, exchange = call("We grew.", "How was demand?", "Strong.").chunks
    assert (remarks.kind, remarks.speaker, remarks.section) == (
        "prose",
        "Ann Lee",
        "Prepared Remarks > Ann Lee",
    )
    assert (exchange.kind, exchange.speaker) == ("exchange", "Bob Roy")
    assert exchange.text == (
        "Operator: Bob Roy of Harbor Bank.\nBob Roy: How was demand?\nAnn Lee: Strong.\n"
        "Bob Roy: And next year? We wonder.\nAnn Lee: Strong."
    )


def test_a_long_exchange_is_cut_where_the_analyst_asks_again() -> None:
    exchanges = call("We grew.", "How was demand?", " ".join([WORDS] * 20)).chunks[1:]
    assert [c.kind for c in exchanges] == ["exchange", "exchange"]
    assert exchanges[0].text.startswith("Operator: Bob Roy of Harbor Bank.\nBob Roy: How was demand?")
    assert exchanges[1].text.startswith("[Bob Roy's question, continued]\nBob Roy: And next year?")
    assert all(len(c.text) <= 3_000 for c in exchanges)


def test_an_answer_too_long_for_one_chunk_names_its_speaker_in_every_part() -> None:
    exchanges = call("We grew.", "How was demand?", " ".join([WORDS] * 70)).chunks[1:]
    assert len(exchanges) > 3
    assert all(len(c.text) <= 3_000 and c.speaker == "Bob Roy" for c in exchanges)
    assert all("Ann Lee: " in c.text for c in exchanges)
    assert all(c.text.endswith("began.") for c in exchanges)


def test_long_remarks_are_cut_at_sentence_ends_with_their_speaker_kept() -> None:
    remarks = [c for c in call(" ".join([WORDS] * 30), "Why?", "So.").chunks if c.kind == "prose"]
    assert len(remarks) > 2
    assert all(c.speaker == "Ann Lee" and c.text.endswith("began.") and len(c.text) <= 1_200 for c in remarks)


def test_recursive_chunks_are_the_papers_plain_pieces() -> None:
    pages = [Page(1, "\n".join([WORDS] * 30)), Page(2, "\n".join([WORDS] * 30))]
    pieces = recursive_chunks(document(), pages)
    assert all(len(c.text) <= 1_024 and c.text == c.embed_text and c.kind == "prose" for c in pieces)
    assert " ".join(" ".join(c.text for c in pieces).split()) == " ".join([WORDS] * 60)
    overlapping = recursive_chunks(document(), pages, size=500, overlap=100)
    assert len(overlapping) > len(recursive_chunks(document(), pages, size=500))
    assert {page for c in pieces for page in c.pages} == {1, 2}


def test_plain_pieces_ignore_where_a_pdf_breaks_its_lines() -> None:
    broken = " ".join([WORDS] * 30).replace(" sold ", "  sold\n\n").replace(" the ", "\nthe\t")
    whole = recursive_chunks(document(), [Page(1, " ".join([WORDS] * 30))])
    pieces = recursive_chunks(document(), [Page(1, broken)])
    assert [c.text for c in pieces] == [c.text for c in whole]
    assert all(len(c.text) > 1_000 for c in pieces[:-1]), "cut at a line's end, not where the piece is full"


def test_plain_pieces_are_cut_between_words_and_only_a_longer_word_inside() -> None:
    pieces = recursive_chunks(document(), [Page(1, "alpha beta " + "x" * 25 + " gamma")], size=10)
    texts = [c.text for c in pieces]
    assert (texts[0], texts[-1]) == ("alpha beta", "gamma")
    assert "".join(texts[1:-1]) == "x" * 25
    assert all(len(text) <= 10 for text in texts)


def test_a_plain_piece_over_a_page_break_names_its_pages() -> None:
    pages = [Page(1, "one two three"), Page(2, " \n "), Page(3, "four five six")]
    pieces = recursive_chunks(document(), pages, size=19)
    assert [c.text.split() for c in pieces] == [["one", "two", "three", "four"], ["five", "six"]]
    assert [c.pages for c in pieces] == [(1, 2, 3), (3,)]


@given(st.lists(st.text(alphabet="abc .", min_size=1, max_size=80).map(str.strip).filter(bool), max_size=30))
def test_packing_loses_nothing_and_keeps_to_the_limit(texts: list[str]) -> None:
    packed = list(pack([(text, (1,), " ") for text in texts], target=60, maximum=100))
    assert " ".join(" ".join(text for text, _ in packed).split()) == " ".join(" ".join(texts).split())
    assert all(len(text) <= 100 for text, _ in packed)
