"""Questions that financial documents do not answer: nonsense, other languages, general knowledge, advice."""

from __future__ import annotations

import re

from graphs.local.question.topic_words import DOMAIN, EMPTY_WORDS, ENGLISH_MARKS, FOREIGN_WORDS
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, FUNCTION_WORDS, ORDINARY, PLACES

MAX_QUESTION_CHARS = 3000
"""Characters; a longer text is a paste, not a question."""

SMALL_TALK = "it is small talk, not a question about the documents"
NO_NAME = "it names no company, metric, period or topic of the documents"

_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890")

_ADVICE = re.compile(
    r"\bshould\s+(?:i|we|one|you|my|an?\s+\w+\s+investor)\b.{0,60}\b(?:buy|sell|hold|invest|allocate"
    r"|short|own|trade|put)\b"
    r"|\bshould\s+(?:i|we)\b|\bhow\s+should\s+i\b|\b(?:good|bad|safe|wise|smart)\s+(?:investment|buy"
    r"|bet|stock\s+to)\b"
    r"|\b(?:good|right|bad)\s+time\s+to\s+(?:buy|sell|invest)|\b(?:under|over)valued\b|\bprice\s+target\b"
    r"|\b(?:buy,?\s+(?:sell|hold)\b|buy\s+or\s+(?:hold|sell)|hold\s+or\s+sell|sell\s+or\s+hold)"
    r"|\b(?:do|would|can|could)\s+you\s+(?:recommend|advise|suggest)\b.{0,60}\b(?:stocks?|shares?"
    r"|buying|investing)\b"
    r"|\bwhich\s+(?:of\s+these\s+)?(?:stocks?|shares?)\b.{0,40}\b(?:buy|sell|perform|best|rise|winner)"
    r"|\b(?:worth|recommend)\s+(?:buying|investing)|\bmy\s+(?:portfolio|pension|savings|retirement|401k)\b",
    re.IGNORECASE,
)
_FORECAST = re.compile(
    r"\b(?:will|predict|forecast|where)\b.{0,60}\b(?:share|stock)(?:['’]s)?\s+price\b|\b(?:share"
    r"|stock)\s+price\b.{0,40}"
    r"\b(?:will|next\s+year|tomorrow|going\s+to|in\s+20\d\d|forecast|prediction)\b"
    r"|\bwill\s+(?:the\s+)?(?:stock\s+)?(?:market|stock|shares?)\b.{0,30}\b(?:crash|rise|fall|go\s+up"
    r"|go\s+down|double)",
    re.IGNORECASE,
)
_CHAT = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|greetings|howdy|yo|thanks?|thank\s+you|thx|cheers|bye|goodbye"
    r"|good\s+(?:morning|"
    r"afternoon|evening|night|day)|ok(?:ay)?|cool|great|nice|sup|there|again|everyone|all|so\s+much"
    r"|very\s+much|lol|"
    r"how\s+are\s+you(?:\s+(?:doing|today))*|what['’]?s\s+up|how['’]?s\s+it\s+going)\W*)+$"
    r"|\b(?:what(?:['’]?s|\s+is)\s+your\s+name|who\s+are\s+you|who\s+(?:made|built|created)\s+you"
    r"|are\s+you\s+(?:a\s+)?"
    r"(?:human|robot|bot|ai|real)|how\s+old\s+are\s+you|what\s+can\s+you\s+do)\b",
    re.IGNORECASE,
)
_TASKS = re.compile(
    r"\b(?:write|compose|make\s+up|create|draft)\s+(?:me\s+)?(?:an?\s+|some\s+"
    r"|the\s+)?(?:\w+\s+){0,2}?(?:poem|haiku|sonnet|song|"
    r"lyrics|story|joke|essay|limerick|rap|tweet|letter|email|cv|resume|function|script|program|code"
    r"|class|query|"
    r"regex|speech|novel|slogan)\b|\btell\s+(?:me\s+)?(?:a|another)\s+(?:joke|story|riddle)"
    r"|\btranslate\b.{0,80}\b(?:into|to)\s+[A-Z]?\w+|\bhow\s+do\s+you\s+say\b"
    r"|\b(?:python|javascript|typescript|java|c\+\+|html|css|sql|bash|rust|golang"
    r"|regex)\b.{0,40}\b(?:code|function|"
    r"script|program|query|bug|error|list|loop|that)\b|\b(?:fix|debug|refactor)\s+(?:this|my"
    r"|the)\s+(?:\w+\s+)?"
    r"(?:code|script|bug|function)|\bfor\s*\(.*;.*;|\bdef\s+\w+\(|\brecipes?\b|\bhow\s+(?:do|can|to"
    r"|should)\s+(?:i|you|we)?\s*"
    r"(?:boil|cook|bake|fry|tie|lose|learn|play|draw|clean|grow|fix|paint|make\s+(?:a|an"
    r"|some)\s+(?:cake|coffee|tea))\b",
    re.IGNORECASE,
)
_ARITHMETIC = re.compile(
    r"^\W*(?:(?:what(?:['’]?s|\s+is)|calculate|compute|solve|evaluate"
    r"|how\s+much\s+is)\s+)?[\d\s.,()x^*/+=-]*\d\s*"
    r"(?:[-+*/x×÷^%=]|times|plus|minus|divided\s+by|multiplied\s+by|to\s+the\s+power\s+of"
    r"|mod)\s*[\d\s.,()x^*/+=-]*\d?\W*$"
    r"|\b(?:square|cube)\s+root\s+of\b|\bsolve\s+(?:for\s+)?\w?\s*\^?.*=|\b(?:derivative|integral"
    r"|factorial|cosine|"
    r"sine|logarithm)\s+of\b|\bprime\s+numbers?\b",
    re.IGNORECASE,
)
_WORLD = re.compile(
    r"\b(?:capital(?:\s+city)?|population|president|prime\s+minister|king|queen|pope|currency|flag"
    r"|anthem|language|"
    r"highest\s+mountain|longest\s+river|area)\s+of\s+(?:the\s+)?(?P<place>[A-Za-z]+)"
    r"|\bwho\s+(?:won|wins)\s+(?:the\s+)?(?:\w+\s+){0,4}?(?:cup|oscars?|election|championships?"
    r"|super\s+bowl|olympics|"
    r"league|game|match|nobel|war|race|tour|grammys?|medal)\b"
    r"|\bwho\s+(?:wrote|painted|invented|discovered|composed|directed|sang|sings|killed|assassinated"
    r"|starred)\b"
    r"|\b(?:how\s+(?:tall|far|deep|old|heavy|hot|cold|long|big|fast|high)|what(?:['’]?s"
    r"|\s+is)\s+the\s+(?:height|distance|depth|age|"
    r"weight|size|mass|speed|boiling\s+point|melting\s+point|freezing\s+point|temperature|diameter"
    r"|length)\s+of)\b.{0,40}"
    r"\b(?:mount|mountain|everest|moon|sun|earth|mars|planet|river|ocean|sea|tower|light|sound|water"
    r"|iron|gold|lead|atom|"
    r"building|pyramid|nile|whale|elephant)\b"
    r"|\b(?:weather|sunny|snowing|rain(?:ing|y)?)\b.{0,40}\b(?:today|tomorrow|tonight|weekend|in|like"
    r"|now)\b|\bwill\s+it\s+(?:rain|snow)"
    r"|\b(?:planets?|solar\s+system|galaxy|dinosaurs?|photosynthesis|world\s+war|meaning\s+of\s+life"
    r"|horoscope|zodiac|"
    r"bible|shakespeare|football|soccer|basketball|baseball|cricket|tennis|movie|film|song|singer|actor"
    r"|actress|"
    r"celebrity|video\s+game|pokemon)\b"
    r"|\bwhat\s+(?:time|day)\s+is\s+it\b|\bwhat(?:['’]?s|\s+is)\s+the\s+(?:time|date)\s*(?:now|today)?\W*$",
    re.IGNORECASE,
)


def unreadable(question: str) -> str:
    """Why a text cannot be read as an English question: empty, too long, another language; '' if it can."""
    text = "".join(" " if not each.isprintable() else each for each in question).strip()
    if not text:
        return "the question is empty"
    if len(text) > MAX_QUESTION_CHARS:
        return f"the question is too long ({len(text):,} characters; at most {MAX_QUESTION_CHARS:,} are read)"
    letters = [each for each in text if each.isalpha()]
    if not letters:
        return "the question holds no words"
    if sum(ord(each) < 0x250 for each in letters) < 0.7 * len(letters):
        return "the question is not in English, the only language read here"
    words = [token.word for token in name_tokens(text)]
    marks = sum(word in ENGLISH_MARKS for word in words)
    for language, foreign in FOREIGN_WORDS.items():
        if sum(word in foreign for word in words) >= max(2, 2 * marks + 1, 0.25 * len(words)):
            return f"the question seems to be in {language}; only English is read here"
    return "the question makes no sense as text" if _is_gibberish(words) else ""


def off_topic(question: str, *, linked: bool, dated: bool, known: frozenset[str], closed: bool) -> str:
    """Why these documents do not answer a readable question; '' if they may.

    `linked`: it names an indexed company, a metric or a known name; `dated`: a reporting period. `known`:
    folded words of names that the index knows. `closed`: the index's names were all compared, so a word in
    none of them is strange.
    """
    if _ADVICE.search(question):
        return "it asks for investment advice, which documents do not give"
    if _FORECAST.search(question):
        return "it asks to predict a market price, which documents do not hold"
    if _CHAT.search(question):
        return SMALL_TALK
    words = [token.word for token in name_tokens(question)]
    if _TASKS.search(question) and not linked:
        return "it asks for a piece of writing or work, not for something in the documents"
    if _ARITHMETIC.search(question):
        return "it is arithmetic, not a question about the documents"
    world = _WORLD.search(question)
    if world is not None and not linked:
        return "it asks for general knowledge, not for something in the documents"
    return "" if linked or dated else _strange(question, words, known, closed=closed)


def _strange(question: str, words: list[str], known: frozenset[str], *, closed: bool) -> str:
    if words and all(word in EMPTY_WORDS for word in words):
        return "the question has no content words"
    if any(word in DOMAIN for word in words):
        return ""
    ordinary = ORDINARY | ACRONYMS | PLACES | FIRST_NAMES
    strange = [word for word in words if word not in ordinary and word not in known and not word.isdigit()]
    if not strange or not _capitalised(question, words).isdisjoint(strange):
        return ""  # a name may be in prose, though the graph does not know it
    if closed or len(strange) >= 2 or FUNCTION_WORDS.isdisjoint(words):
        return NO_NAME
    return ""


def _capitalised(question: str, words: list[str]) -> set[str]:
    """Words with a capital; that of the first one counts only in a question of up to three words."""
    tokens = name_tokens(question)
    counted = tokens if len(words) <= 3 else tokens[1:]
    return {token.word for token in counted if token.raw != token.raw.lower()}


def _is_gibberish(words: list[str]) -> bool:
    alphabetic = [word for word in words if word.isalpha()]
    if not alphabetic:
        return False
    if len(alphabetic) >= 3 and len(set(alphabetic)) == 1:
        return True
    smashed = [word for word in alphabetic if _is_smashed(word)]
    return len(smashed) > len(alphabetic) / 2


def _is_smashed(word: str) -> bool:
    """Typed at random: neighbouring keys, a long word without vowels, one or two letters repeated."""
    if word in ORDINARY or word in ACRONYMS or len(word) < 4:
        return False
    if len(set(word)) <= 2 and len(word) > 5:
        return True
    if any(word in row or word in row[::-1] for row in _KEY_ROWS):
        return True
    return len(word) >= 5 and not set(word) & set("aeiouy")
