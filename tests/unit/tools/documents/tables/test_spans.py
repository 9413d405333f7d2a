from __future__ import annotations

from tools.documents.tables.cells import Cell
from tools.documents.tables.spans import choose_assignments, over_figures, rank_assignments
from tools.documents.tables.table_parts import Column

FOUR = [Column(20, 30), Column(32, 42), Column(44, 54), Column(56, 66)]


def cells(*placed: tuple[str, int]) -> list[Cell]:
    return [Cell("text", text, start, start + len(text)) for text, start in placed]


def test_as_many_cells_as_columns_stand_over_one_each() -> None:
    line = cells(("2023", 24), ("2022", 36), ("2023", 48), ("2022", 60))
    assert choose_assignments([line], FOUR, "") == [((0, 0), (1, 1), (2, 2), (3, 3))]


def test_two_durations_share_four_columns_evenly() -> None:
    durations = cells(("Three Months Ended", 22), ("Nine Months Ended", 47))
    years = cells(("2023", 24), ("2022", 36), ("2023", 48), ("2022", 60))
    assert choose_assignments([durations, years], FOUR, "")[0] == ((0, 1), (2, 3))


def test_a_lone_period_in_the_middle_holds_for_every_column() -> None:
    assert choose_assignments([cells(("June 30, 2023", 37))], FOUR, "") == [((0, 3),)]


def test_words_over_one_column_stay_there() -> None:
    names = cells(("Assets", 24), ("Total", 60))
    assert choose_assignments([names], FOUR, "")[0] == ((0, 0), (3, 3))


def test_more_cells_than_columns_fit_no_way() -> None:
    line = cells(("a", 20), ("b", 30), ("c", 40))
    assert rank_assignments(line, FOUR[:2]) == []
    assert choose_assignments([line], FOUR[:2], "") == [None]


def test_heads_over_columns_of_words_are_left_out() -> None:
    line = cells(("2023", 24), ("2022", 36), ("2021", 48), ("2020", 60), ("Where booked", 80))
    assert [cell.text for cell in over_figures(line, FOUR)] == ["2023", "2022", "2021", "2020"]


def test_years_stand_over_a_column_of_amounts_and_one_of_percentages_each() -> None:
    columns = [Column(20, 30), Column(32, 42, percent=True), Column(44, 54), Column(56, 66, percent=True)]
    line = cells(("2023", 29), ("2022", 53))
    assert choose_assignments([line], columns, "") == [((0, 1), (2, 3))]


def test_words_over_the_middle_one_of_named_columns_begin_its_name() -> None:
    columns = FOUR[:3]
    names = cells(("Desks", 24), ("and others", 33), ("Total", 48))
    assert choose_assignments([cells(("Lamps", 35)), names], columns, "")[0] == ((1, 1),)


def test_a_duration_beside_columns_with_days_of_their_own_holds_for_the_others_only() -> None:
    duration = cells(("Three months ended March 31,", 43))
    days = cells(("March 31,", 21), ("December 31,", 31), ("Average", 52))
    years = cells(("2023", 24), ("2022", 36), ("2023", 48), ("2022", 60))
    assert choose_assignments([duration, days, years], FOUR, "")[0] == ((2, 3),)


def test_words_that_each_stand_within_a_column_begin_its_name() -> None:
    first, names = (
        cells(("Retail,", 22), ("Retail,", 46)),
        cells(("net", 24), ("Ships", 34), ("gross", 48), ("Boats", 58)),
    )
    assert choose_assignments([first, names], FOUR, "")[0] == ((0, 0), (2, 2))


def test_words_stand_over_the_years_that_follow_one_another() -> None:
    columns = [*FOUR, Column(68, 78)]
    words = cells(("Revenue", 34), ("Assets (a)", 58))
    years = cells(("2022", 24), ("2021", 36), ("2020", 48), ("2022", 60), ("2021", 72))
    assert choose_assignments([words, years], columns, "")[0] == ((0, 2), (3, 4))
    aside = cells(("Revenue", 34), ("Assets (a)", 32))
    assert choose_assignments([aside, years], columns, "")[0] != ((0, 2), (3, 4))
