"""A process of a few lines, for tests of those that start, feed and end processes."""

from __future__ import annotations

import json
import os
import sys


def main() -> None:
    """Answer each line: say where it is, if that is asked, and repeat it; or end as it says."""
    for line in sys.stdin:
        message = json.loads(line)
        if "kill" in message:
            os.kill(os.getpid(), message["kill"])
        if "raise" in message:
            raise RuntimeError(message["raise"])
        if "leave" in message:
            sys.exit(message["leave"])
        if "half" in message:
            print("half a li", end="", flush=True)
            continue
        for at in message.get("where", ()):
            print(json.dumps({"at": at}), flush=True)
        print(json.dumps(message), flush=True)


if __name__ == "__main__":
    main()
