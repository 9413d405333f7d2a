"""Question -> plan: the route says which tools are asked, what the question says about itself what they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from graphs.contracts import TOOLS_OF, AnswerForm, Draft, Plan, Reading, Route
from graphs.local.question.computing import calculation_asked, may_be_printed
from graphs.local.question.router import LocalRouter
from graphs.local.question.spelled_out import with_definition
from tools.calculate.questions import AskedSum, SumReader
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope

MIN_FIGURE = 0.3
"""Probability of a figure from which the graph alone may hold the answer."""
SURE_KIND = 0.8
"""Probability from which a question surely asks for prose, or for a figure."""


class LocalPlanner:
    """A `graphs.protocols.Planner` without searches of its own."""

    def __init__(self, sums: SumReader | None = None) -> None:
        """`sums`: tells what kind of answer is asked for and what is to be computed; None: nothing is told."""
        self._router, self._sums = LocalRouter(), sums

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `Planner.plan`."""
        route = self._router.route(reading)
        if self._sums is None or reading.told or reading.out_of_scope:
            return Plan(route=route)
        names = reading.company_names if len(reading.companies) == 1 else ()
        try:
            read = self._sums.read(reading.question, names)
            read = with_definition(read, reading.question, partial(self._sums.read, names=names))
        except ModelFileError as error:
            why = f"{route.reason}; not told whether something is to be computed: {error}"
            return Plan(route=route.model_copy(update={"reason": why}))
        if reading.spoken:
            return Plan(route=route)
        if read.of_figure < MIN_FIGURE:
            route = _with_both(route, "no figure, so passages are searched, too")
        form = _form(read, route)
        computed = None if form == "reasons" else calculation_asked(reading, catalog, within, read)
        if computed is None or (route.kind == "abstractive" and computed.asked.derived):
            return Plan(route=route, form=form, of_sum=read.of_sum)
        if may_be_printed(computed.asked):
            route = _with_both(route, "a measure that documents may print themselves")
            return Plan(route=route, calculations=(computed,), form=form)
        return Plan(route=route, calculations=(computed,), form=form, of_sum=read.of_sum)

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """None: see `Planner.further`."""
        return None


def _form(read: AskedSum, route: Route) -> AnswerForm:
    """What kind of answer is surely asked for; an uncertain route may be for a figure and its reasons."""
    if read.of_prose >= SURE_KIND and route.kind != "uncertain":
        return "reasons"
    return "figure" if read.of_figure >= SURE_KIND and route.kind != "abstractive" else "other"


def _with_both(route: Route, why: str) -> Route:
    """The route with both tools, where it has the graph alone."""
    if route.tools != TOOLS_OF["extractive"]:
        return route
    return route.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": f"{route.reason}; {why}"})
