from __future__ import annotations

from tools.documents.tables.row_kinds import balance_chance, row_features


def chance(label: str, title: str = "", head: str = "2022", lengths: bool = True) -> float:
    return balance_chance(row_features(label, (), head, title, 2), lengths)


def test_what_is_owned_or_owed_is_a_balance_and_what_was_earned_or_spent_a_flow() -> None:
    balances = ["Accounts payable", "Total assets", "Total liabilities"]
    flows = ["Net revenue", "Depreciation expense", "Capital expenditures", "Net sales"]
    assert min(map(chance, balances)) > 0.5 > max(map(chance, flows))


def test_what_stands_before_a_table_tells_where_the_label_is_silent() -> None:
    assert chance("Other", "Accrued liabilities consist of the following balance sheet") > chance(
        "Other", "Revenue and operating income by segment"
    )


def test_the_head_of_a_column_counts_only_where_flows_are_headed_by_their_length() -> None:
    assert chance("Other", head="July 1, 2023") != chance("Other", head="2022")
    assert chance("Other", head="July 1, 2023", lengths=False) == chance("Other", head="July", lengths=False)


def test_a_labels_words_weigh_the_same_together_however_many_they_are() -> None:
    short, long = (
        row_features("Net sales", (), "", "", 1),
        row_features("Net sales of all products sold", (), "", "", 1),
    )
    for features in (short, long):
        own = [share for name, share in features.items() if name[0] in "lf"]
        assert abs(sum(share**2 for share in own) - 1) < 1e-9
