"""What a turn leaves unsaid: taken from the question before by nearness in meaning, or put in brackets behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from graphs.drafts.claims import MARKER
from graphs.local.followup.slots import Slots, whole_word
from graphs.local.question.question_forms import ABOUT
from graphs.local.question.unknown_names import capitalised_spans
from graphs.local.text.spans import Span, overlaps
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import FUNCTION_WORDS
from tools.knowledge.graph.resolution import LEGAL_FORMS
from tools.vector.embeddings import Embedder

MAX_WORDS = 24
"""Of what is put in brackets."""
MAX_NAMES = 3
"""Names out of an answer."""
MIN_NEARNESS = 0.25
"""Nearness from which a part of a question may be what a turn names another of."""
NOUN_BONUS = 0.1
"""On top of the cosine for what stands behind a small word, as nouns do: 'in gaming', 'its segment'."""
_AT_END = re.compile(r",?\s+(?:(?:at|by)\s+)?(?:the\s+)?(?:end|close)\s*$", re.IGNORECASE)
_COUNTED = re.compile(
    r"^\W*how\s+many\s+(?P<what>\S.*?)\s+(?:did|does|do|has|have|had|is|are|was|were)\b", re.IGNORECASE
)
_POSSESSIVE = re.compile(r"^['’]s?")
_QUESTION_WORDS = ("who", "whom", "whose", "what", "which", "when", "where", "why", "how", "much", "many")
_VERBS = ("do", "does", "did", "is", "are", "was", "were", "please", "tell", "show")
_ASKING = frozenset((*_QUESTION_WORDS, *_VERBS))


def in_context(now: Slots, earlier: Slots, answer: str, person: str = "") -> str:
    """The turn with the question before in brackets, without the words that ask: 'what drove the increase? (about:
    Orla's sales in Asia in fiscal 2021)'. With the names that its answer brings up, or the `person` whom the turn
    means."""
    known = f"{now.text} {earlier.text}".lower()
    own = earlier.company.lower()
    new = [name for name in _names(answer) if name.lower() not in known and not (own and own in name.lower())]
    named = [person] if person else new
    body, _, brackets = earlier.text.partition(ABOUT)
    about = [token for token in _words(body) if token.lower() not in _ASKING]
    said = [" ".join(about[:MAX_WORDS])]
    if brackets:
        said.append(" ".join(_words(brackets)[: MAX_WORDS - len(about)] if len(about) < MAX_WORDS else []))
    inside = "; ".join(filter(None, [*said, ", ".join(named[:MAX_NAMES])]))
    return f"{now.text.strip()}{ABOUT}{inside})" if inside else now.text


def asks_figure(question: Slots) -> bool:
    """Whether a question may ask for a figure: none for reasons or people, and none in which nothing is named."""
    first = next((token.word for token in name_tokens(question.text)), "why")
    return first not in ("why", "who", "whom", "whose", "when", "where")


def counted(question: Slots) -> str:
    """What a question asks the number of: 'Gold Star members'; '' where it asks for none."""
    found = _COUNTED.match(question.text)
    return found["what"] if found else ""


def before_period(question: Slots) -> int:
    """Where the words begin that say of when a question is; its end where none do."""
    text = question.text.rstrip(" ?.!")
    if question.period_span is None:
        return len(text)
    return len(_AT_END.sub("", text[: question.period_span[0]].rstrip()))


def topic_words(question: Slots) -> list[str]:
    """What a question is about beside company and period, in words."""
    gone = [*question.companies, *([question.period_span] if question.period_span else [])]
    text = question.text
    for start, end in sorted(gone, reverse=True):
        text = f"{_AT_END.sub('', text[:start].rstrip())} {_POSSESSIVE.sub('', text[end:])}"
    return [word for word in _words(text) if word.lower() not in _ASKING]


def _words(text: str) -> list[str]:
    return text.replace("(", " ").replace(")", " ").rstrip(" ?.!").split()


def _names(answer: str) -> list[str]:
    """What an answer's quotations name, the companies that say it aside; of one that quotes nothing its first line, and
    of one that cites nothing, nothing."""
    quoted = " ".join(part.partition("”")[0] for part in answer.split("“")[1:])
    if not quoted and MARKER.search(answer):
        quoted = answer.partition("\n")[0]
    found = [quoted[span.start : span.end] for span in capitalised_spans(quoted, [])]
    return [name for name in dict.fromkeys(found) if name.lower() not in LEGAL_FORMS]


def part_like(
    phrase: str, earlier: Slots, embedder: Embedder | None, *, but_first: bool = False
) -> Span | None:
    """Of the question before the words that are nearest in meaning to `phrase`, its companies and periods aside: what
    a turn names another of; None where nothing comes near, or there is no embedder. `but_first`: what is asked for, or
    counted, stays."""
    parts = _parts(earlier)[but_first:]
    if not parts or embedder is None or not phrase:
        return None
    texts = [earlier.text[start:end] for start, end in parts]
    vectors = embedder.embed([phrase, *texts])
    bonus = [NOUN_BONUS * _is_led(earlier.text[:start]) for start, _ in parts]
    nearness = vectors[1:] @ vectors[0] + np.asarray(bonus, np.float32)
    best = int(nearness.argmax())
    if nearness[best] < MIN_NEARNESS:
        return None
    return whole_word(earlier.text, parts[best])


def _is_led(before: str) -> bool:
    words = name_tokens(before)
    return bool(words) and words[-1].word in FUNCTION_WORDS and words[-1].word not in _ASKING


def _parts(earlier: Slots) -> Sequence[Span]:
    """Runs of words that are more than grammar."""
    taken = [*earlier.companies, *([earlier.period_span] if earlier.period_span else [])]
    found: list[Span] = []
    end = -1
    for token in name_tokens(earlier.text):
        small = token.word in FUNCTION_WORDS and not (token.raw.isupper() and len(token.raw) > 1)
        if small or token.word in _ASKING or overlaps((token.start, token.end), taken):
            end = -1
            continue
        if end >= 0 and not earlier.text[end : token.start].strip(" -&"):
            found[-1] = (found[-1][0], token.end)
        else:
            found.append((token.start, token.end))
        end = token.end
    return found
