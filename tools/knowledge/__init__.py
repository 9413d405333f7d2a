"""Triplets, entity resolution and the knowledge graph: `kg_search`.

Imports `tools.documents`, `tools.model` and the encoder of `tools.vector`; knows neither the vector index nor the home
folder.
"""
