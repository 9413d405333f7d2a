"""evals.learn_fit: companies are kept apart, whatever their questions call them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from evals.found_lines import Example, companies_of, split
from evals.natural import Natural
from tools.ranking.line_features import Line


def example(company: str) -> Example:
    asked = Natural(id=company, kind="fact", question="Freight?")
    return Example(asked, company, "Freight?", np.ones(3), (Line("line", "fact"),), ((0.0, 0.0),), (True,))


def test_every_company_is_in_one_part_with_all_its_questions() -> None:
    examples = [example(company) for company in ("B", "A", "C", "A", "B", "D")]
    parts = [{each.company for each in split(examples, part, 2)[1]} for part in (0, 1)]
    assert parts == [{"A", "C"}, {"B", "D"}]
    for part in (0, 1):
        rest, own = split(examples, part, 2)
        assert len(rest) + len(own) == len(examples)
        assert not {each.company for each in rest} & {each.company for each in own}


def test_a_questions_company_is_that_of_its_document_however_it_is_called(sample_home: Path) -> None:
    sources = {"of its filing": "10Q-Q2-2024", "of its call": "CDTH_call_2024Q2", "unknown": "none"}
    asked = [
        Natural(id=id, kind="fact", question="?", company="Calderith Semi", source=source)
        for id, source in sources.items()
    ]
    found = companies_of(sample_home, asked)
    assert found == {"of its filing": "CDTH", "of its call": "CDTH", "unknown": "Calderith Semi"}
