"""The lines of evidence as the learned fit reads them, and the evidence in the order of what it says of them."""

from __future__ import annotations

from collections.abc import Sequence, Set
from functools import partial
from typing import NamedTuple

from graphs.contracts import Reading
from graphs.drafts.sentences import Sentence, is_quotable, may_be_shown, split
from graphs.drafts.words import content
from graphs.local.answer.company_ranking import CompanyRanker
from graphs.local.answer.quotations import part_of
from graphs.local.question.question_forms import without_context
from graphs.local.text.sentence_kind import is_bare
from tools.evidence import AnswerLine, Evidence
from tools.knowledge.search.figure_candidates import without_frame
from tools.knowledge.search.nearest_figures import Encoder, line_text
from tools.knowledge.search.years_due import is_due_then, is_of_other_year
from tools.ranking.company_fit import Seen
from tools.ranking.fit import Scorer, asks_no_figure, judge, shown_of
from tools.ranking.line_features import Line, LineKind
from tools.vector.embeddings import Embedder

MAX_HEADING = 80
"""Characters of a heading that are read with a line."""
KEPT_LINES = 3
"""Lines of one piece of evidence that may be quoted."""
OTHER_LENGTH = 0.5
"""What a figure of the asked period but another length than the one asked for loses."""


class _Where(NamedTuple):
    """Where a piece of evidence stands among all that was found."""

    place: int
    passage: int
    nearness: float


class LineRanker:
    """Evidence by how likely one of its lines answers; see `tools.ranking.fit`. Without a `scorer` by its first guess
    alone. `encoder`: tells how near a figure's printed line comes to what is asked; `plain`: reads the lines of
    companies that are compared, see `graphs.local.answer.company_ranking`."""

    def __init__(
        self,
        scorer: Scorer | None,
        embedder: Embedder,
        encoder: Encoder | None = None,
        plain: Scorer | None = None,
    ) -> None:
        self._scorer, self._embedder, self._encoder = scorer, embedder, encoder
        self._companies = CompanyRanker(plain, embedder)

    def rank(
        self, reading: Reading, evidence: Sequence[Evidence], *, roughly: bool = False
    ) -> list[Evidence]:
        """All of `evidence`, what holds the best lines first, with those lines; `roughly`: without scorer and encoder.
        Raises ModelFileError where the model's files are not the expected ones."""
        lines, places = lines_of(reading, evidence, None if roughly else self._encoder)
        vector = self._embedder.embed_query(without_context(reading.question))
        judged = judge(reading.question, vector, lines, None if roughly else self._scorer, content)
        shown = {each.position for each in shown_of(judged.lines, judged.wanted)}
        likely = judged.chance >= judged.floor
        of_figure = not asks_no_figure(judged.wanted)
        best: dict[int, list[AnswerLine]] = {}
        for each in judged.lines:
            kept = best.setdefault(places[each.position], [])
            if each.line.may_be_shown and len(kept) < KEPT_LINES:
                kept.append(
                    AnswerLine(
                        text=each.line.text,
                        share=each.share,
                        chance=judged.chance,
                        shown=each.position in shown,
                        likely=likely,
                        of_figure=of_figure,
                    )
                )
        order = [*best, *(at for at in range(len(evidence)) if at not in best)]
        return [evidence[at].model_copy(update={"lines": tuple(best.get(at, ()))}) for at in order]

    def profile_kinds(self, reading: Reading) -> tuple[str, ...]:
        """See `Ranker.profile_kinds`."""
        return self._companies.profile_kinds(reading)

    def is_listed(self, reading: Reading) -> bool:
        """See `Ranker.is_listed`."""
        return self._companies.is_listed(reading)

    def seen_of_company(self, reading: Reading, evidence: Sequence[Evidence], *, read: bool = True) -> Seen:
        """See `Ranker.seen_of_company`."""
        if not read:
            return self._companies.seen(reading, evidence, [], [])
        asked = reading.model_copy(update={"question": reading.of_companies})
        return self._companies.seen(reading, evidence, *lines_of(asked, evidence))

    def of_companies(
        self, reading: Reading, looked: Sequence[tuple[Seen, Sequence[Evidence]]], perhaps: int = 0
    ) -> list[Evidence]:
        """See `Ranker.of_companies`."""
        return self._companies.true_of(reading, looked, perhaps)


def lines_of(
    reading: Reading, evidence: Sequence[Evidence], encoder: Encoder | None = None
) -> tuple[list[Line], list[int]]:
    """Every line of the evidence once, and the position of the evidence it is of. Tables give none: their figures
    come as facts. Raises what the encoder raises."""
    near = _nearness(reading, evidence, encoder) if encoder else {}
    lines: list[Line] = []
    places: list[int] = []
    seen: set[str] = set()
    ranks = {"vector": 0, "graph": 0}
    for at, item in enumerate(evidence):
        where = _Where(ranks[item.source], at, near.get(item.item_id, 0.0))
        for line in _lines(reading, item, where):
            if line.text not in seen:
                seen.add(line.text)
                lines.append(line)
                places.append(at)
        ranks[item.source] += 1
    return lines, places


def _nearness(reading: Reading, evidence: Sequence[Evidence], encoder: Encoder) -> dict[str, float]:
    """Item id of each figure -> cosine of its printed line with what is asked."""
    facts = [(each.item_id, each.fact) for each in evidence if each.fact is not None]
    if not facts:
        return {}
    asked = without_frame(without_context(reading.question), reading.company_names)
    lines = encoder.vectors([line_text(fact) for _, fact in facts])
    return {
        item_id: float(near)
        for (item_id, _), near in zip(facts, lines @ encoder.vectors([asked])[0], strict=True)
    }


def _lines(reading: Reading, item: Evidence, where: _Where) -> list[Line]:
    heading = item.section.rpartition(" > ")[2][:MAX_HEADING]
    common = partial(
        Line,
        heading=heading,
        company=item.company,
        place=where.place,
        period=_of_asked_period(reading, item),
        named=_of_named_company(reading, item),
    )
    if item.kind in ("fact", "relation"):
        fact = item.fact
        if fact is not None and not fact.may_answer:
            return []
        if fact is not None and is_of_other_year(fact.metric, fact.period, reading.question):
            return []
        kind: LineKind = "fact" if item.kind == "fact" else "relation"
        return [common(item.text, kind, match=item.score, nearness=where.nearness)]
    found = []
    before, asked = "", set(content(reading.question))
    for sentence in split(item):
        found.append(
            common(
                sentence.text,
                "sentence",
                speaker="" if sentence.speaker == item.company else sentence.speaker,
                before=before,
                cosine=item.relevance or 0.0,
                quotable=is_quotable(sentence),
                may_be_shown=may_be_shown(sentence),
                asked=sentence.asked,
                passage=where.passage,
                of_part=_is_of_part(sentence, asked),
            )
        )
        before = sentence.text
    return found


def _is_of_part(sentence: Sentence, asked: Set[str]) -> bool:
    """Whether a sentence is said of a part of the company that its heading names, and the words `asked` do not."""
    part = set(content(part_of(sentence))) - set(content(sentence.item.company))
    return bool(part) and not part & asked and is_bare(sentence.text)


def _of_asked_period(reading: Reading, item: Evidence) -> float:
    fact = item.fact
    due = is_due_then(line_text(fact), fact.period, reading.question) if fact else None
    if due is not None:
        return 1.0 if due else -1.0
    wished = (*reading.scope.periods, *reading.compared_periods)
    if not wished:
        return 0.0
    fits = 1.0 if any(period.admits(item.period) for period in wished) else -1.0
    other = item.kind == "fact" and reading.months is not None and item.period.months != reading.months
    return fits - (OTHER_LENGTH if other else 0.0)


def _of_named_company(reading: Reading, item: Evidence) -> float:
    named = reading.companies or reading.scope.companies
    return (1.0 if item.company_key in named else -1.0) if named else 0.0
