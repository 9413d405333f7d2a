"""What a check of the installation finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One check's result."""

    check: str
    level: Literal["ok", "warning", "broken"]
    detail: str
