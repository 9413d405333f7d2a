"""Prompts: strict variables, told by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from prompts.loading import FOLDER, PromptError, load, parse

GOOD = """---
name: greet
version: 3
variables: who, when
---
[system]
Say $$5 to $who.
[user]
It is ${when}.
"""


def test_values_go_into_both_parts_and_a_dollar_sign_in_a_value_stays() -> None:
    prompt = parse(GOOD, "greet")
    assert prompt.version == "3" and prompt.variables == {"who", "when"}
    assert prompt.messages(who="$when and $5", when="$who") == (
        ("system", "Say $5 to $when and $5."),
        ("user", "It is $who."),
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("variables: who, when", "variables: who"), "uses when without declaring it"),
        (("variables: who, when", "variables: who, when, where"), "declares where without using it"),
        (("$$5", "$5"), "begins no variable"),
        (("version: 3\n", ""), "lacks version"),
        (("version: 3", "version:"), "version ''"),
        (("name: greet", "name: other"), "name 'other'"),
        (("name: greet", "nome: greet"), "header line"),
        (("version: 3", "version: 3\nversion: 4"), "header line"),
        (("[user]", "[you]"), "then \\[user\\]"),
    ],
)
def test_a_file_that_does_not_add_up_is_refused_and_says_why(change: tuple[str, str], told: str) -> None:
    with pytest.raises(PromptError, match=told):
        parse(GOOD.replace(*change), "greet")


def test_a_missing_or_unknown_value_is_refused_by_name() -> None:
    prompt = parse(GOOD, "greet")
    with pytest.raises(PromptError, match="no value for when"):
        prompt.messages(who="you")
    with pytest.raises(PromptError, match="has no variable where"):
        prompt.messages(who="you", when="now", where="here")


@pytest.mark.parametrize("name", ["nothing", "../prompts/answer", "Answer", "loading.py"])
def test_a_prompt_that_is_not_there_is_an_error_by_name(name: str) -> None:
    with pytest.raises(PromptError, match="no prompt"):
        load(name)


@pytest.mark.parametrize(
    "path", sorted(set(FOLDER.glob("*.md")) - {FOLDER / "README.md"}), ids=lambda path: path.stem
)
def test_every_prompt_of_the_project_loads_and_says_of_data_that_it_is_data(path: Path) -> None:
    prompt = load(path.stem)
    values = {name: f"<{name}>" for name in prompt.variables}
    system, user = prompt.messages(**values)
    assert system[1].strip() and user[1].strip()
    given_no_document = prompt.variables == {"question"}
    assert given_no_document or "data_rule" in prompt.variables
