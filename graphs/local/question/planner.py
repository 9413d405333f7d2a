"""Question -> plan: the route says which tools are asked, what the question says about itself what they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from graphs.contracts import TOOLS_OF, AnswerForm, Draft, Plan, Reading, Route
from graphs.local.question.computing import calculation_asked, may_be_printed
from graphs.local.question.question_forms import without_context
from graphs.local.question.router import LocalRouter
from tools.calculate.questions import SumReader
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.model_files import ModelFileError
from tools.ranking.fit import asks_no_figure, kinds_wanted, learnt
from tools.scope import Scope
from tools.vector.embeddings import Embedder

SURE_KIND = 0.8
"""Probability from which a question surely asks for prose, or for a figure."""


class LocalPlanner:
    """A `graphs.protocols.Planner` without searches of its own."""

    def __init__(self, sums: SumReader | None = None, embedder: Embedder | None = None) -> None:
        """`sums`: tells what is to be computed; None: nothing is. `embedder`: of the learnt kinds of answers."""
        self._router, self._sums, self._embedder = LocalRouter(), sums, embedder

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `Planner.plan`."""
        route = self._with_passages(self._router.route(reading), reading)
        if self._sums is None:
            return Plan(route=route)
        try:
            form = self._form(reading, route)
            computed = None if form == "reasons" else calculation_asked(reading, catalog, within, self._sums)
        except ModelFileError as error:
            why = f"{route.reason}; not told whether something is to be computed: {error}"
            return Plan(route=route.model_copy(update={"reason": why}))
        if form == "reasons":
            route = _with_both(route, "surely asks for prose")
        if computed is None or (route.kind == "abstractive" and computed.asked.derived):
            return Plan(route=route, form=form)
        if may_be_printed(computed.asked):
            route = _with_both(route, "a measure that documents may print themselves")
        return Plan(route=route, calculations=(computed,), form=form)

    def _form(self, reading: Reading, route: Route) -> AnswerForm:
        """What kind of answer is surely asked for."""
        if self._sums is None or reading.spoken or reading.told or reading.out_of_scope:
            return "other"
        names = reading.company_names if len(reading.companies) == 1 else ()
        read = self._sums.read(reading.question, names)
        several = route.kind == "uncertain"  # which may be for a figure and its reasons
        if read.of_prose >= SURE_KIND and not several:
            return "reasons"
        figure = read.of_figure >= SURE_KIND and route.kind != "abstractive"
        return "figure" if figure else "other"

    def _with_passages(self, route: Route, reading: Reading) -> Route:
        """A fact that is no figure may stand in a passage: both tools are asked for it."""
        if self._embedder is None or route.tools != TOOLS_OF["extractive"] or reading.out_of_scope:
            return route
        with suppress(ModelFileError):  # the ranker says that it ranks roughly
            vector = self._embedder.embed_query(without_context(reading.question))
            if asks_no_figure(kinds_wanted(vector, learnt())):
                return _with_both(route, "no figure, so passages are searched, too")
        return route

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """None: see `Planner.further`."""
        return None


def _with_both(route: Route, why: str) -> Route:
    """The route with both tools, where it has the graph alone."""
    if route.tools != TOOLS_OF["extractive"]:
        return route
    return route.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": f"{route.reason}; {why}"})
