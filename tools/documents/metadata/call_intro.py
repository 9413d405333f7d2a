"""A transcript's title and opening words: whose call it is, and of which quarter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tools.documents.metadata.registrant_names import short_name
from tools.documents.structure.transcript import Turn, read_transcript
from tools.documents.text.cleaning import squeeze
from tools.documents.text.ordinary_words import PLACES
from tools.documents.text.printed_dates import DATE, first_date, quarter_in, read_quarters
from tools.documents.types import Page
from tools.period_words import ORDINAL, ORDINALS

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
    rf"(?:(?P<which>{ORDINAL})\s+(?:fiscal\s+)?quarter,?\s+(?:which\s+|that\s+)?"
    rf"|\bfor\s+(?:the|our)\s+(?:fiscal\s+)?(?:quarter|three\s+months)\s+)ended\s+(?:on\s+)?({DATE})",
    re.IGNORECASE,
)

_WORD = r"(?:[A-Z0-9][\w.&/’'-]*|&|and|of|the)"
_NAME = rf"(?P<name>(?:[Tt]he\s+)?[A-Z0-9][\w.&/’'-]*(?:,?\s+{_WORD}){{0,5}})"
_ORDINAL = r"(?:[Ff]irst|[Ss]econd|[Tt]hird|[Ff]ourth)"
_SPAN = rf"(?:(?:{_ORDINAL}[\s-][Qq]uarter|Q[1-4]|(?:19|20)\d\d|[Ff]iscal|[Yy]ear)\s+)*"
_GREETED = r"(?:everyone\s+|you\s+all\s+|you\s+)?to\s+(?:today's\s+|the\s+|our\s+)?"
_OFFICE = r"(?:Investor\s+Relations|IR|President|Officer|Chairman|CEO|CFO)"
_OWNED = (
    rf"(?:actual|future|website|financial|conference|earnings|results|{_ORDINAL}|CEO|President|Chairman|Chief|"
    r"Director|SEC|Form)"
)
_MIN_SURE_WEIGHT = 20
"""Weight from which one saying names the company surely."""
_TITLE_WEIGHT = 60
_MIN_RELATED = 10
_MIN_PLACE_USES = 3
"""Uses from which a name that ends in a place's is a company's, not where somebody sits."""
_OPENINGS = tuple(
    (weight, re.compile(pattern))
    for weight, pattern in (
        (30, rf"\b[Ww]elcome\s+{_GREETED}{_SPAN}{_NAME}"),
        (20, rf"\b[Cc]all\s+(?:for|of|with)\s+{_NAME}"),
        (12, rf"\b[Cc]all\s+to\s+discuss\s+{_NAME}"),
        (10, rf"\b[Rr]esults\s+(?:for|of)\s+{_NAME}"),
        (8, rf"(?<![\w.]){_NAME}\s+(?:{_ORDINAL}[\s-]quarter|earnings\s+(?:conference\s+)?call)"),
        (6, rf"(?<![\w.]){_NAME}(?:'s|’s|(?<=[sS])['’])\s+{_OWNED}"),
        (5, rf"\b{_OFFICE}\s+(?:at|for|of|with)\s+{_NAME}"),
        (4, rf"(?<![\w.]){_NAME}\s+Investor\s+Relations\b"),
    )
)
"""How a company is named in a call's first words, with what each way is worth; 20 and more name it surely."""
_END_OF_NAME = re.compile(
    r"\s+(?:(?:first|second|third|fourth|fiscal|full|year|half|financial|call|for|to|our|this|board|chief|president|vice|"
    r"senior|director|head|my|joining|with|given|in|on|as|today)\b|Q[1-4]\b|(?:19|20)\d\d|FY|quarter|earnings|"
    r"conference|results?\b|investors?\b|webcast|teleconference|release|management|executive|"
    r"(?:and|of|the)\s*$|global\b(?=\s+executive)).*$",
    re.IGNORECASE,
)
_COMMON = frozenset(
    [
        "the",
        "and",
        "of",
        "&",
        "group",
        "company",
        "corporation",
        "technologies",
        "energy",
        "industries",
        "inc",
    ]
)
_NOT_NAMES = frozenset(
    """
    First Second Third Fourth Quarter Fiscal Earnings Conference Call Results Financial Investor Relations
    The Our Q1 Q2 Q3 Q4 Good Thank Thanks Today Vice President Senior Chief Executive Officer Director
    Operator Board Form Risk You I We It And With Please Ladies Gentlemen Management Chairman Finance
    Corporate This That Instructions Company Treasurer Head Securities Private Act Reform Litigation SEC
    Safe Harbor Exchange Commission On In As A At GAAP Non-GAAP COVID-19 COVID U.S US United States Americas
    Europe Asia North America EBITDA EPS CEO CFO CTO COO IR Q&A
    """.split()  # noqa: SIM905
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
    if not _is_call(head, titled=title is not None):
        return None
    ticker, named = _owner(title["who"]) if title else (None, None)
    call = read_transcript(pages[:3], "")
    words = [
        (turn.speaker, squeeze(" ".join(line for _, line in turn.lines)))
        for turn in call.parts
        if isinstance(turn, Turn)
    ][:4]
    opening = " ".join(text for _, text in words)[:9_000]
    in_title = next(read_quarters(title["label"]), None) if title else None
    label = in_title or _label(opening)
    people = {word for p in call.participants for word in p.name.split()}
    company, others = _company(words, pages, ticker or path_ticker, named, people)
    year, quarter = label or (None, None)
    return Intro(
        company=company,
        aliases=others,
        ticker=ticker,
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=_period_end(opening, label),
        titled=in_title is not None,
    )


def _is_call(head: str, titled: bool) -> bool:
    """Does the first page list participants or let the operator speak, under a call's title or a mention of one?"""
    speaks = re.search(r"^\s*Operator\s*:?\s*$", head, re.MULTILINE)
    if not (_PARTICIPANTS.search(head) or speaks):
        return False
    return titled or re.search(r"\bcall\b", head, re.IGNORECASE) is not None


def _label(opening: str) -> tuple[int, int] | None:
    """(year, quarter) of a call without a title: the quarter said first, of the latest year that is said of it; others
    are what it is compared with."""
    labels = list(read_quarters(opening))
    if not labels:
        return None
    first = quarter_in(opening)
    return max((label for label in labels if label[1] == first), default=labels[0])


def _period_end(opening: str, label: tuple[int, int] | None) -> date | None:
    """The end of the quarter the call is about, where it is stated in words: not the one of an earlier Form
    10-Q."""
    for match in _QUARTER_ENDED.finditer(opening):
        if re.search(r"10-[QK]\W*$", opening[: match.start()]):
            continue
        which = match["which"]
        if which is None or label is None or ORDINALS[which.lower()] == label[1]:
            return first_date(match[2])
    return None


def _owner(who: str) -> tuple[str | None, str | None]:
    """Ticker and company in a title's first words: 'AUR', 'Apple Inc. (NASDAQ: AAPL)', 'Apple Inc.'."""
    if match := _EXCHANGE_TICKER.search(who + ")"):
        return match[1], who[: match.start()].strip(" ,-(") or None
    if re.fullmatch(r"[A-Z]{1,5}(?:[.-][A-Z])?", who.strip()):
        return who.strip(), None
    return None, who.strip(" ,-")


class _Names:
    """The names that may be the caller's: what each is worth, and the forms in which it was said."""

    def __init__(self) -> None:
        self.scores: dict[str, int] = {}
        """By the name's core, in lower case."""
        self.forms: dict[str, list[str]] = {}

    def count(self, name: str, weight: int) -> None:
        """Add one saying of a name."""
        core = short_name(name).lower()
        self.scores[core] = self.scores.get(core, 0) + weight
        if name not in self.forms.setdefault(core, []):
            self.forms[core].append(name)

    def related(self, best: str) -> list[str]:
        """The names with some weight that share a telling word with `best`, itself among them."""
        words = set(best.split())
        return [
            core
            for core, score in self.scores.items()
            if set(core.split()) & words - _COMMON and score >= _MIN_RELATED
        ]


def _company(
    words: Sequence[tuple[str, str]],
    pages: Sequence[Page],
    ticker: str | None,
    named: str | None,
    people: set[str],
) -> tuple[str | None, tuple[str, ...]]:
    """The caller's name in its fullest form, and the other forms that the opening turns use for it.

    Its own people count for more than the operator, who may mishear; names of `people` are no company's.
    """
    body = "\n".join(page.text for page in pages)
    names = _names_said(words, body, ticker, named, people)
    scores = names.scores
    if not scores:
        return None, ()
    named_as = dict(scores)
    for core in scores:
        scores[core] += min(_uses(core, body), 30) + (8 if ticker and _spells(core, ticker) else 0)
    best = max(scores, key=lambda core: scores[core])
    related = names.related(best)
    # 'President of Aflac Global Investments' names a part, however often and fittingly it is said
    wider = [
        core
        for core in related
        if named_as[core] >= _MIN_SURE_WEIGHT and set(core.split()) > set(best.split())
    ]
    best = wider[0] if wider else best
    full = max(names.forms[best], key=len)
    said = [
        core for core in related if scores[core] >= _TITLE_WEIGHT or set(core.split()) <= set(best.split())
    ]
    others = [form for core in said for form in names.forms[core] if form != full]
    return full, tuple(dict.fromkeys(others))


def _uses(core: str, body: str) -> int:
    return len(re.findall(rf"(?<!\w){re.escape(core)}(?!\w)", body, re.IGNORECASE))


def _names_said(
    words: Sequence[tuple[str, str]], body: str, ticker: str | None, named: str | None, people: set[str]
) -> _Names:
    """The title's name and those of the opening turns; where none is strong, owners in `body` that spell the
    ticker."""
    names = _Names()
    if named:
        names.count(named, _TITLE_WEIGHT)
    for speaker, text in words:
        for name, weight in _candidates(text[:6_000]):
            if name.split()[-1].lower() in PLACES and _uses(name.lower(), body) < _MIN_PLACE_USES:
                continue  # where the call is made from: 'welcome to Southfield, Michigan'
            if weight >= _MIN_SURE_WEIGHT or name.split()[0].strip(",") not in people:
                names.count(name, weight if speaker == "Operator" else weight * 2)
    if ticker and not any(score >= _MIN_SURE_WEIGHT for score in names.scores.values()):
        for name in _possessors(body, ticker):
            if name.split()[0] not in people:
                names.count(name, 1)
    return names


def _candidates(opening: str) -> Iterator[tuple[str, int]]:
    for weight, pattern in _OPENINGS:
        for match in pattern.finditer(opening):
            if name := _trim(match["name"]):
                yield name, weight


def _trim(name: str) -> str | None:
    """A captured run of words cut where the name ends; None if nothing of a name is left."""
    name = _END_OF_NAME.sub("", f" {name}").strip(" ,-")
    name = re.sub(r"(?:'s|’s)$|(?<=[sS])['’]$", "", name)
    name = re.split(r"(?:'s|’s)\s|(?<=[sS])['’]\s|(?<=[a-z]{3})\.\s", name)[0]
    name = re.sub(r"^[Tt]he\s+(?=\w)", "", name).strip(" ,")
    name = re.sub(r"(\b(?:Inc|Corp|Co|Ltd|Plc|LLC)\.?),?\s+[A-Z].*$", r"\1", name)
    name = re.sub(r"(?:\s+(?:and|of|the|&))+$|(?<=Corporation)\sand\s.*$|(?<=Inc\.)\sand\s.*$", "", name)
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
        if not _NOT_NAMES.intersection(name.split()) and _spells(name, ticker):
            yield name


def _spells(name: str, ticker: str) -> bool:
    """Do the ticker's letters occur in the name in their order, the first one first?"""
    letters = iter(re.sub(r"[^A-Z0-9]", "", name.upper()))
    squeezed = re.sub(r"[^A-Z0-9]", "", name.upper())
    wanted = ticker.replace(".", "").replace("-", "")
    return squeezed[:1] == wanted[:1] and all(letter in letters for letter in wanted)
