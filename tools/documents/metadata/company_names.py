"""Company names as people write them: folded words, legal suffixes, short forms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tools.documents.text.ordinary_words import FIRST_NAMES, ORDINARY, PLACES

_WORD = re.compile(r"(?:[A-Za-z]\.){2,}(?:[A-Za-z]\b)?(?:['’‘`][sS]\b)?|[^\W_]+(?:['’][^\W_]+)*(?:&[^\W_]+)*")
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
_CONNECTIVES = {"and", "of", "the"}
_MAX_SPELLED = 8
"""Words of a name beyond which no abbreviation is looked for."""


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


def is_coined(word: str) -> bool:
    """Is a word none of everyday English, no place and no given name?"""
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
    if (coined := _without_joined_suffix(name.split()[0])) and len(bare) == 1:  # 'PepsiCo'
        variants.append((coined,))
    if _stands_alone(bare, paired=len(words) > 2 and ("and" in words[1:2] or "&" in name.split()[1:2])):
        variants.append((bare[0],))
    return list(dict.fromkeys(variant for variant in variants if variant))


_JOINED = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
"""The parts of a compound: 'JPMorgan' is 'JP' and 'Morgan'."""
_MIN_STEM = 4


def joined_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, compounds in their parts: 'RenaissanceRe' is 'renaissance' and 're'; legal
    suffixes, articles and connectives are left out."""
    words = [part for token in name_tokens(name) for part in _parts(token.raw)]
    return tuple(word for word in without_suffix(tuple(words)) if word not in _CONNECTIVES)


def _parts(raw: str) -> list[str]:
    parts = [part.lower() for part in _JOINED.findall(raw.replace(".", ""))]
    mixed = any(map(str.islower, raw)) and len(parts) > 1 and "".join(parts) == raw.lower()
    return parts if mixed else [part for part in re.split(r"[&']", raw.lower().replace(".", "")) if part]


def _without_joined_suffix(raw: str) -> str:
    """'pepsi' of 'PepsiCo'; '' where a compound ends in no legal suffix or little would be left."""
    parts = _parts(raw.strip(",."))
    stem = "".join(parts[:-1])
    return stem if len(parts) > 1 and parts[-1] in LEGAL_SUFFIXES and len(stem) >= _MIN_STEM else ""


def spells(short: str, words: Sequence[str], *, least: int = 1, skip: bool = True) -> bool:
    """Is `short` the beginnings, each of at least so many letters, of these words in their order, one after the
    other: 'amex' of 'american express', 'rcc' of 'river coal company'?

    With `skip`, words after the first may add nothing.
    """

    @cache
    def fits(rest: str, at: int) -> bool:
        if at == len(words):
            return not rest
        if skip and at and fits(rest, at + 1):
            return True
        pairs = zip(rest, words[at], strict=False)
        longest = next(
            (size for size, (one, other) in enumerate(pairs) if one != other), min(len(rest), len(words[at]))
        )
        return any(fits(rest[size:], at + 1) for size in range(longest, least - 1, -1))

    return bool(words) and len(short) > 1 and len(words) <= _MAX_SPELLED and fits(short, 0)


def _stands_alone(bare: tuple[str, ...], paired: bool) -> bool:
    """May a name's first word mean the company? `paired`: an 'and' follows it."""
    first, rest = bare[0], bare[1:]
    if len(first) < 4 or not is_coined(first):
        return False
    described = all(word in _DESCRIPTORS or word in ORDINARY for word in rest)
    return described or paired or (len(rest) == 1 and (is_coined(rest[0]) or rest[0] in FIRST_NAMES))
