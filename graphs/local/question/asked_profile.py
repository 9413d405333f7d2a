"""Which of the things that people ask of any company a question asks for, told by what its embedding is near."""

from __future__ import annotations

import re

from graphs.contracts import Reading
from graphs.local.question.question_forms import without_context
from graphs.local.text.period_mentions import without_periods
from tools.documents.metadata.catalog import Catalog
from tools.knowledge.lexicon.company_profile import ROLES_OF
from tools.knowledge.search.roles import role_words, title_words
from tools.ranking.profile_kinds import profile_kind
from tools.vector.embeddings import Embedder

MAX_JOINED, MIN_CHANCE_OF_PIECE = 4, 0.35
"""Things that one question asks for ('the CEO, the CFO and the chairman'), and the probability from which each is
told, once the whole is told to ask for such things."""
_AND = re.compile(r",?\s+(?:and|&)\s+|,\s+")
_ASKS = re.compile(r"\b(?:how|what|which|who|whom|why|when|where)\b", re.IGNORECASE)
_LEADS_ON = re.compile(r"^\W*(?:(?:and|but|so|what\s+about|how\s+about)\s+)+", re.IGNORECASE)
"""By which it leans on the one before."""
_LEADS_TO_PERIOD = re.compile(
    r"(?:\s?\b(?:in|at|as|of|for|during|by|on|the|end|close|start|beginning|year|fiscal)\b){1,6}\s?$",
    re.IGNORECASE,
)


def asked_of_company(reading: Reading, catalog: Catalog, embedder: Embedder) -> tuple[str, ...]:
    """See `Reading.profile`; () where the question names something besides the company (a part or a product of it,
    another title), or several years. ModelFileError where the model's files are missing or not the expected ones."""
    years = {each.fiscal_year or each.calendar_year or each.end for each in reading.scope.periods}
    besides = reading.entities or reading.parts or reading.spoken or len(years) > 1
    if besides or not reading.scope.companies:
        return ()
    line = " ".join(without_context(reading.question).split())
    asked = catalog.without_names(without_periods(_LEADS_ON.sub("", line), _LEADS_TO_PERIOD))
    whole = profile_kind(embedder.embed_query(asked))
    pieces = _AND.split(asked)[:MAX_JOINED] if whole else []
    told = [profile_kind(embedder.embed_query(each), least=MIN_CHANCE_OF_PIECE) for each in pieces]
    if any(_ASKS.search(piece) and not kind for piece, kind in zip(pieces, told, strict=True)):
        return ()
    kinds = tuple(dict.fromkeys(filter(None, (*told, whole))))
    titles = [title_words(role) for kind in kinds for role in ROLES_OF.get(kind, ())]
    title = role_words(asked)
    return () if titles and title and not any(title <= each for each in titles) else kinds
