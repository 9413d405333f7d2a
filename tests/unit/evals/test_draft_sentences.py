"""What a draft states, and which of it an answer shows."""

from __future__ import annotations

import pytest

from evals.draft_sentences import is_shown, sentences

TABLE = "| Company | Sales |\n| --- | --- |\n| Alder Inc. | 300 million [1] |\n| Birch | 280 million [2] |"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Sales rose to 3.5 million USD [1]. Alder Inc. Corp. sells tea. [2, 3] Costs fell [4].",
            ["Sales rose to 3.5 million USD.", "Alder Inc. Corp. sells tea.", "Costs fell."],
        ),
        ("Here is what I found:\n\n- Sales rose [1].\n- Costs **fell** [2].", ["Sales rose.", "Costs fell."]),
        ("## Sales\n1. Sales rose [1]", ["Sales rose"]),
        (TABLE, ["| Alder Inc. | 300 million |", "| Birch | 280 million |"]),
        ("NOT_IN_EVIDENCE", []),
        ("Sales rose [1].\nMISSING: Costs of the year", ["Sales rose."]),
        ("<think>Sales may rise. Or fall.</think>Sales rose [1].", ["Sales rose."]),
        ('{"kind": "a b", "parts": [{"text": "Sales rose a lot [1]."}]}', ["Sales rose a lot."]),
        ("", []),
    ],
)
def test_a_text_states_its_sentences_items_and_rows(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("Sales rose to 300 million USD in 2023 [1].", True),
        ("Sales of tea rose to 300 million USD in 2023.", True),
        ("Sales rose to 310 million USD in 2023.", False),
        ("Costs fell for every one of its brands.", False),
    ],
)
def test_a_sentence_is_shown_where_its_words_and_figures_are(sentence: str, shown: bool) -> None:
    assert is_shown(sentence, "Tea did well [2]. Sales rose to 300 million USD in 2023 [1].") is shown
