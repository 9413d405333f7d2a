"""Measures the local checker: `python -m evals.corruptions [PATH ...]` flags corrupted drafts, and sound
ones wrongly.

Drafts are made from the documents given (the sample documents without any), half of them for tuning and
half held
aside, by seed. Printed are, for each kind of corruption and each make of sound draft, how many were flagged.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evals.corrupting import KINDS, World, changed_by, people_of
from evals.hard_corruptions import HARD_KINDS
from evals.sound_drafts import Maker, SoundDraft
from graphs.contracts import Draft, Reading, Verdict
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from tools.documents.read.parse import find_documents, parse_document
from tools.documents.text.ordinary_words import ORDINARY
from tools.documents.types import ParsedDocument
from tools.knowledge.extract.local_extractor import LocalExtractor
from tools.knowledge.types import Triplet

SAMPLES = Path(__file__).parent / "samples" / "docs"


@dataclass(slots=True)
class Tally:
    """Flagged of all, with the texts that went wrong."""

    flagged: int = 0
    doubted: int = 0
    """Of those not flagged: what a judge would be asked about; 0 where there is none."""
    all: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Result:
    """Rates by make and by kind."""

    sound: dict[str, Tally]
    corrupted: dict[str, Tally]
    milliseconds: float
    """Mean time of one check."""

    def rate(self, which: str) -> tuple[int, int]:
        """(flagged, all) of 'sound' or 'corrupted' drafts."""
        tallies = (self.sound if which == "sound" else self.corrupted).values()
        return sum(t.flagged for t in tallies), sum(t.all for t in tallies)


def is_flagged(verdict: Verdict) -> bool:
    """True if any statement is unsupported, or there is none."""
    return verdict.score is None or verdict.score < 1


def half_of(number: int) -> str:
    """Drafts alternate between the half to tune on and the half held aside."""
    return "tune" if number % 2 == 0 else "held"


def local_findings(draft: SoundDraft, text: str) -> tuple[str, str]:
    """(why it is flagged, '') by the local check."""
    verdict = LocalChecker().check(Reading(question=""), Draft(text=text), draft.evidence)
    reasons = "; ".join(s.reason for s in verdict.statements if not s.supported)
    return (reasons or "nothing is stated") if is_flagged(verdict) else "", ""


def guard_findings(draft: SoundDraft, text: str) -> tuple[str, str]:
    """(the faults, the questions to a judge) that the guard of a model's drafts finds."""
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in draft.evidence}
    found = [guard.find(claim, by_rank) for claim in guard.claims(text)]
    return "; ".join(f.fault for f in found if f.fault), "; ".join(
        f.doubt or "wording" for f in found if f.is_open
    )


def measure(drafts: Sequence[SoundDraft], world: World, seed: int = 0, *, guard: bool = False) -> Result:
    """Every draft as it is, and once for each kind of corruption it has room for, kinds kept level; `guard`: by the
    guard of a model's drafts, with the kinds that touch a hard fact."""
    judge = guard_findings if guard else local_findings
    kinds = HARD_KINDS if guard else KINDS
    sound: dict[str, Tally] = defaultdict(Tally)
    corrupted: dict[str, Tally] = {kind: Tally() for kind in kinds}
    seconds, checks = 0.0, 0

    def tallied(tally: Tally, draft: SoundDraft, text: str) -> str:
        nonlocal seconds, checks
        began = time.perf_counter()
        fault, doubt = judge(draft, text)
        seconds, checks = seconds + time.perf_counter() - began, checks + 1
        tally.all, tally.flagged = tally.all + 1, tally.flagged + bool(fault)
        tally.doubted += bool(doubt) and not fault
        return fault

    for n, draft in enumerate(drafts):
        tally = sound[draft.make]
        if fault := tallied(tally, draft, draft.text):
            tally.wrong.append(f"{fault} | {draft.text}")
        for kind in kinds:
            text = changed_by(kinds[kind], draft.text, world, random.Random(f"{seed}-{kind}-{n}"))
            if text is not None and not tallied(corrupted[kind], draft, text):
                corrupted[kind].wrong.append(f"[{draft.make}] {text}\n      WAS {draft.text}")
    return Result(dict(sound), corrupted, 1000 * seconds / max(1, checks))


def read_documents(paths: Sequence[Path]) -> tuple[list[ParsedDocument], list[Triplet]]:
    """The documents under `paths` and their table and participant triplets."""
    files, _ = find_documents(paths)
    parsed = [parse_document(path, root) for path, root in files]
    extractor = LocalExtractor(prose=False)
    return parsed, [triplet for document in parsed for triplet in extractor.extract(document)]


def build(
    parsed: Sequence[ParsedDocument], triplets: Sequence[Triplet], count: int, seed: int
) -> tuple[list[SoundDraft], World]:
    """Sound drafts of the documents, and the names that corruptions may swap in."""
    companies = tuple(
        dict.fromkeys(p.document.company for p in parsed if p.document.company.lower() not in ORDINARY)
    )
    speakers = [c.speaker for p in parsed for c in p.chunks] + [
        x.name for p in parsed for x in p.participants
    ]
    aliases = dict.fromkeys(a for p in parsed for a in p.document.aliases if not a.isupper())
    shorter = tuple(a for a in aliases if a.lower() not in ORDINARY)
    world = World((*companies, *shorter), people_of(speakers))
    return Maker(parsed, triplets, seed).make(count), world


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rates of one half; 0 if both targets (99 % and 3 %) are met, else 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path, default=[SAMPLES])
    parser.add_argument("--count", type=int, default=700, help="sound drafts to make, both halves together")
    parser.add_argument("--half", choices=("tune", "held"), default="held")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=0, help="wrongly judged drafts to print of each kind")
    parser.add_argument("--guard", action="store_true", help="measure the guard of a model's drafts instead")
    options = parser.parse_args(arguments)
    drafts, world = build(*read_documents(options.paths), options.count, options.seed)
    chosen = [draft for n, draft in enumerate(drafts) if half_of(n // 10) == options.half]
    result = measure(chosen, world, options.seed, guard=options.guard)
    report(result, options.show)
    caught, of = result.rate("corrupted")
    wrong, all_sound = result.rate("sound")
    return 0 if caught >= 0.99 * of and wrong <= 0.03 * all_sound else 1


def _besides(tally: Tally) -> str:
    return f", {tally.doubted} more are a question to a judge" if tally.doubted else ""


def report(result: Result, show: int = 0) -> None:
    """Rates as plain lines on standard output."""
    lines = []
    for title, tallies in (
        ("sound, wrongly flagged", result.sound),
        ("corrupted, flagged", result.corrupted),
    ):
        for kind, tally in tallies.items():
            if tally.all:
                share = tally.flagged / tally.all
                lines.append(
                    f"{title:24} {kind:18} {tally.flagged:5} of {tally.all:5}  {share:6.1%}{_besides(tally)}"
                )
                lines += [f"    - {text}" for text in tally.wrong[:show]]
    for which in ("sound", "corrupted"):
        flagged, of = result.rate(which)
        lines.append(f"{which} in all: {flagged} of {of} flagged, {flagged / max(1, of):.2%}")
    lines.append(f"{result.milliseconds:.1f} ms a check")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
