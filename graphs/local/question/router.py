"""Question -> route, by the question's form and the names linked in it; in under a millisecond."""

from __future__ import annotations

from dataclasses import dataclass

from graphs.contracts import TOOLS_OF, Reading, Route, RouteKind
from graphs.local.question import question_forms as forms
from graphs.local.question.period_phrases import find_asks

_ANY_METRIC = "revenue"
_CONFIDENCE_MIXED = 0.85


@dataclass(frozen=True, slots=True)
class _Form:
    """What one clause asks for."""

    kind: RouteKind
    why: str
    confidence: float


class LocalRouter:
    """A `Router` of rules: a fact of something named is looked up in the graph, prose is searched for, and
    whatever is mixed or unclear goes to both."""

    def route(self, reading: Reading) -> Route:
        """The route of a question; `reading` supplies the names that it was linked to."""
        question = forms.POLITE.sub("", reading.question).strip()
        names = (*reading.company_names, *reading.metrics, *reading.entities, *reading.unknown_companies)
        if reading.spoken:
            form = _Form("abstractive", "is put to management as on a call", 0.9)
        else:
            form = _whole(*_unlabelled(question or reading.question, reading))
        if reading.profile:
            form = _Form("extractive", "asks what people ask of any company", 0.9)
        named = names or any(word[:1].isupper() for word in question.split()[1:])
        if reading.out_of_scope:
            form = _Form(form.kind, f"{form.why}, but is not a question about the documents", 0.5)
        elif form.kind == "extractive" and not named and not forms.FACT_NOUNS.search(question):
            form = _Form("uncertain", f"{form.why}, but names nothing known", 0.6)
        return _route(form, names)


def _unlabelled(question: str, reading: Reading) -> tuple[str, Reading]:
    """The question with metrics of several words as one: words inside a label ('effect of exchange rates on
    cash', 'benefit from taxes', 'partner contributions') ask for nothing."""
    plain = question
    for metric in sorted(reading.metrics, key=len, reverse=True):
        if " " in metric:
            plain = plain.replace(metric, _ANY_METRIC)
    if plain == question:
        return question, reading
    return plain, reading.model_copy(update={"metrics": (*reading.metrics, _ANY_METRIC)})


def _route(form: _Form, names: tuple[str, ...]) -> Route:
    named = f"names {', '.join(dict.fromkeys(names))}" if names else "names nothing in particular"
    return Route(
        kind=form.kind, tools=TOOLS_OF[form.kind], reason=f"{form.why}; {named}", confidence=form.confidence
    )


def _whole(question: str, reading: Reading) -> _Form:
    """The form of a question of one or more clauses: a fact and prose together are uncertain."""
    if forms.ASKS_MENTION.search(question):
        return _Form("uncertain", "asks whether something is mentioned", 0.7)
    clauses = [clause for clause in forms.CLAUSE.split(question) if clause and clause.strip(" ?.!,")]
    found = [_clause(clause, reading) for clause in clauses] or [_clause(question, reading)]
    kinds = {form.kind for form in found}
    if len(kinds) == 1:
        best = max(found, key=lambda form: form.confidence)
    elif "uncertain" in kinds and len(kinds) == 2 and len(found[0].why) and _is_fragment(clauses, found):
        best = next(form for form in found if form.kind != "uncertain")
    elif kinds == {"abstractive", "uncertain"} and found[0].kind == "abstractive":
        best = found[0]
    else:
        facts = "; ".join(dict.fromkeys(form.why for form in found))
        best = _Form("uncertain", f"asks for several things ({facts})", _CONFIDENCE_MIXED)
    if best.kind == "abstractive" and forms.WITH_FIGURES.search(question):
        return _Form("uncertain", f"{best.why}, and for figures", _CONFIDENCE_MIXED)
    return best


def _is_fragment(clauses: list[str], found: list[_Form]) -> bool:
    """Is every clause of unclear form a mere name or phrase beside one that asks ('Rogers: what is ...')?"""
    return all(
        len(clause.split()) <= 4 and not forms.QUESTION_WORD.search(clause)
        for clause, form in zip(clauses, found, strict=False)
        if form.kind == "uncertain"
    )


def _clause(clause: str, reading: Reading) -> _Form:
    has_metric = any(metric in clause for metric in reading.metrics)
    if has_metric and any(ask.kind == "series" for ask in find_asks(clause)):
        return _series(clause)
    if forms.YES_NO.search(clause):
        return _yes_no(clause)
    if forms.OPEN.search(clause) or (forms.OPEN_SOFT.search(clause) and not forms.PROSE.search(clause)):
        return _Form("uncertain", "asks about something in general", 0.75)
    if forms.FIGURE_CHANGE.search(clause) and has_metric and not forms.PROSE.search(clause):
        return _Form("extractive", "asks how a figure changed", 0.75)
    if (prose := _prose(clause, has_metric)) is not None:
        return prose
    if forms.FACT_WORDS.search(clause):
        return _fact(clause, reading, has_metric)
    if forms.COMMANDS.search(clause):
        return _command(clause, has_metric)
    return _fragment(clause, reading, has_metric)


def _prose(clause: str, has_metric: bool) -> _Form | None:
    """The form of a clause that only prose answers; None for any other."""
    if forms.PROSE.search(clause) and not _is_counted(clause) and not forms.IN_UNITS.search(clause):
        if forms.WITH_FIGURES.search(clause):
            return _Form("uncertain", "asks for prose and figures", _CONFIDENCE_MIXED)
        return _Form("abstractive", "asks for an explanation, a summary or a view", 0.9)
    if forms.HOW_PROSE.search(clause) and not (has_metric and not clause.lower().startswith("how")):
        return _Form("abstractive", "asks how something is done or seen", 0.8)
    return None


def _series(clause: str) -> _Form:
    if forms.REASONS.search(clause):
        return _Form("uncertain", "asks how a figure developed, and why", _CONFIDENCE_MIXED)
    return _Form("extractive", "asks how a figure developed", 0.8)


def _is_counted(clause: str) -> bool:
    """'How much of the impact ...', 'who discussed ...': a fact about a thing that is usually in prose."""
    lowered = clause.lower()
    return lowered.startswith(
        ("how much", "how many", "who ", "whose", "when ", "by how", "what percent", "what amount")
    )


def _yes_no(clause: str) -> _Form:
    if forms.ATTITUDES.search(clause):
        return _Form("abstractive", "asks for an attitude", 0.75)
    if forms.CAUSES.search(clause):
        return _Form("uncertain", "asks whether something was the cause", 0.7)
    if forms.JUDGES.search(clause):
        return _Form("uncertain", "asks for a judgement", 0.65)
    return _Form("extractive", "asks whether a fact holds", 0.8)


def _fact(clause: str, reading: Reading, has_metric: bool) -> _Form:
    noun = has_metric or bool(forms.FACT_NOUNS.search(clause))
    lowered = clause.lower()
    pointed = lowered.startswith(
        ("how ", "who", "when", "where", "by ", "at ", "in ", "from ", "on ", "to ", "of ")
    )
    if noun or pointed or not lowered.startswith("what"):
        return _Form(
            "extractive", "asks for a figure" if has_metric else "asks for a fact", 0.95 if noun else 0.85
        )
    if reading.companies and not lowered.startswith(("what is ", "what are ", "what's ")):
        return _Form("extractive", "asks for a fact", 0.65)
    if reading.companies and len(clause.split()) > 4:
        return _Form("extractive", "asks for a fact", 0.6)
    return _Form("uncertain", "asks what something is", 0.6)


def _command(clause: str, has_metric: bool) -> _Form:
    if forms.DESCRIBES.search(clause):
        return _Form("abstractive", "asks to set out views or plans", 0.8)
    if forms.FIGURES_NOUN.search(clause):
        return _Form("uncertain", "asks for figures without saying which", 0.7)
    if has_metric or forms.FACT_NOUNS.search(clause):
        return _Form("extractive", "asks to list or state facts", 0.9)
    return _Form("uncertain", "asks for something without saying what", 0.6)


def _fragment(clause: str, reading: Reading, has_metric: bool) -> _Form:
    """Words without a question: figures of a company or a period, else anything."""
    if forms.FIGURES_NOUN.search(clause):
        return _Form("uncertain", "asks for figures without saying which", 0.7)
    dated = bool(find_asks(clause)) or reading.months is not None
    noun = has_metric or bool(forms.FACT_NOUNS.search(clause))
    if noun and (dated or (reading.companies and not forms.LEVELS.search(clause))):
        return _Form("extractive", "asks for a figure", 0.8)
    return _Form("uncertain", "names something without a question", 0.7)
