"""Texts that cannot be read as an English question: nothing, too much, another language, keys hit at random."""

from __future__ import annotations

from graphs.local.question.topic_words import EMPTY_WORDS, ENGLISH_MARKS, FOREIGN_WORDS
from tools.documents.metadata.company_names import name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, ORDINARY

MAX_QUESTION_CHARS = 3000
"""Characters; a longer text is a paste, not a question."""

_KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm", "1234567890")


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
    if words and all(word in EMPTY_WORDS for word in words):
        return "the question has no content words"
    return "the question makes no sense as text" if _is_gibberish(words) else ""


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
