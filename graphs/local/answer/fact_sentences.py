"""Facts into words: one figure a sentence, several a table, a change with its calculation."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from graphs.drafts.figures import fact_of, is_from_text, label, quantity_of
from graphs.drafts.sentences import listed, quoted
from tools.evidence import Evidence, Fact
from tools.periods import Period
from tools.quantities import group_digits, render_quantity

_SINGULAR_S = frozenset({"less", "loss", "business", "process", "gross", "basis", "interest"})


def printed_value(fact: Fact) -> str:
    """'81,797 million USD'."""
    return render_quantity(fact.value, fact.unit, fact.scale, fact.printed)


def figure(fact: Fact) -> str:
    """'81,797 million USD ($81.8 billion)'; the second form only for dollars in millions above a billion."""
    text = printed_value(fact)
    quantity = quantity_of(fact)
    if quantity is None or fact.unit != "USD" or not fact.scale or abs(quantity.amount) < 10**9:
        return text
    exponent, word = (12, "trillion") if abs(quantity.amount) >= 10**12 else (9, "billion")
    if fact.scale >= exponent:
        return text
    rounded = abs(quantity.amount).scaleb(-exponent).quantize(Decimal("0.1"), ROUND_HALF_UP)
    sign = "-" if quantity.amount < 0 else ""
    return f"{text} ({sign}${rounded} {word})"


def in_period(period: Period) -> str:
    """'for the three months ended July 1, 2023', 'as of July 1, 2023', 'for fiscal Q2 2021'; '' when
    unknown."""
    text = period.describe()
    if text.startswith("as of"):
        return text
    if period.end is not None:
        return f"for the {text}"
    return "" if period.fiscal_year is None else f"for {text}"


def possessive_company(item: Evidence) -> str:
    """'Apple Inc.'s', 'Dolby Laboratories, Inc.'s', 'Calderith Devices''."""
    return possessive(quoted(item.company))


def possessive(name: str) -> str:
    """'Orla's', 'Devices''."""
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def verb(name: str) -> str:
    """'were' for a line item in the plural, else 'was'."""
    head = name.split(",")[0].split("(")[0].split(" of ")[0].strip().lower().split(" ")[-1]
    plural = head.endswith("s") and not head.endswith("ss") and head not in _SINGULAR_S
    return "were" if plural else "was"


def sentence(item: Evidence, *, recent: bool = False) -> str:
    """One figure as a cited sentence; `recent` says that the reader named no period and this is the
    latest."""
    fact = fact_of(item)
    if is_from_text(fact):
        return quoted_sentence(item)
    period = in_period(fact.period)
    comma = "," if fact.path and period else ""
    lead, subject = "", f"{label(fact)}{comma} {period}".strip()
    if recent and period and fact.period.end is not None:
        lead, subject = f"In the most recent period found, {period.removeprefix('for ')}, ", label(fact)
    return f"{lead}{possessive_company(item)} {subject} {verb(fact.metric)} {figure(fact)} [{item.rank}]."


def quoted_sentence(item: Evidence) -> str:
    """A figure of running text: its own sentence, quoted and attributed to the company."""
    _, _, rest = item.text.partition("“")
    said = rest.rpartition("”")[0] or rest
    period = (
        "" if item.period.end is None and item.period.fiscal_year is None else f", {item.period.describe()}"
    )
    return f"{quoted(item.company)}{period}: “{quoted(said)}” [{item.rank}]"


def table(items: Sequence[Evidence], *, recent: bool = False) -> str:
    """A lead and a Markdown table, one figure a row, each with its citation; what all rows share is in the
    lead."""
    columns: list[tuple[str, list[str]]] = [
        ("Company", [quoted(item.company) for item in items]),
        ("Line item", [label(fact_of(item), opening=True) for item in items]),
        ("Period", [fact_of(item).period.describe() for item in items]),
    ]
    shared = {name: cells[0] for name, cells in columns if len(set(cells)) == 1}
    kept = [(name, cells) for name, cells in columns if name not in shared] or columns[1:2]
    kept.append(("Value", [printed_value(fact_of(item)) for item in items]))
    kept.append(("Source", [f"[{item.rank}]" for item in items]))
    common = ", ".join(shared[name] for name in ("Company", "Line item", "Period") if name in shared)
    opening = "The most recent figures found" if recent else "The figures found"
    lead = f"{common}:" if common else f"{opening}:"
    rows = [[name for name, _ in kept], ["---"] * len(kept)]
    rows += [[cells[n] for _, cells in kept] for n in range(len(items))]
    return "\n".join([lead, "", *(f"| {' | '.join(row)} |" for row in rows)])


def conflict(items: Sequence[Evidence]) -> str:
    """Sources that disagree on one figure, each cited."""
    fact = fact_of(items[0])
    # without the names of the files, whose figures would be checked, too
    stated = [f"{figure(fact_of(item))} [{item.rank}]" for item in items]
    figure_asked = f"{possessive_company(items[0])} {label(fact)} {in_period(fact.period)}"
    return f"The documents disagree on {figure_asked}: {listed(stated)}."


def change(now: Evidence, then: Evidence) -> str | None:
    """From the earlier to the later figure, and the calculation shown; None when the two do not subtract."""
    new, old = fact_of(now), fact_of(then)
    a, b = quantity_of(new), quantity_of(old)
    if a is None or b is None or (new.unit, new.scale) != (old.unit, old.scale):
        return None
    difference = a.value - b.value
    moved = "rose" if difference > 0 else "fell" if difference < 0 else "did not change"
    both = f"[{now.rank}] [{then.rank}]" if now.rank != then.rank else f"[{now.rank}]"
    earlier, later = (_when_compared(fact.period, balance=new.period.months == 0) for fact in (old, new))
    values = [printed_value(old), printed_value(new)]
    first = (
        f"{possessive_company(now)} {label(new)} {moved} from {values[0]} {earlier} to {values[1]} {later} {both}."
        if difference
        else f"{possessive_company(now)} {label(new)} {moved}: {values[1]} {later} and {values[0]} {earlier} {both}."
    )
    unit = "percent" if new.unit == "percent" else new.unit
    result = render_quantity(str(difference), "percentage points" if unit == "percent" else unit, new.scale)
    operands = f"{_operand(new.value)} - {_operand(old.value)} = {result}"
    share = f" ({_percent(difference, b.value)} %)" if b.value > 0 and new.unit != "percent" else ""
    return f"{first} Change: {operands}{share} {both}."


def _when_compared(period: Period, *, balance: bool) -> str:
    """'in the three months ended July 1, 2023', or of a balance 'as of July 1, 2023'."""
    text = period.describe()
    return f"as of {text.removeprefix('as of ')}" if balance else f"in the {text}"


def _operand(value: str) -> str:
    text = group_digits(value)
    return f"({text})" if text.startswith("-") else text


def _percent(difference: Decimal, base: Decimal) -> str:
    rounded = rounded_percent(difference, base)
    return f"{rounded:+,f}" if rounded else "0.0"


def rounded_percent(part: Decimal, base: Decimal) -> Decimal:
    """`part` in percent of `base`, to one decimal. Raises ZeroDivisionError, as decimals do, for a base of 0."""
    return (part * 100 / base).quantize(Decimal("0.1"), ROUND_HALF_UP)
