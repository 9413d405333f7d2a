"""Question -> plan: the route says which tools are asked, what the question says about itself what they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import TOOLS_OF, Draft, Plan, Reading
from graphs.local.question.computing import calculation_asked, may_be_printed
from graphs.local.question.router import LocalRouter
from tools.calculate.questions import SumReader
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.model_files import ModelFileError
from tools.scope import Scope


class LocalPlanner:
    """A `graphs.protocols.Planner` without searches of its own."""

    def __init__(self, sums: SumReader | None = None) -> None:
        """`sums`: tells what is to be computed; None: nothing is."""
        self._router, self._sums = LocalRouter(), sums

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `Planner.plan`."""
        route = self._router.route(reading)
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

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """None: see `Planner.further`."""
        return None
