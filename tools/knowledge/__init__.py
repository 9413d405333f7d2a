"""Triplets, entity resolution and the knowledge graph: `kg_search`."""
