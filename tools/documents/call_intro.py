"""A transcript's title and opening words: whose call it is, and of which quarter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tools.documents.printed_dates import DATE, first_date, read_quarters
from tools.documents.names import short_name
from tools.documents.text import squeeze
from tools.documents.types import Page

_TITLE = re.compile(
    r"^\s*(?P<who>.{1,80}?)[\s,:(–—-]+(?P<label>(?:fiscal\s+)?(?:year\s+)?(?:Q[1-4]|first|second|third|fourth|(?:19|20)\d\d)\b.{0,40}?)"
    r"\s*\)?\s*(?:earnings|results|conference)?\s*(?:conference\s+)?call(?:\s+transcript)?\s*$",
    re.IGNORECASE,
)
_EXCHANGE_TICKER = re.compile(r"\(\s*(?:[A-Za-z]+\s*:\s*)?([A-Z]{1,5}(?:[.-][A-Z])?)\s*\)")
_PARTICIPANTS = re.compile(
    r"^\s*(?:call|conference call|corporate|company)?\s*participants\s*:?\s*$", re.I | re.M
)
_QUARTER_ENDED = re.compile(
    rf"(?:quarter|three\s+months|year)\s+(?:that\s+)?ended\s+(?:on\s+)?({DATE})", re.I
)

_WORD = r"(?:[A-Z0-9][\w.&/’'-]*|&|and|of|the)"
_NAME = rf"(?P<name>(?:[Tt]he\s+)?[A-Z0-9][\w.&/’'-]*(?:,?\s+{_WORD}){{0,5}})"
_OPENINGS = (
    (6, re.compile(rf"\b[Ww]elcome\s+(?:everyone\s+|you\s+all\s+|you\s+)?to\s+(?:today's\s+|the\s+|our\s+)?{_NAME}")),
    (5, re.compile(rf"\b[Cc]all\s+(?:for|of|with)\s+{_NAME}")),
    (5, re.compile(rf"\b[Rr]esults\s+(?:for|of)\s+{_NAME}")),
    (4, re.compile(rf"\b[Cc]all\s+to\s+discuss\s+{_NAME}")),
    (3, re.compile(rf"(?<![\w.]){_NAME}\s+(?:(?:first|second|third|fourth)[\s-]quarter|earnings\s+(?:conference\s+)?call)")),
    (3, re.compile(rf"\b(?:Investor\s+Relations|IR|President|Officer|Chairman|CEO|CFO)\s+(?:at|for|of|with)\s+{_NAME}")),
    (2, re.compile(rf"(?<![\w.]){_NAME}\s+Investor\s+Relations\b")),
    (2, re.compile(rf"(?<![\w.]){_NAME}(?:'s|’s|s'|s’)\s+(?:actual|future|website|financial|conference|earnings|results|[Ss]econd|[Ff]irst|[Tt]hird|[Ff]ourth|CEO|President|Chairman|Chief|Director|SEC|Form)")),
)  # fmt: skip
_END_OF_NAME = re.compile(
    r"\s+(?:(?:first|second|third|fourth)\b|Q[1-4]\b|(?:19|20)\d\d|FY|fiscal\b|full\b|year\b|quarter|half\b|earnings|financial\b|conference|"
    r"results?\b|call\b|investors?\b|webcast|teleconference|release|management|and\s*$|of\s*$|the\s*$|for\b|to\b|our\b|"
    r"today|this\b|as\b|board\b|executive|chief\b|president\b|vice\b|senior\b|director\b|head\b|global\b(?=\s+executive)|my\b|joining\b|with\b|[A-Z][a-z]+,\s).*$",
    re.IGNORECASE,
)
_NOT_NAMES = frozenset(
    "First Second Third Fourth Quarter Fiscal Earnings Conference Call Results Financial Investor Relations The Our Q1 Q2 "
    "Q3 Q4 Good Thank Thanks Today Vice President Senior Chief Executive Officer Director Operator Board Form Risk You I We "
    "It And With Please Ladies Gentlemen Management Chairman Finance Corporate This That Instructions Company Treasurer Head "
    "Securities Private Act Reform Litigation SEC Safe Harbor Securities And Exchange Commission On In As A At GAAP Non-GAAP "
    "COVID-19 U.S US United States Americas Europe Asia North America EBITDA EPS CEO CFO CTO COO IR Q&A".split()
)


@dataclass(frozen=True, slots=True)
class Intro:
    """What a transcript says of itself; None where it does not."""

    company: str | None
    aliases: tuple[str, ...]
    ticker: str | None
    fiscal_year: int | None
    fiscal_quarter: int | None
    period_end: date | None
    titled: bool
    """Were year and quarter in the title line?"""


def read_intro(pages: Sequence[Page], path_ticker: str | None) -> Intro | None:
    """The title line and opening of a call; None if the document is not a transcript."""
    head = pages[0].text if pages else ""
    lines = [squeeze(line) for line in head.split("\n") if line.strip()][:8]
    title = next((m for line in lines if (m := _TITLE.match(line))), None)
    speaks = re.search(r"^\s*Operator\s*:?\s*$", head, re.MULTILINE)
    if not (_PARTICIPANTS.search(head) or speaks) or not (
        title or re.search(r"\bcall\b", head, re.IGNORECASE)
    ):
        return None
    ticker, named = _owner(title["who"]) if title else (None, None)
    opening = squeeze(" ".join(page.text for page in pages[:2]))[:9_000]
    label = next(read_quarters(title["label"]), None) if title else None
    titled = label is not None
    label = label or next(read_quarters(opening), None)
    ended = _QUARTER_ENDED.search(opening)
    body = "\n".join(page.text for page in pages)
    company, others = _company(opening, body, ticker or path_ticker, named)
    return Intro(
        company=company,
        aliases=others,
        ticker=ticker,
        fiscal_year=label[0] if label else None,
        fiscal_quarter=label[1] if label else None,
        period_end=first_date(ended[1]) if ended else None,
        titled=titled,
    )


def _owner(who: str) -> tuple[str | None, str | None]:
    """Ticker and company in a title's first words: 'AFL', 'Apple Inc. (NASDAQ: AAPL)', 'Apple Inc.'."""
    if match := _EXCHANGE_TICKER.search(who + ")"):
        return match[1], who[: match.start()].strip(" ,-(") or None
    if re.fullmatch(r"[A-Z]{1,5}(?:[.-][A-Z])?", who.strip()):
        return who.strip(), None
    return None, who.strip(" ,-")


def _company(
    opening: str, body: str, ticker: str | None, named: str | None
) -> tuple[str | None, tuple[str, ...]]:
    """The caller's name in its fullest form, and the other forms the opening uses."""
    scores: Counter[str] = Counter()
    forms: dict[str, Counter[str]] = {}
    if named:
        _count(scores, forms, named, 20)
    for name, weight in _candidates(opening):
        _count(scores, forms, name, weight)
    if not scores and ticker:
        for name in _possessors(body, ticker):
            _count(scores, forms, name, 1)
    if not scores:
        return None, ()
    for core in list(scores):
        uses = len(re.findall(rf"(?<!\w){re.escape(core)}(?!\w)", body, re.IGNORECASE))
        scores[core] += min(uses, 10) + (6 if ticker and _spells(core, ticker) else 0)
    best = max(sorted(scores), key=lambda core: scores[core])
    full = max(sorted(forms[best]), key=lambda form: (len(form), forms[best][form]))
    others = [form for form in sorted(forms[best]) if form != full]
    return full, tuple(dict.fromkeys(others))


def _count(scores: Counter[str], forms: dict[str, Counter[str]], name: str, weight: int) -> None:
    core = short_name(name).lower()
    scores[core] += weight
    forms.setdefault(core, Counter())[name] += 1


def _candidates(opening: str) -> Iterator[tuple[str, int]]:
    for weight, pattern in _OPENINGS:
        for match in pattern.finditer(opening):
            if name := _trim(match["name"]):
                yield name, weight


def _trim(name: str) -> str | None:
    """A captured run of words cut where the name ends; None if nothing of a name is left."""
    name = _END_OF_NAME.sub("", f" {name}").strip(" ,-")
    name = re.sub(r"(?:'s|’s)$|(?<=s)['’]$", "", name)
    name = re.split(r"(?:'s|’s)\s|(?<=s)['’]\s|(?<=[a-z]{3})\.\s", name)[0]
    name = re.sub(r"^[Tt]he\s+(?=\w)", "", name).strip(" ,")
    if name.endswith(".") and not re.search(r"(?:Inc|Corp|Co|Ltd|[A-Z])\.$", name):
        name = name.rstrip(".")
    words = name.split()
    if not words or len(name) < 2 or words[0].strip(".,") in _NOT_NAMES or not re.match(r"[A-Z0-9]", name):
        return None
    return None if re.fullmatch(r"[\d.,/-]+|Inc\.?|Corp\.?", name) else name


def _possessors(body: str, ticker: str) -> Iterator[str]:
    """Names of one to three capitalised words that own something in the call and spell the ticker."""
    for match in re.finditer(r"(?<![\w.])([A-Z][\w&-]+(?:\s+[A-Z][\w&-]+){0,2})(?:'s|’s)?(?=[\s.,])", body):
        name = " ".join(match[1].split())
        if name.split()[0] not in _NOT_NAMES and _spells(name, ticker):
            yield name


def _spells(name: str, ticker: str) -> bool:
    """Do the ticker's letters occur in the name in their order, the first one first?"""
    letters = iter(re.sub(r"[^A-Z0-9]", "", name.upper()))
    squeezed = re.sub(r"[^A-Z0-9]", "", name.upper())
    wanted = ticker.replace(".", "").replace("-", "")
    return squeezed[:1] == wanted[:1] and all(letter in letters for letter in wanted)
