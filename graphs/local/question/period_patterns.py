"""What phrases of a question that ask for a reporting period look like; `period_phrases` says what they mean."""

from __future__ import annotations

import re

from tools.period_words import ANY_ORDINAL, MONTHS
from tools.value_patterns import NUMBER_WORD

_BASIS = r"(?P<basis>fiscal(?:\s+year)?|financial\s+year|f?ye|y/e|fy|calendar(?:\s+year)?|cy)"
_MONTH = rf"(?:{'|'.join(MONTHS)}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
_YEAR_AFTER = (
    rf"(?:[\s,\-/]*(?:of\s+|in\s+|for\s+)?(?:the\s+)?(?:{_BASIS}[\s\-]*'?(?P<year>(?:19|20)?\d\d)|"
    r"(?P<plain>(?:19|20)\d\d)|['’](?P<short>\d\d)|(?<=[1-4qh]\s)(?P<bare>1[5-9]|[23]\d)(?!,\s(?:19|20)|[.,]\d)"
    r"(?=\s*(?:[,.?):]|$|(?:to|and|on|against|vs|versus|over|than)\b)))"
    r"(?![\w/])(?!-\w))?"
)
_YEAR_BEFORE = (
    r"(?:(?P<lead_basis>fiscal(?:\s+year)?|fy|calendar(?:\s+year)?|cy)?[\s\-]*'?(?P<lead>(?:19|20)\d\d|(?<=fy)\d\d|"
    r"(?<=fy')\d\d)(?:['’]s)?[\s\-,]+)?"
)
_QUARTER = (
    r"(?P<q_basis>(?:fiscal|calendar)\s+|[fc](?=q[1-4]|[1-4]q))?"
    r"(?:q\s?-?(?P<q>[1-4])(?!\d)|(?P<q2>[1-4])q(?P<glued>\d\d)?(?!\d)|"
    rf"(?P<q3>{ANY_ORDINAL})[\s\-]+(?:(?P<q_basis2>fiscal|calendar)[\s\-]+)?"
    r"(?:quarter|qtr)s?)"
)
QUARTERS = re.compile(rf"(?<![\w.])(?:the\s+)?{_YEAR_BEFORE}{_QUARTER}{_YEAR_AFTER}", re.IGNORECASE)
PARTS = re.compile(
    r"(?<![\w.])(?:the\s+)?(?:(?P<half>first|second|1st|2nd)[\s\-]+half|(?P<h>[12])h(?P<glued>\d\d)?|h(?P<h2>[12])|"
    r"(?:the\s+)?first\s+(?P<span>three|six|nine|3|6|9)\s+months|"
    r"(?:the\s+)?(?:first|(?P<closing>last|final))\s+(?P<quarters>two|three|2|3)\s+quarters|(?P<nm>[369])m(?!\s+end))"
    + _YEAR_AFTER,
    re.IGNORECASE,
)
YEARS = re.compile(
    rf"(?<![\w$€£.,/\-])(?:{_BASIS}[\s\-]*['’]?(?P<year>(?:19|20)\d\d|\d\d(?!\s+{_MONTH}\b))|(?P<plain>(?:19|20)\d\d)"
    r"|year[\s-]?end\s+(?P<short>1[5-9]|[23]\d)(?=\s*(?:[,.?)]|$|(?:to|and|against|vs|versus|over)\b)))(?![\w/,%]\w|\w|-\w)",
    re.IGNORECASE,
)
YEAR_RANGE = re.compile(
    rf"(?<![\w$€£.,/\-])(?<!\basu\s)(?<!\bno\.\s)(?<!\bupdate\s)(?P<from>(?:{_BASIS}[\s\-]*['’]?(?P<year>(?:19|20)?\d\d)|(?P<plain>(?:19|20)\d\d)))[-–—]"
    r"(?P<to>(?:f?ye|fy|cy)?['’]?(?P<last>(?:19|20)?\d\d))(?![\w/\-]|[.,]\d|\s?%)",
    re.IGNORECASE,
)
"""'2017-2021', 'FY17-FY19', '2017-21'; not the standard 'ASU 2016-13'."""
_RECENT = r"(?:most\s+recent(?:ly)?|latest|last|newest|current|present|this|recent|just[\s-]ended)"
LATEST = re.compile(
    rf"\b(?:the\s+)?{_RECENT}\s+(?:completed\s+|reported\s+|reporting\s+|ended\s+|fiscal\s+|available\s+)*"
    r"(?:quarters?|qtr|periods?|three\s+months|10-q|10-k|filings?|reports?|call|earnings\s+call|transcript)\b"
    r"(?!\s+(?:of|a\s+year|last\s+year))|\b(?:the\s+)?(?:most\s+recent(?:ly)?|latest)\b|\bcurrently\b",
    re.IGNORECASE,
)
LAST_COUNT = re.compile(
    r"\b(?:the\s+)?(?:last|past|previous|latest|most\s+recent)\s+(?P<count>[2-8]|two|three|four|five|six|seven|eight)"
    r"\s+(?:reported\s+|fiscal\s+)?(?:quarters|quarterly\s+(?:reports|filings)|10-?qs)\b",
    re.IGNORECASE,
)
_EACH = (
    r"(?:all|the|of|these|those|its|their|each|every|several|recent|past|successive|various|multiple|last|different"
    r"|consecutive)"
)
_REPORTED = r"(?:reported|reporting|fiscal|quarterly|available|10-q|covered|given|indexed|most)"
_REPORTS = r"(?:quarters|periods|reports|filings|10-?qs|balance\s+sheet\s+dates)"
SERIES = re.compile(
    rf"\bover\s+time\b|\b(?:from\s+)?(?:quarter|period)[\s-](?:to|by|after)[\s-](?:quarter|period)\b"
    rf"|\b(?:across|over|through|throughout|during|between|among|for|in)\s+(?:{_EACH}\s+)*(?:{_REPORTED}\s+)*{_REPORTS}\b"
    r"(?:\s+(?:on\s+file|reported|covered|available|given|provided|presented|indexed))?"
    r"|\b(?:each|every|by)\s+quarter\b",
    re.IGNORECASE,
)
BEFORE = re.compile(
    rf"\b(?:(?:compared|relative)\s+(?:to|with)\s+|(?:than|from|with|against|versus|vs\.?)\s+)?(?:(?:in|that\s+of|those\s+of)\s+)?"
    rf"(?:the\s+)?(?:previous|prior|past|earlier|preceding)\s+(?:{_REPORTED}\s+)*{_REPORTS}\b",
    re.IGNORECASE,
)
_SAME = r"(?:same|corresponding|comparable|equivalent|matching)"
_SPAN = r"(?:quarter|period|qtr|(?:three|six|nine)\s+months|\d\s+months)"
YEARS_AGO = re.compile(
    rf"\b(?P<count>{NUMBER_WORD}|\d)\s+(?:fiscal\s+)?years\s+(?:ago|before|earlier|prior|previously)\b",
    re.IGNORECASE,
)
YEAR_AGO = re.compile(
    rf"\b(?:the\s+)?{_SAME}\s+(?:fiscal\s+)?{_SPAN}(?:\s+(?:(?:of|in|from)\s+)?(?:the\s+)?(?:(?:a|one)\s+year|"
    r"(?:prior|previous|preceding|last)\s+(?:fiscal\s+)?year)(?:\s+(?:ago|before|earlier|prior|previously))?)?"
    rf"|\b(?:the\s+)?(?:prior|previous|preceding|last)[\s-]+years?(?:['’]s?)?[\s-]+(?:{_SAME}\s+)?(?:fiscal\s+)?{_SPAN}"
    rf"|\b(?:the\s+)?year[\s-](?:ago|earlier|before|prior)(?:\s+{_SPAN})?"
    rf"|\b(?:the\s+)?{_SPAN}\s+(?:a|one)\s+year\s+(?:ago|earlier|before|prior)"
    r"|\b(?:a|one)\s+year\s+(?:ago|earlier|before|prior|previously)"
    r"|\byear[\s-](?:over|on|to)[\s-](?:the[\s-])?year\b(?!\s+to)|\byoy\b|\by/y\b|\by-o-y\b"
    r"|\b(?:the\s+)?(?:prior|previous|preceding)\s+(?:fiscal\s+)?year\b(?![\s-]+end,?\s+\(?[a-z]{3,9}\.?\s+\d)",
    re.IGNORECASE,
)
PREVIOUS = re.compile(
    r"\b(?:the\s+)?(?:previous|prior|preceding)\s+(?:fiscal\s+)?(?:quarter|qtr)\b|\b(?:the\s+)?quarter\s+"
    r"(?:before|prior|earlier|preceding)(?:\s+(?:that|this|to|it|last))?\b(?:\s+quarter\b)?|\ba\s+quarter\s+(?:ago|earlier|before)\b"
    r"|\bsequential(?:ly)?\b|\bquarter[\s-](?:over|on)[\s-]quarter\b|\bqoq\b|\bq/q\b",
    re.IGNORECASE,
)
THIS_YEAR = re.compile(
    r"\b(?:this|the\s+current)\s+(?:fiscal\s+)?year\b|\byear[\s-]to[\s-]date\b|\bytd\b", re.I
)
LAST_YEAR = re.compile(r"\blast\s+(?:fiscal\s+)?year\b", re.IGNORECASE)
PERIOD_ROLE = re.compile(
    r"(?:\bto[\s-]date|\bytd|\bend(?:ed|ing|s)?|\bending\s+on|\bas\s+(?:of|at)|\bat(?:\s+the)?(?:\s+close)?(?:\s+of)?|\bfor|\bof|\bend|"
    r"\bquarters?|\bmonths|\bto|\bversus|\bvs\.?|\band|\bwith|\bthan|\bperiod|[,:(])\s*(?:the\s+)?(?:on\s+)?$",
    re.IGNORECASE,
)
MONTH_RANGE = re.compile(
    rf"\b(?P<first>{_MONTH})\.?(?:\s+(?P<began>(?:19|20)\d\d))?\s*(?:[-–—]|to|thru|through|until)\s*(?P<month>{_MONTH})\.?"
    r"(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d))?(?!\.?\s+\d{1,2}\b)(?:\s+(?:fiscal\s+)?(?:quarter|qtr|period|half)\b)?",
    re.IGNORECASE,
)
"""'July-December 2022': whole months."""
MONTH_QUARTER = re.compile(
    rf"\b(?P<month>{_MONTH})\.?(?:[-'’ ]+(?P<short>\d\d))?\s+(?:quarters?|qtr)\b"
    r"(?:\s+(?:of\s+|in\s+)?(?P<year>(?:19|20)\d\d))?",
    re.IGNORECASE,
)
NOT_A_PERIOD = re.compile(
    r"\b(?:due|matur\w+|expir\w+|notes?|bonds?|plan|act|by|until|through|target|since)\s+(?:in\s+|of\s+|the\s+)*$",
    re.IGNORECASE,
)
NOT_A_PERIOD_AFTER = re.compile(
    r"^(?:['’]s)?\s+(?:(?:\w+\s+)?(?:notes?|bonds?|plan|act|program|credit|agreement|form|annual\s+report)\b)|^s\b",
    re.I,
)
ANNUAL_REPORT = re.compile(r"\b(?:fiscal\s+)?(?P<year>20\d\d)\s+annual\s+report\b", re.IGNORECASE)
TO_DATE = re.compile(r"\byear[\s-]to[\s-]date\b|\bytd\b", re.IGNORECASE)
"""Says how long a period is that another phrase dates: 'year to date through June 25, 2022'."""
TO_A_DAY = re.compile(
    rf"(?:{TO_DATE.pattern})[\s,(]*(?:through|thru|to|until|as\s+of|ended|ending)?\s*$", re.IGNORECASE
)
REPORT_AFTER = re.compile(
    r"(?:['’]s)?\s+(?:form\s+|sec\s+|quarterly\s+|earnings\s+)*(?:10-?[qk]|reports?|filings?)\b",
    re.IGNORECASE,
)
REPORT_BEFORE = re.compile(
    r"\b(?:10-?[qk]|reports?|filings?)(?:\s+(?:report|filing))?\s+(?:(?:for|of|from|in)\s+)?(?:the\s+)?[(\[]?$",
    re.IGNORECASE,
)
