"""Two small filings of an invented company: the second prints another figure for the first's quarter."""

from __future__ import annotations

from pathlib import Path

RESTATED = "What were Alder's net sales in the quarter ended June 30, 2023?"
ALIKE = "What was Alder's net income in the quarter ended June 30, 2023?"
"""A figure of the same statement that both print alike."""
ROWS = {
    2023: (("Net sales", "$ 412.0", "$ 390.1"), ("Net income", "$ 41.2", "$ 38.0")),
    2024: (("Net sales", "$ 450.5", "$ 409.6"), ("Net income", "$ 47.9", "$ 41.2")),
}


def write_restated(folder: Path) -> Path:
    """Writes `alder-2023.html` and `alder-2024.html` into `folder`, which is made."""
    folder.mkdir()
    for year, rows in ROWS.items():
        body = "".join(f"<tr><td>{name}</td><td>{now}</td><td>{then}</td></tr>" for name, now, then in rows)
        (folder / f"alder-{year}.html").write_text(
            f"""<html><body><p>FORM 10-Q</p><p>For the quarterly period ended June 30, {year}</p>
<p>Alder Corporation</p><p>(Exact name of registrant as specified in its charter)</p>
<p>CONDENSED CONSOLIDATED STATEMENTS OF INCOME</p><p>(in millions)</p>
<table><tr><td></td><td colspan=2>Three Months Ended June 30,</td></tr>
<tr><td></td><td>{year}</td><td>{year - 1}</td></tr>{body}</table></body></html>""",
            encoding="utf-8",
        )
    return folder
