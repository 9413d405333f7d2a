"""Company names as people write them: folded words, legal suffixes, short forms."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.text.ordinary_words import FIRST_NAMES, ORDINARY, PLACES

_WORD = re.compile(r"(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?|[^\W_]+(?:['’][^\W_]+)*(?:&[^\W_]+)*")
_APOSTROPHE = str.maketrans({"’": "'", "‘": "'", "`": "'"})

_LEGAL = """
inc incorporated corp corporation co company companies ltd limited plc llc lp llp sa nv ag se spa gmbh ab
"""
LEGAL_SUFFIXES = frozenset(_LEGAL.split())
"""Words that end a company's legal name and carry no meaning of their own."""
_DESCRIPTIVE = """
bancorp bancorporation bancshares bank bankers banks  brands capital communications energy
enterprises entertainment financial foods golf group holding holdings industrial industries insurance
international laboratories labs materials motors networks partners pharma pharmaceuticals platforms
products properties realty residential resources semiconductor semiconductors services software
solutions stores supply systems technologies technology therapeutics trust com and the of
"""
_DESCRIPTORS = LEGAL_SUFFIXES | frozenset(_DESCRIPTIVE.split())
"""Words after which a distinctive first word still names the company alone: 'Callaway Golf' -> 'Callaway'."""
_NAME_HEADS = {"the"}


@dataclass(frozen=True, slots=True)
class NameToken:
    """A word of a text, folded, and where it stood."""

    word: str
    """Lower case, without possessive and full stops."""
    raw: str
    start: int
    end: int
    """Of the word without its possessive ending."""
    possessive: bool


def name_tokens(text: str) -> list[NameToken]:
    """Words of `text` in order; 'F.N.B.' and 'Amazon's' are one word each, 'Cullen/Frost' is two."""
    tokens: list[NameToken] = []
    for match in _WORD.finditer(text):
        raw = match.group().translate(_APOSTROPHE)
        base, possessive = raw, False
        if raw.lower().endswith("'s") and len(raw) > 2:
            base, possessive = raw[:-2], True
        elif text[match.end() : match.end() + 1] in ("'", "’") and raw.endswith(("s", "S")):
            possessive = True
        word = base.lower().replace(".", "").replace("'", "")
        tokens.append(NameToken(word, base, match.start(), match.start() + len(base), possessive))
    return tokens


def lower_name(name: str) -> str:
    """The words of a name in lower case, accents kept: "Amazon.com, Inc." -> 'amazon com inc'."""
    return " ".join(token.word for token in name_tokens(name))


def without_suffix(words: tuple[str, ...]) -> tuple[str, ...]:
    """`words` without legal suffixes at the end and 'the' in front; never empty."""
    end = len(words)
    while end > 1 and (words[end - 1] in LEGAL_SUFFIXES or words[end - 1] == "and"):
        end -= 1
    start = 1 if end > 1 and words[0] in _NAME_HEADS else 0
    return words[start:end]


def _is_coined(word: str) -> bool:
    return word not in ORDINARY and word not in PLACES and word not in FIRST_NAMES


def name_variants(name: str) -> list[tuple[str, ...]]:
    """Folded forms by which a company called `name` may be meant, the fullest first.

    The legal suffix and a '.com' may be missing, '&' may be 'and' or nothing, and a first word that is
    no ordinary word or place may stand alone before mere descriptors ('Callaway Golf'), before a second such
    word ('Zimmer Biomet') or before an 'and' ('Lithia & Driveway').
    """
    words = tuple(word for token in name_tokens(name) for word in token.word.split("&") if word)
    if not words:
        return []
    bare = without_suffix(words)
    variants = [words, bare]
    for form in (words, bare):
        variants.append(tuple(word for word in form if word != "and"))
        if len(form) > 1 and form[1] == "com":
            variants.append((form[0], *form[2:]))
    if len(bare) > 1 and "." in name.split()[0][:-1] and len(bare[0]) <= 3:  # initials: 'W.W. Grainger'
        variants.append(bare[1:])
    short = bare
    while len(short) > 2 and short[-1] in _DESCRIPTORS:
        short = short[:-1]
        variants.append(short)
    if _stands_alone(bare, paired=len(words) > 2 and ("and" in words[1:2] or "&" in name.split()[1:2])):
        variants.append((bare[0],))
    return list(dict.fromkeys(variant for variant in variants if variant))


def _stands_alone(bare: tuple[str, ...], paired: bool) -> bool:
    """May a name's first word mean the company? `paired`: an 'and' follows it."""
    first, rest = bare[0], bare[1:]
    if len(first) < 4 or not _is_coined(first):
        return False
    described = all(word in _DESCRIPTORS or word in ORDINARY for word in rest)
    return described or paired or (len(rest) == 1 and _is_coined(rest[0]))
