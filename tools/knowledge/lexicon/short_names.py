"""Short forms of a company's own printed names: acronyms ('DCAI' for 'Data Center and AI') and clipped words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tools.knowledge.lexicon.metric_names import Token, canonical_metric, fold_label, tokenize
from tools.knowledge.lexicon.vocabulary import VOCABULARY

_JOINING = frozenset({"and", "&", "of", "the", "for", "in"})
_LETTERS = re.compile(r"[A-Za-z]+|&")
_ACRONYM = re.compile(r"(?<![\w&])[A-Z](?:&?[A-Z]){1,5}(?![\w&])")
MAX_ACRONYM_WORDS = 6

_CLIPPED = {
    "3p": "third party", "ad": "advertising", "admin": "administrative", "auto": "automotive", "comm": "communications",
    "ent": "enterprise", "intl": "international", "mfg": "manufacturing", "mktg": "marketing", "pro": "professional",
    "proviz": "professional visualization", "sub": "subscription", "svc": "service", "tech": "technology",
    "viz": "visualization", "vis": "visualization", "dc": "data center", "china": "greater china",
    "apac": "asia pacific", "ww": "worldwide", "shop": "store", "america": "americas", "brick and mortar": "physical",
}  # fmt: skip
CLIPPED = {
    tuple(token.word for token in tokenize(short)): tuple(token.word for token in tokenize(whole))
    for short, whole in _CLIPPED.items()
}
"""Clipped or colloquial words -> what a label may print for them; both folded."""
_CLIPPED_BY_FIRST: dict[str, list[tuple[str, ...]]] = defaultdict(list)
for _short in CLIPPED:
    _CLIPPED_BY_FIRST[_short[0]].append(_short)


def acronyms_of(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Acronym, folded -> folded words of the one printed name that it stands for; names of ordinary words
    ('Net sales'), metrics and acronyms of several names are left out.

    Joining words may be left out, or '&' may stand for 'and': 'Productivity and Business Processes' is PBP or P&BP.
    """
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for name in dict.fromkeys(names):
        words = _LETTERS.findall(name)
        content = [word for word in words if word.lower() not in _JOINING]
        if not 2 <= len(content) <= MAX_ACRONYM_WORDS or not all(word[0].isupper() for word in content):
            continue
        if canonical_metric(name) in VOCABULARY:
            continue
        folded = tuple(fold_label(name).split())
        for joined in ("", "&"):
            found[_initials(words, joined)].add(folded)
    return {
        short.lower(): next(iter(whole))
        for short, whole in sorted(found.items())
        if len(whole) == 1 and len(short) > 1 and canonical_metric(short) not in VOCABULARY
    }


def _initials(words: Sequence[str], joined: str) -> str:
    parts = []
    for word in words:
        if word.lower() in _JOINING:
            parts.append(joined if word.lower() in {"and", "&"} else "")
        else:
            parts.append(word if word.isupper() and len(word) <= 3 else word[0])
    return "".join(parts).strip("&")


def in_full(text: str, acronyms: dict[str, tuple[str, ...]]) -> str:
    """A printed label with the acronyms of its company's other names put in full."""
    if not acronyms or not _ACRONYM.search(text):
        return text
    return _ACRONYM.sub(lambda match: " ".join(acronyms.get(match.group().lower(), (match.group(),))), text)


def spelled_out(
    question: str,
    tokens: Sequence[Token],
    acronyms: Mapping[str, tuple[str, ...]],
    known: Collection[str],
    own: Collection[str],
) -> list[Token]:
    """`tokens` with acronyms of the company's names and clipped words put in full, where its labels hold the
    full words (`known`) and not the short ones; words of the company's own name (`own`) are left out."""
    capitals = {match.start() for match in _ACRONYM.finditer(question)}
    quiet = question == question.lower()
    found: list[Token] = []
    index = 0
    while index < len(tokens):
        token, size = tokens[index], 1
        raw = question[token.start : token.end]
        whole = acronyms.get(raw.lower(), ()) if token.start in capitals or (quiet and len(raw) > 2) else ()
        if not whole and token.word not in known:
            for short in _CLIPPED_BY_FIRST.get(token.word, ()):
                full, end = CLIPPED[short], index + len(short)
                if tuple(t.word for t in tokens[index:end]) == short and all(word in known for word in full):
                    whole, size = full, len(short)
        if whole:
            stop = tokens[index + size - 1].end
            found += [Token(word, token.start, stop) for word in whole if word not in own]
        else:
            found.append(token)
        index += size
    return found
