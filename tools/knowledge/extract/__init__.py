"""Chunks to triplets: printed figures, participants, relations in prose, by rules or by a model.

Imports `graph`, `lexicon` and `tools.documents`; knows no question and no index.
"""
