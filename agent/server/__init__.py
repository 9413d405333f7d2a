"""The LangGraph server as this project runs it: how it is started, who may send it what, where it keeps its threads,
what it offers over MCP.

Imports the settings and the libraries of the extra `studio`; `langgraph.json` names what the server takes from here.
"""
