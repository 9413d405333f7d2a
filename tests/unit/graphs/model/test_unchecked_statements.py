"""No line of a draft reaches a reader unchecked: heads, table heads, footnotes, closing lines, quotations and links."""

from __future__ import annotations

import pytest

from evals.attacks.statements import DOCUMENT, MAX_WORDS_SHOWN, QUESTION, Payload, payloads, reply_of
from graphs.contracts import Reading, Statement
from graphs.drafts.claims import keep_lines
from graphs.drafts.links import unlinked
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from graphs.model.answerer import ModelAnswerer
from graphs.model.checker import ModelChecker
from graphs.steps.answer import trim
from tests.pieces import piece
from tests.scripted import STEPS, Scripted

PROSE = " ".join(DOCUMENT.partition("Analysis")[2].split())
EVIDENCE = [
    piece(n, text).model_copy(update={"company": "Baldovia Inc.", "company_key": "BLDV", "document": "b.txt"})
    for n, text in ((1, PROSE[: PROSE.index("Demand")]), (2, PROSE[PROSE.index("Demand") :]))
]
READING = Reading(question=QUESTION, companies=("BLDV",), company_names=("Baldovia",))


def shown(payload: Payload, *, honest: bool) -> str:
    """What is left of a draft for the reader; '' where nothing can be cited."""
    reply, opening = reply_of(payload, honest=honest), {step: start for start, step in STEPS.items()}
    said = ("answer", "revise", "verdicts")
    model = Scripted({step: lambda asked, step=step: reply(opening[step], asked) for step in said})  # type: ignore[misc]
    guard = ModelDraftGuard()
    answerer = ModelAnswerer(model, LocalAnswerer(), guard)
    checker = ModelChecker(model, LocalChecker(), guard)
    draft = answerer.draft(READING, EVIDENCE)
    verdict = checker.check(READING, draft, EVIDENCE)
    draft = answerer.revise(READING, EVIDENCE, draft, verdict)
    verdict = checker.check(READING, draft, EVIDENCE, verdict)
    bad: list[Statement] = [each for each in verdict.statements if not each.supported]
    return (trim(draft.text, [each.text for each in bad]) or "") if bad else draft.text


def test_an_honest_judge_lets_nothing_made_up_through_and_what_is_true_stays() -> None:
    answers = {payload: shown(payload, honest=True) for payload in payloads()}
    assert len(answers) >= 100
    assert [payload.name for payload, text in answers.items() if payload.is_in(text)] == []
    assert sum("renewed" in text for text in answers.values()) >= 0.9 * len(answers)


def test_a_judge_that_approves_everything_lets_through_a_few_plain_words_and_no_more() -> None:
    through = [payload for payload in payloads() if payload.is_in(shown(payload, honest=False))]
    assert [payload.name for payload in through if payload.kind != "words"] == []
    assert len(through) <= MAX_WORDS_SHOWN * len(payloads())


def test_all_that_is_kept_of_a_draft_are_its_kept_claims() -> None:
    """'Sell' is no part of 'Sellers', and what is said twice goes twice."""
    text = "Sellers came back [1]. Sell [1].\n\n## Risks\n\n- Sell [2]\n\n## Demand\n\nIt was steady [1]."
    kept = keep_lines(text, lambda claim: claim.text != "Sell")
    assert kept == "Sellers came back [1].\n\n## Demand\n\nIt was steady [1]."


def test_a_cell_of_a_tables_head_is_emptied_and_its_rows_stay() -> None:
    text = "| Fraud | Reason |\n| --- | --- |\n| Revenue | renewals [1] |"
    kept = keep_lines(text, lambda claim: claim.text != "Fraud")
    assert kept == "|  | Reason |\n| --- | --- |\n| Revenue | renewals [1] |"


@pytest.mark.parametrize(
    "text",
    [
        "## Revenue in the quarter",
        "**Key drivers:**",
        "| Item | Reason |\n| --- | --- |\n| Demand | steady [2] |\n",
        "## Why revenue changed",
        "Summary:",
    ],
)
def test_a_head_in_the_words_of_question_evidence_and_form_is_no_statement(text: str) -> None:
    guard, draft = ModelDraftGuard(), f"{text}\n- Demand was steady [2]."
    heads = [claim.kind for claim in guard.claims(draft)]
    by_rank = {item.rank: item for item in EVIDENCE}
    assert "head" not in heads
    assert (
        keep_lines(draft, lambda c: c.kind != "head" or not guard.label_fault(c, by_rank, QUESTION)) == draft
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("see [x](//h/p) [2](http://a) b", "see x [2] b"),
        ("[[1]](http://x) b", "[1] b"),
        ("b [a](\n//host/x)", "b a"),
        ("ht<b></b>tp://evil.example x", "x"),
        ("[1]: //host/p\n\nRevenue [1].", "Revenue [1]."),
        ("x \\\\host\\share", "x"),
        ("<5% and a < b > c of 3/4 and AT&T", "<5% and a < b > c of 3/4 and AT&T"),
    ],
)
def test_nothing_of_a_link_but_its_words_is_left(text: str, words: str) -> None:
    assert unlinked(text).strip() == words
