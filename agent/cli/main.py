"""The hybridrag command: its arguments, its exit codes, and what a failure prints."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from agent.cli.ending import ended_by_signals, exit_code
from agent.cli.graph_arguments import add_graph, add_ontology, add_recommend, add_store, add_worker, positive
from agent.cli.quarters import quarter_argument, year_argument
from agent.cli.registered import ShowVersion, add_registered
from agent.display.printable import printable
from agent.display.screen import Screen

HISTORIES = ("recommend_import", "recommend_train", "recommend_forget")
WRITERS = (
    "index",
    "remove",
    "fetch",
    "graph_merge",
    "graph_split",
    "ontology_add",
    "ontology_remove",
    "store_copy",
    "worker",
    *HISTORIES,
)
"""Commands that write a home."""
PIPELINES = ("agent", "vector", "graph", "hybrid", "ontology")


SHELLS = ("bash", "fish", "powershell", "tcsh", "zsh")
"""`shtab.SUPPORTED_SHELLS`, likewise."""
DOC_TYPES = ("10-Q", "10-K", "8-K", "release", "annual", "call", "other")
"""`tools.documents.types.DocType`, which --help does not load."""


def parser() -> argparse.ArgumentParser:
    """The command line of DESIGN 11; light, so that --help is instant."""
    main_parser = argparse.ArgumentParser(
        prog="hybridrag",
        description="Answers questions about financial filings and earnings calls; every answer is checked "
        "against its evidence and cited to document and page.",
    )
    main_parser.add_argument("--version", action=ShowVersion, nargs=0, help="show the version and exit")
    commands = main_parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    home = argparse.ArgumentParser(add_help=False)
    home.add_argument("--home", type=Path, help="folder of the index (default: .hybridrag)")
    as_json = argparse.ArgumentParser(add_help=False)
    as_json.add_argument("--json", action="store_true", help="one JSON object a line, nothing else on stdout")
    filters = argparse.ArgumentParser(add_help=False)
    filters.add_argument("--company", help="only this company (name or ticker)")
    filters.add_argument("--year", type=year_argument, help="only this fiscal or calendar year")
    filters.add_argument(
        "--quarter", type=quarter_argument, metavar="{1,2,3,4}", help="only this quarter; Q2 is 2"
    )
    filters.add_argument(
        "--type", dest="doc_type", metavar="TYPE", help=f"only documents of this type: {', '.join(DOC_TYPES)}"
    )
    filters.add_argument("--document", metavar="NAME", help="only this document (file name, path or id)")

    index = commands.add_parser("index", parents=[home, as_json], help="read files into the index")
    index.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="PDF, .txt, .md or a folder")
    index.add_argument(
        "--extractor",
        choices=("local", "model"),
        help="who reads relations from prose (default: the engine's)",
    )
    index.add_argument(
        "--dry-run",
        action="store_true",
        help="say how many model calls and tokens a run would take; change nothing",
    )
    index.add_argument(
        "--prune",
        action="store_true",
        help="take out documents whose files are no longer in the folders given (default: name them)",
    )
    index.add_argument(
        "--no-wait",
        action="store_true",
        help="only submit the files to the workers of the database (HYBRIDRAG_STORE)",
    )
    index.add_argument(
        "--max-tokens",
        type=positive,
        metavar="N",
        help="stop before model calls take more tokens than this; what is finished is kept, run again to go on",
    )
    flags = index.add_argument_group(
        "metadata, trusted more than what the documents say; they hold for later runs, too"
    )
    flags.add_argument("--company", help="company name")
    flags.add_argument("--ticker")
    flags.add_argument("--type", dest="doc_type", choices=DOC_TYPES)
    flags.add_argument("--year", type=year_argument, help="fiscal year")
    flags.add_argument(
        "--quarter", type=quarter_argument, metavar="{1,2,3,4}", help="fiscal quarter; Q2 is 2"
    )
    flags.add_argument("--period-end", metavar="YYYY-MM-DD")
    flags.add_argument(
        "--forget-flags", action="store_true", help="drop what earlier runs were told about these files"
    )
    index.set_defaults(run="index")

    fetch = commands.add_parser(
        "fetch",
        parents=[home, as_json],
        help="fetch a company's filings from EDGAR and index them",
        description="Asks EDGAR (sec.gov) for the newest filings of a company, keeps them in a folder with their "
        "addresses and accession numbers, and indexes the folder. EDGAR_IDENTITY says who asks: a name and an e-mail "
        "address. What is there already is not fetched again.",
    )
    fetch.add_argument("companies", nargs="+", metavar="COMPANY", help="ticker, or number at EDGAR (CIK)")
    fetch.add_argument(
        "--form",
        action="append",
        metavar="FORM",
        help="10-Q, say; may be given again (default: 10-K and 10-Q)",
    )
    fetch.add_argument(
        "--last", type=positive, default=4, metavar="N", help="the N newest of each form (default: 4)"
    )
    fetch.add_argument(
        "--out", type=Path, default=Path("filings"), metavar="DIR", help="folder for them (default: filings)"
    )
    fetch.add_argument("--no-index", action="store_true", help="fetch only")
    fetch.set_defaults(run="fetch")

    documents = commands.add_parser("documents", parents=[home, as_json], help="list what is indexed")
    documents.add_argument(
        "--details",
        action="store_true",
        help="what was found in each, what was left out and why, and its flags",
    )
    documents.set_defaults(run="documents")

    remove = commands.add_parser("remove", parents=[home, as_json], help="take a document out again")
    remove.add_argument("document", help="id (or its beginning), file name, path, or company")
    remove.add_argument("--yes", action="store_true", help="do not ask before several documents go")
    remove.set_defaults(run="remove")

    ask = commands.add_parser("ask", parents=[home, filters, as_json], help="ask a question")
    ask.add_argument("question", nargs="?", help="the question; '-' reads it from standard input")
    ask.add_argument("--batch", type=Path, metavar="FILE.jsonl", help="one question object a line")
    ask.add_argument("--pipeline", choices=PIPELINES, default="agent")
    ask.add_argument("--json-schema", action="store_true", help="show the schema of what --json prints")
    ask.set_defaults(run="ask")

    chat = commands.add_parser(
        "chat",
        parents=[home, filters],
        help="talk: questions, follow-ups, slash commands",
        description="Questions and follow-ups on a thread that can be left and resumed. /help lists the commands. "
        "Without a terminal every line of standard input is a question, a reply or a command.",
    )
    chat.add_argument("--thread", metavar="NAME", help="resume this thread, or begin it (default: a new one)")
    chat.add_argument("--pipeline", choices=PIPELINES, default="agent")
    chat.add_argument("--no-suggest", action="store_true", help="suggest no next questions")
    chat.set_defaults(run="chat")

    web = commands.add_parser(
        "web",
        parents=[home],
        help="the page for a browser, on this machine alone",
        description="Serves the page on loopback, over the same home and the same threads as chat, until Ctrl-C. The "
        "address that is printed lets a browser in.",
    )
    web.add_argument("--port", type=_port, default=8765, help="0 takes a free one (default: 8765)")
    web.add_argument(
        "--no-token", action="store_true", help="let in every browser and program of this machine, all users"
    )
    web.add_argument(
        "--reports", type=Path, metavar="FOLDER", help="show the reports of the eval runs that stand there"
    )
    web.add_argument(
        "--origin",
        type=_origin,
        metavar="URL",
        help="where a balancer on this machine shows the page, as https://host",
    )
    web.set_defaults(run="web")

    threads = commands.add_parser(
        "threads", parents=[home, as_json], help="list, rename, delete or export chat threads"
    )
    threads.set_defaults(run="threads", action="list")
    actions = threads.add_subparsers(dest="action", metavar="ACTION")
    of_home = argparse.ArgumentParser(add_help=False)
    of_home.add_argument("--home", type=Path, default=argparse.SUPPRESS, help="folder of the index")
    listed = actions.add_parser("list", parents=[of_home], help="names, turns and last use, the newest first")
    listed.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="one object a line")
    rename = actions.add_parser("rename", parents=[of_home], help="give a thread another name")
    rename.add_argument("thread", metavar="NAME")
    rename.add_argument("name", metavar="NEW_NAME")
    delete = actions.add_parser("delete", parents=[of_home], help="delete a thread for good")
    delete.add_argument("thread", metavar="NAME")
    write = actions.add_parser(
        "export",
        parents=[of_home],
        help="write a thread to a new file, or with --events what was asked when",
        usage="%(prog)s [-h] [--home HOME] NAME FILE | --events [--items] [--user USER] FILE",
    )
    write.add_argument("thread", metavar="NAME", nargs="?")
    write.add_argument(
        "file", type=Path, metavar="FILE", help=".md to read, .json to work with; with --events .jsonl"
    )
    write.add_argument(
        "--events",
        action="store_true",
        help="the questions of all threads, for a desk that collects them: recommend import FILE",
    )
    write.add_argument("--items", action="store_true", help="their topics instead; what has none is left out")
    write.add_argument("--user", help="who asked them (default: your name on this machine)")

    add_graph(commands, home, as_json, filters)
    add_ontology(commands, home, as_json)
    add_recommend(commands, home, as_json)
    add_store(commands, as_json)
    add_worker(commands, as_json)
    add_registered(commands, home, as_json)

    doctor = commands.add_parser("doctor", parents=[home, as_json], help="check installation and index")
    doctor.add_argument("--mend", action="store_true", help="close what others may read in the home")
    doctor.set_defaults(run="doctor")

    completion = commands.add_parser("completion", help="show a script that completes commands in a shell")
    completion.add_argument("shell", choices=SHELLS)
    completion.set_defaults(run="completion", whole=main_parser)
    return main_parser


def _port(text: str) -> int:
    if not (text.isdecimal() and text.isascii() and len(text) <= 5 and int(text) < 65_536):
        raise argparse.ArgumentTypeError(f"'{text}' is not a port: 0 to 65535")
    return int(text)


def _origin(text: str) -> str:
    given, _, host = text.rstrip("/").partition("://")
    if given not in ("http", "https") or not host or set(host) & set("/?#@ "):
        raise argparse.ArgumentTypeError(
            f"'{text}' is not where a page is shown: https://host or https://host:port"
        )
    return f"{given}://{host.lower()}"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Exit code: 0, 1 (our failure), 2 (the user's mistake), 130 (interrupted; 143 and 129: by SIGTERM
    and SIGHUP, where documents are written)."""
    args = parser().parse_args(argv)
    screen = Screen(as_json=getattr(args, "json", False))
    try:
        with ended_by_signals() if args.run in WRITERS else nullcontext():
            return _run(args, screen)
    except KeyboardInterrupt as error:
        with suppress(OSError):  # the terminal may be what has gone
            screen.note("Interrupted. What was finished is kept; run the command again to go on.")
        return exit_code(error)


def _run(args: argparse.Namespace, screen: Screen) -> int:
    from agent.cli import commands
    from agent.errors import OUR_FAILURES, USER_MISTAKES

    try:
        run = args.run if callable(args.run) else commands.COMMANDS[args.run]
        return int(run(args, screen))
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except USER_MISTAKES as error:
        _report(screen, error)
        return 2
    except OUR_FAILURES as error:
        _report(screen, error)
        return 1


def _report(screen: Screen, error: BaseException) -> None:
    screen.json({"error": printable(str(error)), "type": type(error).__name__})
    screen.note(f"hybridrag: {error}")


if __name__ == "__main__":
    sys.exit(main())
