"""Trimming and citing: the last step before the user."""

from __future__ import annotations

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.index import Place
from graphs.state import State
from graphs.steps.answer import _as_computed, _settle, cite, trim, with_operands
from tests.accounts import made as computed
from tests.accounts import year
from tools.calculate.types import Asked
from tools.evidence import Evidence
from tools.periods import Period

EMPTY = Verdict(statements=(), score=None)


def piece(rank: int, text: str = "Revenue was 5 million USD.") -> Evidence:
    return Evidence(
        rank=rank,
        source="graph",
        text=text,
        document="a.pdf",
        document_id="d1",
        page=rank + 2,
        score=0.9,
        item_id=f"t{rank}",
        kind="fact",
        company_key="ACME",
        company="Acme Inc.",
        doc_type="10-Q",
        period=Period(),
    )


def first_page(item: Evidence, quote: str) -> Place:
    return Place(item.page, "")


def test_an_unsupported_sentence_leaves_with_its_markers() -> None:
    text = "Revenue rose to 5 million USD [1]. Profit doubled [2]. Costs fell [1]."
    assert trim(text, ["Profit doubled [2]."]) == "Revenue rose to 5 million USD [1]. Costs fell [1]."


def test_a_statement_given_without_markers_is_found_in_the_marked_text() -> None:
    assert trim(
        "Revenue rose [1] to 5 million USD [1][2]. Costs fell [2].", ["Revenue rose to 5 million USD"]
    ) == ("Costs fell [2].")


def test_an_unsupported_table_row_leaves_as_a_whole_line() -> None:
    text = "Figures:\n\n| item | value |\n| --- | --- |\n| Revenue | 5 [1] |\n| Profit | 9 [2] |"
    assert trim(text, ["Profit | 9"]) == "Figures:\n\n| item | value |\n| --- | --- |\n| Revenue | 5 [1] |"


def test_a_statement_that_is_not_in_the_draft_cannot_be_trimmed() -> None:
    assert trim("Revenue rose [1].", ["Something else entirely."]) is None


def test_nothing_citable_left_is_no_answer() -> None:
    assert trim("Profit doubled [2].", ["Profit doubled [2]."]) is None


def test_markers_resolve_to_document_and_page_in_order_of_first_use() -> None:
    citations, unknown = cite("B [2], A [1], B again [2].", [piece(1), piece(2)], EMPTY, first_page)
    assert [(c.marker, c.document, c.page) for c in citations] == [(2, "a.pdf", 4), (1, "a.pdf", 3)]
    assert unknown == ()


def test_an_invented_marker_is_counted_not_cited() -> None:
    citations, unknown = cite("A [1], B [7].", [piece(1)], EMPTY, first_page)
    assert [c.marker for c in citations] == [1]
    assert unknown == (7,)


def test_the_quote_of_a_long_piece_is_the_part_the_statement_quotes() -> None:
    wanted = "Demand in the second half was held back by a shortage of memory parts."
    long_text = "Filler sentence without meaning. " * 20 + wanted + " More filler." * 10
    verdict = Verdict(
        statements=(Statement(text=f'The CEO said: "{wanted}" [1]', supported=True, evidence=(1,)),),
        score=1.0,
    )
    citations, _ = cite("Quote [1].", [piece(1, long_text)], verdict, first_page)
    assert citations[0].quote.startswith(wanted)


def told(text: str, *statements: Statement) -> tuple[str, str, str | None]:
    """What `_settle` shows of a draft whose statements got these verdicts."""
    held = sum(s.supported for s in statements) / len(statements)
    verdict = Verdict(statements=statements, score=held)
    reading = Reading(question="q")
    state: State = {
        "draft": Draft(text=text),
        "verdict": verdict,
        "reading": reading,
        "standalone_question": "q",
    }
    return _settle(state, checked=True)


def made(text: str, supported: bool) -> Statement:
    return Statement(text=text, supported=supported)


def test_where_the_documents_have_no_answer_what_is_held_is_told_if_that_may_be_meant() -> None:
    """But never in place of a draft that was not supported."""
    reading = Reading(question="q", told_otherwise="Of Orla 2 documents:")
    state: State = {
        "draft": Draft(text="", abstained="no_evidence", detail="nothing was found"),
        "verdict": Verdict(statements=(), score=0.0),
        "reading": reading,
        "standalone_question": "q",
    }
    assert _settle(state, checked=True) == ("Of Orla 2 documents:", "answered", None)
    refused: State = {**state, "draft": Draft(text="Revenue was 7 million USD [1].")}
    assert _settle(refused, checked=True)[1:] == ("abstained", "unsupported")


def test_a_sentence_goes_whole_and_once_when_two_statements_of_its_words_fail() -> None:
    text = "Revenue rose to 5 million USD [1]. It fell later, and costs rose [2]."
    bad = made("It fell later, and costs rose", False)
    shown = told(text, made("Revenue rose to 5 million USD", True), bad, bad)
    assert shown == ("Revenue rose to 5 million USD [1].", "partial", None)


def test_nothing_is_left_when_every_sentence_fails() -> None:
    shown = told("Costs rose and profit fell [2].", made("Costs rose and profit fell", False))
    assert shown[1:] == ("abstained", "unsupported")


def test_where_a_calculation_is_cited_the_figures_that_it_was_made_from_are() -> None:
    evidence, _ = computed(Asked(measure="current ratio"), year(2023))
    told = "The current ratio was 1.50 [1]. Assets were 1,800 [2]. Both [1, 3]. Nothing [7]."
    assert with_operands(told, evidence) == (
        "The current ratio was 1.50 [2] [3]. Assets were 1,800 [2]. Both [2] [3]. Nothing [7]."
    )
    # each operand once, in the formula's order, whatever else the marker names
    assert with_operands("Both [3, 1].", evidence) == "Both [3] [2]."


def test_without_a_calculation_markers_stay_as_they_were_written() -> None:
    assert with_operands("Sales rose [1, 3; 2].", [piece(1), piece(2), piece(3)]) == "Sales rose [1, 3; 2]."


def test_a_refused_calculation_is_cited_by_the_figures_that_were_found() -> None:
    refused = Asked(formula="a", items={"a": "operating income"}, across="growth")
    evidence, _ = computed(refused, year(2023))
    assert with_operands("It has none [1].", evidence) == "It has none [3] [2]."  # from, then to


def test_an_answer_that_lacks_one_of_its_figures_is_partial() -> None:
    lacking, _ = computed(Asked(measure="current ratio"), year(2023), companies=("ORLA", "TILB"))
    whole, _ = computed(Asked(measure="current ratio"), year(2023))
    assert _as_computed("answered", lacking) == "partial"
    assert _as_computed("abstained", lacking) == "abstained"
    assert _as_computed("answered", whole) == "answered"
