"""Honest refusals: the reason code and, in words, what was looked for and what could be asked instead."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Clarification, Draft, Reading
from graphs.drafts.figures import fact_match, label
from graphs.drafts.sentences import quoted
from tools.evidence import Evidence

MIN_OFFERED_MATCH = 0.5
"""`Fact.match` from which a figure is worth offering as something to ask for."""
NOT_UNDERSTOOD = (
    "It seems that something has to be computed for this; which figures it takes was not understood. Name them one by "
    "one: 'operating income divided by revenue'."
)
MAX_COMPANIES_NAMED = 9
"""Companies named at most where several fit."""


def before(reading: Reading) -> Draft | None:
    """The refusal that the question alone calls for, whatever was retrieved; None if there is none."""
    if reading.told:
        return Draft(text="", abstained="about_index", detail=reading.told)
    if reading.out_of_scope:
        return Draft(text="", abstained="out_of_scope", detail=_closed(reading.out_of_scope))
    if reading.unknown_companies:
        return Draft(text="", abstained="no_evidence", detail=not_filed(reading))
    if reading.unknown_periods:
        spans = " or ".join(reading.unknown_periods)
        names = reading.company_names or reading.companies
        whose = f" of {', '.join(names)}" if names else ""
        return Draft(
            text="",
            abstained="no_evidence",
            detail=f"No indexed document{whose} covers the period asked for: {spans}.",
        )
    return None


def not_filed(reading: Reading) -> str:
    """That nothing of the companies that a question names is there, or that the filters leave it out."""
    left_out = [name for name in reading.unknown_companies if name in reading.filtered_companies]
    unknown = [name for name in reading.unknown_companies if name not in left_out]
    told = []
    if left_out:
        told.append(_closed(f"The filter that is set leaves out {' and '.join(left_out)}"))
        told.append("Lift it to ask about that.")
    if unknown:
        told.append(_closed(f"The indexed documents hold nothing filed by {' or '.join(unknown)}"))
    return " ".join([*told, *([did_you_mean(reading)] if reading.nearest_companies else [])])


def uncomputed(reading: Reading) -> Draft:
    """What was asked had to be computed, and figures for it were not found, or it was not understood from which."""
    said = (
        f"Nothing to compute {reading.uncomputed} from was found." if reading.uncomputed else NOT_UNDERSTOOD
    )
    return Draft(text="", abstained="no_evidence", detail=said)


def did_you_mean(reading: Reading) -> str:
    """'Did you mean Adobe Inc.?', of a name that may be misspelt."""
    return f"Did you mean {' or '.join(reading.nearest_companies).removesuffix('.')}?"


def ambiguous(reading: Reading, companies: Sequence[str]) -> Draft:
    """Several companies fit equally and none is named."""
    more = " Others fit, too: you may name any." if len(companies) > MAX_COMPANIES_NAMED else ""
    asked = Clarification(
        question=f"Which company do you mean?{more}", options=tuple(companies[:MAX_COMPANIES_NAMED])
    )
    return Draft(text="", abstained="ambiguous", detail=asked_back(reading, asked))


def asked_back(reading: Reading, asked: Clarification) -> str:
    """What is asked back, as the text of an answer."""
    sought = _measures(reading)
    have = f"have {sought}" if sought else "fit"
    return f"Several companies {have}: {'; '.join(asked.options).removesuffix('.')}. {asked.question}"


def nothing(reading: Reading, evidence: Sequence[Evidence]) -> Draft:
    """Nothing retrieved answers; near misses are named as things to ask for, without their figures."""
    near = [item for item in evidence if fact_match(item) >= MIN_OFFERED_MATCH]
    options = list(
        dict.fromkeys(
            f"{item.company}: {label(item.fact)}, {item.fact.period.describe()}"
            for item in near
            if item.fact is not None
        )
    )
    offer = f" Close to it in the documents: {quoted('; '.join(options[:3]))}." if options else ""
    return Draft(
        text="",
        abstained="no_evidence",
        detail=f"The documents do not hold an answer. Looked for {_sought(reading)}{_where(reading)}.{offer}",
    )


def unsupported(reading: Reading) -> Draft:
    """No statement of the draft held against its evidence."""
    return Draft(
        text="",
        abstained="unsupported",
        detail=f"What was found does not support an answer. Looked for {_sought(reading)}{_where(reading)}.",
    )


def _sought(reading: Reading) -> str:
    """What was looked for: figures by name, and what they are of; the question where it names none, since a place or a
    person in it is not what it asks for."""
    return _measures(reading) or f"'{quoted(reading.question)[:200]}'"


def _measures(reading: Reading) -> str:
    return ", ".join((*reading.metrics, *reading.entities)) if reading.metrics else ""


def _where(reading: Reading) -> str:
    companies = ", ".join(reading.company_names or reading.companies or reading.scope.companies)
    ends = [f"{p.end:%B} {p.end.day}, {p.end.year}" for p in reading.scope.periods if p.end is not None]
    whose = f" of {companies}" if companies else ""
    return f"{whose} for the period ended {' or '.join(ends[:3])}" if ends else whose


def _closed(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "?", "!")) else f"{text}."
