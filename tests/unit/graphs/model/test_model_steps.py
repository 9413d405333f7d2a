"""The model's condenser, answerer, checker and reranker: what they ask, take, refuse and fall back to."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from graphs.contracts import AnswerForm, Draft, Reading, Statement, Verdict
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from graphs.local.followup.condenser import LocalCondenser
from graphs.local.question.planner import LocalPlanner
from graphs.model.answer_forms import FORMS
from graphs.model.answerer import ModelAnswerer
from graphs.model.checker import ModelChecker
from graphs.model.condenser import ModelCondenser
from graphs.model.context_budget import fitting
from graphs.model.planner import ModelPlanner
from graphs.model.rerank import ModelReranker
from graphs.model.scope_text import scope_in_words
from tests.filings import CATALOG
from tests.scripted import Scripted, none_supported, script
from tools.evidence import Evidence
from tools.model.tokens import estimate_tokens
from tools.model.turn import Turn, turn
from tools.model.types import (
    ContextTooSmallError,
    MalformedReplyError,
    ModelDownError,
    RefusedReplyError,
    Reply,
)
from tools.periods import PeriodFilter
from tools.scope import Scope

REVENUE = Reading(
    question="What was Orla's total net revenue in the three months ended June 29, 2024?",
    companies=("ORLA",),
    company_names=("Orla",),
    metrics=("total net revenue",),
    months=3,
)
WHY = Reading(question="Why did Orla's net revenue increase?", companies=("ORLA",), company_names=("Orla",))
GOOD = "Orla's total net revenue was 4,812 million USD in the three months ended June 29, 2024 [1]."
FALSE = "Orla's total net revenue was 9,999 million USD in the three months ended June 29, 2024 [1]."
REASON = "Net revenue rose 10%, thanks to more sensors shipped to customers in the car trade [7]."
HISTORY = [("What was Orla's total net revenue in Q2 2024?", "It was 4,812 million USD [1].")]
DOWN = ModelDownError("nobody is there")


def answerer(model: Scripted) -> ModelAnswerer:
    return ModelAnswerer(model, LocalAnswerer(), ModelDraftGuard())


def checker(model: Scripted) -> ModelChecker:
    return ModelChecker(model, LocalChecker(), ModelDraftGuard())


def drafted(model: Scripted, evidence: list[Evidence], reading: Reading = REVENUE) -> tuple[Draft, Turn]:
    with turn("generate") as spent:
        return answerer(model).draft(reading, evidence), spent


def condensed(
    said: Any, question: str = "And gross margin?", history: Any = HISTORY
) -> tuple[str, Turn, Scripted]:
    model = Scripted({"condense": said})
    with turn("condense") as spent:
        return ModelCondenser(model, LocalCondenser()).condense(question, history), spent, model


# condense


@pytest.mark.parametrize(
    "reply",
    [
        "What was Orla's gross margin in Q2 2024?",
        '"What was Orla\'s gross margin in Q2 2024?"',
        "Standalone question: What was Orla's gross margin in Q2 2024?",
        "Reply:\nWhat was Orla's gross margin in Q2 2024?",
        '```json\n{"question": "What was Orla\'s gross margin in Q2 2024?"}\n```',
        "<think>Hm.</think>What was Orla's gross margin in Q2 2024?",
    ],
)
def test_a_follow_up_becomes_the_one_question_in_the_reply(reply: str) -> None:
    question, spent, _ = condensed(reply)
    assert question == "What was Orla's gross margin in Q2 2024?"
    assert spent.notes == []


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("What was Orla's gross margin in Q2 2024? What was its revenue?", "not one question"),
        ("What was Orla's gross margin?\nIt was 44.5%.", "not one question"),
        ("What was Orla's total net revenue in Q2 2024?", "another question"),
        ("What was Orla's gross margin in Q3 2023?", "a figure that nobody said"),
        ("What was Tarn's gross margin in Q2 2024?", "'Tarn', which nobody said"),
        ("gross margin " * 400, "not one question"),
        ("***", "not one question"),
    ],
)
def test_a_rewriting_that_says_more_or_less_than_the_conversation_gives_way_to_rules(
    reply: str, told: str
) -> None:
    question, spent, _ = condensed(reply)
    assert "Orla" in question and "gross margin" in question and "Q2 2024" in question
    assert len(spent.notes) == 1 and told in spent.notes[0] and spent.notes[0].endswith("engine's was used")


def test_a_first_question_is_not_sent_to_the_model() -> None:
    question, spent, model = condensed(DOWN, "What was revenue?", [])
    assert (question, model.steps, spent.down) == ("What was revenue?", [], "")


def test_a_figure_of_the_follow_up_is_not_lost() -> None:
    question, spent, _ = condensed("What was Orla's gross margin in Q2 2024?", "And gross margin in 2022?")
    assert "2022" in question and "lost a figure" in spent.notes[0]


# generate


def test_a_draft_is_the_models_words_with_their_markers(orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD))
    draft, spent = drafted(model, orla)
    assert (draft.text, draft.engine, spent.notes) == (GOOD, "model", [])
    system, user = model.asked[0]
    assert "data from documents" in system.text
    assert "[9] Orla Devices, Inc." in user.text and REVENUE.question in user.text
    assert "Orla; three months" in user.text


def test_the_scope_is_told_in_words() -> None:
    scope = Scope(
        ("ORLA",), (PeriodFilter(fiscal_year=2024, fiscal_quarter=2), PeriodFilter(calendar_year=2023))
    )
    assert scope_in_words(Reading(question="q", scope=scope)) == "ORLA; fiscal Q2 2024 or calendar 2023"
    assert scope_in_words(Reading(question="q")) == "no particular company or period"


@pytest.mark.parametrize(
    "said",
    [
        DOWN,
        RefusedReplyError("no"),
        MalformedReplyError("no"),
        "I'm sorry, but I can't help with that.",
        '{"tool": "rm", "arguments": {}}',
        "```\n```",
        "<think>all thought",
    ],
)
def test_without_a_usable_draft_the_local_one_is_used_and_said(said: Any, orla: list[Evidence]) -> None:
    draft, spent = drafted(Scripted(script(said)), orla)
    assert draft == LocalAnswerer().draft(REVENUE, orla) and "4,812 million USD" in draft.text
    assert len(spent.notes) == 1 and "local engine's was used" in spent.notes[0]
    assert bool(spent.down) == (said is DOWN)


def test_an_endpoint_that_is_down_is_not_asked_again(orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD))
    with turn("check", down="nobody is there") as spent:
        assert answerer(model).draft(REVENUE, orla).engine == "local"
        planner = ModelPlanner(model, LocalPlanner())
        assert planner.plan(REVENUE, CATALOG, Scope()).calls == ()
        checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
        ModelReranker(model).rerank(REVENUE, orla)
    assert model.steps == [] and spent.notes == []


def test_what_the_model_does_not_find_is_believed_and_what_it_misses_is_kept(orla: list[Evidence]) -> None:
    draft, spent = drafted(Scripted(script("NOT_IN_EVIDENCE\nMISSING: Number of penguins owned")), orla)
    assert (draft.abstained, draft.engine, spent.notes) == ("no_evidence", "model", [])
    assert draft.missing == "Number of penguins owned"
    draft, _ = drafted(Scripted(script("NOT_IN_EVIDENCE")), orla)
    assert (draft.abstained, draft.missing) == ("no_evidence", "an answer to the question")
    draft, _ = drafted(Scripted(script(f"{GOOD}\n**MISSING:** Number of penguins owned")), orla)
    assert (draft.text, draft.missing) == (GOOD, "Number of penguins owned")


@pytest.mark.parametrize("form", get_args(AnswerForm))
def test_the_prompt_says_what_form_of_answer_is_asked_for(form: AnswerForm, orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD))
    drafted(model, orla, REVENUE.model_copy(update={"form": form}))
    assert FORMS[form] in model.asked[0][0].text


@pytest.mark.parametrize(
    "reading",
    [
        Reading(question="What is the capital of France?", out_of_scope="general knowledge"),
        Reading(question="What was Foo's revenue?", unknown_companies=("Foo",)),
        Reading(question="What was revenue in 1990?", unknown_periods=("1990",)),
    ],
)
def test_what_is_refused_after_planning_too_costs_no_draft(reading: Reading, orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD))
    draft, spent = drafted(model, orla, reading)
    assert model.steps == [] and draft.abstained is not None and spent.notes == []


def test_a_reply_cut_at_its_limit_loses_its_last_sentence_and_says_so(orla: list[Evidence]) -> None:
    draft, spent = drafted(Scripted(script(Reply(f"{GOOD} Gross margin was", "length"))), orla)
    assert draft.text == GOOD and "cut at its token limit" in spent.notes[0]


# context


def test_evidence_is_cut_to_a_known_context_and_the_note_says_how_much(orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD), context=2300)
    draft, spent = drafted(model, orla)
    assert draft.engine == "model" and model.steps == ["answer"]
    assert sum(estimate_tokens(message.text) for message in model.asked[0]) < 2300 - 1024
    (note,) = spent.notes
    assert (
        note.startswith("generate: ")
        and " of 9 pieces of evidence left out to fit the model's context" in note
    )


def test_a_context_found_too_small_is_cut_for_one_more_call_and_no_third(orla: list[Evidence]) -> None:
    small = ContextTooSmallError("too long", 2300)
    model = Scripted(script([small, GOOD]))
    draft, spent = drafted(model, orla)
    assert (draft.engine, model.steps) == ("model", ["answer", "answer"]) and "left out" in spent.notes[0]
    assert len(model.asked[1][1].text) < len(model.asked[0][1].text)
    model = Scripted(script([small, small, GOOD]))
    draft, spent = drafted(model, orla)
    assert (draft.engine, model.steps) == ("local", ["answer", "answer"]) and "too long" in spent.notes[0]


def test_a_context_of_unknown_size_halves_the_evidence(orla: list[Evidence]) -> None:
    model = Scripted(script([ContextTooSmallError("too long"), GOOD]))
    draft, spent = drafted(model, orla)
    assert draft.engine == "model" and "left out" in spent.notes[0]


def test_both_sources_keep_their_best_pieces(orla: list[Evidence]) -> None:
    room = sum(estimate_tokens(item.text) for item in orla) // 2 + 60
    kept = fitting(orla, room, "m")
    assert {item.source for item in kept} == {"vector", "graph"}
    assert [item.rank for item in kept] == sorted(item.rank for item in kept) and 1 in [i.rank for i in kept]
    assert fitting(orla, 0, "m") == []


# check

PARAPHRASE = "Orla sold more because the car trade took more of its sensors [7]."


def test_what_code_passes_whole_needs_no_judge_and_a_wrong_figure_none_either(orla: list[Evidence]) -> None:
    text = f"{GOOD} {FALSE}"
    model = Scripted(script(text))
    verdict = checker(model).check(REVENUE, Draft(text=text, engine="model"), orla)
    assert [s.supported for s in verdict.statements] == [True, False]
    assert verdict.score == 0.5 and "9,999" in verdict.statements[1].reason
    assert [(s.evidence, s.cited) for s in verdict.statements] == [((1,), (1,)), ((), (1,))]
    assert model.steps == []


@pytest.mark.parametrize(
    ("said", "score"),
    [("supported", 1), (True, 1), ("Not supported", 0), ("cannot tell", 0), (False, 0)],
)
def test_wording_is_the_judges(said: Any, score: float, orla: list[Evidence]) -> None:
    model = Scripted(
        script("", verdicts={"verdicts": [{"sentence": 1, "reason": "so it is", "verdict": said}]})
    )
    verdict = checker(model).check(WHY, Draft(text=PARAPHRASE, engine="model"), orla)
    assert verdict.score == score and model.steps == ["verdicts"]
    assert verdict.statements[0].reason == ("" if score else "so it is")
    request = model.asked[0][1].text
    assert "1. Orla sold more" in request and "The check objects: " in request and WHY.question in request
    assert "[7] " in request and "[1] Orla" not in request


def test_a_sentence_without_a_marker_is_held_against_all_that_the_draft_cites(orla: list[Evidence]) -> None:
    text = f"Yes. {PARAPHRASE}"
    model = Scripted(script(text))
    verdict = checker(model).check(WHY, Draft(text=text, engine="model"), orla)
    assert (verdict.score, [s.cited for s in verdict.statements]) == (1, [(7,), (7,)])


def test_what_was_judged_before_is_not_judged_again(orla: list[Evidence]) -> None:
    model = Scripted(script(""))
    first = checker(model).check(WHY, Draft(text=PARAPHRASE, engine="model"), orla)
    both = Draft(text=f"{PARAPHRASE} {GOOD}", engine="model")
    again = checker(model).check(WHY, both, orla, first)
    assert again.score == 1 and again.statements[0] == first.statements[0]
    assert model.steps == ["verdicts"]


def test_too_many_sentences_are_bounded(orla: list[Evidence]) -> None:
    text = " ".join(PARAPHRASE.replace("sold", f"{'once ' * n}sold") for n in range(40))
    model = Scripted(script(text))
    verdict = checker(model).check(WHY, Draft(text=text, engine="model"), orla)
    assert len(verdict.statements) == 40 and model.asked[0][1].text.count(" sold more") == 30
    objections = [s.reason for s in verdict.statements if not s.supported]
    assert len(objections) == 10 and all("does not say this" in each for each in objections)


def test_of_two_verdicts_on_one_sentence_the_stricter_counts(orla: list[Evidence]) -> None:
    both = {
        "verdicts": [{"sentence": 1, "verdict": v, "reason": "r"} for v in ("not_supported", "supported")]
    }
    model = Scripted(script("", verdicts=both))
    assert checker(model).check(WHY, Draft(text=PARAPHRASE, engine="model"), orla).score == 0


def test_without_a_judge_what_code_objects_to_stands(orla: list[Evidence]) -> None:
    text = f"{PARAPHRASE} {GOOD}"
    model = Scripted(script(text, verdicts="no JSON at all"))
    with turn("check") as spent:
        verdict = checker(model).check(WHY, Draft(text=text, engine="model"), orla)
    assert [s.supported for s in verdict.statements] == [False, True] and verdict.statements[0].reason
    assert len(spent.notes) == 1 and spent.notes[0].startswith("check: ")


@pytest.mark.parametrize(
    ("text", "score"), [("", None), ("## Heading", None), ("An answer without any marker.", 0)]
)
def test_a_draft_with_nothing_to_check_or_cited_costs_no_call(
    text: str, score: float | None, orla: list[Evidence]
) -> None:
    model = Scripted(script(GOOD))
    verdict = checker(model).check(REVENUE, Draft(text=text, engine="model"), orla)
    assert (model.steps, verdict.score) == ([], score)


def test_a_local_draft_is_checked_locally(orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD, verdicts=none_supported))
    assert checker(model).check(REVENUE, LocalAnswerer().draft(REVENUE, orla), orla).score == 1
    assert model.steps == []


def test_a_row_is_shown_to_the_model_with_its_columns(orla: list[Evidence]) -> None:
    table = "| Topic | What happened |\n| --- | --- |\n| Sensors | the car trade took more of them [7] |"
    model = Scripted(script(table))
    assert checker(model).check(WHY, Draft(text=table, engine="model"), orla).score == 1
    assert "1. Topic: Sensors; What happened: the car trade took more of them [7]" in model.asked[0][1].text


# revise


def revised(model: Scripted, evidence: list[Evidence], text: str, *bad: Statement) -> tuple[Draft, Turn]:
    verdict = Verdict(statements=bad, score=0)
    with turn("revise") as spent:
        return answerer(model).revise(REVENUE, evidence, Draft(text=text, engine="model"), verdict), spent


BAD = Statement(text=FALSE[:-5], supported=False, reason="9,999 is not there", nearest="Revenue: 4,812")


def test_the_revision_gets_the_problems_what_comes_nearest_and_the_evidence(orla: list[Evidence]) -> None:
    model = Scripted(script("", revise=GOOD))
    draft, spent = revised(model, orla, FALSE, BAD)
    assert (draft.text, draft.engine, spent.notes) == (GOOD, "model", [])
    assert f'1. "{FALSE[:-5]}": 9,999 is not there (nearest: Revenue: 4,812)' in model.asked[0][1].text
    assert "[9] Orla" in model.asked[0][1].text


@pytest.mark.parametrize("said", [DOWN, "NOT_IN_EVIDENCE", "I'm sorry, I can't."])
def test_without_a_revision_the_draft_stays_to_be_trimmed(said: Any, orla: list[Evidence]) -> None:
    draft, _ = revised(Scripted(script("", revise=said)), orla, f"{REASON} {FALSE}", BAD)
    assert (draft.text, draft.engine) == (f"{REASON} {FALSE}", "model")


# rerank


def test_passages_are_reordered_and_useless_ones_left_out(orla: list[Evidence]) -> None:
    passages = orla[6:9]
    scores = {
        "scores": [
            {"passage": 1, "score": 0},
            {"passage": 2, "score": 1},
            {"passage": 3, "score": 3},
            {"passage": 8, "score": 3},
        ]
    }
    with turn("merge") as spent:
        found = ModelReranker(Scripted({"rerank": scores})).rerank(WHY, passages)
    assert [item.item_id for item in found] == ["c9", "c8"]
    assert spent.notes == ["merge: 1 of 3 passages left out as no help"]


@pytest.mark.parametrize(
    "said",
    [
        {"scores": []},
        {"scores": [{"passage": n, "score": 0} for n in (1, 2, 3)]},
        "no JSON",
        DOWN,
    ],
)
def test_passages_stay_where_the_model_scores_none_or_refuses_all(said: Any, orla: list[Evidence]) -> None:
    passages = orla[6:9]
    with turn("merge"):
        assert ModelReranker(Scripted({"rerank": said})).rerank(WHY, passages) == passages
