from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store_stand_ins import HashEmbedder, TitleExtractor
from tools.documents.read.child import Limits
from tools.documents.types import Page
from tools.store.generation.opening import list_entries
from tools.store.reading import allowance
from tools.store.reading.allowance import Allowance, exceeded
from tools.store.runs.index_run import index_paths

if sys.platform != "win32":
    import resource


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def granted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Processor seconds that were asked of the system, in a process that has used 100."""
    amounts: list[int] = []
    monkeypatch.setattr(allowance, "_used_seconds", lambda: 100.0)
    monkeypatch.setattr(allowance, "_bind", lambda which, amount: amounts.append(amount))
    return amounts


def outcomes(folder: Path, limits: Limits, **texts: str) -> dict[str, tuple[str, str]]:
    """(state, reason) of text files that one process after another reads, by name."""
    (folder / "in").mkdir()
    for name, text in texts.items():
        (folder / "in" / f"{name}.txt").write_text(text, encoding="utf-8")
    report = index_paths(
        folder / "home",
        [folder / "in"],
        embedder_factory=HashEmbedder,
        extractor_factory=TitleExtractor,
        limits=limits,
        workers=1,
    )
    return {Path(one.file).stem: (one.state, one.reason) for one in report.outcomes}


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no processor time there")
def test_a_document_that_takes_too_long_in_c_code_is_named_and_the_rest_go_on(tmp_path: Path) -> None:
    limits = Limits(seconds=1, seconds_per_page=0.5)
    found = outcomes(tmp_path, limits, a="Alder.", b="They RUN AWAY. " * 9, c="Cedar reported.")
    assert found["b"][0] == "failed"
    assert "longer than 1 s and 0.5 s a page of processor time" in found["b"][1]
    assert {entry.name for entry in list_entries(tmp_path / "home")} == {"a.txt", "c.txt"}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux")
def test_a_document_that_needs_too_much_memory_is_named_and_the_rest_go_on(tmp_path: Path) -> None:
    limits = Limits(memory_bytes=256 << 20)
    found = outcomes(tmp_path, limits, a="Alder.", b="They EAT MEMORY. " * 9, c="Cedar reported.")
    assert found["b"][0] == "failed"
    assert "more than 256 MiB of memory" in found["b"][1]
    assert {entry.name for entry in list_entries(tmp_path / "home")} == {"a.txt", "c.txt"}


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no processor time there")
def test_what_a_document_may_cost_grows_with_its_pages_and_the_texts_to_embed(granted: list[int]) -> None:
    account = Allowance(Limits(seconds=60, seconds_per_page=0.5))
    account.open(None)
    account.read(Page(1, "Short.", ""))
    account.read(Page(2, "x" * 9_000, ""))
    account.embed(10)
    account.open(None)
    assert granted == [160, 161, 162, 182, 160]


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no processor time there")
def test_a_text_file_is_granted_what_its_size_allows_before_its_pages_are_known(
    granted: list[int], tmp_path: Path
) -> None:
    file = tmp_path / "long.txt"
    file.write_text("x" * 60_000, encoding="utf-8")
    account = Allowance(Limits(seconds=60, seconds_per_page=0.5))
    account.open(file)
    account.read(Page(1, "Short.", ""))
    account.open(None)
    assert granted == [170, 170, 160]


@pytest.mark.skipif(sys.platform == "win32", reason="the system limits no memory there")
def test_memory_is_limited_beyond_what_the_models_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[int, int] = {}
    monkeypatch.setattr(allowance, "_held_bytes", lambda: 700 << 20)
    monkeypatch.setattr(allowance, "_bind", asked.__setitem__)
    Allowance(Limits(memory_bytes=1 << 30)).limit_memory()
    assert asked == {resource.RLIMIT_DATA: (700 << 20) + (1 << 30), resource.RLIMIT_CORE: 0}


def test_an_end_for_another_reason_exceeded_nothing() -> None:
    assert exceeded("SIGKILL", "", Limits()) == ""
    assert exceeded("", "RuntimeError: no rule", Limits()) == ""
