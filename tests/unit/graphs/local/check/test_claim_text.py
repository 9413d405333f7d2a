"""What is read in a claim's text, and the claims derived from it."""

from __future__ import annotations

from graphs.local.check.claim_text import ClaimText, spelled_out, without_labels
from graphs.local.check.named_words import find_names
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import whole
from graphs.local.text.period_mentions import find_mentions
from tests.pieces import NOW, piece
from tools.evidence import Fact


def test_the_lead_and_the_text_are_read_apart_and_together() -> None:
    claim = ClaimText("revenue was $5 million", "Orla Inc., second quarter of 2024:")
    assert [q.text for q in claim.said.quantities] == ["$5 million"]
    assert claim.said.periods == ()
    assert [m.quarter for m in claim.lead.periods] == [2]
    assert claim.whole.metric_names == {"revenue"}
    assert [m.quarter for m in claim.whole.periods] == [2]


def test_a_text_is_read_once_for_all_who_ask() -> None:
    assert ClaimText("Sales rose to $5 million.").said is parsed("Sales rose to $5 million.")


def test_a_claim_and_its_evidence_share_word_stems_and_amounts() -> None:
    assert {"expect", "sales", "2e+6"} <= parsed("It expects sales of $2 million").marks
    assert {"expect", "sales", "2e+6"} <= parsed("Sales, as guided, of USD 2 million").marks


def test_a_line_item_s_own_words_state_neither_a_figure_nor_a_period() -> None:
    label = "Debt due within three months"
    fact = Fact(metric=label, value="7", unit="USD", scale=6, printed="7", period=NOW)
    claim = ClaimText(f"{label} was $7 million, not $8 million")
    bare = without_labels(claim, whole(piece(1, f"Orla Inc., {label}: 7 million USD", fact)))
    assert label not in bare.text
    assert [q.text for q in bare.said.quantities] == ["$7 million", "$8 million"]
    assert bare.said.periods == ()
    assert [s.text for s in bare.said.denials] == ["not"]


def test_initials_take_the_long_form_only_where_the_evidence_lacks_the_short_one() -> None:
    claim = ClaimText("FFO rose")
    long = piece(1, "Funds from operations rose.")
    assert spelled_out(claim, [long]).text == "Funds from operations rose"
    assert spelled_out(claim, [long, piece(2, "FFO was flat.")]).text == "FFO rose"


def test_a_capital_names_something_but_where_any_word_has_one() -> None:
    text = "Higher sales in Ohio helped Kestrel's margins in June 2024."
    found = find_names(text, find_mentions(text))
    assert [(name.text, name.opening) for name in found] == [("Ohio", False), ("Kestrel", False)]
