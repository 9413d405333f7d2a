"""What models say around an answer or in its place: small talk, leads, refusals, 'it is not there'."""

from __future__ import annotations

import re

_HOLDERS = r"(?:evidence|documents?|context|information|passages?|text|sources?|data)"
_GIVEN = r"(?:provided|given|numbered|available|above)"
_ADVERB = r"(?:explicitly |directly |specifically |clearly )?"
_TELL = (
    r"(?:contain|hold|include|mention|provide|specify|state|say|give|answer|disclose|address|indicate|reveal"
    r"|describe)s?"
)
_TOLD = (
    r"(?:in|mentioned|provided|stated|specified|found|given|available|included|disclosed|contained|present"
    r"|described)"
)

CHAT = re.compile(
    r"^(?:sure|certainly|of course|absolutely|great question|thank you|i hope (?:this|that)|let me know"
    r"|please let me|feel free|if you (?:have|need)|is there anything|here(?:['’]s| is| are) (?:the|a|an|my|your)"
    r"|note that this answer|this answer is based|the (?:above|corrected) answer)\b",
    re.IGNORECASE,
)
"""A sentence that is said to the user and states nothing."""
LEAD = re.compile(
    rf"^(?:based (?:solely |only )?(?:on|upon)|according to|from|as per|per) (?:the )?(?:{_GIVEN} )?"
    rf"(?:pieces? of )?{_HOLDERS}(?: {_GIVEN})?(?: (?=\[))?((?:\[\d{{1,3}}\])*)[,:]\s*",
    re.IGNORECASE,
)
"""'According to the evidence provided [2], ...'; group 1: its markers."""
SAYS = re.compile(
    r"^(?:the )?(?:evidence|source|document|passage)(?: (?:number|no\.?))? [\[(]?(\d{1,3})[\])]?,? "
    r"(?:states?|says?|shows?|indicates?|mentions?|reports?|notes?|gives?|tells? us)(?: that)?:? (?=\w)",
    re.IGNORECASE,
)
"""'Evidence 2 states that ...'; group 1: its number."""
REFUSES = re.compile(
    r"^(?:i(?:['’]m| am) (?:sorry|afraid|unable|not able)|i apologi[sz]e|sorry\b"
    r"|i (?:can(?:not|['’]t)|won['’]t|must decline)|as an ai\b|unfortunately,? i\b)",
    re.IGNORECASE,
)
"""A reply that declines."""
LACKS = re.compile(
    rf"\b{_HOLDERS}\b[^.]{{0,60}}?\b(?:(?:does|do|did) not|doesn['’]t|don['’]t) {_ADVERB}{_TELL}\b"
    r"|\bno (?:relevant |such )?(?:information|evidence|mention|answer)\b[^.]{0,60}\b(?:in|provided|available"
    r"|found|given)\b"
    rf"|\b(?:is|are|was|were) not {_ADVERB}{_TOLD}(?: in)?(?: the)?(?: {_GIVEN})? {_HOLDERS}\b",
    re.IGNORECASE,
)
"""A sentence that says that the evidence lacks the answer."""
