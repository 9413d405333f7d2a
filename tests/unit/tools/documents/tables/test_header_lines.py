from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tools.documents.tables.cells import Cell
from tools.documents.tables.headers import fill_columns, split_glued, stub_period, take_header
from tools.documents.tables.regions import find_blocks
from tools.documents.tables.table_parts import Block
from tools.documents.types import Table

ROWS = """Desks                                   71,204      70,118      215,204     210,118
Lamps                                   18,306      17,950       54,306      53,950"""


def headed(*above: str) -> Block:
    lines, [*_, block] = find_blocks(1, "\n".join([*above, ROWS]))
    take_header(block, lines, 0)
    fill_columns(block)
    return block


def test_a_spanning_header_stands_over_each_of_its_columns() -> None:
    block = headed(
        "                                        Three Months Ended        Nine Months Ended",
        "                                         2023        2022         2023        2022",
    )
    assert [" ".join(column.texts) for column in block.columns] == [
        "Three Months Ended 2023",
        "Three Months Ended 2022",
        "Nine Months Ended 2023",
        "Nine Months Ended 2022",
    ]


@pytest.mark.parametrize(
    "above",
    [
        "Orla sold more desks than it had planned to sell before.",
        "Orla sold more desks than it had planned to sell in the quarter,  and more lamps",
        "                          Consolidated Statements of Operations",
        "                         Desks and Lamps by Region and Store",
    ],
)
def test_titles_and_prose_above_are_no_header(above: str) -> None:
    block = headed(
        above, "                                         2023        2022         2023        2022"
    )
    assert len(block.header) == 1
    assert block.lead == [" ".join(above.split())]


def test_a_word_of_the_label_zone_right_above_the_rows_heads_them() -> None:
    block = headed(
        "                                         2023        2022         2023        2022", "Furniture:"
    )
    assert [row.label for row in block.rows] == ["Furniture:", "Desks", "Lamps"]
    assert len(block.header) == 1


def test_without_a_header_nothing_above_heads_the_rows() -> None:
    block = headed("Furniture sold by Orla.", "")
    assert [row.label for row in block.rows] == ["Desks", "Lamps"]
    assert (block.header, block.lead) == ([], ["Furniture sold by Orla."])


def test_a_period_in_the_label_column_holds_for_all_columns() -> None:
    block = headed("Three Months Ended June 30,              2023        2022         2021        2020")
    assert stub_period(block) == "Three Months Ended June 30,"


def test_dates_that_were_run_together_are_taken_apart_unless_words_stand_between() -> None:
    glued = "June 30, 2022June 30, 2021"
    assert [cell.text for cell in split_glued(Cell("text", glued, 5, 31))] == [
        "June 30, 2022",
        "June 30, 2021",
    ]
    spoken = "June 30, 2022 and June 30, 2021"
    assert [cell.text for cell in split_glued(Cell("text", spoken, 5, 36))] == [spoken]


def test_a_unit_note_between_the_head_and_the_rows_is_no_title() -> None:
    block = headed(
        "                                         2023        2022         2023        2022",
        "",
        "                                      (in millions, except per share data)",
    )
    assert len(block.header) == 2


def test_a_long_stub_beside_a_unit_note_is_no_prose() -> None:
    block = headed(
        "                                         2023        2022         2023        2022",
        "Desks and lamps by the region where they were sold to us:    (In millions)",
    )
    assert [column.texts for column in block.columns] == [["2023"], ["2022"], ["2023"], ["2022"]]


def test_a_heading_of_rows_may_run_over_the_figures() -> None:
    block = headed(
        "                                         2023        2022         2023        2022",
        "Desks and lamps of stores that were closed in the year",
    )
    assert block.rows[0].label == "Desks and lamps of stores that were closed in the year"
    assert len(block.header) == 1


def test_numbers_of_footnotes_and_years_among_words_are_part_of_the_head() -> None:
    block = headed(
        "                                          Sold       Price        Plan        Left",
        "Period                                  desks        (2)           plan        desks",
    )
    assert len(block.header) == 2


def test_a_title_in_the_middle_of_labels_and_columns_is_no_head() -> None:
    block = headed(
        "                                Desks and Lamps",
        "                                         2023        2022         2021        2020",
    )
    assert [column.texts for column in block.columns] == [["2023"], ["2022"], ["2021"], ["2020"]]
    assert block.lead == ["Desks and Lamps"]


@pytest.mark.parametrize("stub", [["Desks and lamps", "sold"], ["Desks and", "lamps sold", "by Orla"]])
def test_a_head_of_the_label_column_may_be_wrapped_between_lines_over_figures(stub: list[str]) -> None:
    block = headed(
        "                                         2023        2022         2021        2020",
        "                                                     (in thousands)",
        *stub[:-1],
        f"{stub[-1]:<57}(unaudited)",
    )
    assert [column.texts for column in block.columns] == [["2023"], ["2022"], ["2021"], ["2020"]]
    assert [text for text in block.stub if not text.startswith("(")] == stub


@pytest.mark.parametrize(
    "above",
    [
        [],
        [""],
        ["Orla sold more than it had planned to sell."],
        ["Chairs                                     204         118          204         118"],
    ],
)
def test_words_over_the_head_of_the_label_column_without_a_head_above_them_are_a_title(
    above: list[str],
) -> None:
    block = headed(
        *above,
        "Desks and lamps",
        "sold by Orla                             2023        2022         2021        2020",
    )
    assert len(block.header) == 1
    assert block.lead[-1] == "Desks and lamps"


def test_a_table_is_read_though_the_head_of_its_label_column_is_wrapped(
    read: Callable[..., list[Table]],
) -> None:
    (table,) = read(
        """
                                    July 1, 2023      July 2, 2022
                                            (in thousands)
Desks and lamps
in stores                                     (unaudited)
Desks                                $     71,204      $    70,118
Lamps                                      18,306           17,950
"""
    )
    assert [(f.value, f.unit, f.scale, f.period.end) for f in table.facts][:2] == [
        ("71204", "USD", 3, date(2023, 7, 1)),
        ("70118", "USD", 3, date(2022, 7, 2)),
    ]


def test_a_label_whose_first_line_ends_with_initials_does_not_end_the_header(
    read: Callable[..., list[Table]],
) -> None:
    (table,) = read(
        """
Losses by the time that they have lasted were (in millions):

                                     Less than 12 Months            Total
                                    Fair          Loss        Fair         Loss
                                   Value                     Value
Debt securities issued in the U.S.
Treasury                          $  310        $  (6)      $  410       $  (9)
Corporate debt                       120           (2)         150          (3)
"""
    )
    assert {f.path for f in table.facts} == {
        ("Less than 12 Months Fair Value",), ("Less than 12 Months Loss",), ("Total Fair Value",), ("Total Loss",),
    }  # fmt: skip


FERRIES = """
Leased ferries as of July 1, 2023 (in millions)

                 Book value held     Sum owed    Sum not drawn    Home port
                Now      Later
Heron            $1         $2            $4              $70    Quill Bay
Plover            3          5             9               80    Upper Sound
"""


def test_as_many_heads_as_columns_of_figures_stand_where_they_are_if_one_heads_a_column_of_words(
    read: Callable[..., list[Table]],
) -> None:
    (table,) = read(FERRIES)
    stated = {" ".join(fact.path): fact.value for fact in table.facts if fact.metric == "Heron"}
    assert (stated["Sum owed"], stated["Sum not drawn"]) == ("4", "70")


def test_a_head_over_parts_is_over_the_columns_of_all_of_them(read: Callable[..., list[Table]]) -> None:
    (table,) = read(FERRIES)
    stated = {" ".join(fact.path): fact.value for fact in table.facts if fact.metric == "Plover"}
    assert (stated["Book value held Now"], stated["Book value held Later"]) == ("3", "5")


def test_words_aside_in_one_row_only_do_not_take_a_head_from_the_figures(
    read: Callable[..., list[Table]],
) -> None:
    (table,) = read(
        """
Our ferries as of July 1, 2023 were as follows (in millions):

                    Owed       Drawn
Heron            $1         $4       none left
Plover            3          5
"""
    )
    assert [fact.path for fact in table.facts if fact.metric == "Plover"] == [("Owed",), ("Drawn",)]
