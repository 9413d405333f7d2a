"""Company names: display form, short form, identity."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

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


def aliases(company: str, ticker: str | None, text: str) -> tuple[str, ...]:
    """Other names of a company: its short form, its ticker, and what `text` says it calls it.

    The latter are quoted words in brackets after the name ('Micron Technology, Inc. ("Micron")'); words that
    any filer uses for itself ('the Company') are left out.
    """
    short = short_name(company)
    found = [short]
    if short.lower().endswith(".com"):
        found.append(short[: -len(".com")])
    pattern = rf"{re.escape(short)}[^()\n]{{0,80}}\(([^()]{{0,200}})\)"
    for inside in re.findall(pattern, text[:400_000], re.IGNORECASE):
        found += [
            squeezed for q in re.findall(r"[“\"]([^”\"]+)[”\"]", inside) if (squeezed := " ".join(q.split()))
        ]
    if ticker:
        found.append(ticker)
    kept: dict[str, str] = {}
    for alias in found:
        alias = alias.strip(" ,.;") if not alias.endswith("Inc.") else alias
        bare = re.sub(r"^the\s+", "", alias.lower())
        related = alias == ticker or _related(bare, short)
        if alias != company and bare not in GENERIC and related and 1 < len(alias) < 60:
            kept.setdefault(alias.lower(), alias)
    return tuple(kept.values())


def _related(alias: str, short: str) -> bool:
    """Does an alias share a word with the name, or spell its initials?"""
    words = [w for w in re.findall(r"[a-z0-9]+", short.lower()) if not _LEGAL_WORD.fullmatch(w)]
    initials = "".join(w[0] for w in words)
    return any(w in words for w in re.findall(r"[a-z0-9]+", alias)) or alias.replace(".", "") == initials


_WITH_SUFFIX = re.compile(
    r"\b([A-Z][\w&'’.-]*(?:\s+(?:[A-Z][\w&'’.-]*|of|and|&)){0,4}?,?\s+"
    r"(?:Inc\.|Incorporated|Corp\.|Corporation|Ltd\.|Limited|PLC|plc|LLC|AG|SE|N\.V\.|S\.A\.))(?=\W|$)"
)
_LISTED = re.compile(r"\((?:NYSE|NASDAQ|Nasdaq|AMEX)[\w\s]{0,12}:\s*([A-Z]{1,5}(?:[.-][A-Z])?)\)")


def name_in_text(text: str) -> tuple[str | None, str | None]:
    """The company that a text of another kind (a press release, a note) is about, with its ticker: the first
    name with a legal suffix near its beginning that the text uses again; (None, None) where there is none."""
    head = text[:1_500]
    listed = _LISTED.search(head)
    for match in _WITH_SUFFIX.finditer(head):
        name = " ".join(match[1].split())
        if len(re.findall(rf"\b{re.escape(short_name(name))}\b", text)) >= 2:
            return name, listed[1] if listed else None
    return None, None
