"""Question -> plan: the route says which tools are asked, what the question says about itself what they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from graphs.contracts import TOOLS_OF, Draft, Plan, Reading, Route
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


class LocalPlanner:
    """A `graphs.protocols.Planner` without searches of its own."""

    def __init__(self, sums: SumReader | None = None, embedder: Embedder | None = None) -> None:
        """`sums`: tells what is to be computed; None: nothing is. `embedder`: of the learnt kinds of answers."""
        self._router, self._sums, self._embedder = LocalRouter(), sums, embedder

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `Planner.plan`."""
        route = self._with_passages(self._router.route(reading), reading)
        if route.kind == "abstractive" or self._sums is None:
            return Plan(route=route)
        try:
            computed = calculation_asked(reading, catalog, within, self._sums)
        except ModelFileError as error:
            why = f"{route.reason}; not told whether something is to be computed: {error}"
            return Plan(route=route.model_copy(update={"reason": why}))
        if computed is None:
            return Plan(route=route)
        if may_be_printed(computed.asked):
            why = f"{route.reason}; a measure that documents may print themselves"
            route = route.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": why})
        return Plan(route=route, calculations=(computed,))

    def _with_passages(self, route: Route, reading: Reading) -> Route:
        """A fact that is no figure may stand in a passage: both tools are asked for it."""
        if self._embedder is None or route.tools != TOOLS_OF["extractive"] or reading.out_of_scope:
            return route
        with suppress(ModelFileError):  # the ranker says that it ranks roughly
            vector = self._embedder.embed_query(without_context(reading.question))
            if asks_no_figure(kinds_wanted(vector, learnt())):
                why = f"{route.reason}; no figure, so passages are searched, too"
                return route.model_copy(update={"tools": TOOLS_OF["uncertain"], "reason": why})
        return route

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """None: see `Planner.further`."""
        return None
