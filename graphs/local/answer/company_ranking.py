"""Which companies what is asked of all is true of: each one's lines by meaning, by words and as the cross-encoder reads
them, all weighed against each other (`tools.ranking.company_fit`), and what lists settle."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from graphs.contracts import Reading
from graphs.drafts.words import content
from graphs.local.answer.company_lists import Settled, settled
from graphs.local.question.limits import bound_of
from tools.evidence import AnswerLine, Evidence
from tools.ranking.company_fit import Seen, SeenLine, best_lines, chances
from tools.ranking.fit import Scorer, kinds_wanted, learnt, shortlist
from tools.ranking.line_features import Line
from tools.ranking.profile_kinds import likely_kinds
from tools.vector.embeddings import Embedder

EMBEDDED, READ = 8, 2
"""Lines of each company whose meaning is compared with the question's, and of those how many are read together with
it."""
WORDS_BESIDE_MEANING = 0.15
"""What a line's words weigh beside its nearness where it is chosen to be read."""
MIN_OF_KIND, SURE_OF_KIND = 0.05, 0.35
"""Probability of a kind of list from which its lines are looked at, and from which they settle what is asked."""
SETTLES = frozenset(["auditor", "listing", "headquarters", "incorporation", "employees"])
"""Lists that hold all there is to say of a company: of others what they lack may be said elsewhere."""
MIN_OF_COMPANY = 0.75
"""Probability from which something is taken to be true of a company: of 164 right ones of 44 tuning questions 54 reach
it (or are settled by a list) and 8 others, when neither the question nor the company was learnt from; from 0.5 on 85
and 29."""
SETTLED = 0.99
"""The probability of what a list settles."""


class CompanyRanker:
    """`scorer`: the cross-encoder as it comes: what it learnt of lines that answer a question about one company makes
    it worse at what is said of many (mean average precision over companies of eight tuning questions 0.61, as it comes
    0.70)."""

    def __init__(self, scorer: Scorer | None, embedder: Embedder) -> None:
        self._scorer, self._embedder = scorer, embedder

    def profile_kinds(self, reading: Reading) -> tuple[str, ...]:
        """See `Ranker.profile_kinds`."""
        return tuple(self._kinds(reading))

    def seen(
        self, reading: Reading, evidence: Sequence[Evidence], lines: Sequence[Line], places: Sequence[int]
    ) -> Seen:
        """What the `lines` of one company's `evidence` have for the question; `places`: of each line's evidence."""
        asked = reading.of_companies
        shown = [at for at, line in enumerate(lines) if line.may_be_shown]
        own = [lines[at] for at in shown]
        vector, weights = self._embedder.embed_query(asked), learnt()
        kept, shares = shortlist(asked, own, content, kinds_wanted(vector, weights), weights.guess, EMBEDDED)
        texts = [own[at].text for at in kept]
        near = (self._embedder.embed(texts) @ vector).tolist() if texts else []
        order = sorted(range(len(kept)), key=lambda n: (-near[n] - WORDS_BESIDE_MEANING * shares[n][0], n))[
            :READ
        ]
        read = self._scorer.scores(asked, [texts[n] for n in order]) if self._scorer else []
        logits = dict(zip(order, read, strict=bool(read)))
        return Seen(
            lines=tuple(
                SeenLine(text, places[shown[at]], near[n], logits.get(n))
                for n, (at, text) in enumerate(zip(kept, texts, strict=True))
            ),
            words=max((item.score for item in evidence if item.source == "vector"), default=0.0),
            relevance=max((item.relevance or 0.0 for item in evidence), default=0.0),
        )

    def true_of(
        self, reading: Reading, looked: Sequence[tuple[Seen, Sequence[Evidence]]], perhaps: int = 0
    ) -> list[Evidence]:
        """See `Ranker.of_companies`."""
        likely = chances([seen for seen, _ in looked])
        by_list = self._by_list(reading, [evidence for _, evidence in looked])
        found: list[tuple[float, Evidence]] = []
        for chance, (seen, evidence), (is_true, item) in zip(likely, looked, by_list, strict=True):
            is_likely = chance >= MIN_OF_COMPANY
            if is_true and item is not None:
                found.append((SETTLED, _with_lines(item, [item.text], SETTLED)))
            elif is_true is None:
                lines = best_lines(seen)[: max(perhaps, int(is_likely))]
                found += [
                    (chance, _with_lines(evidence[place], texts, chance, is_likely and not n))
                    for n, (place, texts) in enumerate(_by_place(lines).items())
                ]
        return [item for _, item in sorted(found, key=lambda each: (-each[0], each[1].company_key))]

    def is_listed(self, reading: Reading) -> bool:
        """See `Ranker.is_listed`."""
        return bool(self._sure_kinds(reading)) and bound_of(reading.of_companies) is not None

    def _by_list(self, reading: Reading, looked: Sequence[Sequence[Evidence]]) -> list[Settled]:
        """For each company what the likeliest kind of list settles, and the line that does."""
        for kind in self._sure_kinds(reading):
            listed = [[each for each in evidence if each.profile == kind] for evidence in looked]
            found = settled(reading.of_companies, listed)
            if any(is_true is not None for is_true, _ in found):
                return found
        return [(None, None)] * len(looked)

    def _sure_kinds(self, reading: Reading) -> list[str]:
        return [
            kind
            for kind, chance in self._kinds(reading).items()
            if chance >= SURE_OF_KIND and kind in SETTLES
        ]

    def _kinds(self, reading: Reading) -> dict[str, float]:
        """Kind of list -> probability that it is asked for, as the question or what it says of companies sounds; the
        likeliest first."""
        kinds = likely_kinds(self._embedder.embed_query(reading.of_companies), MIN_OF_KIND)
        for kind, chance in likely_kinds(self._embedder.embed_query(reading.question), MIN_OF_KIND).items():
            kinds[kind] = max(chance, kinds.get(kind, 0.0))
        return dict(sorted(kinds.items(), key=lambda each: -each[1]))


def _by_place(lines: Sequence[SeenLine]) -> dict[int, list[str]]:
    """Position of a piece of evidence -> its lines; what holds the first one first."""
    found: dict[int, list[str]] = {}
    for line in lines:
        found.setdefault(line.place, []).append(line.text)
    return found


def _with_lines(item: Evidence, texts: Sequence[str], chance: float, likely: bool = True) -> Evidence:
    """`likely`: the first of the lines is."""
    lines = (
        AnswerLine(text=text, share=chance, chance=chance, shown=sure, likely=sure, of_figure=False)
        for text, sure in zip_longest(texts, [likely], fillvalue=False)
    )
    return item.model_copy(update={"lines": tuple(lines)})
