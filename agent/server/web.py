"""What langgraph.json's `http.app` names: the server adds its own routes to it, behind these."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from agent.bodies import SmallBodiesOnly
from agent.origin import OwnPagesOnly
from agent.server.mcp_tools import McpTools
from agent.server.page_beside import UPLOADS, PageBeside, ReferenceApart
from agent.server.pickles import refuse_pickles
from agent.server.server_store import Acknowledged
from agent.settings import load_settings

refuse_pickles()
settings = load_settings()
beside = PageBeside(settings) if settings.studio_page else None
app = Starlette(
    middleware=[
        Middleware(OwnPagesOnly),
        Middleware(SmallBodiesOnly, but=(UPLOADS,) if beside else ()),
        Middleware(Acknowledged),
        *([Middleware(ReferenceApart)] if beside else []),
    ],
    routes=[
        Route("/mcp", McpTools(settings.mcp_tools), methods=["POST"]),
        *([beside.route()] if beside else []),
    ],
    lifespan=beside.lifespan if beside else None,
)
