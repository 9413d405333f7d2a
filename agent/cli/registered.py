"""What the installed package says of itself: its version, and the commands of the rooms above this one, which come by
its entry points so that no import points up."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any, NoReturn

PACKAGE = "hybridrag"
GROUP = "hybridrag.commands"


def add_registered(commands: Any, home: argparse.ArgumentParser, as_json: argparse.ArgumentParser) -> None:
    """Let each entry point of `GROUP` add its commands to `commands`; `home` and `as_json` are parents to share.

    A registered command sets `run` to a function of the arguments and the screen that returns an exit code. Only this
    package is asked: looking through all that are installed takes as long again as the rest of --help.
    """
    try:
        own = distribution(PACKAGE).entry_points
    except PackageNotFoundError:  # a source tree that was never installed
        return
    for entry in own.select(group=GROUP):
        entry.load()(commands, home, as_json)


class ShowVersion(argparse.Action):
    """`--version`: the installed package's, looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        try:
            told = f"{PACKAGE} {distribution(PACKAGE).version}"
        except PackageNotFoundError:
            told = f"{PACKAGE}, a source tree that was never installed"
        sys.stdout.write(f"{told}\n")
        parser.exit()
