"""What comes next from the command line: importing histories, learning from them, asking, forgetting."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from agent.assistant import Assistant
from agent.display.screen import Screen
from graphs.contracts import Suggestion
from tools.store.errors import (
    ExtraMissingError,
    IndexMissingError,
    NoHistoriesError,
    TooLittleError,
    UserStoreError,
    command,
)

if TYPE_CHECKING:
    from agent.open_indexes import OpenIndex
    from agent.recommending import RehearsedRules
    from agent.threads.thread_records import Turn
    from graphs.index import Index
    from tools.store.disk.learned_files import Learned

NOT_LEARNED = "Nothing is learned about what was done so far"


def import_file(args: argparse.Namespace, screen: Screen) -> int:
    """Add a file's events. Exit code 2 if a line of it can't be read; the others are there."""
    from graphs.local.dialogue.topics import item_asked
    from tools.recommend.interaction_files import read_interactions
    from tools.store.runs.history_run import import_events

    with Assistant.open(args.home) as assistant, screen.working() as tell:
        report = import_events(
            assistant.home,
            read_interactions(args.file),
            lambda question: item_asked(question, assistant.current()),
            lambda lines: tell(f"reading {lines:,} lines"),
        )
    for each in report.named:
        screen.json({"line": each.line, "error": each.reason})
        screen.note(f"line {each.line}: {each.reason}")
    if report.bad > len(report.named):
        screen.note(f"and {report.bad - len(report.named):,} more lines that can't be read")
    stored = report.stored
    screen.json(
        {
            "read": report.read,
            "added": report.added,
            "bad": report.bad,
            "not_understood": report.not_understood,
            "users": stored.users,
            "items": stored.items,
            "events": stored.events,
        }
    )
    known = report.read - report.added
    screen.line(f"{report.added:,} events added" + (f", {known:,} were there already" if known else ""))
    if report.not_understood:
        screen.line(
            f"{report.not_understood:,} questions name no company or topic of this index and were left out"
        )
    screen.line(f"{stored.users:,} users, {stored.events:,} events, {stored.items:,} items in all")
    return 2 if report.bad else 0


def status(args: argparse.Namespace, screen: Screen) -> int:
    """What is in use and why, and how much there is."""
    from agent.recommending import in_use

    with Assistant.open(args.home) as assistant:
        home = assistant.home
    stored, learned, trouble = in_use(home)
    level, train = learned.level if learned else "rules", command(home, "recommend train")
    told = {name: getattr(stored, name) for name in ("users", "items", "events", "first", "last")}
    screen.json(
        {"level": level, "trouble": trouble, **told, "learned": None if learned is None else _record(learned)}
    )
    if not stored.events:
        screen.line(f"{NoHistoriesError(home)} Rules suggest.")
        return 0
    screen.line(f"{stored.users:,} users, {stored.events:,} events, {stored.items:,} items")
    if stored.first is not None and stored.last is not None:
        screen.line(f"from {_day(stored.first)} to {_day(stored.last)}")
    screen.line(f"in use: {level}")
    for line in [trouble or f"Nothing is learned yet. Run: {train}"] if learned is None else _lines(learned):
        screen.line(line)
    if learned is not None and (learned.users, learned.events) != (stored.users, stored.events):
        screen.line(f"Events have come or gone since. Run: {train}")
    return 0


def train(args: argparse.Namespace, screen: Screen) -> int:
    """Learn from the histories."""
    with Assistant.open(args.home) as assistant:
        learned = _learn(assistant, screen, args.model, args.preset, args.seed)
    _show(learned, screen)
    return 0


def forget(args: argparse.Namespace, screen: Screen) -> int:
    """Delete a user's events, and learn again what was learned with them."""
    from tools.store.runs.history_run import forget_user

    with Assistant.open(args.home) as assistant:
        before = forget_user(assistant.home, args.user)
        screen.line("The user's events are deleted, and what was learned with them.")
        learned = None
        if before is not None:
            try:
                learned = _learn(assistant, screen, before.model, before.preset, before.seed)
            except (NoHistoriesError, TooLittleError, ExtraMissingError) as error:
                screen.line(f"{error} Rules suggest.")
    if learned is not None:
        _show(learned, screen)
    else:
        screen.json({"level": "rules"})
    return 0


def following(args: argparse.Namespace, screen: Screen) -> int:
    """What to ask or read next; where nothing is learned about the past, what rules suggest, and why."""
    from agent.recommending import HomeOrder
    from agent.threads.sessions import KEPT_TURNS, Sessions

    with Assistant.open(args.home) as assistant, Sessions(assistant) as sessions, screen.working() as tell:
        tell("looking for what comes next")
        order, rules = HomeOrder(assistant.home), _rules(assistant)
        last = next((each for each in sessions.threads() if each.turns), None) if args.user is None else None
        turns = sessions.open(last.name).turns(KEPT_TURNS) if last else []
        past, trouble = _done(assistant.home, args.user, turns, rules.index)
        words = [order.trouble, trouble]
        found = [*islice(_named(order.after(past), rules), args.k)]
        if not found and rules.index is None:
            words.append(str(IndexMissingError(assistant.home)))
        elif not found:
            found = [("", each) for each in _by_rule(assistant, turns)[: args.k]]
            what = (
                "Nothing more that others did can be asked here"
                if order.has_learned and past
                else NOT_LEARNED
            )
            words.append(f"{what}, so rules suggest.")
        level = order.level
    for line in filter(None, dict.fromkeys(words)):
        screen.note(line)
    for number, (item, each) in enumerate(found, 1):
        by = level if each.why else "rules"
        screen.json({"question": each.question or None, "item": item or None, "why": each.why, "by": by})
        screen.line(f"{number}. {each.question or item}{f' ({each.why})' if each.why else ''}")
    return 0


def _done(
    home: Path, user: str | None, turns: Sequence[Turn], index: Index | None
) -> tuple[list[tuple[str, float]], str]:
    """Items and times of what the user did, or of what these turns asked; and what is wrong with the history."""
    from agent.threads.thread_records import understood
    from graphs.local.dialogue.topics import items_asked
    from tools.store.runs.history_run import past_of_user

    if user is None:
        return items_asked(understood(turns), index) if index else [], ""
    try:
        return past_of_user(home, user), ""
    except UserStoreError as error:
        return [], str(error)


def _by_rule(assistant: Assistant, turns: Sequence[Turn]) -> list[Suggestion]:
    """What a chat would suggest after these turns."""
    from agent.threads.thread_records import understood

    if not turns:
        return [Suggestion(question=each) for each in assistant.examples()]
    asked = [each for turn in turns for each in (turn.question, turn.answer.standalone_question)]
    return [*assistant.next_questions(turns[-1].answer, asked, lambda: understood(turns[:-1]))]


def _named(likely: Iterable[tuple[str, str]], rules: RehearsedRules) -> Iterator[tuple[str, Suggestion]]:
    """Items that can be shown, and what asks each: '' for one that is no question of this index."""
    from graphs.local.dialogue.topics import is_asked

    for item, why in likely:
        if not is_asked(item):
            yield item, Suggestion(question="", why=why)
        elif (asked := rules.asked(item)) is not None:
            yield item, Suggestion(question=asked[0], why=why)


def _learn(assistant: Assistant, screen: Screen, model: str, preset: str, seed: int) -> Learned:
    from tools.store.runs.learning_run import learn

    with screen.working() as tell:
        return learn(assistant.home, _rules(assistant), model, preset, seed, _step_teller(tell))


def _step_teller(tell: Callable[[str], None]) -> Callable[[str, int, int], None]:
    """What tells where a step is, now and then."""
    said = [0.0]

    def on_step(step: str, done: int, total: int) -> None:
        if time.monotonic() - said[0] >= 1.0 or done == total:
            said[0] = time.monotonic()
            tell(f"{step}: {done:,} of {total:,}")

    return on_step


def _rules(assistant: Assistant) -> RehearsedRules:
    from agent.recommending import RehearsedRules

    ranker = assistant.engine.ranker
    assert ranker is not None
    return RehearsedRules(_index(assistant), ranker)


def _index(assistant: Assistant) -> OpenIndex | None:
    try:
        return assistant.current()
    except IndexMissingError:
        return None


def _show(learned: Learned, screen: Screen) -> None:
    screen.json(_record(learned))
    for line in (f"in use: {learned.level}", *_lines(learned)):
        screen.line(line)


def _record(learned: Learned) -> dict[str, object]:
    told = asdict(learned)
    return {
        name: told[name] for name in ("level", "model", "preset", "seed", "why", "trained", "users", "events")
    }


def _lines(learned: Learned) -> list[str]:
    head = f"learned {_day(learned.trained)} from {learned.events:,} events of {learned.users:,} users"
    return [head, *(f"  {each}" for each in learned.why)]


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
