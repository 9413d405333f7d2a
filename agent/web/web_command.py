"""`hybridrag web`: the application on loopback, until Ctrl-C."""

from __future__ import annotations

import argparse
import secrets
import socket
from typing import TYPE_CHECKING

import uvicorn

from agent.assistant import Assistant
from agent.errors import UsageError
from agent.web.access import secret_of
from agent.web.app import Page

if TYPE_CHECKING:
    from agent.display.screen import Screen

HOST = "127.0.0.1"
LEAVING_SECONDS = 2
"""How long open streams may go on once the server is told to end."""


def serve(args: argparse.Namespace, screen: Screen) -> int:
    """Print the address, then serve. Raises UsageError for a port that is taken and for reports in no folder,
    HomeWriteError."""
    with Assistant.open(args.home) as assistant, _listening(args.port) as listening:
        port = listening.getsockname()[1]
        token = "" if args.no_token else secrets.token_urlsafe(24)
        secret = "" if args.no_token else secret_of(assistant.home)
        page = Page(assistant, token, f"hybridrag-{port}", secret, args.reports)
        address = f"http://{HOST}:{port}/" + (f"?token={token}" if token else "")
        screen.line(f"Open {address}")
        screen.note("Ctrl-C ends it.")
        config = uvicorn.Config(
            page.app(),
            log_level="warning",
            access_log=False,  # the first address holds the token
            server_header=False,
            ws="none",
            lifespan="on",
            timeout_graceful_shutdown=LEAVING_SECONDS,
        )
        uvicorn.Server(config).run(sockets=[listening])
    return 0


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
