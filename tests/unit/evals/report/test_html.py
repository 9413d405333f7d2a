"""report.html: whole, inert, closed to the network, and with the numbers of the summaries."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
import zlib
from html.parser import HTMLParser
from importlib import resources
from itertools import chain
from typing import Any

import orjson
import pytest

from evals.report import charts
from evals.report.html import page
from evals.results import DatasetInfo, Results
from evals.rows import Score
from tests.eval_runs import GOLD, context, item, results, row

VOID = {"meta", "br", "img", "input", "link", "hr"}
HOSTILE = "</script><img src=x onerror=alert(1)><!-- \u202egnp.exe \x00 \ud800 ${x} & \u2066"


class Page(HTMLParser):
    """Elements, text and scripts of a document; an element closed out of turn fails."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.lines: dict[str, list[str]] = {}
        self.words: list[str] = []
        self._line: str | None = None
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))
        if tag == "tr":
            self._line = dict(attrs).get("data-metric")
        if tag == "td" and self._line:
            self.lines.setdefault(self._line, []).append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            attrs, text = self.scripts[-1]
            self.scripts[-1] = (attrs, text + data)
            return
        self.words.append(data)
        if "td" in self.open and self._line:
            self.lines[self._line][-1] += data + " "

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())

    @property
    def policy(self) -> str:
        found = [
            attrs["content"]
            for tag, attrs in self.elements
            if attrs.get("http-equiv") == "Content-Security-Policy"
        ]
        assert len(found) == 1 and found[0]
        return found[0]

    def data(self, name: str = "data") -> bytes:
        packed = next(text for attrs, text in self.scripts if attrs.get("id") == name)
        return zlib.decompress(base64.b64decode(packed, validate=True))

    @property
    def payload(self) -> dict[str, Any]:
        found = orjson.loads(self.data())
        assert isinstance(found, dict)
        return found


def run(**fields: object) -> Results:
    rows = [
        row(
            name,
            number,
            {
                "context_precision": value + number / 10,
                "context_recall": value,
                "context_tokens": 90.0 * size,
            },
        )
        for name, value, size in (("vector@paper", 0.3, 2), ("hybrid", 0.4, 3), ("agent", 0.6, 1))
        for number in (1, 2, 3)
    ]
    return results(rows, **fields)


def test_the_page_is_well_formed_and_names_its_run() -> None:
    found = Page(page(run()))
    assert "own" in found.text and "2026-03-01 09:30 UTC" in found.text and "0123456789ab" in found.text
    assert "3 questions" in found.text and "1 min 15 s" in found.text


def test_the_tables_hold_the_summaries_numbers_and_mark_the_best() -> None:
    made = run()
    lines = Page(page(made)).lines
    for name in ("context_precision", "context_recall"):
        for pipeline, cell in zip(made.pipelines, lines[name], strict=True):
            summary = made.summaries[pipeline][name]
            assert cell.split()[0] == f"{summary.mean:.3f}"
            assert f"{summary.low:.3f}\u2013{summary.high:.3f}" in cell and "3 scored" in cell
    assert [cell.split()[0] for cell in lines["context_tokens"]] == ["180", "270", "90"]
    assert re.search(r'data-metric="context_tokens">(?:(?!</tr>).)*class="best"><b>90<', page(made))
    assert re.search(r'data-metric="context_recall">(?:(?!</tr>).)*class="best"><b>0.600<', page(made))


def test_the_headline_says_the_paired_difference_in_words() -> None:
    text = Page(page(run())).text
    assert (
        "Better +0.200 on hybrid (+0.200 to +0.200); better on 3 questions, worse on 0, the same on 0" in text
    )
    assert "33% of hybrid: \u2212180 tokens" in text


def test_no_text_of_a_document_becomes_mark_up_or_ends_the_data() -> None:
    item_ = item(question=HOSTILE, answer=HOSTILE, kind=HOSTILE, company=HOSTILE)
    bad = row(
        "agent",
        scores={"context_precision": Score(value=0.5, reason=HOSTILE)},
        question=HOSTILE,
        answer=HOSTILE,
        reason=HOSTILE,
        contexts=(context(HOSTILE),),
        statements=({"text": HOSTILE, "supported": False, "reason": HOSTILE},),
        citations=({"marker": 1, "source": "vector", "document": HOSTILE, "page": 1, "quote": HOSTILE},),
    )
    dataset = DatasetInfo(name=HOSTILE, data_hash="0" * 64, items=1, notes=(HOSTILE,))
    text = page(results([bad], [item_], dataset=dataset, notes=(HOSTILE,)))
    text.encode("utf-8")
    found = Page(text)
    assert "img" not in [tag for tag, _ in found.elements]
    assert not any(name.startswith("on") for _, attrs in found.elements for name in attrs)
    assert len(found.scripts) == len(Page(page(run())).scripts)
    shown = "</script><img src=x onerror=alert(1)><!-- \ufffdgnp.exe \ufffd \ufffd ${x} & \ufffd"
    assert found.payload["items"][0]["question"] == shown
    assert found.payload["contexts"][0]["text"] == shown
    assert shown in found.text
    assert not re.search("[\x00\u202e\u2066]", text)


def test_the_page_asks_nothing_of_a_network() -> None:
    found = Page(page(run()))
    assert not any(
        attrs.keys() & {"src", "href", "srcset", "action", "data", "poster"} for _, attrs in found.elements
    )
    style = resources.files("evals.report").joinpath("assets", "report.css").read_text(encoding="utf-8")
    assert "url(" not in style and "@import" not in style
    assert found.policy.startswith("default-src 'none';")
    assert "http" not in found.policy and "*" not in found.policy and "unsafe-eval" not in found.policy
    assert "'unsafe-inline'" not in found.policy.partition("script-src")[2].partition(";")[0]


def test_only_the_pages_own_scripts_may_run() -> None:
    found = Page(page(run()))
    own = [text.encode() for attrs, text in found.scripts if "type" not in attrs]
    library = [found.data("library")]
    assert len(own) == 1 and library[0].lstrip().startswith(b"/**")
    for script in own + library:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script).digest()).decode()}'" in found.policy


def test_the_script_sets_text_and_never_mark_up() -> None:
    script = resources.files("evals.report").joinpath("assets", "report.js").read_text(encoding="utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|Function\(|fetch\(|http", script
    )


def test_a_metric_that_nobody_scored_is_n_a_and_says_why() -> None:
    rows = [
        row(
            "hybrid",
            scores={"context_recall": None, "judged_faithfulness": Score(value=None, reason="", failed=True)},
        ),
        row("agent", scores={"context_recall": None, "judged_faithfulness": Score(value=0.9, reason="")}),
    ]
    found = Page(page(results(rows)))
    assert [cell.split() for cell in found.lines["context_recall"]] == [
        ["n/a", "0", "scored,", "1", "n/a"]
    ] * 2
    assert found.lines["judged_faithfulness"][0].split() == ["n/a", "0", "scored,", "1", "judge", "failure"]
    assert found.lines["judged_faithfulness"][1].startswith("0.900")
    assert [cell.split() for cell in found.lines["judged_context_recall"]] == [["n/a"]] * 2
    assert "not judged: run with --judge" in found.text


def test_pipelines_that_never_differ_are_told_as_the_same() -> None:
    text = page(
        results([row(name, n, {"context_recall": 0.5}) for name in ("hybrid", "agent") for n in (1, 2)])
    )
    assert "Same as hybrid on every question (2)" in Page(text).text
    assert 'class="best"' not in text


def test_one_pipeline_has_no_rival_and_no_best() -> None:
    text = page(results([row("vector", scores={"context_recall": 0.5})]))
    found = Page(text)
    assert 'class="best"' not in text
    assert found.lines["context_recall"][0].startswith("0.500")
    assert found.payload["subject"] == "vector"


def test_a_run_of_no_rows_and_one_of_failures_are_told() -> None:
    nothing = Page(page(results([], [])))
    assert "nothing to compare" in nothing.text and nothing.payload["items"] == []
    down = [
        row(
            "agent",
            n,
            status="failed",
            error="ModelTimeout: no answer in 60 s",
            answer="",
            contexts=(),
            seconds={},
        )
        for n in (1, 2)
    ]
    failed = Page(page(results(down)))
    assert "2 questions, 2 failed" in failed.text and "n/a" in failed.text
    assert failed.payload["items"][0]["rows"][0]["error"] == "ModelTimeout: no answer in 60 s"


def test_a_context_that_rows_share_is_held_once_and_its_gold_is_marked_in_each() -> None:
    found = Page(page(run())).payload
    assert len(found["contexts"]) == 1
    text = found["contexts"][0]["text"]
    for question in found["items"]:
        for answered in question["rows"]:
            number, _, spans = answered["contexts"][0]
            assert number == 0 and [text[start:end] for start, end in spans] == [GOLD]


def test_gold_is_marked_where_white_space_differs_and_characters_are_wide() -> None:
    wide = context("\U0001f4c8 up.\n" + GOLD.replace(" ", "\n  "))
    found = Page(page(results([row("agent", contexts=(wide,))]))).payload
    (_, _, spans), text = found["items"][0]["rows"][0]["contexts"][0], found["contexts"][0]["text"]
    assert [" ".join(text[start:end].split()) for start, end in spans] == [GOLD]


def test_kinds_of_question_are_told_apart() -> None:
    rows = [row("agent", n, {"context_recall": n / 4}) for n in (1, 2, 3)]
    items = [item(1, kind="Table"), item(2, kind="Table"), item(3, kind="Text")]
    text = Page(page(results(rows, items))).text
    assert "By kind of question" in text and "Table 0.375 (2)" in text and "Text 0.750 (1)" in text
    assert "By kind of question" not in Page(page(results(rows))).text


def test_every_figure_is_one_that_plotly_draws() -> None:
    graph_objects = pytest.importorskip("plotly.graph_objects")
    at_k = {f"{name}_at_{k}": 1 / k for name in ("precision", "recall", "f1") for k in (1, 2, 3)}
    made = results([row(name, n, at_k, route="uncertain") for name in ("vector", "agent") for n in (1, 2)])
    drawn = charts.figures(made)
    assert [len(drawn[name]) for name in ("bars", "k", "latency", "status", "route")] == [0, 3, 1, 1, 1]
    assert len(charts.figures(run())["bars"]) == 3
    for figure in [*chain(*drawn.values()), *charts.figures(run())["bars"]]:
        graph_objects.Figure(data=figure["data"], layout=figure["layout"])


def test_without_plotly_the_tables_and_questions_stand_and_the_page_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    found = Page(page(run()))
    assert "pip install 'hybridrag[evals]'" in found.text
    assert [attrs.get("id") for attrs, _ in found.scripts] == ["data", None]
    assert "context_recall" in found.lines
