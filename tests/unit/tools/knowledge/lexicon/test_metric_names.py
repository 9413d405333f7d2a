from __future__ import annotations

import pytest

from tools.knowledge.lexicon.metric_names import canonical_metric, find_metrics, fold_label


@pytest.mark.parametrize(
    ("label", "canonical"),
    [
        ("Total net sales", "revenue"),
        ("Revenue", "revenue"),
        ("Net revenue", "revenue"),
        ("total revenues", "revenue"),
        ("Net income (loss)", "net income"),
        ("net loss", "net income"),
        ("Net earnings", "net income"),
        ("Income/(loss) from operations", "operating income"),
        ("operating profit", "operating income"),
        ("Operating income (loss)", "operating income"),
        ("Diluted EPS", "diluted earnings per share"),
        ("Earnings (loss) per share attributable to Intel\u2014diluted", "diluted earnings per share"),
        ("R&D", "research and development"),
        ("Marketing, general, and administrative", "selling, general and administrative"),
        ("Cost of goods sold", "cost of revenue"),
        ("Net cash provided by (used in) operating activities", "net cash from operating activities"),
        ("Provision for (benefit from) taxes", "income taxes"),
        ("Total stockholders\u2019 equity", "stockholders' equity"),
        ("Adjusted diluted earnings per share (non-GAAP)", "adjusted diluted earnings per share"),
        ("Inventories (1)", "inventories"),
    ],
)
def test_synonyms_fold_to_one_canonical_metric(label: str, canonical: str) -> None:
    assert canonical_metric(label) == canonical


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Net product sales", "Total net sales"),
        ("Net product sales", "Net service sales"),
        ("Basic EPS", "Diluted EPS"),
        ("Gross margin", "Gross margin percentage"),
        ("Operating income", "Operating expenses"),
        ("Cost of sales", "Net sales"),
        ("Total current assets", "Total assets"),
        ("Short-term debt", "Long-term debt"),
        ("Total liabilities", "Total liabilities and shareholders' equity"),
        ("Net income", "Adjusted net income"),
        ("Revenue", "Revenue growth"),
        ("Research and development", "Research and development as a percentage of revenue"),
        ("Cash and cash equivalents", "Cash, cash equivalents, and marketable securities"),
        ("Interest income", "Interest expense"),
    ],
)
def test_measures_that_differ_are_not_merged(one: str, other: str) -> None:
    assert canonical_metric(one) != canonical_metric(other)


def test_a_bare_basic_or_diluted_takes_its_meaning_from_the_heading() -> None:
    assert canonical_metric("Diluted", ("Earnings per share",)) == "diluted earnings per share"
    assert (
        canonical_metric("Basic", ("Weighted average shares outstanding",)) == "basic weighted average shares"
    )


def test_an_unknown_label_comes_back_folded() -> None:
    assert canonical_metric("Vendor rebates receivable, net (2)") == "vendor rebate receivable"
    assert fold_label("Total") == "total"


def test_mentions_are_the_longest_and_keep_their_span() -> None:
    question = "What were total net sales and the cost of sales, and adjusted diluted EPS?"
    mentions = find_metrics(question)
    assert [m.canonical for m in mentions] == [
        "revenue",
        "cost of revenue",
        "adjusted diluted earnings per share",
    ]
    assert [question[m.start : m.end] for m in mentions] == [m.text for m in mentions]
    assert mentions[0].text == "total net sales"


def test_words_that_only_look_like_a_metric_are_left_out() -> None:
    assert find_metrics("On the earnings call the sales force was praised.") == []


def test_a_name_that_a_hyphen_binds_to_another_word_is_no_mention_of_it() -> None:
    assert find_metrics("half-finished goods on hand") == []
    named = [
        mention.canonical for mention in find_metrics("Full-year revenue, non-operating income, Q3-revenue")
    ]
    assert named == ["revenue", "non-operating income", "revenue"]
    for text, count in (("Asia-Pacific-revenue", 1), ("PepsiCo-revenue", 1), ("net income-revenue ratio", 2)):
        assert len(find_metrics(text)) == count


def test_an_ampersand_between_words_is_and() -> None:
    assert canonical_metric("general & administrative cost") == "general and administrative"
    assert canonical_metric("R&D expense") == "research and development"
