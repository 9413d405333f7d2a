"""Company names: display form, short form, identity."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from tools.documents.metadata.company_names import spells
from tools.documents.text.ordinary_words import ORDINARY

_LEGAL = (
    r"incorporated|inc|corporation|corp|company|companies|co|limited|ltd|l\.?l\.?c|l\.?p|plc|p\.l\.c|n\.?v|s\.?a|"
    r"ag|se|holdings?|group|trust|bancorp|bancorporation"
)
_SUFFIX = re.compile(
    r"(?:,?\s+(?:incorporated|inc|corporation|corp|company|co|limited|ltd|llc|l\.l\.c|lp|l\.p|plc|p\.l\.c|n\.?v|s\.?a|"
    r"ag|se)\.?)+$",
    re.IGNORECASE,
)
_LEGAL_WORD = re.compile(rf"(?:{_LEGAL})\.?,?", re.IGNORECASE)
_KEPT_UPPER = frozenset({"LLC", "LP", "PLC", "NV", "SA", "AG", "SE", "USA", "US", "II", "III"})
GENERIC = frozenset(
    [
        *[
            "company",
            "corporation",
            "registrant",
            "firm",
            "we",
            "us",
            "our",
            "group",
            "issuer",
            "parent",
            "trust",
        ],
        *["bank", "partnership", "subsidiaries"],
    ]
)
"""What any filer calls itself."""


def short_name(name: str) -> str:
    """The name without its legal suffix: 'Apple Inc.' is 'Apple', 'F.N.B. Corporation' is 'F.N.B.'."""
    short = _SUFFIX.sub("", name.strip()).strip(" ,")
    return re.sub(r"^[Tt]he\s+", "", short) or name.strip()


def slug(name: str) -> str:
    """A stable identity for a company without a ticker: lower-case ASCII words joined by '-'."""
    ascii_name = unicodedata.normalize("NFKD", short_name(name)).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", ascii_name.lower())) or "unknown"


def display_name(name: str, text: str) -> str:
    """A name printed in capitals, as `text` spells it elsewhere, else with its words capitalised."""
    name = " ".join(name.split())
    if not name.isupper() or len(name) <= 4:
        return name
    pattern = r"\s+".join(map(re.escape, name.rstrip(".").split()))
    spellings = Counter(
        " ".join(s.split()) for s in re.findall(pattern, text, re.IGNORECASE) if not s.isupper()
    )
    if spellings:
        return max(sorted(spellings), key=lambda s: spellings[s]) + ("." if name.endswith(".") else "")
    short = short_name(name)
    mixed = Counter(re.findall(rf"\b{re.escape(short)}\b", text, re.IGNORECASE))
    head = max(sorted(mixed), key=lambda s: mixed[s] if s != short.lower() else 0) if mixed else short
    if head.isupper() and len(mixed) > 1:
        others = {s: n for s, n in mixed.items() if not s.isupper() and not s.islower()}
        head = max(sorted(others), key=lambda s: others[s]) if others else head
    tail = name[len(short) :]
    if head.isupper() and mixed[head] < 5:  # not spelled in capitals throughout, as NVIDIA is
        head = " ".join(_capitalised(word) for word in head.split())
    return head + " ".join(_capitalised(word) if word else "" for word in tail.split(" "))


def _capitalised(word: str) -> str:
    bare = word.strip(".,").upper()
    return word if bare in _KEPT_UPPER else word[:1].upper() + word[1:].lower()


_QUOTED = re.compile(r"[“\"]([^”\"]{2,60})[”\"]")
_OTHERWISE = re.compile(
    r"\b(?:formerly(?:\s+known\s+as)?|f/k/a|d/b/a|doing\s+business\s+as|(?:also|previously|now|better|commonly)\s+known\s+as)"
    r"[\s:,]+[“\"]?(?:the\s+)?([A-Z][\w&'’.-]*(?:,?\s+(?:[A-Z&][\w&'’.-]*)){0,4})"
)
_OWN_TERM = re.compile(r"[“\"](?:the\s+)?(?:company|registrant|we|us|our)\b", re.IGNORECASE)
_ELIDED = {"and", "of", "the", "&"}


def aliases(company: str, ticker: str | None, text: str) -> tuple[str, ...]:
    """Other names of a company: its short form, its ticker, and what `text` says it calls it.

    The latter are quoted words in brackets after the name ('Micron Technology, Inc. ("Micron")') that are made of the
    name's words or letters, or stand beside 'the Company' there, and what it was 'formerly known as'; words that any
    filer uses for itself ('the Company') are left out.
    """
    short = short_name(company)
    found = [short]
    if short.lower().endswith(".com"):
        found.append(short[: -len(".com")])
    text = text[:400_000]
    said = re.compile(
        rf"(?<!\w){re.escape(short)}(?!\w)(?P<between>[^()\n]{{0,80}})\((?P<inside>[^()]{{0,300}})\)", re.I
    )
    for match in said.finditer(text):
        own = bool(_OWN_TERM.search(match["inside"]))
        quoted = [" ".join(q.split()).strip(" ,.;") for q in _QUOTED.findall(match["inside"])]
        found += [q for q in quoted if _related(q, short) or (own and _is_name(q))]
        found += [name.strip(" ,.") for name in _OTHERWISE.findall(match["inside"])]
    found += _former_names(short, text)
    if ticker:
        found.append(ticker)
    kept: dict[str, str] = {}
    for alias in found:
        alias = alias.strip(" ,.;") if not alias.endswith("Inc.") else alias
        bare = re.sub(r"^the\s+", "", alias.lower())
        if alias != company and bare not in GENERIC and 1 < len(alias) < 60:
            kept.setdefault(re.sub(r"\s", "", alias.lower()), alias)
    return tuple(kept.values())


def _former_names(short: str, text: str) -> list[str]:
    """What a text says its company is or was also called: 'Block, Inc., formerly known as Square, Inc.'"""
    near = re.compile(
        rf"(?<!\w){re.escape(short)}(?:,?\s+[A-Z][\w.]{{1,12}})?[\s,]{{1,3}}{_OTHERWISE.pattern}"
    )
    return [" ".join(name.split()).strip(" ,.") for name in near.findall(text)]


def _is_name(quoted: str) -> bool:
    """Is every word of a term capitalised and one no common term of a filing's?"""
    words = [word for word in re.findall(r"[\w&’'.-]+", quoted) if word.lower() not in _ELIDED]
    coined = any(word.lower() not in ORDINARY | GENERIC | _SELF for word in words)
    return 0 < len(words) <= 4 and coined and all(word[0].isupper() or word[0].isdigit() for word in words)


_SELF = frozenset({"registrant", "corporation", "we", "us", "our", "issuer"})


def _related(alias: str, short: str) -> bool:
    """Are an alias's words all the name's own, or does it spell the name's initials or the beginnings of its words?"""
    words = [w for w in re.findall(r"[a-z0-9]+", short.lower()) if not _LEGAL_WORD.fullmatch(w)]
    own = [
        w
        for w in re.findall(r"[a-z0-9]+", alias.lower())
        if not _LEGAL_WORD.fullmatch(w) and w not in _ELIDED
    ]
    if own and set(own) <= set(words):
        return True
    return spells(re.sub(r"[^a-z0-9]", "", alias.lower()), [w for w in words if w not in _ELIDED])


_WITH_SUFFIX = re.compile(
    r"\b([A-Z][\w&'’.-]*(?:\s+(?:[A-Z][\w&'’.-]*|of|and|&)){0,4}?,?\s+"
    r"(?:Inc\.|Incorporated|Corp\.|Corporation|Ltd\.|Limited|PLC|plc|LLC|AG|SE|N\.V\.|S\.A\.))(?=\W|$)"
)
_EXCHANGE = r"(?:NYSE|NASDAQ|Nasdaq|AMEX|New York Stock Exchange|CBOE|Cboe|TSX|LSE|ASX)"
_LISTED = re.compile(
    rf"\((?:[\w\s/]{{0,20}}\b)?{_EXCHANGE}[\w\s/]{{0,16}}:\s*([A-Z]{{1,5}}(?:[.-][A-Z])?)\b[^()]{{0,60}}\)"
)
_LISTED_NAME = re.compile(
    rf"(?P<name>[A-Z0-9][\w&'’.-]*(?:,?\s+(?:[A-Z0-9&][\w&'’.-]*|of|and|the)){{0,6}}),?\s*"
    rf"(?:\([^()]{{0,120}}\)\s*)?{_LISTED.pattern}"
)
_SYMBOL_SAID = re.compile(
    r"\bunder\s+the\s+(?:ticker\s+|trading\s+|stock\s+)?symbols?\s*[,:]?\s*[“‘\"']?([A-Z]{1,5}(?:[.-][A-Z])?)\b[”’\"',.\s]"
)


def symbol_in_text(text: str) -> str | None:
    """The trading symbol that a filing's text states: 'is traded under the symbol "KST"'."""
    said = Counter(_SYMBOL_SAID.findall(text[:400_000]))
    return max(sorted(said), key=lambda symbol: said[symbol]) if said else None


def name_in_text(text: str) -> tuple[str | None, str | None]:
    """The company that a text of another kind (a press release, a note) is about, with its ticker: the name that
    an exchange's symbol follows, else the first one with a legal suffix, near its beginning and used again;
    (None, None) where there is none."""
    head = text[:6_000]
    if listed := _LISTED_NAME.search(" ".join(head.split())):
        name = re.sub(r"^The\s+", "", listed["name"])
        if _is_again(name, text):
            return name, listed[2]
    head = head[:1_500]
    found = _LISTED.search(head)
    for match in _WITH_SUFFIX.finditer(head):
        name = " ".join(match[1].split())
        if _is_again(name, text):
            return name, found[1] if found else None
    return None, None


def _is_again(name: str, text: str) -> bool:
    return len(re.findall(rf"(?<!\w){re.escape(short_name(name))}(?!\w)", text)) >= 2
