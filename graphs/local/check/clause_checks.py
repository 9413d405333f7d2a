"""What a text does, by its grammar: whether it states anything, and whether it tells its reader what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from graphs.drafts.claims import QUOTE
from tools.knowledge.extract.sentence_parses import parse

if TYPE_CHECKING:
    from spacy.tokens import Token

_FINITE = frozenset({"VBZ", "VBP", "VBD", "MD"})
_ASKING = frozenset({"WP", "WP$", "WRB", "WDT"})
_READER = frozenset({"you", "your", "yours", "yourself"})
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_CLAUSES = frozenset({"conj", "ccomp", "advcl", "relcl", "parataxis"})


def states_something(text: str) -> bool:
    """Has a text, unless it asks ('Why revenue rose'), a finite verb, or tells it somebody to do something?"""
    doc = parse(text)
    asks = doc[:1].text and doc[0].tag_ in _ASKING
    return is_instruction(text) or (not asks and any(token.tag_ in _FINITE for token in doc))


def is_instruction(text: str) -> bool:
    """Does a text, but for what it quotes, speak to its reader: in the second person, or by an imperative?"""
    doc = parse(QUOTE.sub(" ", text).strip())
    return any(token.lower_ in _READER or (token.dep_ == "ROOT" and _is_imperative(token)) for token in doc)


def _is_imperative(verb: Token) -> bool:
    """A bare infinitive with neither subject nor auxiliary, that does something or stands almost alone."""
    if verb.tag_ != "VB" or any(
        child.dep_ in _SUBJECTS or child.tag_ in ("MD", "TO") for child in verb.children
    ):
        return False
    words = [token for token in verb.doc if token.is_alpha]
    return len(words) <= 2 or any(child.dep_ in ("dobj", "intj", "ccomp", "xcomp") for child in verb.children)


def clauses(text: str) -> Sequence[str]:
    """A sentence cut into its clauses, each with a verb of its own."""
    doc = parse(text)
    own: dict[int, list[str]] = {}
    for token in doc:
        verb = token
        while verb.head != verb and not (verb.dep_ in _CLAUSES and verb.tag_.startswith("VB")):
            verb = verb.head
        own.setdefault(verb.i, []).append(token.text)
    return [" ".join(words) for words in own.values()]
