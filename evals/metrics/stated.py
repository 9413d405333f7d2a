"""What an answer states: its sentences and table rows, each with its figures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evals.metrics.metric_figures import Sized, figures_of, plain
from graphs.drafts.claims import Claim, is_lead, read_claims
from graphs.drafts.figures import quantities
from graphs.local.check.printed_figures import Figure
from tools.values import Quantity

_SCALES = {"thousand": 3, "million": 6, "billion": 9}
_HEADED = re.compile(r"\b(thousand|million|billion)s?\b", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:change|growth|difference|increase|decrease)\b|±|Δ", re.IGNORECASE)
_NAME = re.compile(r"\d+[A-Z]\b")
"""'3M' without a currency or a unit is a company before it is three million."""
_DOLLARS = re.compile(r"\bUSD\b|\$|\bdollars\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence, a lead or a cell of an answer."""

    text: str
    """Without markers; a cell with the row's label and its column's header before it."""
    figures: tuple[Quantity, ...]
    """Of this piece alone, as spans of `text`."""
    row: tuple[Quantity, ...] = ()
    """Of a cell that tells a change: the figures of its row's other cells, which it may be computed from."""


def statements(answer: str, documents: frozenset[str] = frozenset()) -> list[Stated]:
    """The pieces of an answer. Names of `documents` state nothing: the '2023' of '2023 Q2 ACME.pdf' is no figure."""
    for name in sorted(documents, key=len, reverse=True):
        answer = answer.replace(name, "")
    found = [_sentence(plain(line).strip(), 0) for line in answer.split("\n") if is_lead(line)]
    for claim in read_claims(answer):
        found += _cells(claim) if claim.kind == "row" else [_told(claim)]
    return found


def stated_figures(answer: str) -> list[Sized]:
    """Every figure of an answer, to find expected ones among them."""
    told = [Figure(quantity) for piece in statements(answer) for quantity in piece.figures]
    return [*figures_of(plain(answer)), *(Sized(abs(float(f.quantity.amount)), f) for f in told)]


def _told(claim: Claim) -> Stated:
    lead = f"{claim.context} " if claim.context else ""
    return _sentence(lead + claim.text, len(lead))


def _sentence(text: str, start: int) -> Stated:
    told = [q for q in quantities(text) if q.start >= start]
    return Stated(text, tuple(q for q in told if not (_NAME.match(text, q.start) and not q.unit)))


def _cells(claim: Claim) -> Iterator[Stated]:
    """A figure in the first column is part of a label, unless no other column holds one."""
    holding = [n for n, (_, cell) in enumerate(claim.cells) if quantities(cell)]
    holding = [n for n in holding if n] or holding
    labels = " ".join(cell for n, (_, cell) in enumerate(claim.cells) if n not in holding)
    told: list[tuple[str, Stated]] = []
    for n in holding:
        header, cell = claim.cells[n]
        lead = " ".join(part for part in (claim.context, labels, f"{header}: ") if part)
        piece = _sentence(lead + cell, len(lead))
        told.append((header, replace(piece, figures=tuple(_headed(q, header) for q in piece.figures))))
    for header, piece in told:
        others = [q for _, other in told if other is not piece for q in other.figures]
        yield replace(piece, row=tuple(others)) if _CHANGE.search(header) else piece


def _headed(quantity: Quantity, header: str) -> Quantity:
    """A bare number takes the unit and scale that its column's header states."""
    if quantity.scale or quantity.unit not in {"", "USD"}:
        return quantity
    scale = _HEADED.search(header)
    unit = "USD" if _DOLLARS.search(header) else quantity.unit
    return replace(quantity, unit=unit, scale=_SCALES[scale[1].lower()] if scale else 0)
