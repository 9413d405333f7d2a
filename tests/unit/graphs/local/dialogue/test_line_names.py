"""What a suggested question calls a line item."""

from __future__ import annotations

import pytest

from graphs.local.dialogue.line_names import line_name, verb
from tools.knowledge.lexicon.metric_names import canonical_metric
from tools.knowledge.search.line_items import LineItem


def item(label: str, *path: str, statement: str = "income", title: str = "", combined: str = "") -> LineItem:
    return LineItem(
        label=label,
        path=path,
        unit="USD",
        statement=statement,
        title=title,
        canonical=canonical_metric(label, path),
        combined=combined,
        label_words=frozenset(),
        leader=frozenset(),
        path_canonicals=tuple(canonical_metric(heading.split(" by ")[0]) for heading in path),
        path_words=(),
        stands_for="",
        title_canonicals=frozenset({"revenue"} if "Revenue" in title else ()),
        title_words=frozenset(),
        rows=(0,),
    )


@pytest.mark.parametrize(
    ("line", "name"),
    [
        (item("Total net sales"), "total net sales"),
        (item("Products", "Revenue", combined="product revenue"), "product revenue"),
        (item("Diluted", "Net income per share"), "diluted earnings per share"),
        (item("Network and Edge", "Net revenue", statement="segment"), "Network and Edge net revenue"),
        (item("iPhone", "Net sales by category", statement="other"), "iPhone net sales"),
        (item("Operating income", "Automotive", statement="segment"), "Automotive operating income"),
        (item("Total lease liabilities", "Finance leases", statement="other"), "total lease liabilities"),
        (item("Europe", statement="other", title="Note 2 - Revenue"), "Europe revenue"),
        (item("Europe", statement="other", title="Note 3 - Inventories"), ""),
        (item("Inventories", "Changes in operating assets", statement="cash_flow"), ""),
        (item("Cash, end of period", statement="cash_flow"), ""),
        (item("Net income", "Retained earnings", statement="equity"), ""),
        (item("Property, net of accumulated depreciation of $97,122", statement="balance"), ""),
    ],
)
def test_a_line_is_called_by_a_plain_name_or_not_at_all(line: LineItem, name: str) -> None:
    assert line_name(line) == name


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("net cash provided by operating activities", "was"),
        ("provision for income taxes", "was"),
        ("purchases of property", "were"),
        ("total net sales", "were"),
    ],
)
def test_the_verb_follows_the_head_of_the_name(name: str, word: str) -> None:
    assert verb(name) == word
