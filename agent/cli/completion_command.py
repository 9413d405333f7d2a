"""`hybridrag completion`: a script that lets a shell complete commands, options, choices and file names."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import shtab

from agent.display.screen import Screen


def completion(args: argparse.Namespace, screen: Screen) -> int:
    """The script for `args.shell`, from the arguments of `args.whole`."""
    for argument in _arguments(args.whole):
        if argument.type is Path:
            argument.complete = shtab.FILE  # type: ignore[attr-defined]
    screen.line(shtab.complete(args.whole, args.shell))
    return 0


def _arguments(whole: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands."""
    for argument in whole._actions:
        yield argument
        if isinstance(argument, argparse._SubParsersAction):
            for command in argument.choices.values():
                yield from _arguments(command)
