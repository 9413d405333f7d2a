"""What langgraph.json's `http.app` names: the server adds its own routes to it, behind these."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from agent.bodies import SmallBodiesOnly
from agent.origin import OwnPagesOnly
from agent.server.mcp_tools import McpTools
from agent.server.pickles import refuse_pickles
from agent.server.server_store import Acknowledged
from agent.settings import load_settings

refuse_pickles()
app = Starlette(
    middleware=[Middleware(OwnPagesOnly), Middleware(SmallBodiesOnly), Middleware(Acknowledged)],
    routes=[Route("/mcp", McpTools(load_settings().mcp_tools), methods=["POST"])],
)
