"""Citations numbered for readers: 1, 2, 3 in the order of the text. The ranks of the evidence, by which everything
resolves, stay what they are in the answer and in --json."""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphs.contracts import Answer, Citation
from graphs.drafts.claims import MARKER


def reading_order(answer: Answer) -> dict[int, int]:
    """Rank -> number: what the text cites in its order, then what is nearest, then everything else that was found."""
    ranks = [each.marker for each in (*answer.citations, *answer.nearest)]
    ranks += [item.rank for item in answer.evidence]
    return {rank: number for number, rank in enumerate(dict.fromkeys(ranks), 1)}


def numbered(answer: Answer) -> Answer:
    """The same answer with every rank as its number, to be shown and not to be resolved."""
    numbers = reading_order(answer)
    checked = answer.faithfulness
    statements = tuple(
        each.model_copy(update={"evidence": tuple(numbers.get(rank, rank) for rank in each.evidence)})
        for each in checked.statements
    )
    return answer.model_copy(
        update={
            "answer": renumbered(answer.answer, numbers),
            "citations": tuple(_numbered(each, numbers) for each in answer.citations),
            "nearest": tuple(_numbered(each, numbers) for each in answer.nearest),
            "evidence": tuple(
                item.model_copy(update={"rank": numbers.get(item.rank, item.rank)})
                for item in answer.evidence
            ),
            "faithfulness": checked.model_copy(update={"statements": statements}),
        }
    )


def renumbered(text: str, numbers: Mapping[int, int]) -> str:
    """A text whose markers are numbers; one that points at nothing stays."""

    def number(rank: re.Match[str]) -> str:
        return str(numbers.get(int(rank[0]), int(rank[0])))

    return MARKER.sub(lambda marker: re.sub(r"\d+", number, marker[0]), text)


def _numbered(citation: Citation, numbers: Mapping[int, int]) -> Citation:
    return citation.model_copy(update={"marker": numbers.get(citation.marker, citation.marker)})
