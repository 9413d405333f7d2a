"""Measures the local check, and the guard of a model's drafts, on fluent sentences: `python -m evals.fluent` judges
sentences as a good language model writes them, sound ones and corrupted twins, over evidence of the sample documents.

A record of data/fluent.jsonl cites evidence (`c`), states one sound sentence or table (`s`), and gives three twins
(`x`) as replacements 'old=>new', several joined by ' ;; '. A record's `half` is 'tune' or 'held'; where it has none,
even numbers are for tuning. Of held records only totals are printed, unless `--rows` is given. Documents of a set's
own stand in the folder of its name.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from evals.telling import chunk_evidence, fact_evidence
from graphs.contracts import Draft, Reading
from graphs.drafts.draft_guard import Finding
from graphs.local.check.checker import LocalChecker
from graphs.local.check.guard import ModelDraftGuard
from tools.documents.read.parse import find_documents, parse_document
from tools.evidence import Evidence
from tools.knowledge.extract.local_extractor import LocalExtractor

DATA = Path(__file__).parent / "data" / "fluent.jsonl"
SAMPLES = Path(__file__).parent / "samples" / "docs"
AROUND = 6
"""Pieces of evidence beside those cited: what the records before cite."""
Check = Callable[[str, Sequence[Evidence]], str]
"""Why a text is refused, given its evidence; '' if it is not."""


def vetoed(text: str, evidence: Sequence[Evidence]) -> str:
    """The hard facts that do not hold, whatever a judge says."""
    return "; ".join(found.fault for found in _findings(text, evidence) if found.fault)


def questioned(text: str, evidence: Sequence[Evidence]) -> str:
    """What is vetoed, or a question to a judge."""
    findings = _findings(text, evidence)
    return "; ".join(
        found.fault or found.doubt or "its wording" for found in findings if found.fault or found.is_open
    )


def _findings(text: str, evidence: Sequence[Evidence]) -> list[Finding]:
    guard, by_rank = ModelDraftGuard(), {item.rank: item for item in evidence}
    claims = guard.claims(text)
    return [guard.find(claim, by_rank, beside=claims) for claim in claims]


def refused(text: str, evidence: Sequence[Evidence]) -> str:
    """What the check of the local engine's own drafts refuses."""
    verdict = LocalChecker().check(Reading(question=""), Draft(text=text), evidence)
    return "; ".join(s.reason for s in verdict.statements if not s.supported)


CHECKS: Mapping[str, Check] = {"vetoed": vetoed, "vetoed or questioned": questioned, "local": refused}
"""By the name printed: for a model's drafts without and with a judge, and for the local engine's own."""


@dataclass(frozen=True, slots=True)
class Case:
    """A sound text, its twins, and the evidence of both."""

    number: int
    half: str
    """'tune' or 'held'."""
    sound: str
    twins: tuple[str, ...]
    evidence: tuple[Evidence, ...]


class Source:
    """Evidence by reference: 'FILE~words' is the chunk that holds them, 'FILE@words' the table, and
    'FILE#line item#months#year of the end[#heading]' the figure."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._chunks: dict[str, list[Evidence]] = {}
        self._facts: dict[str, list[Evidence]] = {}
        for path, root in find_documents(paths)[0]:
            parsed = parse_document(path, root)
            self._chunks[path.stem] = chunk_evidence(parsed)
            triplets = LocalExtractor(prose=False).extract(parsed)
            self._facts[path.stem] = [fact_evidence(t) for t in triplets if t.value is not None]

    def find(self, reference: str) -> Evidence:
        """The piece of evidence; LookupError if there is none."""
        at = next(n for n, c in enumerate(reference) if c in "~@#")
        name, kind, rest = reference[:at], reference[at], reference[at + 1 :]
        if kind == "#":
            return self._fact(name, *rest.split("#"))
        for item in self._chunks[name]:
            if rest in item.text and (item.kind == "table") == (kind == "@"):
                return item
        raise LookupError(reference)

    def _fact(self, name: str, metric: str, months: str, year: str, heading: str = "") -> Evidence:
        for item in self._facts[name]:
            fact = item.fact
            if fact is None or fact.metric != metric or fact.period.months != int(months):
                continue
            titled = heading in " ".join((*fact.path, item.section))
            if titled and fact.period.end is not None and fact.period.end.year == int(year):
                return item
        raise LookupError(f"{name}#{metric}#{months}#{year}#{heading}")


def read_cases(data: Path, source: Source) -> Iterator[Case]:
    """The cases of a file; ValueError where a twin changes nothing."""
    around: list[Evidence] = []
    for number, line in enumerate(data.read_text(encoding="utf-8").splitlines()):
        record = json.loads(line)
        cited = [source.find(reference) for reference in record["c"]]
        beside = [item for item in around if all(item.item_id != c.item_id for c in cited)][-AROUND:]
        evidence = [item.model_copy(update={"rank": n}) for n, item in enumerate([*cited, *beside], start=1)]
        twins = tuple(_twin(record["s"], change) for change in record["x"])
        half = record.get("half", "held" if number % 2 else "tune")
        yield Case(number, half, record["s"], twins, tuple(evidence))
        around += cited


def _twin(text: str, change: str) -> str:
    changed = text
    for part in change.split(" ;; "):
        old, _, new = part.partition("=>")
        changed = changed.replace(old, new)
    if changed == text:
        raise ValueError(f"nothing to change by '{change}' in: {text}")
    return changed


def documents(data: Path) -> list[Path]:
    """Folders that a set cites: the sample documents, and the folder of the set's name if there is one."""
    own = data.with_suffix("")
    return [SAMPLES, own] if own.is_dir() else [SAMPLES]


class Judged(NamedTuple):
    """What a checker made of a set of cases."""

    sound: int
    refused: int
    """Of the sound ones."""
    twins: int
    missed: int
    """Of the twins: not flagged."""

    def describe(self) -> str:
        """Both shares in a line."""
        return (
            f"sound refused {self.refused} of {self.sound} ({self.refused / self.sound:.1%}), "
            f"twins flagged {self.twins - self.missed} of {self.twins} ({1 - self.missed / self.twins:.1%})"
        )

    def meets(self, check: str) -> bool:
        """Without a judge at most 3 % of the sound ones are refused; at least 99 % of the twins are seen by one."""
        if check == "vetoed":
            return self.refused <= 0.03 * self.sound
        return check != "vetoed or questioned" or self.missed <= 0.01 * self.twins


def _judge(check: Check, cases: Sequence[Case], *, show: bool) -> Judged:
    """Check every sentence and its twins; with `show`, print what is judged wrongly."""
    refused, missed, twins = 0, 0, 0
    for case in cases:
        if why := check(case.sound, case.evidence):
            refused += 1
            if show:
                sys.stdout.write(f"  REFUSED {case.number} {why} | {case.sound}\n")
        for twin in case.twins:
            twins += 1
            if not check(twin, case.evidence):
                missed += 1
                if show:
                    sys.stdout.write(f"  MISSED {case.number} {twin}\n")
    return Judged(len(cases), refused, twins, missed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the shares refused and flagged; 0 if 3 % and 99 % are met for a model's drafts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--set", "--data", dest="data", type=Path, default=DATA)
    parser.add_argument("--half", choices=("tune", "held", "all"), default="all")
    parser.add_argument("--show", action="store_true", help="print what is judged wrongly (tuning half only)")
    parser.add_argument("--rows", action="store_true", help="print what is judged wrongly, held records too")
    options = parser.parse_args(arguments)
    cases = [
        case
        for case in read_cases(options.data, Source(options.paths or documents(options.data)))
        if options.half in ("all", case.half)
    ]
    met = True
    for name, check in CHECKS.items():
        for half in ("tune", "held"):
            chosen = [case for case in cases if case.half == half]
            if not chosen:
                continue
            judged = _judge(check, chosen, show=options.rows or (options.show and half == "tune"))
            sys.stdout.write(f"{name:20} {half}: {judged.describe()}\n")
            met = met and judged.meets(name)
    return 0 if met else 1


if __name__ == "__main__":
    raise SystemExit(main())
