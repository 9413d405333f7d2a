"""The language of a text, and what it means for a reader of its documents."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

LANGUAGES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "da": "Danish", "sv": "Swedish", "no": "Norwegian", "fi": "Finnish", "pl": "Polish",
    "cs": "Czech", "sk": "Slovak", "hu": "Hungarian", "ro": "Romanian", "bg": "Bulgarian", "el": "Greek",
    "tr": "Turkish", "ru": "Russian", "uk": "Ukrainian", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
    "ar": "Arabic", "he": "Hebrew", "hi": "Hindi", "vi": "Vietnamese", "id": "Indonesian", "th": "Thai",
}  # fmt: skip
"""What is told apart: few languages are confused less than many."""
SAMPLE_CHARACTERS = 20_000
LEAST_WORDS = 4
"""In a line of prose."""
LEAST_LETTERS = 60
LEAST_DENSE = 20
LEAST_SURE = 0.9
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")
_ENGLISH = re.compile(r"\b(?:the|of|and)\b", re.IGNORECASE)
ENGLISH_SHARE = 0.06
"""Of 'the', 'of' and 'and' among the words of English prose, at the least; no other language here has a third of it."""
_DENSE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters of scripts that are written without blanks, or say much in few letters."""


def detect_language(text: str) -> str:
    """ISO 639-1 code of the language of the prose in the middle of `text`; '' where there is too little of it, or
    where it isn't plain. Lines of figures and lines in capitals don't count."""
    first = max(0, (len(text) - SAMPLE_CHARACTERS) // 2)
    sample = text[first : first + SAMPLE_CHARACTERS]
    lines = [line for line in sample.split("\n") if not line.isupper()]
    words = [word for line in lines if len(found := _WORD.findall(line)) >= LEAST_WORDS for word in found]
    if len(_DENSE.findall(sample)) >= LEAST_DENSE:
        words = lines
    elif sum(map(len, words)) < LEAST_LETTERS:
        return ""
    prose = " ".join(words)
    if len(_ENGLISH.findall(prose)) >= ENGLISH_SHARE * len(words):
        return "en"
    code, probability = _identifier().classify(prose)
    return str(code) if probability >= LEAST_SURE else ""


def language_note(code: str) -> str:
    """A word about a document that is not in English; '' for one that is or whose language is not known."""
    if code in ("", "en"):
        return ""
    return f"in {LANGUAGES.get(code, code)}: found by words that it holds; only English is understood"


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier
