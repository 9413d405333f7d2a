"""The local answerer: facts as sentences and tables, quoted sentences for prose, or an honest refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphs.contracts import Draft, Reading, Verdict
from graphs.drafts import refusals
from graphs.drafts.calculations import calculated, states_measure
from graphs.drafts.figures import fact_of, is_from_text
from graphs.drafts.words import content
from graphs.local.answer import fact_sentences
from graphs.local.answer.analyst_questions import analysts_who_asked
from graphs.local.answer.doing_well import judgements
from graphs.local.answer.fact_fit import good_facts
from graphs.local.answer.fact_selection import Selection, rival_companies, select
from graphs.local.answer.overview import headlines
from graphs.local.answer.quotations import hop_lines, relation_sentence
from graphs.local.answer.ranked_answer import (
    asks_no_figure,
    likely_quotes,
    lines_about_unknown,
    lines_for_sum,
    ranked_lines,
)
from graphs.local.answer.spoken_answer import quotes_for_analyst
from graphs.local.question.answer_form import AnswerForm, read_answer_form
from graphs.local.question.overviews import asks_overview, asks_results
from graphs.local.question.question_forms import asks_who_asked, without_context
from graphs.local.text.same_figures import earlier_fact
from tools.calculate.printed_answers import answers
from tools.evidence import Evidence
from tools.knowledge.search.roles import ROLES, role_words, title_words

MIN_RELATION_SCORE = 0.6
"""Least score of a relation that answers a question about people."""
MIN_SINGLE_RELATION_SCORE = 0.75
"""The same where it asks for one of them and no list."""
MAX_RELATION_TIE_GAP = 0.015
"""Relations whose scores differ by less answer equally well."""
_LISTED = re.compile(
    r"\b(?:analysts|participants|speakers|executives|people|persons|officers|attend\w*|took part|take "
    r"part|on the call|list)\b",
    re.IGNORECASE,
)
_ROLE_STEMS = frozenset(stem for name in ROLES for stem in content(name))


class LocalAnswerer:
    """Extractive: says what the evidence says, in its words, and where it stands."""

    def draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        """From the evidence alone; abstains with a reason code and what it looked for. Figures that a lookup found
        are stated; what else answers are the lines that a learned fit found likely. What a question describes comes
        first, with what says so."""
        draft = self._draft(reading, evidence)
        if draft.abstained is not None or not reading.hops:
            return draft
        return draft.model_copy(update={"text": _paragraphs(hop_lines(reading, evidence), [draft.text])})

    def _draft(self, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
        refusal = refusals.before(reading)
        if refusal is not None:
            found = lines_about_unknown(reading, evidence) if refusal.abstained == "no_evidence" else []
            return Draft(text=_paragraphs([], found)) if found else refusal
        computed = calculated(evidence)
        if computed and not states_measure(evidence):
            return Draft(text=computed)
        if reading.uncomputed:
            said = lines_for_sum(reading, evidence)
            return _if_it_answers(reading, _paragraphs([], said)) if said else refusals.uncomputed(reading)
        if reading.of_companies:
            said = ranked_lines(reading, evidence)
            return Draft(text=_paragraphs([], said)) if said else refusals.nothing(reading, evidence)
        if reading.spoken:
            said = quotes_for_analyst(reading, evidence) or ranked_lines(reading, evidence)
            return Draft(text=_paragraphs([], said)) if said else refusals.nothing(reading, evidence)
        if told := _profile_lines(reading, evidence):
            return Draft(text="\n".join(told))
        form = read_answer_form(reading, _company_words(evidence))
        results = _results(reading, evidence)
        if results is not None:
            return results
        asks_whom = asks_who_asked(reading.question)
        asked = analysts_who_asked(form, reading, evidence) if asks_whom else []
        if asked:
            return Draft(text=_paragraphs([], asked))
        people = _relation_lines(form, reading, evidence) if form.people else []
        if people:
            return Draft(text="\n".join(people))
        if asks_whom:
            return refusals.nothing(reading, evidence)
        return _figures_and_lines(form, reading, evidence)

    def revise(self, reading: Reading, evidence: Sequence[Evidence], draft: Draft, verdict: Verdict) -> Draft:
        """The draft without its unsupported statements; abstains `unsupported` when none is left."""
        lost = [statement.text for statement in verdict.statements if not statement.supported]
        if draft.abstained is not None or not lost:
            return draft
        kept = draft.text.split("\n")
        for text in lost:
            kept = _without(kept, text)
        body = "\n".join(kept).strip()
        if not re.search(r"\[\d+\]", body):
            return refusals.unsupported(reading)
        return Draft(text=re.sub(r"\n{3,}", "\n\n", _without_empty_tables(body)))


def _results(reading: Reading, evidence: Sequence[Evidence]) -> Draft | None:
    """An overview of results, or the question which company's are meant; None where no results are asked for, or none
    are found."""
    if asks_overview(reading):
        stated = [*judgements(reading, evidence), *headlines(reading, evidence)]
        text = _paragraphs(stated, likely_quotes(reading, evidence))
        return Draft(text=text) if text else None
    names = {item.company_key: item.company for item in evidence}
    if asks_results(reading) and len(names) > 1:
        return refusals.ambiguous(reading, sorted(names.values()))
    return None


def _figures_and_lines(form: AnswerForm, reading: Reading, evidence: Sequence[Evidence]) -> Draft:
    """Figures, lines that answer, or both."""
    rivals = rival_companies(reading, evidence)
    stated: list[str] = []
    # what is looked up for a follow-up in context is of the turn before
    leans = without_context(reading.question) != reading.question
    if not leans and (not rivals or form.explain) and reading.form != "reasons":
        stated = _stated_figures(reading, form, good_facts(reading, form, evidence), evidence)
    if form.explain or not stated:
        lines = ranked_lines(reading, evidence)
    elif not reading.parts and asks_no_figure(evidence) and (said := ranked_lines(reading, evidence)):
        stated, lines = [], said
    else:
        lines = likely_quotes(reading, evidence) if form.beside else []
    if rivals and not stated and not (form.explain and lines):
        return refusals.ambiguous(reading, rivals)
    text = _paragraphs(stated, lines)
    return _if_it_answers(reading, text) if text else refusals.nothing(reading, evidence)


def _if_it_answers(reading: Reading, text: str) -> Draft:
    """What pages print, unless something else has to be computed for the question; figures side by side, and by how
    much one changed, are worked out of what is printed."""
    worked_out = reading.parts or reading.compared_periods or reading.form == "reasons"
    done = answers(reading.question, text, reading.of_sum, uncomputed=bool(reading.uncomputed))
    return Draft(text=text) if worked_out or done else refusals.uncomputed(reading)


def _paragraphs(stated: Sequence[str], prose: Sequence[str]) -> str:
    """Paragraphs of figures, then quotations, several of them as a list."""
    parts = ["\n\n".join(stated), "\n".join(f"- {line}" if len(prose) > 1 else line for line in prose)]
    return "\n\n".join(part for part in parts if part)


def _company_words(evidence: Sequence[Evidence]) -> frozenset[str]:
    names = {item.company for item in evidence} | {item.company_key for item in evidence}
    return frozenset(word for name in names for word in content(name))


def _stated_figures(
    reading: Reading, form: AnswerForm, facts: Sequence[Evidence], evidence: Sequence[Evidence]
) -> list[str]:
    """Paragraphs that state the figures asked for; empty when none fits or only an explanation is wanted."""
    if not facts or (form.explain and not form.figure and not form.change):
        return []
    chosen: Selection = select(reading, facts, evidence, change=form.change)
    if not chosen.facts:
        return []
    if chosen.conflict:
        return [fact_sentences.conflict(chosen.conflict)]
    if form.change and not _is_series(chosen):
        moves = _changes(chosen, facts)
        if moves:
            return moves
    if len(chosen.facts) == 1:
        return [fact_sentences.sentence(chosen.facts[0], recent=chosen.recent)]
    return _several_figures(chosen, in_parts=bool(reading.parts))


def _several_figures(chosen: Selection, *, in_parts: bool) -> list[str]:
    """A table of what is printed in tables, and quotations of what is said: with a comparison, or for want of a
    table."""
    spoken = [item for item in chosen.facts if is_from_text(fact_of(item))]
    tabled = [item for item in chosen.facts if item not in spoken]
    out = [fact_sentences.table(tabled, recent=chosen.recent)] if len(tabled) > 1 else []
    out += [fact_sentences.sentence(item) for item in tabled] if len(tabled) == 1 else []
    if in_parts:
        return [*out, *map(fact_sentences.quoted_sentence, spoken)]
    return out or list(map(fact_sentences.quoted_sentence, spoken[:2]))


def _is_series(chosen: Selection) -> bool:
    """One figure of more than two periods: each is stated, not the change from the first to the last."""
    ends: dict[tuple[str, str], set[object]] = {}
    for item in chosen.facts:
        ends.setdefault((item.company_key, item.lookup), set()).add(fact_of(item).period.end)
    return max(map(len, ends.values()), default=0) > 2


def _changes(chosen: Selection, facts: Sequence[Evidence]) -> list[str]:
    """For each company and figure asked for the latest chosen one against its earlier one, with the calculation."""
    lines: list[str] = []
    for figure in dict.fromkeys((item.company_key, item.lookup) for item in chosen.facts):
        own = [
            item
            for item in chosen.facts
            if (item.company_key, item.lookup) == figure and fact_of(item).period.end
        ]
        own.sort(key=lambda item: str(fact_of(item).period.end), reverse=True)
        for now in own[:1]:
            then = earlier_fact(now, own) or earlier_fact(now, facts)
            line = fact_sentences.change(now, then) if then is not None else None
            if line:
                lines.append(line)
    return lines


def _relation_lines(form: AnswerForm, reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """Relations as cited sentences: the best one, or all that fit as well, as a list."""
    found = [
        item
        for item in evidence
        if item.kind == "relation" and item.score >= MIN_RELATION_SCORE and _says_all(form, reading, item)
    ]
    if not found:
        return []
    shared = {item.rank: len(set(form.terms) & _words_of(reading, item)) for item in found}
    nearest = [item for item in found if shared[item.rank] == max(shared.values())]
    best = max(item.score for item in nearest)
    if best < MIN_SINGLE_RELATION_SCORE and not _LISTED.search(reading.question):
        return []
    lines: dict[str, str] = {}
    for item in nearest:
        if item.score >= best - MAX_RELATION_TIE_GAP:
            sentence = relation_sentence(item)
            lines.setdefault(sentence.split(" holds the role ")[0], f"{sentence} [{item.rank}].")
    return _listed(list(lines.values())[:12])


def _profile_lines(reading: Reading, evidence: Sequence[Evidence]) -> list[str]:
    """What documents say of what is asked of any company, company by company."""
    found = [item for item in evidence if item.profile in reading.profile]
    found.sort(key=lambda item: (item.company_key, reading.profile.index(item.profile), -item.score))
    lines = {relation_sentence(item): item.rank for item in reversed(found)}
    return _listed([f"{line} [{rank}]." for line, rank in reversed(lines.items())])


def _listed(lines: Sequence[str]) -> list[str]:
    return [f"- {line}" for line in lines] if len(lines) > 1 else list(lines)


def _says_all(form: AnswerForm, reading: Reading, item: Evidence) -> bool:
    """Whether a relation holds every word of the question that says what it is about: a role by any of its names,
    words that ask for a list aside."""
    known = _words_of(reading, item) | set(content(" ".join(_LISTED.findall(reading.question))))
    return known >= set(form.terms)


def _words_of(reading: Reading, item: Evidence) -> set[str]:
    """Of a relation, the role that is asked for by any of its names."""
    asked = role_words(reading.question)
    named = bool(asked) and asked <= title_words(item.text)
    return set(content(item.text)) | (_ROLE_STEMS if named else set())


def _without(lines: Sequence[str], statement: str) -> list[str]:
    """Lines without the statement: a table row, list item or quotation goes whole, a sentence out of its
    line."""
    words = [re.escape(word) for word in re.sub(r"\[\d+\]", " ", statement).split()]
    gap = r"(?:\s|\[\d+\])*"
    pattern = re.compile(gap.join(words) + r"(?:\s*\[\d+\])*\.?(?:\s*\[\d+\])*")
    kept: list[str] = []
    done = not words
    for line in lines:
        match = None if done else pattern.search(line)
        if match is None:
            kept.append(line)
            continue
        done = True
        rest = (line[: match.start()].rstrip() + " " + line[match.end() :].lstrip()).strip()
        if re.search(r"\[\d+\]", rest) and not line.lstrip().startswith("|"):
            kept.append(rest)
    return kept


def _without_empty_tables(text: str) -> str:
    """Header rows and leads whose table has lost its last row go too."""
    lines = text.split("\n")
    kept = list(lines)
    for n, line in enumerate(lines):
        if re.fullmatch(r"\|(?:\s*:?-+:?\s*\|)+", line) and not any(
            x.startswith("|") for x in lines[n + 1 : n + 2]
        ):
            kept[n] = kept[n - 1] = ""
            for before in range(n - 2, max(-1, n - 4), -1):
                if kept[before].rstrip().endswith(":"):
                    kept[before] = ""
    return "\n".join(kept).strip()
