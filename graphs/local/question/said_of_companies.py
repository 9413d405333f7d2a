"""What a question that asks for companies says of them."""

from __future__ import annotations

import re

from graphs.local.question.question_forms import POLITE
from graphs.local.text.period_mentions import without_periods

_LEAD = (
    r"(?:\s*\b(?:according\s+to|going\s+by|(?:just\s+)?looking\s+at|on|in|at|during|from|across|the|their|its|these|"
    r"those|all|our)\b)+"
)
_DOCUMENTS = re.compile(
    rf"{_LEAD}\s*\b(?:(?:earnings|conference)\s+)?"
    r"(?:calls?|transcripts?|10-?[kq]s?|8-?ks?|(?:annual|quarterly)\s+reports?)\b(?!\s+(?:option|center|centre))",
    re.IGNORECASE,
)
"""Documents that a question restricts itself to, with what leads to them."""
_LEADS_TO_PERIOD = re.compile(
    r"(?:\s?\b(?:in|at|as|of|for|during|by|on|the|end|close|start|beginning)\b){1,6}\s?$", re.IGNORECASE
)
_OF_WHICH = re.compile(
    r"^\W*(?:(?:list|name|show|find|count)\s+(?:me\s+)?)?(?:(?:all|every|the)\s+)*"
    r"(?:(?:how\s+many|which|what|who(?:se)?|where|any(?:one|body)?)\b\s*)?"
    r"(?:(?:of|the|these|them|those|your|our|all)\s+)*(?:(?:compan(?:y|ies)|firms?|business(?:es)?|ones?)\b\s*)?"
    r"(?:(?:that|who|which)\s+)?",
    re.IGNORECASE,
)


def said_of_companies(question: str) -> str:
    """What a question for companies says of them: 'use Ernst & Young' of 'How many of them use Ernst & Young?'.
    Without the periods and documents that it names: these are filters, and most that a call says is near to 'call'."""
    within = _DOCUMENTS.sub(" ", without_periods(question, _LEADS_TO_PERIOD))
    for text in (within, question):
        plain = " ".join(POLITE.sub("", text).split()).lstrip(" ,.")
        said = plain[_OF_WHICH.match(plain).end() :].strip(" ,.?!:")  # type: ignore[union-attr]
        if said:
            return said
    return question
