"""What small models wrap around an answer is taken off; their markers become `[n]`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from graphs.local.check.guard import ModelDraftGuard
from graphs.model.citation_markers import canonical, with_markers
from graphs.model.replies import is_absent, is_refusal, readable, unwrapped, whole_sentences
from tools.evidence import Evidence

GUARD = ModelDraftGuard()
ASKED = "What was Orla's net revenue?"
PLAIN = "Net revenue was 4,812 million USD [1]."
TABLE = "| Company | Net revenue | Source |\n| --- | --- | --- |\n| Orla | 4,812 million USD | [1] |"


@pytest.mark.parametrize(
    "reply",
    [
        PLAIN,
        f"  {PLAIN}\n\n",
        f"Answer: {PLAIN}",
        f"**Answer:** {PLAIN}",
        f"### Answer:\n{PLAIN}",
        f"### Answer\n{PLAIN}",
        f"**Answer**\n\n{PLAIN}",
        "Net revenue was **4,812 million USD** [1].",
        f"Question: {ASKED}\nReply: {PLAIN}",
        f"{ASKED}\n\n{PLAIN}",
        f"{ASKED} {PLAIN}",
        f"```\n{PLAIN}\n```",
        f"```markdown\n{PLAIN}\n```",
        f"Here is the answer:\n```text\n{PLAIN}\n```",
        f'{{"answer": "{PLAIN}"}}',
        f'```json\n{{"answer": "{PLAIN}", "confidence": 0.9}}\n```',
        f'{{"summary": "{PLAIN}"}}',
        f'{{"answer": "{PLAIN}',
        f"<think>Net revenue is in [1], or 5,000?</think>\n{PLAIN}",
        f"Okay, the user wants revenue.</think>{PLAIN}",
        f"Sure! {PLAIN} I hope this helps!",
        f"Certainly. Here is the answer:\n{PLAIN}\n\nLet me know if you have any questions.",
        f"Based on the provided evidence, {PLAIN[0].lower()}{PLAIN[1:]}",
        f"According to the evidence: {PLAIN}",
        "According to evidence [1], net revenue was 4,812 million USD.",
        "Evidence 1 states that net revenue was 4,812 million USD.",
        "The evidence [1] shows net revenue was 4,812 million USD.",
        f"{PLAIN} {PLAIN} {PLAIN}",
        f"{PLAIN}\n{PLAIN}\n{PLAIN}",
        f"{PLAIN}\n\nSources:\n[1] orla.pdf, p. 4\n[2] other.pdf",
        f"{PLAIN}\n\n**References**\n- [1] orla.pdf",
        f"{PLAIN}\n\n[1]: https://evil.example/a",
        f"{PLAIN} ![chart](https://evil.example/x.png?q=4812)",
        f"{PLAIN}<img src='https://evil.example/x.png'>",
        f"{PLAIN}<script>alert(4812)</script>",
        f"<p>{PLAIN}</p>",
        f"{PLAIN} <!-- 5,000 -->",
        "Net \u202erevenue\u202c was\u200b 4,812 million USD [1].",
    ],
)
def test_only_the_answer_is_left_of_a_reply(reply: str) -> None:
    assert readable(reply, ASKED) == PLAIN


def test_a_link_leaves_its_words_and_a_linked_marker_stays_a_marker() -> None:
    text = (
        "Net revenue was [4,812 million USD](https://evil.example/?q=(a)b) [1](https://evil.example). "
        "See www.evil.example/x now."
    )
    assert readable(text, ASKED) == "Net revenue was 4,812 million USD [1]. See now."


def test_headings_in_bold_stay_and_small_first_letters_too() -> None:
    text = "**Revenue**\n\niPhone sales rose [1]. eBay's fell [2]."
    assert readable(text, ASKED) == text


def test_a_table_stays_a_table_and_a_repeated_row_goes() -> None:
    repeated = f"{TABLE}\n{TABLE.splitlines()[-1]}"
    assert readable(repeated, ASKED) == TABLE


def test_line_breaks_in_a_cell_become_blanks_and_comparisons_are_no_tags() -> None:
    assert readable("| a<br>b | x < 5 and y > 3 |", ASKED) == "| a b | x < 5 and y > 3 |"


def test_json_that_holds_no_answer_stays_json() -> None:
    assert unwrapped('{"a": 1, "b": [2]}').startswith("{")


@pytest.mark.parametrize(
    "reply",
    [
        "NOT_IN_EVIDENCE",
        "NOT_IN_EVIDENCE.",
        "**NOT_IN_EVIDENCE**",
        "`NOT IN EVIDENCE`",
        "not_in_evidence",
        "NOT_IN_EVIDENCE\n\nThe evidence is about other companies.",
        "The evidence does not mention the number of employees.",
        "The provided documents don't contain information about penguins [1].",
        "I'm sorry, but the context does not specify that.",
        "There is no information about penguins in the evidence.",
        "The number of penguins is not mentioned in the provided documents.",
    ],
)
def test_a_reply_that_finds_nothing_is_told_from_an_answer(reply: str) -> None:
    assert is_absent(readable(reply, ASKED))


@pytest.mark.parametrize(
    "reply",
    [
        PLAIN,
        f"{PLAIN} NOT_IN_EVIDENCE",
        "The company does not provide guidance for the year [2].",
        "Net revenue was 4,812 million USD [1]. The evidence does not state a reason.",
        "The evidence does not give a total, but net revenue was 4,812 million USD [1].",
    ],
)
def test_an_answer_is_not_taken_for_one_that_finds_nothing(reply: str) -> None:
    assert not is_absent(readable(reply, ASKED))


def test_declining_is_told_from_answering() -> None:
    assert is_refusal("I'm sorry, but I can't help with that.")
    assert is_refusal("As an AI language model, I cannot give financial advice.")
    assert not is_refusal(PLAIN) and not is_refusal("I cannot see growth, said the CEO [2].")


@pytest.mark.parametrize(
    ("cut", "kept"),
    [
        ("Sales rose [1]. Costs fell [2]. Prof", "Sales rose [1]. Costs fell [2]."),
        ("Sales rose. [1] Costs f", "Sales rose. [1]"),
        ("Sales ro", ""),
        ("| a | b |\n| - | - |\n| 1 | 2 |\n| 3", "| a | b |\n| - | - |\n| 1 | 2 |"),
    ],
)
def test_a_reply_cut_at_the_limit_loses_its_unfinished_end(cut: str, kept: str) -> None:
    assert whole_sentences(cut) == kept


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Sales rose [Source: 3].", "Sales rose [3]."),
        ("Sales rose [Sources 1, 3].", "Sales rose [1][3]."),
        ("Sales rose [1, 3; 4].", "Sales rose [1][3][4]."),
        ("Sales rose [1-3].", "Sales rose [1][2][3]."),
        ("Sales rose [1] [3].", "Sales rose [1][3]."),
        ("Sales rose [1], [3].", "Sales rose [1][3]."),
        ("Sales rose [^3].", "Sales rose [3]."),
        ("Sales rose [[3]].", "Sales rose [3]."),
        ("Sales rose [#3].", "Sales rose [3]."),
        ("Sales rose [ 3 ].", "Sales rose [3]."),
        ("Sales rose 【3】.", "Sales rose [3]."),
        ("Sales rose 【3†source】.", "Sales rose [3]."),
        ("Sales rose [evidence 3].", "Sales rose [3]."),
        ("Sales rose [Evidence [3]].", "Sales rose [3]."),
        ("Sales rose (evidence 3).", "Sales rose [3]."),
        ("Sales rose (Source: 3, p. 4).", "Sales rose [3]."),
        ("Sales rose [3, p. 4].", "Sales rose [3]."),
        ("Sales rose (see [1] and [3]).", "Sales rose [1][3]."),
        ("Sales rose ([3]).", "Sales rose [3]."),
        ("Sales rose [Source: x].", "Sales rose."),
        ("Sales rose [source].", "Sales rose."),
        ("[3] Sales rose.", "Sales rose [3]."),
        ("- [1] Sales rose\n- [3]: Costs fell.", "- Sales rose [1].\n- Costs fell [3]."),
        ("[1] Sales rose. [3] Costs fell.", "Sales rose [1]. Costs fell [3]."),
        ("Sales rose [99].", "Sales rose [99]."),
        (
            "| a | Source |\n|---|---|\n| 300 | 2 |\n| 4 | 1, 3 |",
            "| a | Source |\n|---|---|\n| 300 | [2] |\n| 4 | [1][3] |",
        ),
        ("| a | b |\n|---|---|\n| 300 | 2 |", "| a | b |\n|---|---|\n| 300 | 2 |"),
        ("Sales rose by (3) million in [2024].", "Sales rose by (3) million in [2024]."),
        ("Sales rose [sic] [3].", "Sales rose [sic] [3]."),
    ],
)
def test_markers_of_any_shape_become_numbers_in_brackets(
    written: str, read: str, orla: list[Evidence]
) -> None:
    assert canonical(written, orla) == read


def test_a_document_named_in_brackets_is_its_only_evidence_or_nothing(chunk: Callable[..., Evidence]) -> None:
    one, two = chunk(1, "Sales rose."), chunk(2, "Costs fell.")
    other = two.model_copy(update={"document": "tarn.pdf", "page": 9})
    assert canonical("Costs fell [tarn.pdf, p. 9].", [one, other]) == "Costs fell [2]."
    assert canonical("Costs fell [Source: orla.pdf, page 7].", [one, two]) == "Costs fell."


def test_a_statement_without_a_marker_gets_that_of_the_evidence_that_supports_it(
    orla: list[Evidence],
) -> None:
    text = "Orla's total net revenue was 4,812 million USD in the three months ended June 29, 2024."
    assert with_markers(text, orla, GUARD) == (f"{text[:-1]} [1].", 0)


def test_a_row_without_a_marker_gets_it_in_its_last_cell(orla: list[Evidence]) -> None:
    table = (
        "| Item | Period | Value |\n| --- | --- | --- |\n"
        "| Total net revenue | three months ended June 29, 2024 | 4,812 million USD |\n"
        "| Total assets | as of June 29, 2024 | 20,318 million USD |"
    )
    rows = with_markers(table, orla, GUARD)[0].splitlines()[2:]
    assert [row[-20:] for row in rows] == ["4,812 million USD [1] |"[-20:], "20,318 million USD [6] |"[-20:]]


def test_what_nothing_supports_stays_without_a_marker(orla: list[Evidence]) -> None:
    for text in (
        "Net revenue was 9,999 million USD.",
        "The company performed well.",
        "Demand was hit by storms.",
    ):
        assert with_markers(text, orla, GUARD) == (text, 0)


@pytest.mark.parametrize("wrong", ["[6]", "[57]", "[2][3]"])
def test_a_wrong_marker_is_replaced_by_the_right_one_and_counted(wrong: str, orla: list[Evidence]) -> None:
    said = "Total net revenue was 4,812 million USD in the three months ended June 29, 2024"
    assert with_markers(f"{said} {wrong}. Inventories rose.", orla, GUARD) == (
        f"{said} [1]. Inventories rose.",
        1,
    )


def test_a_wrong_marker_of_a_false_statement_stays_for_the_check(orla: list[Evidence]) -> None:
    text = "Total net revenue was 9,999 million USD [57]."
    assert with_markers(text, orla, GUARD) == (text, 0)


def test_one_marker_behind_a_paragraph_is_tried_first_for_its_other_sentences(
    chunk: Callable[..., Evidence],
) -> None:
    text = "Sensor shipments to automotive customers rose. Industrial sales declined [2]."
    both = "Sensor shipments to automotive customers rose. Industrial sales declined."
    assert with_markers(text, [chunk(1, both), chunk(2, both)], GUARD)[0].count("[2]") == 2
