"""Ontologies: concepts and what relates them, read from OWL, RDF and SKOS, found in documents, and walked from a
question's concepts to the passages that speak of them: `ontology_search`.

Imports `tools.documents` and `tools.vector`; knows neither the knowledge graph nor the home folder.
"""
