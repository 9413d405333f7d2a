"""Follow-ups that only point at what was said: why, how it compares, by segment, who said it, what they said."""

from __future__ import annotations

import re

from graphs.local.followup.carried_periods import balance_before, carried, moved_to
from graphs.local.followup.slots import PREPOSITION, Slots
from graphs.local.followup.told_things import as_share
from graphs.local.text.spans import Span
from tools.documents.metadata.catalog import Catalog
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS, ORDINARY

ROLE = re.compile(
    r"\b(?:ceo|cfo|coo|cto|chief\s+(?:\w+\s+)?(?:officer|executive)|chair(?:man|woman|person)?|president|treasurer"
    r"|general\s+counsel)\b",
    re.IGNORECASE,
)
_START = r"^\W*(?:(?:and|but|so|ok(?:ay)?|then|also|hm+|well|now|thanks|great)\W+)*"
_THAT = r"(?:that|this|it|those|these|them|they)"
_WHY = re.compile(
    _START
    + r"(?:why|how\s+come|what(?:['’]s|\s+(?:is|was|were))\s+(?:the\s+)?(?:reasons?|causes?|drivers?|behind)"
    r"|what\s+(?:drove|caused|explains|explained|happened)|explain|any\s+(?:idea|reasons?))"
    r"(?:\s+(?:why|for|of|behind|is|are|was|were|did|does|do|has|have|been|had|that|this|it|they|there|so|not|the|an?"
    r"|such|much|big|sharp|large|go|went|gone|down|up|chang\w+|increase\w*|decrease\w*|drop\w*|declin\w+|f[ae]ll\w*"
    r"|r[io]se\w*|rising|grow\w*|grew|growth|higher|lower|better|worse|low|high|strong|weak|good|bad|flat|small|little|improv\w+|jump\w*|shr[aiu]nk|happen\w*|doing|do"
    r"|narrow\w*|widen\w*|swing|swung|surg\w+|spik\w+|slow\w*|soar\w*|plung\w+|slip\w*|turn\w*|compress\w*|expand\w*))*\W*$",
    re.IGNORECASE,
)
_FELL = re.compile(
    r"\b(?:down|decrease\w*|drop\w*|declin\w+|f[ae]ll\w*|lower|shr[aiu]nk)\b|\bworse\b", re.IGNORECASE
)
_ROSE = re.compile(r"\b(?:up|increase\w*|r[io]se\w*|rising|grow\w*|grew|higher|jump\w*)\b", re.IGNORECASE)
_OWN_VERB = re.compile(r"\b(?:narrow|widen|surge|spike|slow|soar|plunge|slip|swing|expand)\b", re.IGNORECASE)
_COMPARE = re.compile(
    _START
    + rf"(?:(?:how|what)\s+(?:(?:does|do|did|would|has|have|is|was|about)\s+)?{_THAT}\s+(?:compar\w+|stack\s+up"
    r"|chang\w+|develop\w*|evolv\w+|trend\w*|mov\w+|gr[eo]w\w*)"
    rf"|(?:how|what)\s+(?:did|has|have)\s+{_THAT}\s+(?:been\s+)?(?:chang\w+|develop\w*|evolv\w+|trend\w*|mov\w+)"
    rf"|(?:is|are|was|were|did|does|has|have)\s+{_THAT}\s+(?:(?:an?|go|gone|any|been|get|got)\s+)?"
    r"(?:up|down|higher|lower|better|worse|more|less|increas\w+|decreas\w+|improv\w+|declin\w+|dropp?\w*|gr[eo]w\w*|fall\w*|rise\w*)"
    r"|(?:up|higher|better|more|increase|growth)\s+or\s+(?:down|lower|worse|less|decrease|decline)"
    r"|compar\w+(?=\W*$|\s+(?:to|with|that|it|against)\b)|vs\.?(?=\s)|versus|against|relative\s+to|year[\s-](?:over|on)[\s-]year|yoy|y/y"
    r"|qoq|q/q|sequentially|(?:the\s+)?(?:growth|trend|change)(?=\W*$)|by\s+how\s+much|how\s+much\s+(?:up|down|more|less|higher|lower))",
    re.IGNORECASE,
)
_DIMENSION = re.compile(
    r"\b(?:by|per|for\s+each|for\s+the|across|into)\s+(?:(?:the|its|their|each|all|reportable|operating|business|product)\s+)*"
    r"(?P<by>segments?|products?(?:\s+lines?|\s+categor(?:y|ies))?|regions?|geograph(?:y|ies)|countr(?:y|ies)|categor(?:y|ies)|divisions?"
    r"|business(?:es)?(?:\s+(?:units?|lines?))?)\b|\b(?P<noun>segment|product|geographic(?:al)?|regional)\s+(?:break\s?down|split|detail)\b",
    re.IGNORECASE,
)
_BREAKS = re.compile(
    rf"\b(?:(?:break|broken)(?:\s*(?:down|out|up))?(?:\s+{_THAT})?(?:\s+(?:down|out|up))?|split(?:\s+{_THAT})?(?:\s+(?:up|out))?"
    r"|show|give|same|detail)\b",
    re.IGNORECASE,
)
_NOUNS = {
    "geographic": "region",
    "geographical": "region",
    "regional": "region",
    "geography": "region",
    "geographies": "region",
}
_WHO_SAID = re.compile(
    _START
    + rf"(?:who\s+(?:exactly\s+)?(?:said|says|told|stated|mentioned|made|claim(?:s|ed))(?:\s+(?:us\s+)?{_THAT}|\s+so)?"
    rf"(?:\s+(?:statement|comment|claim|point))?|who\s+(?:is|was)\s+(?:{_THAT}|he|she|speaking|talking|the\s+speaker)"
    rf"|who(?:['’]s)\s+(?:speaking|talking|that)|whose\s+words\s+(?:are|were|is)\s+{_THAT}|from\s+whom)\W*$",
    re.IGNORECASE,
)
_WHO_ASKED = re.compile(
    _START
    + r"(?P<who>who|(?:which|what)\s+analysts?)(?:\s+else)?\s+(?:asked|raised|brought|inquired|wanted\s+to\s+know)"
    rf"(?:\s+(?:up|about|on|for))*(?:\s+{_THAT})?(?:\s+up)?(?:\s+on\s+the\s+call)?\W*$",
    re.IGNORECASE,
)
_SAID = re.compile(
    _START + r"(?:what\s+(?:else\s+)?(?:did|do|does|has|have|had|was)\s+(?P<who>[\w\s]{0,30}?)\s*"
    r"\b(?:say|says|said|tell\s+us|told|comment|commented|think|explain|explained|mention|mentioned|answer|reply|respond)\b"
    r"|any\s+(?:comments?|commentary|colou?r|remarks?)(?:\s+from\s+(?P<from>[\w\s]{1,30}?))?)"
    r"(?:\s+else)?(?:\s+(?:about|on|of|regarding|to)\b(?P<topic>.*?))?\W*$",
    re.IGNORECASE,
)
_POINTS = re.compile(
    rf"^\s*(?:{_THAT}|the\s+(?:change|increase|decrease|drop|decline|rise|growth))?\s*$", re.IGNORECASE
)
_HE = re.compile(r"\b(?:he|she|him|her)\b", re.IGNORECASE)
_THEY = re.compile(
    r"^(?:they|it|management|mgmt|execs?|executives?|the\s+(?:company|firm|management|executives?)|been|anyone|anybody|)$",
    re.IGNORECASE,
)
_SPEAKER = re.compile(r"(?:^|\n)(?:- )?(?P<name>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}) \([^()\n]+\): [“\"]")
_PERSON_NAMED = re.compile(
    r"(?:^|\n)(?:- )?(?P<name>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3}) (?:holds the role|is (?:an|the|its)\b|asked on)"
    r"|\bis (?P<last>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){1,3})(?=[ .,])"
)
_TOPIC = re.compile(r"\b(?:about|on|regarding|of|with|to|for|from|around|in)\s+")
_SMALL = FUNCTION_WORDS | frozenset(
    [
        "s",
        "compare",
        "compared",
        "decrease",
        "decline",
        "lower",
        "worse",
        "increase",
        "growth",
        "quarter",
        "period",
    ]
)
MAX_SPEAKERS = 3


def pointed(now: Slots, earlier: Slots, answer: str, about: Slots, catalog: Catalog | None) -> str:
    """The standalone question of a turn that only points at what was said before it; '' for any other turn.

    `answer` is the answer to `earlier`; `about` the last question that was about a subject, not a person.
    """
    if _asks_why(now, about):
        return why_of(now.text, about)
    if _WHO_SAID.match(now.text):
        return _who_said(earlier, answer)
    if _WHO_ASKED.match(now.text) and earlier.company:
        return (
            f"Which analyst asked about {topic_of(about)} on {earlier.company}'s call{_spaced(about.period)}?"
        )
    if (match := _SAID.match(now.text)) and not _outside(now.metrics, match.span("topic")):
        return _said(match, now, earlier, answer, about)
    if share := as_share(now, earlier, answer, about, catalog):
        return share
    if not now.companies and (dimension := _dimension(now)) and (about.metrics or now.metrics):
        figure = now.figure or about.figure
        return f"What was {_of(about)}{figure} by {dimension}{_spaced(now.period or about.period)}?"
    if about.metrics and (compared := _COMPARE.match(now.text)) and _is_bare(now, compared.end()):
        return _compared(now, about, catalog)
    return ""


def _asks_why(now: Slots, about: Slots) -> bool:
    return bool(about.metrics and not (now.metrics or now.companies) and _WHY.match(now.text))


def _spaced(text: str) -> str:
    return f" {text}" if text else ""


def _of(earlier: Slots) -> str:
    return f"{earlier.company}'s " if earlier.company else ""


def why_of(text: str, earlier: Slots) -> str:
    """A turn that asks for reasons of a figure, spelled out."""
    at = f" at {earlier.company}" if earlier.company else ""
    own = _OWN_VERB.search(text)
    change = (
        own.group() if own else "fall" if _FELL.search(text) else "rise" if _ROSE.search(text) else "change"
    )
    return f"Why did {earlier.figure}{at} {change}{_spaced(earlier.period)}?"


def more_of(about: Slots) -> str:
    """What there is to say besides on the matter of a question: of a figure, why it is what it is."""
    if about.metrics:
        return why_of("", about)
    return f"Tell me about {topic_of(about)} of {about.company} {about.period}".rstrip() + "."


def _who_said(earlier: Slots, answer: str) -> str:
    names = list(dict.fromkeys(match["name"] for match in _SPEAKER.finditer(answer)))[:MAX_SPEAKERS]
    at = f" at {earlier.company}" if earlier.company else ""
    if names:
        verb = "is" if len(names) == 1 else "are"
        return f"Who {verb} {', '.join(names[:-1])}{' and ' if names[1:] else ''}{names[-1]}{at}?"
    if not earlier.company:
        return ""
    return f"What did {earlier.company}'s management say about {topic_of(earlier)}{_spaced(earlier.period)}?"


def _said(match: re.Match[str], now: Slots, earlier: Slots, answer: str, about: Slots) -> str:
    """What was said about the subject in hand, or about one that the turn names itself."""
    who = (match["who"] or match["from"] or "").strip()
    own = match["topic"] or ""
    if _outside(now.companies, match.span("topic")):
        return ""
    if not earlier.company and not _HE.search(who):
        return ""
    matter = topic_of(about) if _POINTS.match(own) else own.strip()
    if match["topic"] is None and not about.metrics and " about " not in about.text:
        matter = ""  # an overview is about nothing in particular
    if role := ROLE.search(who):
        subject = f"the {role.group()} of {earlier.company}"
    elif _HE.search(who):
        role = ROLE.search(earlier.text)
        subject = f"the {role.group()} of {earlier.company}" if role else person(answer)
    elif _THEY.match(who):
        subject = f"{earlier.company}'s management"
    elif who.lower() in ("analysts", "the analysts"):
        return f"What did analysts ask about {matter} on {earlier.company}'s call{_spaced(about.period)}?"
    else:
        return ""
    on = f" about {matter}" if matter else ""
    return f"What did {subject} say{on}{_spaced(about.period)}?" if subject else ""


def person(answer: str) -> str:
    """The first person that an answer names or quotes; '' if there is nobody."""
    named = next((match["name"] or match["last"] for match in _PERSON_NAMED.finditer(answer)), "")
    return named or next((match["name"] for match in _SPEAKER.finditer(answer)), "")


def _outside(spans: tuple[Span, ...], span: Span) -> bool:
    """Does one of `spans` lie outside `span`?"""
    return any(not (span[0] <= start and end <= span[1]) for start, end in spans)


def topic_of(earlier: Slots) -> str:
    """What a question is about: its figure, or the words behind its 'about', else behind its last preposition."""
    if earlier.metrics:
        return earlier.figure
    text = earlier.text
    for start, end in sorted(
        [*earlier.companies, *([earlier.period_span] if earlier.period_span else [])], reverse=True
    ):
        rest = re.sub(r"^['’]s?\b", "", text[end:])
        text = f"{text[:start].rstrip()} {rest}" if rest.strip(" ?.!") else text[:start]
    text = re.sub(r"\s+(?:at|of|on|by|in|on\s+the|on\s+the\s+call)\s*$", "", text.strip(" ?.!"))
    found = list(_TOPIC.finditer(text))
    named = text[found[0].end() :] if (found := [m for m in found if m.group().startswith("about")]) else ""
    if not named and (all_of := list(_TOPIC.finditer(text))):
        named = text[all_of[-1].end() :]
    named = re.sub(r"^(?:its|their|the)\s+", "", named.strip())
    if named and any(token.word not in FUNCTION_WORDS for token in name_tokens(named)):
        return named
    words = [token.raw for token in name_tokens(text) if token.word not in FUNCTION_WORDS]
    specific = [word for word in words if word.lower() not in ORDINARY] or words
    return " ".join(specific[-4:])


def _dimension(now: Slots) -> str:
    """'segment' of 'break it down by segment'; '' where the turn asks for something else beside it."""
    match = _DIMENSION.search(now.text)
    if match is None:
        return "segment" if re.match(_START + rf"break\s+{_THAT}\s+down\W*$", now.text, re.IGNORECASE) else ""
    rest = now.text[: match.start()] + " " + now.text[match.end() :]
    for start, end in sorted([*now.metrics, *((a.start, a.end) for a in now.asks)], reverse=True):
        if end <= match.start():
            rest = rest[:start] + " " * (end - start) + rest[end:]
    rest = _BREAKS.sub(" ", rest)
    if any(token.word not in FUNCTION_WORDS and token.word != "please" for token in name_tokens(rest)):
        return ""
    word = (match["by"] or match["noun"]).lower()
    return _NOUNS.get(word, word)


def _is_bare(now: Slots, at: int) -> bool:
    """Nothing but companies, periods and small words behind `at`?"""
    rest = list(now.text[at:])
    for start, end in [*now.companies, *now.names, *((ask.start, ask.end) for ask in now.asks)]:
        for index in range(max(0, start - at), max(0, end - at)):
            rest[index] = " "
    return all(token.word in _SMALL for token in name_tokens("".join(rest)))


def _compared(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    """With the company or period that the turn names, else with the year before."""
    if now.companies:
        return _with_company(now, earlier, catalog)
    at = f" at {earlier.company}" if earlier.company else ""
    first = now.asks[0] if now.asks else None
    base = (
        "the same quarter a year before"
        if "quarter" in earlier.period.lower()
        else "the same period a year before"
    )
    base = balance_before(earlier, catalog) or base
    if first is not None and first.kind not in ("year_ago", "last_year", "this_year"):
        base = PREPOSITION.sub("", carried(now, earlier, catalog)) or base
    return f"How did {earlier.figure}{at}{_spaced(earlier.period)} change from {base}?"


def _with_company(now: Slots, earlier: Slots, catalog: Catalog | None) -> str:
    others = " and ".join(now.text[slice(*span)] for span in now.companies)
    bare = re.sub(r"^(?:[A-Z][\w&]*\s+)+(?=\w)", "", earlier.metric)
    part = f" {now.text[slice(*now.names[0])]} {bare}" if now.names else ""
    theirs = now.period
    if not theirs and len(now.indexed) == 1:
        theirs = moved_to(now.indexed[0], earlier, catalog)
        if not theirs and earlier.asks and earlier.asks[0].kind == "latest":
            theirs = earlier.period
    if not earlier.company:
        return f"How does {earlier.figure}{_spaced(earlier.period)} compare with {others}'s{part}?"
    ours = f"{earlier.company}'s {earlier.figure}{_spaced(earlier.period)}"
    return f"How does {ours} compare with {others}'s{part}{_spaced(theirs)}?"
