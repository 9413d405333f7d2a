"""Looking at the knowledge graph, and deciding which names in it are one."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from agent.assistant import Assistant
from agent.display.screen import Screen
from agent.errors import UsageError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from agent.display.entity_report import EntityReport
    from agent.open_indexes import OpenIndex
    from tools.scope import Scope


def stats(args: argparse.Namespace, screen: Screen) -> int:
    """Count the knowledge graph."""
    from agent.display import render

    with Assistant.open(args.home) as assistant:
        counted = assistant.current().graph.stats()
    screen.json(render.stats_record(counted))
    for line in render.stats_lines(counted):
        screen.line(line)
    return 0


def show(args: argparse.Namespace, screen: Screen) -> int:
    """An entity, its roles by date, and what the graph says of it, equal facts once."""
    from agent.display.entity_report import entity_report

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        knowledge = opened.graph
    scope = scope_of(args, opened)
    entities = knowledge.find_entity(args.entity, scope)
    if not entities:
        raise UsageError(f"No entity '{args.entity}' in the knowledge graph (within the filters given).")
    for entity in entities:
        _show(entity_report(knowledge, entity, scope, args.limit), screen)
    return 0


def scope_of(args: argparse.Namespace, opened: OpenIndex) -> Scope:
    """What the filters of a command admit. UsageError and others of the user's mistakes where they admit nothing."""
    from graphs.steps.filters import scope_from_filters

    return scope_from_filters(
        opened.catalog, args.company, args.year, args.quarter, args.doc_type, args.document
    )


def _show(report: EntityReport, screen: Screen) -> None:
    from agent.display.entity_report import entity_lines, entity_record

    def on_terminal() -> RenderableType:
        from agent.display.terminal import entity_view

        return entity_view(report)

    screen.json(entity_record(report))
    screen.show(on_terminal, lambda: "\n".join(entity_lines(report)))


def merges(args: argparse.Namespace, screen: Screen) -> int:
    """List which names were taken for one entity, why, and where they stand; decisions that wait or have no effect
    are noted."""
    from agent.display.graph_report import merge_record, merge_text
    from tools.knowledge.graph.decisions import FILE
    from tools.knowledge.graph.naming import unkept

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        lines, decisions = opened.generation.merges(), assistant.decisions()
        in_use = opened.generation.decided_by(decisions)
        key = _company(args, opened)
    for line in lines:
        if key in ("", line.one.company, line.other.company):
            screen.json(merge_record(line))
            screen.line(merge_text(line))
    if not in_use:
        screen.note(
            f"'{FILE}' has changed since the graph was derived: the next index, remove, merge or split uses it."
        )
    for decision, why in unkept(opened.graph, decisions) if in_use else ():
        screen.note(f"'{decision}' has no effect: {why}.")
    return 0


def _company(args: argparse.Namespace, opened: OpenIndex) -> str:
    """Key of the company asked for; '' for all."""
    from graphs.steps.filters import scope_from_filters

    return "".join(scope_from_filters(opened.catalog, args.company, None, None).companies)


def merge(args: argparse.Namespace, screen: Screen) -> int:
    """Decide that two names are one entity."""
    return _decide(args, screen, same=True)


def split(args: argparse.Namespace, screen: Screen) -> int:
    """Decide that two names are not one entity."""
    return _decide(args, screen, same=False)


def _decide(args: argparse.Namespace, screen: Screen, *, same: bool) -> int:
    from tools.knowledge.graph.naming import NamingError, decision_on, unkept

    with Assistant.open(args.home) as assistant:
        try:
            decision = decision_on(assistant.current().graph, args.one, args.other, args.type, same=same)
        except NamingError as error:
            raise UsageError(str(error)) from error
        assistant.decide(decision)
        without_effect = [why for _, why in unkept(assistant.current().graph, [decision])]
    screen.json({"decided": str(decision)})
    screen.line(f"decided: {decision}")
    for why in without_effect:
        screen.note(f"It has no effect: {why}.")
    return 0


def conflicts(args: argparse.Namespace, screen: Screen) -> int:
    """List figures on which documents disagree, each value with its sources, the newest last."""
    from agent.display.graph_report import conflict_lines, conflict_record
    from tools.knowledge.graph.fusion import conflicts as found_in

    with Assistant.open(args.home) as assistant:
        opened = assistant.current()
        knowledge = opened.graph
    disagreeing = list(found_in(knowledge, scope_of(args, opened)))
    for found in disagreeing:
        screen.json(conflict_record(found))
        for line in conflict_lines(found):
            screen.line(line)
    told = "1 figure" if len(disagreeing) == 1 else f"{len(disagreeing):,} figures"
    screen.line(f"{told} on which documents disagree")
    return 0
