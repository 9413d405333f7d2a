"""What of a model's own drafts is shown, sound sentences and corrupted ones: questions asked over recorded replies.

python -m evals.draft_corruptions --path FILE --home HOME --replies FOLDER [--replay] [--show] [--seed N]

Each question is asked once. Every sentence of a first draft that the check lets through is corrupted once, in a hard
fact (see `evals.hard_corruptions`; kinds kept level), and the draft with it is checked again, by the guard and by the
model as judge. With an endpoint, verdicts that are missing are recorded; `--replay` asks nobody.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from agent.assistant import Assistant
from agent.engines import engine_of
from agent.errors import OUR_FAILURES, USER_MISTAKES
from agent.settings import load_settings
from evals.corrupting import World, changed_by
from evals.datasets.questions import load
from evals.datasets.types import DatasetError
from evals.hard_corruptions import HARD_KINDS
from evals.recording import recording_of
from graphs.contracts import Draft, Reading, Verdict
from graphs.drafts.claims import read_claims
from graphs.drafts.draft_guard import DraftGuard
from graphs.local.check.guard import ModelDraftGuard
from graphs.model.checker import cited_claims
from graphs.protocols import FaithfulnessChecker
from tools.documents.metadata.registrant_names import short_name
from tools.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Checked:
    """A first draft with its verdict."""

    reading: Reading
    draft: Draft
    evidence: tuple[Evidence, ...]
    verdict: Verdict


@dataclass(slots=True)
class Keeping:
    """A `FaithfulnessChecker` that remembers the first drafts that it saw."""

    inner: FaithfulnessChecker
    seen: list[Checked] = field(default_factory=list)

    def check(
        self, reading: Reading, draft: Draft, evidence: Sequence[Evidence], before: Verdict | None = None
    ) -> Verdict:
        """See `FaithfulnessChecker`."""
        verdict = self.inner.check(reading, draft, evidence, before)
        if before is None and draft.engine == "model":
            self.seen.append(Checked(reading, draft, tuple(evidence), verdict))
        return verdict


@dataclass(frozen=True, slots=True)
class Corrupted:
    """One draft with one sentence changed, and what became of it."""

    kind: str
    was: str
    now: str
    end: str
    """'vetoed' by code, 'judged' not supported, or 'shown'."""
    reason: str = ""


def corrupted(
    checked: Checked, world: World, done: Counter[str], chance: random.Random
) -> list[tuple[str, str, str]]:
    """(kind, sentence, changed sentence) of every supported sentence that has room for a change; of the kinds that fit
    the one that is rarest so far."""
    held = {statement.text for statement in checked.verdict.statements if statement.supported}
    found: list[tuple[str, str, str]] = []
    for claim in read_claims(checked.draft.text):
        if claim.text not in held or checked.draft.text.count(claim.text) != 1:
            continue
        changes = {kind: changed_by(make, claim.text, world, chance) for kind, make in HARD_KINDS.items()}
        fitting = {kind: text for kind, text in changes.items() if text is not None and text != claim.text}
        if fitting:
            kind = min(fitting, key=lambda each: (done[each], each))
            done[kind] += 1
            found.append((kind, claim.text, fitting[kind]))
    return found


def end_of(
    checked: Checked, change: tuple[str, str, str], checker: FaithfulnessChecker, guard: DraftGuard
) -> Corrupted:
    """What becomes of a draft with one sentence changed; what it said before of the others stands."""
    kind, was, now = change
    draft = checked.draft.model_copy(update={"text": checked.draft.text.replace(was, now, 1)})
    verdict = checker.check(checked.reading, draft, checked.evidence, checked.verdict)
    known = {statement.text for statement in checked.verdict.statements}
    bad = [s for s in verdict.statements if s.text not in known and not s.supported]
    if not bad:
        return Corrupted(kind, was, now, "shown")
    by_rank = {item.rank: item for item in checked.evidence}
    claims = cited_claims(guard, draft.text, by_rank)
    vetoed = any(
        guard.find(claim, by_rank, question=checked.reading.question, beside=claims).fault
        for claim in claims
        if claim.text == bad[0].text
    )
    return Corrupted(kind, was, now, "vetoed" if vetoed else "judged", bad[0].reason)


def report(checked: Sequence[Checked], changes: Sequence[Corrupted], *, show: bool) -> str:
    """All figures in lines."""
    statements = [statement for each in checked for statement in each.verdict.statements]
    at_once = sum(statement.supported for statement in statements)
    lines = [f"{len(checked)} first drafts, {len(statements)} statements, {at_once} shown at once"]
    for kind in dict.fromkeys(each.kind for each in sorted(changes, key=lambda each: each.kind)):
        ends = Counter(each.end for each in changes if each.kind == kind)
        lines.append(f"  {kind:14} {_ends(ends)}")
    ends = Counter(each.end for each in changes)
    out = ends["vetoed"] + ends["judged"]
    lines.append(f"corrupted: {out} of {len(changes)} out ({out / max(1, len(changes)):.1%}); {_ends(ends)}")
    if show:
        lines += [f"NOT SHOWN {s.reason} | {s.text}" for s in statements if not s.supported]
        lines += [
            f"SHOWN {each.kind}: {each.now}\n      WAS {each.was}" for each in changes if each.end == "shown"
        ]
    return "\n".join(lines)


def _ends(ends: Counter[str]) -> str:
    return ", ".join(f"{ends[end]:4} {end}" for end in ("vetoed", "judged", "shown"))


_TOLD: tuple[type[Exception], ...] = (DatasetError, *USER_MISTAKES, *OUR_FAILURES)


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.draft_corruptions",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--path", type=Path, required=True, metavar="FILE", help="questions")
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--replies", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--replay", action="store_true", help="ask nobody")
    parser.add_argument("--workers", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--show", action="store_true", help="print what was shown wrongly, and what was not shown"
    )
    args = parser.parse_args(argv)
    try:
        return _measure(args)
    except _TOLD as error:
        print(f"draft_corruptions: {error}", file=sys.stderr)
        return 2


def _measure(args: argparse.Namespace) -> int:
    recording = recording_of(load_settings(), args.replies, replay=args.replay, prune=False)
    items = load(args.path).items
    settings = recording.settings.of_folder(args.home)
    engine = engine_of(settings, recording.model)
    keeping, guard = Keeping(engine.checker), ModelDraftGuard()
    with (
        Assistant(settings, replace(engine, checker=keeping)) as assistant,
        ThreadPoolExecutor(max(1, args.workers)) as pool,
    ):
        assistant.current()
        list(pool.map(lambda item: assistant.ask(item.question), items))
        catalog = assistant.current().catalog
        companies = [catalog.name(key) for key in catalog.companies]
        world = World(tuple(dict.fromkeys([*companies, *map(short_name, companies)])), ())
        done: Counter[str] = Counter()
        checked = sorted(keeping.seen, key=lambda each: each.reading.question)
        changes = [
            (each, change)
            for n, each in enumerate(checked)
            for change in corrupted(each, world, done, random.Random(f"{args.seed}-{n}"))
        ]
        ends = list(pool.map(lambda pair: end_of(pair[0], pair[1], engine.checker, guard), changes))
    print(report(checked, ends, show=args.show))
    return 0 if recording.finish((), print, prune=False) else 1


if __name__ == "__main__":
    sys.exit(main())
