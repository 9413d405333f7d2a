"""`hybridrag web`: the application on loopback, until Ctrl-C."""

from __future__ import annotations

import argparse
import socket
from typing import TYPE_CHECKING

import uvicorn

from agent.assistant import Assistant
from agent.errors import UsageError
from agent.web.app import Page
from agent.web.doors import Door, door_of

if TYPE_CHECKING:
    from agent.display.screen import Screen

HOST = "127.0.0.1"
LEAVING_SECONDS = 2
"""How long open streams may go on once the server is told to end."""


def serve(args: argparse.Namespace, screen: Screen) -> int:
    """Print the address, then serve. Raises UsageError for a port that is taken, for reports in no folder and for
    --no-token beside --origin, and what `door_of` raises."""
    if args.no_token and args.origin:
        raise UsageError("--no-token lets in whoever reaches the page: not together with --origin.")
    with Assistant.open(args.home) as assistant, _listening(args.port) as listening:
        port = listening.getsockname()[1]
        name = f"hybridrag-{port}"
        door = Door("", name, "") if args.no_token else door_of(assistant.settings, name)
        page = Page(assistant, door.token, door.cookie, door.secret, args.reports, args.origin or "")
        address = f"{args.origin or f'http://{HOST}:{port}'}/"
        screen.line(f"Open {address}{f'?token={door.token}' if door.token else ''}")
        screen.note("Ctrl-C ends it.")
        uvicorn.Server(server_config(page)).run(sockets=[listening])
    return 0


def server_config(page: Page, leaving_seconds: int = LEAVING_SECONDS) -> uvicorn.Config:
    """How a page is served, by whatever socket."""
    return uvicorn.Config(
        page.app(),
        log_level="warning",
        access_log=False,  # the first address holds the token
        proxy_headers=False,  # who calls is judged by the connection, not by what the caller says of itself
        server_header=False,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=leaving_seconds,
    )


def _listening(port: int) -> socket.socket:
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()  # a browser that is as quick as the address waits instead of being refused
    except OSError as error:
        listening.close()
        raise UsageError(
            f"Port {port} can't be used: {error.strerror}. Take another: --port N, or --port 0."
        ) from error
    return listening
