"""`hybridrag store copy`: a folder's index into a database, and back."""

from __future__ import annotations

import argparse
from pathlib import Path

from agent.display.screen import Screen
from agent.errors import UsageError
from agent.settings import load_settings
from tools.store.postgres.address import StoreAddress, is_address

LISTED = (
    "The address holds a password, which every user of this machine can read in the list of processes. Leave it out, "
    "and set HYBRIDRAG_STORE to the whole address, or PGPASSWORD, or write it into ~/.pgpass."
)
OTHER_DIGEST = (
    "The folder's digest is another one than the store's, {}: another version of hybridrag published it."
)


def copy(args: argparse.Namespace, screen: Screen) -> int:
    """Copy what is indexed from a folder to a database or back. Exit code 1 if the digests differ."""
    if is_address(args.source) == is_address(args.target):
        raise UsageError(
            "One of the two is a folder, the other the address of a database: "
            "hybridrag store copy .hybridrag postgresql://host/database"
        )
    if is_address(args.target):
        if args.prune:
            raise UsageError(
                "--prune goes with copying into a folder; a database always becomes as the folder is."
            )
        return _publish(Path(args.source), _address(args.target), screen)
    return _take_back(_address(args.source), Path(args.target), args.prune, screen)


def _publish(home: Path, address: StoreAddress, screen: Screen) -> int:
    from tools.store.postgres.publishing import publish
    from tools.store.runs.deriving import end_removal

    with screen.working() as tell:
        if end_removal(home):
            screen.note("A removal that was cut off is done.")
        done = publish(home, address, tell)
    told = {"generation": done.generation, "digest": done.digest, "changed": done.changed}
    screen.json({**told, "files": done.files, "chunks": done.chunks, "ended": done.ended})
    if done.changed:
        screen.line(
            f"{done.chunks:,} new chunks, {done.ended:,} gone; {address} now has generation {done.generation}."
        )
    else:
        screen.line(f"{address} holds all of it already, as generation {done.generation}.")
    screen.line(f"digest {done.digest}")
    return 0


def _take_back(address: StoreAddress, home: Path, prune: bool, screen: Screen) -> int:
    from tools.store.postgres.taking_back import take_back

    with screen.working() as tell:
        done = take_back(address, home, prune=prune, on_step=tell)
    screen.json({"digest": done.digest, "published": done.published, "records": done.records})
    screen.line(f"{done.records:,} documents were written to '{home}'.")
    screen.line(f"digest {done.digest}")
    if done.digest != done.published:
        screen.note(OTHER_DIGEST.format(done.published))
        return 1
    return 0


def _address(text: str) -> StoreAddress:
    """The address given; that of the settings, password and all, where it is the same database and the one given has
    no options of its own, as sslmode."""
    given = StoreAddress.of(text)
    if given.has_password:
        raise UsageError(LISTED)
    if given.has_options:
        return given
    known = load_settings().store_address
    return known if known is not None and known.shown == given.shown else given
