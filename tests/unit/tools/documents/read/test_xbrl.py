from __future__ import annotations

from datetime import date

import pytest
from lxml import etree

from tools.documents.read.xbrl import TaggedValue, read_contexts, read_value
from tools.periods import Period

SPACES = (
    'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:x="http://www.xbrl.org/2003/instance"'
    ' xmlns:d="http://xbrl.org/2006/xbrldi" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
)
UNITS = "".join(
    f'<x:unit id="{name}">{content}</x:unit>'
    for name, content in {
        "usd": "<x:measure>iso4217:USD</x:measure>",
        "shares": "<x:measure>xbrli:shares</x:measure>",
        "pure": "<x:measure>xbrli:pure</x:measure>",
        "stores": "<x:measure>orla:Store</x:measure>",
        "mi": "<x:measure>utr:mi</x:measure>",
        "eps": "<x:divide><x:unitNumerator><x:measure>iso4217:USD</x:measure></x:unitNumerator>"
        "<x:unitDenominator><x:measure>xbrli:shares</x:measure></x:unitDenominator></x:divide>",
    }.items()
)


def value(
    printed: str,
    unit: str = "usd",
    days: str = "<x:instant>2024-09-28</x:instant>",
    tag: str = "nonFraction",
    **more: str,
) -> TaggedValue | None:
    written = " ".join(f'{name.replace("__", ":")}="{text}"' for name, text in more.items())
    root = etree.fromstring(
        f'<r {SPACES}>{UNITS}<x:context id="c"><x:entity><x:segment>'
        '<d:explicitMember dimension="us-gaap:SegmentAxis">orla:OakMember</d:explicitMember></x:segment></x:entity>'
        f"<x:period>{days}</x:period></x:context>"
        f'<ix:{tag} name="orla:Desks" contextRef="c" unitRef="{unit}" {written}>{printed}</ix:{tag}></r>'
    )
    return read_value(root[-1], read_contexts(root.iter()))


def amount(printed: str, unit: str = "usd", **more: str) -> tuple[str, str, int] | None:
    found = value(printed, unit, **more)
    return None if found is None else (found.value, found.unit, found.scale)


def test_a_tag_states_concept_value_unit_scale_and_dimensions() -> None:
    assert value("81,797", scale="6") == TaggedValue(
        "orla:Desks",
        Period(date(2024, 9, 28), 0),
        "81797",
        "USD",
        6,
        (("us-gaap:SegmentAxis", "orla:OakMember"),),
    )


@pytest.mark.parametrize(
    ("printed", "rule", "expected"),
    [
        ("1,234.50", "ixt:num-dot-decimal", "1234.50"),
        ("1.234,50", "ixt:num-comma-decimal", "1234.50"),
        ("1.234,50", "ixt:numcommadecimal", "1234.50"),
        ("1 234", "ixt:num-dot-decimal", "1234"),
        ("—", "ixt:fixed-zero", "0"),
        ("-", "ixt:zerodash", "0"),
        ("no", "ixt:fixed-zero", "0"),
        ("—", "", "0"),
        ("no", "ixt-sec:numwordsen", "0"),
        ("Twelve", "ixt-sec:numwordsen", "12"),
        ("twenty-five", "ixt-sec:numwordsen", "25"),
        ("two thousand one hundred and five", "ixt-sec:numwordsen", "2105"),
        ("6", "ixt-sec:numwordsen", "6"),
        (".05", "", "0.05"),
    ],
)
def test_a_number_is_read_as_its_format_says(printed: str, rule: str, expected: str) -> None:
    assert amount(printed, format=rule) == (expected, "USD", 0)


def test_the_sign_is_the_tag_s_and_not_the_brackets() -> None:
    assert amount("5", sign="-") == ("-5", "USD", 0)
    assert amount("(5)") == ("5", "USD", 0)
    assert amount("—", sign="-", format="ixt:fixed-zero") == ("0", "USD", 0)


@pytest.mark.parametrize(
    ("unit", "scale", "expected"),
    [
        ("shares", "3", ("5", "shares", 3)),
        ("eps", "0", ("5", "USD/share", 0)),
        ("pure", "-2", ("5", "percent", 0)),
        ("pure", "-4", ("5", "percent", -2)),
        ("pure", "0", ("5", "", 0)),
        ("stores", "0", ("5", "", 0)),
        ("mi", "0", ("5", "mi", 0)),
    ],
)
def test_units_are_written_as_those_of_other_facts(
    unit: str, scale: str, expected: tuple[str, str, int]
) -> None:
    assert amount("5", unit, scale=scale) == expected


@pytest.mark.parametrize(
    ("start", "end", "months"),
    [
        ("2024-03-31", "2024-06-29", 3),
        ("2023-10-01", "2024-09-28", 12),
        ("2022-09-25", "2023-09-30", 12),
        ("2024-01-01", "2024-09-30", 9),
        ("2024-01-01", "2024-01-31", 1),
        ("2024-01-01", "2024-01-07", None),
    ],
)
def test_a_duration_is_counted_in_whole_months(start: str, end: str, months: int | None) -> None:
    found = value("5", days=f"<x:startDate>{start}</x:startDate><x:endDate>{end}</x:endDate>")
    assert found is not None and found.period == Period(date.fromisoformat(end), months)


def test_midnight_is_the_end_of_the_day_before() -> None:
    found = value("5", days="<x:instant>2024-09-29T00:00:00</x:instant>")
    assert found is not None and found.period.end == date(2024, 9, 28)


def test_a_tag_that_states_nothing_or_refers_to_nothing_is_none() -> None:
    assert value("", xsi__nil="true") is None
    assert value("5", unit="unknown") is None
    assert value("see note") is None


def test_a_fraction_is_its_numerator_over_its_denominator() -> None:
    parts = "<ix:numerator>1</ix:numerator> / <ix:denominator>8</ix:denominator>"
    assert amount(parts, "pure", tag="fraction") == ("0.125", "", 0)
    assert amount(parts.replace("8", "0"), "pure", tag="fraction") is None
