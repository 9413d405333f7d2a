"""An OpenAI-compatible endpoint on loopback whose replies are a function of what it is asked."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Reply = Callable[[str, str], str]
"""(system message, last message) -> the text of the reply."""


@contextmanager
def scripted_model(reply: Reply) -> Iterator[str]:
    """The base URL of a server that replies so, for the time of a `with`."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            """A chat completion."""
            asked = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))["messages"]
            message = {"role": "assistant", "content": reply(asked[0]["content"], asked[-1]["content"])}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            head = {"id": "1", "object": "chat.completion", "created": 1, "model": "scripted"}
            body = json.dumps({**head, "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
