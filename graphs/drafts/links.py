"""Texts without links: what a reader's program could open or load is taken out, its words stay.

What is a link, an image or HTML in Markdown, markdown-it-py finds; what is left is torn or bare, and known by what no
sentence has: two slashes in front of a host, a bracket that opens right behind another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, html_inline, image, link

MAX_PASSES = 4
"""Times that a text is read: what was taken out may have kept the two halves of a link apart."""
_WIDE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width forms: a browser takes them for the plain ones."""
_ADDRESS = re.compile(
    r"<?(?:\b[a-z][a-z0-9+.-]*:)?[/\\]{2,}(?=[^\s/\\])[^\s<>|\])]*>?"
    r"|<?\b(?:(?:https?|ftp|file|data|javascript|vbscript|mailto|tel):(?=\S)|www\.)[^\s<>|\])]+>?",
    re.IGNORECASE,
)
_TORN = re.compile(r"\]\([^\s()|]*\)?|!(?=\[)")
"""What is left of a link that lacks an end."""
_COMMANDS = re.compile(r"\\(?:href|url|includegraphics)\s*(?:\[[^\]\n]*\])?\s*\{[^{}\n]*\}")
"""LaTeX that opens or draws something."""
_TAG = re.compile(r"</?[A-Za-z|!?][^<>\n]*>|</?[A-Za-z][\w-]*$")
"""HTML, and what only looks like it."""


def unlinked(text: str) -> str:
    """`text` without links, images and HTML, their words kept: nothing that a reader's program could open."""
    text = re.sub(r"<br\s*/?>", " ", text.translate(_WIDE), flags=re.IGNORECASE)
    for _ in range(MAX_PASSES):
        before = text
        text = _without_spans(_without_definitions(text))
        text = _TORN.sub(_mended, _ADDRESS.sub("", _COMMANDS.sub(" ", _TAG.sub("", text))))
        if text == before:
            break
    return text


def _mended(torn: re.Match[str]) -> str:
    return "]" if torn.group().startswith("]") else ""


def _without_definitions(text: str) -> str:
    """Without lines that say where a link goes ('[1]: //host'): Markdown shows none of them."""
    if "]:" not in text:
        return text
    env: dict[str, Any] = {}
    _PARSER.parse(text, env)
    lines = text.split("\n")
    defined = [*env.get("references", {}).values(), *env.get("duplicate_refs", ())]
    for start, end in (each["map"] for each in defined):
        lines[start:end] = [""] * (end - start)
    return "\n".join(lines)


def _without_spans(text: str) -> str:
    env: dict[str, Any] = {}
    if "[" in text or "<" in text:
        _PARSER.parseInline(text, env)
    for start, end, words in sorted(env.get("spans", ()), reverse=True):
        if text[start:end] != words:
            text = text[:start] + words + text[end:]
    return text


def _noting(rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    """A rule of the parser that also writes down what it found where, and the words that stay of it."""

    def noted(state: StateInline, silent: bool) -> bool:
        start = state.pos
        found = rule(state, silent)
        if found and not silent and state.env is not None and state.level == 0:
            words = ""
            if rule is link:
                words = state.src[start + 1 : state.md.helpers.parseLinkLabel(state, start)]
                words = f"[{words}]" if re.fullmatch(r"\s*\^?\d{1,3}\s*", words) else words
            state.env.setdefault("spans", []).append((start, state.pos, words))
        return found

    return noted


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    for name, rule in (
        ("link", link),
        ("image", image),
        ("autolink", autolink),
        ("html_inline", html_inline),
    ):
        parser.inline.ruler.at(name, _noting(rule))
    return parser


_PARSER = _parser()
