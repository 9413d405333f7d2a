"""Triplets, entity resolution and the knowledge graph: `kg_search`.

Imports `tools.documents` and `tools.model`; knows neither vectors nor the home folder.
"""
