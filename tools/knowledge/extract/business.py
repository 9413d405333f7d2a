"""What a company says its business is: the sentences at the beginning of its report's part on it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from tools.documents.types import ParsedDocument
from tools.knowledge.extract.cited_sentences import Passage, all_passages
from tools.knowledge.extract.sentence_parses import parse
from tools.knowledge.graph.resolution import LEGAL_FORMS, fold_company
from tools.knowledge.graph.triplets import make_triplet
from tools.knowledge.lexicon.company_profile import DESCRIBES, PROFILE_TITLE
from tools.knowledge.types import Triplet

if TYPE_CHECKING:
    from spacy.tokens import Token

_HEADINGS = (
    re.compile(r"\bItem\s+1\s+[-\u2013\u2014]\s+Business\b", re.IGNORECASE),
    re.compile(
        r"\b(?:description|nature|overview)\s+of\s+(?:the\s+)?(?:business|operations)\b|\bbusiness\s+(?:overview|description)\b"
        r"|\b(?:company|corporate)\s+(?:overview|background)\b|\borganization\s+and\s+(?:business|operations)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:overview|introduction)$", re.IGNORECASE),
)
"""Of an annual report's part, of a note, and of what management says first."""
LOOKED_AT = 30
"""Sentences from the beginning."""
MAX_CHARACTERS = 700
"""Of a sentence: the first one lists many a company's countries."""
_OWN = frozenset({"we", "company", "corporation", "registrant", "firm", "group"})
_OWN_WORK = frozenset({"business", "businesses", "activity", "activities", "operations"})
_NO_WORK = frozenset(
    {"expect", "expects", "anticipate", "anticipates", "believe", "believes", "use", "uses", "file", "files"}
)
"""Verbs of forecasts and of the report itself."""
_OF_THE_FORM = re.compile(
    r"\b(?:reporting|growth|shell)\s+company\b|\baccelerated\s+filer\b|\bparty\s+to\b|\bdefendants?\b|\bsubject\s+to\b"
    r"|\bcorporation\s+(?:formed|organized|incorporated)\b",
    re.IGNORECASE,
)
"""What any filer may be."""
_ASIDE = re.compile(r"\s*\([^()]*\)")
_COMPANY = re.compile(r"^The Company\b")
"""The tagger takes the verb behind it for a noun: 'The Company designs'."""
_PRESENT = frozenset({"VBZ", "VBP"})
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS", "CD"})


def business_triplets(parsed: ParsedDocument) -> Iterator[Triplet]:
    """`describes its business` of the filer, with the sentence that says what it is, else what it does; none where the
    document has no such part. spaCy is loaded where it has."""
    document = parsed.document
    if document.doc_type == "call" or not document.is_of_company:
        return
    names = _OWN | LEGAL_FORMS | set(fold_company(document.company).split())
    every = list(all_passages(parsed))
    found = (
        _described([each for each in every if heading.search(each.section)], names) for heading in _HEADINGS
    )
    for first, text in filter(None, [next(filter(None, found), None)]):
        yield make_triplet(
            document,
            (document.company, "company"),
            DESCRIBES,
            (text, "value"),
            page=first.page,
            quote=text,
            chunk_id=first.chunk_id,
            title=PROFILE_TITLE,
        )


def _described(begun: Sequence[Passage], names: Collection[str]) -> tuple[Passage, str] | None:
    """The first sentence that says what the company is, else what it does, with the next one where that says it, too,
    and what both say; None for none."""
    begun = begun[: LOOKED_AT + 1]
    kinds = [_says(each.text, names) for each in begun]
    best = min(((kind, at) for at, kind in enumerate(kinds[:LOOKED_AT]) if kind), default=None)
    if best is None:
        return None
    first, following = begun[best[1]], begun[best[1] + 1 : best[1] + 2]
    more = [each.text for each in following if each.chunk_id == first.chunk_id and kinds[best[1] + 1]]
    return first, " ".join((first.text, *more))


def _says(text: str, names: Collection[str]) -> int:
    """1 for what the company is, 2 for what it does, in the present; 0 for neither."""
    if len(text) > MAX_CHARACTERS or _OF_THE_FORM.search(text):
        return 0
    plain, companies = _COMPANY.subn("It", _ASIDE.sub("", text))
    root = next((token for token in parse(plain) if token.dep_ == "ROOT"), None)
    parts = {each.dep_: each for each in (*root.lefts, *root.rights)} if root is not None else {}
    subject = parts.get("nsubj") or parts.get("nsubjpass")
    if root is None or subject is None or "neg" in parts:
        return 0
    own = _is_own(subject, names) or (companies and subject.i == 0)
    return _kind_of(root, subject) if own else 0


def _kind_of(root: Token, subject: Token) -> int:
    if root.lower_ in ("is", "are"):
        return int(any(_is_noun(each, "attr") or each.lower_ == "engaged" for each in root.rights))
    is_verb = root.tag_ in _PRESENT or (root.tag_ == "NNS" and subject.tag_ == "PRP")  # 'it designs'
    if not is_verb or root.lower_ in _NO_WORK:
        return int(root.lower_ == "engaged")
    does = any(_is_noun(each, "dobj") for verb in (root, *root.conjuncts) for each in verb.rights)
    return 2 if does else 0


def _is_noun(token: Token, part: str) -> bool:
    return token.dep_ == part and token.tag_ in _NOUNS


def _is_own(subject: Token, names: Collection[str]) -> bool:
    """Whether it is the company, not what only has its name before another noun."""
    if subject.lower_ in _OWN_WORK:
        return any(each.lower_ in ("our", "its", "company") for each in subject.subtree)
    return subject.lower_.strip(".,") in names
