"""Questions about the assistant, its index and its last answer, and such as no filing answers: told by what their
embedding is near; the former answered from the catalogue and from what that answer cites."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from graphs.contracts import Reading
from graphs.drafts.claims import MARKER
from graphs.drafts.refusals import not_filed
from graphs.local.question.asked_profile import asked_of_company
from graphs.local.question.question_forms import ABOUT, without_context
from graphs.local.question.said_of_companies import said_of_companies
from tools.documents.metadata.catalog import Catalog
from tools.documents.types import KINDS, DocType, Document
from tools.ranking.company_questions import MIN_CHANCE as MIN_CHANCE_OF_COMPANIES
from tools.ranking.company_questions import chance_of_companies
from tools.ranking.fit import chance_about_index
from tools.ranking.turn_kinds import is_turn
from tools.vector.embeddings import Embedder

MIN_CHANCE, MIN_CHANCE_OF_NAMED = 0.5, 0.85
"""Probability from which a question may be about the index, and from which one that names something surely is. Of 170
about it (half of them name a company) 164 and 129 reach them when left out of learning, of 170 that only sound so 30
and 7: between the two the documents are asked first."""
MIN_CHANCE_IF_DOUBTFUL = 0.9
"""Probability from which a question asks for companies though it may be off the topic or describe one: of 26 that do
('Who runs the water utility whose New York business Liberty took over?') none reaches it when left out of learning."""
MIN_CHANCE_BESIDE_A_NAME = 0.92
"""Probability from which a question that names a company asks for others ('who sells to Walmart?'): of 3,755 tuning
questions about the companies that they name 2 reach it."""
MAX_ROWS_TOLD = 3
"""Of a table, or of a list, in a summary of the conversation; the first row of a table is its head."""
MAX_COMPANIES = 120
"""Companies that are named one by one."""
FORMS: Mapping[DocType, str] = {**KINDS, "10-Q": "10-Q report", "10-K": "10-K report", "8-K": "8-K report"}
CHECKED = (
    "Every statement of my last answer was checked before it was shown: that what it cites says so, not that the "
    "document is right, nor that nothing else in the documents says more."
)
OFF_TOPIC = (
    "it asks for nothing that filings and earnings calls tell, but for such as general knowledge, a forecast, "
    "advice or a piece of work"
)
INTRODUCTION = (
    "I answer questions about the financial documents indexed here: figures, people and events, reasons and risks. "
    "I use these documents alone, neither the web nor general knowledge; every statement is checked against its source "
    "and cited with document and page, and where they hold no answer I say so. I am a program, not a person."
)


class IndexGuide:
    """A `graphs.protocols.Guide` by a learned weight for each part of the question's embedding."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def tell(
        self,
        reading: Reading,
        catalog: Catalog,
        sources: Sequence[str] | None = None,
        said: Sequence[tuple[str, str]] = (),
    ) -> str:
        """See `Guide.tell`."""
        named = bool(
            reading.companies or reading.entities or reading.scope.periods or reading.unknown_companies
        ) or (ABOUT in reading.question)
        told = self._of_index(reading, catalog, MIN_CHANCE_OF_NAMED if named else MIN_CHANCE)
        vector = self._embedder.embed_query(without_context(reading.question))
        if said and not named and is_turn("of_conversation", vector):
            return _of_conversation(said)
        # those of a company that it names are no answer's, nor is what goes on from a question
        of_documents = (told and reading.companies) or ABOUT in reading.question
        of_answer = is_turn("about_answer", vector) or is_turn("of_table", vector)
        if sources is not None and not of_documents and of_answer:
            return _of_answer(sources)
        return told

    def of_table(self, reading: Reading) -> bool:
        """See `Guide.of_table`."""
        named = reading.companies or reading.metrics or reading.scope.periods
        return not named and is_turn("of_table", self._embedder.embed_query(reading.question))

    def otherwise(self, reading: Reading, catalog: Catalog) -> str:
        """See `Guide.otherwise`; what goes on from a question about documents is about them, too."""
        return "" if ABOUT in reading.question else self._of_index(reading, catalog, MIN_CHANCE)

    def off_topic(self, reading: Reading, catalog: Catalog) -> str:
        """See `Guide.off_topic`. A company's line item is a matter of its documents, however it is asked for, as is
        what goes on from a question about them; nor does it matter which company is asked about."""
        if (reading.companies and reading.metrics) or ABOUT in reading.question:
            return ""
        vector = self._embedder.embed_query(catalog.without_names(reading.question))
        least = MIN_CHANCE_OF_NAMED if reading.entities else None  # it names what the documents know
        return OFF_TOPIC if is_turn("off_topic", vector, least=least) else ""

    def of_companies(self, reading: Reading, *, told: bool = False, doubtful: bool = False) -> str:
        """See `Guide.of_companies`; a question that names a company surely asks for others, or it is about that one."""
        if reading.parts or reading.spoken:
            return ""
        asked = without_context(reading.question)
        vector = self._embedder.embed_query(asked)
        chance = chance_of_companies(vector, asked)
        least = max(MIN_CHANCE_OF_COMPANIES, MIN_CHANCE_IF_DOUBTFUL if doubtful else 0.0)
        least = MIN_CHANCE_BESIDE_A_NAME if reading.companies else least
        if chance < least or (told and chance < chance_about_index(vector)):
            return ""
        return said_of_companies(asked)

    def profile(self, reading: Reading, catalog: Catalog) -> tuple[str, ...]:
        """See `Guide.profile`."""
        return asked_of_company(reading, catalog, self._embedder)

    def _of_index(self, reading: Reading, catalog: Catalog, least: float) -> str:
        """What is held, in answer to a question that is about it with at least this probability, else ''."""
        if reading.metrics:
            return ""
        vector = self._embedder.embed_query(catalog.without_names(without_context(reading.question)))
        if chance_about_index(vector) < least:
            return ""
        held = [key for key in reading.companies if key in catalog.companies]
        return "\n\n".join(
            filter(None, (_not_held(reading), _holdings(catalog, held) if held else _everything(catalog)))
        )


def _not_held(reading: Reading) -> str:
    return not_filed(reading) if reading.unknown_companies else ""


def _of_conversation(said: Sequence[tuple[str, str]]) -> str:
    """Each question as it was understood, and what its answer begins with."""
    lines = [f"- {question} — {_beginning(answer)}" for question, answer in said if answer]
    return "\n".join(["So far, in short (each answer above has its sources):", "", *lines])


def _beginning(answer: str) -> str:
    """The first claim of an answer, or the first rows of its table, on one line."""
    unmarked = re.sub(rf"\s*{MARKER.pattern}", "", answer)
    first, *rest = [line for line in unmarked.splitlines() if line.strip()] or [""]
    table = [line for line in rest if line.startswith("|") and "---" not in line]
    told = [first] if not first.endswith(":") else [first, *(table or rest)[:MAX_ROWS_TOLD]]
    return " ".join(part.removeprefix("- ").strip() for part in told)


def _of_answer(sources: Sequence[str]) -> str:
    """Where the last answer comes from, and how far it can be relied on."""
    if not sources:
        return "My last answer cites no document: nothing that I found was sure enough to be quoted."
    stands = [f"- {line}" for line in sources]
    return "\n".join([f"{CHECKED} It stands on:", "", *stands])


def _holdings(catalog: Catalog, companies: Iterable[str]) -> str:
    """The documents of companies, with type, period and pages."""
    lines = []
    for key in companies:
        documents = catalog.documents_of(key)
        lines += [f"Of {catalog.name(key)} {_count(len(documents), 'document')}:", ""]
        lines += [f"- {_described(document)}" for document in documents] + [""]
    return "\n".join(lines).strip()


def _everything(catalog: Catalog) -> str:
    """What the assistant is, what is indexed, and questions that show what can be asked."""
    documents = [each for key in catalog.companies for each in catalog.documents_of(key)]
    if not documents:
        return f"{INTRODUCTION}\n\nNothing is indexed yet."
    kinds = Counter(each.doc_type for each in documents)
    counted = ", ".join(_count(number, FORMS[kind]) for kind, number in kinds.most_common())
    ends = sorted(each.period.end for each in documents if each.period.end)
    span = f" Their periods end from {ends[0]:%B %Y} to {ends[-1]:%B %Y}." if ends else ""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for key in catalog.companies:
        types = sorted({each.doc_type for each in catalog.documents_of(key)})
        by_kind[", ".join(f"{FORMS[each]}s" for each in types)].append(catalog.name(key))
    lines = [
        f"{_count(len(documents), 'document')} of {_count(len(catalog.companies), 'company', 'companies')}: "
        f"{counted}.{span}"
    ]
    if len(catalog.companies) <= MAX_COMPANIES:
        lines += ["", *(f"- {kind}: {'; '.join(sorted(names))}" for kind, names in sorted(by_kind.items()))]
    return "\n".join([INTRODUCTION, "", *lines, "", "For example:", *_examples(catalog)])


def _examples(catalog: Catalog) -> list[str]:
    """Questions for companies that have reports, or calls."""
    asked: list[str] = []
    for kinds, words in (
        ({"10-Q", "10-K", "annual"}, "What was {}'s net income?"),
        ({"10-Q", "10-K", "annual"}, "Which risks does {} name?"),
        ({"call"}, "What did {} say about demand on the call?"),
    ):
        fitting = [key for key, company in catalog.companies.items() if company.doc_types & kinds]
        asked += [f"- {words.format(catalog.name(key))}" for key in fitting[len(asked) : len(asked) + 1]]
    return [*asked, "- Which documents do you have of a company?"]


def _described(document: Document) -> str:
    period = document.period.describe()
    label = f"Q{document.fiscal_quarter} {document.fiscal_year}" if document.fiscal_quarter else ""
    label = label or (f"fiscal {document.fiscal_year}" if document.fiscal_year else "")
    both = period if not label or label in period else f"{label}, {period}"
    return f"{FORMS[document.doc_type]}, {both}, {_count(document.pages, 'page')}: {document.name}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
