"""Wrong-number rate: how many of an answer's figures does its evidence not bear out?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from evals.datasets.types import Item
from evals.metrics.metric_figures import Sized, figures_of, near
from evals.metrics.stated import Stated, statements
from evals.metrics.types import Metric, not_applicable
from evals.rows import Row, Score
from graphs.local.check.arithmetic import equation_fault, find_equations
from graphs.local.check.computed_figures import is_change, is_computed
from graphs.local.check.figure_changes import FigureChange
from graphs.local.check.figure_match import is_same
from graphs.local.check.parsed_text import parsed
from graphs.local.check.passages import Passage
from graphs.local.check.printed_figures import Figure
from tools.values import Quantity, same_amount


def score(item: Item, row: Row) -> Score:
    """Share of the answer's figures that none of its contexts prints, cited or not.

    A figure is borne out if a context prints it, at its precision or finer, with its unit, and its sign is the same or
    told in words; or if it follows by a sum, difference, share, multiple or percentage change from such figures of its
    own sentence, or, in a table's column of changes, from such figures of its row. A shown calculation ('5 - 3 = 2') is
    one figure, right if its operands are in the contexts and its result is theirs. That a figure is of another line
    item or period is not seen here: the checker sees that.
    """
    if row.status in ("abstained", "failed"):
        return not_applicable(f"{row.status}: no figure is stated")
    documents = frozenset(context.document for context in row.contexts)
    pieces = [piece for piece in statements(row.answer, documents) if piece.figures]
    if not pieces:
        return not_applicable("the answer states no figure")
    sized = [one for context in row.contexts for one in figures_of(context.text)]
    verdicts = [verdict for piece in pieces for verdict in _judge(piece, sized)]
    wrong = [told for told, held in verdicts if not held]
    reason = f"{len(wrong)} of {len(verdicts)} figures are not in the contexts"
    if wrong:
        reason += f": {'; '.join(wrong[:5])}"
    return Score(value=len(wrong) / len(verdicts), reason=reason)


def _judge(piece: Stated, sized: Sequence[Sized]) -> Iterator[tuple[str, bool]]:
    """(figure as told, whether it is borne out) of one piece."""
    shown = find_equations(piece.text)
    for equation in shown:
        figures = [one.figure for one in sized]
        yield piece.text[equation.start : equation.end], not equation_fault(equation, figures)
    inside = [(e.start, e.end) for e in shown]
    left = [q for q in piece.figures if not any(a <= q.start < b for a, b in inside)]
    borne = {q: figure for q in left if (figure := _source(q, piece.text, sized)) is not None}
    for quantity in left:
        held = quantity in borne or any(same_amount(quantity, e.result) for e in shown)
        held = held or _follows(quantity, piece.text, borne)
        yield quantity.text, held or _is_change_of_row(quantity, piece, sized)


def _source(quantity: Quantity, text: str, sized: Sequence[Sized]) -> Figure | None:
    """The context's figure that `quantity` states."""
    for figure in near(quantity, sized):
        theirs = figure.quantity
        finer = quantity.quantum < theirs.quantum and abs(quantity.amount) != abs(theirs.amount)
        if is_same(quantity, figure, text) and not (finer and quantity.unit == theirs.unit):
            return figure
    return None


def _is_change_of_row(quantity: Quantity, piece: Stated, sized: Sequence[Sized]) -> bool:
    """'+5.0 %' in the row '126 | 120 | +5.0 %', if the contexts print both figures."""
    printed = [q for q in piece.row if _source(q, piece.text, sized) is not None]
    way = "up" if quantity.value > 0 else "down" if quantity.value < 0 else ""
    told = replace(quantity, value=abs(quantity.value))
    return any(is_change(told, later, sooner, way) for later, sooner in permutations(printed, 2))


def _follows(quantity: Quantity, text: str, borne: dict[Quantity, Figure]) -> bool:
    """Is it computed from figures that its own sentence states and the contexts print?"""
    exact = {told: replace(f.quantity, unit=told.unit) for told, f in borne.items()}
    own = [Figure(q) for q in exact.values()]
    pairs = [
        pair
        for told in parsed(text).changes
        if told.new in borne and told.old in borne
        for pair in (told, FigureChange(exact[told.new], exact[told.old]))
    ]
    nothing = Passage("", (), ())
    return bool(own) and is_computed(quantity, parsed(text), own, (), nothing, pairs)


WRONG_NUMBER_RATE = Metric("wrong_number_rate", "Wrong figures", "answer", score, better="lower")
