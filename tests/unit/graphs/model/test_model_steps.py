"""The model's condenser, router, answerer, checker and reranker: what they ask, take, refuse and fall back to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.local.answer.answerer import LocalAnswerer
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from graphs.local.followup.condenser import LocalCondenser
from graphs.local.question.router import LocalRouter
from graphs.model.answerer import ModelAnswerer
from graphs.model.checker import ModelChecker
from graphs.model.condenser import ModelCondenser
from graphs.model.context_budget import fitting
from graphs.model.rerank import ModelReranker
from graphs.model.planner import ModelRouter
from graphs.model.scope_text import scope_in_words
from tests.scripted import ROUTE, Scripted, each_sentence, none_supported, script
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


# route


def routed(said: Any, reading: Reading = REVENUE) -> tuple[Any, Turn, Scripted]:
    model = Scripted({"route": said})
    with turn("route") as spent:
        return ModelRouter(model, LocalRouter()).route(reading), spent, model


@pytest.mark.parametrize(
    ("reply", "kind", "tools", "confidence"),
    [
        (ROUTE, "extractive", ("kg_search",), 0.9),
        ({"kind": " Abstractive.", "reason": "r", "confidence": 80}, "abstractive", ("vector_search",), 0.8),
        ({"kind": "abstractive", "confidence": "95%"}, "abstractive", ("vector_search",), 0.95),
        ({"kind": "extractive", "confidence": None}, "extractive", ("kg_search",), 0.5),
        ({"kind": "extractive", "confidence": 0.2}, "uncertain", ("vector_search", "kg_search"), 0.2),
        (
            'Sure:\n```json\n{"kind": "uncertain", "tools": ["rm"]}\n```',
            "uncertain",
            ("vector_search", "kg_search"),
            0.5,
        ),
    ],
)
def test_the_model_says_the_kind_and_code_says_the_tools(
    reply: Any, kind: str, tools: tuple[str, ...], confidence: float
) -> None:
    route, spent, _ = routed(reply)
    assert (route.kind, route.tools, route.confidence) == (kind, tools, confidence)
    assert route.reason and spent.notes == []


@pytest.mark.parametrize("reply", ["It asks for a figure.", {"kind": "delete", "confidence": 1}, DOWN])
def test_a_route_that_cannot_be_read_is_the_local_one(reply: Any) -> None:
    route, spent, _ = routed(reply)
    assert route == LocalRouter().route(REVENUE)
    assert len(spent.notes) == 1 and spent.notes[0].startswith("route: ")


@pytest.mark.parametrize(
    "reading",
    [
        Reading(question="What is the capital of France?", out_of_scope="general knowledge"),
        Reading(question="What was Foo's revenue?", unknown_companies=("Foo",)),
        Reading(question="What was revenue in 1990?", unknown_periods=("1990",)),
    ],
)
def test_what_will_be_refused_anyway_costs_no_call(reading: Reading, orla: list[Evidence]) -> None:
    _, _, model = routed(DOWN, reading)
    draft, spent = drafted(model, orla, reading)
    assert model.steps == [] and draft.abstained is not None and spent.notes == []


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
        assert ModelRouter(model, LocalRouter()).route(REVENUE).kind == "extractive"
        checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
        ModelReranker(model).rerank(REVENUE, orla)
    assert model.steps == [] and spent.notes == []


def test_nothing_found_is_believed_for_prose_and_not_where_a_parsed_figure_fits(orla: list[Evidence]) -> None:
    draft, spent = drafted(Scripted(script("NOT_IN_EVIDENCE")), orla)
    assert draft.engine == "local" and "4,812" in draft.text and "found no answer" in spent.notes[0]
    draft, spent = drafted(Scripted(script("NOT_IN_EVIDENCE")), orla, WHY)
    assert (draft.abstained, draft.engine, spent.notes) == ("no_evidence", "model", [])


@pytest.mark.parametrize(
    "other",
    [
        "Orla's total net revenue was 4,390 million USD in the three months ended July 1, 2023 [2].",
        "Orla's total assets were 20,318 million USD as of June 29, 2024 [6].",
        "Net revenue increased, driven by sensor shipments [7].",
    ],
)
def test_true_statements_about_something_else_give_way_to_the_figure_asked_for(
    other: str, orla: list[Evidence]
) -> None:
    orla[1:] = [item.model_copy(update={"fact": _matched(item, 0.4)}) for item in orla[1:]]
    draft, spent = drafted(Scripted(script(other)), orla)
    assert draft.engine == "local" and "4,812" in draft.text
    assert spent.notes == [
        "generate: the model found other figures than those asked for; the local engine's was used"
    ]
    draft, spent = revised(Scripted(script("", revise=other)), orla, FALSE, BAD)
    assert draft.engine == "local" and "4,812" in draft.text and "other figures" in spent.notes[0]


def _matched(item: Evidence, match: float) -> Any:
    return item.fact.model_copy(update={"match": match}) if item.fact is not None else None


def test_figures_far_from_the_question_are_no_answer_where_the_local_engine_has_none(
    orla: list[Evidence],
) -> None:
    far = [item.model_copy(update={"fact": _matched(item, 0.4)}) for item in orla]
    reading = REVENUE.model_copy(update={"question": "How many penguins did Orla own?", "metrics": ()})
    assert LocalAnswerer().draft(reading, far).abstained == "no_evidence"
    draft, spent = drafted(Scripted(script(GOOD)), far, reading)
    assert draft.abstained == "no_evidence" and "something else" in spent.notes[0]
    draft, spent = drafted(Scripted(script(REASON)), far, reading)
    assert (draft.text, spent.notes) == (REASON, [])


def test_several_companies_that_fit_are_asked_about_without_a_call(fact: Callable[..., Evidence]) -> None:
    rivals = [
        fact(1, "Total net revenue", "4812"),
        fact(2, "Total net revenue", "300", company="Tarn Corp.", key="TARN"),
    ]
    reading = Reading(question="What was total net revenue?", metrics=("total net revenue",))
    model = Scripted(script(GOOD))
    draft, _ = drafted(model, rivals, reading)
    assert draft.abstained == "ambiguous" and model.steps == []


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


def test_each_statement_gets_both_verdicts_and_the_score_is_the_supported_share(orla: list[Evidence]) -> None:
    text = f"{GOOD} {REASON} Gross margin was 99.9% [5]."
    model = Scripted(script(text))
    verdict = checker(model).check(WHY, Draft(text=text, engine="model"), orla)
    assert [s.supported for s in verdict.statements] == [True, True, False]
    assert verdict.score == pytest.approx(2 / 3)
    assert "99.9" in verdict.statements[2].reason
    assert [s.evidence for s in verdict.statements] == [(1,), (7,), ()]
    assert model.steps == ["statements", "verdicts"]


def test_the_models_no_is_enough_to_refuse_and_its_reason_is_kept(orla: list[Evidence]) -> None:
    verdict = checker(Scripted(script(GOOD, verdicts=none_supported))).check(
        REVENUE, Draft(text=GOOD, engine="model"), orla
    )
    assert (verdict.score, verdict.statements[0].reason) == (0, "not there")
    assert verdict.statements[0].claim + " [1]." == GOOD


def test_statements_that_are_not_of_their_sentence_are_dropped(orla: list[Evidence]) -> None:
    said = {
        "statements": [
            {"sentence": 1, "text": "Orla's total net revenue was 4,812 million USD."},
            {"sentence": 1, "text": "Orla's total net revenue was 4,812 million USD."},
            {"sentence": 1, "text": "Orla's total net revenue was 9,999 million USD."},
            {"sentence": 1, "text": "The chief executive expects storms to hurt demand for sensors."},
            {"sentence": 7, "text": "Orla's total net revenue was 4,812 million USD."},
            {"sentence": 1, "text": "  "},
        ]
    }
    model = Scripted(script(GOOD, statements=said))
    verdict = checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
    assert [s.text for s in verdict.statements] == ["Orla's total net revenue was 4,812 million USD."]
    assert verdict.score == 1


def test_a_sentence_of_which_the_model_makes_nothing_gets_the_whole_local_check(orla: list[Evidence]) -> None:
    text = f"{GOOD} Demand was hit by storms at sea [7]."
    model = Scripted(
        script(text, statements=lambda asked: {"statements": each_sentence(asked)["statements"][:1]})
    )
    verdict = checker(model).check(WHY, Draft(text=text, engine="model"), orla)
    assert [s.supported for s in verdict.statements] == [True, False]
    assert "does not say this" in verdict.statements[1].reason


def test_too_many_statements_are_bounded(orla: list[Evidence]) -> None:
    many = {
        "statements": [
            {"sentence": 1, "text": f"Orla's total net revenue{' ' * 0} was {'so ' * n}4,812 million USD"}
            for n in range(99)
        ]
    }
    model = Scripted(script(GOOD, statements=many))
    verdict = checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
    assert len(verdict.statements) == 3
    text = " ".join(GOOD.replace("4,812", f"4,8{n:02}") for n in range(40))
    model = Scripted(script(text))
    verdict = checker(model).check(REVENUE, Draft(text=text, engine="model"), orla)
    assert len(verdict.statements) == 40 and model.asked[0][1].text.count("Orla's total") <= 24 + 1


def test_a_statement_without_a_verdict_is_judged_by_the_local_check(orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD, verdicts={"verdicts": [{"statement": 9, "supported": True}]}))
    verdict = checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
    assert verdict.score == 1 and verdict.statements[0].claim == ""


def test_of_two_verdicts_on_one_statement_the_stricter_counts(orla: list[Evidence]) -> None:
    both = {"verdicts": [{"statement": 1, "supported": v, "reason": "r"} for v in (False, True)]}
    model = Scripted(script(GOOD, verdicts=both))
    assert checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla).score == 0


@pytest.mark.parametrize("step", ["statements", "verdicts"])
def test_a_check_that_fails_half_way_is_the_local_one(step: str, orla: list[Evidence]) -> None:
    model = Scripted(script(GOOD, **{step: "no JSON at all"}))
    with turn("check") as spent:
        verdict = checker(model).check(REVENUE, Draft(text=GOOD, engine="model"), orla)
    assert verdict == LocalChecker().check(REVENUE, Draft(text=GOOD), orla)
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
    table = (
        "| Item | Value |\n| --- | --- |\n"
        "| Total net revenue, three months ended June 29, 2024 | 4,812 million USD [1] |"
    )
    model = Scripted(script(table))
    assert checker(model).check(REVENUE, Draft(text=table, engine="model"), orla).score == 1
    assert "Item: Total net revenue, three months ended June 29, 2024; Value: 4,812" in model.asked[0][1].text


# revise


def revised(model: Scripted, evidence: list[Evidence], text: str, *bad: Statement) -> tuple[Draft, Turn]:
    verdict = Verdict(statements=bad, score=0)
    with turn("revise") as spent:
        return answerer(model).revise(REVENUE, evidence, Draft(text=text, engine="model"), verdict), spent


BAD = Statement(text="Revenue was 9,999.", claim=FALSE[:-5], supported=False, reason="9,999 is not there")


def test_the_revision_gets_the_problems_and_the_evidence(orla: list[Evidence]) -> None:
    model = Scripted(script("", revise=GOOD))
    draft, spent = revised(model, orla, FALSE, BAD)
    assert (draft.text, draft.engine, spent.notes) == (GOOD, "model", [])
    assert f'1. "{FALSE[:-5]}": 9,999 is not there' in model.asked[0][1].text
    assert "[9] Orla" in model.asked[0][1].text


def test_a_revision_that_still_fails_gives_way_to_the_local_draft(orla: list[Evidence]) -> None:
    draft, spent = revised(Scripted(script("", revise=FALSE)), orla, FALSE, BAD)
    assert draft.engine == "local" and "4,812" in draft.text and "did not pass" in spent.notes[0]


@pytest.mark.parametrize("said", [DOWN, "NOT_IN_EVIDENCE", "I'm sorry, I can't."])
def test_without_a_revision_what_holds_of_the_draft_is_kept(said: Any, orla: list[Evidence]) -> None:
    good = Statement(text="x", claim=REASON[:-5], supported=True, evidence=(7,))
    draft, _ = revised(Scripted(script("", revise=said)), orla, f"{REASON} {FALSE}", good, BAD)
    assert (draft.text, draft.engine) == (REASON, "model")
    draft, spent = revised(Scripted(script("", revise=said)), orla, FALSE, BAD)
    assert draft.engine == "local" and "4,812" in draft.text and "was used" in spent.notes[-1]


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
