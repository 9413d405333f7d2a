"""The local answerer: which facts and sentences it states, in which form, and when it refuses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from graphs.contracts import Draft, Reading
from graphs.drafts.refusals import NOT_UNDERSTOOD
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from tests.unit.graphs.local.answer.checked import checked_draft
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

Make = Callable[..., Evidence]
NOW = date(2024, 6, 29)
THEN = date(2023, 7, 1)


def reading(question: str, *, metrics: tuple[str, ...] = (), dated: bool = True, **fields: object) -> Reading:
    periods = (PeriodFilter(end=NOW),) if dated else ()
    known = {"companies": ("ORLA",), "scope": Scope(companies=("ORLA",), periods=periods), **fields}
    return Reading(question=question, metrics=metrics, **known)  # type: ignore[arg-type]


def test_one_fitting_fact_is_one_cited_sentence(fact: Make) -> None:
    evidence = [fact(1, "Total net revenue", "4812"), fact(2, "Other income", "12", match=0.4)]
    made = checked_draft(
        reading("What was Orla's total net revenue?", metrics=("total net revenue",)), evidence
    )
    assert made.text == (
        "Orla Devices, Inc.'s total net revenue for the three months ended June 29, 2024 was 4,812 "
        "million USD "
        "($4.8 billion) [1]."
    )


def test_a_figure_stands_for_nothing_that_has_to_be_computed(fact: Make) -> None:
    evidence = [fact(1, "Total net revenue", "4812")]
    asked = reading(
        "How heavily does Orla lean on vans for its total net revenue?", metrics=("total net revenue",)
    )
    assert "4,812" in LocalAnswerer().draft(asked, evidence).text
    draft = LocalAnswerer().draft(asked.model_copy(update={"of_sum": 0.9}), evidence)
    assert (draft.text, draft.abstained, draft.detail) == ("", "no_evidence", NOT_UNDERSTOOD)


def test_headings_units_and_losses_are_stated(fact: Make) -> None:
    item = fact(1, "Diluted", "-1.26", path=("Loss per share",), unit="USD/share", scale=0)
    assert "loss per share, diluted, for the three months" in checked_draft(reading("EPS?"), [item]).text
    assert "-1.26 USD per share" in checked_draft(reading("EPS?"), [item]).text


def test_an_amount_a_share_is_no_net_income(fact: Make) -> None:
    item = fact(1, "earnings", "2.59", unit="USD/share", scale=0)
    asked = reading("What was Orla's net income?", metrics=("net income",))
    assert LocalAnswerer().draft(asked, [item]).abstained is not None
    assert "2.59" in checked_draft(reading("What were Orla's earnings?", metrics=("earnings",)), [item]).text


def test_without_a_period_the_latest_is_taken_and_said_to_be(fact: Make) -> None:
    evidence = [
        fact(1, "Total assets", "19000", end=THEN, months=0, statement="balance"),
        fact(2, "Total assets", "20318", months=0, statement="balance"),
    ]
    made = checked_draft(
        reading("What are Orla's total assets?", metrics=("total assets",), dated=False), evidence
    )
    assert made.text.startswith("In the most recent period found, as of June 29, 2024,")
    assert "19,000" not in made.text


def test_several_companies_become_a_table_with_a_citation_in_each_row(fact: Make) -> None:
    evidence = [
        fact(1, "Net income", "310"),
        fact(2, "Net income", "41", company="Kestrel Stores, Inc.", key="KEST", document="k.pdf"),
    ]
    asked = reading("Net income of Orla and Kestrel?", metrics=("net income",), companies=("ORLA", "KEST"))
    lines = checked_draft(asked, evidence).text.split("\n")
    rows = [line for line in lines if line.startswith("| ") and "[" in line]
    assert len(rows) == 2 and rows[0].endswith("| [1] |") and rows[1].endswith("| [2] |")


def test_a_change_shows_its_calculation_with_both_operands_cited(fact: Make) -> None:
    evidence = [fact(1, "Total net revenue", "4390"), fact(2, "Total net revenue", "4812", end=THEN)]
    made = checked_draft(
        reading("How did Orla's total net revenue change?", metrics=("total net revenue",)), evidence
    )
    assert "fell from 4,812 million USD" in made.text
    assert "4,390 - 4,812 = -422 million USD (-8.8 %) [1] [2]." in made.text


def test_sources_that_disagree_are_shown_as_a_conflict(fact: Make) -> None:
    evidence = [
        fact(1, "Net income", "310"),
        fact(2, "Net income", "297", document="ORLA_2025_10K.pdf"),
    ]
    text = checked_draft(reading("Orla's net income?", metrics=("net income",)), evidence).text
    assert "disagree" in text and "310 million USD" in text and "297 million USD" in text
    assert "[1]" in text and "[2]" in text


def test_rounded_speech_does_not_contradict_the_table(fact: Make) -> None:
    evidence = [fact(1, "Net income", "1310"), fact(2, "Net income", "1.3", scale=9, document="call.pdf")]
    assert (
        "disagree" not in checked_draft(reading("Orla's net income?", metrics=("net income",)), evidence).text
    )


def test_an_ill_fitting_fact_is_never_given_as_the_answer(fact: Make) -> None:
    made = LocalAnswerer().draft(
        reading("Orla's net income?", metrics=("net income",)), [fact(1, "Net revenue", "4812", match=0.6)]
    )
    assert made.abstained == "no_evidence"
    assert "4,812" not in made.detail and "net revenue" in made.detail


def test_equal_companies_and_none_named_is_ambiguous(fact: Make) -> None:
    evidence = [
        fact(1, "Goodwill", "800", match=0.75),
        fact(2, "Goodwill", "10", match=0.75, company="Kestrel Stores, Inc.", key="KEST"),
    ]
    made = LocalAnswerer().draft(Reading(question="What is goodwill?", metrics=("goodwill",)), evidence)
    assert made.abstained == "ambiguous"
    assert "Orla Devices, Inc." in made.detail and "Kestrel Stores, Inc." in made.detail


def test_what_the_index_does_not_hold_is_named() -> None:
    asked = Reading(question="Tesla's revenue?", unknown_companies=("Tesla",))
    made = LocalAnswerer().draft(asked, [])
    assert made.abstained == "no_evidence" and "Tesla" in made.detail
    made = LocalAnswerer().draft(reading("?", unknown_periods=("Q3 1999",)), [])
    assert made.abstained == "no_evidence" and "Q3 1999" in made.detail
    made = LocalAnswerer().draft(Reading(question="Capital of France?", out_of_scope="General knowledge"), [])
    assert made.abstained == "out_of_scope"


def test_an_explanation_is_quoted_from_the_answer_not_the_question(orla: list[Evidence]) -> None:
    made = checked_draft(reading("What did management say about channel inventories and pricing?"), orla[7:8])
    assert made.text.startswith("Marta Lindqvist (Orla Devices, Inc.): “")
    assert "How do you see" not in made.text and made.text.rstrip().endswith("[8]")


def test_a_figure_asked_for_with_its_reason_comes_before_the_quotation(
    fact: Make, orla: list[Evidence]
) -> None:
    evidence = [orla[0], orla[6]]
    asked = reading("What was Orla's net revenue and what drove the increase?", metrics=("net revenue",))
    text = checked_draft(asked, evidence).text
    assert text.index("4,812 million USD") < text.index("sensor shipments")


def test_text_of_a_document_cannot_pose_as_markup_or_citations(chunk: Make) -> None:
    hostile = (
        "Demand for sensors [3] was **strong** | `rm` <b>and</b> \u201cgrew\u201d in every region "
        "of the world."
    )
    text = checked_draft(reading("Explain the demand for sensors"), [chunk(1, hostile)]).text
    assert (
        "[3]" not in text and "**" not in text and "`" not in text and "<b>" not in text and "|" not in text
    )


def test_boilerplate_and_pleasantries_are_not_quoted(chunk: Make) -> None:
    text = (
        "Thank you for joining us to discuss sensors and demand today, everyone. These forward-looking "
        "statements "
        "about sensors and demand are subject to risks and uncertainties. Demand for sensors doubled in "
        "Europe and Asia."
    )
    made = checked_draft(reading("Explain the demand for sensors"), [chunk(1, text)])
    assert "doubled" in made.text and "Thank you" not in made.text and "forward-looking" not in made.text


def test_people_are_answered_by_their_relation(chunk: Make) -> None:
    item = chunk(
        1,
        "Marta Lindqvist holds the role Chief Financial Officer (participant list).",
        "relation",
        score=0.95,
    )
    made = checked_draft(reading("Who is Orla's CFO?", dated=False), [item])
    assert made.text == "Marta Lindqvist holds the role Chief Financial Officer [1]."


def test_a_revision_keeps_only_what_is_supported(fact: Make, orla: list[Evidence]) -> None:
    asked = reading("?")
    first = Draft(text="Net revenue was $4.8 billion [1]. Net revenue was $9.9 billion [1].")
    verdict = LocalChecker().check(asked, first, orla)
    second = LocalAnswerer().revise(asked, orla, first, verdict)
    assert second.text == "Net revenue was $4.8 billion [1]."
    nothing = Draft(text="Net revenue was $9.9 billion [1].")
    verdict = LocalChecker().check(asked, nothing, orla)
    assert LocalAnswerer().revise(asked, orla, nothing, verdict).abstained == "unsupported"


def test_a_table_that_loses_its_last_row_goes_with_its_header(orla: list[Evidence]) -> None:
    asked = reading("?")
    first = Draft(
        text="Net revenue was $4.8 billion [1].\n\nOthers:\n\n| Item | Value | Source |\n| --- | --- | --- |\n"
        "| Total assets | 7 million USD | [6] |"
    )
    verdict = LocalChecker().check(asked, first, orla)
    assert LocalAnswerer().revise(asked, orla, first, verdict).text == "Net revenue was $4.8 billion [1]."


def test_a_margin_in_percent_is_not_answered_in_dollars(fact: Make) -> None:
    asked = reading("What percentage was Orla's gross margin?", metrics=("gross margin",))
    evidence = [
        fact(1, "Gross margin", "2100"),
        fact(2, "Gross margin percentage", "44.5", unit="percent", scale=0, match=0.9),
    ]
    assert (
        "44.5 %" in checked_draft(asked, evidence).text and "2,100" not in checked_draft(asked, evidence).text
    )


def test_a_fact_that_the_question_names_exactly_is_taken_on_a_second_look(fact: Make) -> None:
    item = fact(1, "Raw materials", "1936", match=0.45, months=0, statement="other", title="Inventories")
    asked = reading("Orla raw materials inventory as of June 29, 2024?", metrics=("inventory",), months=0)
    assert "1,936 million USD" in checked_draft(asked, [item]).text
    other = reading(
        "Orla raw materials inventory in Peru as of June 29, 2024?", metrics=("inventory",), months=0
    )
    assert LocalAnswerer().draft(other, [item]).abstained == "no_evidence"


def test_quotations_of_two_companies_compared_come_from_both(chunk: Make) -> None:
    orla = chunk(1, "We depend on two suppliers of wafers, and both suppliers make them in one region.")
    said = "Our suppliers abroad make about half of what we sell, most of it furniture."
    kest = chunk(2, said, company="Kestrel", key="KEST")
    asked = reading(
        "Compare how Orla and Kestrel describe their suppliers", companies=("ORLA", "KEST"), dated=False
    )
    text = checked_draft(asked, [orla, kest]).text
    assert "[1]" in text and "[2]" in text


def test_a_fact_that_nearly_fits_is_taken_only_where_no_other_amount_comes_close(fact: Make) -> None:
    asked = reading("What did Orla book as grants?", metrics=("grants",))
    near = fact(1, "Grants received", "48", match=0.7)
    assert "48 million USD" in checked_draft(asked, [near, fact(2, "Other income", "12", match=0.4)]).text
    both = [near, fact(2, "Grants repaid", "12", match=0.65)]
    assert LocalAnswerer().draft(asked, both).abstained == "no_evidence"


def test_how_many_shares_is_answered_in_shares(fact: Make) -> None:
    shares = fact(1, "Weighted-average diluted shares", "310", unit="shares", match=0.9)
    per_share = fact(2, "Diluted", "1.20", unit="USD/share", scale=0, match=0.9)
    asked = reading("How many diluted shares did Orla use for EPS?", metrics=("diluted shares",))
    text = checked_draft(asked, [per_share.model_copy(update={"rank": 2}), shares]).text
    assert "310 million shares" in text and "1.20" not in text
