"""Questions as people ask them: does the answer hold the figure, the names or the sentence that answers?

python -m evals.natural --home DIR [--set filings html calls tenq broad second third fourth] [--half tune|held]
[--kind fact ...] [--show] [--json]

The sets `evals/data/natural/SET_HALF.jsonl` were written by readers of the documents who knew nothing of the
program; their halves are split by company. Right: the answer holds one of the expected figures (`fact`), one of each
group of names (`relation`, `list`), or a gold sentence, nearly whole (`reason`, `summary`, `definition`); what the
documents do not answer (`absent`) is right when the assistant abstains. The set `about` asks about the assistant and
its index, and beside it (`contrast`) for what only sounds so.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import blake2s
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict
from rapidfuzz.distance import LCSseq

from agent.errors import OUR_FAILURES, USER_MISTAKES
from evals.records import DATA, percent
from graphs.contracts import Answer
from tools.bootstrap import interval

FOLDER = DATA / "natural"
SETS = ("filings", "html", "calls", "tenq", "broad", "second", "third", "fourth", "fifth")
PLAIN = ("plain",)
"""The wording that comes first to mind; by two authors who saw the documents only, all of it held."""
ABOUT = ("about", "about_second")
"""Sets of questions about the assistant and its index, and of others that sound like them."""
DUE = ("due",)
"""What falls due in years after a document's own; by an author who saw the documents only, all of it held."""
PLAINER = ("sixth",)
"""Figures, most in the wording that comes first to mind; by two authors who saw the documents only, not learnt from."""
HOPS = ("hops",)
"""Questions about a company that is described and not named; by who built what answers them."""
Kind = Literal["fact", "relation", "reason", "list", "summary", "definition", "absent", "about", "contrast"]
KINDS: tuple[Kind, ...] = (
    "fact",
    "relation",
    "list",
    "reason",
    "summary",
    "definition",
    "absent",
    "about",
    "contrast",
)
Outcome = Literal["right", "wrong", "abstained"]
MIN_SHARE_OF_GOLD = 0.8
"""Share of a gold sentence's words that a line of the answer must hold in their order, hyphens and marks aside."""

MIN_PART = 40
"""Characters of a line that can be told for a part of a sentence."""


class Natural(BaseModel):
    """A question, where its answer stands, and what a right answer holds."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    kind: Kind
    question: str
    company: str = ""
    source: str = ""
    """Of the document, see `source_of`; a call is TICKER_call_2021Q2."""
    page: int | tuple[int, ...] = ()
    """As its author counted, from 1."""
    expected: tuple[str, ...] = ()
    """Facts: figures, any of which is right. Relations and lists: groups, each 'a|b', of which all are needed."""
    gold: tuple[str, ...] = ()
    """Reasons, summaries and definitions: fingerprints of sentences of the document, one of which answers."""
    evidence: tuple[str, ...] = ()
    """Relations and lists: fingerprints of the sentences in which the answer was found."""


def source_of(document: str) -> str:
    """What questions call a document: its name without the suffix, blanks as '_'."""
    return Path(document).stem.replace(" ", "_")


def load(sets: Iterable[str], half: str) -> list[Natural]:
    """The questions of the named sets, where they have that half. OSError, or pydantic's ValidationError for a
    line that is no question."""
    paths = (path for name in sets if (path := FOLDER / f"{name}_{half}.jsonl").exists())
    return [
        Natural.model_validate_json(line)
        for path in paths
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def holds(question: Natural, text: str) -> bool:
    """Whether a text holds what a right answer needs."""
    if question.kind == "fact":
        return any(stands_in(figure, text) for figure in question.expected)
    if question.kind in ("relation", "list", "about"):
        return holds_groups(question.expected, text)
    return any(_mostly_in(sentence.split(), _prints(text)) for sentence in question.gold)


def holds_groups(groups: Iterable[str], text: str) -> bool:
    """Whether a text holds a name or figure of each group 'a|b'."""
    return all(any(stands_in(name, text) for name in group.split("|")) for group in groups)


def is_shown(question: Natural, line: str) -> bool:
    """Whether a line is one of the sentences in which its author found the answer, or a part of one."""
    words = _prints(line)
    return any(
        _mostly_in(sentence.split(), words) or (len(line) >= MIN_PART and _mostly_in(words, sentence.split()))
        for sentence in question.evidence
    )


def judge(question: Natural, answer: Answer) -> Outcome:
    """What came of a question; abstaining is right where nothing answers. Of questions that only sound as if they were
    about the index it counts that they are looked up."""
    if question.kind == "contrast":
        return "right" if answer.route.tools else "wrong"
    if answer.status == "abstained":
        return "right" if question.kind == "absent" else "abstained"
    return "right" if question.kind != "absent" and holds(question, answer.answer) else "wrong"


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    text = re.sub(r"[‘’ʼ]", "'", text)
    return " ".join(re.sub(r"[‐‑‒–—−]", "-", text).split())


def stands_in(wanted: str, text: str) -> bool:
    """Whether a name or figure stands in a text, not as a part of a longer number or word."""
    return (
        re.search(rf"(?<![\w])(?<!\d[.,]){re.escape(_fold(wanted))}(?![\w]|[.,]\d)", _fold(text)) is not None
    )


def fingerprint(sentence: str) -> str:
    """A sentence by its words, each as four hex digits: it can be looked for without being written down."""
    return " ".join(_prints(sentence))


def _prints(text: str) -> list[str]:
    return [blake2s(word.encode(), digest_size=2).hexdigest() for word in re.findall(r"\w+", _fold(text))]


def _mostly_in(wanted: Sequence[str], given: Sequence[str]) -> bool:
    """Whether most of a sentence's words stand in another's in their order."""
    return bool(wanted) and LCSseq.similarity(wanted, given) >= MIN_SHARE_OF_GOLD * len(wanted)


def summarize(answers: Sequence[tuple[Natural, Answer, bool]]) -> dict[str, Any]:
    """Counts by kind and set, seconds, and every question with what came of it; with each answer goes whether the
    evidence held what was wanted."""
    rows: list[dict[str, Any]] = [
        {
            "id": question.id,
            "kind": question.kind,
            "outcome": judge(question, answer),
            "found": found,
            "question": question.question,
            "wanted": list(question.expected or question.gold),
            "got": answer.answer,
            "reason": answer.reason,
            "seconds": answer.seconds.get("total", 0.0),
        }
        for question, answer, found in answers
    ]
    seconds = sorted(row["seconds"] for row in rows)
    return {
        "kinds": {kind: _counts([row for row in rows if row["kind"] == kind]) for kind in KINDS},
        "p50": round(statistics.median(seconds), 3) if seconds else None,
        "p95": round(seconds[int(0.95 * (len(seconds) - 1))], 3) if seconds else None,
        "rows": rows,
    }


def _counts(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    outcomes = Counter(row["outcome"] for row in rows)
    counts = {name: outcomes[name] for name in ("right", "wrong", "abstained")}
    return {"asked": len(rows), **counts, "found": sum(row["found"] for row in rows)}


def describe(summary: dict[str, Any], *, show: bool) -> str:
    """The summary in lines for a reader; `show` adds every question that went wrong."""
    lines = []
    for kind, counts in summary["kinds"].items():
        if counts["asked"]:
            low, high = interval([1.0] * counts["right"] + [0.0] * (counts["asked"] - counts["right"]))
            lines.append(
                f"{kind:10} {counts['right']:3} right of {counts['asked']:3}"
                f" ({percent(counts['right'], counts['asked'])}, {100 * low:.0f} to {100 * high:.0f}),"
                f" {counts['wrong']} wrong, {counts['abstained']} abstained; evidence held it for {counts['found']}"
            )
    lines.append(f"p50 {summary['p50']} s, p95 {summary['p95']} s")
    for row in summary["rows"] if show else ():
        if row["outcome"] != "right":
            lines += [
                "",
                f"{row['id']} {row['kind']} {row['outcome']}{', found' if row['found'] else ''}: {row['question']}",
            ]
            lines.append(f"  wanted {row['wanted']}")
            lines.append(f"  got {row['reason'] or ''} {' '.join(row['got'].split())[:600]}")
    return "\n".join(lines)


def asked(questions: Sequence[Natural], home: Path) -> list[tuple[Natural, Answer, bool]]:
    """Each question with its answer, and whether the evidence held what a right one needs. Raises as asking does."""
    from agent.assistant import Assistant

    with Assistant.open(home) as assistant:
        answers = [(question, assistant.ask(question.question)) for question in questions]
    return [
        (
            question,
            answer,
            question.kind != "absent" and holds(question, "\n".join(item.text for item in answer.evidence)),
        )
        for question, answer in answers
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Ask the questions and print what came of them."""
    parser = argparse.ArgumentParser(prog="python -m evals.natural", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument(
        "--set",
        dest="sets",
        nargs="+",
        choices=(*SETS, *PLAIN, *PLAINER, *ABOUT, *DUE, *HOPS),
        default=list(SETS),
    )
    parser.add_argument("--half", choices=("tune", "held"), default="tune")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--show", action="store_true", help="print the questions that went wrong")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    questions = [each for each in load(args.sets, args.half) if each.kind in args.kind]
    if not questions:
        parser.error(f"no question: {' '.join(args.sets)} has no {args.half} half with these kinds")
    try:
        answers = asked(questions, args.home)
    except (*USER_MISTAKES, *OUR_FAILURES) as error:
        print(error, file=sys.stderr)
        return 2
    summary = summarize(answers)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary, show=args.show))
    return 0


if __name__ == "__main__":
    sys.exit(main())
