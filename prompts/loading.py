"""Prompts are files: `load(name)` reads `prompts/<name>.md` and refuses one whose variables do not add up.

A file is a header between two lines of `---` and two parts:

    ---
    name: condense
    version: 1
    variables: history, question
    ---
    [system]
    What the model is to do.
    [user]
    $history and $question; a dollar sign of the text itself is written $$.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Template
from typing import Literal

FOLDER = Path(__file__).parent
Part = tuple[Literal["system", "user"], str]
_FILE = re.compile(
    r"---\n(?P<header>.*?)\n---\n\[system\]\n(?P<system>.*?)\n\[user\]\n(?P<user>.*)\Z", re.DOTALL
)
_FIELDS = ("name", "version", "variables")


class PromptError(ValueError):
    """A prompt file, or the values given for one, that do not fit; a mistake of ours, never of the user."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt with its placeholders."""

    name: str
    version: str
    """From the header; raised with every change of the words, so that it may stand in cache keys."""
    variables: frozenset[str]
    system: Template
    user: Template

    def messages(self, **values: str) -> tuple[Part, Part]:
        """(role, text) with every variable filled in; a `$` inside a value stays as it is.

        Raises PromptError if a variable is missing or one is given that the prompt does not have.
        """
        if missing := self.variables - values.keys():
            raise PromptError(f"prompt '{self.name}': no value for {_listed(missing)}")
        if extra := values.keys() - self.variables:
            raise PromptError(f"prompt '{self.name}' has no variable {_listed(extra)}")
        return ("system", self.system.substitute(values)), ("user", self.user.substitute(values))


@lru_cache
def load(name: str) -> Prompt:
    """The prompt `prompts/<name>.md`. Raises PromptError for a missing or ill-formed file, and for a variable
    that is used and not declared, or declared and not used."""
    path = FOLDER / f"{name}.md"
    if not re.fullmatch(r"[a-z_]+", name) or not path.is_file():
        raise PromptError(f"There is no prompt '{name}'.")
    return parse(path.read_text(encoding="utf-8"), name)


def parse(text: str, name: str) -> Prompt:
    """A prompt from a file's text; see `load`."""
    found = _FILE.match(text)
    if found is None:
        raise PromptError(f"prompt '{name}': a header between lines of ---, then [system], then [user]")
    header = _header(found["header"], name)
    system, user = Template(found["system"].strip()), Template(found["user"].strip())
    for part in (system, user):
        if not part.is_valid():
            raise PromptError(f"prompt '{name}': a $ that begins no variable; write $$ for a dollar sign")
    used = {*system.get_identifiers(), *user.get_identifiers()}
    declared = frozenset(filter(None, re.split(r"[\s,]+", header["variables"])))
    if used - declared:
        raise PromptError(f"prompt '{name}' uses {_listed(used - declared)} without declaring it")
    if declared - used:
        raise PromptError(f"prompt '{name}' declares {_listed(declared - used)} without using it")
    return Prompt(name, header["version"], declared, system, user)


def _header(text: str, name: str) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        if not colon or key.strip() not in _FIELDS or key.strip() in fields:
            raise PromptError(f"prompt '{name}': header line '{line}'; it holds {', '.join(_FIELDS)}")
        fields[key.strip()] = value.strip()
    if missing := [field for field in _FIELDS if field not in fields]:
        raise PromptError(f"prompt '{name}': the header lacks {_listed(missing)}")
    if fields["name"] != name or not fields["version"]:
        raise PromptError(
            f"prompt '{name}': its header says name '{fields['name']}', version '{fields['version']}'"
        )
    return fields


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
