"""Question -> plan: the route says which tools are asked, what the question says about itself what they are asked."""

from __future__ import annotations

from collections.abc import Sequence

from graphs.contracts import Draft, Plan, Reading
from graphs.local.question.router import LocalRouter
from tools.documents.metadata.catalog import Catalog
from tools.evidence import Evidence
from tools.scope import Scope


class LocalPlanner:
    """A `graphs.protocols.Planner` without calls of its own."""

    def __init__(self) -> None:
        self._router = LocalRouter()

    def plan(self, reading: Reading, catalog: Catalog, within: Scope) -> Plan:
        """See `Planner.plan`."""
        return Plan(route=self._router.route(reading))

    def further(
        self, reading: Reading, catalog: Catalog, within: Scope, found: Sequence[Evidence], draft: Draft
    ) -> Plan | None:
        """None: see `Planner.further`."""
        return None
