"""What the user has decided about names: a file in the home of plain lines, one decision a line, edited by hand or by
`hybridrag graph merge` and `graph split`.

    # a comment
    same company: J.P. Morgan = JPMorgan
    different person: John Kim [PLD] != John Kim [EQR]

A name in square brackets behind a name is the company (name, key or ticker) whose documents are meant; without it the
name is meant wherever it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast, get_args

from tools.knowledge.types import EntityType

FILE = "identities.txt"
KINDS: tuple[EntityType, ...] = tuple(
    kind for kind in get_args(EntityType) if kind not in ("metric", "value", "period")
)
"""Types of which names are told apart; a line item's name is its identity."""
_LINE = re.compile(r"(?P<verb>same|different)\s+(?P<kind>\w+)\s*:\s*(?P<rest>.+)", re.IGNORECASE)
_NAME = re.compile(r"(?P<name>.*\S)\s*\[(?P<company>[^\[\]]+)\]|(?P<bare>.*\S)")
_SIGNS = {"same": re.compile(r"(?<!!)="), "different": re.compile(r"!=")}
_HEADER = (
    "# Which names are one entity: 'same TYPE: NAME = NAME' or 'different TYPE: NAME != NAME', one a line.\n"
    "# NAME [COMPANY] is the name as that company's documents use it. Lines of yours stay as they are.\n"
)


@dataclass(frozen=True, slots=True)
class Named:
    """A name of a decision, as written."""

    name: str
    company: str = ""
    """Whose documents are meant; '' for all."""

    def __str__(self) -> str:
        return f"{self.name} [{self.company}]" if self.company else self.name


@dataclass(frozen=True, slots=True)
class Decision:
    """One line: two names of one type are one entity, or are not."""

    same: bool
    kind: EntityType
    one: Named
    other: Named

    def __str__(self) -> str:
        verb, sign = ("same", "=") if self.same else ("different", "!=")
        return f"{verb} {self.kind}: {self.one} {sign} {self.other}"

    @property
    def pair(self) -> tuple[EntityType, frozenset[tuple[str, str]]]:
        """What it is about, whatever the order and case."""
        about = ((each.name.casefold(), each.company.casefold()) for each in (self.one, self.other))
        return self.kind, frozenset(about)


class DecisionLineError(ValueError):
    """A line of the file that is no decision, or contradicts another."""

    def __init__(self, line: int, why: str) -> None:
        self.line, self.why = line, why
        super().__init__(f"line {line}: {why}")


def read_decisions(data: bytes) -> list[Decision]:
    """The decisions of the file's bytes, in order. DecisionLineError for the first line that is none."""
    found: dict[object, tuple[int, Decision]] = {}
    for number, raw in enumerate(data.split(b"\n"), start=1):
        try:
            line = raw.decode("utf-8").strip().lstrip("\ufeff")
        except UnicodeDecodeError as error:
            raise DecisionLineError(number, "it is not UTF-8 text") from error
        if not line or line.startswith("#"):
            continue
        decision = _read_line(number, line)
        before, earlier = found.setdefault(decision.pair, (number, decision))
        if earlier.same != decision.same:
            raise DecisionLineError(number, f"it says the opposite of line {before}")
    return [decision for _, decision in found.values()]


def _read_line(number: int, line: str) -> Decision:
    match = _LINE.fullmatch(line)
    if match is None:
        raise DecisionLineError(number, "it is neither 'same TYPE: A = B' nor 'different TYPE: A != B'")
    verb, kind = match["verb"].lower(), match["kind"].lower()
    if kind not in KINDS:
        raise DecisionLineError(number, f"'{match['kind']}' is no type; there are {', '.join(KINDS)}")
    parts = _SIGNS[verb].split(match["rest"])
    if len(parts) != 2 or not all(part.strip() for part in parts):
        sign = "=" if verb == "same" else "!="
        raise DecisionLineError(number, f"'{verb}' takes two names with '{sign}' between them")
    one, other = (read_name(part) for part in parts)
    if one == other:
        raise DecisionLineError(number, "both names are the same one")
    return Decision(verb == "same", cast("EntityType", kind), one, other)


def read_name(text: str) -> Named:
    """'John Kim [PLD]' as a name and whose documents are meant."""
    match = _NAME.fullmatch(text.strip())
    if match is None:
        return Named(text.strip())
    return Named(match["bare"] or match["name"], (match["company"] or "").strip())


def with_decision(data: bytes, decision: Decision) -> bytes:
    """The file's bytes with this decision: a line at the end, in the place of lines about the same two names; all other
    lines stay as they are."""
    kept = [
        line
        for number, line in enumerate(data.split(b"\n"), start=1)
        if not _is_about(number, line, decision.pair)
    ]
    text = b"\n".join(kept).rstrip(b"\n")
    begun = text + b"\n" if text else _HEADER.encode()
    return begun + f"{decision}\n".encode()


def _is_about(number: int, raw: bytes, pair: object) -> bool:
    line = raw.decode("utf-8").strip().lstrip("\ufeff")
    return bool(line) and not line.startswith("#") and _read_line(number, line).pair == pair
