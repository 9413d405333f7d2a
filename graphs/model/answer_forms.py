"""How an answer is shaped, by what is asked for: words for a prompt."""

from __future__ import annotations

from graphs.contracts import AnswerForm

FORMS: dict[AnswerForm, str] = {
    "figure": "- One or two sentences: the figure with its company, unit and period, and what it is called there.",
    "table": (
        "- One sentence that answers, then one Markdown table: a row for each company, period or item, a column for "
        "its period, and the numbers in brackets in the last column."
    ),
    "reasons": "- The reasons that the evidence itself gives, the weightiest first, at most six sentences.",
    "summary": (
        "- At most ten sentences, under two to four short headings if there is more than one subject. A heading names "
        "a subject and claims nothing."
    ),
    "yes_no": "- First Yes or No, as the evidence has it, then in one to three sentences why.",
    "other": "- At most six sentences; a Markdown table where several companies or periods are compared.",
}
"""By form, the lines that say what the answer looks like."""
