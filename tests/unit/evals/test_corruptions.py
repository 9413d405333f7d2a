"""Corruptions change what they say they change, and the checker meets its targets on a sample document."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from evals.corrupting import KINDS, World, corrupt
from evals.corruptions import build, half_of, measure
from graphs.contracts import Draft, Reading
from graphs.local.check.checker import LocalChecker
from tools.documents.read.parse import parse_document
from tools.knowledge.extract.local_extractor import LocalExtractor

ROOT = Path(__file__).parents[3]
WORLD = World(("Apple Inc.", "Orla Devices"), ("Ana Reyes", "Tom Birch"))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("digit", "Sales were $5 million [1]."),
        ("transposed", "Sales were $57 million [1]."),
        ("scale", "Sales were $5 million [1]."),
        ("unit", "Sales were 5 million USD [1]."),
        ("date", "As of July 1, 2023, sales were flat [1]."),
        ("year", "In 2023 sales were flat [1]."),
        ("quarter", "In the third quarter sales were flat [1]."),
        ("duration", "For the three months ended July 1, 2023 [1]."),
        ("company", "Orla Devices reported sales [1]."),
        ("person", "Ana Reyes asked [1]."),
        ("metric", "Net income was flat [1]."),
        ("not inserted", "Sales were flat [1]."),
        ("not removed", "Sales were not flat [1]."),
        ("direction", "Sales rose [1]."),
    ],
)
def test_every_kind_changes_the_text_and_keeps_its_markers(kind: str, text: str) -> None:
    changed = corrupt(text, kind, WORLD, random.Random(1))
    assert changed is not None and changed != text and "[1]" in changed


def test_every_kind_has_a_test_above_and_leaves_alone_what_it_does_not_find() -> None:
    assert len(KINDS) == 14
    assert all(corrupt("Hello [1].", kind, WORLD, random.Random(1)) is None for kind in KINDS)


def test_halves_share_the_drafts() -> None:
    assert {half_of(0), half_of(1)} == {"tune", "held"}


def test_the_checker_meets_its_targets_on_a_sample_filing() -> None:
    path = ROOT / "evals" / "samples" / "docs" / "Calderith" / "2024" / "10Q" / "10Q-Q2-2024.pdf"
    parsed = parse_document(path, path.parents[3])
    drafts, world = build([parsed], LocalExtractor(prose=False).extract(parsed), 120, seed=5)
    world = World((*world.companies, "Harrowmere Stores, Inc."), world.people)
    result = measure(drafts, world, seed=5)
    caught, of = result.rate("corrupted")
    wrong, sound = result.rate("sound")
    assert of >= 300 and caught >= 0.99 * of, [t.wrong[:2] for t in result.corrupted.values() if t.wrong]
    assert sound >= 80 and wrong <= 0.03 * sound, [t.wrong[:2] for t in result.sound.values() if t.wrong]


def test_an_abstaining_draft_has_no_statement_to_flag() -> None:
    assert (
        LocalChecker().check(Reading(question="?"), Draft(text="", abstained="no_evidence"), []).score is None
    )
