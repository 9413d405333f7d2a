"""Start the LangGraph server: `python -m agent.server.start [options of 'langgraph dev']`.

The server executes pickles that lie in `.langgraph_api/` while it is being imported, before it reads any of this
project's code, and no setting of `langgraph.json` reaches that far. So it is started from here.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

QUIET = {"LANGGRAPH_CLI_NO_ANALYTICS": "1", "LANGGRAPH_STRICT_MSGPACK": "true", "FORWARDED_ALLOW_IPS": ""}
"""Nothing is reported home; checkpoints hold the types of our state alone; who calls is judged by the connection, not
by what the caller says of itself."""
ALWAYS = ("dev", "--no-browser", "--no-reload")
"""A reloading server is another process, which would not come by here."""


def main(arguments: Sequence[str]) -> None:
    """Serve until Ctrl-C. Exit code 2 where the settings or the threads in the home can't be used."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)  # before the libraries below read them
    from langgraph_cli.cli import cli

    from agent.server.pickles import refuse_pickles
    from agent.settings import SettingsError, load_settings
    from agent.threads.server_file import check
    from tools.store.errors import UserStoreError

    refuse_pickles()
    try:
        settings = load_settings()
        check(settings.home)
        if settings.studio_page and settings.threads_address is not None:
            from agent.web.doors import door_of

            door_of(settings)
    except (UserStoreError, SettingsError) as error:  # the server would show its own traceback above it
        sys.stderr.write(f"hybridrag: {error}\n")
        sys.exit(2)
    warnings.filterwarnings("ignore", message="`durability` has no effect")
    cli.main([*ALWAYS, *arguments], prog_name="langgraph")


if __name__ == "__main__":
    main(sys.argv[1:])
