"""Forms of questions, as data: wording that asks for a fact, for prose, or leaves it open."""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


POLITE = _any(
    r"^(?:\W*(?:hi|hello|hey|good\s+(?:morning|afternoon|evening)|please|pls|plz|kindly|thanks"
    r"|ok(?:ay)?|so|well|hmm+|"
    r"and|also|but)\b\W*)+",
    r"^\W*(?:(?:could|can|would|will)\s+you\s+(?:please\s+|kindly\s+|maybe\s+)*(?:(?:tell"
    r"|show)\s+me\s+(?!about|something|more)|"
    r"help\s+me\s+(?:find|understand)\s+|let\s+me\s+know\s+|look\s+up\s+|find\s+out\s+)?)",
    r"^\W*(?:i(?:['’]d|\s+would)\s+(?:like|love)\s+to\s+(?:know|see|find\s+out|ask)\s+|i\s+(?:want|need"
    r"|wish)\s+to\s+(?:know|see|ask)\s+|"
    r"do\s+you\s+know\s+|any\s+idea\s+|i\s+wonder\s+|i['’]m\s+wondering\s+|remind\s+me\s+"
    r"|tell\s+me\s+(?!about\b|something\b|more\b|everything\b))",
    r"[\s,]*\b(?:please|pls|plz|thanks|thank\s+you)\b[\s.!]*$",
)
"""Courtesies around a question."""

CLAUSE = re.compile(
    r"(?:[?.;!]\s+|,?\s+(?:and|but)\s+(?=(?:why|how|what|who|when|which|where|whether|explain|describe"
    r"|discuss|comment|"
    r"summari[sz]e|analy[sz]e|give|state|list|quantify|elaborate|is|are|was|were|does|do|did|for\s+what"
    r"|by\s+(?:how|what)|"
    r"to\s+what|the\s+(?:main\s+|key\s+)?(?:reasons?|drivers?|causes?|background|outlook|rationale"
    r"|commentary|explanation))\b)"
    r"|\s[–—-]{1,2}\s|,\s+(?=(?:why|how|what|who|explain|describe|discuss|quantify|with\s+(?:numbers"
    r"|figures|reasons))\b))",
    re.IGNORECASE,
)
"""Where a question may fall into two."""

OPEN_SOFT = _any(
    r"\b(?:tell|told)\s+me\s+(?:something\s+|more\s+|a\s+(?:bit|little)\s+|all\s+"
    r"|everything\s+)*(?:about|on|regarding)\b",
    r"\b(?:some|any|every)thing\s+(?:about|on|regarding|interesting|new|else|to\s+know|specific"
    r"|i\s+should)\b|^\W*anything\b",
    r"\b(?:information|info|details?|data|context|facts|material|more)\s+(?:please\s*)?(?:about|on"
    r"|regarding|around)\b",
    r"\bi\s+(?:want|would\s+like|need)\s+to\s+(?:understand|learn)\b|\binterested\s+in\b"
    r"|\bthoughts\s+on\b|\bi\s+(?:need|want)\s+something\b",
    r"\bupdates?\s+(?:on|about|for)\b|\blook\s+(?:into|at)\b|\bhelp\s+(?:me\s+)?with\b|\bsearch\s+for\b"
    r"|\breport\s+on\b|\bperformance\s+of\b",
)
"""Asks about something without saying what kind of answer is wanted; a word for prose settles it."""
OPEN = _any(
    r"\bwhat\s+about\b|\bhow\s+about\b|\bwhat(?:['’]?s|\s+is)\s+(?:new|up|going\s+on|happening"
    r"|the\s+(?:deal|latest|situation|status))\b",
    r"\bwhat\s+(?:do|can|could|should|would)\s+(?:you|i|we|one)\s+(?:know|have|find|tell|say|see|got)\b"
    r"|\bdo\s+you\s+have\b",
    r"\bwhat\s+(?:happened|changed|else)\b|\bwhat\s+do(?:es)?\s+(?:the|this|that|these"
    r"|those)\s+(?:documents?|filings?|reports?|files?|pdfs?)\s+"
    r"(?:say|contain|show|tell)",
    r"\bwhat\s+can\s+be\s+said\b|\bsituation\b|^\W*how\s+(?:is|are|was"
    r"|were)\s+(?:[\w&.'’-]+\s+){1,3}(?:cash|position|margins?|results|"
    r"profitability|balance\s+sheet|liquidity|revenues?|sales|earnings|numbers)\W*$",
    r"\bwhere\s+do(?:es)?\s+.+\s+stand\b|\bhow\s+(?:good|bad|strong|weak|well|solid|healthy)\b"
    r"|\bfinancials\s+of\b",
    r"\bhow(?:['’]s|\s+(?:is|are|was|were))\s+(?!much|many)(?:[\w&.'’-]+\s+){0,5}?(?:doing|going|faring"
    r"|holding|looking|performing)\b|"
    r"^\W*how(?:['’]s|\s+(?:is|are))\s+(?:things|business|[\w&.'’-]+\W*$)",
    r"\bhow\s+(?:did|does|do|has|have)\s+(?:[\w&.'’-]+\s+){1,6}?(?:do|done|perform(?:ed)?|fare[ds]?|go"
    r"|gone|look|develop(?:ed)?|"
    r"evolve[ds]?|move[ds]?|trend(?:ed)?|turn\s+out)\b",
    r"\b(?:show|give|get|find|list)\s+(?:me\s+)?(?:everything|anything|all\s+(?:you|there))\b",
)
"""The same, settled by nothing."""

ASKS_MENTION = _any(
    r"^\W*(?:did|does|do|has|have|had|was|were|is|are|will)\s+.{0,80}?\b(?:mention\w*|discuss\w*"
    r"|talk(?:ed)?|comment(?:ed)?|address(?:ed)?|"
    r"touch(?:ed)?\s+on|refer(?:red)?\s+to|say\s+any\w+|bring\s+up|brought\s+up|speak|spoken)\b",
    r"\b(?:is|was|are|were)\s+there\s+(?:any\s+|a\s+|some\s+)?(?:\w+\s+)?(?:discussion|talk|mention"
    r"|commentary|word|reference)\b",
)
"""Asks whether something is mentioned: a fact that only prose can show."""

YES_NO = _any(r"^\W*(?:is|are|was|were|did|does|do|has|have|had|can|could|will|would)\s+(?!you\b)")
JUDGES = _any(
    r"\b(?:doing\s+(?:well|badly|fine|ok(?:ay)?|better|worse)|safe|in\s+(?:trouble|danger|crisis"
    r"|good\s+shape)|healthy|struggling|"
    r"a\s+(?:problem|concern|worry|good|bad|strong|weak)|at\s+risk|strong|weak|good|bad|well|cheap"
    r"|expensive|realistic|sustainable|"
    r"beat|exceed\s+(?:expectations|consensus)|expectations|consensus|large|big|significant|material"
    r"|serious|a\s+headwind)\b"
)
"""A judgement asked of a yes-or-no question: part fact, part prose."""
DID_WELL = re.compile(
    r"^\W*(?:(?:so|and|then|overall),?\s+)*(?:did|do|does|has|have|had|is|are|was|were)\b(?:"
    r".{1,90}?\b(?:do|done|doing|perform(?:ed|ing)?|far(?:e|ed|ing))\s+(?:(?:so|very|pretty)\s+)?"
    r"(?:well|(?P<badly>badly|poorly))\b|"
    r".{1,90}?\ba\s+(?:very\s+)?(?:good|strong|successful|(?P<weak>bad|weak|poor))\s+"
    r"(?:fiscal\s+|(?:first|second|third|fourth)\s+)?(?:quarter|period|year|[qQ][1-4])\b)",
    re.IGNORECASE,
)
"""Asks for a verdict on a quarter: 'Did Orla do well in Q2?', 'Was it a weak quarter for Orla?'"""
CAUSES = _any(
    r"\b(?:due\s+to|because|caused\s+by|driven\s+by|result\s+of|thanks\s+to|owing\s+to|explained\s+by)\b"
)
ATTITUDES = _any(
    r"\b(?:optimistic|pessimistic|confident|(?:positive|negative|upbeat)\s+(?:about|on|regarding)|bullish|bearish|cautious|worried|concerned|comfortable)\b"
)

FACT_WORDS = _any(
    r"\bhow\s+(?:much|many|large|big|high|low|long|old|often|fast|quickly|far|wide|deep|few)\b|\b(?:by"
    r"|to|at|of|in|for|from|on|over)\s+"
    r"(?:how\s+(?:much|many)|what|which)\b|\bwho(?:se|m)?\b|\bwhen\b|\bwhere\b|\bwhat(?:['’]?s|\s+(?:is"
    r"|was|are|were))\b",
    r"\b(?:what|which|wat)\s+(?:%|percent\w*|share|proportion|fraction|portion|part|amount|number|date"
    r"|day|month|time|year|price|rate|level|"
    r"size|name|bank|firm|company|companies|state|stock|exchange|country|countries|regions?|segments?"
    r"|products?|brands?|customers?|"
    r"suppliers?|analysts?|executives?|person|people|quarters?|laws?|regulations?|act|auditor|interest"
    r"|coupon|dividend|currency|"
    r"metric|items?|categor\w+|subsidiar\w+|business(?:es)?|units?|acquisitions?|facilit\w+|city|banks?"
    r"|sort|kind|type|guidance)\b",
    r"\bwhich\b|\b(?:number|names?|dates?|tickers?|amount|count|list|value|size|total)\s+of\b",
)
COMMANDS = _any(
    r"^\W*(?:list|name|identify|state|give|show|tabulate|report|pull|get|extract|find|calculate|compute"
    r"|rank|provide|display|"
    r"enumerate|return|fetch|quote|print|compare|look\s+up|check|confirm|specify|cite)\b"
)
FACT_NOUNS = _any(
    r"\b(?:names?|date|amounts?|number|count|percent(?:age)?|share|price|rates?|ratio|size|term"
    r"|maturit\w+|coupon|ticker|symbol|"
    r"exchange|auditors?|headquarter\w*|address|segments?|products?|countr\w+|region\w*|subsidiar\w+"
    r"|brands?|customers?|suppliers?|analysts?|"
    r"executives?|officers?|directors?|ceo|cfo|coo|chair\w*|president|employees|stores|participants"
    r"|title|par\s+value|balance|figures?|"
    r"numbers|table|growth|total|backlog|largest|highest|lowest|smallest|top|fastest|biggest|occupancy"
    r"|stake|fine|penalty|"
    r"acquisitions?|shares|stock|notes?|fair\s+value|value|sales|revenues?|rev|revs|spend(?:ing)?"
    r"|plan\s+size|guidance|engines|cards|satellite|"
    r"dividends?|profit(?:able|ability)?|loss|losses|earn(?:ed|s)?|paid|pay|pays|spent|margins?|costs?"
    r"|debt|cash|income)\b"
)
"""Words for things that one fact or a short list answers."""

PROSE = _any(
    r"\bwhy\b|\bhow\s+come\b|\bexplain\w*|\bexplanation|\bsummar\w+|\bdescri\w+|\boutlines?\b"
    r"|\boverview\b|\bgist\b|\brecap\b|\btakeaways?\b|"
    r"\bdiscuss\b|\bwas\s+discussed\b|\bhighlight(?:s|\s+the)\b|\b(?:main|key|central)\s+(?:points?"
    r"|messages?|themes?|topics?|ideas?)\b|\bthemes?\b",
    r"\btones?\b|\bmood\b|\bsentiment\b|\bstance\b|\b(?:point\s+of\s+)?views?\b(?!\s*:)|\bopinions?\b"
    r"|\bperspectives?\b|\battitudes?\b|\bpositioning\b",
    r"\bstrateg\w+|\bapproach(?:es)?\b|\bphilosoph\w+|\bpriorit\w+|\brationale\b|\breason(?:s|ing)?\b"
    r"|\bjustif\w+|\barguments?\b|\blogic\b",
    r"\bdrivers?\b|\bdrove\b|\bdriv(?:e|es|en|ing)\b|\bcaus(?:e|es|ed|ing)\b|\bfactors?\b|\b(?:lies|lay"
    r"|is|was|stands?|what['’]s)\s+behind\b|"
    r"\bbehind\s+the\b|\bcontribut(?:ed|ors|ing)\s+to\b|\battribut(?:e|es|ed|ing|ions?)\b|\bled\s+to\b|\bresponsible\s+for\b",
    r"\boutlook\b|\bprospects?\b|\bexpectations?\b|\bheadwinds?\b|\btailwinds?\b|\bchallenges?\b"
    r"|\bconcerns?\b|\bworr\w+|\brisks?\b|\bthreats?\b|"
    r"\buncertaint\w+|\bopportunit\w+|\bimplications?\b|\bimpact(?:s|ed|ing)?\b|\baffect\w*"
    r"|\beffects?\s+(?:of|on|does|did|do|will|has)\b|\binfluenc\w+|"
    r"\bexposed\b|\bexposure\b|\btrends\b|\binitiatives?\b|\bcommitments?\b|\befforts?\b|\bsteps\b"
    r"|\bmeasures\b|\bplans?\s+(?:to|does|do|for|are|on)\b|"
    r"\bplans\b|\bgoals?\b|\bambitions?\b",
    r"\bcompetiti(?:on|ve\s+\w+)\b|\bcompetes?\b|\bdifferentiat\w+|\bdifferent\s+from\b"
    r"|\b(?:dis)?advantages\b|\b(?:dis)?advantage\s+(?:of|over|do|does|in)\b|\bsignifican(?:ce|t\s+for)\b|"
    r"\bimportan(?:ce|t)\b|\blessons?\b|\bcommentary\b|\bcolou?r\s+on\b|\bnarrative\b|\bstory\b"
    r"|\bpicture\s+of\b|\brole\s+(?:does|do|did|will|of\s+ai)\b",
    r"\bthink(?:s|ing)?\b|\bfeels?\b|\bbeliev\w+|\bconfident\b|\bcharacteri[sz]e\w*|\bassess\w*"
    r"|\bevaluat\w+|\banaly[sz](?:e|ing)\b|\binterpret\w*|"
    r"\belaborat\w+|\bcomment\s+on\b|\bwalk\s+me\b|\btalk(?:s|ed|ing)?\s+(?:about|through)\b|\b(?:say"
    r"|says|said|saying)\s+(?:about|on|regarding)\b|"
    r"\brespon(?:d|ded|se)\b|\breact(?:ed|ion)?\b|\bwarn\w*\b|\bargue[ds]?\b"
    r"|\bask(?:ed)?\s+about\b(?<!who asked about)",
    r"\bpolic(?:y|ies)\b|\blegal\s+(?:issues|proceedings|matters|risks?)\b|\blitigations?\b"
    r"|\brelationship\b|\bbenefits?\s+(?:does|do|of|from|is|are)\b|"
    r"\bwhat\s+(?:could|might|would|may)\b|\bgo(?:es|ne)?\s+wrong\b|\bin\s+(?:what|which)\s+ways?\b"
    r"|\bto\s+what\s+extent\b|\bsustainable\b|"
    r"\bqualit(?:y|ative)\b|\bin\s+your\s+words\b|\bbackground\b|\bcircumstances\b|\bdevelopments\b"
    r"|\bbusiness\s+model\b|\bin\s+(?:a\s+few|\w+)\s+"
    r"(?:sentences|bullets|bullet\s+points|words)\b|\btake\s+on\b|\bcontrast\b|\bthe\s+case\s+for\b"
    r"|\bpros\s+and\s+cons\b",
    r"^\W*(?:write|compose|draft)\b|\bwhat\s+(?:has|have|needs?|must|should|will|would)\s+(?:to\s+"
    r"|it\s+)?(?:happen|take|be\s+done|change)\b",
    r"\bprogress\b|\bnature\s+of\b|\bregarding\b|\bexpect\w*\s+(?:from|about|in\s+terms\s+of)\b",
    r"\bgrowth\s+plans?\b|\bissues?\s+(?:does|do|did|are|with|around)\b|\bproblems?\s+(?:does|do|did"
    r"|are|with)\b|\bproject(?:s|ed)?\s+the\b",
)
"""Words that only prose can answer."""
WHY = _any(
    r"\bwhy\b|\breasons?\b|\bexplain\w*|\bdrove\b|\bdriv(?:e|es|en|ers?|ing)\b|\bcaus(?:e|es|ed|ing)\b|\bbehind\b"
)
"""Asks for reasons, and for nothing else."""
REASONS = _any(
    WHY.pattern,
    r"\bexplanations?\b|\bfactors?\b|\bsuggests?\b|\bimplications?\b|\bimpl(?:y|ies)\b|\binfluenc\w+"
    r"|\bimpact\w*|\baffect\w*|\battribut\w+|\bdiscuss\w*|\bcontribut\w+|\bexpect\w*|\boutlook\b|\bstrateg\w+",
)
"""Asks what stands behind a development."""
HOW_PROSE = _any(
    r"\bhow\s+(?:do|does|did|is|are|was|were|will|would|can|could|has|have|had|should|might|may)\b",
    r"\bhow\s+(?:confident|important|sustainable|exposed|dependent|vulnerable|concerned|worried"
    r"|realistic|credible|resilient|serious)\b|\bhow\s+to\b",
    r"\bwhat\s+(?:does|do|did|is|are)\s+.{0,60}\b(?:expect(?:s|ing)?|hope|aim|intend|say|saying"
    r"|anticipat\w+|plan|planning|see|seeing|mean|consider|want)\b",
    r"\bwhat\s+(?:makes|made)\b|\bwhat\s+explains\b|\bwhat\s+leads?\b",
)
"""Forms that ask for prose unless a figure is named: 'How does X ...', 'What does X expect ...'."""
IN_UNITS = _any(r"\bin\s+(?:us\s+)?(?:dollars?|usd|millions?|billions?|percent(?:age)?|basis\s+points|bps)\b")
"""Names the unit of the answer: a figure is wanted."""
FIGURE_CHANGE = _any(
    r"\bhow\s+(?:did|has|have|does|do)\s+.{0,80}\b(?:chang\w+|compare\w*|differ\w*|gr[eo]wn?"
    r"|increase\w*|decrease\w*|decline\w*)\b"
)
"""'How did X change': a figure, if a metric is named."""
WITH_FIGURES = _any(
    r"\bwith\s+(?:the\s+|their\s+|its\s+|some\s+|key\s+|all\s+)*(?:numbers|figures|amounts|revenues?"
    r"|sales|data)\b|\b(?:numbers|figures)\s+and\s+\w+|"
    r"\bquantif\w+|\bincluding\s+the\s+(?:price|amount|numbers?|figures?|size)|\bby\s+(?:how\s+much"
    r"|what\s+amount)\b|\b(?:sales|figures?|amounts?|numbers)"
    r"(?:\s+involved)?\s+and\s+(?:commentary|outlook|background|explanation|reasons?)"
)
"""Asks for figures besides prose."""
DESCRIBES = _any(
    r"\bcompare\s+(?:how|the\s+way|strateg\w+|approach\w*)|\b(?:strateg|approach|tone|outlook|risk|view"
    r"|priorit|polic|theme|opinion)\w*\b"
)
LEVELS = _any(
    r"\b(?:levels?|situation|position|development|performance|trend|status|story|business|please|restructuring|acquisitions?|"
    r"buybacks?|repurchases?|impairments?|layoffs?|guidance|investments?)\b"
)
QUESTION_WORD = _any(r"\b(?:what|which|who|whose|when|where|why|how|wat)\b|\bwhat['’]s\b")
FIGURES_NOUN = _any(r"^\W*(?:the\s+)?(?:key\s+)?(?:numbers|figures|results|details|data)\W*$")
_WHO_ASKED = re.compile(
    r"\b(?:who|(?:which|what)\s+(?:\w+\s+)?(?:analysts?|participants?|people|persons?))\b.{0,40}"
    r"\b(?:ask(?:s|ed|ing)?|questioned|raised|inquired|brought\s+up|wanted\s+to\s+know)\b|"
    r"\bwhat\s+(?:did|do|have|were)\s+(?:the\s+)?(?:analysts?|participants?)\s+(?:ask|asked|asking|want)\b",
    re.IGNORECASE,
)


def asks_who_asked(question: str) -> bool:
    """True for 'Who asked about margins?'"""
    return bool(_WHO_ASKED.search(question))


ABOUT = " (about: "
"""Opens the brackets behind a follow-up, in which stands what it leaves unsaid."""


def without_context(question: str) -> str:
    """A follow-up as it was put; any other question as it is."""
    return question.partition(ABOUT)[0]
