"""Calls: participants, turns, exchanges."""

from __future__ import annotations

from tools.documents.structure.transcript import Exchange, Turn, read_transcript
from tools.documents.types import Page

HEAD = """AUR Q2 2021 Earnings Call Transcript
Call participants
Ann Marie Lee--President, Chief Executive Officer and Representative of the Board of Directors and
Secretary
Carl Otto---Executive Vice President & Chief Financial Officer
Bob Roy--Harbor Bank -- Analyst
f Dora Fox--Reed & Co. -- Senior Research Analyst
Eve St. Hill--Piper Inc. Analyst
Fay Gray--Analyst
Gus Hart--Bank of Two / Rivers
Hal Ito[Phonetic]--Tide Bank -- Analyst
Ida Jay--Kite BankIda Jay -- Analyst
Unidentified Speaker
Prepared Remarks
"""
BODY = """Operator
Welcome to the call. [Operator Instructions]
Ann Marie Lee
Thank you. We grew.
Carl Otto joined us in May.
Carl Otto
Margins rose.
Questions and Answers
Operator
The first question comes from Bob Roy of Harbor Bank.
Bob Roy
How was demand?
Ann Marie Lee
Strong.
Bob Roy
And supply?
Carl Otto
Tight.
Operator
Next is Dora Fox.
Dora Fox
What about tax?
Carl Otto
About 20%.
Operator
That concludes our questions.
Ann Marie Lee
Thank you all.
Operator
[Operator Closing Remarks]
Duration: 60 minutes
"""


def read(text: str) -> tuple[list[tuple[str, str, str, bool]], list[Turn | Exchange]]:
    pages = [Page(number, page) for number, page in enumerate(text.split("\f"), 1)]
    transcript = read_transcript(pages, "Aurora, Inc.")
    people = [(p.name, p.role, p.firm, p.is_analyst) for p in transcript.participants]
    return people, list(transcript.parts)


def said(turn: Turn) -> str:
    return " ".join(line for _, line in turn.lines)


def test_participants_are_read_in_all_their_forms() -> None:
    people, _ = read(HEAD + BODY)
    assert people == [
        (
            "Ann Marie Lee",
            "President, Chief Executive Officer and Representative of the Board of Directors and Secretary",
            "Aurora, Inc.",
            False,
        ),
        ("Carl Otto", "Executive Vice President & Chief Financial Officer", "Aurora, Inc.", False),
        ("Bob Roy", "Analyst", "Harbor Bank", True),
        ("Dora Fox", "Senior Research Analyst", "Reed & Co.", True),
        ("Eve St. Hill", "Analyst", "Piper Inc.", True),
        ("Fay Gray", "Analyst", "", True),
        ("Gus Hart", "Analyst", "Bank of Two / Rivers", True),
        ("Hal Ito", "Analyst", "Tide Bank", True),
        ("Ida Jay", "Analyst", "Kite Bank", True),
        ("Unidentified Speaker", "", "", False),
    ]


def test_turns_and_exchanges_keep_their_order() -> None:
    _, parts = read(HEAD + BODY)
    shape = [
        (part.asker, [turn.speaker for turn in part.turns]) if isinstance(part, Exchange) else part.speaker
        for part in parts
    ]
    assert shape == [
        "Operator",
        "Ann Marie Lee",
        "Carl Otto",
        ("Bob Roy", ["Operator", "Bob Roy", "Ann Marie Lee", "Bob Roy", "Carl Otto"]),
        ("Dora Fox", ["Operator", "Dora Fox", "Carl Otto"]),
        "Operator",
        "Ann Marie Lee",
    ]


def test_a_name_inside_a_sentence_starts_no_turn() -> None:
    _, parts = read(HEAD + BODY)
    assert isinstance(parts[1], Turn)
    assert said(parts[1]) == "Thank you. We grew. Carl Otto joined us in May."


def test_an_analyst_who_returns_after_the_operator_continues_the_exchange() -> None:
    lost = "Operator\nBob Roy, please.\nBob Roy\nHello?\nOperator\nHe is back.\nBob Roy\nSorry. Demand?\n"
    _, parts = read(f"{HEAD}Questions and Answers\n{lost}")
    assert len(parts) == 1
    assert isinstance(parts[0], Exchange)
    assert [turn.speaker for turn in parts[0].turns] == ["Operator", "Bob Roy", "Operator", "Bob Roy"]


def test_an_answer_whose_question_is_missing_belongs_to_the_analyst_called_up() -> None:
    asked = "Operator\nNext is Bob Roy of Harbor Bank.\nAnn Marie Lee\nDemand was strong.\nCarl Otto\nYes.\n"
    closing = "Operator\nBack to Ann Marie Lee.\nAnn Marie Lee\nGoodbye.\n"
    _, parts = read(f"{HEAD}Questions and Answers\n{asked}{closing}")
    assert isinstance(parts[0], Exchange)
    assert (parts[0].asker, [t.speaker for t in parts[0].turns]) == (
        "Bob Roy",
        ["Operator", "Ann Marie Lee", "Carl Otto"],
    )
    assert [part.speaker for part in parts[1:] if isinstance(part, Turn)] == ["Operator", "Ann Marie Lee"]


def test_a_questioner_missing_from_the_list_is_still_an_asker() -> None:
    asked = "Questions and Answers\nOperator\nNext.\nUnidentified Analyst\nWhy?\nAnn Lee\nCost."
    _, parts = read(f"Call participants\nAnn Lee--CEO\nOperator\nHi.\n{asked}")
    assert isinstance(parts[-1], Exchange)
    assert parts[-1].asker == "Unidentified Analyst"


def test_speakers_may_carry_their_firm_or_a_colon() -> None:
    asked = "Bob Roy -- Harbor Bank -- Analyst\nWhy?\nCarl Otto -- Chief Financial Officer\nCost.\n"
    _, parts = read(f"{HEAD}Operator\nHi.\nQuestions and Answers\n{asked}")
    assert isinstance(parts[-1], Exchange)
    turns = [(turn.speaker, said(turn)) for turn in parts[-1].turns]
    assert turns[1:] == [("Bob Roy", "Why?"), ("Carl Otto", "Cost.")]
    inline = (
        "Operator: Hi.\nQuestions and Answers\nBob Roy: Why?\nTwo reasons: both matter.\nCarl Otto: Cost.\n"
    )
    _, parts = read(f"{HEAD}{inline}")
    assert isinstance(parts[-1], Exchange)
    assert [said(turn) for turn in parts[-1].turns][1:] == ["Why? Two reasons: both matter.", "Cost."]


def test_a_turn_that_spans_pages_remembers_where_each_line_stood() -> None:
    _, parts = read(HEAD + "Operator\nHello\f and welcome.\n")
    assert isinstance(parts[0], Turn)
    assert parts[0].lines == [(1, "Hello"), (2, "and welcome.")]


def test_markdown_transcripts_are_read() -> None:
    _, parts = read(
        "# AUR call\n## Call participants\n- Ann Lee--CEO\n## Prepared Remarks\n**x**\n@ Ann Lee\nWe grew.\n"
    )
    assert isinstance(parts[-1], Turn)
    assert (parts[-1].speaker, said(parts[-1])) == ("Ann Lee", "We grew.")


def test_stage_directions_and_headings_are_counted_as_dropped() -> None:
    transcript = read_transcript([Page(1, HEAD + BODY)], "Aurora, Inc.")
    assert transcript.dropped == {"title": 2, "headings": 3, "stage_directions": 1}


def test_figures_addresses_and_markup_are_nobodys_name() -> None:
    lines = (
        "Revenue Was 987,654 Million--Chief Financial Officer\nSee a.example/p--Chief Executive Officer\n"
        "<|im_start|>system--Director\nSpeaker 2--Director\nAnn Lee--Chief Executive Officer\nOperator\nWelcome."
    )
    call = read_transcript([Page(1, f"Call participants\n{lines}")], "Aurora")
    assert [p.name for p in call.participants] == ["Speaker 2", "Ann Lee"]
