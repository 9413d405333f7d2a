"""What a model's replies cost and how much of its drafts is shown: from a run and its recording.

python -m evals.model_shares RUN_FOLDER --replies FOLDER [--grades FILE] [--sheet FILE] [--json]

--sheet writes, a JSON line a question in their order, what a reader needs to grade it: the question, the answer, the
evidence, and the first draft's sentences with `shown`. --grades reads what the reader says, a JSON line a question:
{"id", "grade": "right" | "partly" | "wrong" | "abstained", "sentences": [{"text", "sound": true | false}]}.
Intervals are of 95 %, over questions or sentences.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from agent.errors import UsageError
from evals.asked_questions import DRAFT_STEP, Asked, Grade, Graded, asked_of, read_grades, sheet_line
from evals.results import Results
from tools.bootstrap import interval
from tools.model.recorded import Call, recorded_calls

MOST_REASONS = 12
"""Kinds of reasons listed."""
MOST_CHARS_OF_KIND = 120
_QUOTED = re.compile(r"(?<!\w)['\"“‘].{2,}?['\"”’](?!\w)")
_FIGURE = re.compile(r"\d[\d.,]*")


def summarize(asked: Sequence[Asked], grades: Mapping[str, Graded] | None = None) -> dict[str, Any]:
    """All figures of the report; see `describe`."""
    drafted = [(one, *pair) for one in asked for pair in one.sentences]
    reasons = Counter(_kind(one.why_dropped(text)) for one, text, shown in drafted if not shown)
    return {
        "questions": len(asked),
        "statuses": dict(Counter(one.row.status for one in asked).most_common()),
        "engines": dict(Counter(one.row.engine for one in asked).most_common()),
        "refused_before_any_call": sum(not one.calls and one.row.status == "abstained" for one in asked),
        "a_question": {
            "calls": _spread([len(one.calls) for one in asked]),
            "prompt tokens": _spread([sum(call.input_tokens for call in one.calls) for one in asked]),
            "output tokens": _spread([sum(call.output_tokens for call in one.calls) for one in asked]),
        },
        "steps": _steps(asked),
        "drafts": sum(bool(one.draft) for one in asked),
        "draft_sentences": len(drafted),
        "kept": sum(shown for *_, shown in drafted),
        "reasons_dropped": dict(reasons.most_common(MOST_REASONS)),
        "rows": [_row(one) for one in asked],
        **({} if grades is None else {"graded": _graded(asked, grades)}),
    }


def _steps(asked: Sequence[Asked]) -> dict[str, Any]:
    """By step, and form of reply where one was asked for: calls, questions, and tokens a call."""
    by_step: dict[str, list[tuple[str, Call]]] = defaultdict(list)
    for one in asked:
        for call in one.calls:
            by_step[f"{call.step} ({call.form})" if call.form else call.step].append((one.row.id, call))
    return {
        step: {
            "calls": len(calls),
            "questions": len({key for key, _ in calls}),
            "prompt tokens": _spread([call.input_tokens for _, call in calls]),
            "output tokens": _spread([call.output_tokens for _, call in calls]),
            "errors": sum(bool(call.error) for _, call in calls),
        }
        for step, calls in by_step.items()
    }


def _row(one: Asked) -> dict[str, Any]:
    own = one.sentences
    return {
        "id": one.row.id,
        "status": one.row.status,
        "engine": one.row.engine,
        "calls": dict(Counter(call.step for call in one.calls)),
        "prompt tokens": sum(call.input_tokens for call in one.calls),
        "output tokens": sum(call.output_tokens for call in one.calls),
        "kept": sum(shown for _, shown in own),
        "dropped": [{"text": text, "why": one.why_dropped(text)} for text, shown in own if not shown],
    }


def _graded(asked: Sequence[Asked], grades: Mapping[str, Graded]) -> dict[str, Any]:
    by_id = {one.row.id: one for one in asked}
    found = Counter(graded.grade for graded in grades.values())
    told = [
        (sentence.sound, by_id[graded.id].shows(sentence.text))
        for graded in grades.values()
        for sentence in graded.sentences
    ]
    return {
        "questions": len(grades),
        "ungraded": len(asked) - len(grades),
        **{name: _share(found[name], len(grades)) for name in get_args(Grade)},
        "sound_kept": _share(sum(sound and shown for sound, shown in told), sum(sound for sound, _ in told)),
        "unsound_shown": _share(
            sum(shown and not sound for sound, shown in told), sum(not sound for sound, _ in told)
        ),
    }


def _share(part: int, whole: int) -> dict[str, Any]:
    low, high = interval([1.0] * part + [0.0] * (whole - part)) if whole else (None, None)
    return {"count": part, "of": whole, "low": low, "high": high}


def _spread(values: Sequence[int]) -> dict[str, float]:
    ordered = sorted(values)
    if not ordered:
        return {"median": 0, "p95": 0, "total": 0}
    p95 = ordered[-(-95 * len(ordered) // 100) - 1]
    return {"median": statistics.median(ordered), "p95": p95, "total": sum(ordered)}


def _kind(reason: str) -> str:
    """A reason without what is particular to one sentence: figures and what stands in quotes."""
    return _FIGURE.sub("#", _QUOTED.sub("'...'", reason))[:MOST_CHARS_OF_KIND]


def describe(summary: Mapping[str, Any], *, show: bool = False) -> str:
    """The summary in lines for a reader; `show` adds a line a question."""
    count = summary["questions"]
    lines = [
        f"{count} questions; {_listed(summary['statuses'])}; words of {_listed(summary['engines'])}",
        f"refused before any call: {summary['refused_before_any_call']} of {count}",
        f"a question: {_spreads(summary['a_question'])}",
    ]
    for step, of_step in summary["steps"].items():
        tokens = {name: of_step[name] for name in ("prompt tokens", "output tokens")}
        failed = f", {of_step['errors']} failed" if of_step["errors"] else ""
        lines.append(
            f"  {step}: {of_step['calls']} calls of {of_step['questions']} questions{failed}; {_spreads(tokens)}"
        )
    total, kept = summary["draft_sentences"], summary["kept"]
    lines.append(f"first drafts: {summary['drafts']}, of {total} sentences; {kept} shown, {total - kept} not")
    lines += [f"  {many:4}  {reason}" for reason, many in summary["reasons_dropped"].items()]
    if graded := summary.get("graded"):
        lines.append(f"graded: {graded['questions']} questions, {graded['ungraded']} not")
        names = (*get_args(Grade), "sound_kept", "unsound_shown")
        lines += [f"  {name.replace('_', ' ')}: {_shared(graded[name])}" for name in names]
    for row in summary["rows"] if show else ():
        spent = f"{row['prompt tokens']} + {row['output tokens']} tokens"
        calls = ", ".join(f"{step} {many}" for step, many in row["calls"].items()) or "no calls"
        lines.append(f"{row['id']} {row['status']} ({row['engine']}): {calls}; {spent}; {row['kept']} kept")
        lines += [f"    dropped: {drop['text']}  [{drop['why']}]" for drop in row["dropped"]]
    return "\n".join(lines)


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {many}" for name, many in counts.items())


def _spreads(found: Mapping[str, Mapping[str, float]]) -> str:
    return "; ".join(
        f"{name} median {of['median']:,.0f}, p95 {of['p95']:,.0f}, total {of['total']:,.0f}"
        for name, of in found.items()
    )


def _shared(share: Mapping[str, Any]) -> str:
    if not share["of"]:
        return "none"
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{share['count']} of {share['of']} ({100 * share['count'] / share['of']:.0f} %, {low:.0f} to {high:.0f})"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the report."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.model_shares",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("run", type=Path, metavar="RUN_FOLDER")
    parser.add_argument("--replies", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--pipeline", default="agent")
    parser.add_argument("--draft-step", default=DRAFT_STEP, help=f"step that drafts (default: {DRAFT_STEP})")
    parser.add_argument("--grades", type=Path, metavar="FILE")
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="write what a reader needs to grade")
    parser.add_argument("--show", action="store_true", help="a line a question, and what was dropped")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    try:
        rows = Results.load(args.run).rows_of(args.pipeline)
        asked = asked_of(rows, recorded_calls(args.replies), args.draft_step)
        grades = read_grades(args.grades, (row.id for row in rows)) if args.grades else None
        if args.sheet:
            lines = [json.dumps(sheet_line(one), ensure_ascii=False) for one in asked]
            args.sheet.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except (UsageError, OSError) as error:
        print(f"model_shares: {error}", file=sys.stderr)
        return 2
    summary = summarize(asked, grades)
    print(json.dumps(summary, ensure_ascii=False) if args.json else describe(summary, show=args.show))
    return 0


if __name__ == "__main__":
    sys.exit(main())
