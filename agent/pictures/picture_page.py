"""A picture of the knowledge graph as one page: it holds its script and its data, and asks no host.

Its policy admits that script and that style alone, by hash. Text of documents is data: JSON in a block that no browser
runs, and put on the page as text.
"""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path

import orjson

from agent.pictures.picture import MAX_FACTS, Picture

STATIC = Path(__file__).parent / "static"
_MARKUP = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
"""What could end the block of data, or a line of it, as JSON has it escaped."""


def page(made: Picture) -> bytes:
    """The whole page, UTF-8."""
    script = "".join((STATIC / name).read_text("utf-8") for name in ("drawing.js", "picture.js"))
    style = (STATIC / "picture.css").read_text("utf-8")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'"
    )
    data = orjson.dumps({**vars(made), "told": told(made)}).decode().translate(_MARKUP)
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">',
        f"<title>{escape(made.title)}</title><style>{style}</style></head>",
        (STATIC / "picture.html").read_text("utf-8"),
        f'<script type="application/json" id="data">{data}</script>',
        f'<script type="module">{script}</script></body></html>\n',
    ]
    return "".join(parts).encode()


def told(made: Picture) -> list[str]:
    """What is drawn and what is left out, a line each."""
    things = len(made.nodes) - sum(node["type"] == "concept" for node in made.nodes)
    lines = [f"{len(made.facts):,} facts about {things:,} things"]
    if made.hidden:
        lines.append(
            f"{made.hidden:,} more facts are left out, beyond {MAX_FACTS:,}: filters show those of a part"
        )
    if made.figures:
        lines.append(f"{made.figures:,} figures are left out: name a line item to see its own")
    if made.concepts:
        lines.append(f"{made.concepts:,} concepts named beside them")
    return lines


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
