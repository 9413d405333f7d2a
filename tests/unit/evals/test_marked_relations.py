"""evals.marked_relations: a mark is found where a triplet joins the same two names."""

from __future__ import annotations

from evals.marked_relations import MARKS, Mark, is_found
from tests.accounts import ANNUAL
from tools.knowledge.graph.triplets import make_triplet

MARK = Mark(
    id="m",
    company="A",
    document="a.pdf",
    page=1,
    head="Globex Inc.",
    relation="bought",
    tail="Hooli",
    status="done",
    half="tune",
)


def test_a_mark_is_found_by_its_names_whichever_way_they_point() -> None:
    globex, hooli, other = ("Globex", "company"), ("Hooli Holdings", "company"), ("Initech", "company")
    one, back, none = (
        make_triplet(ANNUAL, head, "acquired", tail, page=1, quote="")
        for head, tail in ((globex, hooli), (hooli, globex), (globex, other))
    )
    assert is_found(MARK, [none, one]) and is_found(MARK, [back]) and not is_found(MARK, [none])


def test_every_line_is_a_mark_and_no_company_is_in_both_halves() -> None:
    marks = [Mark.model_validate_json(line) for line in MARKS.read_text(encoding="utf-8").splitlines()]
    halves = [{each.company for each in marks if each.half == half} for half in ("tune", "held")]
    assert all(halves) and not halves[0] & halves[1]
    assert len({each.id for each in marks}) == len(marks)
