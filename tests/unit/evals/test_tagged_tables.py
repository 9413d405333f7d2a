from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from evals.learn_concepts import main as learn
from evals.stated_figures import read_stated
from evals.tagged_tables import Reading, compare_figures, compare_tables, main, parts_that_differ, read_filing

ROW = "<tr><td>{}</td><td>{}</td><td>{}</td></tr>"


def fact(
    printed: str, concept: str = "us-gaap:Revenues", context: str = "now", more: str = 'scale="6"'
) -> str:
    return f'<ix:nonFraction name="{concept}" contextRef="{context}" unitRef="usd" {more}>{printed}</ix:nonFraction>'


def write(folder: Path, now: str = "1,000") -> Path:
    spans = {"now": (2024, 2024), "then": (2023, 2023)}
    contexts = "".join(
        f'<x:context id="{name}"><x:entity/><x:period><x:startDate>{first}-01-01</x:startDate>'
        f"<x:endDate>{last}-12-31</x:endDate></x:period></x:context>"
        for name, (first, last) in spans.items()
    )
    rows = [
        ROW.format("Years ended December 31,", "2024", "2023"),
        ROW.format("Net sales", "$" + fact(now), "$" + fact("900", context="then")),
        ROW.format(
            "Net income", f"({fact('600', 'us-gaap:Costs')})", f"({fact('500', 'us-gaap:Costs', 'then')})"
        ),
    ]
    path = folder / "orla.htm"
    path.write_text(
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
        ' xmlns:x="http://www.xbrl.org/2003/instance"><body><div style="display:none"><ix:header>'
        f'{contexts}<x:unit id="usd"><x:measure>iso4217:USD</x:measure></x:unit></ix:header></div>'
        "<p>FORM 10-K</p><p>For the fiscal year ended December 31, 2024</p><p>Orla Inc.</p>"
        "<p>(Exact name of registrant as specified in its charter)</p>"
        "<p>CONSOLIDATED STATEMENTS OF INCOME</p><p>(In millions)</p>"
        f"<table>{''.join(rows)}</table><p>Cash was ${fact('7', 'us-gaap:Cash')} million.</p></body></html>",
        encoding="utf-8",
    )
    return path


def test_tags_are_read_with_their_amounts_spans_and_places(tmp_path: Path) -> None:
    stated = read_stated(write(tmp_path))
    assert [(s.concept, s.amount, s.unit, s.end, s.months, s.in_table) for s in stated[::4]] == [
        ("us-gaap:Revenues", "1000000000", "USD", date(2024, 12, 31), 12, True),
        ("us-gaap:Cash", "7000000", "USD", date(2024, 12, 31), 12, False),
    ]


def test_cells_are_compared_with_what_is_read_without_their_tags(tmp_path: Path) -> None:
    counts, differences = compare_tables(read_filing(write(tmp_path)))
    assert (counts["cells"], counts["found"], counts["same"], counts["other sign"]) == (4, 4, 2, 2)
    assert differences == []


def test_every_tagged_figure_is_found_among_the_triplets(tmp_path: Path) -> None:
    counts, differences = compare_figures(write(tmp_path))
    assert (counts["tagged"], counts["triplets"], differences) == (5, 5, [])


def test_parts_that_differ_are_named_and_a_sign_alone_is_no_other_value() -> None:
    one = Reading("5", "USD", date(2024, 12, 31), 12)
    assert parts_that_differ(one, one) == ()
    assert parts_that_differ(one, Reading("-5", "USD", date(2024, 12, 31), 12)) == ("sign",)
    assert parts_that_differ(one, Reading("6", "shares", None, 0)) == ("value", "unit", "end", "months")


def test_the_report_says_each_filing_and_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path)
    assert main(["--docs", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert lines[0].startswith("orla.htm: 1 tables; of 4 tagged cells 4 are facts") and lines[1].startswith(
        "all: "
    )
    assert main(["--docs", str(tmp_path), "--figures", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["triplets"] == 5


def test_labels_and_statements_of_concepts_are_learned_from_filings(tmp_path: Path) -> None:
    write(tmp_path)
    out = tmp_path / "concepts.json"
    assert learn(["--docs", str(tmp_path), "--out", str(out)]) == 0
    assert json.loads(out.read_text(encoding="utf-8")) == {
        "Costs": {"labels": {"Net income": 1}, "statements": ["income"]},
        "Revenues": {"labels": {"Net sales": 1}, "statements": ["income"]},
    }
