"""A quarter, as people write it."""

from __future__ import annotations

import pytest

from agent.cli.batch import batch_item
from agent.cli.main import parser
from agent.errors import UsageError


@pytest.mark.parametrize("written", ["2", "Q2", "q2"])
@pytest.mark.parametrize("command", [["index", "in"], ["ask", "What?"], ["chat"], ["graph", "show", "Orla"]])
def test_every_command_takes_it(command: list[str], written: str) -> None:
    assert parser().parse_args([*command, "--quarter", written]).quarter == 2


@pytest.mark.parametrize("written", ["5", "0", "Q", "second", "2.0", "Q22"])
def test_what_is_no_quarter_is_refused(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser().parse_args(["ask", "What?", "--quarter", written])
    assert ended.value.code == 2 and f"'{written}' is no quarter" in capsys.readouterr().err


def test_a_batch_line_takes_it_too() -> None:
    lines = [b'{"question": "a", "quarter": 3}', b'{"question": "a", "quarter": "q3"}', b'{"question": "a"}']
    assert [batch_item(line).get("quarter") for line in lines] == [3, 3, None]
    with pytest.raises(UsageError, match="1, 2, 3 or 4"):
        batch_item(b'{"question": "a", "quarter": "Q5"}')
