"""Do to the assistant what its tests and reviews found that somebody could do, and say what held.

Run as `python -m evals.attacks [--part PART ...] [--show]`; exit code 1 where anything broke.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from evals.attacks.attack import Attack

PARTS = ("statements", "server", "endpoint", "judge", "damage", "home")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the attacks of the parts and print a table."""
    parser = argparse.ArgumentParser(prog="python -m evals.attacks", description=__doc__)
    parser.add_argument("--part", nargs="+", choices=PARTS, help="default: all that can run")
    parser.add_argument("--show", action="store_true", help="say what broke")
    args = parser.parse_args(argv)
    judges = find_spec("ragas") is not None
    if "judge" in (args.part or ()) and not judges:
        parser.error("the part judge needs ragas: the extra `judge`, which has an environment of its own")
    if not (args.part or judges):
        print("left out: judge, whose extra has an environment of its own", file=sys.stderr)
    print("| part | attack | tried | held | seconds |")
    print("|---|---|---|---|---|")
    tried = held = 0
    for part in args.part or [part for part in PARTS if judges or part != "judge"]:
        attacks: Sequence[Attack] = import_module(f"evals.attacks.{part}").ATTACKS
        for attack in attacks:
            started = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="attack-") as folder:
                broke = attack.run(Path(folder))
            own = max(attack.count - len(broke), 0)
            tried, held = tried + attack.count, held + own
            seconds = time.monotonic() - started
            print(f"| {part} | {attack.name} | {attack.count} | {own} | {seconds:.0f} |", flush=True)
            for each in broke if args.show else ():
                print(f"  {each}", file=sys.stderr)
    print(f"| all | | {tried} | {held} | |")
    return 0 if tried == held else 1


if __name__ == "__main__":
    sys.exit(main())
