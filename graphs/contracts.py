"""What passes between the steps."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.calculate.types import Asked, Calculation, When
from tools.evidence import Evidence
from tools.periods import PeriodFilter
from tools.scope import Scope

ToolName = Literal["kg_search", "vector_search", "ontology_search", "corpus_search", "calculate"]
PlannedKind = Literal["extractive", "abstractive", "uncertain"]
RouteKind = Literal["extractive", "abstractive", "uncertain", "corpus"]
TOOLS_OF: dict[RouteKind, tuple[ToolName, ...]] = {
    "extractive": ("kg_search",),
    "abstractive": ("vector_search",),
    "uncertain": ("vector_search", "kg_search"),
    "corpus": ("corpus_search",),
}
"""Which tools a kind of question is put to."""
AnswerForm = Literal["figure", "table", "reasons", "summary", "yes_no", "other"]
PrintedForm = Literal["", "percent", "growth", "words", "none"]
"""How pages would print what was to be computed: in any way, in percent, as a growth, in a line with all its words, or
not at all."""
ReasonCode = Literal["no_evidence", "out_of_scope", "unsupported", "ambiguous", "about_index"]


class Lookup(BaseModel):
    """One figure of a part, searched for by itself."""

    model_config = ConfigDict(frozen=True)

    name: str
    """The figure as asked, with the name that qualifies it: 'Valves net sales'; '' where no figure is named."""
    question: str
    """What the knowledge graph is asked; `Evidence.lookup` of what it finds."""
    bare: str = ""
    """The same without what qualifies several figures together, asked where that finds nothing: 'operating income'
    of 'Valves revenue and operating income'; '' where nothing does."""


class Part(BaseModel):
    """One company and one period of a comparison, looked up on its own."""

    model_config = ConfigDict(frozen=True)

    company: str
    """Company key."""
    name: str
    """Display name."""
    periods: tuple[PeriodFilter, ...] = ()
    """What the period means to this company; () where none is asked for."""
    lookups: tuple[Lookup, ...] = ()
    """The figures asked for of it."""

    def describe(self) -> str:
        """'Apple Inc., period ended July 1, 2023'."""
        dated = sorted(self.periods, key=lambda period: period.end is None)
        when = next((text for period in dated if (text := period.describe())), "")
        return f"{self.name}, {when}" if when else self.name


class Clarification(BaseModel):
    """What the user is asked back where a question fits several things equally; `model_dump()` of it is the value of
    the graph's interrupt."""

    model_config = ConfigDict(frozen=True)

    question: str
    """'Which company do you mean?'; says how many there are beyond the options."""
    options: tuple[str, ...]
    """At most nine, in a stable order; the reply names one, by its text, its number from 1, or in other words."""


class Missing(BaseModel):
    """What a comparison asks for besides and its answer does not hold."""

    model_config = ConfigDict(frozen=True)

    what: str
    """A company, one of its periods, or a figure of one, in words for the user."""
    why: Literal["left_out", "not_indexed", "filtered", "not_found", "whole"]
    """Beyond four parts; not among the documents; outside the user's filters; not found in the documents; or found
    for the whole company alone."""


class Hop(BaseModel):
    """A company that a question describes instead of naming it, as it was found."""

    model_config = ConfigDict(frozen=True)

    question: str
    """As it was asked."""
    described: str
    """In its words: 'the company that took over One Medical'."""
    name: str
    """Of the company."""
    item: Evidence
    """What says so."""
    line: str
    """The line of it that does."""


class Reading(BaseModel):
    """What a question says about itself, read against the index."""

    model_config = ConfigDict(frozen=True)

    question: str
    scope: Scope = Scope()
    """Filters read from the question, resolved against the indexed documents."""
    companies: tuple[str, ...] = ()
    """Company keys named by the question."""
    company_names: tuple[str, ...] = ()
    """The same companies as the question writes them."""
    unknown_companies: tuple[str, ...] = ()
    """Names that look like companies and are not in the index."""
    filtered_companies: tuple[str, ...] = ()
    """Those of the unknown ones that are indexed, and that the user's filters leave out."""
    nearest_companies: tuple[str, ...] = ()
    """Display names of indexed companies that an unknown one may be a misspelling of, nearest ones alone."""
    unknown_periods: tuple[str, ...] = ()
    """Periods the question asks for that no indexed document or fact covers, in its own words."""
    metrics: tuple[str, ...] = ()
    """Metric phrases, as asked."""
    entities: tuple[str, ...] = ()
    """Other linked names: people, products, places, regulations."""
    months: int | None = None
    """Duration asked for: 3, 6, 9, 12; 0 for a balance; None when not said."""
    company_periods: tuple[tuple[str, tuple[PeriodFilter, ...]], ...] = ()
    """The periods asked for, per company: one label means different dates to different companies."""
    compared_periods: tuple[PeriodFilter, ...] = ()
    """Year-ago periods that a change is measured against; in `scope` only if no reasons are asked for."""
    period_options: tuple[str, ...] = ()
    """For unknown periods: the nearest ones there are, in words."""
    period_notes: tuple[str, ...] = ()
    """How an ambiguous period was read, in words for the user."""
    parts: tuple[Part, ...] = ()
    """A comparison's companies and periods, at most four; () where nothing is compared or enumerated."""
    missing: tuple[Missing, ...] = ()
    """What a comparison asks for besides and no search will find."""
    years_in_parts: tuple[str, ...] = ()
    """Years asked for of which only quarters and the like are reported, each with its company."""
    form: AnswerForm = "other"
    """What kind of answer is asked for, as far as it was planned."""
    of_sum: float = 0.0
    """Probability that something has to be computed, as far as it was planned."""
    spoken: bool = False
    """True for a question put to a company's people as on a call: its courtesies, first names and asides name nothing
    to look up."""
    spelled_out: bool = False
    """True where `question` names one by one what was asked for 'by segment': users are shown what they asked."""
    overview: bool = False
    """True for a question about the results of companies that it names: figures are looked up for it, whatever prose
    it asks for."""
    asks_who_asked: bool = False
    """True for 'who asked about margins?': both the questions of a call and its participants are searched."""
    tool_questions: tuple[tuple[ToolName, str], ...] = ()
    """What a tool is asked in other words than the question's."""
    uncomputed: str = ""
    """What was to be computed and could not be: figures found besides are no answer to it, a very likely line may."""
    uncomputed_form: PrintedForm = ""
    uncomputed_of: str = ""
    """The words that a line has which prints it; '' where none does."""
    of_companies: str = ""
    """What a question says of the companies that it asks for, all of which are looked through: 'use Ernst & Young'; ''
    for any other question."""
    profile: tuple[str, ...] = ()
    """Which of the things that people ask of any company it asks for ('auditor'), see
    `tools.knowledge.lexicon.company_profile`; () for anything else."""
    hops: tuple[Hop, ...] = ()
    """What was found first: `question` has the name in place of the description."""
    told: str = ""
    """What the assistant says of itself and its index; '' for a question about what the documents say."""
    told_otherwise: str = ""
    """What it says of its index if the documents hold no answer: the question may be about either."""
    out_of_scope: str = ""
    """Why no financial document can answer the question (general knowledge, nonsense); '' if it is one."""


class Route(BaseModel):
    """Which tools answer, and why."""

    model_config = ConfigDict(frozen=True)

    kind: RouteKind
    tools: tuple[ToolName, ...]
    reason: str
    confidence: float = Field(ge=0, le=1)
    widened: bool = False


class PlannedCall(BaseModel):
    """One call of a tool, with a filter of its own; the user's filters bind it all the same."""

    model_config = ConfigDict(frozen=True)

    tool: ToolName
    question: str
    """What is looked for, as documents word it."""
    companies: tuple[str, ...] = ()
    """Company keys; () for all."""
    periods: tuple[str, ...] = ()
    """Labels as of `tools.documents.metadata.period_labels`: 'FY2022', 'Q2 FY2023', '2023-07-01'; () for all."""
    doc_types: tuple[str, ...] = ()
    """Of `tools.documents.types.DocType`; () for all."""
    depth: int | None = None
    """Hops from a named thing in the graph; None: as the run's context has it."""


class PlannedCalculation(BaseModel):
    """One call of `calculate`; the user's filters bind it as they bind a search."""

    model_config = ConfigDict(frozen=True)

    asked: Asked
    companies: tuple[str, ...]
    """Company keys."""
    periods: tuple[tuple[str, tuple[When, ...]], ...] = ()
    """Company key and its periods; of a company without any the latest."""

    @property
    def question(self) -> str:
        """What is computed, in words."""
        return self.asked.title or self.asked.measure or self.asked.formula


class Plan(BaseModel):
    """What is looked up and computed for a question."""

    model_config = ConfigDict(frozen=True)

    route: Route
    calls: tuple[PlannedCall, ...] = ()
    """() leaves the calls to the route and to what the question says about itself."""
    calculations: tuple[PlannedCalculation, ...] = ()
    """What is computed besides."""
    form: AnswerForm = "other"
    """What kind of answer is asked for."""
    of_sum: float = 0.0
    """Probability that something has to be computed for it; 0 for a measure that pages may print themselves."""


class Draft(BaseModel):
    """An answer before its check: text with [n] markers that point at evidence ranks."""

    model_config = ConfigDict(frozen=True)

    text: str
    """'' when the answerer abstains."""
    abstained: ReasonCode | None = None
    detail: str = ""
    """On abstaining: what was looked for, in words for the user; may offer options."""
    engine: Literal["local", "model"] = "local"
    """Whose words these are."""
    missing: str = ""
    """What of the question the evidence leaves open, in the writer's words; never shown as it stands."""


class Statement(BaseModel):
    """One checkable claim of a draft."""

    model_config = ConfigDict(frozen=True)

    text: str
    supported: bool
    evidence: tuple[int, ...] = ()
    """Ranks of the supporting evidence."""
    reason: str = ""
    """Why it is not supported: 'number 82,959 is not in the cited evidence', ..."""
    nearest: str = ""
    """What of that evidence comes nearest to a statement that is not supported."""
    cited: tuple[int, ...] = ()
    """Ranks that it was held against, supported or not."""


class Verdict(BaseModel):
    """Faithfulness of a draft: F = |supported| / |statements| (Sarmah et al. 2024, 4.3)."""

    model_config = ConfigDict(frozen=True)

    statements: tuple[Statement, ...]
    score: float | None
    """None when there is no statement to check."""


class Citation(BaseModel):
    """A marker of the answer, resolved to a page."""

    model_config = ConfigDict(frozen=True)

    marker: int
    """The [n] in the answer's text; equals the cited evidence's rank."""
    source: Literal["vector", "graph"]
    document: str
    page: int
    place: str = ""
    """How the place is called where that says more than the page's number: "Sheet 'Revenue', B7"; else ''."""
    quote: str
    """What stands there: the fact's line, or the part of the chunk that was used."""

    @property
    def where(self) -> str:
        """The place for a reader: 'p. 4' where it has no name of its own."""
        return self.place or f"p. {self.page}"


class StepUsage(BaseModel):
    """Model calls of one step."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


class Usage(StepUsage):
    """Model calls made for one answer; all zero with the local engine."""

    by_step: dict[str, StepUsage] = Field(default_factory=dict)
    """Steps that asked the model, in order."""
    cost: float | None = None
    """USD; None where no prices are set."""


class Suggestion(BaseModel):
    """A next question that the index can answer."""

    model_config = ConfigDict(frozen=True)

    question: str
    why: str = ""
    """What others did, where it comes first for that: '7 of 18 users went on to gross margin'; '' where a rule names
    it."""


class Answer(BaseModel):
    """What every surface shows: the object of `--json`, of `Assistant.ask` and of the graph's output."""

    id: str | int | None = None
    """The caller's own id, from a batch line, as it was given."""
    question: str
    standalone_question: str
    status: Literal["answered", "partial", "abstained"]
    reason: str | None = None
    """A `ReasonCode` when abstained; a sentence when a fallback was taken; else None."""
    answer: str
    """Checked text with [n] markers; on abstaining, what was looked for."""
    route: Route
    citations: tuple[Citation, ...] = ()
    nearest: tuple[Citation, ...] = ()
    """On abstaining: what in the documents comes nearest to the question; not checked to answer it."""
    evidence: tuple[Evidence, ...] = ()
    calculations: tuple[Calculation, ...] = ()
    """What was computed for it: results with formula and operands."""
    faithfulness: Verdict = Verdict(statements=(), score=None)
    gaps: tuple[str, ...] = ()
    """Tools that failed, markers that did not resolve, and other things a reader of the trace should know."""
    pipeline: str = "agent"
    engine: str = "local"
    """Whose words the answer is: `model`, or `local` also where the model's draft was not used."""
    usage: Usage = Usage()
    seconds: dict[str, float] = Field(default_factory=dict)
    """Wall-clock seconds by step, and 'total'; without the time the user took to answer a question back."""
    limits: str = ""
    """The filters that were set when it was asked, in words: 'Apple Inc., Q2 2023'; '' where none were."""
    suggestions: tuple[str, ...] = ()
    """Next questions that the index can answer; only where they were asked for."""
    why_suggested: tuple[str, ...] = ()
    """The `Suggestion.why` of each of them; () where a rule names them all."""
