"""Sentences of calculations: word for word what comes out of the cited figures, or not supported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

import pytest

from graphs.contracts import Statement
from graphs.drafts.calculations import NOT_COMPUTED, calculated, computed_claims, judged_sum
from graphs.drafts.claims import read_claims
from graphs.local.check.checker import LocalChecker
from tests.accounts import AT22, made, quarter, year
from tools.calculate.types import Asked, Calculation, When
from tools.evidence import Evidence

REVENUE = Asked(formula="a", items={"a": "net revenue"}, title="revenue")
MARGIN = Asked(measure="net margin")
SEGMENTS = REVENUE.model_copy(update={"over": "part", "set_words": "geographic segments"})
CASES: dict[str, tuple[Asked, tuple[When, ...], tuple[str, ...]]] = {
    "ratio": (Asked(measure="current ratio"), (year(2023),), ("ORLA",)),
    "turnover": (Asked(measure="inventory turnover"), (year(2023),), ("ORLA",)),
    "growth": (REVENUE.model_copy(update={"across": "growth"}), (year(2023),), ("ORLA",)),
    "compound": (REVENUE.model_copy(update={"across": "cagr"}), (year(2021), year(2023)), ("ORLA",)),
    "average": (REVENUE.model_copy(update={"across": "average"}), (year(2022), year(2023)), ("ORLA",)),
    "derived": (REVENUE, (quarter(4),), ("ORLA",)),
    "loss": (MARGIN, (year(2022),), ("ORLA",)),
    "printed": (Asked(measure="effective tax rate"), (year(2023),), ("ORLA",)),
    "parts": (SEGMENTS.model_copy(update={"pick": "highest"}), (year(2023),), ("ORLA",)),
    "top": (SEGMENTS.model_copy(update={"pick": "lowest", "top": 2}), (year(2023),), ("ORLA",)),
    "companies": (MARGIN.model_copy(update={"over": "company"}), (year(2023),), ("ORLA", "TILB")),
    "moved": (MARGIN.model_copy(update={"over": "period"}), (year(2023), year(2021)), ("ORLA",)),
    "yes": (MARGIN.model_copy(update={"yes_no": True, "threshold": "15"}), (year(2023),), ("ORLA",)),
    "beyond": (
        MARGIN.model_copy(update={"over": "company", "threshold": "12"}),
        (year(2023),),
        ("ORLA", "TILB"),
    ),
    "refused": (
        Asked(
            formula="a",
            items={"a": "operating income"},
            across="growth",
            title="growth of profit",
        ),
        (year(2023),),
        ("ORLA",),
    ),
}
EVERY = pytest.mark.parametrize("name", CASES)
SWAPS = (
    ("December", "September"),
    ("twelve months", "nine months"),
    ("three months", "six months"),
    ("as of", "twelve months ended"),
    ("2023", "2022"),
    ("2022", "2023"),
    ("2021", "2020"),
    ("million", "billion"),
    ("USD", "EUR"),
    ("%", "percentage points"),
    ("percentage points", "%"),
    ("times", "days"),
    (" - ", " + "),
    (" + ", " - "),
    (" / ", " × "),
    ("(-", "("),
    (": -", ": "),
    ("from -", "from "),
    ("average", "abs"),
    ("rose", "fell"),
    ("Yes", "No"),
    ("above", "below"),
    ("highest", "lowest"),
    ("Lowest", "Highest"),
    ("Orla Devices", "Tilbrook Stores"),
    ("Tilbrook Stores", "Orla Devices"),
    ("Total net revenue", "Net income"),
    ("Net income", "Operating income"),
    ("Inventories", "Total assets"),
    ("as printed", "as computed"),
    ("current ratio", "quick ratio"),
    ("can't be", "can be"),
    ("Americas", "Europe"),
    ("Europe", "Asia Pacific"),
)
"""What stands in a sentence, and what would be another claim: a period, a unit, a sign, a direction, a name."""
MARK = re.compile(r"\[\d+\]")
NUMBER = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w\]]|[.,]\d)")


def evidence_of(name: str) -> list[Evidence]:
    asked, whens, companies = CASES[name]
    return made(asked, *whens, companies=companies)[0]


def verdicts(text: str, evidence: list[Evidence]) -> list[Statement]:
    """As the local checker gives them: of a sentence that cites no figure computed with by its other rules."""
    computed, by_rank = computed_claims(evidence), {item.rank: item for item in evidence}
    checker = LocalChecker()
    return [judged_sum(claim, computed) or checker.judge(claim, by_rank) for claim in read_claims(text)]


def claim_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that hold claims: without leads, heads of tables and the rules under them."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        heads = line.startswith("| ---") or (at + 1 < len(lines) and lines[at + 1].startswith("| ---"))
        if line.strip() and not heads and not line.endswith(":"):
            yield at, line


def corrupted(line: str, ranks: int) -> Iterator[str]:
    """Another claim each: a digit, an operand, a period, a unit, a sign, a name, a marker, two operands swapped."""
    marks = [match.span() for match in MARK.finditer(line)]
    for at, letter in enumerate(line):
        if letter.isdigit() and not any(start <= at < end for start, end in marks):
            yield f"{line[:at]}{(int(letter) + 1) % 10}{line[at + 1 :]}"
            yield f"{line[:at]}{line[at + 1 :]}"
    numbers = list(NUMBER.finditer(line))
    for one in numbers:
        for other in numbers:
            yield f"{line[: one.start()]}{other[0]}{line[one.end() :]}"
            if one.end() <= other.start():
                between = line[one.end() : other.start()]
                yield f"{line[: one.start()]}{other[0]}{between}{one[0]}{line[other.end() :]}"
    for old, new in SWAPS:
        for match in re.finditer(re.escape(old), line):
            yield f"{line[: match.start()]}{new}{line[match.end() :]}"
    for start, end in marks:
        yield f"{line[:start]}{line[end:]}"
        for rank in (*range(2, ranks + 1), 99):
            yield f"{line[:start]}[{rank}]{line[end:]}"


def corruptions(name: str) -> list[str]:
    """Whole answers with one corruption in one line, those left out that claim the same as the sound one."""
    evidence = evidence_of(name)
    sound = calculated(evidence)
    lines, found = sound.split("\n"), dict[str, None]()
    for at, line in claim_lines(sound):
        for bad in corrupted(line, len(evidence)):
            text = "\n".join((*lines[:at], bad, *lines[at + 1 :]))
            if read_claims(text) != read_claims(sound):
                found[text] = None
    return list(found)


@EVERY
def test_every_sentence_and_row_of_a_calculation_is_supported(name: str) -> None:
    evidence = evidence_of(name)
    text = calculated(evidence)
    found = verdicts(text, evidence)
    assert len(found) >= 2 and all(each.supported and each.evidence for each in found)
    # what computing comes to is its own evidence: no sentence is left to the checker's other rules
    computed = computed_claims(evidence)
    assert all(judged_sum(claim, computed) for claim in read_claims(text))


@EVERY
def test_no_corruption_of_a_calculation_is_supported(name: str) -> None:
    evidence = evidence_of(name)
    missed = [text for text in corruptions(name) if all(each.supported for each in verdicts(text, evidence))]
    assert missed == []


def test_the_corruptions_are_many_and_of_every_calculation() -> None:
    counts = {name: len(corruptions(name)) for name in CASES}
    assert min(counts.values()) >= 20 and sum(counts.values()) >= 300


def test_a_fault_says_what_is_wrong_and_cites_nothing() -> None:
    evidence = evidence_of("ratio")
    bad = verdicts(calculated(evidence).replace("1.50", "1.60", 1), evidence)[0]
    assert (bad.supported, bad.evidence, bad.reason) == (False, (), NOT_COMPUTED)


def test_a_sentence_of_other_figures_is_left_to_others() -> None:
    evidence = evidence_of("ratio")
    computed = computed_claims(evidence)
    (other,) = read_claims("Orla opened a plant [9].")
    assert judged_sum(other, computed) is None
    assert judged_sum(other, computed_claims(evidence[1:])) is None
    (own,) = read_claims("Orla opened a plant [2].")
    verdict = judged_sum(own, computed)
    assert verdict is not None and not verdict.supported


def test_without_a_calculation_nothing_is_said() -> None:
    facts = evidence_of("ratio")[1:]
    assert calculated(facts) == "" and calculated([]) == ""
    assert computed_claims(facts).said == frozenset() and computed_claims(facts).ranks == frozenset()


def test_two_calculations_stand_one_after_the_other_and_both_hold() -> None:
    one, other = evidence_of("ratio"), evidence_of("growth")
    every = [item.model_copy(update={"rank": n}) for n, item in enumerate((*one, *other), start=1)]
    text = calculated(every)
    assert "current ratio" in text and "from twelve months ended" in text
    assert all(each.supported for each in verdicts(text, every))


def with_calculation(evidence: list[Evidence], own: Calculation) -> list[Evidence]:
    return [evidence[0].model_copy(update={"calculation": own}), *evidence[1:]]


def changed(evidence: list[Evidence], **fields: object) -> list[Evidence]:
    """The same with the first operand of the first result changed."""
    own = evidence[0].calculation
    assert own is not None
    first, *rest = own.results
    operand, *others = first.operands
    operands = (operand.model_copy(update=fields), *others)
    results = (first.model_copy(update={"operands": operands}), *rest)
    return with_calculation(evidence, own.model_copy(update={"results": results}))


def test_a_value_that_was_written_wrong_is_computed_again() -> None:
    evidence = evidence_of("ratio")
    own = evidence[0].calculation
    assert own is not None
    wrong = own.results[0].model_copy(update={"value": "9.99"})
    text = calculated(with_calculation(evidence, own.model_copy(update={"results": (wrong,)})))
    tampered = with_calculation(evidence, own.model_copy(update={"results": (wrong,)}))
    assert "9.99" in text
    assert not any(each.supported for each in verdicts(text, tampered)[:2])


@pytest.mark.parametrize(
    "fields",
    [{"value": "1700"}, {"unit": "EUR"}, {"scale": 3}, {"period": AT22}, {"item_id": "gone"}],
)
def test_an_operand_that_is_not_as_its_figure_supports_nothing(fields: dict[str, object]) -> None:
    sound = evidence_of("ratio")
    assert computed_claims(sound).said and computed_claims(changed(sound, **fields)).said == frozenset()


def test_an_operand_that_is_no_longer_in_the_evidence_supports_nothing() -> None:
    evidence = evidence_of("ratio")
    kept = [evidence[0], evidence[2]]
    assert computed_claims(kept).said == frozenset()
    assert not any(each.supported for each in verdicts(calculated(evidence), kept))


def test_an_operand_with_another_sign_than_its_figure_supports_nothing() -> None:
    evidence = evidence_of("loss")
    own = evidence[0].calculation
    assert own is not None and Decimal(own.results[0].operands[0].value) < 0
    assert computed_claims(changed(evidence, value="150")).said == frozenset()


def test_a_printed_measure_that_is_not_as_its_figure_supports_nothing() -> None:
    evidence = evidence_of("printed")
    own = evidence[0].calculation
    assert own is not None and own.printed is not None
    other = own.model_copy(update={"printed": own.printed.model_copy(update={"value": "99"})})
    assert not any("99 %" in claim.text for claim in computed_claims(with_calculation(evidence, other)).said)


def test_a_refusal_with_other_figures_than_printed_supports_nothing() -> None:
    evidence = evidence_of("refused")
    assert not any("-777" in claim.text for claim in computed_claims(changed(evidence, value="-777")).said)


def test_markers_of_one_sentence_that_changed_places_are_not_supported() -> None:
    evidence = evidence_of("growth")
    text = calculated(evidence)
    text.index("3,200 million USD [3]."), text.index("4,000 million USD [2] and ")  # a ValueError otherwise
    swapped = text.replace("4,000 million USD [2] and ", "4,000 million USD [3] and ")
    swapped = swapped.replace("3,200 million USD [3].", "3,200 million USD [2].")
    assert not all(each.supported for each in verdicts(swapped, evidence))


@pytest.mark.parametrize(
    ("old", "new"),
    [("| Net margin |", "| Gross margin |"), ("Net margin:", "Gross margin:")],
    ids=["head", "lead"],
)
def test_rows_under_another_lead_or_head_are_not_supported(old: str, new: str) -> None:
    evidence = evidence_of("companies")
    text = calculated(evidence)
    text.index(old)  # a ValueError: then the test is of nothing
    assert not all(each.supported for each in verdicts(text.replace(old, new, 1), evidence))
