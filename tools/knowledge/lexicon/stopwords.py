"""Words of a question that name nothing: they neither select nor exclude a figure. Folded as
`metric_names.fold_word`."""

from __future__ import annotations

from tools.knowledge.lexicon.metric_names import fold_word
from tools.period_words import ALL_ORDINALS, MONTH_COUNTS, MONTHS

_FUNCTION = """
a an the this that these those it its they their them he she his her who whom whose what which when where
why how i we you
our us your my me and or but nor not no if then than so as at by for from in into of off on onto out over
to up upon with
within without during between among against about per via after before since until is are was were be been
being am do
does did done doing have has had having can could will would shall should may might must there here any all
each every both
either neither some such only own same too very just also s t vs versus ever still yet again once please
kindly
"""
_VERBS = """
tell show give list state name find report reported reporting say said says disclose disclosed post posted
record recorded
recognize recognized recognise recognised generate generated earn earned make made bring brought book
booked incur incurred
spend spent pay paid amount amounted total totaled totalled come came stand stood get got know see look
like take took reach
reached achieve achieved deliver delivered produce produced hold held carry carried present presented
provide provided
mention mentioned announce announced register registered print printed appear equal compare compared
comparing want need
understand explain describe summarize ask asked answer happen happened calculate express expressed
use used using see seen saw seeing put sit sat collect
collected
analyze analyse analyzed analysed analysis assess assessed evaluate evaluated examine examined observe observed
identify identified discern reveal reveals suggest suggests indicate indicates trace track tracked chart describe
described develop developed development developments fluctuate fluctuated fluctuates fluctuation fluctuations vary
varied varies variation pattern patterns consist consists consisted comprise comprises comprised compose composed
composition breakdown break broken split distribute distributed distribution section sections overview judge judging
situation fare fared perform performed significant significantly consistent consistently notable notably steady
steadily across derive derived deriving consider considered considering consolidate correlate correlates
correlated correlation relate relates related align aligns aligned
shell shelled splash splashed fork forked plow plowed pour poured devote devoted allocate allocated rake raked
haul hauled pull pulled rack racked sink sank sunk sitting sits actually effectively going went gone bore
left alone aside together altogether everything keep kept belonging
belong relative part parts piece behind under more run running add added plus apply applied hand handed throw
thrown expensed billed mainland worth lay went back still yet realize realized end ended ending begin began
beginning close closed finish finished start
started cover
covered include included set run ran turn turned lose lost bear contribute contributed
"""
_FIGURES = """
figure number value level size sum dollar usd money much many line item data exact exactly precise
precisely approximately
roughly overall total aggregate entire whole combined consolidated company firm corporation business group
inc corp entity
issuer filer registrant corporate filing document 10-q 10-k 10 q k form statement statements sheet report
call transcript
release table page segment division region category line reportable business operating-unit condensed
unaudited according accordance stated basis result reported financial million billion thousand
large big high low actual information detail answer question
"""
_PERIODS_TEXT = """
quarter quarterly quarter's month months year yearly annual annually fiscal calendar period week day date
half qtr qtrs one two four thirteen fifty-two 13 26 39 52 recent recently latest last previous prior
current currently next past ytd date q1 q2 q3 q4 fy fy21 fy22 fy23 fy24 h1 h2 1h 2h
jan feb mar apr jun jul aug sep sept oct nov dec ended most
same ago earlier time now today through st nd rd th
"""
_PERIODS = " ".join([_PERIODS_TEXT, *MONTHS, *ALL_ORDINALS, *MONTH_COUNTS])
STOP_WORDS: frozenset[str] = frozenset(
    fold_word(word) for word in f"{_FUNCTION} {_VERBS} {_FIGURES} {_PERIODS}".split()
) | frozenset(f"{_FUNCTION} {_VERBS} {_FIGURES} {_PERIODS}".split())

_CHANGE = """
change changed increase increased decrease decreased grow grew grown growth rise rose risen fall fell
fallen decline declined drop dropped improve improved gain gained difference variance up down yoy
sequentially changing growing grows increasing increases decreasing decreases declining declines rising rises
falling falls dropping drops improving improves improvement gaining shrink shrank shrinking shrunk reduce
reduced reducing reduction higher lower expand expanded expanding climb climbed jump jumped slip slipped soar
soared move moved evolve evolved trend trended worsen worsened differ differed accelerate accelerated slow
slowed year-over-year
"""
CHANGE_WORDS: frozenset[str] = frozenset(fold_word(word) for word in _CHANGE.split())
"""They ask for a difference between periods, not for the figure of one."""
_GUIDANCE = """
guidance guide guided guides guiding outlook forecast forecasts forecasted expect expects expected expecting
expectation expectations anticipate anticipates anticipated project projects projected target targets targeted
"""
GUIDANCE_WORDS: frozenset[str] = frozenset(fold_word(word) for word in _GUIDANCE.split())
"""They ask for what a company expects of periods to come."""
NEUTRAL_VERBS: frozenset[str] = frozenset({"declare", "sell", "file", "return", "distribute"})
"""Verbs that only ask for a figure, unless a label has them."""
PERCENT_WORDS: frozenset[str] = frozenset(
    {"percent", "percentage", "%", "pct", "share", "proportion", "rate"}
)
GENERIC_LABEL: frozenset[str] = frozenset(
    {
        "total",
        "consolidated",
        "amount",
        "of",
        "the",
        "and",
        "in",
        "for",
        "from",
        "a",
        "at",
        "by",
        "to",
        "on",
        "reported",
    }
)
"""Words of a label or heading that add nothing to what it measures."""
