"""Asks questions whose answer no page prints, and counts right, wrong and abstained ones:

python -m evals.computed --home HOME [--half tune|held] [--path FILE] [--show]

computed_tune.jsonl and computed_held.jsonl have 100 each by three authors who saw the documents only, on other
companies; operands and formula were held against the pages by a script. Right: the lead of the answer gives the value
within `TOLERANCE`, the name, or yes or no; where nothing can be computed, it says so. Pages: of right answers, those
that cite every operand's page. Look at the questions of the tune half only.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agent.assistant import Assistant
from agent.errors import OUR_FAILURES, USER_MISTAKES
from agent.settings import load_settings
from evals.natural import source_of
from evals.records import DATA
from graphs.contracts import Answer
from tools.bootstrap import interval

TOLERANCE = 0.005
_NUMBER = re.compile(r"(?<![\w.,])[-−]?\d[\d,]*(?:\.\d+)?")
_SET_NAME = re.compile(r"['\"]([^'\"]+)['\"]\s*:")
_NOT_COMPUTED = re.compile(
    r"can't be computed|cannot be computed|no percentage|not meaningful", re.IGNORECASE
)
Grade = Literal["right", "wrong", "abstained"]


class Computed(BaseModel):
    """A question with what comes out."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    kind: str = ""
    question: str
    expected: tuple[str, ...] = ()
    """Forms in which an answer states it; names with alternatives parted by a bar."""
    value: float | None = None
    """A percentage as 12.3; amounts as the pages print them."""
    choice: str | None = None
    """A name, 'yes', 'no', or 'cannot'."""
    formula: str = ""
    """Over o1, o2, ...; of a ranking it names the whole set."""
    operands: tuple[dict[str, Any], ...] = ()
    """label, value, source (file without suffix, blanks as '_'), page."""


def questions(path: Path) -> list[Computed]:
    """Of a file, one a line. Raises OSError, and pydantic's ValidationError for a line that is none."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Computed.model_validate_json(line) for line in lines if line.strip()]


def grade(asked: Computed, answer: Answer) -> Grade:
    """What an answer is worth."""
    if asked.choice == "cannot":
        return "right" if answer.status == "abstained" or _NOT_COMPUTED.search(answer.answer) else "wrong"
    if answer.status == "abstained":
        return "abstained"
    lead = answer.answer.strip().split("\n")[0]
    if asked.choice in ("yes", "no"):
        return "right" if lead.lower().startswith(asked.choice) else "wrong"
    if asked.choice is not None:
        return "right" if _names(asked, lead) else "wrong"
    bare = re.sub(r"\[\d+\]", "", lead)
    said = [abs(float(text.replace(",", "").replace("−", "-"))) for text in _NUMBER.findall(bare)]
    wanted = abs(asked.value or 0.0)
    forms = [wanted * 10**power for power in (0, 3, -3, 6, -6)]
    near = any(abs(number - form) <= TOLERANCE * form for number in said for form in forms if form)
    return "right" if near or any(form.lower() in bare.lower() for form in asked.expected) else "wrong"


def _names(asked: Computed, lead: str) -> bool:
    """Whether the first of the set's names that a lead says is the right one."""
    right = [name for form in (*asked.expected, asked.choice or "") for name in form.split("|") if name]
    others = [name for name in _SET_NAME.findall(asked.formula) if name not in right]
    first, before = (_first_place(names, lead) for names in (right, others))
    return first is not None and (before is None or first <= before)


def _first_place(names: Sequence[str], text: str) -> int | None:
    places = [place for name in names if (place := text.lower().find(name.lower())) >= 0]
    return min(places, default=None)


def cites_all(asked: Computed, answer: Answer) -> bool:
    """Whether every operand's page is cited."""
    cited = {(source_of(each.document), each.page) for each in answer.citations}
    return all((each["source"], each["page"]) in cited for each in asked.operands)


def main(argv: Sequence[str] | None = None) -> int:
    """Ask, and print what came out."""
    parser = argparse.ArgumentParser(prog="python -m evals.computed", description=__doc__)
    parser.add_argument("--home", type=Path, required=True, help="home folder of the index")
    parser.add_argument("--half", choices=["tune", "held"], default="tune")
    parser.add_argument("--path", type=Path, default=None, help="another file of questions")
    parser.add_argument(
        "--show", action="store_true", help="print each question with its answer's first line"
    )
    args = parser.parse_args(argv)
    expected: tuple[type[Exception], ...] = (ValueError, *USER_MISTAKES, *OUR_FAILURES)
    try:
        return _ask(args)
    except expected as error:
        print(f"computed: {error}", file=sys.stderr)
        return 2


def _ask(args: argparse.Namespace) -> int:
    asked = questions(args.path or DATA / f"computed_{args.half}.jsonl")
    grades: list[tuple[Computed, Answer, Grade]] = []
    with Assistant(load_settings().of_folder(args.home)) as assistant:
        for each in asked:
            answer = assistant.ask(each.question)
            grades.append((each, answer, grade(each, answer)))
            if args.show:
                lead = answer.answer.strip().split("\n")[0][:300]
                print(f"{each.id} {grades[-1][2]:9} {each.question}\n    {list(each.expected)} | {lead}")
    for line in report(grades):
        print(line)
    return 0


def report(grades: Sequence[tuple[Computed, Answer, Grade]]) -> list[str]:
    """Totals, by kind and together."""
    lines = []
    for kind in (*sorted({each.kind for each, _, _ in grades}), ""):
        counts = Counter(mark for each, _, mark in grades if kind in ("", each.kind))
        many = sum(counts.values())
        lines.append(
            f"{kind or 'all':12} {many:4}  "
            + "  ".join(f"{m} {counts[m]}" for m in ("right", "wrong", "abstained"))
        )
    low, high = interval([float(mark == "right") for _, _, mark in grades])
    right = [(each, answer) for each, answer, mark in grades if mark == "right"]
    cited = sum(cites_all(each, answer) for each, answer in right)
    seconds = median(answer.seconds.get("total", 0.0) for _, answer, _ in grades)
    pages = f"every operand's page cited in {cited} of {len(right)}"
    lines.append(f"right {low:.0%} to {high:.0%} (95 %); {pages}; median {seconds:.2f} s")
    return lines


if __name__ == "__main__":
    sys.exit(main())
