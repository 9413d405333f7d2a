"""What developers are used to: a schema of the output, completion in a shell."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import shtab

from agent.cli.main import SHELLS

QUESTIONS = (
    "What was Calderith's total revenue in the quarter ended March 30, 2024?",
    "What was Calderith's gross margin in the quarter ended March 30, 2024?",
    "What is the capital of France?",
)


def test_every_answer_is_what_the_schema_says(hybridrag: Any, sample_home: Path) -> None:
    schema = json.loads(hybridrag("ask", "--json-schema").out)
    assert hybridrag("ask", "--json-schema", "--json").objects == [schema]
    jsonschema.Draft202012Validator.check_schema(schema)
    statuses = set()
    for question in QUESTIONS:
        (answer,) = hybridrag("ask", "--home", sample_home, "--json", question).objects
        jsonschema.validate(answer, schema)
        assert set(answer) == set(schema["properties"])
        statuses.add(answer["status"])
    assert statuses == {"answered", "abstained"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**answer, "status": "sure"}, schema)


def test_the_schema_needs_neither_question_nor_index(hybridrag: Any) -> None:
    assert hybridrag("ask", "--json-schema", "--home", "nowhere").code == 0


def completed(script: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    typed = " ".join(f"'{word}'" for word in words)
    shown = (
        f"source {script}; COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _shtab_hybridrag; "
        'printf "%s\\n" "${COMPREPLY[@]}"'
    )
    ran = subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True)
    return ran.stdout.split()


def test_bash_completes_commands_options_and_choices(hybridrag: Any, tmp_path: Path) -> None:
    script = tmp_path / "complete.sh"
    script.write_text(hybridrag("completion", "bash").out, encoding="utf-8")
    assert completed(script, "hybridrag", "doc") == ["documents", "doctor"]
    assert completed(script, "hybridrag", "ask", "--pip") == ["--pipeline"]
    assert completed(script, "hybridrag", "ask", "--pipeline", "h") == ["hybrid"]
    assert completed(script, "hybridrag", "eval", "r") == ["run", "report", "recommend"]
    subprocess.run(["bash", "-n", script], check=True)


def test_there_is_a_script_for_each_shell_that_the_library_knows(hybridrag: Any) -> None:
    assert set(SHELLS) == set(shtab.SUPPORTED_SHELLS)
    for shell in SHELLS:
        ran = hybridrag("completion", shell)
        assert ran.code == 0 and "hybridrag" in ran.out
