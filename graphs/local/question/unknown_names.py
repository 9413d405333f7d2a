"""Names in a question that play a company's part and belong to no indexed company."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.documents.metadata.catalog import CompanyMention
from tools.documents.metadata.company_names import LEGAL_SUFFIXES, NameToken, name_tokens
from tools.documents.text.ordinary_words import ACRONYMS, FIRST_NAMES, ORDINARY, PLACES

_NAME_MARK, _COMPANY_MARK, _METRIC_MARK = "\ue000", "\ue001", "\ue002"
"""Private-use characters that stand for the name under test, an indexed company and a metric."""
_JOINERS = frozenset({"of", "and", "&"})
_PART = (
    r"call|transcript|10-?[qk]|filings?|stocks?|shares|management|executives|ceo|cfo|board|segments?"
    r"|outlook|strategy|"
    r"earnings|results|risks?|employees|customers|stores|guidance|dividend|debt"
)
_ROLES = re.compile(
    rf"{_NAME_MARK}['’]s?\s+(?:[\w&-]+\s+){{0,4}}(?:{_METRIC_MARK}|{_PART})"
    rf"|{_METRIC_MARK}\s+(?:[\w&-]+\s+){{0,4}}?(?:of|for|at|from|by)\s+(?:the\s+)?{_NAME_MARK}"
    rf"|(?<!who )(?<!what )(?<!where )\b(?:did|does|do|has|have|had|is|was|will|can|could|should|are"
    rf"|were)\s+(?:the\s+)?{_NAME_MARK}"
    rf"|^\W*{_NAME_MARK}(?:['’]s)?\W+(?:[\w&-]+\W+){{0,2}}?(?:{_METRIC_MARK}|{_PART})|^\W*{_NAME_MARK}\s*:"
    rf"|{_NAME_MARK}(?:['’]s)?\s+(?:[\w&-]+\s+){{0,2}}?(?:{_PART})\b"
    rf"|\b(?:{_PART}|chief\s+\w+\s+officer|president|chairman|head|founder)\s+(?:of|at"
    rf"|for)\s+(?:the\s+)?{_NAME_MARK}"
    rf"|\b(?:runs?|leads?|heads?|owns?|founded|chairs)\s+{_NAME_MARK}",
    re.IGNORECASE,
)
_OTHER_KIND = re.compile(
    rf"{_NAME_MARK}(?:['’]s)?\s+(?:segment|division|unit|region|category|product|platform|plan|program|act|notes?|facility|"
    rf"agreement|project|brand|line|family|chip|processor|service|app|device|drug|plant|site|fab|law|rule)s?\b"
    rf"|\bthe\s+{_NAME_MARK}(?!['’]?s?\s+(?:\w+\s+){{0,2}}?(?:{_PART}|compan|group|corp))",
    re.IGNORECASE,
)
"""Words beside a name that make it something else than a company: 'the Anchor Plan', 'Harbor segment'."""
_POSSESSIVE = re.compile(rf"{_NAME_MARK}['’]s?\s+[\w-]+", re.IGNORECASE)
_BESIDE = re.compile(
    rf"[{_COMPANY_MARK}{_NAME_MARK}](?:['’]s)?\s*(?:,|and|or|vs\.?|versus|with|to|than|&)\s*{_NAME_MARK}"
    rf"|{_NAME_MARK}(?:['’]s)?\s*(?:,|and|or|vs\.?|versus|with|to|than|&)\s*{_COMPANY_MARK}",
    re.IGNORECASE,
)
_LOWER_ROLES = re.compile(
    rf"\b(?:did|does)\s+{_NAME_MARK}|^\W*{_NAME_MARK}\s+{_METRIC_MARK}|{_NAME_MARK}['’]s\s+(?:[\w&-]+\s+){{0,2}}{_METRIC_MARK}"
    rf"|{_METRIC_MARK}\s+(?:of|at)\s+{_NAME_MARK}",
    re.IGNORECASE,
)
_SPEECH = re.compile(
    rf"{_NAME_MARK}\s+(?:say|said|mention|comment|ask|asked|think|talk|respond|answer|argue|note)", re.I
)
_COMPARING = re.compile(r"\b(?:compare\w*|comparison|versus|vs\.?|than|between)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NameSpan:
    """A stretch of the question."""

    text: str
    start: int
    end: int


def capitalised_spans(question: str, taken: Sequence[tuple[int, int]]) -> list[NameSpan]:
    """Runs of capitalised words outside `taken`, joined over '&', 'of' and 'and' between capitals.

    A run needs a word that is no ordinary one; an ordinary word opening the question is left out of its run.
    """
    spans: list[NameSpan] = []
    run: list[NameToken] = []
    tokens = name_tokens(question)

    def close() -> None:
        spans.extend(_name_of(run, question, opening=bool(run) and run[0].start == tokens[0].start))
        run.clear()

    for position, token in enumerate(tokens):
        apart = run and re.search(r"[^\s&.]", question[run[-1].end : token.start].replace("'s", "x"))
        if apart or any(start < token.end and token.start < end for start, end in taken):
            close()
            if apart is None or any(start < token.end and token.start < end for start, end in taken):
                continue
        following = tokens[position + 1] if position + 1 < len(tokens) else None
        if _is_capital(token) or (
            run and token.word == "of" and following is not None and _is_capital(following)
        ):
            run.append(token)
        else:
            close()
    close()
    return spans


def _name_of(run: Sequence[NameToken], question: str, *, opening: bool) -> list[NameSpan]:
    """The name that a run of capitalised words holds; [] where all of them are ordinary ones."""
    words = list(run)
    while words and words[-1].word in _JOINERS:
        words.pop()
    if words and opening and _is_plain(words[0]):
        del words[0]
    heads = [index for index, token in enumerate(words) if token.word == "of"]
    if heads and all(token.word in ACRONYMS for token in words[: heads[-1]]):  # 'the CEO of Netflix'
        del words[: heads[-1] + 1]
    if all(_is_plain(token) for token in words):
        return []
    start, end = words[0].start, words[-1].end
    return [NameSpan(question[start:end], start, end)]


def find_unknown_companies(
    question: str,
    companies: Sequence[CompanyMention],
    metrics: Sequence[tuple[int, int]],
    is_known: Callable[[str], bool],
) -> tuple[str, ...]:
    """Names that are used as companies and are not indexed; `is_known` recognises names of other things."""
    taken = [(mention.start, mention.end) for mention in companies]
    free_metrics = [(s, e) for s, e in metrics if not any(s < end and start < e for start, end in taken)]
    names: list[str] = []
    for span in capitalised_spans(question, [*taken, *free_metrics]):
        words = [token.word for token in name_tokens(span.text)]
        if LEGAL_SUFFIXES.issuperset(words):  # 'Orla Inc's': of the company before it
            continue
        legal = len(words) > 1 and words[-1] in LEGAL_SUFFIXES
        if not legal and (words[0] in FIRST_NAMES or all(map(_is_common, words)) or is_known(span.text)):
            continue
        masked = _masked(question, span, taken, free_metrics)
        if not legal and _OTHER_KIND.search(masked):
            continue
        if legal or _plays_company(masked, bool(companies), bool(free_metrics)):
            names.append(span.text)
    quiet = question == question.lower()
    if quiet and not names and not companies:
        names += _lower_case(question, free_metrics, is_known)
    return tuple(dict.fromkeys(names))


def _plays_company(masked: str, has_company: bool, has_metric: bool) -> bool:
    if _SPEECH.search(masked):
        return False
    if has_company:
        compares = bool(_COMPARING.search(masked))
        beside = bool(_BESIDE.search(masked)) and (compares or has_metric)
        possessive = re.search(rf"{_NAME_MARK}['’]s?(?:\s+(?:\w+\s+){{0,3}}{_METRIC_MARK}|\W*$)", masked)
        return beside or bool(possessive)
    return bool(_ROLES.search(masked) or _POSSESSIVE.search(masked) or _BESIDE.search(masked))


def _lower_case(
    question: str, metrics: Sequence[tuple[int, int]], is_known: Callable[[str], bool]
) -> list[str]:
    """In a question without capitals, only a word in a company's most typical places."""
    for token in name_tokens(question):
        covered = any(start < token.end and token.start < end for start, end in metrics)
        strange = token.word.isalpha() and len(token.word) >= 4 and not _is_common(token.word)
        if covered or not strange or is_known(token.raw) or token.word in FIRST_NAMES:
            continue
        masked = _masked(question, NameSpan(token.raw, token.start, token.end), (), metrics)
        if _LOWER_ROLES.search(masked) and not _SPEECH.search(masked):
            return [token.raw]
    return []


def _masked(
    question: str, name: NameSpan, companies: Sequence[tuple[int, int]], metrics: Sequence[tuple[int, int]]
) -> str:
    marks = [(name.start, name.end, _NAME_MARK)]
    marks += [(start, end, _COMPANY_MARK) for start, end in companies]
    marks += [(start, end, _METRIC_MARK) for start, end in metrics]
    for start, end, mark in sorted(marks, reverse=True):
        question = question[:start] + mark + question[end:]
    return question


def _is_capital(token: NameToken) -> bool:
    return token.raw[0].isupper() or (token.raw[0].islower() and any(map(str.isupper, token.raw[1:])))


def _is_common(word: str) -> bool:
    singular = word[:-1] if word.endswith("s") else word
    return word in ORDINARY or singular in ORDINARY or word in ACRONYMS or word in PLACES or word.isdigit()


def _is_plain(token: NameToken) -> bool:
    return (
        _is_common(token.word)
        or token.word in _JOINERS
        or bool(re.fullmatch(r"[qh]\d|\d\w*|fy\d*", token.word))
    )
