"""The knowledge graph as a page of its own: what of it is drawn, where, and the one file that holds it all.

Imports `tools`, and how facts and text are shown from `agent.display`.
"""
