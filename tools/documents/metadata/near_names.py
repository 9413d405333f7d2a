"""Companies by what people write in place of their names: abbreviations, parts, names run together, typing errors.

Nothing is listed: each form is derived from the names that the documents give, and counts only where it fits one
company alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import DamerauLevenshtein

from tools.documents.metadata.company_names import NameToken, is_coined, joined_words, name_variants, spells
from tools.documents.text.ordinary_words import ACRONYMS, FUNCTION_WORDS, ORDINARY

MIN_TYPO_LENGTH = 5
"""Shorter names have too many ordinary neighbours for a misspelt one to be told."""
LONG_NAME = 8
"""Letters from which two of them may be wrong."""
MAX_SPAN = 4
"""Words of a text that are taken for a name together."""
_MIN_JOINED = 6
_MIN_COMPOUND = 4
_MIN_PIECE = 2
_MIN_BEGINNING = 3
_MIN_INITIALS = 3
_LINKED_INITIALS = re.compile(r"[A-Z](?:[&n+][A-Z])+")


class NearNames:
    """Spans of a text -> the one company that they may mean."""

    def __init__(self, names: Iterable[tuple[str, str]]) -> None:
        """`names` are pairs of a display name or alias and its company's key; tickers are none."""
        self._names: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._linked: dict[str, set[str]] = defaultdict(set)
        """Initials of names with an 'and'."""
        for name, key in names:
            words = joined_words(name)
            for form in (words, *(each for each in name_variants(name) if len(each) == 1)):
                if form:
                    self._names[form].add(key)
            if "&" in name or " and " in name:
                self._linked["".join(word[0] for word in words)].add(key)
        self._joined = _unique({"".join(words): keys for words, keys in self._names.items()})
        self._parts = _unique(_parts_of(self._names))
        self._by_letter: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for words in self._names:
            self._by_letter[words[0][0]].append(words)

    def match(self, tokens: Sequence[NameToken], *, quiet: bool) -> tuple[str, bool] | None:
        """Key of the company that these words of a text mean, and whether they are rightly spelt; None if none or
        several may be meant. `quiet`: the text has no capitals, or capitals alone, and they say nothing."""
        raws, words = [token.raw for token in tokens], [token.word for token in tokens]
        if not quiet and not any(raw[0].isupper() for raw in raws):
            return None
        if all(map(_is_common, words)) and (quiet or not all(raw[0].isupper() for raw in raws)):
            return None
        if key := self._joined.get("".join(words)) if len("".join(words)) >= _MIN_JOINED else None:
            return key, True
        alone = len(words) == 1
        key = self._abbreviated(raws[0], words[0], quiet=quiet) if alone else self._begun(words)
        key = key or (self._parts.get(words[0]) if alone else None)
        if key is not None:
            return key, True
        key = self._misspelt(words)
        return (key, False) if key is not None else None

    def nearest(self, name: str) -> tuple[str, ...]:
        """Keys of the companies whose names are nearest to one that is none's: of the same first letter and at most
        two other letters, three of a long name; () where none is."""
        said = "".join(joined_words(name))
        best: dict[str, int] = {}
        for words in self._by_letter.get(said[:1], ()):
            form = "".join(words)
            limit = 3 if min(len(said), len(form)) > LONG_NAME else 2
            distance = DamerauLevenshtein.distance(said, form, score_cutoff=limit)
            if len(form) >= MIN_TYPO_LENGTH and distance <= limit:
                best.update({key: min(distance, best.get(key, distance)) for key in self._names[words]})
        return tuple(sorted(key for key in best if best[key] == min(best.values())))

    def _abbreviated(self, raw: str, word: str, *, quiet: bool) -> str | None:
        """By initials ('KAW', 'J&J', 'JnJ') or beginnings run together ('KestAir')."""
        if _LINKED_INITIALS.fullmatch(raw):
            keys = self._linked.get(re.sub(r"[&n+]", "", raw).lower(), ())
            return next(iter(keys)) if len(keys) == 1 else None
        capitals = raw.isupper() and not quiet and word not in ACRONYMS and len(word) >= _MIN_INITIALS
        initials = word if capitals else ""
        compound = word if len(word) >= _MIN_COMPOUND and not _is_common(word) else ""
        found: set[str] = set()
        for words in self._by_letter.get(word[0], ()):
            if len(words) < 2:
                continue
            if (initials and initials == "".join(each[0] for each in words)) or (
                compound and spells(compound, words, least=_MIN_PIECE, skip=False)
            ):
                found |= self._names[words]
        return found.pop() if len(found) == 1 else None

    def _begun(self, said: Sequence[str]) -> str | None:
        """By its first words, each whole or cut short: 'Kestrel Air' of Kestrel Airworks Holdings."""
        found: set[str] = set()
        for words in self._by_letter.get(said[0][0], ()):
            if len(words) < len(said) or not words[0].startswith(said[0]):
                continue
            cut = [one for one, other in zip(said, words, strict=False) if one != other]
            fits = all(other.startswith(one) for one, other in zip(said, words, strict=False))
            if fits and not any(len(one) < _MIN_BEGINNING or one in FUNCTION_WORDS for one in cut):
                found |= self._names[words]
        return found.pop() if len(found) == 1 else None

    def _misspelt(self, said: Sequence[str]) -> str | None:
        joined, found = "".join(said), set[str]()
        if len(joined) < MIN_TYPO_LENGTH - 1 or not joined.isalpha():
            return None
        if any(map(FUNCTION_WORDS.__contains__, said)) or (len(said) == 1 and not is_coined(joined)):
            return None
        for words in self._by_letter.get(joined[0], ()):
            if len(said) > 1 and len(words) not in (1, len(said)):
                continue
            if any(one[0] != other[0] for one, other in zip(said, words, strict=False)):
                continue
            if _is_typo(joined, "".join(words)):
                found |= self._names[words]
        return found.pop() if len(found) == 1 else None


def _is_typo(said: str, name: str) -> bool:
    limit = 1 if len(name) < LONG_NAME else 2
    if len(name) < MIN_TYPO_LENGTH or abs(len(said) - len(name)) > limit:
        return False
    return 0 < DamerauLevenshtein.distance(said, name, score_cutoff=limit) <= limit


def _is_common(word: str) -> bool:
    return word in ORDINARY or (word.endswith("s") and word[:-1] in ORDINARY)


def _parts_of(names: Mapping[tuple[str, ...], set[str]]) -> dict[str, set[str]]:
    """The last word of a name of two coined ones: 'Biomet' of Zimmer Biomet."""
    parts: dict[str, set[str]] = defaultdict(set)
    for words, keys in names.items():
        if len(words) == 2 and all(is_coined(word) and len(word) >= MIN_TYPO_LENGTH for word in words):
            parts[words[1]] |= keys
    return parts


def _unique(found: Mapping[str, set[str]]) -> dict[str, str]:
    return {form: next(iter(keys)) for form, keys in found.items() if len(keys) == 1}
