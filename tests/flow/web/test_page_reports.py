"""Reports of eval runs: listed and opened from one folder, and nothing besides."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from evals.report.report_files import write_reports
from tests.conftest import Command
from tests.eval_runs import item, results, row
from tests.web_page import Served, serving_page


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a run's report, one deeper, and links to what lies outside."""
    root = tmp_path_factory.mktemp("runs")
    outside, inside = root / "outside", root / "results"
    for run in (outside, inside / "calls", inside / "2026" / "10-Q & more"):
        run.mkdir(parents=True)
        write_reports(results([row("agent", scores={"context_recall": 0.5})], [item()]), run)
    (outside / "secret.html").write_text("secret", encoding="utf-8")
    (inside / "linked").symlink_to(outside)
    (inside / "link").mkdir()
    (inside / "link" / "report.html").symlink_to(outside / "secret.html")
    os.utime(inside / "calls" / "report.html", (2_000_000_000, 2_000_000_000))
    return inside


@pytest.fixture(scope="module")
def served(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving_page(tmp_path_factory.mktemp("web") / "home", reports=folder) as started:
        yield started


def test_the_reports_of_a_folder_are_listed_the_newest_first_and_opened(served: Served) -> None:
    assert served.client.get("/api/state").json()["reports"]
    listed = served.client.get("/api/reports").json()
    assert [each["path"] for each in listed] == ["calls", "2026/10-Q & more"]
    for each in listed:
        opened = served.client.get(f"/api/reports/{each['path']}")
        assert opened.status_code == 200 and "HybridRAG evaluation" in opened.text
        assert opened.headers["content-type"].startswith("text/html")


def test_a_report_may_draw_and_nothing_else(served: Served) -> None:
    headers = served.client.get("/api/reports/calls").headers
    policy = headers["content-security-policy"]
    assert (
        policy.startswith("sandbox allow-scripts; default-src 'none'; ") and "allow-same-origin" not in policy
    )
    assert "connect-src" not in policy and "http" not in policy and "form-action 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(
    "path",
    [
        "linked",
        "link",
        "..%2foutside",
        "%2e%2e/outside",
        "calls/report.html",
        "%2fetc",
        "calls%2f..",
        "calls%00",
        "",
    ],
)
def test_what_is_no_report_of_the_folder_is_not_opened(served: Served, path: str) -> None:
    refused = served.client.get(f"/api/reports/{path}")
    assert refused.status_code == 404 and "secret" not in refused.text


def test_a_run_itself_may_be_the_folder(folder: Path, tmp_path: Path) -> None:
    with serving_page(tmp_path / "home", reports=folder / "calls") as served:
        (listed,) = served.client.get("/api/reports").json()
        assert listed["name"] == "calls"
        assert "HybridRAG evaluation" in served.client.get(f"/api/reports/{listed['path']}").text


def test_reports_are_for_those_who_were_let_in(served: Served) -> None:
    for path in ("/api/reports", "/api/reports/calls"):
        assert httpx2.get(f"{served.address}{path}").status_code == 401


def test_without_a_folder_there_is_no_such_list_and_a_wrong_one_is_a_mistake(
    hybridrag: Command, tmp_path: Path
) -> None:
    with serving_page(tmp_path / "home") as plain:
        assert not plain.client.get("/api/state").json()["reports"]
        assert plain.client.get("/api/reports").status_code == 404
    ran = hybridrag("web", "--home", tmp_path / "home", "--port", 0, "--reports", tmp_path / "nowhere")
    assert ran.code == 2 and "nowhere' is no folder" in ran.err
