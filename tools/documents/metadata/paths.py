"""What a file's path says about it: the least trusted source of metadata."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tools.documents.text.ordinary_words import ORDINARY
from tools.documents.types import DocType

_TYPES: dict[str, DocType] = {
    "10Q": "10-Q", "10K": "10-K", "8K": "8-K", "20F": "annual", "40F": "annual", "ECT": "call", "CALL": "call",
    "TRANSCRIPT": "call", "EARNINGS": "release", "RELEASE": "release",
}  # fmt: skip
_NOT_TICKERS = frozenset(
    ["ECT", "SEC", "PDF", "TXT", "MD", "FORM", "FY", "EX", "DOC", "DOCS", "DATA", "FILES", "REPORT", "CALL"]
)


_FORM = re.compile(r"(?<![a-zA-Z0-9])(10|8|20|40)-([QKF])(?![a-zA-Z0-9])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PathLabel:
    """Parts of a path; a year and a quarter are labels, fiscal or calendar as whoever named the file meant
    it."""

    company: str | None = None
    ticker: str | None = None
    doc_type: DocType | None = None
    year: int | None = None
    quarter: int | None = None

    @property
    def is_labelled(self) -> bool:
        """Does the path say of what kind or period the document is?"""
        return self.doc_type is not None or self.year is not None or self.quarter is not None


def read_path(relative_path: str) -> PathLabel:
    """The labels in paths such as 'Apple/2023/10Q_10K/10Q-Q2-2023.pdf', '2023 Q3 AAPL.pdf',
    'ADM/2021/ECT/ECT-Q2-2021.pdf' and '3M_2022_10K.pdf'; the file name counts before its folders."""
    *folders, name = relative_path.split("/")
    stem = name.rsplit(".", 1)[0]
    parts = [stem, *reversed(folders)]
    words = {part: re.split(r"[\s_.\-()]+", _FORM.sub(r"\1\2", part)) for part in parts}
    year = quarter = None
    types: list[DocType] = []
    for part in parts:
        for word in words[part]:
            if year is None and re.fullmatch(r"(?:FY)?(?:19|20)\d\d", word):
                year = int(word[-4:])
            elif quarter is None and re.fullmatch(r"[Qq][1-4]|[1-4][Qq]", word):
                quarter = int(re.sub(r"\D", "", word))
            elif both := re.fullmatch(r"((?:19|20)\d\d)[Qq]([1-4])", word):
                year, quarter = year or int(both[1]), quarter or int(both[2])
            elif word.upper() in _TYPES:
                types.append(_TYPES[word.upper()])
    # 'earnings call' is a call
    doc_type = next((each for each in types if each != "release"), types[0] if types else None)
    formal = year is not None and doc_type is not None
    ticker, company = _owner(words[stem], formal=formal)
    if ticker is None and company is None and year is not None:
        for part in folders:
            if any(re.fullmatch(r"(?:19|20)\d\d", word) for word in words[part]):
                break  # the company's folder stands before the year's
            ticker, company = _owner(words[part], formal=formal)
    return PathLabel(company, ticker, doc_type, year, quarter)


def _owner(words: list[str], *, formal: bool) -> tuple[str | None, str | None]:
    """Ticker and company named by the words that are no label; the latter only beside labels, as in
    '3M_2022_10K', and of ordinary words ('Annual Report') only where a year and a form are said as well (`formal`)."""
    rest = [w for w in words if w and not _is_label(w)]
    tickers = [w for w in rest if re.fullmatch(r"[A-Z]{1,5}", w)]
    if len(rest) == 1 and tickers:
        return tickers[0], None
    plain = all(word.lower() in ORDINARY for word in rest) and not formal
    if rest and not plain and len(rest) <= 4 and all(re.match(r"[A-Z0-9]", w) for w in rest):
        return None, " ".join(rest)
    return None, None


def _is_label(word: str) -> bool:
    return bool(
        re.fullmatch(r"(?:FY)?(?:19|20)\d\d(?:[Qq][1-4])?|[Qq][1-4]|[1-4][Qq]|(?:10[QK]|8K|[24]0F)|\d+", word)
    ) or word.upper() in _NOT_TICKERS | {
        "EARNINGS",
        "TRANSCRIPT",
        "QUARTERLY",
        "ANNUAL",
        "RELEASE",
        "RESULTS",
    }
