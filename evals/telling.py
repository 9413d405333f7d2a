"""Figures, periods and sentences in other words than the answerer's, and evidence made of triplets and chunks."""

from __future__ import annotations

import random
import re
from decimal import ROUND_HALF_UP, Decimal

from tools.documents.types import ParsedDocument
from tools.evidence import Evidence
from tools.knowledge.search import kg_search
from tools.knowledge.types import Triplet
from tools.periods import Period
from tools.quantities import group_digits


def fact_evidence(triplet: Triplet) -> Evidence:
    """A figure as `kg_search` returns it, fitting well."""
    return kg_search.fact_evidence(triplet, 0.95)


def chunk_evidence(parsed: ParsedDocument) -> list[Evidence]:
    """A document's chunks as `vector_search` returns them."""
    d = parsed.document
    return [
        Evidence(
            rank=1,
            source="vector",
            text=chunk.text,
            document=d.name,
            document_id=d.id,
            page=chunk.pages[0],
            score=0.7,
            item_id=chunk.id,
            kind=chunk.kind,
            company_key=d.company_key,
            company=d.company,
            doc_type=d.doc_type,
            period=d.period,
            section=chunk.section,
        )
        for chunk in parsed.chunks
    ]


def is_telling(text: str) -> bool:
    return (
        bool(re.match(r"[A-Z][a-z]", text))
        and text.endswith(".")
        and not re.search(r"[\[\]|“”\"?]|\bI\b|\bI'|thank", text)
        and bool(
            re.search(r"\b(?:increased?|decreased?|declined|grew|not|was|were|is|are|has|have|will)\b", text)
        )
    )


_REWORDINGS = (
    (r"\bincreased\b", "rose"),
    (r"\bdecreased\b", "declined"),
    (r"\bcompared (?:to|with)\b", "versus"),
    (r"\bapproximately\b", "about"),
    (r"\bprimarily\b", "mainly"),
    (r"\bdue to\b", "because of"),
    (r"\bin addition,? ", ""),
    (r"\bpercent\b", "%"),
)


def reword(text: str, company: str) -> str:
    """A sentence in slightly other words: synonyms, and the company's name for 'we' and 'our'."""
    for pattern, other in _REWORDINGS:
        text = re.sub(pattern, other, text)
    text = re.sub(r"\b(?:Our|our)\b", f"{company}'s", text)
    text = re.sub(r"\b(?:We|we|The Company|the Company)\b(?! (?:are|were|have|do)\b)", company, text)
    return re.sub(r"(\d) %", r"\1%", text)


def short_name(company: str) -> str:
    name = re.sub(
        r",? (?:Inc\.?|Corporation|Corp\.?|Incorporated|Company|Ltd\.?|plc|\.com)\b.*$", "", company
    )
    return name.removesuffix(".com") or company


def told_metric(t: Triplet) -> str:
    """The line item with the heading that makes it what it is."""
    head = t.head[0].lower() + t.head[1:] if t.head[1:2].islower() else t.head
    return f"{head} ({', '.join(t.path)})" if t.path else head


def told_figure(t: Triplet, chance: random.Random) -> str:
    """'$81,797 million', '$81.8 billion', '24.2%', '$1.26 per share'; losses with a minus."""
    value, sign = Decimal(t.value or "0"), ""
    if value < 0:
        value, sign = -value, "-"
    digits = group_digits(str(value))
    if t.unit == "percent":
        return f"{sign}{digits}%"
    if t.unit == "USD/share":
        return f"{sign}${digits} per share"
    word = {0: "", 3: " thousand", 6: " million", 9: " billion"}[t.scale]
    if t.unit == "USD":
        if t.scale == 6 and value >= 1000 and chance.random() < 0.4:
            rounded = (value / 1000).quantize(Decimal("0.1"), ROUND_HALF_UP)
            return f"{sign}${rounded} billion"
        return f"{sign}${digits}{word}"
    return f"{sign}{digits}{word}{' shares' if t.unit == 'shares' else f' {t.unit}' if t.unit else ''}"


def told_period(period: Period, chance: random.Random, *, exact: bool = False) -> str:
    """'for the three months ended July 1, 2023', 'in the quarter ended ...', 'in the third quarter of
    fiscal 2023'."""
    told = period.describe()
    if period.months == 0:
        return told
    forms = [f"for the {told}", f"in the {told}"]
    if period.months == 3 and not exact:
        forms.append(f"in the {told.replace('three months', 'quarter')}")
        if period.fiscal_quarter and period.fiscal_year:
            words = ["first", "second", "third", "fourth"][period.fiscal_quarter - 1]
            forms.append(f"in the {words} quarter of fiscal {period.fiscal_year}")
            forms.append(f"in Q{period.fiscal_quarter} of fiscal {period.fiscal_year}")
    return chance.choice(forms)
