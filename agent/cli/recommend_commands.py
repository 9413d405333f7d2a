"""What comes next from the command line: importing histories, learning from them, asking, forgetting."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING

from agent.assistant import Assistant
from agent.display.screen import Screen
from tools.store.errors import IndexMissingError

if TYPE_CHECKING:
    from agent.open_indexes import OpenIndex
    from agent.recommending import RehearsedRules
    from tools.store.disk.learned_files import Learned


def import_file(args: argparse.Namespace, screen: Screen) -> int:
    """Add a file's events. Exit code 2 if a line of it can't be read; the others are there."""
    from agent.recommending import items_of
    from tools.recommend.interaction_files import read_interactions
    from tools.store.runs.history_run import import_events

    with Assistant.open(args.home) as assistant, screen.working() as tell:
        report = import_events(
            assistant.home,
            read_interactions(args.file),
            items_of(assistant.current),
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
    from agent.recommending import HomeOrder
    from tools.store.disk.history_files import stored_events
    from tools.store.disk.home import Home
    from tools.store.disk.learned_files import learned_of
    from tools.store.errors import LearnedDamagedError

    with Assistant.open(args.home) as assistant:
        home = Home(assistant.home)
        stored, trouble = stored_events(home), HomeOrder(assistant.home).trouble
    try:
        learned = learned_of(home)
    except LearnedDamagedError:
        learned = None
    level = "rules" if trouble or learned is None else learned.level
    told = {name: getattr(stored, name) for name in ("users", "items", "events", "first", "last")}
    left_out = {"bad": stored.bad, "not_understood": stored.not_understood}
    screen.json(
        {"level": level, "trouble": trouble, **told, **left_out}
        | {"learned": None if learned is None else _record(learned)}
    )
    if not stored.folder:
        screen.line("No histories. Rules suggest. Import some: hybridrag recommend import FILE")
        return 0
    screen.line(f"{stored.users:,} users, {stored.events:,} events, {stored.items:,} items")
    if stored.first is not None and stored.last is not None:
        screen.line(f"from {_day(stored.first)} to {_day(stored.last)}")
    if stored.bad or stored.not_understood:
        screen.line(
            f"left out by the last import: {stored.bad:,} bad lines, {stored.not_understood:,} questions without "
            "a topic"
        )
    screen.line(f"in use: {level}")
    if trouble:
        screen.line(trouble)
    if learned is None:
        screen.line("Nothing is learned yet: hybridrag recommend train" if not trouble else "")
        return 0
    for line in _lines(learned):
        screen.line(line)
    if (learned.users, learned.events) != (stored.users, stored.events):
        screen.line("Events have come or gone since: hybridrag recommend train")
    return 0


def train(args: argparse.Namespace, screen: Screen) -> int:
    """Learn from the histories."""
    with Assistant.open(args.home) as assistant:
        learned = _learn(assistant, screen, args.model, args.preset, args.seed)
    _show(learned, screen)
    return 0


def forget(args: argparse.Namespace, screen: Screen) -> int:
    """Delete a user's events, and learn again what was learned with them."""
    from tools.store.errors import NoHistoriesError
    from tools.store.runs.history_run import forget_user

    with Assistant.open(args.home) as assistant:
        before = forget_user(assistant.home, args.user)
        screen.line("The user's events are deleted, and what was learned with them.")
        learned = None
        if before is not None:
            try:
                learned = _learn(assistant, screen, before.model, before.preset, before.seed)
            except NoHistoriesError:
                screen.line("No events are left.")
    if learned is not None:
        _show(learned, screen)
    else:
        screen.json({"level": "rules"})
    return 0


def following(args: argparse.Namespace, screen: Screen) -> int:
    """What to ask or read next; where nothing is learned about the past, what rules suggest, and why."""
    from agent.recommending import HomeOrder, items_in, past_of
    from agent.threads.sessions import KEPT_TURNS, Sessions
    from agent.threads.thread_records import understood
    from tools.store.errors import HistoriesDamagedError, UnknownUserError

    with Assistant.open(args.home) as assistant, Sessions(assistant) as sessions, screen.working() as tell:
        tell("looking for what comes next")
        order, rules = HomeOrder(assistant.home), _rules(assistant)
        past: list[tuple[str, float]] = []
        last = next((each for each in sessions.threads() if each.turns), None) if args.user is None else None
        turns = sessions.open(last.name).turns(KEPT_TURNS) if last else []
        words = [order.trouble] if order.trouble else []
        if args.user is not None:
            try:
                past = past_of(assistant.home, args.user)
            except (UnknownUserError, HistoriesDamagedError) as error:
                words.append(str(error))
        elif rules.index is not None:
            past = items_in(understood(turns), rules.index)
        found = [*islice(_named(order.after(past), rules), args.k)]
        level = order.opened()
        by = level.level if level and found else "rules"
        if not found and rules.index is not None:
            questions = assistant.suggest(turns[-1].answer) if turns else assistant.examples()
            found = [(each, "", "") for each in questions[: args.k]]
            words.append("Nothing is learned about what was done so far, so rules suggest.")
        elif not found:
            words.append(str(IndexMissingError(assistant.home)))
    for each in words:
        screen.note(each)
    for number, (question, item, why) in enumerate(found, 1):
        screen.json({"question": question or None, "item": item or None, "why": why, "by": by})
        screen.line(f"{number}. {question or item}{f' ({why})' if why else ''}")
    return 0


def _named(likely: Iterable[tuple[str, str]], rules: RehearsedRules) -> Iterator[tuple[str, str, str]]:
    """(question, item, why) of what can be shown: an item that is no question of this index is shown as it is."""
    from graphs.local.dialogue.topics import is_asked

    for item, why in likely:
        if not is_asked(item):
            yield "", item, why
        elif (asked := rules.asked(item)) is not None:
            yield asked[0], item, why


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
