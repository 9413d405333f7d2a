"""Companies and other proper names of a claim that its evidence does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from graphs.drafts.words import content
from graphs.local.check.claim_text import ClaimText
from graphs.local.check.figure_match import is_form
from graphs.local.check.passages import all_words
from tools.documents.text.ordinary_words import ORDINARY
from tools.evidence import Evidence
from tools.knowledge.extract.sentence_parses import proper_nouns
from tools.knowledge.graph.resolution import fold_company
from tools.knowledge.lexicon.metric_names import find_metrics

_CAPITALS = re.compile(r"[A-Z]{2,6}s?|[A-Z]&[A-Z]")
_WORD = re.compile(r"[^\W\d_][\w&'’.-]*")


def name_fault(
    claim: ClaimText,
    cited: Sequence[Evidence],
    by_rank: Mapping[int, Evidence],
    question: str,
) -> str:
    """A proper name of the claim that stands nowhere in evidence or question; or that of another company of the
    evidence, where the claim names nobody whom the cited evidence is of. '' if there is none.

    What is written in capitals alone may abbreviate words of the evidence or of the claim, or name a measure.
    """
    if short := _strange_initials(claim, [*(item.text for item in by_rank.values()), question]):
        return f"'{short}' is not named in the evidence"
    asked = frozenset(content(question))
    words, near = all_words(by_rank.values()) | asked, all_words(cited) | asked
    candidates = [
        n
        for n in claim.whole.names
        if not _CAPITALS.fullmatch(n.text)
        and n.stem not in near
        and not any(is_form(n.stem, word) for word in near)
    ]
    if not candidates:
        return ""
    own = bool(named_companies(claim.whole.text, cited))
    said = proper_nouns(claim.whole.text)
    for name in candidates:
        whole = next((run for run in said if name.text in run), "")
        known = bool(named_companies(name.text, list(by_rank.values())))
        strange = name.stem not in words and whole and name.text.lower() not in ORDINARY
        if (known and not own) or (strange and not known):
            return f"'{name.text}' is not named in the evidence"
    return ""


def _strange_initials(claim: ClaimText, texts: Sequence[str]) -> str:
    """The first word in capitals that no text has or spells out, and that is no measure; '' if there is none."""
    for name in claim.whole.names:
        if not re.fullmatch(r"[A-Z]{2,6}", name.text) or find_metrics(name.text):
            continue
        long = r"\W+(?:(?:of|and|the|for|in|on)\W+)?".join(rf"{letter}\w*" for letter in name.text)
        said = re.compile(rf"\b(?:{name.text}|{long})\b", re.IGNORECASE)
        own = re.search(rf"\b{long}\b", claim.whole.text, re.IGNORECASE)
        if own is None and not any(map(said.search, texts)):
            return name.text
    return ""


@lru_cache(maxsize=1024)
def company_pattern(item_company: str, key: str) -> re.Pattern[str] | None:
    """What a company is called: its name without legal forms, the name's first word if that is no ordinary one, its
    ticker."""
    folded = fold_company(item_company)
    forms = {folded}
    first = folded.split()[:1]
    if first and first[0] not in ORDINARY and (len(first[0]) > 2 or any(map(str.isdigit, first[0]))):
        forms.add(first[0])
    if not any(forms):
        return None
    spelled = "|".join(
        re.escape(form).replace(r"\ ", r"[\s&.,-]+") for form in sorted(forms, key=len, reverse=True)
    )
    ticker = rf"|(?-i:\b{re.escape(key)}\b)" if key.isupper() and len(key) > 1 else ""
    return re.compile(rf"\b(?:{spelled})\b{ticker}", re.IGNORECASE)


def without_digit_names(text: str, items: Iterable[Evidence]) -> str:
    """`text` with 'the company' for companies whose name has digits: '3M' is no amount."""
    for company, key in {(i.company, i.company_key) for i in items if re.search(r"\d", i.company)}:
        pattern = company_pattern(company, key)
        text = pattern.sub("the company", text) if pattern else text
    return text


def named_companies(text: str, items: Sequence[Evidence]) -> list[tuple[int, str]]:
    """(position, key) of the evidence's companies that a text names with a capital, in order."""
    found: list[tuple[int, str]] = []
    for company, key in {(item.company, item.company_key) for item in items if item.company}:
        pattern = company_pattern(company, key)
        for match in pattern.finditer(text) if pattern else ():
            if match.group()[0].isupper() or match.group()[0].isdigit():
                found.append((match.start(), key))
    return sorted(set(found))
