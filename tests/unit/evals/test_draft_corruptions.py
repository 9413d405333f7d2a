"""Which sentences of a draft are corrupted, and what is said to have become of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from evals.corrupting import World
from evals.draft_corruptions import Checked, Keeping, corrupted, end_of, main, report
from graphs.contracts import Draft, Reading, Statement, Verdict
from graphs.local.check.guard import ModelDraftGuard
from tests.pieces import piece
from tools.evidence import Evidence

SAID = "Orla Inc.'s revenue rose to $511.6 million in 2024"
WORLD = World(("Orla Inc.", "Brisk Corp."), ())


def checked(*unsupported: str) -> Checked:
    texts = (SAID, "Orders of $20.5 million fell")
    statements = tuple(Statement(text=text, supported=text not in unsupported) for text in texts)
    draft = Draft(text=f"{SAID} [1]. {texts[1]} [1].", engine="model")
    evidence = (piece(1, "In 2024, revenue rose to $511.6 million. Orders of $20.5 million fell."),)
    return Checked(Reading(question="?"), draft, evidence, Verdict(statements=statements, score=1))


class Judge:
    """Finds the sentences with `wrong` unsupported, all others supported."""

    def __init__(self, wrong: str) -> None:
        self.wrong = wrong

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], before: Verdict | None = None
    ) -> Verdict:
        claims = ModelDraftGuard().claims(draft.text)
        found = [Statement(text=c.text, supported=self.wrong not in c.text, cited=c.markers) for c in claims]
        return Verdict(statements=tuple(found), score=1)


def test_supported_sentences_alone_are_corrupted_and_kinds_kept_level() -> None:
    done = Counter({"digit": 9, "company": 9})
    changes = corrupted(checked(), WORLD, done, random.Random(1))
    assert [was for _, was, _ in changes] == [SAID, "Orders of $20.5 million fell"]
    assert len({kind for kind, _, _ in changes}) == 2 and not {"digit", "company"} & {
        k for k, _, _ in changes
    }
    assert all(now != was for _, was, now in changes)
    assert len(corrupted(checked(SAID), WORLD, Counter(), random.Random(1))) == 1


@pytest.mark.parametrize(
    ("now", "wrong", "end"),
    [
        (SAID.replace("511.6", "611.5"), "611.5", "vetoed"),
        (SAID.replace("rose", "leapt"), "leapt", "judged"),
        (SAID.replace("rose", "leapt"), "nothing of it", "shown"),
    ],
)
def test_what_becomes_of_a_changed_sentence_is_told(now: str, wrong: str, end: str) -> None:
    found = end_of(checked(), ("digit", SAID, now), Judge(wrong), ModelDraftGuard())
    assert (found.end, found.was, found.now) == (end, SAID, now)
    told = report([checked()], [found], show=True)
    assert ("SHOWN digit" in told) is (end == "shown")
    assert f"corrupted: {0 if end == 'shown' else 1} of 1 out" in told


def test_first_drafts_of_the_model_alone_are_kept() -> None:
    keeping, one = Keeping(Judge("x")), checked()
    keeping.check(one.reading, one.draft, one.evidence)
    keeping.check(one.reading, one.draft, one.evidence, one.verdict)
    keeping.check(one.reading, one.draft.model_copy(update={"engine": "local"}), one.evidence)
    assert [each.draft for each in keeping.seen] == [one.draft]


def test_what_is_missing_is_told_without_a_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = tmp_path / "asked.jsonl"
    wanted = ["--home", str(tmp_path / "none"), "--replies", str(tmp_path / "none"), "--replay"]
    assert main(["--path", str(asked), *wanted]) == 2
    assert capsys.readouterr().err.startswith("draft_corruptions: ")
