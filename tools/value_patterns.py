"""Words, signs and patterns by which quantities and dates are read."""

from __future__ import annotations

import re

from tools.period_words import MONTH_LENGTH, MONTH_NAME, WEEK_LENGTH

_ONES_TEXT = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
"""

CURRENCY_SIGNS = {
    "$": "USD",
    "US$": "USD",
    "U.S.$": "USD",
    "C$": "CAD",
    "CA$": "CAD",
    "A$": "AUD",
    "AU$": "AUD",
    "HK$": "HKD",
    "NT$": "TWD",
    "S$": "SGD",
    "R$": "BRL",
    "€": "EUR",
    "£": "GBP",
    "¥": "JPY",
    "₹": "INR",
    "₩": "KRW",
    "RMB": "CNY",
}
CURRENCY_CODES = (
    *("USD", "EUR", "GBP", "JPY", "CNY", "CAD", "AUD", "CHF", "HKD", "TWD", "SGD", "BRL", "INR", "KRW"),
    *("MXN", "SEK", "NOK", "DKK", "ILS", "NZD", "ZAR", "PLN"),
)
CURRENCY_WORDS = {
    "dollar": "USD",
    "euro": "EUR",
    "yen": "JPY",
    "yuan": "CNY",
    "renminbi": "CNY",
    "pound": "GBP",
    "pound sterling": "GBP",
}
SCALES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12} | {
    "thousand million": 9,
    "thousand billion": 12,
}
SHORT_SCALES = {"k": 3, "m": 6, "mm": 6, "mn": 6, "mil": 6, "b": 9, "bn": 9, "t": 12, "tn": 12}
NUMBER_WORDS = {word: number for number, word in enumerate(_ONES_TEXT.split())} | dict(
    zip(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        range(20, 100, 10),
        strict=True,
    )
)

MONTH = rf"(?:{MONTH_NAME})"
"""A month's name or abbreviation, without its full stop."""
_MONTH_WORD = rf"{MONTH}\b\.?"
_MONTHS_SPAN = rf"(?:{MONTH_LENGTH})[\s-]+months?"
_WEEKS_SPAN = rf"(?:{WEEK_LENGTH})[\s-]+weeks?"
DURATION = rf"(?:{_MONTHS_SPAN}|{_WEEKS_SPAN}|(?:\d{{1,2}}|one|two|four|five)\s+months?(?=\s+ended))"
NOT_A_QUANTITY = re.compile(
    rf"""
      \[\d+(?:\s*[,;–-]\s*\d+)*\]                                        # citation markers
    | {_MONTH_WORD}\s*\d{{1,2}}(?:st|nd|rd|th)?\b(?:\s*,?\s*(?:19|20)\d{{2}}\b)?   # July 1, 2023
    | \b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_WORD}(?:\s*,?\s*(?:19|20)\d{{2}}\b)?  # 1 July 2023
    | {_MONTH_WORD}\s*,?\s*(?:19|20)\d{{2}}\b                                 # July 2023
    | \b(?:19|20)\d{{2}}-\d{{1,2}}-\d{{1,2}}\b | \b\d{{1,2}}/\d{{1,2}}/(?:19|20)?\d{{2}}\b
    | \b\d{{1,2}}:\d{{2}}\b | \b24/7\b | \b\d+-for-\d+\b
    | \b[QH][1-4](?:\s*'?\s*(?:FY\s*)?(?:(?:19|20)\d{{2}}|\d{{2}}(?![\d.,]*\s*(?:%|percent|million|billion)))\b)?
    | \b[1-4][QH]\s*'?(?:(?:19|20)?\d{{2}}\b)? | \bFY\s*'?(?:19|20)?\d{{2}}\b
    | \b(?:Forms?|Items?|Notes?|Sections?|Rules?|Exhibits?|Topics?|Subtopics?|ASC|ASU(?:\ No\.)?|SFAS|Levels?|Tables?|
         Figures?|Parts?|Pages?|Articles?|Chapters?|Schedules?|Regulations?|Releases?|No\.|Nos\.|p\.|pp\.)\s+
         (?:No\.\s*)?\d+[\w.()-]*(?<![.,])(?:(?:,\s*|\s+and\s+|\s*–\s*)\d+[A-Z]?(?![\d.,]*\s*(?:%|percent|million|billion)))*
    | \b(?:10-[QK]|8-K|20-F|6-K|S-[134])(?:/A)?\b | \b{DURATION}\b
    | \b\d+(?:st|nd|rd|th)\b
    | (?<=[a-z,.])\s?\(\d{{1,2}}\)(?!\s?%)                                 # footnote marks
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
LIST_NUMBER = re.compile(r"^[ \t]*\d{1,2}[.)][ \t]+(?=[^\W\d])", re.MULTILINE)

NUMBER_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
NUMBER = re.compile(
    r"(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d+(?:\.\d+)?|(?<!\d)\.\d+)"
    rf"|\b(?P<words>(?:{NUMBER_WORD})(?:[\s-](?:{NUMBER_WORD}))?)(?=[\s-]|\b)",
    re.IGNORECASE,
)
PERCENT = re.compile(r"%|\bper\s?cent(?:age)?\b", re.IGNORECASE)
"""What is put in percent, or asked for so."""
SIGN = "|".join(re.escape(sign) for sign in sorted(CURRENCY_SIGNS, key=len, reverse=True))
CODE = "|".join(CURRENCY_CODES)
PREFIX = re.compile(rf"(?P<currency>{SIGN}|\b(?:{CODE}))\s*$")
SHARE_WORDS = (
    r"(?:(?:both|basic|diluted|common|ordinary|adjusted|and|class|[ab]|depositary|limited|partner)\s+)*"
)
AFTER = re.compile(
    rf"""
    (?P<close1>\s?\))?
    (?:(?:[\s-]|(?<=\)))*(?P<hundred>hundred\s)?(?P<scale>thousand\s+(?:million|billion)|hundred|thousand|million|billion|trillion)s?\b
      |(?P<short>[kKmMbBtT]|mm|MM|mn|bn|tn)\b(?!-))?
    (?:
      (?:\s*-?\s*(?P<percent>%|percent(?!age)\b|per\scent\b|pct\b))
     |(?:\s*-?\s*(?P<points>percentage[\s-]points?\b|pts?\b\.?|ppts?\b))
     |(?:\s*-?\s*(?P<basis>basis[\s-]points?\b|bps\b|bp\b))
     |(?:\s*(?:in\s+|of\s+)?(?P<code>{CODE})\b)
     |(?:\s*(?:U\.?S\.?\s+)?(?P<money>dollar|euro|yen|yuan|renminbi|pounds?\ssterling|pound)s?\b)
     |(?:\s*(?P<cents>cents?)\b)
     |(?:\s+(?:(?:of|our|its|the|common|ordinary|diluted|basic|outstanding|treasury|restricted|preferred|such)\s+){{0,3}}
         (?P<shares>shares)\b)
     |(?:\s*-?\s*(?P<time>years?|months?|weeks?|days?)\b)
    )?
    (?P<close2>\s?\))?
    (?P<late>\s?%)?
    (?P<per>\s*(?:per|/|a)\s*{SHARE_WORDS}share\b)?
    """,
    re.VERBOSE,
)
PER_SHARE_BEFORE = re.compile(
    r"(?:\bper\s+(?:[a-z]+\s+){0,3}share\b|\bEPS\b)[^.;|\n\d]{0,60}$", re.IGNORECASE
)
YEAR = re.compile(r"(?:19|20)\d{2}$")
RANGE = re.compile(r"\s*(?:to|-|–|—|and|or|through)\s*(?:about|approximately)?\s*$", re.IGNORECASE)
