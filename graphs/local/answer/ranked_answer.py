"""An answer of the lines that a learned fit says answer: figures stated, sentences quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from graphs.contracts import Reading
from graphs.drafts.figures import is_from_text
from graphs.drafts.sentences import Sentence, split
from graphs.local.answer import fact_sentences
from graphs.local.answer.overview import contradicts_headline
from graphs.local.answer.quotations import quotations, relation_sentence, with_antecedents
from tools.evidence import AnswerLine, Evidence

_YEAR = re.compile(r"(?<![\d,.])(?:((?:19|20)\d\d)|['’](\d\d))(?![\d,]|\.\d)")


class _Found(NamedTuple):
    line: AnswerLine
    item: Evidence


def ranked_lines(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The cited lines to be shown, the best one first; none where the evidence was not ranked, or it is not likely
    that one of them answers."""
    return _said(_found(reading, evidence))


def lines_about_unknown(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The same where a name or a period of the question is none that was indexed: of lines that speak of it, or that
    stand where it is spoken of."""
    names, years = reading.unknown_companies, [_years(each) for each in reading.unknown_periods]
    return _said(
        [
            each
            for each in _found(reading, evidence)
            if _is_quoted(each)
            and all(name.lower() in each.item.text.lower() for name in names)
            and all(asked & _years_of(each) for asked in years)
        ]
    )


def _years(text: str) -> set[int]:
    """Four digits, or two behind an apostrophe."""
    return {int(whole or f"20{short}") for whole, short in _YEAR.findall(text)}


def _years_of(found: _Found) -> set[int]:
    """The years that a line names, and the one that its document reports on."""
    end = found.item.period.end
    return _years(found.line.text) | ({end.year} if end is not None else set())


def _said(found: Sequence[_Found]) -> list[str]:
    quotes = quotations(with_antecedents([_sentence(each) for each in found if _is_quoted(each)]))
    stated = [_stated(each.item) for each in found if not _is_quoted(each)]
    return [*quotes, *stated] if found and _is_quoted(found[0]) else [*stated, *quotes]


def quotes_about_results(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """The cited sentences to be shown beside the headline figures of results, none that contradicts them."""
    said = [_sentence(each) for each in _found(reading, evidence) if _is_quoted(each)]
    return quotations(
        with_antecedents([s for s in said if not contradicts_headline(s.text, s.item.company_key, evidence)])
    )


def _found(reading: Reading, evidence: Sequence[Evidence]) -> list[_Found]:
    """Lines to be shown, and of every company asked about its best one."""
    found = [_Found(line, item) for item in evidence for line in item.lines if line.likely]
    found.sort(key=lambda each: (-each.line.share, each.item.rank))
    own = [next((f for f in found if f.item.company_key == key), None) for key in reading.companies]
    best = own if len(own) > 1 else []
    return [each for each in found if each.line.shown or each in best]


def _is_quoted(found: _Found) -> bool:
    return found.item.kind in ("prose", "exchange")


def _stated(item: Evidence) -> str:
    if item.fact is None:
        return f"{relation_sentence(item)} [{item.rank}]."
    return fact_sentences.quoted_sentence(item) if is_from_text(item.fact) else fact_sentences.sentence(item)


def _sentence(found: _Found) -> Sentence:
    return next(each for each in split(found.item) if each.text == found.line.text)
