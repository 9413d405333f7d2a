"""Figures of an answer on which documents disagree, as the page is told of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.web.disagreements import disagreements
from graphs.contracts import Citation, Statement, Verdict
from tests.restated import ALIKE, RESTATED
from tests.web_page import Served, serving_page
from tools.scope import Scope


@pytest.fixture(scope="module")
def served(restated_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    home = Path(shutil.copytree(restated_home, tmp_path_factory.mktemp("web") / "home"))
    with serving_page(home) as started:
        yield started


def conflicts(served: Served, thread: str) -> list[dict[str, Any]]:
    found = served.client.get(f"/api/threads/{thread}/turns/1/conflicts")
    assert found.status_code == 200, found.text
    return list(found.json())


def test_the_values_of_a_cited_figure_stand_side_by_side_with_their_pages_the_newest_named(
    served: Served,
) -> None:
    thread = served.thread("restated")
    ids = {each["name"]: each["id"] for each in served.client.get("/api/state").json()["documents"]}
    served.ask(thread, RESTATED, document="alder-2023.html")  # the answer knows of one value alone
    (found,) = conflicts(served, thread)
    assert found["kind"] == "restatement" and found["about"] == "Alder Corporation, Net sales"
    assert found["period"] == "three months ended June 30, 2023"
    before, newest = found["values"]
    assert (before["printed"], before["cited"], before["newest"]) == ("412.0 million USD", True, False)
    assert (newest["printed"], newest["cited"], newest["newest"]) == ("409.6 million USD", False, True)
    assert newest["sources"] == [{"document": ids["alder-2024.html"], "name": "alder-2024.html", "page": 1}]


def test_nothing_is_said_where_documents_agree_or_nothing_is_cited(served: Served) -> None:
    for question in (ALIKE, "Who is the chief financial officer of Alder?"):
        thread = served.thread(question)
        turn = served.ask(thread, question)[-1]["turn"]
        assert bool(turn["citations"]) == (question == ALIKE)
        assert conflicts(served, thread) == []


def test_of_a_cited_table_only_what_a_statement_names_counts(served: Served) -> None:
    index = served.page.assistant.current()
    (table,) = index.tables("What were net sales?", Scope(companies=tuple(index.catalog.companies)), 1)
    answer = served.page.assistant.ask(RESTATED)

    def told(words: str) -> list[dict[str, Any]]:
        cited = Citation(marker=1, source="graph", document=table.document, page=1, quote="")
        statement = Statement(text=words, supported=True, evidence=(1,))
        said = answer.model_copy(
            update={
                "evidence": (table.model_copy(update={"rank": 1}),),
                "citations": (cited,),
                "faithfulness": Verdict(statements=(statement,), score=1.0),
            }
        )
        return disagreements(served.page.assistant, said)

    (found,) = told("Net sales were $409.6 million.")
    assert [value["cited"] for value in found["values"]] == [False, True]
    assert told("Net income was $41.2 million.") == []
