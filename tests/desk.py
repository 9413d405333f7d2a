"""A desk whose members ask the sample documents the same three questions, and a home that has learned from them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

REVENUE = "What was Calderith's total revenue in the quarter ended March 30, 2024?"
STEPS = (
    "What was Calderith's total revenue in the quarter ended April 1, 2023?",
    "What was Calderith's net income in 2023?",
    "Who is the CFO of Calderith?",
)
USERS = [f"member{number}@desk.example" for number in range(8)]
HomeCopy = Callable[[str], Path]


def history(users: list[str] = USERS) -> Iterator[dict[str, Any]]:
    for user in users:
        for at, question in enumerate(STEPS):
            yield {"user": user, "time": 1_700_000_000 + 600 * at, "question": question}


def write(path: Path, rows: Iterator[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path
