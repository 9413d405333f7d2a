"""Questions as analysts put them on a call: long, addressed to the company's people, one subject among courtesies."""

from __future__ import annotations

import re
from functools import lru_cache

from graphs.drafts.words import content

MIN_WORDS = 14
"""A spoken question is at least so long."""
MIN_SIGNS = 2
"""Different signs of speech that one has at least."""
MIN_WORDS_FOR_ANY_SIGNS = 45
"""Words from which any two of them will do."""

MIN_WORDS_TAKING_TURN = 22
"""Words from which a question that begins as speech does ('Got it. So if ...') is spoken."""

_TAKES_TURN = re.compile(
    r"(?:okay|ok|got\s+it|gotcha|understood|i\s+see|thank\s+you|thanks|of\s+course|hi|hey|hello|great|sure|yes|yeah|perfect|"
    r"all\s+right|alright|right|and\s+then|good\s+(?:morning|afternoon|evening))\b",
    re.IGNORECASE,
)
_ADDRESSED = re.compile(
    r"\byou(?:['’](?:ve|re|d|ll)|\s+(?:guys|all|have|had|are|were|mentioned|said|talked|think|see|saw|expect|plan|feel|"
    r"look|still|also|just|kind|sort|now|guided|noted|called|gave|get|got|want|need|make|took|take|put|did|do|can|could|"
    r"would|will|ended|use|used|sell|sold|buy|bought|work|hear|know))?\b|\byours?\b",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"\b(?:could|can|would|will)\s+you\s+(?:please\s+|kindly\s+|also\s+)*(?:tell|show|give|find|list|explain|summari[sz]e|"
    r"describe|look|compare|help|say|name|provide|check|calculate|compute)\b|\bdo\s+you\s+know\b|\bthank\s+you\b|"
    r"\bwhat\s+(?:do|can|could|should|would)\s+you\s+(?:know|have|find|tell|say|see|got)\b",
    re.IGNORECASE,
)
"""What a user says to the assistant: no sign that the company is addressed."""
_WONDERS = re.compile(
    r"\b(?:i['’]?m|i\s+am|i\s+was|was|just|i['’]?d\s+be|i)\s+(?:just\s+|also\s+|really\s+|kind\s+of\s+)*(?:curious|wondering|trying\s+to|"
    r"hoping|thinking|interested)\b|\bcurious\b|\bi\s+(?:just\s+)?(?:wanted|guess|wonder|think|thought|know|appreciate|had|have|get|"
    r"noticed|heard|remember|understand|recall)\b|\bi['’]d\s+(?:love|like)\s+to\b|\bmy\s+(?:\w+\s+)?question\b|\bmaybe\b|\bjust\s+(?:to|on|"
    r"as|in|one|a|thinking|wanted|wondering|curious|trying)\b",
    re.IGNORECASE,
)
_COLOR = re.compile(
    r"\b(?:give|provide|share|offer)\s+(?:us\s+|me\s+)?(?:\w+\s+){0,4}?(?:colou?r|sense|flavou?r|feel|update|thoughts|perspective|"
    r"commentary)\b|\btalk\s+(?:\w+\s+){0,3}?(?:about|through|to)\b|\bspeak\s+(?:\w+\s+){0,2}?(?:to|about|on)\b|\bwalk\s+(?:us|me)\b|"
    r"\bhelp\s+(?:us|me)\b|\bremind\s+(?:us|me)\b|\bcomment\s+on\b|\bhow\s+(?:do|should|are|would)\s+(?:we|you|i|investors)\b|"
    r"\bshould\s+(?:we|i)\b|\bhow\s+(?:are|do)\s+you\b|\btouch\s+on\b|\bunpack\b|\bput\s+and\s+takes\b|\bputs\s+and\s+takes\b",
    re.IGNORECASE,
)
_COURTESY = re.compile(
    r"\bgood\s+(?:morning|afternoon|evening)\b|\bthanks?\b|\bcongrat\w*|\b(?:hi|hey|hello)\b|\bguys\b|\bgreat\s+(?:quarter|job)\b|"
    r"\b(?:nice|great|good|strong)\s+(?:quarter|results|work|job|to\s+hear)\b|\bfollow(?:ing)?[- ]?up\b|"
    r"\bquick\s+(?:one|question)\b|"
    r"\bokay\b|\bgot\s+it\b|\bgotcha\b|\bappreciate\b|\blast\s+(?:one|question)\b|\bsqueez\w+\b",
    re.IGNORECASE,
)
_VOCATIVE = re.compile(
    r"(?:^|[.?!]\s+)(?:(?:[Aa]nd|[Ss]o|[Bb]ut|[Mm]aybe|[Ww]ell|[Yy]eah|[Oo]kay),?\s+)*"
    r"(?!(?:Hi|Hey|Hello|Thanks|Sure|Please|Okay|Ok|Yes|Yeah|And|But|So|Well|Now|Also|Then|First|Second|Third|Finally|"
    r"Maybe|Great|Good|Right|Again|However|Overall|Lastly|Next)\b)[A-Z][a-z.]{1,10}\.?,\s"
    r"|(?:[Mm]orning|[Aa]fternoon|[Ee]vening|[Tt]hanks|[Tt]hank\s+you|[Hh]i|[Hh]ey|[Hh]ello|[Cc]ongrat\w*)[,.]?\s+[A-Z][a-z.]{1,10}\.?[,.?!]"
)
"""'Ann, how ...', 'Good morning, Ann. ...'"""
_FILLER = re.compile(
    r"\b(?:kind\s+of|sort\s+of|you\s+know|i\s+mean|obviously|in\s+terms\s+of|as\s+we\s+(?:think|look|go|head|move)|going\s+forward|"
    r"as\s+you\s+(?:think|look|go|head|move)|when\s+you\s+(?:think|look)|if\s+(?:we|you|i)\s+(?:think|look|could|can|take|step)|"
    r"at\s+this\s+point|from\s+here|right\s+now|these\s+days|a\s+little\s+bit|a\s+bit)\b",
    re.IGNORECASE,
)
_SENTENCES = re.compile(r"[.?!](?=\s+[A-Z])")

_FILLER_TEXT = """
okay ok yes yeah hi hey hello good morning afternoon evening thank thanks congrats congratulations guys
everyone everybody question questions quick follow followup appreciate helpful curious wonder wondering guess
maybe just kind sort color colour sense feel flavor perspective talk touch walk remind help understand comment
commentary update thoughts think thinking thought look looking looked like know going go bit little lot really
obviously obvious anything something things thing way right now terms term point side forward back want wanted
hear heard love lastly last one two second first wondered mention mentioned previously remark remarks prepared
squeeze squeezing put puts takes piece trying try dynamic dynamics moving part parts happening happen happens
able taking still today give giving figure work hope hoping hoped couple interested interesting say saying
tell telling
"""

FILLERS = frozenset(content(_FILLER_TEXT))
"""Stems of words of speech that say nothing of the subject."""

_COURTESIES_ALONE = re.compile(
    r"\W*(?:(?:okay|ok|yes|yeah|hi|hey|hello|great|good|got it|perfect|understood|sure|thanks|thank you|"
    r"good (?:morning|afternoon|evening)|everyone|everybody|guys|all|team|so much|very much|"
    r"for (?:the|taking|squeezing)[^,.?!]*|congrat\w*[^,.?!]*|that['’]s (?:very |really )?(?:helpful|great|fair)|"
    r"helpful|appreciate[^,.?!]*|my best[^,.?!]*|nice quarter|great quarter)\b[\W_]*){1,3}$",
    re.IGNORECASE,
)
"""A clause of courtesies alone; one with more than three is not matched, which bounds the search."""


@lru_cache(maxsize=1024)
def is_spoken(question: str) -> bool:
    """True for a question put to management as on a call: 'Ann, could you give us some color on ...?'

    It is long, and shows several signs of speech: 'you' for the company, a first name, courtesies, fillers.
    """
    words = len(question.split())
    if words < MIN_WORDS:
        return False
    addressed = bool(_ADDRESSED.search(_POLITE.sub(" ", question)))
    named = bool(_VOCATIVE.search(question))
    color = bool(_COLOR.search(question))
    others = (_WONDERS, _COURTESY, _FILLER, _SENTENCES)
    signs = addressed + named + color + sum(bool(each.search(question)) for each in others)
    takes_turn = bool(_TAKES_TURN.match(question)) and words >= MIN_WORDS_TAKING_TURN
    return signs >= MIN_SIGNS and (
        addressed or named or takes_turn or words >= MIN_WORDS_FOR_ANY_SIGNS or (color and signs > MIN_SIGNS)
    )


def without_courtesies(question: str) -> str:
    """The question without sentences that greet, thank or congratulate."""
    parts = re.split(r"(?<=[.?!])\s+", question)
    kept = [part for part in parts if not all(map(_COURTESIES_ALONE.match, part.split(",")))]
    return " ".join(kept) or question
