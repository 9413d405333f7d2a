"""Drafts that are true to their evidence, for measuring the checker: our own answerer's, and paraphrases
of other makes."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from evals.telling import (
    chunk_evidence,
    fact_evidence,
    is_telling,
    reword,
    short_name,
    told_figure,
    told_metric,
    told_period,
)
from graphs.contracts import Reading
from graphs.local.answer.answerer import LocalAnswerer
from tools.documents.text.cleaning import sentences
from tools.documents.types import ParsedDocument
from tools.evidence import Evidence
from tools.knowledge.types import Triplet
from tools.scope import Scope

DISTRACTORS_A_DRAFT = 4
"""Pieces of other evidence put beside what a draft rests on."""


@dataclass(frozen=True, slots=True)
class SoundDraft:
    """A draft with its evidence, and how it was made."""

    id: str
    text: str
    evidence: tuple[Evidence, ...]
    make: str
    """'answerer-fact', 'answerer-table', 'answerer-change', 'answerer-quote', 'told-fact', 'told-change',
    'told-table',
    'told-prose', 'cut-prose', 'worded-prose'."""


class Maker:
    """Makes sound drafts from documents and their triplets; the same seed makes the same drafts."""

    def __init__(self, parsed: Sequence[ParsedDocument], triplets: Sequence[Triplet], seed: int = 0) -> None:
        self._random = random.Random(seed)
        self.companies = {p.document.company_key: p.document for p in parsed}
        figures = [t for t in triplets if t.value is not None and t.statement != "prose" and t.period.end]
        self._figures = [
            t for t in figures if re.search(r"[a-z]{3}", t.head) and Decimal(t.value or "0") != 0
        ]
        self._chunks = [e for p in parsed for e in chunk_evidence(p) if e.kind in ("prose", "exchange")]
        self._groups: dict[tuple[object, ...], list[Triplet]] = defaultdict(list)
        for t in self._figures:
            self._groups[(t.document_id, t.head, t.path, t.unit, t.period.months, t.title)].append(t)

    def make(self, count: int) -> list[SoundDraft]:
        """About `count` drafts, every make in turn."""
        makers = (
            self._answered_fact,
            self._answered_table,
            self._answered_change,
            self._answered_quote,
            self._told_fact,
            self._told_change,
            self._told_table,
            self._told_prose,
            self._cut_prose,
            self._worded_prose,
        )
        found: dict[str, SoundDraft] = {}
        for turn in range(count * 3):
            draft = makers[turn % len(makers)](turn)
            if draft is not None and re.search(r"\[\d+\]", draft.text):
                found.setdefault(draft.text, draft)
            if len(found) >= count:
                break
        return list(found.values())

    def _mixed(self, items: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """The items among distractors, renumbered; those asked for keep their order."""
        others = (
            self._random.sample(self._chunks, min(DISTRACTORS_A_DRAFT, len(self._chunks)))
            if self._chunks
            else []
        )
        others = [o for o in others if all(o.item_id != item.item_id for item in items)]
        mixed = [*others[:2], *items, *others[2:]]
        return tuple(item.model_copy(update={"rank": n}) for n, item in enumerate(mixed, start=1))

    def _pair(self) -> list[Triplet] | None:
        """A line item at two period ends, the later first, without a second value for either."""
        for _ in range(40):
            group = self._groups[self._random.choice(list(self._groups))]
            ends = {t.period.end: t for t in group}
            if len(group) == len(ends) == 2 and len({t.scale for t in group}) == 1:
                ordered = sorted(group, key=lambda t: str(t.period.end), reverse=True)
                if ordered[0].value != ordered[1].value:
                    return ordered
        return None

    def _answer(self, items: Sequence[Triplet], question: str, turn: int, make: str) -> SoundDraft | None:
        evidence = self._mixed([fact_evidence(t) for t in items])
        keys = tuple(dict.fromkeys(t.company_key for t in items))
        reading = Reading(
            question=question, companies=keys, scope=Scope(companies=keys), metrics=(items[0].head,)
        )
        draft = LocalAnswerer().draft(reading, evidence)
        return None if draft.abstained else SoundDraft(f"{make}-{turn}", draft.text, evidence, make)

    def _answered_fact(self, turn: int) -> SoundDraft | None:
        t = self._random.choice(self._figures)
        return self._answer([t], f"What was {t.head} of {t.company}?", turn, "answerer-fact")

    def _answered_table(self, turn: int) -> SoundDraft | None:
        first = self._random.choice(self._figures)
        others = [
            t for t in self._figures if t.document_id != first.document_id and t.company != first.company
        ]
        items = [first, self._random.choice(others)] if others else [first]
        return self._answer(items, f"What were {first.head} and the like?", turn, "answerer-table")

    def _answered_change(self, turn: int) -> SoundDraft | None:
        pair = self._pair()
        if pair is None:
            return None
        return self._answer(pair, f"How did {pair[0].head} change?", turn, "answerer-change")

    def _answered_quote(self, turn: int) -> SoundDraft | None:
        chunks = self._random.sample(self._chunks, min(4, len(self._chunks)))
        words = re.findall(r"[a-z]{6,}", chunks[0].text)
        if len(words) < 12:
            return None
        question = f"Explain what is said about {' '.join(self._random.sample(words, 3))}"
        evidence = tuple(c.model_copy(update={"rank": n}) for n, c in enumerate(chunks, start=1))
        draft = LocalAnswerer().draft(Reading(question=question), evidence)
        return (
            None if draft.abstained else SoundDraft(f"quote-{turn}", draft.text, evidence, "answerer-quote")
        )

    def _told_fact(self, turn: int) -> SoundDraft | None:
        t = self._random.choice(self._figures)
        evidence = self._mixed([fact_evidence(t)])
        rank = next(e.rank for e in evidence if e.item_id == t.id)
        name, short = t.company, short_name(t.company)
        figure, span, metric = (
            told_figure(t, self._random),
            told_period(t.period, self._random),
            told_metric(t),
        )
        text = self._random.choice(
            [
                f"{name} reported {metric} of {figure} {span} [{rank}].",
                f"{span[0].upper()}{span[1:]}, {short}'s {metric} came to {figure} [{rank}].",
                f"{short}'s {metric} stood at {figure} {span}. [{rank}]",
                f"- **{metric[0].upper()}{metric[1:]}** ({short}): {figure} {span} [{rank}]",
                f"According to the filing, {metric} totaled {figure} {span} [{rank}].",
            ]
        )
        return SoundDraft(f"told-{turn}", text, evidence, "told-fact")

    def _told_change(self, turn: int) -> SoundDraft | None:
        pair = self._pair()
        if pair is None:
            return None
        now, then = pair
        evidence = self._mixed([fact_evidence(now), fact_evidence(then)])
        a, b = (next(e.rank for e in evidence if e.item_id == t.id) for t in pair)
        new, old = Decimal(now.value or "0"), Decimal(then.value or "0")
        up = new > old
        verb = self._random.choice(["rose", "increased", "grew"] if up else ["fell", "declined", "decreased"])
        spans = [told_period(t.period, self._random, exact=True) for t in pair]
        figures = [told_figure(t, self._random) for t in pair]
        company, metric = short_name(now.company), told_metric(now)
        share = ""
        if old > 0 and new > 0 and now.unit != "percent":
            percent = abs((new - old) * 100 / old).quantize(Decimal("0.1"), ROUND_HALF_UP)
            share = f" ({'up' if up else 'down'} {percent}%)"
        text = self._random.choice(
            [
                f"{company}'s {metric} {verb} to {figures[0]} {spans[0]} from {figures[1]} {spans[1]} "
                f"[{a}][{b}].",
                f"{metric[0].upper()}{metric[1:]} of {company} {verb}{share}: {figures[0]} {spans[0]}, "
                f"compared with "
                f"{figures[1]} {spans[1]} [{a}] [{b}].",
            ]
        )
        return SoundDraft(f"moved-{turn}", text, evidence, "told-change")

    def _told_table(self, turn: int) -> SoundDraft | None:
        pair = self._pair()
        if pair is None:
            return None
        evidence = self._mixed([fact_evidence(t) for t in pair])
        a, b = (next(e.rank for e in evidence if e.item_id == t.id) for t in pair)
        spans = [told_period(t.period, random.Random(0), exact=True) for t in pair]
        heads = [span.removeprefix("for the ").removeprefix("in the ") for span in spans]
        figures = [told_figure(t, random.Random(2)) for t in pair]
        text = (
            f"{pair[0].company}:\n\n| Item | {heads[0]} | {heads[1]} | Sources |\n|---|---|---|---|\n"
            f"| {told_metric(pair[0])} | {figures[0]} | {figures[1]} | [{a}] [{b}] |"
        )
        return SoundDraft(f"table-{turn}", text, evidence, "told-table")

    def _sentence(self) -> tuple[Evidence, str] | None:
        for _ in range(60):
            item = self._random.choice(self._chunks)
            lines = [re.sub(r"^[A-Z][\w.'’ -]{2,40}: ", "", line) for line in item.text.split("\n")]
            good = [s for line in lines for s in sentences(line) if 70 <= len(s) <= 320 and is_telling(s)]
            if good:
                return item, self._random.choice(good)
        return None

    def _prose(
        self, turn: int, make: str, texts: Iterator[str] | None, found: tuple[Evidence, str]
    ) -> SoundDraft:
        evidence = self._mixed([found[0]])
        rank = next(e.rank for e in evidence if e.item_id == found[0].item_id)
        told = next(texts) if texts is not None else found[1]
        told = re.sub(r"[.\s]+$", "", told)
        lead = self._random.choice(
            ["", "", "According to the document, ", f"{short_name(found[0].company)}: "]
        )
        return SoundDraft(f"{make}-{turn}", f"{lead}{told} [{rank}].", evidence, make)

    def _told_prose(self, turn: int) -> SoundDraft | None:
        found = self._sentence()
        return self._prose(turn, "told-prose", None, found) if found else None

    def _cut_prose(self, turn: int) -> SoundDraft | None:
        found = self._sentence()
        if not found:
            return None
        head = re.split(
            r",? (?:primarily|mainly|partially|due to|because|which|as well as|including|while|offset)\b",
            found[1],
        )[0]
        return self._prose(turn, "cut-prose", iter([head]), found) if len(head) > 50 else None

    def _worded_prose(self, turn: int) -> SoundDraft | None:
        found = self._sentence()
        if not found:
            return None
        return self._prose(
            turn, "worded-prose", iter([reword(found[1], short_name(found[0].company))]), found
        )
