"""The arguments of `hybridrag graph`, `ontology`, `recommend`, `store`, `worker`; light, so that --help is instant."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

ENTITY_TYPES = ("company", "person", "product", "location", "event", "regulation")
"""`tools.knowledge.graph.decisions.KINDS`, which --help does not load."""
MAX_SEED = 2**32 - 1
MODELS = ("auto", "transitions", "sasrec", "tgcl4sr")


def add_graph(
    commands: Any,
    home: argparse.ArgumentParser,
    as_json: argparse.ArgumentParser,
    filters: argparse.ArgumentParser,
) -> None:
    """`hybridrag graph`, to the subparsers of the command line."""
    graph = commands.add_parser("graph", help="look at the knowledge graph")
    views = graph.add_subparsers(dest="view", required=True, metavar="VIEW")
    stats = views.add_parser("stats", parents=[home, as_json], help="count nodes, triplets and relations")
    stats.set_defaults(run="graph_stats")
    show = views.add_parser("show", parents=[home, filters, as_json], help="an entity and its facts")
    show.add_argument("entity")
    show.add_argument("--limit", type=positive, default=40, help="facts shown (default: 40)")
    show.set_defaults(run="graph_show")
    force = argparse.ArgumentParser(add_help=False)
    force.add_argument("--force", action="store_true", help="overwrite a file that is there")
    view = views.add_parser(
        "view",
        parents=[home, filters, force, as_json],
        help="draw it on a page of its own",
        description="Writes one page that draws what is around an entity, or all relations of the graph without its "
        "figures: to search, to filter, to click for the sentence, document and page. It asks no host for anything.",
    )
    view.add_argument("entity", nargs="?", metavar="ENTITY", help="the name (default: the whole graph)")
    view.add_argument("--depth", type=positive, metavar="N", help="steps from the entity (default: 1)")
    view.add_argument(
        "--out", type=Path, metavar="FILE.html", help="default: the entity's name, or graph.html"
    )
    view.set_defaults(run="graph_view")
    export = views.add_parser(
        "export", parents=[home, force, as_json], help="write the graph for other programs"
    )
    export.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help=".graphml, .jsonld, .csv (two files, NAME-nodes.csv and NAME-edges.csv), .zip of the two, or a folder",
    )
    export.set_defaults(run="graph_export")

    merges = views.add_parser(
        "merges", parents=[home, as_json], help="names taken for one entity, why, and where they stand"
    )
    merges.add_argument("--company", help="only names of this company's documents (name or ticker)")
    merges.set_defaults(run="graph_merges")
    for name, told in (("merge", "are one entity"), ("split", "are not one entity")):
        decide = views.add_parser(
            name,
            parents=[home, as_json],
            help=f"decide that two names {told}",
            description=f"Decides that two names {told}; 'NAME [COMPANY]' is the name in that company's documents. The "
            "decision is a line of identities.txt in the home, goes before all evidence and holds for later runs.",
        )
        decide.add_argument("one", metavar="NAME")
        decide.add_argument("other", metavar="OTHER")
        decide.add_argument(
            "--type", choices=ENTITY_TYPES, help="of the two, where they are names of several types"
        )
        decide.set_defaults(run=f"graph_{name}")
    conflicts = views.add_parser(
        "conflicts",
        parents=[home, filters, as_json],
        help="figures on which documents disagree, the newest named",
    )
    conflicts.set_defaults(run="graph_conflicts")


def add_store(commands: Any, as_json: argparse.ArgumentParser) -> None:
    """`hybridrag store`, likewise."""
    store = commands.add_parser(
        "store",
        help="copy what is indexed into a PostgreSQL database, and back",
        description="A database that many ask at once (HYBRIDRAG_STORE), filled from a folder: see docs/store.md.",
    )
    actions = store.add_subparsers(dest="action", required=True, metavar="ACTION")
    copy = actions.add_parser(
        "copy",
        parents=[as_json],
        help="make TO hold what FROM holds",
        description="One of FROM and TO is a folder, the other postgresql://user@host/database. What TO holds already "
        "is not written again, and what FROM lacks goes, in a folder only with --prune. A password is taken from "
        "HYBRIDRAG_STORE, PGPASSWORD or ~/.pgpass.",
    )
    copy.add_argument("source", metavar="FROM")
    copy.add_argument("target", metavar="TO")
    copy.add_argument(
        "--prune",
        action="store_true",
        help="take out what only the folder TO has: documents, decisions, ontologies",
    )
    copy.set_defaults(run="store_copy")


def add_worker(commands: Any, as_json: argparse.ArgumentParser) -> None:
    """`hybridrag worker`, likewise."""
    worker = commands.add_parser(
        "worker",
        parents=[as_json],
        help="read what others submit to a PostgreSQL database",
        description="Takes documents that `hybridrag index` has submitted to the database (HYBRIDRAG_STORE), one after "
        "another, until Ctrl-C or SIGTERM; and publishes what was read. Any number of workers on any machines work "
        "side by side: see docs/store.md. `hybridrag worker status` says what waits, runs and has failed.",
    )
    worker.add_argument("action", nargs="?", choices=("run", "status"), default="run", metavar="status")
    worker.add_argument(
        "--home",
        type=Path,
        metavar="FOLDER",
        help="the worker's own folder, a copy of what it has needed (default: one below .hybridrag/workers)",
    )
    worker.add_argument("--once", action="store_true", help="end when nothing waits any more")
    worker.set_defaults(run="worker")


def add_ontology(commands: Any, home: argparse.ArgumentParser, as_json: argparse.ArgumentParser) -> None:
    """`hybridrag ontology`, likewise."""
    ontology = commands.add_parser(
        "ontology",
        help="concepts that lead a question to passages in other words",
        description="Ontologies (OWL, RDF, SKOS) whose concepts documents are annotated with. A question that names a "
        "concept is led to passages that speak of it or of its neighbours; without an ontology nothing changes.",
    )
    actions = ontology.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser(
        "add", parents=[home, as_json], help="read a file or folder and annotate the documents with it"
    )
    add.add_argument(
        "path", type=Path, metavar="PATH", help=".rdf, .owl, .ttl, .nt, .jsonld, ... or a folder"
    )
    add.set_defaults(run="ontology_add")
    listed = actions.add_parser(
        "list", parents=[home, as_json], help="the ontologies, and what was left out of them"
    )
    listed.set_defaults(run="ontology_list")
    show = actions.add_parser(
        "show", parents=[home, as_json], help="a concept, its relations, and the documents that name it"
    )
    show.add_argument("concept", metavar="CONCEPT", help="label, synonym or IRI")
    show.set_defaults(run="ontology_show")
    remove = actions.add_parser("remove", parents=[home, as_json], help="take an ontology out again")
    remove.add_argument("ontology", metavar="NAME", help="name or digest, as `list` shows them")
    remove.set_defaults(run="ontology_remove")
    coverage = actions.add_parser(
        "coverage", parents=[home, as_json], help="frequent terms of the documents that no concept names"
    )
    coverage.add_argument("--limit", type=positive, default=40, help="terms shown (default: 40)")
    coverage.set_defaults(run="ontology_coverage")


def add_recommend(commands: Any, home: argparse.ArgumentParser, as_json: argparse.ArgumentParser) -> None:
    """`hybridrag recommend`, likewise."""
    recommend = commands.add_parser(
        "recommend",
        help="what to ask or read next, learned from imported histories",
        description="Histories of a desk's members, imported on purpose, order what is suggested next. Nothing is "
        "recorded by itself; of users a salted hash is kept, of questions their topic alone.",
    )
    actions = recommend.add_subparsers(dest="action", required=True, metavar="ACTION")
    add = actions.add_parser("import", parents=[home, as_json], help="read a file of who did what when")
    add.add_argument(
        "file", type=Path, metavar="FILE", help=".jsonl (user, time, item or question), .csv or .inter"
    )
    add.set_defaults(run="recommend_import")
    status = actions.add_parser("status", parents=[home, as_json], help="what is in use, and why")
    status.set_defaults(run="recommend_status")
    train = actions.add_parser(
        "train",
        parents=[home, as_json],
        help="learn what comes next",
        description="Learns from the imported histories and keeps the best of rules, transitions and tgcl4sr that has "
        "earned its place on the last events of the users. Cut off, it goes on where it was.",
    )
    train.add_argument("--model", choices=MODELS, default="auto", help="default: auto")
    train.add_argument("--preset", choices=("quick", "paper"), default="quick", help="default: quick")
    train.add_argument("--seed", type=seed, default=0, metavar="N", help="of all that is drawn (default: 0)")
    train.set_defaults(run="recommend_train")
    following = actions.add_parser(
        "next", parents=[home, as_json], help="what to ask or read next, after the last conversation"
    )
    following.add_argument("--user", metavar="USER", help="after this user's imported history")
    following.add_argument("-k", type=positive, default=5, metavar="N", help="how many (default: 5)")
    following.set_defaults(run="recommend_next")
    forget = actions.add_parser(
        "forget", parents=[home, as_json], help="delete a user's events, and learn again without them"
    )
    forget.add_argument("user", metavar="USER")
    forget.set_defaults(run="recommend_forget")


def positive(text: str) -> int:
    """A whole number above 0, with or without separators. ArgumentTypeError."""
    digits = text.replace(",", "").replace("_", "")
    if not digits.isdecimal() or int(digits) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a positive whole number")
    return int(digits)


def seed(text: str) -> int:
    """What every generator of numbers takes. ArgumentTypeError."""
    if not text.isdecimal() or int(text) > MAX_SEED:
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from 0 to {MAX_SEED:,}")
    return int(text)
